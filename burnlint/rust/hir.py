"""The lowered form of one function body: expressions, statements and patterns, with integer ids.

Everything after parsing sees only this, never tree-sitter nodes: parentheses are gone, `x += y` and `x = x +
y` stay apart as `AssignOp` and `Assign`, let-else is `Let.otherwise`, `if let` and `while let` conditions
are `LetCond` inside `If` and `While`, macros with a known argument form are `Macro` nodes with lowered
arguments, what lies inside an ERROR node is `Unknown`.

Ids count from 0 within a `Body`; `body.exprs[e.id] is e`. An expression has a higher id than everything
inside of it, and operands have ids in the order in which they are evaluated (of an assignment, the value
first): a loop over `body.exprs` visits inner before outer. Method chains, operator chains and else-if chains
may be thousands long, so walk by that loop or with a stack, never by recursion. Spans are byte offsets
`(start, end)` into the file. Nodes are never changed after lowering.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from burnlint.rust.cfg import Condition
    from burnlint.rust.items import Const, Fn
    from burnlint.rust.types import Path, TypeExpr

Span = tuple[int, int]
_Kind = TypeVar("_Kind", bound="Expr")

NEW = -1
"""The id of an expression that is not in a body yet."""


@dataclass(slots=True, eq=False)
class Local:
    """One binding of a body: a parameter, a `let`, a pattern variable. Shadowing makes a new `Local`."""

    id: int
    name: str
    span: Span
    mutable: bool = False
    by_ref: bool = False
    """Bound with `ref` or `ref mut`."""


@dataclass(slots=True, eq=False)
class Expr:
    """Base of all expressions."""

    id: int
    span: Span


@dataclass(slots=True, eq=False)
class Literal(Expr):
    kind: str
    """int, float, str, bytes, cstr, bool, char or unit."""
    text: str
    """As written, with its suffix; () for unit."""
    suffix: str = ""


@dataclass(slots=True, eq=False)
class LocalRef(Expr):
    """A use of a local binding, `self` included."""

    local: Local


@dataclass(slots=True, eq=False)
class PathExpr(Expr):
    """A path that names no local: an item, an associated function, a constant, an enum variant."""

    path: Path


@dataclass(slots=True, eq=False)
class Call(Expr):
    """`callee(args)`: function call, path call of a method, tuple struct or variant constructor."""

    callee: Expr
    args: list[Expr]


@dataclass(slots=True, eq=False)
class MethodCall(Expr):
    receiver: Expr
    name: str
    name_span: Span
    generics: list[TypeExpr]
    """The turbofish's arguments."""
    args: list[Expr]


@dataclass(slots=True, eq=False)
class Field(Expr):
    """`base.name`; tuple fields have digits as name."""

    base: Expr
    name: str
    name_span: Span


@dataclass(slots=True, eq=False)
class Index(Expr):
    base: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Unary(Expr):
    """`-x` and `!x`."""

    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class Deref(Expr):
    operand: Expr


@dataclass(slots=True, eq=False)
class Ref(Expr):
    """`&x`, `&mut x`, `&raw const x`."""

    mutable: bool
    operand: Expr


@dataclass(slots=True, eq=False)
class Binary(Expr):
    """`left op right`; op as written, also comparison, `&&`, `||`."""

    op: str
    op_span: Span
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Underscore(Expr):
    """`_` as the target of an assignment, or of a part of one."""


@dataclass(slots=True, eq=False)
class Assign(Expr):
    """`target = value`; the target may destructure: a `Tuple`, `Array`, `Call` or `StructLit` of targets."""

    target: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class AssignOp(Expr):
    """`target op= value`; op without the `=`."""

    op: str
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Cast(Expr):
    """`operand as type`."""

    operand: Expr
    type: TypeExpr


@dataclass(slots=True, eq=False)
class Try(Expr):
    """`operand?`."""

    operand: Expr


@dataclass(slots=True, eq=False)
class Await(Expr):
    operand: Expr


@dataclass(slots=True, eq=False)
class Tuple(Expr):
    items: list[Expr]


@dataclass(slots=True, eq=False)
class Array(Expr):
    """`[a, b]`, and what `vec![a, b]` holds."""

    items: list[Expr]


@dataclass(slots=True, eq=False)
class Repeat(Expr):
    """`[item; length]`."""

    item: Expr
    length: Expr


@dataclass(slots=True, eq=False)
class FieldInit:
    name: str
    span: Span
    value: Expr
    """For the shorthand `S { x }` a `LocalRef` or `PathExpr` with the field's span."""
    cfg: Condition | None = None


@dataclass(slots=True, eq=False)
class StructLit(Expr):
    path: Path
    fields: list[FieldInit]
    base: Expr | None
    """`..base`."""


@dataclass(slots=True, eq=False)
class Range(Expr):
    low: Expr | None
    high: Expr | None
    inclusive: bool


@dataclass(slots=True, eq=False)
class Block(Expr):
    statements: list[Statement]
    tail: Expr | None
    """The expression without a semicolon at the end: the block's value."""
    label: str | None = None
    kind: str = "plain"
    """plain, unsafe, async, const, try, gen."""


@dataclass(slots=True, eq=False)
class If(Expr):
    condition: Expr
    then: Block
    otherwise: Expr | None


@dataclass(slots=True, eq=False)
class LetCond(Expr):
    """`let pattern = value` as a condition; value bool."""

    pattern: Pattern
    value: Expr


@dataclass(slots=True, eq=False)
class Arm:
    pattern: Pattern
    guard: Expr | None
    body: Expr
    span: Span
    cfg: Condition | None = None


@dataclass(slots=True, eq=False)
class Match(Expr):
    scrutinee: Expr
    arms: list[Arm]


