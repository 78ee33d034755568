"""Kernels written with cubecl's `#[cube]`: what they index by the position of a unit, what guards that.

A kernel is read by its syntax: its macro makes other code of it, so that types say little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from burnlint.burn.launches import Launch, launches_of
from burnlint.burn.macros import BURN_MACROS
from burnlint.lint.finding import Place
from burnlint.rust import hir
from burnlint.rust.flow import Flow
from burnlint.rust.flow_defs import Definition
from burnlint.rust.items import Fn
from burnlint.rust.lower import body_of
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.view import FileView

_LAUNCH = re.compile(r"\blaunch(?:_unchecked)?\b")
_CONTAINER = re.compile(rb"&\s*(?:'\w+\s+)?(?:mut\s+)?(?:\[|(?:\w+\s*::\s*)*(?:Tensor|Array)\s*<)")
_POSITION = re.compile(r"ABSOLUTE_POS(?:_[XYZ])?\Z")
_HARMLESS = frozenset({"cast_from", "new", "from_int", "from", "reinterpret"})
"""Functions that take a value and run no other code of the kernel."""
_MAX_STEPS = 6
MAX_HELPERS = 3
"""Calls that lead from a kernel to a helper."""


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
    in_branch: bool
    synchronises: bool
    """Whether units wait for each other, so that none may end early."""
    launches: tuple[Launch, ...]


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
            # One that each unit comes by, before those that the value of an element decides on.
            access = min(found, key=lambda each: (each.in_branch, not each.written))
            yield replace(access, launches=tuple(launches_of(file, fn)))


@dataclass(frozen=True)
class _Given:
    """An argument of a helper: the container that it names, if one, the builtin that it grows with, and whether it
    depends on the position of a unit at all."""

    container: str
    position: str | None
    depends: bool


NOTHING_GIVEN: Mapping[str, _Given] = MappingProxyType({})


class _Kernel:
    """The body of a kernel, or of a helper that it calls, with what depends on the position of a unit. `given`: the
    arguments of a helper by its parameters, `depth` how many calls lead to it."""

    def __init__(
        self,
        file: FileView,
        fn: Fn,
        body: hir.Body,
        given: Mapping[str, _Given] = NOTHING_GIVEN,
        depth: int = 0,
    ) -> None:
        self.file = file
        self.fn = fn
        self.body = body
        self.given = given
        self.depth = depth
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
        if self._may_be_guarded():
            return
        yield from self._own_accesses()
        for e in self.body.exprs:
            helper = self._helper(e)
            for access in helper.accesses() if helper is not None else ():
                outer = helper.given[access.container].container if helper is not None else ""
                if outer in self.containers:
                    start = self._first_statement()
                    yield replace(
                        access,
                        kernel=self.fn,
                        container=outer,
                        first=Place(self.fn.file.path, start, start),
                        in_branch=access.in_branch or self._in_branch(e),
                        synchronises=access.synchronises or self._synchronises,
                    )

    def _own_accesses(self) -> Iterator[Access]:
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
                    self._in_branch(e),
                    self._synchronises,
                    (),
                )

    @property
    def _synchronises(self) -> bool:
        return re.search(rb"\bsync_\w+\s*\(", self.fn.file.content[slice(*self.fn.span)]) is not None

    def _in_branch(self, e: hir.Expr) -> bool:
        """Whether the value of an element decides if it runs."""
        at = self.body.parents[e.id]
        while at >= 0:
            around = self.body.exprs[at]
            if isinstance(around, hir.If | hir.While) and self._is_read(around.condition):
                return True
            if isinstance(around, hir.Match) and self._is_read(around.scrutinee):
                return True
            at = self.body.parents[at]
        return False

    def _is_read(self, e: hir.Expr, steps: int = _MAX_STEPS) -> bool:
        """Whether an element of a container is in a value."""
        for each in descendants(e):
            if self._is_element(each):
                return True
            if isinstance(each, hir.LocalRef) and steps:
                values = [d.value for d in self.definitions.get(each.local, ()) if d.value is not None]
                if any(self._is_read(value, steps - 1) for value in values):
                    return True
        return False

    def _helper(self, e: hir.Expr) -> _Kernel | None:
        """The function of the file with `#[cube]` that a call runs, if there is one of its name."""
        if not isinstance(e, hir.Call) or not isinstance(e.callee, hir.PathExpr) or self.depth >= MAX_HELPERS:
            return None
        name = e.callee.path.name
        named = [fn for fn in self.file.source.items.functions if fn.name == name]
        if len(e.callee.path.segments) != 1 or len(named) != 1 or len(named[0].params) != len(e.args):
            return None
        fn = named[0]
        if fn.attribute("cube") is None or not fn.has_body:
            return None
        given = {
            param.name: self._argument(arg)
            for param, arg in zip(fn.params, e.args, strict=True)
            if param.name
        }
        return _Kernel(self.file, fn, body_of(fn, BURN_MACROS), given, self.depth + 1)

    def _argument(self, e: hir.Expr) -> _Given:
        inner = e.operand if isinstance(e, hir.Ref) else e
        container = inner.local.name if isinstance(inner, hir.LocalRef) else ""
        return _Given(container, self._reaches_out(e), self._depends(e, self.tainted))

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
        found = {
            local for local in self.definitions if local.name in self.given and self.given[local.name].depends
        }
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
        """Whether a value depends on the position of a unit; an element at that position keeps no unit out, for it is
        read already."""
        read = {inner for each in descendants(e) if self._is_element(each) for inner in descendants(each)}
        return any(
            (isinstance(each, hir.PathExpr) and _is_builtin(each))
            or (isinstance(each, hir.LocalRef) and each.local in tainted)
            for each in descendants(e)
            if each not in read
        )

    def _is_element(self, e: hir.Expr) -> bool:
        return (
            isinstance(e, hir.Index)
            and isinstance(e.base, hir.LocalRef)
            and e.base.local.name in self.containers
            and self._is_param(e.base.local)
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
            case hir.LocalRef(local=local) if local.name in self.given and self._is_param(local):
                return self.given[local.name].position
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
                helper = self._helper(e)
                if helper is not None:
                    return helper._may_be_guarded()
                name = callee.path.name if isinstance(callee, hir.PathExpr) else ""
                return name not in _HARMLESS and any(self._depends(arg, self.tainted) for arg in args)
            case hir.MethodCall(args=args, receiver=receiver):
                return any(self._depends(each, self.tainted) for each in (receiver, *args))
            case hir.Macro(form="opaque", args=args) | hir.Unknown(args=args):
                return True
        return False


def _is_builtin(e: hir.PathExpr) -> bool:
    return e.path.name.startswith(("ABSOLUTE_POS", "UNIT_POS", "CUBE_POS"))
