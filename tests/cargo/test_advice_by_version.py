"""What a rule about features tells to write is there in the burn that the project asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from burnlint import cli
from burnlint.burn.releases import releases
from burnlint.burn.versions import released
from burnlint.cargo.semver import Version

HEAD = '[package]\nname = "tide-watch"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n'


@pytest.mark.parametrize("version", released(">=0.19"))
@pytest.mark.parametrize("asked", ["cpu", "train"])
def test_an_advised_feature_exists(version: str, asked: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/main.rs").write_text("fn main() {}\n")
    (tmp_path / "Cargo.toml").write_text(
        f'{HEAD}burn = {{ version = "={version}", features = ["{asked}"] }}\n'
    )
    report = tmp_path / "report.json"
    cli.run(["check", str(tmp_path), "--select", "topic:cargo", "--output", f"json:{report}"])
    release = releases().get("burn", Version.parse(version))
    assert release is not None
    advised = [
        re.findall(r'^use `([\w-]+)`|"([\w-]+)"', each["help"])
        for each in json.loads(report.read_text())["findings"]
    ]
    names = {name for pairs in advised for pair in pairs for name in pair if name}
    assert names or asked == "train"
    assert names <= {*release.features}
