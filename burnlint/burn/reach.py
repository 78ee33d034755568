"""Whether code can hold burn's tensors at all, told from the crates that it can name.

Most of the crates that burn is made of stand below its tensors (backends, kernels, fusion, burn-tensor
itself): where only those can be named no expression is a tensor, and no body needs types to say so.
"""

from __future__ import annotations

from burnlint.burn.api import Api
from burnlint.burn.crates import Unit
from burnlint.burn.releases import releases
from burnlint.cargo.semver import Version

_DECLARES = "burn-tensor"
"""The crate that declares burn's `Tensor`."""


def may_hold_tensors(unit: Unit, api: Api) -> bool:
    """Whether the unit names a crate that declares burn's tensors, or that depends on the one that does."""
    named = {
        target
        for each in (unit, *unit.own, *unit.used)
        for target in each.externs.values()
        if isinstance(target, str)
    }
    return any(_leads_to_tensors(name, api, set()) for name in sorted(named))


def _leads_to_tensors(name: str, api: Api, seen: set[str]) -> bool:
    name = name.replace("_", "-")
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
