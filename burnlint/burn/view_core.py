"""A Rust file as rules see it: its calls, operators and types' declarations, and the files around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, cast

from burnlint.burn.analysis import Analysis
from burnlint.burn.calls import called_name, may_be_method, name_of_called, operands_as_written
from burnlint.burn.declarations import Declaration, deriving
from burnlint.burn.expr import Expr
from burnlint.burn.values import Site
from burnlint.rust import context, glance, hir, scalars
from burnlint.rust.items import Fn
from burnlint.rust.source import SourceFile

if TYPE_CHECKING:
    from burnlint.burn.project import Project
    from burnlint.burn.view import FileView

_LAST_WORD = re.compile(rb"[\w\x80-\xff]+\Z")


class FileCore:
    """A Rust file. `versions` are those of burn that its package may be built with, ascending."""

    def __init__(self, project: Project, source: SourceFile) -> None:
        self._project = project
        self.source = source
        self.path = source.path
        self.versions = project.versions_below(source.path)
        self._deriving: dict[str, list[Declaration]] = {}
        self._calls: dict[Fn, dict[str, list[hir.Expr]]] = {}
        self._operators: dict[Fn, list[tuple[Expr, bool]]] = {}

    @property
    def _self(self) -> FileView:
        """Itself, as what it always is: the last class of the chain."""
        return cast("FileView", self)

    @cached_property
    def analysis(self) -> Analysis:
        """The code around the file."""
        found = self._project.analysis(self.path)
        assert found is not None, "no rule runs on a file without burn"
        return found

    def expr(self, site: Site) -> Expr:
        """What stands at a site, to ask about."""
        return Expr(self._self, site)

    def calls(self, *names: str, near: glance.Spelling | None = None, tests: bool = True) -> Iterator[Expr]:
        """The calls of methods and functions with these names, as methods or as paths, in source order; with
        `near` only those in functions whose text it matches, without `tests` none in test code. What a name resolves
        to is to be asked of each.

        `Config::new` spares the bodies of all functions that do not spell `Config::new`, or so by a name that
        an import gives it; in those that do, every call of `new` is given."""
        places = [
            place for name in names for each in self._spellings(name) for place in self.source.calls(each)
        ]
        if not places:
            return
        wanted = dict.fromkeys(name.rpartition("::")[2] for name in names)
        for fn, body in self._bodies_around(places, near, tests):
            by_name = self._calls_in(fn, body)
            found = {e.id: e for name in wanted for e in by_name.get(name, ())}
            for at in sorted(found):
                yield Expr(self._self, self.analysis.values.site(body, found[at]))

    def _bodies_around(
        self, places: list[int], near: glance.Spelling | None = None, tests: bool = True
    ) -> Iterator[tuple[Fn, hir.Body]]:
        """The functions around some places, with `near` those whose text it matches, without `tests` no test code."""
        if not places or (near is not None and not self.source.holds(near)):
            return
        if not tests and self.source.test_only:
            return
        for fn in self.source.items.functions_around(places):
            if near is not None and not self.source.holds(near, fn.span):
                continue
            body = self.analysis.body(fn) if tests or not fn.in_test else None
            if body is not None:
                yield fn, body

    def _spellings(self, name: str) -> list[str]:
        """`Config::new`, and `C::new` where the file has `Config as C` or `type C = Config`; `relu`, and `r` where it
        has `relu as r`."""
        owner, _, last = name.rpartition("::")
        names_of = self.source.names_of
        return [f"{each}::{last}" for each in names_of(owner)] if owner else names_of(name)

    def _calls_in(self, fn: Fn, body: hir.Body) -> dict[str, list[hir.Expr]]:
        """All calls in the body of a function, by the name they spell, and by that which an import stands for."""
        found = self._calls.get(fn)
        if found is None:
            found = self._calls[fn] = {}
            for method in body.of(hir.MethodCall):
                found.setdefault(method.name, []).append(method)
            for call in body.of(hir.Call):
                for each in {called_name(call), name_of_called(call, self.source)}:
                    found.setdefault(each, []).append(call)
        return found

    def statements(self, *names: str) -> Iterator[Expr]:
        """The calls with these names whose result a statement throws away, also behind `?` and `unwrap()`,
        outside of tests, in source order."""
        for fn, body in self._bodies_with_statements(names):
            for call in self._calls_named(names, fn, body):
                if call.dropped == "dropped":
                    yield call

    def discarded(self, *names: str) -> Iterator[tuple[Expr, Expr]]:
        """The calls of methods with these names whose result a statement throws away, each twice; and the statements
        that throw away what a function of the package returns from such a call, with that call."""
        for fn, body in self._bodies_with_statements(names):
            for call in self._calls_named(names, fn, body):
                if not may_be_method(call.expr):
                    continue
                if call.dropped == "dropped":
                    yield call, call
                elif (
                    call.flow.sink_inside(call.expr).kind == "returned"
                    and any(view.may_state(call.fn.name) for view in self.around())
                    and call.is_copy_of_lent
                ):
                    yield from ((at, call) for at in self._statements_that_call(call.fn))

    def _statements_that_call(self, fn: Fn) -> Iterator[Expr]:
        for view in self.around():
            for call in view.statements(fn.name):
                if call.target is not None and call.target.fn is fn:
                    yield call

    def _places_of_statements(self, *names: str) -> Iterator[int]:
        content = self.source.content
        for each in (spelling for name in names for spelling in self._spellings(name)):
            yield from (at for at in self.source.calls(each) if glance.may_start_statement(content, at))

    def may_state(self, name: str) -> bool:
        """Whether a statement may throw away what a call with that name gives: a test of bytes."""
        return next(self._places_of_statements(name), None) is not None

    def _bodies_with_statements(self, names: tuple[str, ...]) -> Iterator[tuple[Fn, hir.Body]]:
        return self._bodies_around(list(self._places_of_statements(*names)), tests=False)

    def _calls_named(self, names: tuple[str, ...], fn: Fn, body: hir.Body) -> Iterator[Expr]:
        calls = self._calls_in(fn, body)
        for e in sorted((e for name in names for e in calls.get(name, ())), key=lambda e: e.id):
            if name_of_called(e, self.source) in names:
                yield Expr(self._self, self.analysis.values.site(body, e))

    def operators(
        self,
        *ops: str,
        near: glance.Spelling | None = None,
        tests: bool = True,
        both: bool = False,
        where: Callable[[Expr], bool] = lambda _: True,
    ) -> Iterator[Expr]:
        """The binary operators of these kinds (`*` stands for `*=` too) of which an operand is a tensor, in
        source order. What is left out spares the types of its functions: with `near` all but those whose text
        it matches, without `tests` test code, with `both` operators of which one operand is no tensor, with `where`
        those of which that is not true as they are written."""
        if near is not None and not self.source.holds(near):
            return
        places = [at for at, op in self.source.operators if op in ops]
        for fn, body in self._bodies_around(places, near, tests):
            for found, half_plain in self._operators_in(fn, body):
                if found.operator in ops and not (both and half_plain) and where(found):
                    of = all if both else any
                    if of(each.is_tensor for each in found.operands):
                        yield found

    def _operators_in(self, fn: Fn, body: hir.Body) -> list[tuple[Expr, bool]]:
        """The operators in the body of a function of which an operand may be no plain value, each with
        whether one is."""
        found = self._operators.get(fn)
        if found is None:
            found = self._operators[fn] = []
            plain = scalars.plain(body)
            both: list[hir.Binary | hir.AssignOp] = [*body.of(hir.Binary), *body.of(hir.AssignOp)]
            for e in sorted(both, key=lambda each: each.id):
                left, right = operands_as_written(e)
                if not (plain[left.id] and plain[right.id]):
                    operator = Expr(self._self, self.analysis.values.site(body, e))
                    found.append((operator, plain[left.id] or plain[right.id]))
        return found

    @property
    def generic_calls(self) -> Iterator[Expr]:
        """The calls of functions with a turbofish that is written out (`infer::<B>(..)`), outside of tests."""
        before = self.source.content.split(b"::<")[:-1]
        names = {
            word[0].decode(errors="replace") for each in before if (word := _LAST_WORD.search(each[-80:]))
        }
        return self.calls(*sorted(names), tests=False)

    def deriving(self, name: str) -> list[Declaration]:
        """The structs and enums that derive burn's `Module`, `Config` or whatever the name is, in source
        order."""
        if name not in self._deriving:
            self._deriving[name] = deriving(self._self, name)
        return self._deriving[name]

    @cached_property
    def remarks(self) -> list[context.Remark]:
        """The comments of the file, those right below each other as one."""
        return context.remarks(self.source)

    def around(self) -> Iterator[FileView]:
        """The files of the crates around this file, itself among them, those of packages without burn left out:
        nothing is known of them."""
        of_cubecl = not self._project.versions(self.path)
        for source in self.analysis.unit.files():
            if of_cubecl or self._project.versions(source.path):
                yield self._self if source is self.source else self._project.file_view(source)

    def callers(self, fn: Fn) -> Iterator[Expr]:
        """The calls of a function of the workspace in the crates around this file."""
        for view in self.around():
            for call in view.calls(fn.name):
                if call.target is not None and call.target.fn is fn:
                    yield call
