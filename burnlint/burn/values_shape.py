"""Shapes where they are visible, and the host numbers that they are made of.

What is told of a dimension holds on every path: a number, or a `Symbol` where no number is in sight: the same
symbol is the same size, and says nothing else of it. None where not even that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from burnlint.burn import shape_ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.shapes import Size, Sizes, Span, Symbol, joined, minus, plus, times
from burnlint.burn.terms import Array, Const, Named, Ref, Tensor, Term
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin, origins
from burnlint.burn.values_site import Site, World
from burnlint.rust import digits, hir, scalars

MAX_SITES = 800
"""Values that a question of a shape may look at. Of those that the rules ask of 84 public projects, the ones that end
at all look at 700 or fewer, nearly all of them at less than 100; the others go through a whole network."""


@dataclass(slots=True, frozen=True)
class Shape:
    """A tensor's shape, or an array of sizes."""

    sizes: Sizes


@dataclass(slots=True, frozen=True)
class Number:
    """A host number."""

    value: Size


@dataclass(slots=True, frozen=True)
class Opaque:
    """A value of which only its identity is known, or (None) not even that."""

    key: object = None


@dataclass(slots=True, frozen=True)
class Earlier:
    """An earlier round of the value itself: whatever the other paths say."""


Fact: TypeAlias = Shape | Number | Opaque | Earlier
UNKNOWN = Opaque()
EARLIER = Earlier()

Arg: TypeAlias = "Site | list[Arg] | _Entry"


@dataclass(slots=True)
class _Entry:
    """An entry of a slice with its ends as sites."""

    low: Site | None
    high: Site | None
    index: bool = False
    inclusive: bool = False
    step: Site | None = None
    negated: bool = False
    """Whether the upper end counts from the back."""
    ahead: int | None = None
    """How far the upper end is from the lower one, where both are spelt with the same variable."""


def shape(world: World, site: Site) -> Sizes | None:
    """The sizes of a tensor; None if its rank is not known."""
    fact = _fold(world).of(site)
    return _sizes(fact, _rank(_term(world, site)))


def number(world: World, site: Site) -> Size:
    """A host number: an int, a symbol, or None."""
    return _number(_fold(world).of(site))


def _number(fact: Fact | None) -> Size:
    if isinstance(fact, Opaque) and fact.key is not None:
        return Symbol(fact.key)
    return fact.value if isinstance(fact, Number) else None


def spans(world: World, site: Site) -> list[Span | None] | None:
    """The entries of what a slice is given (None: not understood); None if it is not written out."""
    entries = _entries(world, site)
    if entries is None:
        return None
    fold = _fold(world)
    return [
        None if entry is None else _span(entry, {each: fold.of(each) for each in _sites([entry])})
        for entry in entries
    ]


def _fold(world: World) -> Fold[Fact]:
    plans: dict[Site, list[Arg] | None] = {}

    def plan(origin: Origin, target: Target | None) -> list[Arg]:
        if origin.site not in plans:
            plans[origin.site] = _plan(world, origin, target)
        return plans[origin.site] or []

    return Fold(
        world,
        operands=lambda origin, target: list(_sites(plan(origin, target))),
        step=lambda step: _step(world, step, plan(step.origin, step.target)),
        leaf=lambda origin: _leaf(world, origin),
        join=_join,
        unknown=UNKNOWN,
        sites=MAX_SITES,
    )


def _term(world: World, site: Site) -> Term | None:
    term = world.facts(site.frame.body).term(site.expr)
    while isinstance(term, Ref):
        term = term.target
    return term


def _rank(term: Term | None) -> int | None:
    if isinstance(term, Tensor) and isinstance(term.rank, Const) and isinstance(term.rank.value, int):
        return term.rank.value
    if isinstance(term, Array) and isinstance(term.length, Const) and isinstance(term.length.value, int):
        return term.length.value
    return None


def _sizes(fact: Fact, rank: int | None) -> Sizes | None:
    if isinstance(fact, Shape) and rank in (None, len(fact.sizes)):
        return fact.sizes
    if rank is None:
        return None
    key = fact.key if isinstance(fact, Opaque) else None
    return tuple(Symbol((key, n)) if key is not None else None for n in range(rank))


def _key(origin: Origin) -> object:
    if origin.carried:
        return None
    expr = origin.index if origin.kind == "param" else origin.expr
    return origin.kind, origin.site.frame, expr, tuple((s.kind, s.name) for s in origin.steps)


def _leaf(world: World, origin: Origin) -> Fact:
    e = origin.expr
    if origin.kind == "literal" and isinstance(e, hir.Literal):
        number = digits.number(e.text.removesuffix(e.suffix)) if e.kind == "int" else None
        return UNKNOWN if number is None else Number(number)
    # A place in a collection, or in what a loop goes over, is another value each time.
    if origin.kind == "param" and not any(s.kind == "element" for s in origin.steps):
        return _whole(Opaque(_key(origin)), None if origin.steps else _rank(_term(world, origin.site)))
    return UNKNOWN


