"""Gradients that are asked for and certainly missing: what the `backward` walked through does not lead to the
leaf.

Run on burn 0.21.0 and 0.22.1: fixtures/autodiff/require-grad-after-use/proof.rs and gradient-path-cut/proof.rs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import ops, tape, terms
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust.types import PathType

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.tape import Tape
    from burnlint.burn.values import Origin

_CUTTERS = frozenset({ops.CUTS, ops.DETACHES, ops.LEAVES})


@dataclass(frozen=True)
class MissingGradient:
    """Why `grad` of a leaf is `None`: the loss `used` the tensor before it became one, or all that it takes
    from the leaf passes `cuts`. `certain` is False where the tensor may have been the same leaf before."""

    leaf: Expr
    used: Expr | None
    cuts: list[Expr]
    certain: bool = True


def missing_gradient(call: Expr) -> MissingGradient | None:
    """Of `x.grad(&gradients)` why it is certainly `None`; None: it may be there, or is missing for another
    reason."""
    if call.key not in ("Tensor::grad", "Tensor::grad_remove") or len(call.operands) < 2:
        return None
    leaf, run = _first(call.operands[0].operation), _backward(call.operands[1])
    if leaf is None or run is None:
        return None
    root = run.operands[0]
    walked, everything = root.tape, root.all_that_takes_part
    if any(_is(leaf, _first(root.at(key.site))) for key in walked.leaves):
        return None
    # An opaque call may have been given the leaf, and a module may have been built with it.
    seen = all(source.kind in ("param", "item") for source in everything.sources)
    built = [origin for module in everything.modules for origin in module.origins().items]
    seen = seen and all(origin.kind in ("param", "operation") for origin in built)
    if not (everything.complete and seen and len(everything.others) == len(everything.sources)):
        return None
    parts = [root.at(key.site) for key in everything.operations]
    if any(part.site == leaf.site for part in parts):
        cuts = [
            part for part in parts if tape.is_tensor_operation(part) and tape.graph_effect(part) in _CUTTERS
        ]
        cuts = [
            cut for cut in cuts if any(key.site == leaf.site for key in cut.all_that_takes_part.operations)
        ]
        return MissingGradient(leaf, None, sorted(cuts, key=lambda cut: cut.site.order)) if cuts else None
    return _used_before(leaf, parts)


def is_new_data(tensor: Expr) -> bool:
    """Whether a tensor is computed from nothing but what constructors make (`ones`, `from_data`), without a
    leaf among it."""
    everything = tensor.all_that_takes_part
    only = not (everything.leaves or everything.modules or everything.others)
    return bool(everything.operations) and everything.complete and only and _makes(tensor, everything)


def asks_on_autodiff(call: Expr) -> bool:
    """Whether a call takes a gradient out of a container of burn up to 0.21 as a tensor of the autodiff back end,
    while nothing in the workspace puts such a one in. burn itself keeps those of the inner back end."""
    if call.key not in ("GradientsParams::get", "GradientsParams::remove"):
        return False
    given = call.term
    tensor = given.args[0] if isinstance(given, terms.Named) and given.args else None
    return isinstance(tensor, terms.Tensor) and tensor.mode == "autodiff" and not _registers(call)


def _registers(call: Expr) -> bool:
    """Whether anything around puts a gradient into a container that is not known to be plain."""
    if not call.file.package_spells("register"):
        return False
    return any(
        each.key == "GradientsParams::register" and each.operands[-1].mode != "plain"
        for view in call.file.around()
        for each in view.calls("register")
    )


def on_inner_backend(call: Expr) -> Edit | None:
    """An edit that asks for the inner back end of a generic one that the turbofish of a call names; None where it
    names another, or none."""
    e = call.expr
    named = e.generics[0] if isinstance(e, hir.MethodCall) and e.generics else None
    if not isinstance(named, PathType) or len(named.path.segments) != 1:
        return None
    owners = (call.fn.generics.params, call.fn.owner.generics.params if call.fn.owner is not None else ())
    if not any(param.name == named.path.name for params in owners for param in params):
        return None
    return Edit(Place(call.source.path, named.span[1], named.span[1]), "::InnerBackend")


def _makes(tensor: Expr, everything: Tape) -> bool:
    """Whether each operation without operands is a constructor, not one of what is not seen."""
    ends = [tensor.at(key.site) for key, operands in everything.operations.items() if not operands]
    return all(end.key.startswith("Tensor::") and not _takes_tensor(end) for end in ends)


def _takes_tensor(made: Expr) -> bool:
    signature = made.signature
    return signature is None or bool(signature.self_mode)


def _first(leaf: Expr | None) -> Expr | None:
    """The call that makes a leaf: a second `require_grad()` gives the same one. None for what is no such
    call."""
    if leaf is None or not leaf.requires_grad:
        return None
    before = leaf.operands[0].operation
    return _first(before) if before is not None and before.requires_grad else leaf


def _is(leaf: Expr, other: Expr | None) -> bool:
    return other is not None and leaf.site == other.site


def _backward(gradients: Expr) -> Expr | None:
    """The `backward` that gradients come from, also where some were taken out since."""
    origin = gradients.origins().must
    while origin is not None and origin.kind == "changed" and origin.before is not None:
        origin = gradients.at(origin.before).origins().must
    if origin is None or origin.kind != "operation" or origin.steps or origin.carried:
        return None
    run = gradients.at(origin)
    return run if run.key == "Tensor::backward" else None


def _used_before(leaf: Expr, parts: list[Expr]) -> MissingGradient | None:
    """The use of what the leaf was made of, as it was before."""
    before = leaf.operands[0].origins().must
    if before is None or before.carried:
        return None
    for part in sorted(parts, key=lambda part: part.site.order):
        for operand in part.operands:
            origin = operand.origins().must
            if origin is not None and not origin.carried and _same(origin, before):
                return MissingGradient(leaf, operand, [], certain=is_new_data(leaf.operands[0]))
    return None


def _same(one: Origin, other: Origin) -> bool:
    if (one.kind, one.index, one.steps) != (other.kind, other.index, other.steps):
        return False
    # The site of a parameter is where it is read.
    return one.site == other.site or (one.kind == "param" and one.site.frame is other.site.frame)
