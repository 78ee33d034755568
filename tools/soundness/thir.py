"""What rustc says of every binding and expression: its THIR, the typed tree that MIR is built from.

`rustc -Zunpretty=thir-tree` prints it, one field a line, some hundred lines an expression. MIR would say the
same of bindings, but no longer knows those in `async` functions by their names,
nor which expression a temporary is.
`compact` keeps of the print the rows that `read` takes:

    B <TAB> span <TAB> name <TAB> type    a binding of a pattern
    E <TAB> span <TAB> type               an expression; several of one span are adjustments (a borrow)

Spans are as rustc writes them (`src/lib.rs:9:14: 9:15`: lines and columns from 1, in code points); what
macros made is left out, what stands between a macro's parentheses is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_INLINE = re.compile(
    r"span: (?P<span>[^ ]+: \d+:\d+) \(#0\), extra: (?:None|Some\(.{0,400}?\)), "
    r'kind: Binding \{ name: "(?P<name>\w+)", mode: BindingMode\([^{}]*?\), '
    r"var: LocalVarId\(HirId\(DefId\(.*?\)\.\d+\)\), "
    r"ty: (?P<type>.*?), subpattern: "
)
"""Patterns of `if let` and `while let` stand on one line."""
_SPAN = re.compile(r"(?P<path>.+?):(\d+):(\d+): (\d+):(\d+)")

INCOMPLETE = "incomplete\n"


@dataclass(frozen=True, slots=True)
class Place:
    """A span: lines and columns from 1, in code points."""

    path: str
    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Row:
    """One binding (with its name) or expression (`name` is empty)."""

    place: Place
    name: str
    type: str


def compact(lines: Iterable[str]) -> Iterator[str]:
    """The rows of a print of THIR."""
    span = type = name = ""
    in_expr = in_binding = False
    for raw in lines:
        line = raw.lstrip()
        if line.startswith("ty: "):
            text = line[4:].rstrip("\n")
            if in_binding:
                if span.endswith(" (#0)"):
                    yield f"B\t{span[:-5]}\t{name}\t{text}"
                in_binding = False
            else:
                type = text
        elif line.startswith("span: "):
            span = line[6:].rstrip("\n")
            if in_expr and span.endswith(" (#0)"):
                yield f"E\t{span[:-5]}\t{type}"
            in_expr = False
        elif line.startswith("Expr {"):
            in_expr = True
        elif line.startswith("Pat {"):
            in_expr = False
        elif line.startswith("Binding {"):
            in_binding = True
        elif in_binding and line.startswith("name: "):
            name = line[7:].rstrip('"\n')
        elif line.startswith("pat: Pat {"):
            for found in _INLINE.finditer(line):
                yield f"B\t{found['span']}\t{found['name']}\t{found['type']}"


def read(rows: Iterable[str]) -> Iterator[Row | None]:
    """Rows back from their text; None for the mark of a print that broke off (`INCOMPLETE`)."""
    for row in rows:
        if row == INCOMPLETE:
            yield None
            continue
        kind, span, *rest = row.rstrip("\n").split("\t")
        place = place_of(span)
        if place is not None:
            yield Row(place, rest[0] if kind == "B" else "", rest[-1])


def place_of(span: str) -> Place | None:
    """A span in rustc's spelling; None for one in no file."""
    found = _SPAN.fullmatch(span)
    if found is None:
        return None
    a, b, c, d = map(int, found.groups()[1:])
    return Place(found["path"], (a, b), (c, d))
