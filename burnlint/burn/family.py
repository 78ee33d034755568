"""Which packages are burn's own, and which only bear such a name.

Other people's crates are called `burn-contrib`, and some are called as a crate of burn's is (`burn-rl`).
From a registry the name says it; a local package is burn's own only in a checkout of burn's repository,
where burn-core is local too.
"""

from __future__ import annotations

from functools import cache

from burnlint.burn.releases import releases
from burnlint.cargo.model import Dependency, Package, Workspace


@cache
def is_family_name(name: str) -> bool:
    """Whether a released crate of that name is burn or one of the crates that burn is made of."""
    return name == "burn" or (name.startswith(("burn-", "cubecl", "cubek")) and releases().knows(name))


def is_own(package: Package) -> bool:
    """Whether a local package is one of burn's, in a checkout of burn."""
    return is_family_name(package.name) and _is_checkout(package.workspace)


def is_of_checkout(package: Package) -> bool:
    """Whether a local package stands in a checkout of burn, its tests and examples included."""
    return _is_checkout(package.workspace)


def is_family(workspace: Workspace, dependency: Dependency) -> bool:
    """Whether an entry leads to burn or one of its crates."""
    if not is_family_name(dependency.name):
        return False
    return workspace.local_package(dependency) is None or _is_checkout(workspace)


def _is_checkout(workspace: Workspace) -> bool:
    return any(package.name == "burn-core" for package in workspace.local.values())
