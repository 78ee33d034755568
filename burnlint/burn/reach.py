"""Whether a package can hold burn's tensors at all, told from the crates that it can name.

Most of the crates that burn is made of stand below its tensors (backends, kernels, fusion, burn-tensor
itself): in a package that names only those no expression is a tensor or holds one, and no claim about burn's
API is about its code.
"""

from __future__ import annotations

from burnlint.burn.api import Api
from burnlint.burn.family import is_own
from burnlint.burn.releases import releases
from burnlint.cargo.model import Package
from burnlint.cargo.semver import Version

_DECLARES = "burn-tensor"
"""The crate that declares burn's `Tensor`."""


def may_hold_tensors(package: Package, version: str) -> bool:
    """Whether a package, or one of the workspace that it uses, names a crate of that version of burn which
    declares tensors or depends on the one that does."""
    api = Api.load(version)
    seen: set[str] = set()
    pending, known = [package], {package.root}
    while pending:
        at = pending.pop()
        for dependency in at.dependencies:
            local = at.workspace.local_package(dependency)
            # In burn's own repository too burn is what its facts say (`burnlint.burn.crates`).
            if local is None or is_own(local):
                if _leads_to_tensors(dependency.name, api, seen):
                    return True
            elif local.root not in known:
                known.add(local.root)
                pending.append(local)
    return False


def _leads_to_tensors(name: str, api: Api, seen: set[str]) -> bool:
    if name in seen or name not in api.crates:
        # Of a crate without facts no type is known.
        return False
    seen.add(name)
    if name == _DECLARES:
        return True
    release = releases().get(name, Version.parse(api.crates[name]))
    return release is None or any(
        each.kind == "normal" and _leads_to_tensors(each.name, api, seen) for each in release.dependencies
    )
