"""Whether gradients belong to the module that they are collected for, and to the one that a step applies them to.

`GradientsParams` finds gradients by the leaves of the module at hand, and a step finds them by parameter ids. `init`,
`fork`, `train` and a step make new leaves; `fork` and a step keep the ids, `init` makes new ones (run on burn 0.21.0
and 0.22.1: fixtures/autodiff/gradients-for-other-module/proof.rs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import tape
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Origin, Site

COLLECTS = ("GradientsParams::from_grads", "GradientsParams::from_module")
_KEEPS_IDS = frozenset(
    {
        "Module::fork",
        "Module::to_device",
        "Module::valid",
        "Module::train",
        "Module::no_grad",
        "Module::freeze",
        "Module::unfreeze",
        "AutodiffModule::valid",
    }
)
MAX_BASES = 12


def unrelated_loss(collect: Expr) -> Expr | None:
    """Of `GradientsParams::from_grads(loss.backward(), &module)` the call that made the module's parameters anew
    if the loss certainly hangs on none of them; else None."""
    if collect.key not in COLLECTS or len(collect.operands) < 2:
        return None
    made, run = collect.operands[1].origins().must, collect.operands[0].operation
    if made is None or made.steps or made.carried or run is None or run.key != "Tensor::backward":
        return None
    fresh = collect.at(made)
    if made.kind != "operation" or not (fresh.key == "Module::fork" or fresh.stepped_module is not None):
        return None
    root = run.operands[0]
    walked = root.tape
    if not walked.complete or any(source.kind not in ("param", "item") for source in walked.sources):
        return None
    if len(walked.others) != len(walked.sources):
        return None
    reading = [
        at for key in (*walked.operations, *walked.leaves) if _reads_parameters(at := root.at(key.site))
    ]
    owners = [_owners(at, root) for at in reading]
    found = [owner.origins() for each in owners for owner in each]
    if not reading or not all(owners) or not all(origins.known for origins in found):
        return None
    origins = [origin for each in found for origin in each.items]
    if any(origin.kind not in ("operation", "param") or _is(origin, made) for origin in origins):
        return None
    return fresh


def other_module(step: Expr) -> tuple[Expr, Expr] | None:
    """Of an optimizer's step the module that its gradients were collected for, and the call that collected them,
    if that module certainly shares no parameter with the one it updates; else None."""
    module = step.stepped_module
    if module is None or len(step.operands) < 4:
        return None
    collect = step.operands[3].operation
    if collect is None or collect.key not in COLLECTS or len(collect.operands) < 2:
        return None
    owner = collect.operands[1]
    ours, theirs = bases(module), bases(owner)
    if not ours or not theirs or ours & theirs:
        return None
    return owner, collect


def bases(module: Expr) -> set[Site] | None:
    """The calls of `Config::init` that may have made the parameters of a module; None if something else may."""
    found: set[Site] = set()
    seen: set[Site] = set()
    todo = [module]
    while todo:
        value = todo.pop()
        if value.site in seen:
            continue
        seen.add(value.site)
        origins = value.origins()
        if not origins.known or len(seen) > MAX_BASES:
            return None
        for origin in origins.items:
            made = value.at(origin)
            if origin.kind == "new" and isinstance(made.expr, hir.StructLit) and made.expr.base is None:
                parts = [made.inside(field.value) for field in made.expr.fields]
                todo += [part for part in parts if part.is_module]
            elif origin.kind != "operation":
                return None
            elif made.key.endswith("Config::init"):
                found.add(origin.site)
            elif made.stepped_module is not None:
                todo.append(made.stepped_module)
            elif made.key in _KEEPS_IDS:
                todo.append(made.operands[0])
            else:
                return None
    return found


def _reads_parameters(made: Expr) -> bool:
    return made.key in tape.PARAMETER or tape.is_forward(made)


def _owners(made: Expr, root: Expr) -> list[Expr]:
    """The modules whose parameters an operation reads, as they stand in the function of the loss; empty where a
    closure or a struct that is no module holds them."""
    own = [made.operands[0]]
    at = made.site
    while at.frame is not root.site.frame:
        if at.frame.call is None:
            return own
        at = at.frame.call
        own = [each for each in root.at(at).operands if each.is_module or each.is_parameter]
    return own


def _is(origin: Origin, made: Origin) -> bool:
    """Whether a module, or what it is a part of, is what was made there in the same round."""
    return origin.site == made.site and not origin.carried
