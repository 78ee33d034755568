"""The Cargo model judged by Cargo: generated workspaces, read and resolved by both."""

from __future__ import annotations

import json
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import pytest
from generated_workspaces import Generator
from test_semver import MATCHES, REFUSED
from workspaces_with_others import write_registry, write_workspace

from burnlint.burn.others import Others
from burnlint.cargo.features import Request, Resolution, resolve
from burnlint.cargo.graph import LocalGraph
from burnlint.cargo.model import Package, Workspace
from burnlint.cargo.platform import Platform
from burnlint.cargo.semver import Version
from burnlint.cargo.workspace import load
from tools.cargo_judge import HOST, Cargo, Compared, Row, compare_features, described, told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("cargo") is None, reason="NO CARGO: the Cargo model is not compared with Cargo"
    ),
]

WORKSPACES = 240
WITH_OTHERS = 24
BATCH = 24
TARGETS = (HOST, "x86_64-pc-windows-msvc", "wasm32-unknown-unknown")


def tree(cwd: Path, *arguments: str) -> set[tuple[str, frozenset[str]]]:
    return {(name, features) for name, _, features in Cargo(cwd).tree(*arguments)}


def ours(resolution: Resolution, workspace: Workspace) -> set[tuple[str, frozenset[str]]]:
    assert resolution.missing == []
    names = {root: package.name for root, package in workspace.local.items()}
    return {(names[str(node)], frozenset(on)) for (node, _), on in resolution.activated.items()}


def compare(seed: int, root: Path) -> None:
    Generator(seed).write(root)
    metadata = json.loads(Cargo(root)("metadata", "--format-version", "1"))
    project = load([root])
    assert project.problems == [], seed
    [workspace] = [w for w in project.workspaces if w.root == str(root)]
    by_id = {p["id"]: p for p in metadata["packages"]}
    for package in metadata["packages"]:
        mine = workspace.local[str(Path(package["manifest_path"]).parent)]
        assert described(mine) == told(package), (seed, package["name"])
    assert sorted(m.name for m in workspace.members) == sorted(
        by_id[i]["name"] for i in metadata["workspace_members"]
    )
    defaults = sorted(by_id[i]["name"] for i in metadata["workspace_default_members"])
    assert sorted(m.name for m in workspace.default_members) == defaults
    compare_builds(seed, root, workspace)


def compare_builds(seed: int, root: Path, workspace: Workspace) -> None:
    graph = LocalGraph(workspace)
    # A procedural macro that is selected itself is built for host and target; `cargo tree` shows one of them.
    nodes = [graph.node(m) for m in workspace.members if not m.proc_macro]
    selected = [word for n in nodes for word in ("--package", n.package.name)]
    target = TARGETS[seed % len(TARGETS)]
    platforms, host = [Platform.of(target)], Platform.of(HOST)
    for dev, edges in ((False, "normal,build"), (True, "normal,build,dev")):
        mine = resolve(
            [(n, Request()) for n in nodes], workspace.resolver, platforms=platforms, host=host, dev=dev
        )
        theirs = tree(root, *selected, "--target", target, "--edges", edges)
        check(mine, workspace, theirs, (seed, "workspace", dev))
    node = nodes[seed % len(nodes)]
    chosen = tuple(sorted(node.features))[: seed % 4]
    requests = {
        "default": (Request(), []),
        "none": (Request(default=False), ["--no-default-features"]),
        "all": (Request(all=True), ["--all-features"]),
        "some": (Request(chosen, default=False), ["--no-default-features", "--features", ",".join(chosen)]),
    }
    cwd = Path(node.package.root)
    for name, (request, flags) in requests.items():
        mine = resolve([(node, request)], workspace.resolver, platforms=platforms, host=host)
        theirs = tree(
            cwd, "--package", node.package.name, "--target", target, "--edges", "normal,build", *flags
        )
        check(mine, workspace, theirs, (seed, node.package.name, name))
    mine = resolve([(node, Request())], workspace.resolver, host=host)
    theirs = tree(cwd, "--package", node.package.name, "--target", "all", "--edges", "normal,build")
    check(mine, workspace, theirs, (seed, node.package.name, "all targets"))


