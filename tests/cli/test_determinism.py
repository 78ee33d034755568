"""The same project gives the same report: whatever the order of paths and sets, and from wherever it is asked for."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from burnlint.report import FORMATS

FIXTURES = Path(__file__).parents[2] / "fixtures"
MANIFEST = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'
FORMATS_SAID = [f"--output={name}:report.{name}" for name in FORMATS]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few fixtures of each topic as packages of a workspace."""
    root = tmp_path_factory.mktemp("workspace")
    topics = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
    made = []
    for topic in topics:
        files = sorted(FIXTURES.glob(f"{topic}/*/fires.rs"))[:4]
        if files:
            made.append(topic)
            (root / topic / "src").mkdir(parents=True)
            (root / topic / "Cargo.toml").write_text(MANIFEST.format(topic), encoding="utf-8")
            modules = "".join(f"mod m{at};\n" for at in range(len(files)))
            (root / topic / "src/lib.rs").write_text(modules, encoding="utf-8")
            for at, file in enumerate(files):
                (root / topic / f"src/m{at}.rs").write_bytes(file.read_bytes())
    members = json.dumps(made)
    (root / "Cargo.toml").write_text(f'[workspace]\nresolver = "3"\nmembers = {members}\n', encoding="utf-8")
    (root / ".git").mkdir()
    return root


def reports(folder: Path, *words: str, seed: str = "0") -> dict[str, str]:
    """What `burnlint check` writes in each format."""
    options = ("--select", "all", "--min-confidence", "low", "--no-cache", "--exit-zero")
    subprocess.run(
        [sys.executable, "-m", "burnlint", "check", *words, *options, *FORMATS_SAID],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
    )
    found = {name: folder / f"report.{name}" for name in FORMATS}
    return {name: path.read_text(encoding="utf-8") for name, path in found.items()}


@pytest.fixture(scope="module")
def first(workspace: Path) -> dict[str, str]:
    found = reports(workspace, ".")
    assert len(json.loads(found["json"])["findings"]) > 30
    return found


@pytest.mark.parametrize("seed", ["1", "2718281828"])
def test_other_hash_seeds(seed: str, workspace: Path, first: dict[str, str]) -> None:
    assert reports(workspace, ".", seed=seed) == first


def test_shuffled_paths(workspace: Path, first: dict[str, str]) -> None:
    paths = [
        str(path.relative_to(workspace)) for path in workspace.rglob("*") if path.suffix in (".rs", ".toml")
    ]
    random.Random(3).shuffle(paths)
    assert reports(workspace, *paths, seed="3") == first


def test_another_working_directory(workspace: Path, first: dict[str, str]) -> None:
    """The same findings; only paths are spelled from there, and in SARIF not even they."""
    elsewhere = workspace / "tensor/src"
    found = reports(elsewhere, "../..")
    assert found["sarif"] == first["sarif"]
    here, there = (json.loads(each["json"]) for each in (first, found))
    assert _spelled(here, workspace) == _spelled(there, elsewhere)
    assert here != there


def _spelled(document: Any, folder: Path) -> Any:
    """The document with absolute paths."""
    if isinstance(document, list):
        return [_spelled(each, folder) for each in document]
    if not isinstance(document, dict):
        return document
    return {
        key: os.path.normpath(folder / value) if key == "path" and value else _spelled(value, folder)
        for key, value in document.items()
    }
