"""One package from its manifest, with the fields, dependencies and features that Cargo sees after
inheritance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from burnlint.cargo.dependencies import DependencyReader, Inherited, feature_refs
from burnlint.cargo.files import Files
from burnlint.cargo.manifest import Manifest, Problem
from burnlint.cargo.model import Dependency, FeatureRef, Package, Workspace
from burnlint.cargo.semver import Version, VersionError
from burnlint.cargo.targets import TargetReader

_OLDEST_EDITION = "2015"


def read_package(
    manifest: Manifest, root: str, workspace: Workspace, inherited: Inherited | None, files: Files
) -> tuple[Package, list[Problem]]:
    """The package that `manifest` (which has a `[package]` table) describes, and what Cargo would not
    accept in it."""
    table = manifest.data.get("package", manifest.data.get("project"))
    fields = _Fields(table if isinstance(table, Mapping) else {}, inherited)
    problems: list[Problem] = []
    name = fields.text("name")
    if name is None:
        problems.append(Problem(manifest.path, "the package has no name", manifest.key_span(("package",))))
        name = root.rpartition("/")[2]
    edition = fields.text("edition") or _OLDEST_EDITION
    dependencies = DependencyReader(manifest, root, inherited)
    package = Package(
        name=name,
        version=_version(fields.text("version")),
        edition=edition,
        manifest=manifest,
        root=root,
        workspace=workspace,
    )
    package.dependencies = dependencies.all()
    package.features = _features(manifest, package.dependencies)
    package.targets = TargetReader(manifest, root, name, edition, files).all()
    return package, problems + dependencies.problems


def _version(text: str | None) -> Version | None:
    try:
        return Version.parse(text or "0.0.0")
    except VersionError:
        return None


class _Fields:
    """The `[package]` table with `field.workspace = true` looked up in `[workspace.package]`."""

    def __init__(self, table: Mapping[str, Any], inherited: Inherited | None) -> None:
        self._table = table
        self._inherited = inherited

    def get(self, name: str) -> Any:
        value = self._table.get(name)
        if isinstance(value, Mapping) and value.get("workspace") is True:
            return self._inherited.package_field(name) if self._inherited is not None else None
        return value

    def text(self, name: str) -> str | None:
        value = self.get(name)
        return value if isinstance(value, str) else None


def _features(manifest: Manifest, dependencies: list[Dependency]) -> dict[str, tuple[FeatureRef, ...]]:
    """The `[features]` table and the implicit feature of every optional dependency that no `dep:`
    mentions."""
    table = manifest.data.get("features")
    features = {}
    for name, value in (table if isinstance(table, Mapping) else {}).items():
        features[name] = feature_refs(value, manifest.at("features", name))
    mentioned = {r.text[4:] for refs in features.values() for r in refs if r.text.startswith("dep:")}
    implicit = {}
    for dependency in dependencies:
        key = dependency.key
        if dependency.optional and key not in features and key not in mentioned:
            implicit[key] = (FeatureRef(f"dep:{key}", dependency.at),)
    return features | implicit
