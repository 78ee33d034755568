"""Devices that are used after they were handed on: some device types were `Copy` up to burn 0.21, `Device` is not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration


def copies(file: FileMigration) -> Iterator[tuple[Place, Edit]]:
    """Where a device is handed on by value though it is used again: the place, and the edit that clones it."""
    for body in file.unit.bodies(file.source):
        types = file.unit.analysis.types(body)
        uses: dict[hir.Local, list[hir.LocalRef]] = {}
        for e in body.exprs:
            if isinstance(e, hir.LocalRef) and b"evice" in e.local.name.encode() + _spelled(
                types.local(e.local)
            ):
                uses.setdefault(e.local, []).append(e)
        for local, refs in uses.items():
            if not is_device(types.local(local)):
                continue
            for ref in refs:
                edit = _handed_on(file, body, ref)
                if edit is not None and any(_again(body, local, ref, other) for other in refs):
                    yield file.place(ref.span), edit


def is_device(term: terms.Term) -> bool:
    """Whether a type is a device by value."""
    if isinstance(term, terms.Assoc):
        return term.name == "Device"
    return isinstance(term, terms.Named) and term.name.rpartition("::")[2].endswith("Device")


def _spelled(term: terms.Term) -> bytes:
    return term.name.encode() if isinstance(term, terms.Named | terms.Assoc) else b""


def _handed_on(file: FileMigration, body: hir.Body, ref: hir.LocalRef) -> Edit | None:
    """The edit that hands on a clone, where a local is an argument or a field."""
    at = body.parents[ref.id]
    around = body.exprs[at] if at >= 0 else None
    end = Place(file.source.path, ref.span[1], ref.span[1])
    if isinstance(around, hir.Call) and any(arg is ref for arg in around.args):
        return Edit(end, ".clone()")
    if isinstance(around, hir.MethodCall) and any(arg is ref for arg in around.args):
        return Edit(end, ".clone()")
    if isinstance(around, hir.StructLit):
        for init in around.fields:
            if init.value is ref:
                shorthand = init.span == ref.span
                return Edit(end, f": {ref.local.name}.clone()" if shorthand else ".clone()")
    return None


def _again(body: hir.Body, local: hir.Local, ref: hir.LocalRef, other: hir.LocalRef) -> bool:
    """Whether a local is used once more after a use of it: later on the same way, or in the next turn of a loop that
    does not declare it."""
    above = _ancestors(body, ref)
    for e in above:
        if (
            isinstance(e, hir.Loop | hir.While | hir.For | hir.Closure)
            and not e.span[0] <= local.span[0] < e.span[1]
        ):
            return True
    if other.id <= ref.id:
        return False
    known = {e.id for e in above}
    below = ref
    for e in _ancestors(body, other):
        if e.id in known:
            common = e
            break
    else:
        return True
    for e in above:
        if e is common:
            break
        if isinstance(e, hir.Return):
            return False
        below = e  # type: ignore[assignment]
    if isinstance(common, hir.If):
        return below is common.condition
    if isinstance(common, hir.Match):
        return below is common.scrutinee
    return True


def _ancestors(body: hir.Body, e: hir.Expr) -> list[hir.Expr]:
    found = []
    at = body.parents[e.id]
    while at >= 0:
        found.append(body.exprs[at])
        at = body.parents[at]
    return found
