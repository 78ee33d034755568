"""Kernels written with cubecl's `#[cube]`: what they index by the position of a unit, what guards that, and how many
units their launches start.

A kernel is read by its syntax: its macro makes other code of it, so that types say little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.macros import BURN_MACROS
from burnlint.lint.finding import Place
from burnlint.rust import hir
from burnlint.rust.flow import Flow
from burnlint.rust.flow_defs import Definition
from burnlint.rust.items import Fn
from burnlint.rust.lower import body_of
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

LAUNCHES = ("launch", "launch_unchecked")
_LAUNCH = re.compile(r"\blaunch(?:_unchecked)?\b")
_CONTAINER = re.compile(rb"&\s*(?:'\w+\s+)?(?:mut\s+)?(?:\[|(?:\w+\s*::\s*)*(?:Tensor|Array)\s*<)")
_POSITION = re.compile(r"ABSOLUTE_POS(?:_[XYZ])?\Z")
_HARMLESS = frozenset({"cast_from", "new", "from_int", "from", "reinterpret"})
"""Functions that take a value and run no other code of the kernel."""
_ROUNDS_UP = re.compile(r"div_ceil|calculate_cube_count|\bceil\b|-\s*1\s*\)\s*/")
_DIVISIBLE = re.compile(
    rb"%|is_multiple_of|next_multiple_of|\bassert|debug_assert|power_of_two|trailing_zeros|&\s*\d|round_up"
)
"""What a function spells that looks at the remainder, or rounds up."""
_LAUNCHED = re.compile(rb"\b(\w+)::launch(?:_unchecked)?\b")
_STRIDED = re.compile(rb"\bCUBE_COUNT|range_stepped|\bwhile\b|\bloop\b")
_MAX_STEPS = 6


@dataclass(frozen=True)
class Access:
    """A container that a kernel indexes by a unit's position, with nothing in the kernel that looks at the position.

    `position` is the builtin (`ABSOLUTE_POS`); `written` whether that element is set.
    """

    kernel: Fn
    container: str
    position: str
    written: bool
    place: Place
    first: Place
    """Where the kernel's first statement starts, to put a guard in front; empty."""
    synchronises: bool
    """Whether units wait for each other, so that none may end early."""
    launches: tuple[Launch, ...]


@dataclass(frozen=True)
class Launch:
    """A call that launches a kernel. `rounds_up`: the number of cubes is a quotient that is rounded up, so that more
    units than elements run as a rule."""

    call: Expr
    rounds_up: bool


def unguarded(file: FileView) -> Iterator[Access]:
    """The accesses of the file's kernels without a guard, the first of each kernel, one that writes before others."""
    for fn in file.source.items.functions:
        attribute = fn.attribute("cube")
        if attribute is None or not _LAUNCH.search(attribute.arguments):
            continue
        if not fn.has_body:
            continue
        body = body_of(fn, BURN_MACROS)
        found = list(_Kernel(file, fn, body).accesses())
        if found:
            access = next((each for each in found if each.written), found[0])
            launches = tuple(_launches(file, fn))
            yield Access(**{**access.__dict__, "launches": launches})