def _join(a: Fact, b: Fact) -> Fact:
    if isinstance(a, Earlier) or a == b:
        return b
    if isinstance(b, Earlier):
        return a
    if isinstance(a, Shape) and isinstance(b, Shape):
        both = joined(a.sizes, b.sizes)
        return UNKNOWN if both is None else Shape(both)
    return UNKNOWN


def _plan(world: World, origin: Origin, target: Target | None) -> list[Arg] | None:
    """The operands of an operation whose facts matter; lists that are written out as lists."""
    frame = origin.site.frame
    operands = [Site(e, frame) for e in world.facts(frame.body).operands(origin.expr)]
    if operator_method(origin.expr):
        return list(operands)
    signature = target.signature if target is not None else None
    if signature is None:
        return None
    out: list[Arg] = []
    sliced = signature.owner == "Tensor" and signature.name.startswith("slice")
    for n, site in enumerate(operands):
        if isinstance(_term(world, site), Tensor):
            out.append(site)
        elif (sliced and n == len(operands) - 1 and signature.name in ("slice", "slice_dim")) or (
            n == 0 and signature.owner == "Tensor" and signature.name == "arange"
        ):
            found = _entries(world, site)
            out.append([] if found is None else [each if each is not None else [] for each in found])
        else:
            items = _items(world, site)
            out.append(site if items is None else items)
    return out


def _items(world: World, site: Site) -> list[Arg] | None:
    """The items of a list that is written out (`[a, b]`, `vec![..]`, `Shape::new([..])`), nested ones alike."""
    found = origins(world, site).must
    if found is None or found.steps or found.carried:
        return None
    e, frame = found.site
    if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
        own_name = frame.body.owner.file.own_name
        names = [own_name(segment.name) for segment in e.callee.path.segments[-2:]]
        if names in (["Shape", "new"], ["Shape", "from"], ["TensorData", "from"]) and len(e.args) == 1:
            return _items(world, Site(e.args[0], frame))
        if names == ["TensorData", "new"] and len(e.args) == 2:
            inner = _items(world, Site(e.args[1], frame))
            return None if inner is None else [Site(e, frame), inner]
        return None
    if not isinstance(e, hir.Array):
        return None
    return [_nested(Site(item, frame)) for item in e.items]


def _nested(site: Site) -> Arg:
    e = site.expr
    return [_nested(Site(item, site.frame)) for item in e.items] if isinstance(e, hir.Array) else site


def _entries(world: World, site: Site) -> list[_Entry | None] | None:
    """What a slice is given, entry by entry; None for `..` of no name and what is not understood."""
    found = origins(world, site).must
    e, frame = (found.site if found is not None and not found.steps else site)[:2]
    while isinstance(e, hir.Ref):
        e = e.operand
    if isinstance(e, hir.Macro) and e.form == "slices":
        items = e.args
        if len(items) == 1 and isinstance(items[0], hir.Array):
            items = items[0].items
    elif isinstance(e, hir.Array):
        items = e.items
    elif isinstance(e, hir.Range | hir.Literal | hir.Unary | hir.Binary):
        items = [e]
    else:
        return None
    return [_entry(world, Site(item, frame)) for item in items]


def _entry(world: World, site: Site) -> _Entry | None:
    e, frame = site
    step: Site | None = None
    if isinstance(e, hir.Binary) and e.op == ";":
        step = Site(e.right, frame)
        e = e.left
    # The grammar reads `a..-b` as `(a..) - b`.
    negated = (
        isinstance(e, hir.Binary) and e.op == "-" and isinstance(e.left, hir.Range) and e.left.high is None
    )
    if isinstance(e, hir.Binary) and isinstance(e.left, hir.Range) and negated:
        low = Site(e.left.low, frame) if e.left.low is not None else None
        return _Entry(low, Site(e.right, frame), inclusive=e.left.inclusive, step=step, negated=True)
    if isinstance(e, hir.Range):
        ends = [Site(end, frame) if end is not None else None for end in (e.low, e.high)]
        ahead = scalars.ahead(e.low, e.high) if e.low is not None and e.high is not None else None
        return _Entry(ends[0], ends[1], inclusive=e.inclusive, step=step, ahead=ahead)
    if isinstance(e, hir.Literal | hir.Unary) or _is_integer(_term(world, site)):
        return _Entry(site, None, index=True)
    return None


def _is_integer(term: Term | None) -> bool:
    return isinstance(term, Named) and term.name in _INTEGERS


_INTEGERS = frozenset(("u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"))


def _sites(args: Sequence[Arg]) -> Iterator[Site]:
    """The sites in a plan, in order."""
    for arg in args:
        if isinstance(arg, Site):
            yield arg
        elif isinstance(arg, list):
            yield from _sites(arg)
        else:
            yield from (each for each in (arg.low, arg.high, arg.step) if each is not None)


