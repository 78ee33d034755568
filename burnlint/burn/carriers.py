"""The expressions that have a value as their result: the one that makes it, and the calls of functions that
return it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.values import Reach, Site
from burnlint.rust.flow import Scope
from burnlint.rust.items import Fn

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

MAX_CALLERS = 8
"""Functions that a returned value is followed out of."""


@dataclass(frozen=True)
class Carrier:
    """A call whose result is the value."""

    call: Expr
    made: Expr
    """Where the value is made, as that call runs it."""
    alone: bool
    """Whether nothing but the result holds the value: it is lost if that is dropped."""

    def renews(self, operand: int, loop: Scope) -> bool:
        """Whether an operand of what makes the value may itself be made anew in each round of a loop around
        the call: there, or in the functions that the call runs."""
        body, order = self.call.site.frame.body, self.call.flow.order

        def inside(site: Site) -> bool:
            return site.frame.body is not body or loop in order.loops_of(site.expr)

        for origin in self.made.operands[operand].origins().items:
            hops = list(origin.hop or ())
            if origin.kind in ("operation", "new") and inside(origin.site):
                return True
            if any(hop.kind == "clone" and inside(hop.site) for hop in hops):
                return True
            # What the loop goes over.
            given = [hop.site for hop in hops if hop.kind == "element"]
            if origin.kind == "closure_param":
                given.append(origin.site)
            if any(site.expr is loop.expr for site in given):
                return True
        return False

    def given(self, operand: int) -> Expr | None:
        """The place that the call reads an operand of what makes the value from; None where none is in sight."""
        start, end = self.call.expr.span
        for origin in self.made.operands[operand].origins().items:
            for hop in origin.hop or ():
                here = hop.site.frame is self.call.site.frame and start <= hop.site.expr.span[0] < end
                if hop.kind == "bound" and here:
                    return self.call.at(hop.site)
        return None


def carriers_of(value: Expr) -> Iterator[Carrier]:
    """The value itself, and where the function around it returns it, the calls of that function in the
    package, and so on outwards."""
    seen: set[Fn] = set()
    pending: list[tuple[tuple[Expr, ...], bool]] = [((), True)]
    while pending:
        calls, alone = pending.pop()
        carrier = calls[0] if calls else value
        yield Carrier(carrier, _made(value, calls), alone)
        if carrier.fn in seen or len(seen) >= MAX_CALLERS:
            continue
        reaches = carrier.reaches()
        if any(reach.kind == "returned" and not reach.changed for reach in reaches):
            seen.add(carrier.fn)
            alone = alone and not any(
                may_keep(carrier, reach) and not _is_stepped(carrier, reach) for reach in reaches
            )
            callers = [((call, *calls), alone) for call in carrier.file.callers(carrier.fn)]
            pending.extend(reversed(callers))


def _made(value: Expr, calls: tuple[Expr, ...]) -> Expr:
    """The value as made by a chain of calls, the outermost first."""
    if not calls:
        return value
    frame = calls[0].site.frame
    for call, inner in zip(calls, (*calls[1:], value), strict=True):
        frame = frame.enter(call.expr, inner.site.frame.body)
    return value.at(Site(value.expr, frame))


def may_keep(value: Expr, reach: Reach) -> bool:
    """Whether what happens to a value may leave it in another place."""
    if reach.kind != "operand":
        return reach.kind in ("stored", "captured", "unknown")
    return not reach.followed and not value.at(reach.site).borrows(reach.index)


def _is_stepped(value: Expr, reach: Reach) -> bool:
    """Whether the next step of an optimizer makes another module of it."""
    return reach.kind == "operand" and reach.index == 2 and value.at(reach.site).stepped_module is not None