class _Kernel:
    """The body of a kernel with what depends on the position of a unit."""

    def __init__(self, file: FileView, fn: Fn, body: hir.Body) -> None:
        self.file = file
        self.fn = fn
        self.body = body
        content = fn.file.content
        self.containers = {
            param.name
            for param in fn.params
            if param.name and param.type is not None and _CONTAINER.match(content, param.type.span[0])
        }
        self.definitions: dict[hir.Local, list[Definition]] = {}
        for each in Flow(body).definitions:
            self.definitions.setdefault(each.place.local, []).append(each)
        self.tainted = self._tainted()

    def accesses(self) -> Iterator[Access]:
        if not self.containers or self._may_be_guarded():
            return
        for e in self.body.exprs:
            if not isinstance(e, hir.Index) or not isinstance(e.base, hir.LocalRef):
                continue
            name, position = e.base.local.name, self._reaches_out(e.index)
            if name in self.containers and position is not None and self._is_param(e.base.local):
                around = self.body.exprs[self.body.parents[e.id]] if self.body.parents[e.id] >= 0 else None
                written = isinstance(around, hir.Assign | hir.AssignOp) and around.target is e
                start = self._first_statement()
                yield Access(
                    self.fn,
                    name,
                    position,
                    written,
                    Place(self.fn.file.path, *e.span),
                    Place(self.fn.file.path, start, start),
                    re.search(rb"\bsync_\w+\s*\(", self.fn.file.content[slice(*self.fn.span)]) is not None,
                    (),
                )

    def _is_param(self, local: hir.Local) -> bool:
        """Whether it is a parameter whose elements alone are set."""
        whole = [
            each.kind for each in self.definitions.get(local, ()) if not each.into and each.kind != "modified"
        ]
        return whole == ["param"]

    def _first_statement(self) -> int:
        root = self.body.root
        if isinstance(root, hir.Block):
            for part in (*root.statements, root.tail):
                if part is not None:
                    return part.span[0]
        return root.span[1]

    def _tainted(self) -> set[hir.Local]:
        """The locals whose value depends on the position of a unit in any way."""
        found: set[hir.Local] = set()
        while True:
            more = {
                local
                for local, definitions in self.definitions.items()
                if local not in found and local.name not in self.containers
                for each in definitions
                if each.value is not None and each.kind != "param" and self._depends(each.value, found)
            }
            if not more:
                return found
            found |= more

    def _depends(self, e: hir.Expr, tainted: set[hir.Local]) -> bool:
        return any(
            (isinstance(each, hir.PathExpr) and _is_builtin(each))
            or (isinstance(each, hir.LocalRef) and each.local in tainted)
            for each in descendants(e)
        )

    def _reaches_out(self, e: hir.Expr, steps: int = _MAX_STEPS) -> str | None:
        """The builtin if an index grows with it without a bound: itself, a cast of it, or a sum or product with it."""
        if steps == 0:
            return None
        match e:
            case hir.PathExpr(path=path) if _POSITION.match(path.name):
                return path.name
            case hir.Cast(operand=inner):
                return self._reaches_out(inner, steps)
            case hir.Binary(op="+" | "*", left=left, right=right):
                return self._reaches_out(left, steps - 1) or self._reaches_out(right, steps - 1)
            case hir.LocalRef(local=local):
                definitions = self.definitions.get(local, ())
                one = definitions[0] if len(definitions) == 1 else None
                if one is not None and one.kind == "let" and not one.steps and one.value is not None:
                    return self._reaches_out(one.value, steps - 1)
        return None

    def _may_be_guarded(self) -> bool:
        """Whether something may keep units out: an early end, a condition or loop over the position, or code that is
        not seen and gets the position."""
        return any(self._may_guard(e) for e in self.body.exprs)

    def _may_guard(self, e: hir.Expr) -> bool:
        match e:
            case hir.Return():
                return True
            case hir.Macro(path=path) if path.name == "terminate":
                return True
            case hir.If(condition=asked) | hir.While(condition=asked) | hir.Match(scrutinee=asked):
                return self._depends(asked, self.tainted)
            case hir.For(iterable=asked):
                return self._depends(asked, self.tainted)
            case hir.Call(callee=callee, args=args):
                name = callee.path.name if isinstance(callee, hir.PathExpr) else ""
                return name not in _HARMLESS and any(self._depends(arg, self.tainted) for arg in args)
            case hir.MethodCall(args=args, receiver=receiver):
                return any(self._depends(each, self.tainted) for each in (receiver, *args))
            case hir.Macro(form="opaque", args=args) | hir.Unknown(args=args):
                return True
        return False


def _is_builtin(e: hir.PathExpr) -> bool:
    return e.path.name.startswith(("ABSOLUTE_POS", "UNIT_POS", "CUBE_POS"))


def floored_counts(file: FileView) -> Iterator[Expr]:
    """The divisions of integers that give a number of cubes (`CubeCount::Static(n / 256, 1, 1)`) where nothing shows
    that they leave no rest."""
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
            if division is not None and _leaves_rest(division):
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
    """The division that a count is, behind casts, `max` and bindings."""
    match value.expr:
        case hir.Cast(operand=inner):
            return _quotient(value.inside(inner), steps)
        case hir.MethodCall(name="max" | "min" | "into" | "try_into" | "unwrap", receiver=inner):
            return _quotient(value.inside(inner), steps)
        case hir.Binary(op="/"):
            return value
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
        isinstance(e, hir.LocalRef) and size.inside(e).parameter is not None for e in descendants(size.expr)
    )


def _launches(file: FileView, kernel: Fn) -> Iterator[Launch]:
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
