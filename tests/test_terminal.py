"""What may reach a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnlint.terminal import cells, glyph, link, painter, visible, wrap

ANY_TEXT = st.text(st.characters(codec=None))
"""All code points, lone surrogates included."""


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r", "a\\nb    c␍"),
        ("\x1b[31m\x00\x7f", "␛[31m␀␡"),
        ("\x9b2J\x85", "\\u{9b}2J\\u{85}"),
        ("\u202eabc\u2066\u200b\ufeff", "\\u{202e}abc\\u{2066}\\u{200b}\\u{feff}"),
        ("\u2028\u2029", "\\u{2028}\\u{2029}"),
        ("损失 é e\u0301 🔥 👩\u200d👧", "损失 é e\u0301 🔥 👩\u200d👧"),
        ("\udcff\ud800", "\ufffd\ufffd"),
        ("\uffff\ufdd0\U0010ffff", "\\u{ffff}\\u{fdd0}\\u{10ffff}"),
        ("\u00a0\u3000", "\u00a0\u3000"),
    ],
)
def test_visible(raw: str, shown: str) -> None:
    assert visible(raw) == shown


@given(ANY_TEXT)
def test_visible_can_be_encoded_holds_no_control_and_changes_nothing_twice(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not {char for char in shown if ord(char) < 32 or 0x7F <= ord(char) < 0xA0}
    assert not {char for char in shown if 0x202A <= ord(char) <= 0x202E or 0x2066 <= ord(char) <= 0x2069}
    assert visible(shown) == shown
    assert shown == "".join(map(glyph, text)) or "\t" in text


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("损失", 4), ("e\u0301", 1), ("🔥x", 3), ("a\u200db", 2), ("", 0)]
)
def test_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_wrap() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("one two three", 7, first=4) == ["one", "two", "three"]
    assert wrap("损失 损失", 5) == ["损失", "损失"]
    assert wrap("a-very-long-word x", 5) == ["a-very-long-word", "x"]
    assert wrap("", 5) == [""]


def test_wrap_never_starts_a_line_with_a_command_of_github() -> None:
    assert wrap("word ::error::x word", 6) == ["word ::error::x", "word"]


@given(ANY_TEXT, st.integers(1, 60))
def test_wrap_loses_no_word_and_keeps_the_width(text: str, width: int) -> None:
    shown = visible(text)
    lines = wrap(shown, width)
    assert " ".join(lines).split() == shown.split()
    for line in lines:
        assert cells(line) <= width or len(line.split(" ")) == 1 or "::" in line


def test_painter() -> None:
    assert painter(False)("error", "x") == "x"
    assert painter(True)("error", "x") == "\x1b[1;91mx\x1b[0m"
    assert painter(True)("", "x") == "x"
    assert painter(True)("error", "") == ""


def test_link() -> None:
    assert link("a", "file:///a") == "\x1b]8;;file:///a\x1b\\a\x1b]8;;\x1b\\"
