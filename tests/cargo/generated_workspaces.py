"""Writes random workspaces of stub crates that Cargo accepts, over everything that decides features."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

EDITIONS = ("2018", "2021", "2024")
TARGETS = (
    None,
    None,
    None,
    "cfg(unix)",
    "cfg(windows)",
    'cfg(not(target_os = "linux"))',
    'cfg(target_arch = "wasm32")',
    'cfg(any(target_os = "macos", all(unix, target_pointer_width = "64")))',
    "x86_64-unknown-linux-gnu",
)


@dataclass
class Entry:
    key: str
    crate: Crate
    kind: str
    target: str | None
    optional: bool
    default: bool | None
    features: list[str]
    inherit: bool


@dataclass
class Crate:
    index: int
    edition: str
    member: bool
    proc_macro: bool
    features: dict[str, list[str]] = field(default_factory=dict)
    implicit: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"crate-{self.index}"

    def feature_names(self) -> list[str]:
        return sorted([*self.features, *self.implicit])


class Generator:
    """One workspace from a seed. `write` puts it into a folder."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        pick = self.random
        self.edition = pick.choice(EDITIONS)
        self.resolver = pick.choice([None, "1", "2", "2", "3"])
        self.rooted = pick.random() < 0.4
        count = pick.randint(3, 7)
        self.shared: dict[str, dict[str, object]] = {}
        self.crates: list[Crate] = []
        for index in range(count):
            member = index >= count - 2 or pick.random() < 0.7
            proc_macro = index < count - 1 and pick.random() < 0.15
            edition = self.edition if pick.random() < 0.5 else pick.choice(EDITIONS)
            crate = Crate(index, edition, member, proc_macro)
            self._depend(crate)
            self._add_features(crate)
            self.crates.append(crate)
        for crate in self.crates:
            # A dev-dependency may close a cycle.
            if crate.member and pick.random() < 0.3:
                self._entry(crate, pick.choice(self.crates), "dev")
        self.root = self.crates[-1] if self.rooted else None

    def _depend(self, crate: Crate) -> None:
        for other in self.crates:
            for kind, chance in (("normal", 0.45), ("build", 0.12), ("dev", 0.15)):
                while self.random.random() < chance:
                    self._entry(crate, other, kind)
                    chance /= 4

    def _entry(self, crate: Crate, other: Crate, kind: str) -> None:
        pick = self.random
        if other is crate:
            return
        # Cargo refuses a package that depends on one crate by two names.
        key = next((e.key for e in crate.entries if e.crate is other), None)
        if key is None:
            key = f"renamed-{other.index}" if pick.random() < 0.2 else other.name
        target = pick.choice(TARGETS)
        if any(e.key == key and e.kind == kind and e.target == target for e in crate.entries):
            return
        optional = kind != "dev" and pick.random() < 0.5
        features = [f for f in other.feature_names() if pick.random() < 0.25]
        default = pick.choice([None, None, False, False, True])
        inherit = pick.random() < 0.3
        if inherit:
            shared = self.shared.setdefault(key, self._shared_entry(other, key))
            if default is False and shared["default"] is not False and crate.edition == "2024":
                default = None
        crate.entries.append(Entry(key, other, kind, target, optional, default, features, inherit))

    def _shared_entry(self, other: Crate, key: str) -> dict[str, object]:
        features = [f for f in other.feature_names() if self.random.random() < 0.2]
        return {"crate": other, "default": self.random.choice([None, False, True]), "features": features}

    def _add_features(self, crate: Crate) -> None:
        pick = self.random
        optional = sorted({e.key for e in crate.entries if e.optional})
        hidden = {key for key in optional if pick.random() < 0.4}
        own = [f"f{i}" for i in range(pick.randint(0, 4))]
        own += [key for key in hidden if pick.random() < 0.3]
        crate.implicit = {key for key in optional if key not in hidden}
        named = [*own, *sorted(crate.implicit)]
        for name in [*own, *(["default"] if pick.random() < 0.7 else [])]:
            values = [v for v in named if v != name and pick.random() < 0.25]
            if name in hidden:
                values.append(f"dep:{name}")
            for entry in crate.entries:
                if entry.kind == "dev" and pick.random() < 0.8:
                    continue
                for feature in entry.crate.feature_names():
                    if pick.random() < 0.2:
                        # Cargo refuses `?` where an entry of that key is not optional.
                        mixed = any(e.key == entry.key and not e.optional for e in crate.entries)
                        weak = "?" if entry.optional and not mixed and pick.random() < 0.6 else ""
                        values.append(f"{entry.key}{weak}/{feature}")
            crate.features[name] = list(dict.fromkeys(values))
        used = {v for values in crate.features.values() for v in values}
        for key in sorted(hidden):
            if f"dep:{key}" not in used:
                crate.features.setdefault("extra", []).append(f"dep:{key}")

    def folder(self, crate: Crate) -> str:
        if crate is self.root:
            return "."
        return f"crates/{crate.name}" if crate.member else f"outside/{crate.name}"

    def write(self, root: Path) -> None:
        for crate in self.crates:
            folder = root / self.folder(crate)
            (folder / "src").mkdir(parents=True, exist_ok=True)
            (folder / "src/lib.rs").write_text("")
            if crate.index % 3 == 0:
                (folder / "build.rs").write_text("fn main() {}\n")
            if not crate.proc_macro and crate.index % 2 == 0:
                (folder / "src/bin").mkdir(exist_ok=True)
                (folder / "src/bin/tool.rs").write_text("fn main() {}\n")
                (folder / "examples/show").mkdir(parents=True, exist_ok=True)
                (folder / "examples/show/main.rs").write_text("fn main() {}\n")
            if crate is not self.root:
                (folder / "Cargo.toml").write_text(self.manifest(crate))
        text = self.manifest(self.root) if self.root is not None else ""
        (root / "Cargo.toml").write_text(text + self.workspace_tables())

    def workspace_tables(self) -> str:
        lines = ["[workspace]", 'members = ["crates/*"]', 'exclude = ["outside"]']
        if self.resolver is not None:
            lines.append(f'resolver = "{self.resolver}"')
        lines += [
            "[workspace.package]",
            f'edition = "{self.edition}"',
            'version = "0.3.0"',
            "[workspace.dependencies]",
        ]
        for key, shared in self.shared.items():
            crate = shared["crate"]
            assert isinstance(crate, Crate)
            fields = [f'path = "{self.folder(crate)}"']
            fields += self._fields(key, crate, shared["default"], shared["features"])
            lines.append(f"{key} = {{ {', '.join(fields)} }}")
        return "\n".join(lines) + "\n"

    @staticmethod
    def _fields(key: str, crate: Crate, default: object, features: object) -> list[str]:
        fields = []
        if key != crate.name:
            fields.append(f'package = "{crate.name}"')
        if default is not None:
            fields.append(f"default-features = {str(default).lower()}")
        if features:
            fields.append(f"features = {json.dumps(features)}")
        return fields

    def manifest(self, crate: Crate) -> str:
        inherits = crate.member and crate.edition == self.edition
        lines = ["[package]", f'name = "{crate.name}"']
        lines += ["edition.workspace = true", "version.workspace = true"] if inherits else [
            f'edition = "{crate.edition}"', 'version = "0.3.0"']  # fmt: skip
        if crate.proc_macro:
            lines += ["[lib]", "proc-macro = true"]
        depth = "." if crate is self.root else "../.."
        for kind in ("normal", "dev", "build"):
            for target in dict.fromkeys(e.target for e in crate.entries):
                chosen = [e for e in crate.entries if e.kind == kind and e.target == target]
                if not chosen:
                    continue
                table = "dependencies" if kind == "normal" else f"{kind}-dependencies"
                lines.append(f"[target.'{target}'.{table}]" if target else f"[{table}]")
                for entry in chosen:
                    if entry.inherit and crate.member:
                        fields = ["workspace = true"]
                        fields += self._fields(entry.crate.name, entry.crate, entry.default, entry.features)
                    else:
                        fields = [f'path = "{depth}/{self.folder(entry.crate)}"']
                        fields += self._fields(entry.key, entry.crate, entry.default, entry.features)
                    if entry.optional:
                        fields.append("optional = true")
                    lines.append(f"{entry.key} = {{ {', '.join(fields)} }}")
        lines.append("[features]")
        lines += [f'"{name}" = {json.dumps(values)}' for name, values in crate.features.items()]
        return "\n".join(lines) + "\n"
