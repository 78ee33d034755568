"""Every path that a file writes, in types, bounds, expressions and patterns, with what it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from burnlint.rust import hir
from burnlint.rust import types as rt
from burnlint.rust.items import Const, Enum, Fn, Impl, Item, Struct, Trait, TypeAlias
from burnlint.rust.source import SourceFile

BodyOf = Callable[[Item], "hir.Body | None"]
"""The lowered body of a function or constant."""


@dataclass(eq=False, slots=True)
class Written:
    """A path in source. `item` is the item whose generics and names are in scope there.

    `role` is `type`, `bound` (of a generic, an `impl Trait`, a supertrait, a where clause), `trait` (of an
    impl), `value` (an expression) or `pattern`. A path inside of another one has that as `outer`, and is the
    argument with number `argument` of its segment `segment`; `segment` is -1 for the `T` of `<T as Trait>`.
    """

    path: rt.Path
    item: Item
    role: str
    outer: Written | None = None
    segment: int = 0
    argument: int = -1
    call: hir.MethodCall | None = None
    """The method call among whose turbofish's arguments it is number `argument`."""
    body: hir.Body | None = None
    expr: hir.Expr | None = None
    """The expression that it is, or that it is a part of."""
    constrained: bool = False
    """Whether it is what a where clause is about (`B::Device: Send`), or a part of that."""

    @property
    def name(self) -> str:
        """Its last name."""
        return self.path.name


def written(source: SourceFile, body_of: BodyOf) -> Iterator[Written]:
    """The paths of a file; a path comes before those inside of it."""
    for item in source.items.all:
        yield from _of_item(item)
        body = body_of(item) if isinstance(item, Fn | Const) else None
        if body is not None:
            yield from _of_body(body, item)


def _of_item(item: Item) -> Iterator[Written]:
    generics = getattr(item, "generics", rt.Generics()) if _may_be_generic(item) else rt.Generics()
    for param in generics.params:
        for bound in param.bounds:
            yield from inside(bound, item, "bound")
        yield from inside(param.default, item)
    for subject, bounds in generics.where:
        yield from inside(subject, item, constrained=True)
        for bound in bounds:
            yield from inside(bound, item, "bound", constrained=True)
    if isinstance(item, Fn):
        for each in (*(param.type for param in item.params), item.self_type, item.result):
            yield from inside(each, item)
    elif isinstance(item, Impl):
        if item.trait is not None:
            yield from _of_path(item.trait, item, "trait")
        yield from inside(item.self_type, item)
    elif isinstance(item, Trait):
        for bound in item.supertraits:
            yield from inside(bound, item, "bound")
    elif isinstance(item, TypeAlias):
        yield from inside(item.target, item)
        for bound in item.bounds:
            yield from inside(bound, item, "bound")
    elif isinstance(item, Const):
        yield from inside(item.type, item)
    elif isinstance(item, Struct):
        for field in item.fields:
            yield from inside(field.type, item)
    elif isinstance(item, Enum):
        for variant in item.variants:
            for field in variant.fields:
                yield from inside(field.type, item)


def _may_be_generic(item: Item) -> bool:
    return isinstance(item, Fn | Impl | Trait | TypeAlias | Struct | Enum)


def _of_body(body: hir.Body, item: Item) -> Iterator[Written]:
    for e in body.exprs:
        if isinstance(e, hir.PathExpr | hir.StructLit):
            yield from _of_path(e.path, item, "value", body=body, expr=e)
        elif isinstance(e, hir.MethodCall):
            for at, argument in enumerate(e.generics):
                yield from inside(argument, item, call=e, argument=at, body=body, expr=e)
        elif isinstance(e, hir.Cast):
            yield from inside(e.type, item, body=body, expr=e)
        elif isinstance(e, hir.Closure):
            for pattern, type in e.params:
                yield from inside(type, item, body=body, expr=e)
                yield from _of_pattern(pattern, item, body)
            yield from inside(e.result, item, body=body, expr=e)
        elif isinstance(e, hir.Block):
            for statement in e.statements:
                if isinstance(statement, hir.Let):
                    yield from inside(statement.type, item, body=body, expr=statement.init)
                    yield from _of_pattern(statement.pattern, item, body)
        elif isinstance(e, hir.Match):
            for arm in e.arms:
                yield from _of_pattern(arm.pattern, item, body)
        elif isinstance(e, hir.For | hir.LetCond):
            yield from _of_pattern(e.pattern, item, body)
    for pattern, _ in body.params:
        yield from _of_pattern(pattern, item, body)


def _of_pattern(pattern: hir.Pattern, item: Item, body: hir.Body) -> Iterator[Written]:
    stack = [pattern]
    while stack:
        at = stack.pop()
        if isinstance(at, hir.TupleStructPat | hir.StructPat | hir.PathPat):
            yield from _of_path(at.path, item, "pattern", body=body)
        if isinstance(at, hir.Bind) and at.sub is not None:
            stack.append(at.sub)
        elif isinstance(at, hir.RefPat):
            stack.append(at.inner)
        elif isinstance(at, hir.StructPat):
            stack.extend(inner for _, inner in reversed(at.fields))
        elif isinstance(at, hir.TuplePat | hir.SlicePat | hir.TupleStructPat | hir.OrPat):
            stack.extend(reversed(at.items))


def inside(
    type: rt.TypeExpr | None,
    item: Item,
    role: str = "type",
    *,
    outer: Written | None = None,
    segment: int = 0,
    argument: int = -1,
    call: hir.MethodCall | None = None,
    body: hir.Body | None = None,
    expr: hir.Expr | None = None,
    constrained: bool = False,
) -> Iterator[Written]:
    """The paths of a type. `MAX_DEPTH` of `burnlint.rust.typesyntax` bounds the recursion."""
    if isinstance(type, rt.PathType):
        yield from _of_path(
            type.path,
            item,
            role,
            outer=outer,
            segment=segment,
            argument=argument,
            call=call,
            body=body,
            expr=expr,
            constrained=constrained,
        )
        return
    parts: tuple[tuple[rt.TypeExpr | None, str], ...] = ()
    if isinstance(type, rt.RefType):
        parts = ((type.inner, role),)
    elif isinstance(type, rt.TupleType):
        parts = tuple((each, "type") for each in type.items)
    elif isinstance(type, rt.ArrayType | rt.SliceType):
        parts = ((type.item, "type"),)
    elif isinstance(type, rt.FnType):
        parts = (*((each, "type") for each in type.params), (type.result, "type"))
    elif isinstance(type, rt.BoundType):
        parts = tuple((each, "bound") for each in type.bounds)
    for part, kind in parts:
        yield from inside(part, item, kind, outer=outer, body=body, expr=expr, constrained=constrained)


def _of_path(
    path: rt.Path,
    item: Item,
    role: str,
    *,
    outer: Written | None = None,
    segment: int = 0,
    argument: int = -1,
    call: hir.MethodCall | None = None,
    body: hir.Body | None = None,
    expr: hir.Expr | None = None,
    constrained: bool = False,
) -> Iterator[Written]:
    made = Written(path, item, role, outer, segment, argument, call, body, expr, constrained)
    yield made
    yield from inside(path.qself, item, outer=made, segment=-1, body=body, expr=expr, constrained=constrained)
    for at, each in enumerate(path.segments):
        for number, arg in enumerate(each.args):
            yield from inside(
                arg,
                item,
                outer=made,
                segment=at,
                argument=number,
                body=body,
                expr=expr,
                constrained=constrained,
            )
        for _, value in each.bindings:
            yield from inside(value, item, outer=made, segment=at, body=body, expr=expr)
