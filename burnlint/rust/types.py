"""Types and paths as written in source: no names resolved, nothing known of any crate.

None of this is ever changed once made. It is not declared frozen as making frozen objects takes four times as
long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Span = tuple[int, int]


@dataclass(slots=True, unsafe_hash=True)
class Segment:
    """One step of a path with its generic arguments: `Vec<f32>` in `std::vec::Vec<f32>`.

    `bindings` are associated types (`Iterator<Item = T>`). Lifetimes are left out everywhere.
    """

    name: str
    args: tuple[TypeExpr, ...] = ()
    bindings: tuple[tuple[str, TypeExpr], ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class Path:
    """`a::b::<T>::c`; `leading` for `::a`. `qself` is the type of `<T as Trait>::name`, whose segments then
    spell the trait and the name (`<T>::name` has only the name)."""

    segments: tuple[Segment, ...]
    span: Span
    leading: bool = False
    qself: TypeExpr | None = None

    @property
    def name(self) -> str:
        """The last segment's name."""
        return self.segments[-1].name

    def __str__(self) -> str:
        return "::".join(s.name for s in self.segments)


@dataclass(slots=True, unsafe_hash=True)
class TypeExpr:
    """Base of all types in source."""

    span: Span


@dataclass(slots=True, unsafe_hash=True)
class PathType(TypeExpr):
    path: Path


@dataclass(slots=True, unsafe_hash=True)
class RefType(TypeExpr):
    mutable: bool
    inner: TypeExpr


@dataclass(slots=True, unsafe_hash=True)
class TupleType(TypeExpr):
    """`()` has no items."""

    items: tuple[TypeExpr, ...]


@dataclass(slots=True, unsafe_hash=True)
class ArrayType(TypeExpr):
    item: TypeExpr
    length: str
    """As written: a number, a const parameter, an expression."""


@dataclass(slots=True, unsafe_hash=True)
class SliceType(TypeExpr):
    item: TypeExpr


@dataclass(slots=True, unsafe_hash=True)
class FnType(TypeExpr):
    """`fn(A) -> B`, and the bound `Fn(A) -> B` (then `name` is Fn, FnMut or FnOnce)."""

    params: tuple[TypeExpr, ...]
    result: TypeExpr | None
    name: str = "fn"


@dataclass(slots=True, unsafe_hash=True)
class BoundType(TypeExpr):
    """`impl A + B` and `dyn A + B`."""

    keyword: str
    bounds: tuple[TypeExpr, ...]


@dataclass(slots=True, unsafe_hash=True)
class ConstArg(TypeExpr):
    """A const generic argument: `2`, `-1`, `{ N + 1 }`, `true`."""

    text: str


@dataclass(slots=True, unsafe_hash=True)
class InferType(TypeExpr):
    """`_`."""


@dataclass(slots=True, unsafe_hash=True)
class UnknownType(TypeExpr):
    """Never, raw pointers, macros in type position, broken code."""

    why: str


@dataclass(slots=True, unsafe_hash=True)
class GenericParam:
    """`T: Bound = Default`, `const N: usize`; where-clauses on a bare parameter are among its bounds."""

    name: str
    is_const: bool
    bounds: tuple[TypeExpr, ...] = ()
    default: TypeExpr | None = None


@dataclass(slots=True, unsafe_hash=True)
class Generics:
    params: tuple[GenericParam, ...] = ()
    where: tuple[tuple[TypeExpr, tuple[TypeExpr, ...]], ...] = field(default=())
    """Predicates on anything but a bare parameter of this list (for example `B::Device: Send`)."""


def nested(expr: TypeExpr) -> Iterator[TypeExpr]:
    """A type and all types written inside of it, outermost first."""
    stack: list[TypeExpr] = [expr]
    while stack:
        top = stack.pop()
        yield top
        inner: tuple[TypeExpr, ...] = ()
        if isinstance(top, PathType):
            inner = tuple(arg for segment in top.path.segments for arg in segment.args)
        elif isinstance(top, RefType):
            inner = (top.inner,)
        elif isinstance(top, TupleType):
            inner = top.items
        elif isinstance(top, ArrayType | SliceType):
            inner = (top.item,)
        elif isinstance(top, FnType):
            inner = top.params if top.result is None else (*top.params, top.result)
        elif isinstance(top, BoundType):
            inner = top.bounds
        stack.extend(reversed(inner))
