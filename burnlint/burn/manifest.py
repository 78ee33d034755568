"""What a rule sees of one Cargo.toml: burn's entries, the versions, and the builds that it takes part in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from burnlint.burn.family import is_family, is_own
from burnlint.burn.plan import BuildPlan
from burnlint.burn.programs import Lack, Lacks, Origin
from burnlint.burn.versions import Versions, burn_versions
from burnlint.cargo.edit import Replacement, add_features, append_strings
from burnlint.cargo.manifest import At, Manifest
from burnlint.cargo.model import Dependency, FeatureRef, Package, Workspace
from burnlint.text import Text


class ManifestView:
    """One manifest. The plan of builds is shared by all manifests of a workspace."""

    def __init__(self, manifest: Manifest, package: Package | None, plan: BuildPlan) -> None:
        self.manifest = manifest
        self.package = package
        """Its package; `None` for a virtual workspace."""
        self.plan = plan

    @property
    def path(self) -> str:
        return self.manifest.path

    @property
    def text(self) -> Text:
        return self.manifest.text

    @property
    def workspace(self) -> Workspace:
        return self.plan.workspace

    @cached_property
    def versions(self) -> Versions | None:
        """The versions of burn that the package may be built with; of a virtual workspace those of its
        members together."""
        packages = [self.package] if self.package is not None else self.workspace.members
        found = [v for p in packages if (v := burn_versions(p)) is not None]
        if not found:
            return None
        return Versions(tuple(sorted({v for each in found for v in each.all})), found[0].origin)

    @property
    def entries(self) -> Sequence[Dependency]:
        """The entries of burn's crates in the package's tables, those with `workspace = true` included."""
        if self.package is None or is_own(self.package):
            return ()
        return [d for d in self.package.dependencies if is_family(self.workspace, d)]

    @cached_property
    def feature_strings(self) -> Sequence[tuple[Dependency, FeatureRef]]:
        """Every string of the package that asks a crate of burn's for a feature: in an entry (those it
        inherits included), and
        in `[features]`."""
        found = [(entry, ref) for entry in self.entries for ref in entry.features]
        for refs in self.package.features.values() if self.package is not None else ():
            for ref in refs:
                named = [e for e in self.entries if e.key == ref.dependency and ref.feature is not None]
                found.extend((entry, ref) for entry in named[:1])
        if self.package is None or self.package.root == self.workspace.root:
            shared = {at.path: entry for _, entry, at in self.declared if entry.workspace_at is not None}
            found.extend((entry, ref) for entry in shared.values() for ref in entry.features)
        return list({ref.at.path: (entry, ref) for entry, ref in found if ref.at.file == self.path}.values())

    @cached_property
    def declared(self) -> Sequence[tuple[Package, Dependency, At]]:
        """Where this manifest says which burn: the entries that have a version, path or git source of
        their own.

        In a workspace's root those of `[workspace.dependencies]` are among them, each with one member that
        inherits it.
        """
        found: dict[tuple[str | int, ...], tuple[Package, Dependency, At]] = {}
        for package in self.workspace.members:
            if is_own(package):
                continue
            for entry in package.dependencies:
                at = entry.workspace_at or entry.at
                if is_family(self.workspace, entry) and at.file == self.path:
                    found.setdefault(at.path, (package, entry, at))
        return list(found.values())

    def lacking(self, lacks: Lacks, *crates: str) -> list[Lack]:
        """What in this manifest turns a back end on that then lacks something, once per crate and list of
        features."""
        return [lack for lack in self.plan.lacking(lacks, crates) if lack.origin.at.file == self.path]

    def with_features(self, origin: Origin, names: Sequence[str]) -> list[Replacement]:
        """The change that adds features beside the string that `origin` is."""
        if origin.local_feature is not None:
            prefix = origin.ref.text.rpartition("/")[0] if origin.ref is not None else origin.entry.key
            return append_strings(self.manifest, origin.at.path[:-1], [f"{prefix}/{name}" for name in names])
        at = origin.at.path[:-2] if origin.ref is not None else origin.at.path
        return add_features(self.manifest, at, names)

    def features_added(self, entry: Dependency, names: Sequence[str]) -> list[Replacement]:
        """The change that adds features to an entry of this manifest, however it is written."""
        return add_features(self.manifest, entry.at.path, names)

    def replaced(self, at: At, text: str) -> Replacement:
        """The change that writes another value at a place."""
        return Replacement(*at.value, text)

    def offers(self, origin: Origin, name: str) -> At | None:
        """The `[features]` string that lets a user of the package turn a feature of the dependency on; None if there is
        none."""
        for feature in self._offered(origin.package, origin.entry.key, name):
            return feature
        return None

    @staticmethod
    def _offered(package: Package, key: str, name: str) -> Iterator[At]:
        for local in sorted(package.features):
            for ref in package.features[local]:
                if ref.dependency == key and ref.feature == name:
                    yield ref.at
