"""Questions about how code is written: old code, moves and copies, modules, tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import module_code, moves, terms
from burnlint.burn.view_package import PackageQuestions
from burnlint.lint.finding import Place
from burnlint.rust.items import Fn

if TYPE_CHECKING:
    from burnlint.burn.declarations import Field
    from burnlint.burn.expr import Expr
    from burnlint.burn.migration.file import FileMigration
    from burnlint.burn.migration.mappers import Mismatch
    from burnlint.burn.shape_macros import ShapeMacro

_INT = re.compile(rb"\bInt\b|\bint\s*\(|\barange|\barg(?:max|min|sort|where)|_ints\b")
"""What a file spells in which the origin of an Int tensor is in sight: divisions in others are not typed."""


class CodeQuestions(PackageQuestions):
    """Questions about how code is written: old code, moves and copies, modules, tests."""

    @cached_property
    def migration(self) -> FileMigration:
        """The file as code of burn 0.21 on its way to a newer one."""
        from burnlint.burn.migration.file import file_migration

        return file_migration(self._project.migration(self.path), self.source)

    def mismatched_methods(self, *traits: str) -> Iterator[Mismatch]:
        """The methods in impls of these traits of burn with another number of parameters than the trait has."""
        from burnlint.burn.migration.mappers import mismatches

        return mismatches(self.analysis, self.source, frozenset(traits))

    def shape_macros(self) -> Iterator[ShapeMacro]:
        """The paths to burn's `assert_shape!`, in imports and calls."""
        from burnlint.burn.shape_macros import shape_macros

        return shape_macros(self.analysis, self.source)

    def used_after_move(self) -> Iterator[moves.Moved]:
        """The tensors that are moved and used again before they are set anew."""
        return moves.used_after_move(self._self)

    def moved_out_of_borrow(self) -> Iterator[Expr]:
        """The tensor fields that are moved out of what is only borrowed."""
        return moves.moved_out_of_borrow(self._self)

    def clones_of_last_use(self) -> Iterator[Expr]:
        """The clones of owned tensors that nothing reads afterwards."""
        return moves.clones_of_last_use(self._self)

    def constants_of_modules(self, near: str) -> Iterator[tuple[str, Expr]]:
        """The plain tensors that struct literals of modules put into fields, each with the field's name, if the
        file holds the word `near`."""
        return module_code.constants_of_modules(self._self, near)

    def constants_in_forward(self) -> Iterator[tuple[Field, Expr]]:
        """The plain Float tensor fields of modules that a `forward…` method multiplies with another tensor or adds to
        one, each with the first such operation."""
        return module_code.constants_in_forward(self._self)

    def fields_of_literals(self, near: str) -> Iterator[tuple[str, Expr]]:
        """What struct literals of modules put into fields, each with the field's name, if the file holds the word
        `near`."""
        return module_code.fields_of_literals(self._self, near)

    def unchecked_forwards(self) -> Iterator[tuple[Fn, Place]]:
        """The public `forward…` methods of modules that take several tensors and assert nothing, with the place of
        their name."""
        return module_code.unchecked_forwards(self._self)

    def int_divisions(self) -> Iterator[Expr]:
        """The divisions of Int tensors, outside of tests."""
        if _INT.search(self.source.content) is None:
            return
        for division in (*self.operators("/", tests=False), *self.calls("div", "div_scalar", tests=False)):
            if len(division.operands) == 2 and division.operands[0].kind == "Int":
                yield division

    def panic_tests(self) -> Iterator[tuple[Fn, Place]]:
        """The tests that pass on any panic (`#[should_panic]` without a text) and compute with tensors, each
        with the attribute's place."""
        for fn in self.source.items.functions:
            attribute = fn.attribute("should_panic")
            if attribute is None or attribute.arguments:
                continue
            body = self.analysis.body(fn)
            if body is None:
                continue
            types = self.analysis.types(body)
            if any(isinstance(types.expr(e), terms.Tensor) for e in body.exprs):
                yield fn, Place(self.path, *attribute.span)
