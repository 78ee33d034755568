"""Where things are, as outputs spell it: relative paths, regions, URIs, and counts of a result."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from burnlint.lint.finding import Place, Severity
from burnlint.lint.result import Reported, Result
from burnlint.text import Text

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True, frozen=True)
class Region:
    """Lines and columns from 1; `end_column` is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def text_of(result: Result, path: str) -> Text:
    """The file's text; an empty one for a file that the run did not hand over, so that a place in it is at
    1:1."""
    return result.texts.get(path) or Text(path, b"")


def region(text: Text, start: int, end: int) -> Region:
    """The region of a byte span, columns in code points."""
    return Region(text.line(start), text.column(start), text.line(end), text.column(end))


def region_utf16(text: Text, start: int, end: int) -> Region:
    """The region of a byte span, columns in UTF-16 code units."""
    return Region(text.line(start), text.column_utf16(start), text.line(end), text.column_utf16(end))


def place_region(result: Result, place: Place) -> Region:
    """The region of a place, columns in code points."""
    return region(text_of(result, place.path), place.start, place.end)


def relative(path: str, base: str) -> str:
    """`path` as spelled from the folder `base`; unchanged when they share no root (another drive)."""
    if path.startswith(f"{base.rstrip('/')}/"):
        return path[len(base.rstrip("/")) + 1 :]
    if path.partition("/")[0] != base.partition("/")[0]:
        return path
    return posixpath.relpath(path, base)


def encodable(text: str) -> str:
    """The text without lone surrogates: bytes of a name that is no UTF-8 become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def uri_path(path: str, safe: str = "/") -> str:
    """A path percent-encoded for a URI, byte for byte also where the name is no UTF-8."""
    from urllib.parse import quote  # 5 ms that only links and SARIF need

    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a lone surrogate in a name on Windows stands for no byte
        raw = encodable(path).encode()
    return quote(raw, safe=safe)


def file_uri(path: str) -> str:
    """The file URI of an absolute path."""
    return f"file://{'' if path.startswith('/') else '/'}{uri_path(path, safe='/:')}"


def counts(findings: Iterable[Reported]) -> dict[Severity, int]:
    """Number of findings per severity, all three present."""
    found = Counter(each.severity for each in findings)
    return {"error": found["error"], "warning": found["warning"], "note": found["note"]}


def plural(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
