"""Which releases of burn's crates a package of other people depends on too.

Cargo unifies its features with the project's, and burnlint reads no sources of a registry: what is on there is at least
what the project asks for. That such a package exists, and what it depends on, stands in the lock file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from burnlint.burn.family import is_family_name
from burnlint.burn.releases import releases
from burnlint.burn.versions import with_local_dependencies
from burnlint.cargo.lock import Lock, LockedPackage
from burnlint.cargo.model import Package, Workspace
from burnlint.cargo.semver import Version


class Others:
    """The packages in a workspace's builds that are neither local nor burn's."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._shared: dict[str, frozenset[tuple[str, Version]]] = {}

    def may_add_to(
        self, crates: Iterable[tuple[str, Version | None]], package: Package, strangers: Iterable[str]
    ) -> bool:
        """Whether one of them may turn features of these crates of burn's (name, version) on in a build of `package`.

        `strangers` are those by name that the project's manifests bring into the build. One that the lock file does not
        have is judged by its name.
        """
        lock = self._workspace.lock
        for name in strangers:
            # A crate of burn's is among them where nobody knows its features.
            if is_family_name(name) or ("burn" in name and (lock is None or not lock.named(name))):
                return True
        shared = self.shared_in(package)
        return any((name, version) in shared for name, version in crates)

    def shared_in(self, package: Package) -> frozenset[tuple[str, Version]]:
        """The locked releases of burn's crates, as (name, version), whose features one of them may turn on in a build
        of `package`: those that it depends on, and those that these depend on."""
        if package.root not in self._shared:
            lock = self._workspace.lock
            found = self._shared_by(lock, package) if lock is not None and self._users else []
            self._shared[package.root] = frozenset((p.name, p.version) for p in found if _is_known(p))
        return self._shared[package.root]

    @cached_property
    def _users(self) -> list[LockedPackage]:
        """Those that depend on a crate of burn's."""
        lock = self._workspace.lock
        local = {package.name for package in self._workspace.local.values()}
        return [
            each
            for each in (lock.packages if lock is not None else ())
            if (each.source is not None or each.name not in local) and not _is_known(each)
            if any(is_family_name(text.partition(" ")[0]) for text in each.dependencies)
        ]

    def _shared_by(self, lock: Lock, package: Package) -> list[LockedPackage]:
        built = {id(each) for each in lock.reached_from(_roots(lock, package))}
        used = (each for user in self._users if id(user) in built for each in lock.dependencies_of(user))
        return lock.reached_from(each for each in used if _is_known(each))


def _roots(lock: Lock, package: Package) -> list[LockedPackage]:
    """What a build of a package starts from: the package, and what the manifests ask for, which may be newer than the
    lock file. All of it for a package that is not there yet."""
    local = with_local_dependencies(package)
    own = [each for each in lock.named(package.name) if each.source is None]
    asked = {dependency.name for each in local for dependency in each.dependencies}
    return [*own, *(each for name in sorted(asked) for each in lock.named(name))] if own else lock.packages


def _is_known(package: LockedPackage) -> bool:
    """Whether its features are among burn's released ones."""
    return releases().knows(package.name)
