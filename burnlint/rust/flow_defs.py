"""Places and definitions: which binding or field a piece of code sets, and from which part of which
expression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from burnlint.rust import digits, hir

if TYPE_CHECKING:
    from burnlint.rust.cfg import Condition
    from burnlint.rust.types import Path

MAX_FIELDS = 3
"""How many field names a place keeps: `self.a.b.c.d` is tracked as `self.a.b.c`."""


class Place(NamedTuple):
    """A local with up to `MAX_FIELDS` field names: `x`, `self.model`. References and dereferences are seen
    through."""

    local: hir.Local
    fields: tuple[str, ...] = ()

    def covers(self, other: Place) -> bool:
        """Whether `other` is this place or lies inside it."""
        return self.local is other.local and self.fields == other.fields[: len(self.fields)]

    def __str__(self) -> str:
        return ".".join((self.local.name, *self.fields))


@dataclass(slots=True, frozen=True)
class Step:
    """One step from a value into a part of it.

    `kind` is "field" (`name` is the field or tuple index; `path` names the struct or variant where a pattern
    did) or "element" (of an iterator, array or slice; `name` is the index where a pattern fixes it, else
    empty).
    """

    kind: str
    name: str = ""
    path: Path | None = None


@dataclass(slots=True, eq=False)
class Definition:
    """One event that gives a place its value.

    `kind`: "self", "param", "let", "pattern" (match, if let, while let), "for", "closure_param", "assign",
    "assign_op", "modified" (a call, a method, a borrow or an opaque macro may have changed the place through
    `&mut`) and "declared" (`let x;`, which has no value yet).

    The value is the part of `value` that `steps` leads to; None where no expression of the body gives it
    (parameters). For "assign_op" it is the `AssignOp` itself, for "modified" unknown. `into` is where the
    value lands inside `place` if not all of it is set (`v[i] = x`, or fields beyond `MAX_FIELDS`); `weak`
    definitions do not end earlier ones.
    `expr` is what makes it happen (the assignment, call, closure, loop, match); None for parameters and
    `let`.
    `index` is the parameter's or closure parameter's number, for "modified" the argument's, -1 for the
    receiver.
    """

    id: int
    kind: str
    place: Place
    span: hir.Span
    value: hir.Expr | None = None
    steps: tuple[Step, ...] = ()
    expr: hir.Expr | None = None
    index: int = 0
    into: tuple[Step, ...] = ()
    weak: bool = False
    cfg: Condition | None = None
    """The condition of a conditionally compiled `let`: without it, an outer binding of the name may be
    meant."""


def place_of(expr: hir.Expr) -> tuple[Place, tuple[str, ...]] | None:
    """The place that an expression spells, and the fields that go deeper than a place does. None: it spells
    no place."""
    fields: list[str] = []
    while True:
        if isinstance(expr, hir.Field):
            fields.append(expr.name)
            expr = expr.base
        elif isinstance(expr, hir.LocalRef):
            fields.reverse()
            return Place(expr.local, tuple(fields[:MAX_FIELDS])), tuple(fields[MAX_FIELDS:])
        elif isinstance(expr, hir.Ref | hir.Deref):
            expr = expr.operand
        else:
            return None


def root_of(expr: hir.Expr) -> hir.LocalRef | None:
    """The use of a local that a place expression starts with."""
    while isinstance(expr, hir.Field | hir.Ref | hir.Deref):
        expr = expr.base if isinstance(expr, hir.Field) else expr.operand
    return expr if isinstance(expr, hir.LocalRef) else None


def root_place(expr: hir.Expr) -> tuple[Place, tuple[Step, ...]] | None:
    """The place that holds what an expression spells, and the way from there to it: `v[i].w` lies in `v`."""
    outer: list[Step] = []
    while True:
        found = place_of(expr)
        if found:
            outer.reverse()
            return found[0], (*(Step("field", name) for name in found[1]), *outer)
        if isinstance(expr, hir.Field):
            outer.append(Step("field", expr.name))
            expr = expr.base
        elif isinstance(expr, hir.Index):
            outer.append(Step("element"))
            expr = expr.base
        elif isinstance(expr, hir.Ref | hir.Deref):
            expr = expr.operand
        else:
            return None


def bindings(pattern: hir.Pattern) -> Iterator[tuple[hir.Local, hir.Span, tuple[Step, ...]]]:
    """The locals that a pattern binds, each with the way from the matched value to the part it takes."""
    stack: list[tuple[hir.Pattern, tuple[Step, ...]]] = [(pattern, ())]
    while stack:
        at, steps = stack.pop()
        if isinstance(at, hir.Bind):
            yield at.local, at.span, steps
            if at.sub is not None:
                stack.append((at.sub, steps))
        elif isinstance(at, hir.TuplePat):
            stack.extend((item, (*steps, step)) for item, step in _numbered(at.items, "field", None))
        elif isinstance(at, hir.SlicePat):
            stack.extend((item, (*steps, step)) for item, step in _numbered(at.items, "element", None))
        elif isinstance(at, hir.TupleStructPat):
            stack.extend((item, (*steps, step)) for item, step in _numbered(at.items, "field", at.path))
        elif isinstance(at, hir.StructPat):
            stack.extend((item, (*steps, Step("field", name, at.path))) for name, item in reversed(at.fields))
        elif isinstance(at, hir.RefPat):
            stack.append((at.inner, steps))
        elif isinstance(at, hir.OrPat):
            stack.extend((item, steps) for item in reversed(at.items))
        elif isinstance(at, hir.UnknownPat):
            for local in at.locals:
                yield local, local.span, (*steps, Step("field"))


def _numbered(items: list[hir.Pattern], kind: str, path: Path | None) -> list[tuple[hir.Pattern, Step]]:
    """Items of a pattern with their steps, last first; behind `..` the position is not known."""
    out, rest = [], False
    for number, item in enumerate(items):
        whole = item.sub if isinstance(item, hir.Bind) and item.sub is not None else item
        rest = rest or isinstance(whole, hir.Rest)
        out.append((item, Step(kind, "" if rest else str(number), path)))
    out.reverse()
    return out


def project(expr: hir.Expr, steps: tuple[Step, ...]) -> tuple[hir.Expr, tuple[Step, ...]]:
    """Follow `steps` into tuple, array, struct and variant literals as far as they are spelt out; what is
    left stays in the steps."""
    while steps:
        step = steps[0]
        if isinstance(expr, hir.Ref | hir.Deref):
            expr = expr.operand
            continue
        if isinstance(expr, hir.Macro) and expr.path.name == "vec" and expr.args:
            expr = expr.args[0]
            continue
        inner = _part(expr, step)
        if inner is None:
            break
        expr, steps = inner, steps[1:]
    return expr, steps


def _part(expr: hir.Expr, step: Step) -> hir.Expr | None:
    match expr:
        case hir.Tuple() if step.kind == "field" and step.path is None:
            return _item(expr.items, step.name)
        case hir.Array() if step.kind == "element":
            return _item(expr.items, step.name)
        case hir.StructLit() if step.kind == "field" and expr.base is None:
            values = [f.value for f in expr.fields if f.name == step.name and f.cfg is None]
            return values[0] if len(values) == 1 else None
        # `Some(x)` against the pattern `Some(y)`: in code that compiles, the same name is the same variant.
        case hir.Call(callee=hir.PathExpr(path=path)) if step.path and path.name == step.path.name:
            return _item(expr.args, step.name)
    return None


def _item(items: list[hir.Expr], name: str) -> hir.Expr | None:
    at = digits.number(name)
    return items[at] if at is not None and at < len(items) else None
