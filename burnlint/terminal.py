"""What may reach a terminal: visible forms of control characters, cell widths, wrapping, colours and links.

Names and contents of files are written by others. A raw escape sequence could hide a finding, and a
right-to-left override could show code in another order than the compiler reads it, so both are spelled out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

Paint = Callable[[str, str], str]
"""`paint(role, text)`: the text as it is to be shown in that role. Roles are the keys of `_CODES`, and "" for
plain text."""

_CODES = {
    "error": "1;91",
    "warning": "1;93",
    "note": "1;92",
    "help": "1;96",
    "gutter": "1;94",
    "secondary": "1;94",
    "title": "1",
    "heading": "1;4",
    "code": "36",
    "dim": "2",
}
_JOINERS = "\u200c\u200d"
_TAB = "    "


def painter(colour: bool) -> Paint:
    """The palette in ANSI colours, or plain text."""
    if not colour:
        return lambda role, text: text
    return lambda role, text: f"\x1b[{_CODES[role]}m{text}\x1b[0m" if role and text else text


def link(text: str, uri: str) -> str:
    """An OSC 8 hyperlink. The URI must be percent-encoded."""
    return f"\x1b]8;;{uri}\x1b\\{text}\x1b]8;;\x1b\\"


def visible(text: str) -> str:
    """The text with every control, format and line-separating character spelled out, a line feed as `\\n`.

    C0 controls become control pictures (as in rustc's own diagnostics), the others `\\u{..}`; lone surrogates
    (names that are not UTF-8) become U+FFFD, so that the result can always be encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(glyph(char) for char in text)


def glyph(char: str) -> str:
    """How one character is shown."""
    if char.isprintable() or char in _JOINERS:
        return char
    if char == "\n":
        return "\\n"
    if char == "\t":
        return _TAB
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    known = unicodedata.category(char) in ("Zs", "Co", "Cn") and not _is_noncharacter(code)
    return char if known else f"\\u{{{code:x}}}"


def _is_noncharacter(code: int) -> bool:
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def cells(text: str) -> int:
    """Width in terminal cells of a text without control characters."""
    if text.isascii():
        return len(text)
    return sum(map(_cells, text))


def _cells(char: str) -> int:
    if char in _JOINERS or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(text: str, width: int, first: int = 0, later: int = 0) -> list[str]:
    """Lines of at most `width` cells, broken at spaces only; `first` cells of the first line are taken
    already, and `later` cells of every other one.

    A longer word stands alone and overflows. A line never starts with `::`, which GitHub's log reader takes
    for a command.
    """
    lines: list[str] = []
    line, used = "", first
    for word in text.split(" "):
        size = cells(word)
        if line and used + 1 + size > width and not word.startswith("::"):
            lines.append(line)
            line, used = word, later + size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, used + size)
    lines.append(line)
    return lines
