"""Host numbers that are spelt out in code."""

from __future__ import annotations

from burnlint.burn.terms import Named
from burnlint.burn.values import Values
from burnlint.burn.values_site import Site
from burnlint.rust import hir


def spelt(site: Site, values: Values) -> float | None:
    """The number that a host expression is on every path, spelt out there or where it is bound.

    None: not known, or converted to another type on the way.
    """
    origin = values.origins(site).must
    if origin is None or origin.steps:
        return None
    e, sign = origin.expr, 1
    if isinstance(e, hir.Unary) and e.op == "-":
        e, sign = e.operand, -1
    if not isinstance(e, hir.Literal) or e.kind not in ("int", "float"):
        return None
    if _type(site, values) != _type(Site(e, origin.site.frame), values):
        return None
    try:
        return sign * float(e.text.removesuffix(e.suffix).replace("_", ""))
    except ValueError:  # Hexadecimal, octal, binary.
        return None


def _type(site: Site, values: Values) -> str | None:
    term = values.facts(site.frame.body).term(site.expr)
    return term.name if isinstance(term, Named) else None
