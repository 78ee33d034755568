"""The docs as a site: every link leads somewhere, every page can be reached, and the search knows codes and symptoms."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import codes

pytest.importorskip("zensical")

ROOT = Path(__file__).parent.parent


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    run = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    pages = {
        path.relative_to(tmp_path / "docs").with_suffix("") for path in (tmp_path / "docs").rglob("*.md")
    }
    site = tmp_path / "build" / "site"
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}
    assert {each.with_name("index") if each.name == "README" else each for each in pages} <= built
    found = {
        each["location"]: each["text"] for each in json.loads((site / "search.json").read_text())["items"]
    }
    for code in (code for code in codes() if Path("rules", code.name) in pages):
        assert code.code in found[f"rules/{code.name}.html#{code.name}"], code.name
    assert "the loss does not move, or does not go down" in found["why.html#what-you-see"]
