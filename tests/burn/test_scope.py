"""What a run says of itself where it could not find anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnlint import cli
from burnlint.burn.project import Options, Project
from burnlint.burn.releases import releases
from burnlint.burn.scope import remarks
from burnlint.burn.versions import RELEASED
from burnlint.lint import registry
from burnlint.lint.ranges import holds


def said(root: Path, dependencies: str, options: Options | None = None, more: str = "") -> list[str]:
    (root / "src").mkdir(exist_ok=True)
    (root / "src/main.rs").write_text("fn main() {}\n")
    (root / "Cargo.toml").write_text(
        f'[package]\nname = "reef"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n{dependencies}\n{more}'
    )
    paths = [str(root / "Cargo.toml"), str(root / "src/main.rs")]
    return [*remarks(Project.load(paths, options or Options(), {}))]


@pytest.mark.parametrize(
    "dependencies",
    ['burn = "0.13"', 'burn = "0.22"', 'burn-tensor = "0.21"', 'burn = ">=0.12, <0.14"', 'cubecl = "0.5"'],
)
def test_what_rules_are_about_needs_no_remark(dependencies: str, tmp_path: Path) -> None:
    assert said(tmp_path, dependencies) == []


def test_a_project_without_burn(tmp_path: Path) -> None:
    [remark] = said(tmp_path, 'serde = "1"')
    assert "no package of these files depends on burn" in remark


@pytest.mark.parametrize(
    ("entry", "version"), [("0.9.0", "0.9.0"), ("=0.12.1", "0.12.1"), (">=0.10, <0.13", "0.12.1")]
)
def test_a_burn_that_is_too_old(entry: str, version: str, tmp_path: Path) -> None:
    [remark] = said(tmp_path, f'burn = "{entry}"')
    assert remark.startswith(f"burn {version} is older than 0.13.0, the first that the rules are about")


def test_hardly_a_rule_is_about_what_is_called_too_old() -> None:
    last = [str(version) for version in releases().versions("burn") if version.line == (0, 12)][-1]
    rules = [each.rule.name for each in registry.load().rules if each.rule.code > "BL100"]
    old = [name for name in rules if holds(registry.load().by_word[name].rule.burn, (last,))]
    assert RELEASED[0] == "0.13.0"
    assert 0 < len(old) < len(rules) / 50


def test_a_version_that_nobody_knows_yet(tmp_path: Path) -> None:
    [remark] = said(tmp_path, 'burn = "0.22"', Options(burn_version="2.22"))
    assert remark.startswith("burn 2.22.0 is later than")


def test_a_feature_that_no_package_declares(tmp_path: Path) -> None:
    options = Options(features=("gpu", "gup", "burn/wgpu"))
    [remark] = said(tmp_path, 'burn = "0.22"', options, '[features]\ngpu = ["burn/wgpu"]\n')
    assert remark == "no package of these files has the feature `gup`"


def test_nothing_to_look_at() -> None:
    [remark] = remarks(Project.load([], Options(), {}))
    assert remark.startswith("no Rust file and no Cargo.toml")


def test_a_remark_stands_beside_the_report(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said(tmp_path, 'serde = "1"')
    assert cli.run(["check", str(tmp_path), "--no-cache", "--output", "concise"]) == 0
    captured = capfd.readouterr()
    assert captured.out == "No findings in 2 files.\n"
    assert captured.err.startswith("burnlint: no package of these files depends on burn")
