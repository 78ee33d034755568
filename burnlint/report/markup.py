"""Messages as markup: which parts of them are code, since messages put the user's identifiers in
backticks."""

from __future__ import annotations

import re

_CODE = re.compile(r"`([^`]+)`")


def code_parts(text: str) -> list[tuple[bool, str]]:
    """The text as (is code, part) without the backticks; one that has no partner is text."""
    parts: list[tuple[bool, str]] = []
    end = 0
    for match in _CODE.finditer(text):
        if match.start() > end:
            parts.append((False, text[end : match.start()]))
        parts.append((True, match[1]))
        end = match.end()
    if end < len(text):
        parts.append((False, text[end:]))
    return parts
