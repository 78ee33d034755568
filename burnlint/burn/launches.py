"""The host's side of kernels written with cubecl: their launches, and how many units those start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.rust import hir
from burnlint.rust.items import Fn
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

LAUNCHES = ("launch", "launch_unchecked")
_ROUNDS_UP = re.compile(r"div_ceil|calculate_cube_count|\bceil\b|-\s*1\s*\)\s*/")
_DIVISIBLE = re.compile(
    rb"%|is_multiple_of|next_multiple_of|\bassert|debug_assert|power_of_two|trailing_zeros|&\s*\d|round_up"
)
"""What a function spells that looks at the remainder, or rounds up."""
_LAUNCHED = re.compile(rb"\b(\w+)::launch(?:_unchecked)?\b")
_STRIDED = re.compile(rb"\bCUBE_COUNT|range_stepped|\bwhile\b|\bloop\b")
_MAX_STEPS = 6


@dataclass(frozen=True)
class Launch:
    """A call that launches a kernel. `rounds_up`: the number of cubes is a quotient that is rounded up, so that more
    units than elements run as a rule."""

    call: Expr
    rounds_up: bool


def floored_counts(file: FileView) -> Iterator[Expr]:
    """The divisions of integers that give a number of cubes (`CubeCount::Static(n / 256, 1, 1)`) where nothing shows
    that they leave no rest."""
    told: set[hir.Expr] = set()
    for call in file.calls("Static", "new_1d", "new_2d", "new_3d"):
        callee = call.expr.callee if isinstance(call.expr, hir.Call) else None
        segments = callee.path.segments if isinstance(callee, hir.PathExpr) else ()
        if len(segments) < 2 or segments[-2].name != "CubeCount":
            continue
        function = file.source.content[slice(*call.fn.span)]
        if _DIVISIBLE.search(function) or _launches_strided(file, function):
            continue
        for operand in call.operands:
            division = _quotient(operand)
            if division is None or division.expr in told or not _leaves_rest(division):
                continue
            told.add(division.expr)
            in_sight = division.source is file.source
            if in_sight and (division.fn is call.fn or not file.source.holds(_DIVISIBLE, division.fn.span)):
                yield division


def _launches_strided(file: FileView, function: bytes) -> bool:
    """Whether a function launches a kernel in sight that goes on by the number of all units: any number of cubes
    does."""
    names = {match[1].decode() for match in _LAUNCHED.finditer(function)}
    return bool(names) and any(
        fn.name in names and _STRIDED.search(view.source.content, *fn.span) is not None
        for view in file.around()
        for fn in view.source.items.functions
    )


def _quotient(value: Expr, steps: int = _MAX_STEPS) -> Expr | None:
    """The division that a count is, behind casts, `max`, bindings, and functions of the workspace."""
    match value.expr:
        case hir.Cast(operand=inner):
            return _quotient(value.inside(inner), steps)
        case hir.MethodCall(name="max" | "min" | "into" | "try_into" | "unwrap", receiver=inner):
            return _quotient(value.inside(inner), steps)
        case hir.Binary(op="/"):
            return value
        case hir.Call() | hir.MethodCall() if steps and value.runs_in_sight:
            given = value.origins().must
            if given is not None and given.expr is not value.expr and not given.steps:
                return _quotient(value.at(given), steps - 1)
        case hir.LocalRef() if steps:
            definitions = value.flow.reaching(value.expr).definitions
            only = definitions[0] if len(definitions) == 1 else None
            if only is not None and only.kind == "let" and not only.steps and only.value is not None:
                return _quotient(value.inside(only.value), steps - 1)
    return None


def _leaves_rest(division: Expr) -> bool:
    """Whether a quotient of integers is rounded down and may leave a rest: its numerator comes from outside, or both
    numbers are in sight."""
    size, by = division.operands
    if re.search(r"-\s*1\b|div_ceil|\bceil\b|\bf(?:32|64)\b|\d\.", _texts(division)):
        return False
    known, step = size.number(), by.number()
    if step == 1:
        return False
    if isinstance(size.expr, hir.Binary) and size.expr.op == "+":
        more = size.inside(size.expr.right).number()
        if more is not None and step is not None and more == step - 1:
            return False
    if known is not None and step is not None:
        return step != 0 and known % step != 0
    return any(isinstance(e, hir.MethodCall | hir.Call) for e in descendants(size.expr)) or any(
        isinstance(e, hir.LocalRef) and _comes_from_outside(size.inside(e)) for e in descendants(size.expr)
    )


def _comes_from_outside(name: Expr) -> bool:
    """Whether a name is a parameter, or what a function is given that is looked at as run by a call."""
    if name.called_by is None:
        return name.parameter is not None
    return any(origin.kind in ("param", "operation") for origin in name.origins().items)


def launches_of(file: FileView, kernel: Fn) -> Iterator[Launch]:
    """The launches of a kernel in the code around; none where another kernel of the package has its name too."""
    for view in file.around():
        if kernel.name.encode() not in view.source.content:
            continue
        for call in view.calls(*LAUNCHES):
            callee = call.expr.callee if isinstance(call.expr, hir.Call) else None
            segments = callee.path.segments if isinstance(callee, hir.PathExpr) else ()
            if len(segments) > 1 and segments[-2].name == kernel.name and len(call.expr.args) > 1:  # type: ignore[attr-defined]
                yield Launch(call, _ROUNDS_UP.search(_texts(call.operands[1])) is not None)


def _texts(value: Expr, steps: int = _MAX_STEPS) -> str:
    """The text of a value with that of the locals that it is computed from."""
    texts = [value.text]
    for e in descendants(value.expr):
        if isinstance(e, hir.LocalRef) and steps:
            for definition in value.flow.reaching(e).definitions:
                if definition.value is not None:
                    texts.append(_texts(value.inside(definition.value), steps - 1))
    return "\n".join(texts)
