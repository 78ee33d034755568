"""`primaryLocationLineHash`, the fingerprint by which GitHub recognises an alert whose line has moved.

The rolling hash of GitHub's upload action (codeql-action, src/fingerprints.ts), which compares its own value
with the one in the file: for each line the polynomial hash, base 37 modulo 2^64, of the 100 UTF-16 code units
from the line's start on, blanks and tabs left out, CR and CRLF counted as LF, the unit 65535 and then zeros
appended at the end; as hexadecimal, then `:n` for the n-th line of that hash from the top.
"""

from __future__ import annotations

import re
from array import array
from itertools import islice

_WINDOW = 100
_BASE = 37
_MASK = (1 << 64) - 1
_FIRST = pow(_BASE, _WINDOW, 1 << 64)
_END = 65535
_LINE_FEED = 10


def line_hashes(content: bytes, last: int | None = None) -> list[str]:
    """The value of each line (the first is at index 0), up to line `last`, of a file's content read as UTF-8.

    Fewer where the file has fewer lines; the empty line after a final newline is one.
    """
    text = re.sub("[ \t]", "", re.sub("\r\n?", "\n", content.decode("utf-8", "replace")))
    units = array("H", text.encode("utf-16-le"))
    if units.itemsize != 2:  # pragma: no cover
        raise AssertionError("array('H') must hold 16-bit units")
    starts = [0, *(at + 1 for at, unit in enumerate(units) if unit == _LINE_FEED)][:last]
    units.append(_END)
    units.extend([0] * _WINDOW)
    value = 0
    for unit in islice(units, _WINDOW):
        value = (value * _BASE + unit) & _MASK
    hashes: list[str] = []
    seen: dict[int, int] = {}
    at = 0
    for start in starts:
        while at < start:
            value = (value * _BASE + units[at + _WINDOW] - _FIRST * units[at]) & _MASK
            at += 1
        seen[value] = seen.get(value, 0) + 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes
