"""Whether a tensor has been reduced to one element on its way: the question behind "is this loss
unreduced?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from burnlint.burn import ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Const, Tensor
from burnlint.burn.values_batch import may_be_one
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin
from burnlint.burn.values_shape import shape
from burnlint.burn.values_site import Site, World, term_of
from burnlint.rust import digits, hir

MAX_CASES = 16
"""Different cases kept for one value; more are unknown."""


class Case(NamedTuple):
    """What a value may be. `state`:

    - "one": reduced to one element, by `cause` (a reduction such as `mean`, or a loss that reduces);
    - "many": a value for each element or sample of the loss `cause`, which nothing has reduced or weighted
    since;
    - "weighted": the same after a product with another tensor: each value counts by some weight;
    - "scaled": the same after a quotient by, or a product with, a number that is not spelt out: may be a mean
    by hand;
    - "open": whatever `cause` gives (a parameter, the output of a module), and nothing that reduces since;
    - "constant": a tensor of constants (`zeros`, `zeros_like`, `full`);
    - "literal": a number that is spelt out; "number": any other;
    - "unknown": none of these is known.

    `batch`: the first dimension is still that of `cause`. `computed`: an operation on elements came after
    `cause`.
    """

    state: str
    cause: Site | None
    batch: bool = False
    computed: bool = False


@dataclass(slots=True, frozen=True)
class Reduction:
    """All cases of a value: several where paths differ."""

    cases: frozenset[Case]

    def must(self, *states: str) -> bool:
        """Whether it is one of these on every path."""
        return all(case.state in states for case in self.cases)

    @property
    def must_be_computed(self) -> bool:
        """Whether on every path an operation on elements came after the cause."""
        return all(case.computed for case in self.cases)

    def may(self, state: str) -> bool:
        """Whether it is so on some path."""
        return any(case.state == state for case in self.cases)

    def causes(self, *states: str) -> list[Site]:
        """The causes of the cases of these states, in source order."""
        found = {case.cause for case in self.cases if case.state in states and case.cause is not None}
        return sorted(found, key=lambda site: site.order)


UNKNOWN = Reduction(frozenset({Case("unknown", None)}))
LITERAL = Reduction(frozenset({Case("literal", None)}))
NUMBER = Reduction(frozenset({Case("number", None)}))


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


def _class(origin: Origin, target: Target | None) -> str:
    """The class of the operation in `ops`, for operators by the method they stand for."""
    if target is not None and target.signature is not None:
        return ops.elements(target.signature)
    if operator_method(origin.expr):
        return ops.EACH
    return ops.OTHER


def _name(origin: Origin, target: Target | None) -> str:
    """The method of an operation, for operators the one they stand for."""
    if target is not None and target.signature is not None:
        return target.signature.name
    return operator_method(origin.expr)


_PASSING = frozenset({ops.EACH, ops.MOVED, ops.DIM})


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    if _class(origin, target) not in _PASSING:
        return []
    body = origin.site.frame.body
    operands = [Site(e, origin.site.frame) for e in world.facts(body).operands(origin.expr)]
    if operator_method(origin.expr) or _name(origin, target) in _WEIGHTING:
        return operands
    # Of methods the tensors count: the receiver, and arguments that are tensors.
    return [s for n, s in enumerate(operands) if n == 0 or isinstance(term_of(world, s), Tensor)]


def _leaf(world: World, origin: Origin) -> Reduction:
    if origin.kind == "literal":
        return LITERAL
    if not origin.steps:
        term = term_of(world, origin.site)
        if term is not None and not isinstance(term, Tensor) and origin.kind in ("item", "param"):
            return NUMBER
    if origin.kind in ("param", "closure_param"):
        return _one_case("open", origin.site)
    return UNKNOWN


def _step(world: World, step: Step[Reduction]) -> Reduction:
    origin = step.origin
    site = origin.site
    group = _class(origin, step.target)
    if group == ops.HOST:
        return NUMBER
    if any(s.kind != "payload" for s in origin.steps):
        return UNKNOWN
    if group in (ops.ALL, ops.LOSS_MEAN):
        return _one_case("one", site)
    if group in (ops.LOSS_RAW, ops.LOSS_DIM):
        # A batch of one, as in reinforcement learning online, may leave a single value.
        many = group == ops.LOSS_RAW or _spares_batch(step.target, origin)
        return _one_case("many", site) if many and not _one_sample(world, origin) else UNKNOWN
    if group == ops.EACH:
        return _each(step)
    if group in (ops.MOVED, ops.DIM):
        return _rearranged(world, step, group)
    term = term_of(world, site)
    if group == ops.NEW:
        return Reduction(frozenset({Case("constant", site)}))
    if term is not None and not isinstance(term, Tensor):
        return NUMBER if not origin.steps else UNKNOWN
    # A slice of one element, a product of a row and a column.
    sizes = shape(world, site) if not origin.steps else None
    return _one_case("one" if sizes and set(sizes) == {1} else "open", site)


_WEIGHTING = frozenset({"div", "div_scalar", "mul", "mul_scalar"})
_ORDER = {
    "literal": 0,
    "number": 1,
    "constant": 2,
    "one": 3,
    "unknown": 4,
    "open": 5,
    "scaled": 6,
    "weighted": 7,
    "many": 8,
}


def _one_case(state: str, cause: Site) -> Reduction:
    return Reduction(frozenset({Case(state, cause, True)}))


def _one_sample(world: World, origin: Origin) -> bool:
    """Whether the batch of a loss has visibly been made one."""
    frame = origin.site.frame
    operands = [Site(e, frame) for e in world.facts(frame.body).operands(origin.expr)]
    return any(
        may_be_one(world, s) or (shape(world, s) or (None,))[0] == 1
        for s in operands
        if isinstance(term_of(world, s), Tensor)
    )


def _each(step: Step[Reduction]) -> Reduction:
    """Operands meet element by element, so the result has as many elements as the largest of them."""
    name = _name(step.origin, step.target)
    weighs = name if name in _WEIGHTING else ""
    facts = [fact for fact in step.facts if fact is not None]
    divides = weighs.startswith("div") and len(facts) == 2 and facts[1] == LITERAL
    # A half is a half; any other number may be that of the elements.
    if divides and not _is_two(step.operands[1].expr):
        facts[1] = NUMBER
    cases: frozenset[Case] = facts[0].cases if facts else UNKNOWN.cases
    for fact in facts[1:]:
        cases = frozenset(_larger(a, b, weighs) for a in cases for b in fact.cases)
        if len(cases) > MAX_CASES:
            return UNKNOWN
    return Reduction(frozenset(case._replace(computed=case.cause is not None) for case in cases))


def _larger(a: Case, b: Case, weighs: str) -> Case:
    """The case of two operands; `weighs` names a product or quotient, by which a sum may be made a mean."""
    if {a.state, b.state} == {"open", "unknown"}:
        return Case("unknown", None)
    first, second = (a, b) if _rank(a) >= _rank(b) else (b, a)
    if first.state == second.state:
        first = first._replace(batch=first.batch and second.batch)
    if weighs and first.state in ("many", "weighted") and second.state != "literal":
        by_tensor = weighs == "mul" and second.state in ("open", "many", "weighted", "constant")
        return first._replace(state="weighted" if by_tensor else "scaled")
    return first


def _rank(case: Case) -> tuple[object, ...]:
    """An order of cases: the larger one decides; of two of a kind the same one, whatever the order of the
    operands."""
    if case.cause is None:
        return (_ORDER[case.state], False, ())
    called = isinstance(case.cause.expr, hir.Call | hir.MethodCall)
    return (_ORDER[case.state], called, case.cause.order)


def _rearranged(world: World, step: Step[Reduction], group: str) -> Reduction:
    fact = step.facts[0] if step.facts else None
    if fact is None:
        return UNKNOWN
    keeps = group == ops.DIM and _not_first(world, step)
    cases = set()
    for case in fact.cases:
        if (
            group == ops.DIM
            and case.state in ("many", "weighted", "scaled", "open")
            and not (keeps and case.batch)
        ):
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
    term = term_of(world, Site(operands[0], step.origin.site.frame))
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


def _is_two(e: hir.Expr) -> bool:
    return (
        isinstance(e, hir.Literal) and e.text.removesuffix(e.suffix).strip("_").rstrip("0").rstrip(".") == "2"
    )


def _integer(e: hir.Expr) -> int | None:
    negative = isinstance(e, hir.Unary) and e.op == "-"
    literal = e.operand if isinstance(e, hir.Unary) and negative else e
    if not isinstance(literal, hir.Literal) or literal.kind != "int":
        return None
    number = digits.number(literal.text.removesuffix(literal.suffix))
    return -number if negative and number is not None else number
