"""Whether a tensor has been reduced to one element on its way: the question behind "is this loss
unreduced?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from burnlint.burn import ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Const, Ref, Tensor, Term
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin
from burnlint.burn.values_site import Site, World
from burnlint.rust import hir

MAX_CASES = 16
"""Different cases kept for one value; more are unknown."""


class Case(NamedTuple):
    """What a value may be. `state`:

    "one": reduced to one element, by `cause` (a reduction such as `mean`, or a loss that reduces);
    "many": one value for each element or sample of the loss `cause`, which nothing has reduced since;
    "open": whatever `cause` gives (a parameter, the output of a module), with nothing that reduces since;
    "scalar": a number; "unknown": none of these is known.
    `batch`: the first dimension is still that of `cause`.
    """

    state: str
    cause: Site | None
    batch: bool = False


@dataclass(slots=True, frozen=True)
class Reduction:
    """All cases of a value: several where paths differ."""

    cases: frozenset[Case]

    def must(self, state: str) -> bool:
        """Whether it is so on every path."""
        return {case.state for case in self.cases} == {state}

    def may(self, state: str) -> bool:
        """Whether it is so on some path."""
        return any(case.state == state for case in self.cases)

    def causes(self, state: str) -> list[Site]:
        """The causes of the cases of that state, in source order."""
        found = {case.cause for case in self.cases if case.state == state and case.cause is not None}
        return sorted(found, key=lambda site: (site.frame.depth, site.expr.span))


UNKNOWN = Reduction(frozenset({Case("unknown", None)}))
SCALAR = Reduction(frozenset({Case("scalar", None)}))


def reduction(world: World, site: Site) -> Reduction:
    """How far a tensor has been reduced, over all operations that it is derived by."""
    fold: Fold[Reduction] = Fold(
        world,
        operands=lambda origin, target: _operands(world, origin, target),
        step=lambda step: _step(world, step),
        leaf=lambda origin: _leaf(world, origin),
        join=_join,
        unknown=UNKNOWN,
    )
    return fold.of(site)


def _join(a: Reduction, b: Reduction) -> Reduction:
    cases = a.cases | b.cases
    return Reduction(cases) if len(cases) <= MAX_CASES else UNKNOWN


def _term(world: World, site: Site) -> Term | None:
    term = world.facts(site.frame.body).term(site.expr)
    while isinstance(term, Ref):
        term = term.target
    return term


def _class(origin: Origin, target: Target | None) -> str:
    """The class of the operation in `ops`, for operators by the method they stand for."""
    if target is not None and target.signature is not None:
        return ops.elements(target.signature)
    if operator_method(origin.expr):
        return ops.EACH
    return ops.OTHER


_PASSING = frozenset({ops.EACH, ops.MOVED, ops.DIM})


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    if _class(origin, target) not in _PASSING:
        return []
    body = origin.site.frame.body
    operands = [Site(e, origin.site.frame) for e in world.facts(body).operands(origin.expr)]
    if operator_method(origin.expr):
        return operands
    # Of methods the tensors count: the receiver, and arguments that are tensors.
    return [s for n, s in enumerate(operands) if n == 0 or isinstance(_term(world, s), Tensor)]


def _leaf(world: World, origin: Origin) -> Reduction:
    if origin.kind == "literal":
        return SCALAR
    if not origin.steps:
        term = _term(world, origin.site)
        if term is not None and not isinstance(term, Tensor) and origin.kind in ("item", "param"):
            return SCALAR
    if origin.kind in ("param", "closure_param"):
        return Reduction(frozenset({Case("open", origin.site, True)}))
    return UNKNOWN


def _step(world: World, step: Step[Reduction]) -> Reduction:
    origin = step.origin
    site = origin.site
    if origin.steps and any(s.kind not in ("payload",) for s in origin.steps):
        return UNKNOWN
    group = _class(origin, step.target)
    if group in (ops.ALL, ops.LOSS_MEAN):
        return Reduction(frozenset({Case("one", site, True)}))
    if group == ops.LOSS_RAW:
        return Reduction(frozenset({Case("many", site, True)}))
    if group == ops.LOSS_DIM:
        return (
            Reduction(frozenset({Case("many", site, True)}))
            if _spares_batch(step.target, origin)
            else UNKNOWN
        )
    if group == ops.EACH:
        return _each(step)
    if group in (ops.MOVED, ops.DIM):
        return _rearranged(world, step, group)
    term = _term(world, site)
    if term is not None and not isinstance(term, Tensor):
        return SCALAR
    return Reduction(frozenset({Case("open", site, True)}))


def _each(step: Step[Reduction]) -> Reduction:
    """Operands meet element by element, so the result has as many elements as the largest."""
    cases: frozenset[Case] = SCALAR.cases
    for fact in step.facts:
        if fact is not None:
            cases = frozenset(_larger(a, b) for a in cases for b in fact.cases)
            if len(cases) > MAX_CASES:
                return UNKNOWN
    return Reduction(cases)


_ORDER = {"scalar": 0, "one": 1, "unknown": 2, "open": 3, "many": 4}


def _larger(a: Case, b: Case) -> Case:
    if {a.state, b.state} == {"open", "unknown"}:
        return Case("unknown", None)
    first, second = (a, b) if _ORDER[a.state] >= _ORDER[b.state] else (b, a)
    if first.state == second.state and first.cause is not None and second.cause is not None:
        # Two of a kind: one stands for both, the same one whatever the order.
        pair = sorted(
            (first, second),
            key=lambda c: (c.cause.expr.span, c.cause.frame.depth) if c.cause else ((0, 0), 0),
        )
        return Case(first.state, pair[0].cause, first.batch and second.batch)
    return first


def _rearranged(world: World, step: Step[Reduction], group: str) -> Reduction:
    fact = step.facts[0] if step.facts else None
    if fact is None:
        return UNKNOWN
    keeps = group == ops.DIM and _not_first(world, step)
    cases = set()
    for case in fact.cases:
        if group == ops.DIM and case.state in ("many", "open") and not (keeps and case.batch):
            cases.add(Case("unknown", None))
        else:
            cases.add(case if group == ops.DIM else case._replace(batch=False))
    return Reduction(frozenset(cases))


def _not_first(world: World, step: Step[Reduction]) -> bool:
    """Whether the dimension reduced is certainly not the first: a literal above 0, or below of a tensor of
    two or more."""
    operands = world.facts(step.origin.site.frame.body).operands(step.origin.expr)
    if len(operands) < 2:
        return False
    dim = _integer(operands[1])
    if dim is None:
        return False
    if dim > 0:
        return True
    term = _term(world, Site(operands[0], step.origin.site.frame))
    if isinstance(term, Tensor) and isinstance(term.rank, Const) and isinstance(term.rank.value, int):
        return dim < 0 and term.rank.value + dim > 0
    return False


def _spares_batch(target: Target | None, origin: Origin) -> bool:
    """Whether a loss reduced along literal dimensions keeps the first."""
    e = origin.expr
    args = e.args if isinstance(e, hir.Call | hir.MethodCall) else []
    last = args[-1] if args else None
    while isinstance(last, hir.Ref):
        last = last.operand
    if not isinstance(last, hir.Array):
        return False
    dims = [_integer(item) for item in last.items]
    return all(dim is not None and dim > 0 for dim in dims)


def _integer(e: hir.Expr) -> int | None:
    negative = isinstance(e, hir.Unary) and e.op == "-"
    literal = e.operand if isinstance(e, hir.Unary) and negative else e
    if not isinstance(literal, hir.Literal) or literal.kind != "int":
        return None
    digits = literal.text.removesuffix(literal.suffix).replace("_", "")
    if not digits.isdigit():
        return None
    return -int(digits) if negative else int(digits)
