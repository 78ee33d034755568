"""Targets of a package: the tables that name them and the files that Cargo finds by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnlint.cargo.files import Files, join
from burnlint.cargo.manifest import At, Manifest
from burnlint.cargo.model import Target, TargetKind

_FOLDERS: tuple[tuple[TargetKind, str, str], ...] = (
    ("example", "examples", "autoexamples"),
    ("test", "tests", "autotests"),
    ("bench", "benches", "autobenches"),
)


class TargetReader:
    """Finds the targets of one package."""

    def __init__(self, manifest: Manifest, root: str, name: str, edition: str, files: Files) -> None:
        self._manifest = manifest
        self._root = root
        self._name = name
        self._edition = edition
        self._files = files
        package = manifest.data.get("package", manifest.data.get("project"))
        self._package: Mapping[str, Any] = package if isinstance(package, Mapping) else {}

    def all(self) -> list[Target]:
        """The library first, then binaries, examples, tests, benches, and build scripts."""
        targets = [*self._library(), *self._binaries()]
        for kind, folder, switch in _FOLDERS:
            found = self._in_folder(folder)
            targets += self._merge(kind, found, self._package.get(switch), folder)
        return targets + self._build_scripts()

    def _library(self) -> list[Target]:
        table = self._manifest.data.get("lib")
        default = join(self._root, "src/lib.rs")
        if not isinstance(table, Mapping):
            if self._package.get("autolib") is False or not self._files.is_file(default):
                return []
            return [Target("lib", self._name.replace("-", "_"), default, (), self._edition, ("lib",))]
        at = self._manifest.at("lib")
        target = self._from_table("lib", table, at, self._name.replace("-", "_"))
        target.path = self._path(table) or default
        target.proc_macro = table.get("proc-macro", table.get("proc_macro")) is True
        target.crate_types = _strings(table.get("crate-type", table.get("crate_type")))
        target.proc_macro |= "proc-macro" in target.crate_types
        target.crate_types = target.crate_types or ("proc-macro" if target.proc_macro else "lib",)
        return [target]

    def _binaries(self) -> list[Target]:
        found = {}
        main = join(self._root, "src/main.rs")
        if self._files.is_file(main):
            found[self._name] = main
        for name, path in self._in_folder("src/bin").items():
            found.setdefault(name, path)
        return self._merge("bin", found, self._package.get("autobins"), "src/bin")

    def _in_folder(self, folder: str) -> dict[str, str]:
        """`name.rs` and `name/main.rs` below a folder."""
        found: dict[str, str] = {}
        directory = join(self._root, folder)
        for entry in self._files.entries(directory):
            path = f"{directory}/{entry.name}"
            if entry.name.endswith(".rs") and self._files.is_file(path):
                found.setdefault(entry.name[:-3], path)
            elif self._files.is_file(f"{path}/main.rs"):
                found.setdefault(entry.name, f"{path}/main.rs")
        return found

    def _merge(self, kind: TargetKind, found: dict[str, str], automatic: Any, folder: str) -> list[Target]:
        """The targets of the tables, then those of the files that no table names."""
        tables = self._manifest.data.get(kind)
        targets = []
        for index, table in enumerate(tables if isinstance(tables, list) else []):
            if not isinstance(table, Mapping) or not isinstance(name := table.get("name"), str):
                continue
            target = self._from_table(kind, table, self._manifest.at(kind, index), name)
            target.path = self._path(table) or found.get(name) or join(self._root, f"{folder}/{name}.rs")
            targets.append(target)
        if automatic is False or (automatic is None and self._edition == "2015" and targets):
            return targets
        names, paths = {t.name for t in targets}, {t.path for t in targets}
        for name, path in found.items():
            if name not in names and path not in paths:
                targets.append(Target(kind, name, path, (), self._edition, ("bin",)))
        return targets

    def _from_table(self, kind: TargetKind, table: Mapping[str, Any], at: At, name: str) -> Target:
        given = table.get("name")
        edition = table.get("edition")
        return Target(
            kind,
            given if isinstance(given, str) else name,
            "",
            _strings(table.get("required-features", table.get("required_features"))),
            edition if isinstance(edition, str) else self._edition,
            _strings(table.get("crate-type", table.get("crate_type"))) or ("bin",),
            at=at,
        )

    def _path(self, table: Mapping[str, Any]) -> str | None:
        path = table.get("path")
        return join(self._root, path) if isinstance(path, str) else None

    def _build_scripts(self) -> list[Target]:
        build = self._package.get("build")
        if build is False:
            return []
        if isinstance(build, str | list):
            paths = [
                join(self._root, p)
                for p in ([build] if isinstance(build, str) else build)
                if isinstance(p, str)
            ]
        else:
            default = join(self._root, "build.rs")
            paths = [default] if build is True or self._files.is_file(default) else []
        return [Target("build", "build-script-build", path, (), self._edition, ("bin",)) for path in paths]


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
