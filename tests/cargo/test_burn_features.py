"""burn's feature graph: what the project resolves is what cargo resolved for the released crates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnlint.burn.features import FeatureBuilder
from burnlint.burn.releases import releases
from burnlint.burn.versions import RELEASED, burn_versions, versions_of
from burnlint.cargo.features import Request
from burnlint.cargo.model import Package
from burnlint.cargo.platform import PLATFORMS
from burnlint.cargo.semver import Version
from burnlint.cargo.workspace import load

ROWS = [
    line.rstrip("\n").split("\t")
    for line in (Path(__file__).parent / "effective_features.tsv").read_text("utf-8").splitlines()
]
HEAD = '[package]\nname = "probe"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'


def package(root: Path, entries: str, lock: str | None = None) -> Package:
    (root / "src").mkdir(exist_ok=True)
    (root / "src/main.rs").write_text("fn main() {}\n")
    (root / "Cargo.toml").write_text(HEAD + entries)
    if lock is not None:
        (root / "Cargo.lock").write_text(lock)
    project = load([root])
    assert project.problems == []
    return project.packages[str(root)]


@pytest.mark.parametrize("row", ROWS, ids=[" ".join(r[:3]) for r in ROWS])
def test_as_cargo_resolves(row: list[str], tmp_path: Path) -> None:
    version, default, names, *cells = row
    on = "true" if default == "default" else "false"
    features = json.dumps(names.split())
    entry = f'burn = {{ version = "={version}", default-features = {on}, features = {features} }}'
    built = package(tmp_path, entry)
    found = FeatureBuilder(built.workspace).build(built, Request(), PLATFORMS[0], dev=False)
    if cells == ["refused"]:
        assert found.missing
        return
    assert found.missing == []
    expected = dict(cell.split(": ") if ": " in cell else (cell.rstrip(":"), "") for cell in cells)
    for crate_and_version, on in expected.items():
        crate, _ = crate_and_version.split(" ")
        assert found.of(crate) == frozenset(on.split()), crate_and_version
    watched = {"burn-flex", "burn-ndarray", "burn-wgpu", "burn-cuda", "burn-rocm", "burn-cpu", "burn-train"}
    assert found.crates & watched == {c.split(" ")[0] for c in expected} & watched


LLVM_ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "llvm_bundler.tsv").read_text("utf-8").splitlines()
    if not line.endswith("\trefused")
]


@pytest.mark.parametrize("row", LLVM_ROWS, ids=[" ".join(r[:2]) for r in LLVM_ROWS])
def test_llvm_is_downloaded_where_cargo_builds_the_bundler(row: list[str], tmp_path: Path) -> None:
    version, feature, bundler = row
    built = package(tmp_path, f'burn = {{ version = "={version}", features = ["{feature}"] }}')
    found = FeatureBuilder(built.workspace).build(built, Request(), PLATFORMS[0], dev=False)
    assert bool(found.crates & {"cubecl-llvm", "tracel-llvm"}) == (bundler != "none")


LOCK = """
version = 4
[[package]]
name = "burn"
version = "{burn}"
source = "registry+https://example.org/index"
dependencies = ["burn-core"]
[[package]]
name = "burn-core"
version = "{burn}"
source = "registry+https://example.org/index"
[[package]]
name = "probe"
version = "0.0.0"
dependencies = ["burn"]
"""


@pytest.mark.parametrize(
    ("entry", "lock", "versions", "origin"),
    [
        ('burn = "0.22"', None, ["0.22.0", "0.22.1"], "requirement"),
        ('burn = "=0.22.0"', None, ["0.22.0"], "requirement"),
        ('burn = "0.22"', "0.22.0", ["0.22.0"], "lock"),
        ('burn = "0.22"', "0.21.0", ["0.22.0", "0.22.1"], "requirement"),
        ('burn = ">=0.20, <0.22"', None, ["0.20.0", "0.20.1", "0.21.0"], "requirement"),
        ('burn = "~0.19.0"', None, ["0.19.0", "0.19.1"], "requirement"),
        ('burn = "7"', None, [str(releases().versions("burn")[-1])], "newer"),
        ('burn = "0.0.1"', None, [], "unknown"),
        ('burn = { git = "https://example.org/burn" }', None, [], "unknown"),
        ('burn = { git = "https://example.org/burn", tag = "v0.21.0" }', None, ["0.21.0"], "tag"),
        ('burn = { git = "https://example.org/burn", version = "0.21" }', None, ["0.21.0"], "requirement"),
        ('fire = { package = "burn", version = "0.21" }', None, ["0.21.0"], "requirement"),
        ('burn = "0.22"\n[dev-dependencies]\nburn = "=0.22.1"', None, ["0.22.1"], "requirement"),
        ("[target.'cfg(unix)'.dependencies]\nburn = \"0.21\"", None, ["0.21.0"], "requirement"),
    ],
)
def test_versions(entry: str, lock: str | None, versions: list[str], origin: str, tmp_path: Path) -> None:
    found = versions_of(package(tmp_path, entry, LOCK.format(burn=lock) if lock else None))
    assert found is not None
    assert ([str(v) for v in found.all], found.origin) == (versions, origin)


def test_versions_of_the_family(tmp_path: Path) -> None:
    probe = package(tmp_path, 'burn-core = "0.21"\nburn-nn = "0.20"\nserde = "1"')
    assert versions_of(probe) is None
    assert versions_of(probe, "burn-nn").all == (Version(0, 20, 0), Version(0, 20, 1))  # type: ignore[union-attr]
    assert burn_versions(probe).newest == Version(0, 21, 0)  # type: ignore[union-attr]
    assert burn_versions(package(tmp_path, 'serde = "1"')) is None
    option = Version(0, 19, 0)
    assert burn_versions(package(tmp_path, ""), option).all == (option,)  # type: ignore[union-attr]


def test_git_version_from_lock(tmp_path: Path) -> None:
    source = "git+https://example.org/burn?branch=main#0123456789abcdef"
    lock = LOCK.format(burn="0.22.0-pre.2").replace("registry+https://example.org/index", source)
    probe = package(tmp_path, 'burn = { git = "https://example.org/burn", branch = "main" }', lock)
    assert versions_of(probe).one == Version(0, 22, 0, "pre.2")  # type: ignore[union-attr]


def test_list_of_releases_is_whole() -> None:
    known = [v for v in releases().versions("burn") if not v.pre and v >= Version(0, 13, 0)]
    assert [str(v) for v in known] == list(RELEASED)


def test_every_release_of_burns_crates_is_followed() -> None:
    """Also one that no release of burn asks for, such as a pre-release of a back end: a manifest may name it."""
    known = releases()
    numbered = [name for name in known.crates if name == "burn" or name.startswith("burn-")]
    assert len(numbered) > 30
    since = [(name, v) for name in numbered for v in known.versions(name) if v >= Version(0, 13, 0)]
    assert [(name, str(v)) for name, v in since if known.get(name, v) is None] == []
