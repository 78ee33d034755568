"""Which packages a path leads to: workspaces of every shape, each also asked of Cargo where it is there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from burnlint.cargo.workspace import load

PACKAGE = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2021"\n'


def write(root: Path, files: dict[str, str]) -> None:
    """Files by path; a value without `[` is a package of that name, with a library."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("Cargo.toml") and "[" not in text:
            text = PACKAGE.format(text)
        target.write_text(text)
        if path.endswith("Cargo.toml") and "[package]" in text:
            (target.parent / "src").mkdir(exist_ok=True)
            (target.parent / "src/lib.rs").touch()


CASES: dict[str, tuple[dict[str, str], str, list[str]]] = {
    # files, the manifest asked about, the members of its workspace by folder
    "alone": ({"Cargo.toml": "a"}, "Cargo.toml", ["."]),
    "virtual": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "nested/*"]\n',
            "a/Cargo.toml": "a",
            "nested/b/Cargo.toml": "b",
        },
        "nested/b/Cargo.toml",
        ["a", "nested/b"],
    ),
    "root package and path dependencies": (
        {
            "Cargo.toml": PACKAGE.format("top") + '[dependencies]\na = { path = "a" }\n[workspace]\n',
            "a/Cargo.toml": PACKAGE.format("a")
            + '[target."cfg(unix)".build-dependencies]\nb = { path = "../b" }\n',
            "b/Cargo.toml": "b",
            "c/Cargo.toml": PACKAGE.format("c") + "[workspace]\n",
        },
        "b/Cargo.toml",
        [".", "a", "b"],
    ),
    "excluded": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a"]\nexclude = ["old"]\n',
            "a/Cargo.toml": PACKAGE.format("a") + '[dependencies]\nc = { path = "../old/c" }\n',
            "old/c/Cargo.toml": "c",
        },
        "old/c/Cargo.toml",
        ["old/c"],
    ),
    "a member below an excluded folder": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["old/keep"]\nexclude = ["old"]\n',
            "old/keep/Cargo.toml": "keep",
            "old/drop/Cargo.toml": "drop",
        },
        "old/keep/Cargo.toml",
        ["old/keep"],
    ),
    "a workspace below another": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a"]\nexclude = ["inner"]\n',
            "a/Cargo.toml": "a",
            "inner/Cargo.toml": '[workspace]\nmembers = ["x"]\n',
            "inner/x/Cargo.toml": "x",
        },
        "inner/x/Cargo.toml",
        ["inner/x"],
    ),
    "a pointer to the root": (
        {
            "root/Cargo.toml": '[workspace]\nmembers = ["../side"]\n',
            "side/Cargo.toml": PACKAGE.format("side") + 'workspace = "../root"\n',
        },
        "side/Cargo.toml",
        ["side"],
    ),
    "a path dependency outside of the root": (
        {
            "root/Cargo.toml": PACKAGE.format("top")
            + '[dependencies]\nside = { path = "../side" }\n[workspace]\n',
            "side/Cargo.toml": "side",
        },
        "root/Cargo.toml",
        ["root"],
    ),
    "globs": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/**/lib-?", "tools/[!x]*"]\n',
            "crates/deep/down/lib-a/Cargo.toml": "lib-a",
            "crates/lib-b/Cargo.toml": "lib-b",
            "crates/lib-long/Cargo.toml": PACKAGE.format("long") + "[workspace]\n",
            "tools/one/Cargo.toml": "one",
            "tools/x/Cargo.toml": PACKAGE.format("x") + "[workspace]\n",
        },
        "crates/lib-b/Cargo.toml",
        ["crates/deep/down/lib-a", "crates/lib-b", "tools/one"],
    ),
    "dev-dependencies close a cycle": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
            "a/Cargo.toml": PACKAGE.format("a") + '[dev-dependencies]\nb = { path = "../b" }\n',
            "b/Cargo.toml": PACKAGE.format("b") + '[dependencies]\na = { path = "../a" }\n',
        },
        "a/Cargo.toml",
        ["a", "b"],
    ),
    "inherited path": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["a"]\n[workspace.dependencies]\nb = { path = "lib/b" }\n',
            "a/Cargo.toml": PACKAGE.format("a") + "[dependencies]\nb.workspace = true\n",
            "lib/b/Cargo.toml": "b",
        },
        "a/Cargo.toml",
        ["a", "lib/b"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_members(name: str, tmp_path: Path) -> None:
    files, asked, expected = CASES[name]
    write(tmp_path, files)
    project = load([tmp_path / asked])
    assert project.problems == []
    package = project.packages[str((tmp_path / asked).parent)]
    found = [Path(m.root).relative_to(tmp_path).as_posix() for m in package.workspace.members]
    assert found == expected


@pytest.mark.parametrize("name", CASES)
@pytest.mark.skipif(shutil.which("cargo") is None, reason="NO CARGO: workspaces are not compared with Cargo")
def test_members_as_cargo_says(name: str, tmp_path: Path) -> None:
    files, asked, expected = CASES[name]
    write(tmp_path, files)
    command = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path"]
    done = subprocess.run(
        [*command, str(tmp_path / asked)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    told = [
        Path(p["manifest_path"]).parent.relative_to(tmp_path) for p in json.loads(done.stdout)["packages"]
    ]
    assert sorted(p.as_posix() for p in told) == expected


def test_a_folder_stands_for_everything_below(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a/Cargo.toml": "a", "b/c/Cargo.toml": "c", ".hidden/Cargo.toml": "h", "b/target/x/Cargo.toml": "x"},
    )
    (tmp_path / "b/target/CACHEDIR.TAG").touch()
    project = load([tmp_path])
    assert [p.name for p in project.packages.values()] == ["a", "c"]
    assert len(project.workspaces) == 2


def test_package_of(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"Cargo.toml": PACKAGE.format("top") + '[workspace]\nmembers = ["in"]\n', "in/Cargo.toml": "inner"},
    )
    project = load([tmp_path / "in/src/lib.rs"])
    names = {
        path: project.package_of(str(tmp_path / path)) for path in ("src/lib.rs", "in/src/deep/x.rs", "in")
    }
    assert {path: p.name if p else None for path, p in names.items()} == {
        "src/lib.rs": "top",
        "in/src/deep/x.rs": "inner",
        "in": "inner",
    }
    assert project.package_of("/nowhere/at/all.rs") is None


def test_bad_manifests_are_problems_and_take_nothing_with_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["good", "broken", "gone", "stray-glob-*"]\n',
            "good/Cargo.toml": PACKAGE.format("good")
            + '[dependencies]\nburn = "not a version"\nx.workspace = true\n'
            + 'y = 3\nz = { path = "../nowhere" }\n',
            "broken/Cargo.toml": "[package\n",
            "outside/Cargo.toml": "outside",
        },
    )
    project = load([tmp_path])
    messages = {(Path(p.path).relative_to(tmp_path).as_posix(), p.message) for p in project.problems}
    [syntax] = [found for found in messages if found[0] == "broken/Cargo.toml"]
    assert "]" in syntax[1]
    assert messages - {syntax} == {
        ("Cargo.toml", "the workspace member `gone` has no manifest"),
        ("good/Cargo.toml", "`not a version` is not a version requirement"),
        ("good/Cargo.toml", "`x` is not in `[workspace.dependencies]`"),
        ("good/Cargo.toml", "the dependency `y` is neither a version nor a table"),
        ("outside/Cargo.toml", f"the workspace at `{tmp_path}` does not list this package among its members"),
    }
    assert [p.name for p in project.packages.values()] == ["good", "outside"]
    assert [d.key for d in project.packages[str(tmp_path / "good")].dependencies] == ["burn", "z"]


