"""Scalars: `into_scalar` gave the back end's element up to burn 0.21, and gives what is asked for from 0.22 on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration

_ELEMENTS = {"Float": "f32", "Int": "i64", "Bool": "bool"}


@dataclass(frozen=True, slots=True)
class ScalarRead:
    """`x.into_scalar()` whose type nothing says any more: its place, what to write, the edits (none: by hand)."""

    place: Place
    text: str
    successor: str
    edits: tuple[Edit, ...]


def scalar_reads(file: FileMigration) -> Iterator[ScalarRead]:
    """The scalars of a file that are read without a type."""
    if b"into_scalar" not in file.source.content:
        return
    for body in file.unit.bodies(file.source):
        for e in body.exprs:
            if isinstance(e, hir.MethodCall) and e.name == "into_scalar" and not e.generics and not e.args:
                made = _read(file, body, e)
                if made is not None:
                    yield made


def _read(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> ScalarRead | None:
    types = file.unit.analysis.types(body)
    receiver = terms.peel_refs(types.expr(e.receiver))
    if not isinstance(receiver, terms.Tensor):
        return None
    at = body.parents[e.id]
    around = body.exprs[at] if at >= 0 else None
    place = file.place((e.name_span[0], e.span[1]))
    text = "into_scalar()"
    if isinstance(around, hir.MethodCall) and around.receiver is e:
        whole = file.place((e.name_span[0], around.span[1]))
        if around.name == "elem" and not around.args:
            if len(around.generics) == 1:
                made = f"into_scalar::<{file.text(around.generics[0].span)}>()"
                return ScalarRead(place, text, made, (Edit(whole, made),))
            return ScalarRead(place, text, "into_scalar()", (Edit(whole, "into_scalar()"),))
        converted = re.fullmatch(r"to_([fiu]\d+|bool|usize)", around.name)
        if converted and not around.args:
            made = f"into_scalar::<{converted[1]}>()"
            return ScalarRead(place, text, made, (Edit(whole, made),))
    elif not _is_only_shown(body, e, around):
        return None
    element = _ELEMENTS.get(receiver.kind.name) if isinstance(receiver.kind, terms.Named) else None
    if element is None:
        return ScalarRead(place, text, "", ())
    made = f"into_scalar::<{element}>()"
    return ScalarRead(place, text, made, (Edit(place, made),))


def _is_only_shown(body: hir.Body, e: hir.Expr, around: hir.Expr | None) -> bool:
    """Whether all that becomes of a value is to be printed, cast, or to have a method called: nothing says its
    type."""
    if isinstance(around, hir.Macro):
        return around.form == "format"
    if isinstance(around, hir.Cast):
        return True
    if not isinstance(around, hir.Block):
        return False
    for statement in around.statements:
        if isinstance(statement, hir.Let) and statement.init is e and statement.type is None:
            pattern = statement.pattern
            if not isinstance(pattern, hir.Bind):
                return False
            uses = [u for u in body.exprs if isinstance(u, hir.LocalRef) and u.local is pattern.local]
            return bool(uses) and all(_shows(body, use) for use in uses)
    return False


def _shows(body: hir.Body, use: hir.LocalRef) -> bool:
    at = body.parents[use.id]
    around = body.exprs[at] if at >= 0 else None
    if isinstance(around, hir.Macro):
        return around.form == "format"
    return isinstance(around, hir.Cast) or (isinstance(around, hir.MethodCall) and around.receiver is use)
