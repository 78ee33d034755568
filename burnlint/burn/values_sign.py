"""Whether the elements of a tensor can be negative, as far as code shows it."""

from __future__ import annotations

from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Named, Ref, Tensor, Term
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin, origins
from burnlint.burn.values_site import Site, World
from burnlint.rust import hir

NEVER = "never"
"""No element is negative: indices, counts, lengths, absolute values."""
UNKNOWN = "unknown"
DIFFERENCE = "difference"
"""A difference, or derived from one: negative unless the operands are known to be ordered."""
SHOWN = "shown"
"""A negative element is written down, or a sign is turned."""

_ORDER = {NEVER: 0, UNKNOWN: 1, DIFFERENCE: 2, SHOWN: 3}

# Source: burn-tensor 0.22.1, src/tensor/api/{orderable,int,numeric,bool}.rs.
_NEVER = frozenset(
    """
    abs argmax argmin argsort argsort_descending argtopk argwhere categorical max_abs nonzero one_hot ones ones_like
    square zeros zeros_like
    """.split()  # noqa: SIM905
)
_KEEPS = frozenset(
    """
    cast cat ceil clone expand flatten flip float floor gather int max max_dim mean mean_dim min min_dim narrow permute
    prod repeat repeat_dim reshape round select select_dim slice slice_dim sort sort_descending squeeze squeeze_dim
    squeeze_dims stack sum sum_dim swap_dims take to_device topk transpose trunc unsqueeze unsqueeze_dim unsqueeze_dims
    cumsum detach inner from_inner
    """.split()  # noqa: SIM905
)
"""Operations that give elements of the receiver, or sums and products of them."""
_LEAST = frozenset({"min", "min_dim", "min_dims"})
_JOINS = frozenset(["add", "add_scalar", "mul", "mul_scalar", "div", "div_scalar", "max_pair", "min_pair"])


def negative(world: World, site: Site) -> str:
    """NEVER, UNKNOWN, DIFFERENCE or SHOWN, over all paths the most that one of them says."""
    fold: Fold[str] = Fold(
        world,
        operands=lambda origin, target: _operands(world, origin, target),
        step=lambda step: _step(world, step),
        leaf=_leaf,
        join=_worst,
        unknown=UNKNOWN,
    )
    return fold.of(site)


def _worst(a: str, b: str) -> str:
    return a if _ORDER[a] >= _ORDER[b] else b


def _leaf(origin: Origin) -> str:
    return NEVER if origin.kind == "literal" else UNKNOWN


def _name(origin: Origin, target: Target | None) -> str:
    if target is not None and target.signature is not None:
        return target.signature.name
    return operator_method(origin.expr)


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    name = _name(origin, target)
    if name not in _KEEPS and name not in _JOINS and name != "remainder":
        return []
    operands = [Site(e, origin.site.frame) for e in world.facts(origin.site.frame.body).operands(origin.expr)]
    return operands if name in _JOINS or name == "remainder" else operands[:1]


def _step(world: World, step: Step[str]) -> str:
    origin, name = step.origin, _name(step.origin, step.target)
    facts = [fact for fact in step.facts if fact is not None]
    e = origin.expr
    if name == "neg":
        return SHOWN
    if name.endswith("_with_indices") and origin.steps:
        return NEVER if origin.steps[-1].name == "1" else UNKNOWN
    if name in _NEVER or _of_truth_values(world, origin, name):
        return NEVER
    if name in ("sub", "sub_scalar"):
        return UNKNOWN if _less_the_least(world, origin) else DIFFERENCE
    if name == "arange" or name == "from_ints":
        return _written(world, origin)
    if name == "clamp_min" and isinstance(e, hir.MethodCall) and e.args:
        return NEVER if isinstance(e.args[0], hir.Literal) else UNKNOWN
    if name == "remainder":
        # The remainder has the sign of the divisor.
        return NEVER if len(facts) > 1 and facts[1] == NEVER else UNKNOWN
    if not facts or (name in _JOINS and len(facts) < len(step.operands)):
        return facts[0] if facts else UNKNOWN
    total = facts[0]
    for fact in facts[1:]:
        total = _worst(total, fact)
    return total if name in _KEEPS or name in _JOINS else UNKNOWN


def _less_the_least(world: World, origin: Origin) -> bool:
    """`x - x.min()`, as in a scale from 0 to 1: of which tensor the least is taken is not looked at."""
    operands = world.facts(origin.site.frame.body).operands(origin.expr)[1:]
    taken = origin
    while operands:
        found = origins(world, Site(operands[0], taken.site.frame)).must
        if found is None or found.kind != "operation":
            return False
        taken, facts = found, world.facts(found.site.frame.body)
        if _name(taken, facts.target(taken.expr)) in _LEAST:
            return True
        operands = facts.operands(taken.expr)
    return False


def _of_truth_values(world: World, origin: Origin, name: str) -> bool:
    """`mask.int()`."""
    if name != "int":
        return False
    operands = world.facts(origin.site.frame.body).operands(origin.expr)
    term: Term | None = world.facts(origin.site.frame.body).term(operands[0]) if operands else None
    while isinstance(term, Ref):
        term = term.target
    return isinstance(term, Tensor) and term.kind == Named("Bool")


def _written(world: World, origin: Origin) -> str:
    """Of numbers that are written down: whether one of them is negative."""
    operands = world.facts(origin.site.frame.body).operands(origin.expr)
    found = origins(world, Site(operands[0], origin.site.frame)).must if operands else None
    if found is None or found.steps:
        return UNKNOWN
    pending: list[hir.Expr | None] = [found.expr.low] if isinstance(found.expr, hir.Range) else [found.expr]
    result = NEVER
    while pending:
        at = pending.pop()
        if isinstance(at, hir.Array):
            pending.extend(at.items)
        elif isinstance(at, hir.Unary) and at.op == "-":
            result = SHOWN
        elif at is not None and not isinstance(at, hir.Literal):
            result = _worst(result, UNKNOWN)
    return result
