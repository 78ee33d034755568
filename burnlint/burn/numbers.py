"""Host numbers that are spelt out in code."""

from __future__ import annotations

from math import isfinite

from burnlint.burn.terms import Named
from burnlint.burn.values import Values
from burnlint.burn.values_site import Site
from burnlint.rust import hir


def spelt(site: Site, values: Values) -> float | None:
    """The number that a host expression is on every path, spelt out there or where it is bound.

    None: not known, converted to another type on the way, or beyond what an `f64` holds (which rustc refuses).
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
        number = sign * float(e.text.removesuffix(e.suffix).replace("_", ""))
    except ValueError:  # Hexadecimal, octal, binary.
        return None
    return number if isfinite(number) else None


def _type(site: Site, values: Values) -> str | None:
    term = values.facts(site.frame.body).term(site.expr)
    return term.name if isinstance(term, Named) else None


MAX_OPERATIONS = 50

# Source: burn-tensor 0.22.1, src/tensor/api/base.rs: the same elements in another shape, or on another device.
_SAME_ELEMENTS = frozenset(
    """
    flatten permute repeat repeat_dim reshape squeeze squeeze_dim squeeze_dims swap_dims t to_device transpose unsqueeze
    unsqueeze_dim unsqueeze_dims
    """.split()  # noqa: SIM905
)


def written(site: Site, values: Values) -> list[float]:
    """Numbers that are spelt out and are elements of a tensor: as its data, its filling, or under a mask. What a mask
    covers in part may be gone."""
    found: list[float] = []
    for _ in range(MAX_OPERATIONS):
        origin = values.origins(site).must
        target = values.target(origin) if origin is not None and origin.kind == "operation" else None
        if origin is None or origin.steps or target is None or not target.key.startswith("Tensor::"):
            break
        name, operands = target.key.removeprefix("Tensor::"), values.operands(origin)
        if name in ("from_ints", "from_data") and operands:
            found += _data(operands[0], values)
        elif name in ("full", "mask_fill") and len(operands) > 1:
            number = spelt(operands[1 if name == "full" else 2], values)
            found += [] if number is None else [number]
        if name not in _SAME_ELEMENTS:
            break
        site = operands[0]
    return found


def _data(site: Site, values: Values) -> list[float]:
    """The numbers of nested arrays that are written out."""
    origin = values.origins(site).must
    pending = [origin.site] if origin is not None and not origin.steps else []
    found = []
    while pending:
        at = pending.pop(0)
        if isinstance(at.expr, hir.Array):
            pending.extend(Site(item, at.frame) for item in at.expr.items)
        elif (number := spelt(at, values)) is not None:
            found.append(number)
    return found
