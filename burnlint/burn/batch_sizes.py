"""Batches that are taken to be as large as configured: the last one of an epoch is shorter.

Source: burn-core 0.22.1, src/data/dataloader/batch.rs: there is no `drop_last`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn.loaders import SAME_ITEMS, batches_of, loader_of
from burnlint.rust import hir
from burnlint.rust.flow_defs import place_of
from burnlint.rust.visit import descendants, locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_ITEMS = SAME_ITEMS | {"enumerate", "map", "take"}
_LOOPS = re.compile(rb"for\b[^{;]*iter\s*\(")
MAX_LINKS = 20
"""Bindings and parts that a batch is followed through."""


def assumed(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The `reshape`s of a part of a loader's batch whose first size is what the loader was told as `batch_size`,
    with that setting."""
    for call in file.calls("reshape", near=_LOOPS):
        if call.in_test or not call.arity or call.loop is None or not isinstance(call.loop.expr, hir.For):
            continue
        e, loop = call.expr, call.loop.expr
        written = e.args[-1] if isinstance(e, hir.MethodCall | hir.Call) else None
        if not isinstance(written, hir.Array) or not written.items or _may_skip(loop, e):
            continue
        # Which type the batcher gives is not always known.
        if call.target is not None and call.key != "Tensor::reshape":
            continue
        if not _is_of(call.operands[0], locals_in(loop.pattern)):
            continue
        loader = batches_of(call.inside(loop.iterable), _ITEMS)
        size = loader_of(loader).batch_size if loader is not None else None
        if (
            size is not None
            and _is_same(call.inside(written.items[0]), size)
            and not _is_looked_at(call, call.inside(written.items[0]))
        ):
            yield call, size


def _is_of(value: Expr, batch: list[hir.Local]) -> bool:
    """Whether a value is a part of a batch, as it is bound and taken apart."""
    e = value.expr
    for _ in range(MAX_LINKS):
        if isinstance(e, hir.MethodCall):
            e = e.receiver
        elif isinstance(e, hir.Field):
            e = e.base
        elif isinstance(e, hir.Ref | hir.Deref | hir.Try):
            e = e.operand
        elif isinstance(e, hir.Binary):
            e = e.left
        elif isinstance(e, hir.Block) and e.tail is not None:
            e = e.tail
        elif isinstance(e, hir.LocalRef):
            if e.local in batch:
                return True
            made = value.flow.reaching(e).must
            if made is None or made.value is None:
                return False
            e = made.value
        else:
            return False
    return False


def _is_same(size: Expr, told: Expr) -> bool:
    """Whether a size is the one that a loader was told."""
    one, other = place_of(size.expr), place_of(told.expr)
    if one is not None and other is not None and size.fn is told.fn and one == other:
        return size.same_as(told) is not False
    if isinstance(size.expr, hir.PathExpr) and size.source is told.source and size.text == told.text:
        return True
    return size.same_number(told)


def _is_looked_at(call: Expr, size: Expr) -> bool:
    """Whether the function divides by the size and looks at the rest, or the call stands behind a condition with
    it."""
    name = re.escape(size.text.rpartition(".")[2])
    rest = rf"%\s*(?:\w+\.)*{name}\b|/\s*(?:\w+\.)*{name}\b\s*\)?\s*\*|_multiple_of\(\s*(?:\w+\.)*{name}\b"
    if re.search(rest, call.fn_text):
        return True
    return any(re.search(rf"\b{name}\b", asked.text) for asked in call.asked_around())


def _may_skip(loop: hir.For, e: hir.Expr) -> bool:
    """Whether a round may be left before an expression is evaluated: a short batch may be passed over there."""
    return any(
        isinstance(each, hir.Continue | hir.Break) and each.span[1] <= e.span[0]
        for each in descendants(loop.body)
    )
