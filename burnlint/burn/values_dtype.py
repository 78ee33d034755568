"""The dtype of a tensor, as far as code spells it out."""

from __future__ import annotations

from burnlint.burn import ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Named, Tensor
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin, origins
from burnlint.burn.values_site import Site, World, term_of
from burnlint.rust import hir

UNKNOWN = ""
DEFAULT = "default"
"""The default of the device, for Float or Int."""

_KINDS = frozenset({"DType", "FloatDType", "IntDType"})
# Source: burn-tensor 0.22.1, src/tensor/api/{int,float}.rs: converted to the default of the device.
_TO_DEFAULT = frozenset({"float", "int"})
# Source: burn-tensor 0.22.1, src/bridge/ops/float.rs: indices into a Float tensor have the device's default for Int.
_INDICES = frozenset({"argmax", "argmin", "argsort", "argsort_descending", "argtopk"})
# Source: burn-flex 0.22.1, src/ops/{binary,matmul}.rs: asserted.
_SAME = frozenset({"add", "sub", "mul", "div", "remainder", "matmul", "max_pair", "min_pair"})
_KEEPS = frozenset(
    {
        "cat",
        "expand",
        "gather",
        "narrow",
        "repeat",
        "repeat_dim",
        "select",
        "select_dim",
        "slice",
        "slice_dim",
        "stack",
    }
)


def dtype(world: World, site: Site) -> str:
    """`F64`, `I64` where it is spelt out on every path, DEFAULT, or UNKNOWN."""
    fold: Fold[str] = Fold(
        world,
        operands=lambda origin, target: _operands(world, origin, target),
        step=lambda step: _step(world, step),
        leaf=lambda origin: UNKNOWN,
        join=lambda a, b: a if a == b else UNKNOWN,
        unknown=UNKNOWN,
    )
    return fold.of(site)


def _is_float(world: World, origin: Origin) -> bool:
    """Whether the first operand of an operation is a Float tensor."""
    operands = _operands(world, origin, None)
    term = term_of(world, operands[0]) if operands else None
    return isinstance(term, Tensor) and term.kind == Named("Float")


def _is_tensor(world: World, site: Site) -> bool:
    return isinstance(term_of(world, site), Tensor)


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    operands = [Site(e, origin.site.frame) for e in world.facts(origin.site.frame.body).operands(origin.expr)]
    return [site for site in operands if _is_tensor(world, site)]


def _step(world: World, step: Step[str]) -> str:
    origin = step.origin
    signature = step.target.signature if step.target is not None else None
    if origin.steps:
        return UNKNOWN
    if operator_method(origin.expr):
        return _either(step)
    if signature is None or signature.owner != "Tensor":
        return UNKNOWN
    name, group = signature.name, ops.elements(signature)
    last = _last(origin)
    if name == "cast":
        return _spelt(world, last)
    if name in _SAME:
        return _either(step)
    if name in _TO_DEFAULT or (name in _INDICES and _is_float(world, origin)):
        return DEFAULT
    if group == ops.NEW:
        return step.facts[0] or UNKNOWN if name.endswith("_like") and step.facts else _created(world, last)
    if group in (ops.EACH, ops.MOVED, ops.ALL, ops.DIM) or name in _KEEPS:
        # Indices and truth values have a dtype of their own.
        return UNKNOWN if ops.graph(signature) == ops.CUTS else _common(step)
    return UNKNOWN


def _common(step: Step[str]) -> str:
    facts = {fact for fact in step.facts if fact is not None}
    return next(iter(facts)) if len(facts) == 1 else UNKNOWN


def _either(step: Step[str]) -> str:
    """Of operands that have to be of one dtype, or it panics: that of those whose dtype is known."""
    facts = {fact for fact in step.facts if fact}
    return facts.pop() if len(facts) == 1 else UNKNOWN


def _last(origin: Origin) -> Site | None:
    e = origin.expr
    args = e.args if isinstance(e, hir.Call | hir.MethodCall) else []
    return Site(args[-1], origin.site.frame) if args else None


def _created(world: World, options: Site | None) -> str:
    """Of what a tensor is created with: a device, or a device and a dtype."""
    found = origins(world, options).must if options is not None else None
    if found is None:
        return UNKNOWN
    if isinstance(found.expr, hir.Tuple) and not found.steps and len(found.expr.items) == 2:
        return _spelt(world, Site(found.expr.items[1], found.site.frame))
    term = term_of(world, options) if options is not None else None
    return DEFAULT if getattr(term, "name", "") == "Device" else UNKNOWN


def _spelt(world: World, site: Site | None) -> str:
    found = origins(world, site).must if site is not None else None
    if found is None or not isinstance(found.expr, hir.PathExpr) or found.steps:
        return UNKNOWN
    own_name = found.site.frame.body.owner.file.own_name
    names = [segment.name for segment in found.expr.path.segments[-2:]]
    return names[1] if len(names) == 2 and own_name(names[0]) in _KINDS else UNKNOWN
