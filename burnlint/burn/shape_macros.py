"""Where code asks burn for `assert_shape!`: imports of it and calls by a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.lint.finding import Place
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Item, Use

if TYPE_CHECKING:
    from burnlint.burn.analysis import Analysis
    from burnlint.rust.source import SourceFile

NAMES = ("assert_shape", "debug_assert_shape")
HOME = "burn::tensor"


class ShapeMacro(NamedTuple):
    """A path to the macro: its place, its full path, whether burn has a macro there, and how to write the right path
    in its place ("" where that takes more than one edit)."""

    place: Place
    path: str
    exists: bool
    successor: str


def shape_macros(analysis: Analysis, source: SourceFile) -> Iterator[ShapeMacro]:
    """The paths to burn's `assert_shape!` that a file writes."""
    for item in source.items.all:
        if isinstance(item, Use) and item.path.name in NAMES:
            yield from _of(analysis, item, item.path, item.name_span, source)
    for fn in source.items.functions:
        body = analysis.body(fn)
        for e in body.exprs if body is not None else ():
            if isinstance(e, hir.Macro) and e.path.name in NAMES and len(e.path.segments) > 1:
                yield from _of(analysis, fn, e.path, e.path.span, source)


def _of(
    analysis: Analysis, item: Item, path: rt.Path, span: rt.Span, source: SourceFile
) -> Iterator[ShapeMacro]:
    resolver = analysis.world.resolver
    head = resolver.resolve(rt.Path(path.segments[:1], path.span, path.leading), item, "type")
    if not isinstance(head, rn.Extern) or not resolver.is_burn_crate(head.path[0]):
        return
    names = (*head.path, *(segment.name for segment in path.segments[1:]))
    full = "::".join(names)
    written = source.text.decode(*span)
    successor = ""
    if written == full:
        successor = f"{HOME}::{path.name}"
    elif names[:-1] == ("burn",) and written == path.name:
        successor = f"tensor::{path.name}"
    exists = analysis.api.resolve_path(full, "macro") is not None
    yield ShapeMacro(Place(source.path, *span), full, exists, successor)
