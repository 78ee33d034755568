"""Environment variables that a program sets for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import texts
from burnlint.lint.finding import Place

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView


class Assignment(NamedTuple):
    """A call of `std::env::set_var` whose name and value are known."""

    variable: str
    value: str
    call: Expr

    @property
    def place(self) -> Place:
        """The call."""
        return self.call.place

    @property
    def value_place(self) -> Place:
        """The expression that gives the value."""
        return self.call.operands[1].place

    @property
    def in_test(self) -> bool:
        return self.call.in_test

    @property
    def is_asked_for(self) -> bool:
        """Whether a condition decides whether it runs, or a feature or the profile whether it is compiled."""
        return self.call.in_branch or bool(self.call.cfg_flags)

    @property
    def function(self) -> str:
        """The name of the function around it."""
        return self.call.fn.name


def assignments(file: FileView, *variables: str) -> Iterator[Assignment]:
    """The calls that set one of these variables; a function of the workspace with that name is another."""
    for call in file.calls("set_var"):
        if len(call.operands) != 2 or call.target is not None:
            continue
        variable, value = map(texts.whole, call.operands)
        if variable in variables and variable is not None and value is not None:
            yield Assignment(variable, value, call)
