"""A fault to plant: what it replaces, by what, and the twin that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.mutation.base import Source

OPEN, CLOSE = "⟦", "⟧"
"""They stand around the expression in `wrong` and `right` that an indirection may move elsewhere."""


@dataclass(frozen=True, slots=True)
class Free:
    """A variable that an expression reads: its type, and how it is handed on (`""`, `"&"`, `"&mut "`). `cloned`:
    the twin hands on a clone, and then does the same with it as the fault."""

    type: str
    by: str = ""
    cloned: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """One place of a file. `wrong` and `right` both stand in for `span` (bytes), the second in the twin.

    `free` are the variables of the marked expression and `type` its type (of `wrong`; `right_type` where that
    of `right` differs), as far as they are known; `items` are appended to the file,
    `wrong_items` and `right_items` to that of fault and twin, `extra` replaces further places in both."""

    path: str
    span: tuple[int, int]
    wrong: str
    right: str
    type: str = ""
    right_type: str = ""
    free: Mapping[str, Free] | None = None
    generics: str = ""
    items: str = ""
    wrong_items: str = ""
    right_items: str = ""
    extra: tuple[tuple[int, int, str], ...] = ()
    transplanted: bool = False
    files: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Other files by path: content with the fault, and without."""
    shape: str = "direct"
    """`direct`, or the kind of indirection."""


Finder = Callable[["Source"], Iterable[Fault]]


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of fault. `pitfalls` are those of the list that it is an instance of (`-`: a rule of none counts
    too), `error` the code that rustc must give, `find` its places in a file."""

    name: str
    issue: int
    pitfalls: tuple[str, ...]
    find: Finder
    error: str = ""


def unmarked(source: str) -> str:
    """Without the marks."""
    return source.replace(OPEN, "").replace(CLOSE, "")


def marked(source: str) -> tuple[str, str, str] | None:
    """What stands before, inside and after the marks; None without marks."""
    before, mark, rest = source.partition(OPEN)
    inside, _, after = rest.rpartition(CLOSE)
    return (before, inside, after) if mark else None


def around(expression: str) -> str:
    """An expression between marks."""
    return OPEN + expression + CLOSE


def planted(content: bytes, fault: Fault, *, right: bool) -> bytes:
    """The file with the fault, or that of its twin."""
    body = fault.right if right else fault.wrong
    items = fault.items + (fault.right_items if right else fault.wrong_items)
    made = content
    for start, end, text in sorted([(*fault.span, unmarked(body)), *fault.extra], reverse=True):
        made = made[:start] + text.encode() + made[end:]
    return made + items.encode()
