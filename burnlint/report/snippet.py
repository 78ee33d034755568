"""Source lines with what is marked in them, as rustc draws them: carets, dashes, labels below.

Drawn as segments of (role, text), so that a terminal, a plain text and an HTML page can show the same. A mark
over several lines has a rail at the left from its first to its last line; one that would cross another rail,
or that is on lines too long to show whole, is drawn on its first line only. Long lines are cut around the
marks; marks that are too far apart for one line show the line twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burnlint.lint.finding import Place
from burnlint.lint.result import Reported, Result
from burnlint.terminal import cells, glyph, visible, wrap
from burnlint.text import Text

Segments = list[tuple[str, str]]
"""One drawn line: (role, text) pairs, roles as in `burnlint.terminal`."""

_LEAD = 16
"""Characters shown before the first mark of a line that is cut."""
_RAIL_LINES = 5
"""Lines of a mark that are all shown; of a longer one the first and the last."""
_LABEL_ROOM = 30
"""Cells a label gets at least, also where it then runs over the width."""


@dataclass(slots=True, frozen=True)
class Mark:
    """A byte span to mark, with a label (may be empty) and the role it is drawn in; the primary one has
    carets."""

    start: int
    end: int
    label: str
    role: str
    primary: bool


@dataclass(slots=True)
class _Placed:
    """A mark on its line: code points `[start, end)`, then, once the line is cut, cells `[left, right)`."""

    start: int
    end: int
    mark: Mark
    left: int = 0
    right: int = 0


@dataclass(slots=True, frozen=True)
class _Rail:
    """A mark over the lines `first` to `last`: it starts at cell `left` of the first, and ends before cell
    `right` of the last."""

    mark: Mark
    first: int
    last: int
    left: int
    right: int


@dataclass(slots=True, frozen=True)
class Excerpt:
    """What is drawn of one file, and the place that its heading names."""

    place: Place
    rows: list[Segments]


def excerpts(result: Result, reported: Reported, width: int) -> tuple[list[Excerpt], int]:
    """The finding's file with its evidence, then the other files of the evidence in its order; and the
    gutter's digits.

    A file that the run did not hand over has an excerpt without rows.
    """
    finding = reported.finding
    marks = {finding.place.path: [(finding.place, Mark(*_span(finding.place), "", reported.severity, True))]}
    for because in finding.because:
        mark = Mark(*_span(because.place), because.message, "secondary", False)
        marks.setdefault(because.place.path, []).append((because.place, mark))
    gutter = 1
    for path, of_file in marks.items():
        if path in result.texts:
            lines = [result.texts[path].line(mark.end) for _, mark in of_file]
            gutter = max(gutter, len(str(max(lines))))
    return [
        Excerpt(
            of_file[0][0],
            draw(result.texts[path], [mark for _, mark in of_file], width, gutter)
            if path in result.texts
            else [],
        )
        for path, of_file in marks.items()
    ], gutter


def _span(place: Place) -> tuple[int, int]:
    return place.start, place.end


def draw(text: Text, marks: Sequence[Mark], width: int, gutter: int) -> list[Segments]:
    """The marked lines of a file. `gutter` is the number of digits that line numbers are padded to."""
    room = max(width - gutter - 3, 20)
    rails = _rails(text, marks, room - 2)
    room -= 2 if rails else 0
    by_line: dict[int, list[_Placed]] = {line: [] for rail in rails for line in _lines(rail)}
    for mark in marks:
        if all(rail.mark is not mark for rail in rails):
            line = text.line(mark.start)
            by_line.setdefault(line, []).append(_placed(text, line, mark))
    drawn: list[Segments] = []
    previous = 0
    for line in sorted(by_line):
        if previous and line == previous + 2:
            shown = _cut(text.line_text(line - 1), 0, room)[0]
            drawn.append(_source(line - 1, gutter, _side(rails, line - 1), shown))
        elif previous and line > previous + 2:
            inside = any(rail.first <= previous and line <= rail.last for rail in rails)
            drawn.append([("gutter", "..."), *([("", " " * gutter), *_side(rails, line)] if inside else [])])
        previous = line
        source, side = text.line_text(line), _side(rails, line)
        for group in _groups(source, by_line[line], room):
            drawn += _draw_line(line, source, group, room, gutter, side)
        for rail in rails:
            if rail.first == line:
                drawn.append([*bar(gutter), (rail.mark.role, f"  {'_' * (rail.left + 1)}{_sign(rail.mark)}")])
            elif rail.last == line:
                drawn += _rail_end(rail, room, gutter)
    return drawn


def _rails(text: Text, marks: Sequence[Mark], room: int) -> list[_Rail]:
    """The marks that get a rail, from the top."""
    rails: list[_Rail] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        first, last = text.line(mark.start), text.line(max(mark.end - 1, mark.start))
        if first == last or (rails and first <= rails[-1].last):
            continue
        before = text.line_text(first)[: text.column(mark.start) - 1]
        until = text.line_text(last)
        if text.line(mark.end) == last:
            until = until[: text.column(mark.end) - 1]
        if max(len(text.line_text(first)), len(text.line_text(last))) <= room:
            left, right = cells(_shown(before)), cells(_shown(until))
            if max(left, right) < room:
                rails.append(_Rail(mark, first, last, left, right))
    return rails


def _lines(rail: _Rail) -> Sequence[int]:
    every = range(rail.first, rail.last + 1)
    return every if len(every) <= _RAIL_LINES else (rail.first, rail.last)


def _side(rails: list[_Rail], line: int) -> Segments:
    """What stands between gutter and source: nothing in an excerpt without rails."""
    inside = [("", "  ")] if rails else []
    return next(([(rail.mark.role, "| ")] for rail in rails if rail.first < line <= rail.last), inside)


def _rail_end(rail: _Rail, room: int, gutter: int) -> list[Segments]:
    """The row below the last line, and the label."""
    first, *more = wrap(visible(rail.mark.label), max(room - rail.right, _LABEL_ROOM))
    end = f" |{'_' * max(rail.right, 1)}{_sign(rail.mark)} {first}"
    rows: list[Segments] = [[*bar(gutter), (rail.mark.role, end)]]
    return rows + [[*bar(gutter), (rail.mark.role, " " * (max(rail.right, 1) + 4) + piece)] for piece in more]


def _sign(mark: Mark) -> str:
    return "^" if mark.primary else "-"


def bar(gutter: int) -> Segments:
    """An empty line of the gutter."""
    return [("gutter", f"{'':{gutter}} |")]


def _placed(text: Text, line: int, mark: Mark) -> _Placed:
    source = text.line_text(line)
    start = min(text.column(mark.start) - 1, len(source))
    end = text.column(mark.end) - 1 if text.line(mark.end) == line else len(source.rstrip())
    return _Placed(start, max(min(end, len(source)), start + 1), mark)


def _groups(source: str, placed: list[_Placed], room: int) -> list[list[_Placed]]:
    """The marks of a line, from left to right, in groups that fit on one cut of the line."""
    placed.sort(key=lambda each: (each.start, each.end))
    if len(source) <= room:
        return [placed]
    groups: list[list[_Placed]] = []
    for each in placed:
        if groups and each.end - groups[-1][0].start <= room - _LEAD - 2:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _draw_line(
    line: int, source: str, group: list[_Placed], room: int, gutter: int, side: Segments
) -> list[Segments]:
    if not group:
        return [_source(line, gutter, side, _cut(source, 0, room)[0])]
    first, last = group[0].start, max(each.end for each in group)
    fits = last <= 2 * room and cells(_shown(source[:last])) < room
    begin = 0 if fits else max(first - _LEAD, 0)
    shown, edges = _cut(source, begin, room)
    for each in group:
        each.left = edges[min(max(each.start - begin, 0), len(edges) - 1)]
        each.right = max(edges[min(each.end - begin, len(edges) - 1)], each.left + 1)
    below = _below(group, room)
    return [_source(line, gutter, side, shown), *([*bar(gutter), ("", " "), *side, *row] for row in below)]


def _source(line: int, gutter: int, side: Segments, shown: str) -> Segments:
    return [("gutter", f"{line:>{gutter}} |"), ("", " "), *side, ("", shown)]


def _shown(text: str) -> str:
    return "".join(map(glyph, text)) if not text.isprintable() else text


def _cut(source: str, begin: int, room: int) -> tuple[str, Sequence[int]]:
    """What is shown of a line from code point `begin` on, and the cell at which each code point starts (and
    the last ends)."""
    shown = ["…"] if begin else []
    at = len(shown)
    if source.isascii() and source.isprintable():
        rest = source[begin:]
        kept = rest if at + len(rest) <= room else rest[: room - at - 1]
        return "".join([*shown, kept, "" if kept == rest else "…"]), range(at, at + len(kept) + 1)
    edges = [at]
    for index in range(begin, len(source)):
        piece = glyph(source[index])
        size = cells(piece)
        more = 1 if index + 1 < len(source) else 0
        if at + size + more > room:
            shown.append("…")
            break
        shown.append(piece)
        at += size
        edges.append(at)
    return "".join(shown), edges


def _below(group: list[_Placed], room: int) -> list[Segments]:
    """The rows under a source line: underlines, then labels, the rightmost one beside its underline if there
    is room."""
    underline = _underline(group)
    labelled = [each for each in group if each.mark.label]
    end = max(each.right for each in group)
    rows = [underline]
    if labelled:
        last = labelled[-1]
        label = visible(last.mark.label)
        alone = last.right == end and all(each is last or each.right <= last.left for each in group)
        if alone and end + 1 + cells(label) <= room:
            underline.append((last.mark.role, f" {label}"))
            labelled.pop()
    return rows + _hanging(labelled, room)


def _underline(group: list[_Placed]) -> Segments:
    end = max(each.right for each in group)
    roles, signs = [""] * end, [" "] * end
    for each in sorted(group, key=lambda each: each.mark.primary):
        for cell in range(each.left, each.right):
            roles[cell], signs[cell] = each.mark.role, _sign(each.mark)
    return _merged(roles, signs)


def _hanging(labelled: list[_Placed], room: int) -> list[Segments]:
    """Labels from right to left below their marks, with connectors for those still to come."""
    rows: list[Segments] = []
    if labelled:
        rows.append(_connectors(labelled, labelled[-1].left + 1))
    while labelled:
        each = labelled.pop()
        waiting = [other for other in labelled if other.left < each.left]
        for piece in wrap(visible(each.mark.label), max(room - each.left, _LABEL_ROOM)):
            rows.append([*_connectors(waiting, each.left), (each.mark.role, piece)])
    return rows


def _connectors(placed: list[_Placed], width: int) -> Segments:
    roles, signs = [""] * width, [" "] * width
    for each in placed:
        roles[each.left], signs[each.left] = each.mark.role, "|"
    return _merged(roles, signs)


def _merged(roles: list[str], signs: list[str]) -> Segments:
    """Cells of equal role as one segment."""
    merged: Segments = []
    for role, sign in zip(roles, signs, strict=True):
        if merged and merged[-1][0] == role:
            merged[-1] = (role, merged[-1][1] + sign)
        else:
            merged.append((role, sign))
    return merged
