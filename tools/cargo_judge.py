"""Judge the Cargo model by Cargo, on real workspaces: `python -m tools.cargo_judge FOLDER … [--offline]`.

Each FOLDER is a checkout. Its manifests, sources and lock files are copied, so that Cargo writes nothing into it.
For every workspace in the copy burnlint and Cargo are compared in two steps:

- `cargo metadata --no-deps`: members, default members, and of each member the dependencies, features and targets;
- `cargo tree`, if Cargo can resolve the workspace: for each member with default features, without and with all of
  them, with and without dev-dependencies, and for the default members together, which features are on in each
  package of the workspace and in each of burn's crates. Other crates, and releases from before 0.13, do not count.

Prints one line per workspace and each difference, and exits with 1 if there is one. What Cargo refuses is listed with
its reason. burnlint does not read other people's crates: a release of burn's that one of them depends on too has at
least the features that burnlint sees, and rules are told so. There a row is a difference where Cargo's has less; the
summary counts these rows ("at least") apart from those that must be equal.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnlint.burn.family import is_family_name
from burnlint.burn.features import FeatureBuilder, ReleaseGraph, ReleaseNode
from burnlint.burn.others import Others
from burnlint.burn.releases import releases
from burnlint.cargo.features import Node, Request, resolve
from burnlint.cargo.graph import LocalGraph, LocalNode
from burnlint.cargo.model import Package, Workspace
from burnlint.cargo.platform import Platform
from burnlint.cargo.semver import Version
from burnlint.cargo.workspace import load

HOST = "x86_64-unknown-linux-gnu"
Row = tuple[str, str, frozenset[str]]
"""A package in a build: name, version, features."""

_COPIED = re.compile(r".*\.(?:rs|toml)|Cargo\.lock|config")
_SKIPPED = frozenset({".git", "target", "node_modules"})
_TOOLCHAIN = frozenset({"rust-toolchain", "rust-toolchain.toml"})
_REASONS = re.compile(
    r"^\s*(?:error: )?(failed to .*|no matching .*|unable to .*|the lock file .*|.*not found.*)$", re.M
)
REQUESTS: dict[str, tuple[Request, tuple[str, ...]]] = {
    "default features": (Request(), ()),
    "no default features": (Request(default=False), ("--no-default-features",)),
    "all features": (Request(all=True), ("--all-features",)),
}


Shared = Collection[tuple[str, Version]]
"""Releases of which a package of other people may turn features on."""


class Refused(Exception):
    """Cargo does not resolve it; the message is its reason."""


@dataclass
class Cargo:
    """Cargo in one folder."""

    folder: Path
    offline: bool = True

    def __call__(self, *arguments: str) -> str:
        """What it prints. Raises `Refused`."""
        command = ["cargo", *arguments, *(["--offline"] if self.offline else [])]
        done = subprocess.run(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Refused(done.stderr.strip())
        return done.stdout

    def tree(self, *arguments: str) -> set[Row]:
        """Packages with their features, as `cargo tree` lists them; a package built twice is there twice."""
        lines = self("tree", "--prefix", "none", "--format", "{p}|{f}|", *arguments).splitlines()
        found = set()
        for line in lines:
            if "|" in line:
                package, features, _ = line.split("|")
                name, version = package.split()[:2]
                found.add((name, version.removeprefix("v"), frozenset(features.split(",")) - {""}))
        return found


def described(package: Package) -> dict[str, Any]:
    """A package of ours in the words of `cargo metadata`."""
    return {
        "name": package.name,
        "version": str(package.version),
        "edition": package.edition,
        "features": {name: sorted(r.text for r in refs) for name, refs in package.features.items()},
        "dependencies": _in_order(
            (
                d.name,
                d.crate if d.key != d.name else None,
                d.kind,
                d.target,
                d.optional,
                d.default_features,
                tuple(sorted(r.text for r in d.features)),
                d.source.path,
                _requirement(str(d.requirement) if d.requirement else "*"),
            )
            for d in package.dependencies
        ),
        "targets": sorted(
            (t.kind, t.name, t.path, tuple(sorted(t.required_features))) for t in package.targets
        ),
    }


def told(package: dict[str, Any]) -> dict[str, Any]:
    """The same of a package of `cargo metadata`."""
    return {
        "name": package["name"],
        "version": package["version"],
        "edition": package["edition"],
        "features": {name: sorted(values) for name, values in package["features"].items()},
        "dependencies": _in_order(
            (
                d["name"],
                d["rename"].replace("-", "_") if d["rename"] not in (None, d["name"]) else None,
                d["kind"] or "normal",
                d["target"],
                d["optional"],
                d["uses_default_features"],
                tuple(sorted(d["features"])),
                d.get("path"),
                _requirement(d["req"]),
            )
            for d in package["dependencies"]
        ),
        "targets": sorted(
            (_kind(t["kind"]), t["name"], t["src_path"], tuple(sorted(t.get("required-features", ()))))
            for t in package["targets"]
        ),
    }


def _requirement(text: str) -> str:
    """One spelling: Cargo writes `^1.2` for `1.2` and drops blanks; what it means is another test's matter."""
    parts = [re.sub(r"\s+", "", part) for part in text.split(",")]
    return ", ".join("^" + part if re.fullmatch(r"\d[^*]*", part) else part for part in parts)


