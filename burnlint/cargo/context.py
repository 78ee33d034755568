"""What a place in a TOML file belongs to: its comments, the table around it, the entry that follows a
comment.

By tokens, so that a file that does not parse as a whole is served too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnlint.text import Text

Span = tuple[int, int]

_TOKEN = re.compile(
    rb'"""(?:\\.|[^\\])*?"""'
    rb"|'''.*?'''"
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|'[^'\n]*'"
    rb"|(?P<comment>#[^\n\r]*)"
    rb"|(?P<open>[\[{])|(?P<close>[\]}])|(?P<line>\n)",
    re.DOTALL,
)
_HEADER = re.compile(rb"^[ \t]*\[\[?(?P<name>[^\]\n]+)\]", re.MULTILINE)


def comment_spans(text: Text) -> list[Span]:
    """Every comment, in order."""
    return [m.span() for m in _TOKEN.finditer(text.content) if m.lastgroup == "comment"]


def entry_after(text: Text, offset: int) -> Span | None:
    """The entry or table header that starts next after `offset`, over blank lines and comments; an entry
    goes on to the
    end of its value."""
    for start, end in _lines(text.content, offset):
        if text.content[start:end].strip():
            return start + _indent(text.content[start:end]), end
    return None


def _lines(content: bytes, offset: int) -> Iterator[Span]:
    """Logical lines from `offset` on, comments left out: a value with open brackets or a long string goes
    on."""
    start, depth = offset, 0
    for match in _TOKEN.finditer(content, offset):
        if match.lastgroup == "open":
            depth += 1
        elif match.lastgroup == "close":
            depth -= 1
        elif (depth <= 0 and match.lastgroup == "line") or (depth <= 0 and match.lastgroup == "comment"):
            yield start, match.start()
            start = match.end()
    yield start, len(content)


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())


def table_at(text: Text, offset: int) -> str:
    """The name of the table that holds `offset`, empty before the first header."""
    name = b""
    for header in _HEADER.finditer(text.content):
        if header.start() > offset:
            break
        name = header["name"].strip()
    return name.decode("utf-8", "replace")