def _span(entry: _Entry, facts: dict[Site, Fact]) -> Span:
    def at(site: Site | None) -> Size:
        return _number(facts[site]) if site is not None else None

    if entry.index:
        return Span(at(entry.low), index=True)
    low = 0 if entry.low is None else at(entry.low)
    high = minus(0, at(entry.high)) if entry.negated else at(entry.high)
    if low is None and entry.ahead is not None:
        # The variable of a loop: another number in each round, but the same one at both ends.
        low = Symbol(entry.low)
        high = plus(low, entry.ahead)
    if entry.inclusive:
        high = plus(high, 1) if high != -1 else None
    step = at(entry.step) if entry.step is not None else 1
    return Span(low, high, open=entry.high is None, step=step if isinstance(step, int) else 0)


def _step(world: World, step: Step[Fact], plan: list[Arg]) -> Fact:
    origin, target = step.origin, step.target
    facts = dict(zip(step.operands, (EARLIER if f is None else f for f in step.facts), strict=True))
    term = _term(world, origin.site)
    signature = target.signature if target is not None else None
    unknown = _whole(Opaque(_key(origin)), None if origin.steps else _rank(term))
    if operator_method(origin.expr) and not isinstance(term, Tensor):
        return _arithmetic(origin, list(facts.values()) if len(facts) == len(plan) else [], unknown)
    if signature is not None and signature.name in ("dims", "shape") and len(facts) == 1:
        return _part(origin, next(iter(facts.items())), world)
    if any(isinstance(fact, Earlier) for fact in facts.values()):
        return EARLIER
    args = [_argument(world, arg, facts) for arg in plan]
    part = "".join(s.name for s in origin.steps)
    rank = None if part else _rank(term)
    if operator_method(origin.expr):
        sizes = shape_ops.operator(args)
    elif signature is not None and (not part or (part in ("0", "1") and signature.name in shape_ops.PAIRS)):
        sizes = shape_ops.result(signature, args, rank)
    else:
        return unknown
    return unknown if sizes is None or rank not in (None, len(sizes)) else Shape(sizes)


def _whole(fact: Fact, rank: int | None) -> Fact:
    """A value of known rank as a shape of symbols."""
    sizes = _sizes(fact, rank) if rank is not None else None
    return fact if sizes is None else Shape(sizes)


def _argument(world: World, arg: Arg, facts: dict[Site, Fact]) -> shape_ops.Arg:
    if isinstance(arg, list):
        return [_argument(world, each, facts) for each in arg]
    if isinstance(arg, _Entry):
        return _span(arg, facts)
    fact, term = facts[arg], _term(world, arg)
    if isinstance(fact, Shape) or _rank(term) is not None:
        found = _sizes(fact, _rank(term))
        return None if found is None else shape_ops.Sized(found)
    return None if isinstance(term, Tensor) else _number(fact)


def _arithmetic(origin: Origin, facts: list[Fact], opaque: Fact) -> Fact:
    e = origin.expr
    numbers = [
        f.value
        if isinstance(f, Number)
        else Symbol(f.key)
        if isinstance(f, Opaque) and f.key is not None
        else None
        for f in facts
    ]
    found: Size = None
    if len(numbers) == 1 and isinstance(e, hir.Unary) and e.op == "-":
        found = minus(0, numbers[0])
    elif isinstance(e, hir.Binary | hir.AssignOp) and len(numbers) == 2:
        a, b = numbers
        match e.op:
            case "+":
                found = plus(a, b)
            case "-":
                found = minus(a, b)
            case "*":
                found = times(a, b)
            case "/" if isinstance(a, int) and isinstance(b, int) and a >= 0 and b > 0:
                found = a // b
    return opaque if found is None else Number(found)


def _part(origin: Origin, receiver: tuple[Site, Fact], world: World) -> Fact:
    """`x.dims()`, `x.shape()`, or a part of them: one size."""
    site, fact = receiver
    if isinstance(fact, Earlier):
        return fact
    term = _term(world, site)
    rank = _rank(term)
    if rank is None:
        parts = [s for s in origin.steps if s.name != "dims"]
        if isinstance(fact, Opaque) and len(parts) == 1:
            at = _place(origin, parts[0].name)
            return Number(Symbol((fact.key, at))) if at is not None and fact.key is not None else UNKNOWN
    sizes = _sizes(fact, rank)
    if sizes is None:
        return UNKNOWN
    steps = [s for s in origin.steps if s.name != "dims"]
    if not steps:
        return Shape(sizes)
    at = _place(origin, steps[0].name) if len(steps) == 1 else None
    if at is None or at >= len(sizes):
        return UNKNOWN
    size = sizes[at]
    return UNKNOWN if size is None else Number(size)


def _place(origin: Origin, name: str) -> int | None:
    """Which element: as a pattern says, or the index that is written."""
    if name.isdecimal():
        return digits.number(name)
    written = [hop.site.expr.index for hop in origin.hop or () if isinstance(hop.site.expr, hir.Index)]
    if len(written) == 1 and isinstance(written[0], hir.Literal):
        return digits.number(written[0].text)
    return None