def _in_order(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return sorted(rows, key=repr)


def _kind(kinds: list[str]) -> str:
    kind = kinds[0]
    if kind in ("bin", "example", "test", "bench"):
        return kind
    return "build" if kind == "custom-build" else "lib"


def model_differences(workspace: Workspace, cargo: Cargo) -> Iterator[str]:
    """Where the members, or what their manifests say, differ from `cargo metadata --no-deps`. Raises `Refused`."""
    metadata = json.loads(cargo("metadata", "--no-deps", "--format-version", "1"))
    theirs = {str(Path(p["manifest_path"]).parent): p for p in metadata["packages"]}
    mine = {member.root: member for member in workspace.members}
    if set(theirs) != set(mine):
        yield f"members: {sorted(set(theirs) ^ set(mine))}"
    ids = set(metadata["workspace_default_members"])
    defaults = {root for root, package in theirs.items() if package["id"] in ids}
    if defaults != {member.root for member in workspace.default_members}:
        yield f"default members: {sorted(defaults ^ {m.root for m in workspace.default_members})}"
    for root in sorted(set(theirs) & set(mine)):
        ours, cargos = described(mine[root]), told(theirs[root])
        for aspect in ours:
            if ours[aspect] != cargos[aspect]:
                yield f"{mine[root].name}: {aspect}: {_apart(ours[aspect], cargos[aspect])}"


def _apart(ours: Any, cargos: Any) -> str:
    if isinstance(ours, list):
        return f"only ours {[x for x in ours if x not in cargos]}, only Cargo's {[x for x in cargos if x not in ours]}"
    return f"ours {ours}, Cargo's {cargos}"


@dataclass
class Compared:
    """What was compared with `cargo tree`, and where it differs."""

    requests: int = 0
    equal: int = 0
    """Packages of a build whose features must be the same."""
    at_least: int = 0
    """Those that other people's packages may add features to, or bring into the build."""
    differences: list[str] = field(default_factory=list)

    def add(self, where: str, mine: set[Row], theirs: set[Row], shared: Shared) -> None:
        """Compares one build; of rows outside of `shared` all must be equal."""
        self.requests += 1
        added_to = {row for row in theirs if _in(row, shared)}
        self.at_least += len(added_to)
        self.equal += len(theirs - added_to)
        less = {row for row in mine if _in(row, shared) and not _has_at_least(theirs, row)}
        ours = {row for row in mine if not _in(row, shared)} | less
        cargos = theirs - added_to
        self.differences += [f"{where}: only ours: {_shown(row)}" for row in sorted(ours - cargos, key=repr)]
        self.differences += [
            f"{where}: only Cargo's: {_shown(row)}" for row in sorted(cargos - ours, key=repr)
        ]


def _in(row: Row, shared: Shared) -> bool:
    return bool(shared) and (row[0], Version.parse(row[1])) in shared


def _has_at_least(rows: set[Row], row: Row) -> bool:
    return any(each[:2] == row[:2] and each[2] >= row[2] for each in rows)


def compare_features(workspace: Workspace, cargo: Cargo, others: Others | None = None) -> Compared:
    """Compares the features of builds with `cargo tree`. Raises `Refused`."""
    graph = LocalGraph(workspace, ReleaseGraph(workspace).external)
    builder = FeatureBuilder(workspace)
    others = others or Others(workspace)
    compared = Compared()
    # A procedural macro that is selected itself is built for host and target; `cargo tree` shows one of them.
    members = [member for member in workspace.members if not member.proc_macro]
    for member in members:
        shared = others.shared_in(member)
        for title, (request, flags) in REQUESTS.items():
            for dev in (False, True):
                where = f"{member.name}, {title}{', dev' if dev else ''}"
                theirs = cargo.tree("--package", _spec(member), *_arguments(dev), *flags)
                mine = _resolved(workspace, [(graph.node(member), request)], dev)
                compared.add(where, _that_count(workspace, mine), _that_count(workspace, theirs), shared)
                answers = builder.build(member, request, HOST, dev=dev)
                for crate in filter(is_family_name, answers.crates):
                    row = (crate, str(answers.version(crate)), answers.of(crate) or frozenset())
                    if row not in theirs and not (_in(row, shared) and _has_at_least(theirs, row)):
                        compared.differences.append(
                            f"{where}: rules are told {_shown(row)}, which Cargo does not build"
                        )
    nodes = [graph.node(member) for member in workspace.default_members if not member.proc_macro]
    if len(nodes) > 1:
        selected = [word for node in nodes for word in ("--package", _spec(node.package))]
        theirs = cargo.tree(*selected, *_arguments(False))
        mine = _resolved(workspace, [(node, Request()) for node in nodes], False)
        shared = frozenset().union(*(others.shared_in(node.package) for node in nodes))
        compared.add("default members", _that_count(workspace, mine), _that_count(workspace, theirs), shared)
    return compared


def _arguments(dev: bool) -> tuple[str, ...]:
    return "--target", HOST, "--edges", "normal,build,dev" if dev else "normal,build"


def _spec(package: Package) -> str:
    return f"{package.name}@{package.version}"


def _resolved(workspace: Workspace, selection: Sequence[tuple[LocalNode, Request]], dev: bool) -> set[Row]:
    platform = Platform.of(HOST)
    resolution = resolve(selection, workspace.resolver, platforms=[platform], host=platform, dev=dev)
    nodes = _nodes([node for node, _ in selection])
    return {
        (*_named(nodes[id]), frozenset(on)) for (id, _), on in resolution.activated.items() if id in nodes
    } | {("?", str(each.package), frozenset({each.feature})) for each in resolution.missing}


def _nodes(selected: Sequence[Node]) -> dict[object, Node]:
    """All nodes that these lead to, by id, but for packages whose features nobody knows."""
    found: dict[object, Node] = {}
    pending = list(selected)
    while pending:
        node = pending.pop()
        if node.id not in found:
            found[node.id] = node
            pending += [edge.to for edge in node.edges if isinstance(edge.to, LocalNode | ReleaseNode)]
    return found


def _named(node: Node) -> tuple[str, str]:
    if isinstance(node, ReleaseNode):
        return node.release.name, str(node.release.version)
    assert isinstance(node, LocalNode)
    return node.package.name, str(node.package.version)


def _that_count(workspace: Workspace, rows: set[Row]) -> set[Row]:
    local = {package.name for package in workspace.local.values()}
    return {row for row in rows if row[0] in local or row[0] == "?" or _is_known(row)}


def _is_known(row: Row) -> bool:
    """Whether it is a release of burn's whose features the data has, or one that came out later."""
    name, version, _ = row
    known = releases().versions(name) if is_family_name(name) else []
    older = [each for each in known if each <= Version.parse(version)]
    return bool(older) and releases().get(name, older[-1]) is not None


def _shown(row: Row) -> str:
    name, version, features = row
    return f"{name} {version} [{' '.join(sorted(features))}]"


def copy(checkout: Path, to: Path) -> None:
    """What Cargo reads of a checkout, without what names a toolchain."""

    def others(folder: str, names: list[str]) -> set[str]:
        kept = {
            name
            for name in names
            if name not in _SKIPPED | _TOOLCHAIN and (_COPIED.fullmatch(name) or Path(folder, name).is_dir())
        }
        return set(names) - kept

    shutil.copytree(checkout, to, ignore=others, symlinks=True, ignore_dangling_symlinks=True)


def judge(checkout: Path, scratch: Path, offline: bool) -> Iterator[tuple[str, str, Compared]]:
    """For each workspace of a checkout: its folder, what Cargo could do (`resolved`, `not resolved` or `refused`, with
    its reason), and what came of the comparison."""
    root = scratch / checkout.name
    copy(checkout, root)
    for folder in [workspace.root for workspace in load([root]).workspaces]:
        cargo = Cargo(Path(folder), offline=True)
        shown = (checkout.name / Path(folder).relative_to(root)).as_posix()
        try:
            differences = list(model_differences(_workspace(folder), cargo))
        except Refused as refused:
            yield shown, f"refused: {_reason(refused)}", Compared()
            continue
        compared, outcome = Compared(), "resolved"
        try:
            Cargo(Path(folder), offline)(
                "tree", "--workspace", "--all-features", "--target", HOST, "--depth", "0"
            )
            # Cargo has written the lock file where there was none.
            compared = compare_features(_workspace(folder), cargo)
        except Refused as refused:
            outcome = f"not resolved: {_reason(refused)}"
        compared.differences[:0] = differences
        yield shown, outcome, compared


def _workspace(folder: str) -> Workspace:
    [workspace] = [each for each in load([folder]).workspaces if each.root == folder]
    return workspace


def _reason(refused: Refused) -> str:
    causes = [line.strip() for line in str(refused).splitlines() if _REASONS.match(line)]
    return " / ".join(dict.fromkeys([*causes[:1], *causes[-1:]]))[:300] or str(refused)[:300]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--offline", action="store_true", help="ask no registry")
    chosen = parser.parse_args()
    counts = {"resolved": 0, "not resolved": 0, "refused": 0}
    total = Compared()
    different = 0
    with tempfile.TemporaryDirectory() as scratch:
        for checkout in chosen.checkouts:
            for folder, outcome, compared in judge(checkout, Path(scratch), chosen.offline):
                print(
                    f"{folder}: {outcome}; {_counts(compared)}, {len(compared.differences)} differences",
                    flush=True,
                )
                counts[outcome.partition(":")[0]] += 1
                different += bool(compared.differences)
                total.requests += compared.requests
                total.equal += compared.equal
                total.at_least += compared.at_least
                for each in compared.differences:
                    print(f"  {each}", flush=True)
            shutil.rmtree(Path(scratch) / checkout.name, ignore_errors=True)
    outcomes = ", ".join(f"{number} {name}" for name, number in counts.items())
    print(f"{outcomes}; {_counts(total)}; {different} workspaces with differences")
    return int(different > 0)


def _counts(compared: Compared) -> str:
    return f"{compared.requests} builds, {compared.equal} rows to be equal, {compared.at_least} at least"


if __name__ == "__main__":
    sys.exit(main())