def test_patch_changes_where_a_dependency_comes_from(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": PACKAGE.format("top")
            + '[dependencies]\nburn = "0.22"\nold = { package = "burn", version = "0.20" }\n'
            + '[patch.crates-io]\nburn = { path = "vendor/burn" }\n',
            "vendor/burn/Cargo.toml": '[package]\nname = "burn"\nversion = "0.22.5"\nedition = "2021"\n',
        },
    )
    project = load([tmp_path])
    [workspace] = [w for w in project.workspaces if w.root == str(tmp_path)]
    new, old = project.packages[str(tmp_path)].dependencies
    assert workspace.local_package(new) is project.packages[str(tmp_path / "vendor/burn")]
    assert workspace.local_package(old) is None


def test_order_of_paths_does_not_matter(tmp_path: Path) -> None:
    files, _, _ = CASES["root package and path dependencies"]
    write(tmp_path, files)
    paths = [tmp_path / p for p in files]
    one, other = load(paths), load(reversed(paths))
    assert list(one.packages) == list(other.packages)
    assert [w.root for w in one.workspaces] == [w.root for w in other.workspaces]
    assert one.problems == other.problems


def test_an_edition_that_cargo_refuses_counts_as_the_newest(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": PACKAGE.format("a").replace("2021", "2\U0001f525024")})
    package = load([str(tmp_path / "Cargo.toml")]).packages[str(tmp_path)]
    assert [target.year for target in package.targets] == [2024]