def check(
    mine: Resolution, workspace: Workspace, theirs: set[tuple[str, frozenset[str]]], where: tuple[object, ...]
) -> None:
    both = ours(mine, workspace)
    difference = (both - theirs, theirs - both)
    assert difference == (set(), set()), (where, difference)


@pytest.mark.parametrize("first", range(0, WORKSPACES, BATCH))
def test_generated_workspaces(first: int, tmp_path: Path) -> None:
    def one(seed: int) -> None:
        root = tmp_path / str(seed)
        root.mkdir()
        compare(seed, root)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, range(first, first + BATCH)))


class Remembering(Cargo):
    """Cargo that is asked for a tree once."""

    @cached_property
    def _trees(self) -> dict[tuple[str, ...], set[Row]]:
        return {}

    def tree(self, *arguments: str) -> set[Row]:
        if arguments not in self._trees:
            self._trees[arguments] = super().tree(*arguments)
        return self._trees[arguments]


class Nobody(Others):
    """As if no package of other people could turn anything on."""

    def shared_in(self, package: Package) -> frozenset[tuple[str, Version]]:
        return frozenset()


def test_burn_shared_with_other_people(tmp_path: Path) -> None:
    """Where others depend on burn too, Cargo has at least what is found, and the same of everything else."""
    write_registry(tmp_path / "registry")

    def one(seed: int) -> tuple[int, Compared, Compared]:
        root = tmp_path / str(seed)
        write_workspace(seed, root, tmp_path / "registry")
        Cargo(root)("generate-lockfile")
        [workspace] = load([root]).workspaces
        cargo = Remembering(root)
        return seed, compare_features(workspace, cargo), compare_features(workspace, cargo, Nobody(workspace))

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(one, range(WITH_OTHERS)))
    assert [(seed, each.differences) for seed, each, _ in found if each.differences] == []
    # Both happen, and what others turn on would be a difference.
    assert sum(each.at_least == 0 for _, each, _ in found) > WITH_OTHERS // 8
    assert all(each.equal > 0 for _, each, _ in found)
    assert sum(bool(strict.differences) for _, _, strict in found) > WITH_OTHERS // 4


def accepted(requirement: str, version: str, root: Path) -> bool:
    """Whether Cargo takes a package of that version for the requirement."""
    if not root.exists():
        for folder in (root, root / "dependency"):
            (folder / "src").mkdir(parents=True)
            (folder / "src/lib.rs").write_text("")
    head = '[package]\nname = "{}"\nversion = "{}"\nedition = "2021"\n'
    (root / "dependency/Cargo.toml").write_text(head.format("dependency", version))
    entry = (
        f'[dependencies]\ndependency = {{ path = "dependency", version = "{requirement}" }}\n[workspace]\n'
    )
    (root / "Cargo.toml").write_text(head.format("user", "1.0.0") + entry)
    (root / "Cargo.lock").unlink(missing_ok=True)
    command = ["cargo", "metadata", "--offline", "--format-version", "1"]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    expected = (
        "failed to select a version",
        "failed to parse",
        "candidate versions found which didn't match",
    )
    assert done.returncode == 0 or any(words in done.stderr for words in expected), done.stderr
    return done.returncode == 0


def test_requirements(tmp_path: Path) -> None:
    rows = [(text, version, True) for text, fitting, _ in MATCHES for version in fitting]
    rows += [(text, version, False) for text, _, others in MATCHES for version in others]
    rows += [(text, "1.0.0", False) for text in REFUSED]
    told_otherwise = [(t, v) for t, v, fits in rows if accepted(t, v, tmp_path / "user") is not fits]
    assert told_otherwise == []
