"""Where a timed section or a benchmark can be made to wait for its device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import roles, terms
from burnlint.burn.rebinding import is_only_read
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.timing import Section

_RUNS_ONCE = hir.MethodCall | hir.Call | hir.Field | hir.Binary | hir.Ref | hir.Cast | hir.Tuple | hir.Macro
"""What runs its operands once, with nothing but them before it."""


def edits(section: Section) -> list[Edit | None]:
    """Edits that wait for the only device that its function has a name for, before the time starts and before it is
    taken; [None] where there is no such device, or the statements around are not plain."""
    device = _only_device(section.start)
    if device is None or not section.start.leaves_function or not section.end.leaves_function:
        return [None]
    taken = _start_of_statement(section.end)
    if taken is None or any(each.expr.span[1] > taken for each in section.queued):
        return [None]
    return [_inserted(section, start, device) for start in (_start_of_statement(section.start), taken)]


def closure_edits(section: Section) -> list[Edit | None]:
    """Edits after which a benchmark's closure keeps the tensor that it gives, waits for the only device that its function
    has a name for, and gives the tensor then; [None] where there is no such device, or the closure is not plain."""
    closure = section.start
    device = _only_device(closure)
    if device is None or not isinstance(closure.expr, hir.Closure):
        return [None]
    closures = (each.expr for each in (closure, *closure.around) if isinstance(each.expr, hir.Closure))
    body = closure.expr.body
    value = body.tail if isinstance(body, hir.Block) else body
    if (
        value is None
        or not closure.inside(value).is_tensor
        or any(each.moves or each.is_async for each in closures)
    ):
        return [None]
    start, end = value.span
    path = closure.source.path
    if not isinstance(body, hir.Block):
        before, after = "{ let result = ", f"; {device}.sync().unwrap(); result }}"
    else:
        gap = _gap(section, start)
        before, after = "let result = ", f";{gap}{device}.sync().unwrap();{gap}result"
    return [Edit(Place(path, start, start), before), Edit(Place(path, end, end), after)]


def _inserted(section: Section, at: int | None, device: str) -> Edit | None:
    if at is None:
        return None
    text = f"{device}.sync().unwrap();{_gap(section, at)}"
    return Edit(Place(section.end.source.path, at, at), text)


def _gap(section: Section, at: int) -> str:
    """What stands between two statements, the second of which starts at an offset."""
    before = section.end.source.text.decode(max(at - 200, 0), at)
    indent = before[before.rfind("\n") + 1 :]
    return f"\n{indent}" if "\n" in before and not indent.strip() else " "


def _start_of_statement(e: Expr) -> int | None:
    """Where the statement starts that an expression is a part of and that runs it once."""
    inner = e.expr
    for outer in e.around:
        if isinstance(outer.expr, hir.Block):
            if inner is outer.expr.tail:
                return inner.span[0]
            for each in outer.expr.statements:
                if each.span[0] <= inner.span[0] < each.span[1]:
                    plain = isinstance(each, hir.Let | hir.ExprStatement) and each.cfg is None
                    return each.span[0] if plain else None
            return None
        if not isinstance(outer.expr, _RUNS_ONCE):
            return None
        inner = outer.expr
    return None


def _only_device(start: Expr) -> str | None:
    """The name of the only binding of a device in its function, if it is in scope where the time starts, and nothing moves
    the device away."""
    body = start.site.frame.body
    types = start.file.analysis.types(body)
    devices = [each for each in body.locals if roles.is_device(_behind(types.local(each)))]
    if len(devices) != 1 or sum(each.name == devices[0].name for each in body.locals) != 1:
        return None
    [device] = devices
    statements = body.root.statements if isinstance(body.root, hir.Block) else []
    lets = [
        each.pattern
        for each in statements
        if isinstance(each, hir.Let) and each.span[1] <= start.expr.span[0]
    ]
    patterns = (*(pattern for pattern, _ in body.params), *lets)
    in_scope = any(isinstance(each, hir.Bind) and each.local is device for each in patterns)
    held = isinstance(types.local(device), terms.Ref) or is_only_read(device, start)
    return device.name if in_scope and held else None


def _behind(term: terms.Term | None) -> terms.Term | None:
    return term.target if isinstance(term, terms.Ref) else term