@dataclass(slots=True, eq=False)
class Loop(Expr):
    body: Block
    label: str | None


@dataclass(slots=True, eq=False)
class While(Expr):
    condition: Expr
    body: Block
    label: str | None


@dataclass(slots=True, eq=False)
class For(Expr):
    pattern: Pattern
    iterable: Expr
    body: Block
    label: str | None


@dataclass(slots=True, eq=False)
class Closure(Expr):
    params: list[tuple[Pattern, TypeExpr | None]]
    result: TypeExpr | None
    body: Expr
    moves: bool
    is_async: bool


@dataclass(slots=True, eq=False)
class Return(Expr):
    value: Expr | None


@dataclass(slots=True, eq=False)
class Break(Expr):
    label: str | None
    value: Expr | None


@dataclass(slots=True, eq=False)
class Continue(Expr):
    label: str | None


@dataclass(slots=True, eq=False)
class Macro(Expr):
    """A macro call.

    `form` says how the arguments were read:

    - "exprs": lowered, evaluated once, in order; `vec!` has one argument, an `Array` or `Repeat`;
    - "format": likewise, and those that the format string names (`{x}`) follow the others;
    - "matches": one argument, the `Match` that the call means;
    - "slices" (`s![..]`): ranges and indices; `range;step` is a `Binary` with the operator `;`;
    - "none": the arguments are not evaluated (`stringify!`, `cfg!`);
    - "opaque": the tokens were not understood, `args` holds a `LocalRef` for each identifier that names a
      local, and each of them may be changed or moved.
    """

    path: Path
    args: list[Expr]
    form: str
    borrows: bool
    """True where the arguments are only borrowed (format, assert)."""
    diverges: bool = False
    """panic!, unreachable!, todo!, unimplemented!."""
    placeholders: list[Placeholder] = field(default_factory=list)
    """What the format string shows, in its order."""
    names: dict[str, Expr] = field(default_factory=dict)
    """The arguments given by name (`width = 3`, `epsilon = 1e-3`), all of them in `args` too."""


@dataclass(slots=True, eq=False)
class Placeholder:
    """`{x:?}` in a format string: `arg` is None if there is no such argument, `spec` follows the colon."""

    span: Span
    arg: Expr | None
    spec: str


@dataclass(slots=True, eq=False)
class Unknown(Expr):
    """Not understood: broken code or syntax that lowering does not know.

    `args` as in an opaque macro, or the parts that were understood. `why` is "syntax error", "missing" (the
    parser put in what was not there), "too deep", "syntax KIND" for a node type that lowering does not know,
    "yield", or "cfg alternatives": tails of a block under different conditions, each in `args`.
    """

    args: list[Expr]
    why: str


@dataclass(slots=True, eq=False)
class Pattern:
    span: Span


@dataclass(slots=True, eq=False)
class Wild(Pattern):
    """`_`."""


@dataclass(slots=True, eq=False)
class Rest(Pattern):
    """`..` in a tuple or slice pattern."""


@dataclass(slots=True, eq=False)
class Bind(Pattern):
    local: Local
    sub: Pattern | None = None
    """`name @ sub`."""


@dataclass(slots=True, eq=False)
class TuplePat(Pattern):
    items: list[Pattern]


@dataclass(slots=True, eq=False)
class SlicePat(Pattern):
    items: list[Pattern]


@dataclass(slots=True, eq=False)
class RefPat(Pattern):
    """`&p`, also `box p`."""

    inner: Pattern


@dataclass(slots=True, eq=False)
class TupleStructPat(Pattern):
    path: Path
    items: list[Pattern]


@dataclass(slots=True, eq=False)
class StructPat(Pattern):
    path: Path
    fields: list[tuple[str, Pattern]]
    rest: bool


@dataclass(slots=True, eq=False)
class PathPat(Pattern):
    """A unit variant, a constant."""

    path: Path


@dataclass(slots=True, eq=False)
class LitPat(Pattern):
    """A literal or a range of literals, as written: binds nothing."""

    text: str


@dataclass(slots=True, eq=False)
class OrPat(Pattern):
    """Alternatives; a name that several alternatives bind is one and the same `Local`."""

    items: list[Pattern]


@dataclass(slots=True, eq=False)
class UnknownPat(Pattern):
    locals: list[Local]


@dataclass(slots=True, eq=False)
class Statement:
    span: Span


@dataclass(slots=True, eq=False)
class Let(Statement):
    pattern: Pattern
    type: TypeExpr | None
    init: Expr | None
    otherwise: Block | None
    """The else block of let-else."""
    cfg: Condition | None = None


@dataclass(slots=True, eq=False)
class ExprStatement(Statement):
    expr: Expr
    semicolon: bool
    cfg: Condition | None = None


@dataclass(slots=True, eq=False)
class ItemStatement(Statement):
    """An item declared inside the body (fn, struct, use, const …); its scope is the enclosing block."""

    name: str | None


@dataclass(eq=False)
class Body:
    """A lowered body of a function, or the value of a constant or static."""

    owner: Fn | Const
    params: list[tuple[Pattern, TypeExpr | None]]
    """Without `self`."""
    self_local: Local | None
    root: Expr
    exprs: list[Expr] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)

    @cached_property
    def parents(self) -> list[int]:
        """For each expression, by id, the id of the one around it, or -1 at the root.

        Statements and arms count as their block or match.
        """
        from burnlint.rust import visit  # which builds on this module

        return visit.parents(self.exprs)

    @cached_property
    def _by_kind(self) -> dict[type, list[Expr]]:
        found: dict[type, list[Expr]] = {}
        for e in self.exprs:
            found.setdefault(e.__class__, []).append(e)
        return found

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """The expressions of a kind, inner before outer."""
        return cast("list[_Kind]", self._by_kind.get(kind, []))
