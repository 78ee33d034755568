"""Every format over anything: bytes of any kind, any span, any text."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from results import ROOT, Build, make_rule

from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
from burnlint.lint.result import Note, Result
from burnlint.report import FORMATS, RenderOptions, render
from burnlint.report.snippet import Mark, draw
from burnlint.terminal import cells
from burnlint.text import Text

TEXT = st.text(st.characters(codec=None), max_size=40)
CONTENT = st.lists(
    st.sampled_from(
        [
            b"let x = y;",
            b"\n",
            b"\r\n",
            b"\r",
            b"\t",
            " é🔥损".encode(),
            b"\xff",
            b"\xef\xbb\xbf",
            b"\x1b[1m",
            b"::",
        ]
    )
    | st.binary(max_size=6)
    | st.just(b"x" * 150),
    max_size=12,
).map(b"".join)
NAMES = st.text(st.characters(exclude_characters="/", codec=None), min_size=1, max_size=12)


@st.composite
def places(draw_: st.DrawFn, texts: dict[str, Text]) -> Place:
    path = draw_(st.sampled_from(sorted(texts)))
    start, end = sorted(draw_(st.tuples(*[st.integers(0, len(texts[path].content))] * 2)))
    return Place(path, start, end)


@st.composite
def results(draw_: st.DrawFn) -> Result:
    build = Build()
    for name in draw_(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        build.file(name, draw_(CONTENT))
    place = places(build.result.texts)
    for _ in range(draw_(st.integers(0, 3))):
        because = draw_(st.lists(st.builds(Because, place, TEXT), max_size=3))
        fix = draw_(st.none() | st.builds(Fix, TEXT, st.tuples(st.builds(Edit, place, TEXT)), st.booleans()))
        severity = draw_(st.sampled_from(["error", "warning", "note"]))
        build.add(
            Finding(draw_(place), draw_(TEXT), draw_(TEXT), tuple(because), fix), make_rule(severity=severity)
        )
    path = st.none() | NAMES.map(lambda name: f"{ROOT}/{name}")
    note = st.builds(
        Note,
        st.just("BL001"),
        st.just("parse-error"),
        path,
        st.none() | st.integers(1, 99),
        TEXT,
        st.booleans(),
    )
    build.result.notes += draw_(st.lists(note, max_size=2))
    return build.result


@pytest.mark.parametrize("name", FORMATS)
@given(result=results(), width=st.integers(1, 120), colour=st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_result_renders(name: str, result: Result, width: int, colour: bool) -> None:
    shown = render(name, result, RenderOptions(colour=colour, width=width, hyperlinks=colour, category="c"))
    shown.encode()
    if name in ("json", "sarif", "gitlab"):
        json.loads(shown)
    elif name in ("checkstyle", "junit"):
        ElementTree.fromstring(shown.encode())
    elif name in ("text", "concise", "github") and not colour:
        assert not {char for char in shown if char != "\n" and (ord(char) < 32 or 0x7F <= ord(char) < 0xA0)}


@given(content=CONTENT, width=st.integers(24, 100), data=st.data())
@settings(max_examples=200, deadline=None)
def test_what_is_drawn_stays_in_the_width(content: bytes, width: int, data: st.DataObject) -> None:
    """Up to four marks without labels; one that is alone on its line has its carets below shown text or right
    behind it."""
    text = Text("/a.rs", content)
    found = data.draw(st.lists(places({"/a.rs": text}), min_size=1, max_size=4))
    marks = [Mark(place.start, place.end, "", "error", True) for place in found]
    rows = ["".join(piece for _, piece in row) for row in draw(text, marks, width, 1)]
    assert max(map(cells, rows)) <= width + 1
    assert all(row.startswith(("...", "  |")) or row[1:3] == " |" for row in rows)
    start, end = found[0].start, found[0].end
    line = text.line_text(text.line(start))
    if len(marks) == 1 and text.line(start) == text.line(end) and line == line.rstrip():
        source, carets = rows
        assert set(carets[4:]) <= {" ", "^"} and carets.endswith("^")
        assert carets.index("^") <= max(cells(source), 4)
