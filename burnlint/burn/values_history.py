"""What happened to a value before: the ways it went from where it comes from, up to a given place."""

from __future__ import annotations

from dataclasses import dataclass

from burnlint.burn.values_origins import origins
from burnlint.burn.values_reach import Reach, reaches_of
from burnlint.burn.values_site import Site, World


@dataclass(slots=True, frozen=True)
class History:
    """What happened to the value of a site before it is read there.

    `earlier`: on a path that leads to the site in the same round of the loops around both; `perhaps`: in an
    earlier round, or where the order is not known. `complete`: all origins are known, and what happened to
    the value before it came into view (of a parameter, of what a field held) is not asked for.
    """

    earlier: tuple[Reach, ...]
    perhaps: tuple[Reach, ...]
    complete: bool


def history(world: World, site: Site) -> History:
    """What happened before to the value of a site."""
    found = origins(world, site)
    earlier: dict[tuple[str, Site], Reach] = {}
    perhaps: dict[tuple[str, Site], Reach] = {}
    complete = found.known
    for origin in found.items:
        if origin.kind in ("changed", "unknown"):
            complete = False
            continue
        for reach in reaches_of(world, origin):
            if reach.kind == "unknown":
                complete = False
            if reach.use == site:
                continue
            pair = _meet(reach.site, site)
            if pair is None:
                complete = False
                continue
            order = world.flow(pair[0].frame.body).order
            key = (reach.kind, reach.site)
            if order.before(pair[0].expr, pair[1].expr):
                earlier[key] = reach
            elif order.may_follow(pair[0].expr, pair[1].expr) and pair[0].expr is not pair[1].expr:
                perhaps[key] = reach
    return History(tuple(earlier.values()), tuple(perhaps.values()), complete)


def _meet(a: Site, b: Site) -> tuple[Site, Site] | None:
    """The expressions of one frame in which two sites happen: themselves, or the calls that led to them."""
    callers = {id(site.frame): site for site in _callers(b)}
    for site in _callers(a):
        other = callers.get(id(site.frame))
        if other is not None:
            return site, other
    return None


def _callers(site: Site) -> list[Site]:
    out = [site]
    while site.frame.call is not None:
        site = site.frame.call
        out.append(site)
    return out
