"""Which packages of a run are still needed: those with files that no rule has looked at, and all that they use.

What is known of the others (trees, bodies, types: most of the memory) may go. It would be found again if somebody
asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from burnlint.burn.family import is_own
from burnlint.cargo.model import Package


class Retention:
    """The packages with files to lint, by their folders."""

    def __init__(self, packages: Iterable[Package]) -> None:
        self._needs = {package.root: _used(package) for package in packages}

    def finish(self, root: str) -> set[str]:
        """No rule will look at the files of a package any more; the packages that nobody needs from now on."""
        gone = self._needs.pop(root, set())
        for needed in self._needs.values():
            gone = gone - needed
        return gone


def _used(package: Package) -> set[str]:
    """The package and the local ones that it uses, directly or not (`burnlint.burn.crates`)."""
    found = {package.root}
    pending = [package]
    while pending:
        at = pending.pop()
        for dependency in at.dependencies:
            local = at.workspace.local_package(dependency)
            if local is not None and local.root not in found and not is_own(local):
                found.add(local.root)
                pending.append(local)
    return found
