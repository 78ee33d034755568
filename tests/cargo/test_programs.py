"""Which programs there are, how they are built, and what turns a back end on."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnlint.burn.plan import BuildPlan
from burnlint.burn.programs import Build, Flags, for_the_web, programs, without_std
from burnlint.cargo.semver import Version
from burnlint.cargo.workspace import load

HEAD = '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n'
ENTRY = '[dependencies]\nburn = { version = "0.22", default-features = false, features = ["std"] }\n'


def plan(root: Path, manifest: str, flags: Flags | None = None, source: str = "src/main.rs") -> BuildPlan:
    (root / source).parent.mkdir(parents=True, exist_ok=True)
    (root / source).write_text("")
    (root / "Cargo.toml").write_text(HEAD + manifest)
    [workspace] = load([root]).workspaces
    return BuildPlan(workspace, None, flags)


def ways(builds: list[Build]) -> set[tuple[str, str | None, str]]:
    return {(b.platform.split("-")[1 if "apple" in b.platform else 2], b.asked, str(b.burn)) for b in builds}


def test_features_that_lead_to_burn_are_tried_one_by_one(tmp_path: Path) -> None:
    features = '[features]\ndefault = []\ngpu = ["fast"]\nfast = ["burn/wgpu"]\ndocs = []\n'
    found = plan(tmp_path, features + ENTRY).builds
    asked = {None, "--features gpu", "--features fast"}
    assert ways(found) == {("linux", a, v) for a in asked for v in ("0.22.0", "0.22.1")}
    assert {b.asked for b in found if b.has("burn-wgpu")} == asked - {None}
    plain = next(b for b in found if b.asked is None and b.burn == Version(0, 22, 1))
    fast = next(b for b in found if b.asked == "--features fast" and b.burn == Version(0, 22, 1))
    assert fast.plain is plain
    assert fast.name == "`probe` with `--features fast`"
    [origin] = fast.origins("burn-wgpu")
    assert (origin.feature, origin.local_feature, origin.entry.name) == ("wgpu", "fast", "burn")


def test_options_replace_the_tries(tmp_path: Path) -> None:
    features = '[features]\ngpu = ["burn/wgpu"]\n'
    flags = Flags(features=("gpu", "unknown"), target="aarch64-apple-ios")
    found = plan(tmp_path, features + ENTRY, flags).builds
    assert {(b.asked, b.platform, b.has("burn-wgpu")) for b in found} == {
        ("--features gpu,unknown", "aarch64-apple-ios", True)
    }
    assert all(b.has("burn-wgpu") for b in plan(tmp_path, features + ENTRY, Flags(all_features=True)).builds)
    off = plan(
        tmp_path, '[features]\ndefault = ["burn/flex"]\n' + ENTRY, Flags(default_features=False)
    ).builds
    assert not any(b.has("burn-flex") for b in off)


def test_platforms_are_told_apart_where_a_table_does(tmp_path: Path) -> None:
    table = '[target."cfg(windows)".dependencies]\nburn = { version = "=0.22.1", features = ["wgpu"] }\n'
    found = plan(tmp_path, table).builds
    assert {b.platform for b in found if b.has("burn-wgpu")} == {"x86_64-pc-windows-msvc"}
    assert len(found) == 3


def test_required_features_decide_whether_a_build_makes_a_program(tmp_path: Path) -> None:
    table = '[[bin]]\nname = "probe"\npath = "src/main.rs"\nrequired-features = ["gpu"]\n'
    found = plan(tmp_path, '[features]\ngpu = ["burn/wgpu"]\n' + table + ENTRY).builds
    assert {b.asked for b in found} == {"--features gpu"}
    assert {b.plain for b in found} == {None}


def test_programs(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/show.rs").touch()
    found = plan(tmp_path, ENTRY, source="src/lib.rs")
    assert [(p.name, p.dev) for p in programs(found.workspace)] == [("probe", True)]
    cdylib = plan(tmp_path, '[lib]\ncrate-type = ["cdylib"]\n' + ENTRY, source="src/lib.rs")
    assert [(p.name, p.dev) for p in programs(cdylib.workspace)] == [("probe", False), ("probe", True)]


def test_places_without_threads(tmp_path: Path) -> None:
    package = plan(tmp_path, ENTRY + 'wasm-bindgen = "0.2"\n').workspace.members[0]
    assert for_the_web(package)
    assert not without_std(package)
    (tmp_path / "src/main.rs").write_text('#![cfg_attr(not(feature = "std"), no_std)]\n')
    package = load([tmp_path]).packages[str(tmp_path)]
    assert without_std(package)


def test_a_package_of_others_makes_the_answer_uncertain(tmp_path: Path) -> None:
    assert all(b.certain for b in plan(tmp_path, ENTRY + 'serde = "1"\n').builds)
    assert not any(b.certain for b in plan(tmp_path, ENTRY + 'burn-contrib = "0.1"\n').builds)
    git = '[dependencies]\nburn = { git = "https://example.org/burn", version = "0.22" }\n'
    assert not any(b.certain for b in plan(tmp_path, git).builds)


def lacks_threads(build: Build, crate: str) -> list[str]:
    threads = {"burn-flex": "rayon", "burn-ndarray": "multi-threads"}[crate]
    return [threads] if build.knows(crate, threads) and not build.has(crate, threads) else []


def locked_git(root: Path, crate: str, version: str) -> BuildPlan:
    """A program that takes burn from git, without its default features, with a lock file."""
    source = 'source = "git+https://example.org/burn?branch=main#0123456789abcdef"\n'
    names = ("burn", crate)
    lock = "".join(f'[[package]]\nname = "{each}"\nversion = "{version}"\n{source}\n' for each in names)
    (root / "Cargo.lock").write_text("version = 4\n\n" + lock)
    feature = crate.removeprefix("burn-")
    entry = f'default-features = false, features = ["std", "{feature}"], git = "https://example.org/burn", branch = "main"'
    return plan(root, f"[dependencies]\nburn = {{ {entry} }}\n")


@pytest.mark.parametrize(
    ("crate", "version", "certain"),
    [
        ("burn-flex", "0.22.0-pre.1", True),
        ("burn-ndarray", "0.21.0-pre.1", True),
        # 0.18, the release before it, has no such feature, and 0.20 no Flex.
        ("burn-ndarray", "0.19.0", False),
        ("burn-flex", "0.21.0-pre.4", False),
        # Nothing came out after it.
        ("burn-flex", "0.23.0-pre.1", False),
    ],
)
def test_burn_from_git_lacks_surely_what_the_releases_around_it_lack(
    tmp_path: Path, crate: str, version: str, certain: bool
) -> None:
    found = locked_git(tmp_path, crate, version)
    assert not any(build.certain for build in found.builds)
    assert [lack.certain for lack in found.lacking(lacks_threads, (crate,))] == [certain]


def test_burn_from_git_without_a_lock_file_may_be_anything(tmp_path: Path) -> None:
    locked_git(tmp_path, "burn-flex", "0.22.0-pre.1")
    (tmp_path / "Cargo.lock").unlink()
    (tmp_path / "Cargo.toml").write_text(
        (tmp_path / "Cargo.toml").read_text().replace("burn = {", 'burn = { version = "0.22.0-pre.1",')
    )
    [workspace] = load([tmp_path]).workspaces
    found = BuildPlan(workspace)
    assert [lack.certain for lack in found.lacking(lacks_threads, ("burn-flex",))] == [False]


def test_what_others_turn_on_is_in_doubt_beside_burn_from_git(tmp_path: Path) -> None:
    locked_git(tmp_path, "burn-flex", "0.22.0-pre.1")
    manifest = (tmp_path / "Cargo.toml").read_text()
    (tmp_path / "Cargo.toml").write_text(manifest + 'burn-contrib = "0.1"\n')
    [workspace] = load([tmp_path]).workspaces
    found = BuildPlan(workspace)
    assert [lack.certain for lack in found.lacking(lacks_threads, ("burn-flex",))] == [False]
