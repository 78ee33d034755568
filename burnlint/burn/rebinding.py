"""Where the result of a call can be assigned to a place that is there already."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust.flow_defs import root_of

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_LET = re.compile(r"\blet\s+\Z")
_PRINTS = frozenset({"print", "println", "eprint", "eprintln", "format"})


def declared_mut(place: Expr) -> list[Edit] | None:
    """The edits after which a place can be assigned to: none where it can be as it is, `mut` where a `let` or a parameter
    declares it by its bare name; None where that would not do."""
    root = root_of(place.expr)
    if root is None:
        return None
    body = place.site.frame.body
    behind = root_type(place, root)
    if isinstance(behind, terms.Ref):
        return [] if behind.mutable else None
    local = root.local
    if local.mutable:
        return []
    start, end = local.span
    text = place.source.text
    parameter = any(isinstance(each, hir.Bind) and each.local is local for each, _ in body.params)
    by_let = _LET.search(text.decode(max(start - 20, 0), start)) is not None
    if local.by_ref or text.decode(start, end) != local.name or not (parameter or by_let):
        return None
    return [Edit(Place(place.source.path, start, start), "mut ")]


def replaced_start(call: Expr, place: Expr) -> int | None:
    """Where the statement starts that is a call, or up to it the `let` that binds what it gives to a name; None where it
    is neither, or where what follows in the block would not read the place as it reads that name."""
    dropped = call.flow.dropped(call.expr)
    if dropped is not None:
        return call.expr.span[0] if dropped.kind == "dropped" and dropped.value is call.expr else None
    sink = call.flow.sink(call.expr)
    let = sink.role.statement
    if sink.kind != "bound" or let is None or sink.value is not call.expr or let.otherwise is not None:
        return None
    pattern, root = let.pattern, root_of(place.expr)
    if not isinstance(pattern, hir.Bind) or root is None or let.cfg is not None:
        return None
    if pattern.sub is not None or pattern.local.mutable:
        return None
    start = let.span[0]
    if re.fullmatch(r"let\b[^/#]*", call.source.text.decode(start, call.expr.span[0])) is None:
        return None
    if not call.flow.uses_of(pattern.local):
        return start
    same = root is place.expr and pattern.local.name == root.local.name
    return (
        start
        if same and not isinstance(root_type(place, root), terms.Ref) and is_only_read(pattern.local, call)
        else None
    )


def root_type(place: Expr, root: hir.LocalRef) -> terms.Term | None:
    """The type of the binding that a place starts with."""
    return place.file.analysis.types(place.site.frame.body).expr(root)


def is_only_read(local: hir.Local, within: Expr) -> bool:
    """Whether all uses of a binding of a body only borrow it: by `&`, a method that takes `&self`, or a macro that
    prints."""
    return all(_borrows(within.inside(use)) for use in within.flow.uses_of(local))


def _borrows(use: Expr) -> bool:
    at = use.expr
    for outer in use.around:
        match outer.expr:
            case hir.Field():
                at = outer.expr
            case hir.Ref(mutable=mutable):
                return not mutable
            case hir.MethodCall(receiver=receiver):
                return receiver is at and outer.target is not None and outer.target.self_mode == "&self"
            case hir.Macro(path=path):
                return path.name in _PRINTS
            case _:
                return False
    return False
