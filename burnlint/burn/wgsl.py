"""What is seen of a WGSL shader: its entry points, their buffers, and accesses that nothing guards. A reader of tokens,
not a parser: whatever might keep an invocation out counts as a guard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from burnlint.text import Text

_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)
_BUFFER = re.compile(rb"\bvar\s*<\s*storage\b[^>]*>\s*(\w+)\s*:\s*array\s*<")
_ENTRY = re.compile(rb"@compute\b[^{;]*?\bfn\s+(\w+)\s*\(")
_GLOBAL_ID = re.compile(rb"@builtin\s*\(\s*global_invocation_id\s*\)\s*(\w+)\s*:")
_GUARD = re.compile(
    rb"\b(?:if|return|while|for|loop|switch|select|min|max|clamp|arrayLength|workgroupBarrier|subgroup\w*)\b|%"
)
_LET = re.compile(rb"\b(?:let|var)\s+(\w+)\s*(?::\s*\w+\s*)?=\s*([^;]+);")


class Access(NamedTuple):
    """A storage buffer that an entry point indexes by its global invocation id. Offsets in bytes."""

    entry: str
    buffer: str
    start: int
    end: int


def unguarded(text: Text) -> Iterator[Access]:
    """The first such access of each entry point that has nothing which may guard it."""
    content = _COMMENT.sub(lambda match: re.sub(rb"[^\n]", b" ", match.group()), text.content)
    buffers = [match[1] for match in _BUFFER.finditer(content)]
    for entry in _ENTRY.finditer(content) if buffers else ():
        brace = content.find(b"{", entry.end())
        end = _closing(content, brace)
        ids = [match[1] for match in _GLOBAL_ID.finditer(content, entry.end(), brace)]
        if brace < 0 or end is None or not ids or _GUARD.search(content, brace, end):
            continue
        for let in _LET.finditer(content, brace, end):
            if _mentions(let[2], ids):
                ids.append(let[1])
        access = re.compile(rb"\b(%b)\s*\[([^\]\[]*)\]" % b"|".join(map(re.escape, buffers)))
        for match in access.finditer(content, brace, end):
            if _mentions(match[2], ids):
                yield Access(entry[1].decode(), match[1].decode(), *match.span())
                break


def _mentions(part: bytes, names: list[bytes]) -> bool:
    return any(re.search(rb"\b%b\b" % re.escape(name), part) for name in names)


def _closing(content: bytes, brace: int) -> int | None:
    depth = 0
    for match in re.compile(rb"[{}]").finditer(content, max(brace, 0)):
        depth += 1 if match.group() == b"{" else -1
        if depth == 0:
            return match.end()
    return None
