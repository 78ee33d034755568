"""Writes random workspaces that share burn with other people's packages: the crates of the registry are stubs with the
features and dependencies that burn's releases have."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from burnlint.burn.releases import PROC_MACROS, Release, releases
from burnlint.cargo.semver import Requirement

BURNS = ("0.18.0", "0.21.0", "0.22.1")
CRATES = ("burn", "burn-core", "burn-tensor", "burn-ndarray", "burn-wgpu", "burn-train")
HELPERS = 10


@dataclass(frozen=True)
class Entry:
    """One dependency, with its fields as in a manifest."""

    key: str
    fields: Mapping[str, object]
    kind: str = "normal"
    target: str | None = None


def write_registry(folder: Path) -> None:
    """Every crate that one of `BURNS` may be built with, and helpers of other people that depend on some of them."""
    unknown: dict[str, set[str]] = {}
    for release in _with_dependencies(_release(name, burn) for burn in BURNS for name in CRATES):
        entries = list(_entries_of(release, unknown))
        _write(
            folder / f"{release.name}-{release.version}",
            str(release.version),
            release.name,
            entries,
            release.features,
        )
    for name, features in unknown.items():
        _write(folder / name, "1.0.0", name, [], dict.fromkeys(sorted(features), ()))
    pick = random.Random(0)
    for index in range(HELPERS):
        entries = [_entry(pick, pick.choice(BURNS)) for _ in range(pick.randint(0, 2))]
        if index and pick.random() < 0.4:
            entries.append(Entry(f"helper-{pick.randrange(index)}", {"version": "1"}))
        _write(folder / f"helper-{index}", "1.0.0", f"helper-{index}", entries, {})
    for package in folder.iterdir():
        (package / ".cargo-checksum.json").write_text('{"files": {}}')


def write_workspace(seed: int, root: Path, registry: Path) -> None:
    """A workspace whose members take crates of burn's and helpers from that registry."""
    pick = random.Random(seed)
    members = [f"member-{index}" for index in range(pick.randint(1, 3))]
    for index, name in enumerate(members):
        burn = pick.choice(BURNS)
        entries = [_entry(pick, burn) for _ in range(pick.randint(1, 2))]
        own = entries[0].key
        for helper in pick.sample(range(HELPERS), pick.randint(0, 2)):
            kind = pick.choice(("normal", "normal", "build", "dev"))
            entries.append(Entry(f"helper-{helper}", {"version": "1"}, kind))
        if index and pick.random() < 0.4:
            entries.append(Entry("member-0", {"path": "../member-0"}))
        std = [f"{own}/std"] if "std" in _release(own, burn).features else []
        _write(root / name, "0.1.0", name, entries, {"default": (), "extra": std})
    resolver = pick.choice("123")
    (root / "Cargo.toml").write_text(
        f'[workspace]\nresolver = "{resolver}"\nmembers = {json.dumps(members)}\n'
    )
    (root / ".cargo").mkdir()
    (root / ".cargo/config.toml").write_text(
        '[source.crates-io]\nreplace-with = "stubs"\n'
        f"[source.stubs]\ndirectory = {json.dumps(str(registry))}\n"
    )


def _release(name: str, burn: str) -> Release:
    """A crate of burn's in the release of that number."""
    found = _newest(name, Requirement.parse(f"={burn}"))
    assert found is not None
    return found


def _newest(name: str, requirement: Requirement) -> Release | None:
    version = releases().newest(name, requirement)
    return releases().get(name, version) if version is not None else None


def _with_dependencies(roots: Iterable[Release]) -> list[Release]:
    found = {(release.name, release.version): release for release in roots}
    pending = list(found.values())
    while pending:
        for dependency in pending.pop().dependencies:
            taken = _newest(dependency.name, dependency.requirement)
            if taken is not None and (taken.name, taken.version) not in found:
                found[taken.name, taken.version] = taken
                pending.append(taken)
    return list(found.values())


def _entries_of(release: Release, unknown: dict[str, set[str]]) -> Iterator[Entry]:
    """The entries of a stub; notes in `unknown` which features are asked of crates that nobody knows."""
    for dependency in release.dependencies:
        taken = _newest(dependency.name, dependency.requirement)
        if taken is None:
            unknown.setdefault(dependency.name, set()).update(dependency.features)
        fields = {
            "package": dependency.name,
            "version": f"={taken.version}" if taken is not None else "*",
            "optional": dependency.optional,
            "default-features": dependency.default_features,
            "features": dependency.features,
        }
        yield Entry(dependency.key, fields, dependency.kind, dependency.target)


def _entry(pick: random.Random, burn: str) -> Entry:
    """A random entry of a crate of burn's."""
    name = pick.choice(("burn", *CRATES))
    features = [f for f in sorted(_release(name, burn).features) if f != "default" and pick.random() < 0.06]
    fields = {"version": f"={burn}", "default-features": pick.random() < 0.3, "features": features}
    return Entry(name, fields, "build" if pick.random() < 0.15 else "normal")


def _write(
    folder: Path, version: str, name: str, entries: Iterable[Entry], features: Mapping[str, Iterable[str]]
) -> None:
    (folder / "src").mkdir(parents=True)
    (folder / "src/lib.rs").touch()
    lines = ["[package]", f'name = "{name}"', f'version = "{version}"', 'edition = "2021"']
    if name in PROC_MACROS:
        lines += ["[lib]", "proc-macro = true"]
    for entry in {(each.key, each.kind, each.target): each for each in entries}.values():
        table = "dependencies" if entry.kind == "normal" else f"{entry.kind}-dependencies"
        where = f"target.'{entry.target}'.{table}" if entry.target is not None else table
        lines.append(f"[{where}.{entry.key}]")
        lines += [f"{field} = {json.dumps(value)}" for field, value in entry.fields.items()]
    lines.append("[features]")
    lines += [f"{feature} = {json.dumps(list(values))}" for feature, values in features.items()]
    (folder / "Cargo.toml").write_text("\n".join(lines) + "\n")
