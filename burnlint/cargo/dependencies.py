"""Dependency tables: every entry of every table of a package, with inheritance from
`[workspace.dependencies]` applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from burnlint.cargo.files import join
from burnlint.cargo.manifest import At, Manifest, Problem
from burnlint.cargo.model import Dependency, DependencyKind, FeatureRef, Source
from burnlint.cargo.semver import Requirement, VersionError

_TABLES: tuple[tuple[str, str | None, DependencyKind], ...] = (
    ("dependencies", None, "normal"),
    ("dev-dependencies", "dev_dependencies", "dev"),
    ("build-dependencies", "build_dependencies", "build"),
)


@dataclass(slots=True)
class Inherited:
    """What a workspace's root manifest offers to inherit."""

    manifest: Manifest
    root: str

    def dependency(self, key: str) -> Any:
        return self.manifest.get(("workspace", "dependencies", key))

    def package_field(self, name: str) -> Any:
        return self.manifest.get(("workspace", "package", name))


class DependencyReader:
    """Reads the dependency tables of one manifest. `problems` grows with what Cargo would refuse."""

    def __init__(self, manifest: Manifest, root: str, inherited: Inherited | None) -> None:
        self._manifest = manifest
        self._root = root
        self._inherited = inherited
        self.problems: list[Problem] = []

    def all(self) -> list[Dependency]:
        """The entries of all tables, in the order of the file within each kind."""
        found = list(self._tables(self._manifest.data, (), None))
        targets = self._manifest.data.get("target")
        if isinstance(targets, Mapping):
            for name, table in targets.items():
                if isinstance(table, Mapping):
                    found.extend(self._tables(table, ("target", name), name))
        return found

    def _tables(
        self, data: Mapping[str, Any], path: tuple[str | int, ...], target: str | None
    ) -> Iterator[Dependency]:
        for name, underscored, kind in _TABLES:
            for spelling in (name, underscored):
                table = data.get(spelling) if spelling is not None else None
                if not isinstance(table, Mapping) or spelling is None:
                    continue
                if spelling != name and name in data:
                    continue
                for key, value in table.items():
                    at = At(self._manifest, (*path, spelling, key))
                    dependency = self.entry(key, value, kind, target, at)
                    if dependency is not None:
                        yield dependency

    def entry(
        self, key: str, value: Any, kind: DependencyKind, target: str | None, at: At
    ) -> Dependency | None:
        """One entry; `None`, with a problem, where it is no dependency at all."""
        if isinstance(value, str):
            return self._plain(key, {"version": value}, kind, target, at)
        if not isinstance(value, Mapping):
            self._problem(at, f"the dependency `{key}` is neither a version nor a table")
            return None
        if value.get("workspace") is not None:
            return self._from_workspace(key, value, kind, target, at)
        return self._plain(key, value, kind, target, at)

    def _plain(
        self, key: str, value: Mapping[str, Any], kind: DependencyKind, target: str | None, at: At
    ) -> Dependency:
        default, default_at = _default_features(value, at)
        return Dependency(
            key=key,
            name=_text(value.get("package")) or key,
            kind=kind,
            target=target,
            requirement=self._requirement(value, at),
            default_features=default is not False,
            features=_features(value, at),
            optional=value.get("optional") is True,
            source=_source(value, self._root),
            at=at,
            default_features_at=default_at,
        )

    def _from_workspace(
        self, key: str, value: Mapping[str, Any], kind: DependencyKind, target: str | None, at: At
    ) -> Dependency | None:
        shared = self._inherited.dependency(key) if self._inherited is not None else None
        if self._inherited is None or shared is None:
            self._problem(at, f"`{key}` is not in `[workspace.dependencies]`")
            return None
        if isinstance(shared, str):
            shared = {"version": shared}
        if not isinstance(shared, Mapping):
            return None
        shared_at = At(self._inherited.manifest, ("workspace", "dependencies", key))
        own, own_at = _default_features(value, at)
        common, common_at = _default_features(shared, shared_at)
        ignored = own is False and common is not False
        default = own if common is False and own is True else common
        return Dependency(
            key=key,
            name=_text(shared.get("package")) or key,
            kind=kind,
            target=target,
            requirement=self._requirement(shared, shared_at),
            default_features=default is not False,
            features=(*_features(shared, shared_at), *_features(value, at)),
            optional=value.get("optional") is True,
            source=_source(shared, self._inherited.root),
            at=at,
            workspace_at=shared_at,
            default_features_at=own_at if ignored or own is True else common_at,
            default_features_ignored=ignored,
        )

    def _requirement(self, value: Mapping[str, Any], at: At) -> Requirement | None:
        version = value.get("version")
        if not isinstance(version, str):
            return None
        try:
            return Requirement.parse(version)
        except VersionError as error:
            self._problem(at / "version", str(error))
            return None

    def _problem(self, at: At, message: str) -> None:
        self.problems.append(Problem(at.file, message, at.value))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _default_features(value: Mapping[str, Any], at: At) -> tuple[bool | None, At | None]:
    for name in ("default-features", "default_features"):
        found = value.get(name)
        if isinstance(found, bool):
            return found, at / name
    return None, None


def _features(value: Mapping[str, Any], at: At) -> tuple[FeatureRef, ...]:
    return feature_refs(value.get("features"), at / "features")


def feature_refs(value: Any, at: At) -> tuple[FeatureRef, ...]:
    """The strings of a list of features, each with its place."""
    if not isinstance(value, list):
        return ()
    return tuple(FeatureRef(text, at / i) for i, text in enumerate(value) if isinstance(text, str))


def _source(value: Mapping[str, Any], root: str) -> Source:
    registry = _text(value.get("registry")) or _text(value.get("registry-index"))
    path = _text(value.get("path"))
    if path is not None:
        return Source("path", registry, join(root, path))
    git = _text(value.get("git"))
    if git is not None:
        for name in ("rev", "tag", "branch"):
            if (reference := _text(value.get(name))) is not None:
                return Source("git", git=git, reference=(name, reference))
        return Source("git", git=git)
    return Source("registry", registry)
