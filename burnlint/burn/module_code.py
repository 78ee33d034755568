"""The code of modules: what constructors put into plain tensor fields, and forwards that check no shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import roles, terms
from burnlint.burn.values import Site
from burnlint.lint.finding import Place
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.declarations import Field
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView
    from burnlint.rust.items import Fn, Item


def constants_of_modules(file: FileView, near: str) -> Iterator[tuple[str, Expr]]:
    """The plain tensors that struct literals of modules put into fields, each with the field's name, in files that
    hold a word."""
    for name, value in fields_of_literals(file, near):
        if value.is_tensor:
            yield name, value


def fields_of_literals(file: FileView, near: str) -> Iterator[tuple[str, Expr]]:
    """What struct literals of modules put into fields, each with the field's name, in files that hold a word."""
    if not file.source.mentions(near):
        return
    for fn in file.source.items.functions:
        body = file.analysis.body(fn) if not fn.in_test else None
        if body is None:
            continue
        for e in body.exprs:
            if not isinstance(e, hir.StructLit):
                continue
            literal = file.expr(Site(e, file.analysis.values.frame(body)))
            if literal.is_module:
                for field in e.fields:
                    yield field.name, literal.inside(field.value)


def constants_in_forward(file: FileView) -> Iterator[tuple[Field, Expr]]:
    """The plain Float tensor fields of modules that a `forward…` method multiplies with another tensor or adds to one,
    each with the first such operation."""
    fields: dict[tuple[Item, str], Field] = {
        (declaration.item, field.name): field
        for declaration in file.deriving("Module")
        for field in declaration.fields
        if field.type_name == "Tensor"
    }
    if not fields:
        return
    operations = (
        *file.operators("*", "+", tests=False, both=True),
        *file.calls("matmul", "mul", "add", tests=False),
    )
    for operation in operations:
        if not operation.fn.name.startswith("forward"):
            continue
        for operand in operation.operands:
            read = operand.chain_start
            holder = read.inside(read.expr.base).term if isinstance(read.expr, hir.Field) else None
            if not isinstance(holder, terms.Declared) or operand.kind != "Float":
                continue
            assert isinstance(read.expr, hir.Field)
            field = fields.pop((holder.item, read.expr.name), None)
            if field is not None:
                yield field, operation


def unchecked_forwards(file: FileView) -> Iterator[tuple[Fn, Place]]:
    """The public `forward…` methods of modules that take several tensors and assert nothing, with the place of
    their name."""
    content = file.source.content
    for fn in file.source.items.functions:
        if not fn.name.startswith("forward") or not fn.public or fn.in_test or not fn.self_mode:
            continue
        if b"assert" in content[fn.span[0] : fn.span[1]]:
            continue
        body = file.analysis.body(fn)
        if body is None or body.self_local is None:
            continue
        types = file.analysis.types(body)
        owner = terms.peel_refs(types.local(body.self_local))
        tensors = [
            pattern
            for pattern, _ in body.params
            if isinstance(pattern, hir.Bind) and isinstance(types.local(pattern.local), terms.Tensor)
        ]
        if len(tensors) > 1 and roles.is_module(owner, file.analysis.api):
            yield fn, Place(file.path, *fn.name_span)
