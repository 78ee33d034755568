"""Patterns and replacements of key remappings, as the Rust crate `regex` reads them.

Source: regex 1, `Regex::replace_all`: in a replacement `$name` takes the longest run of letters, digits and `_`,
`${name}` what stands between the braces, `$$` is a dollar, and a group that the pattern does not have is empty.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from burnlint.rust import digits

_REFERENCE = re.compile(r"\$(?:\$|(?P<bare>\w+)|\{(?P<braced>[^}]*)\})", re.ASCII)
_ATOM = re.compile(
    r"\\(?:x\{[^}]*\}|[pP]\{[^}]*\}|.)"
    r"|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]"
    r"|\((?:\?P?<(?P<name>[A-Za-z_]\w*)>|(?P<plain>(?!\?)))"
    r"|(?P<dot>\.)",
    re.DOTALL,
)
_AFTER_NAME = re.compile(r"[\w)\]+*}]", re.ASCII)
_BEFORE_NAME = re.compile(r"[\w(\[]|\\[dw]", re.ASCII)
_STEM = re.compile(r"\^((?:[\w-]|\\\.)+)")


class Groups(NamedTuple):
    """The capture groups of a pattern, the whole match not counted."""

    number: int
    names: frozenset[str]

    def has(self, name: str) -> bool:
        """Whether `$name` means one of them, or the whole match."""
        number = digits.number(name)
        return number <= self.number if number is not None else name in self.names


class Reference(NamedTuple):
    """A `$name` in a replacement, by its offsets there."""

    start: int
    end: int
    name: str
    braced: bool


def groups(pattern: str) -> Groups:
    """The capture groups of a pattern."""
    found = [match for match in _ATOM.finditer(pattern) if match["name"] or match["plain"] is not None]
    return Groups(len(found), frozenset(match["name"] for match in found if match["name"]))


def references(replacement: str) -> list[Reference]:
    """The groups that a replacement names, in order."""
    return [
        Reference(*match.span(), match["bare"] or match["braced"], match["braced"] is not None)
        for match in _REFERENCE.finditer(replacement)
        if match["bare"] or match["braced"]
    ]


def loose_dots(pattern: str) -> list[int]:
    """The offsets of dots that match any character, and stand for one: not escaped, in a class or repeated."""
    return [
        match.start()
        for match in _ATOM.finditer(pattern)
        if match["dot"] and pattern[match.end() : match.end() + 1] not in ("*", "+", "?", "{")
    ]


def escaped(pattern: str, replacement: str) -> str | None:
    """The pattern with its loose dots escaped; None where one may stand for another character than a dot: in `fc.\\.`,
    `fc(.)` and `fc..bias` one stands for the number of a layer, and so may the last one of `fc.`, unless a dot, or
    nothing, is what the replacement ends with."""
    parts, done = [], 0
    for at in loose_dots(pattern):
        before, after = pattern[at - 1 : at] if at else "", pattern[at + 1 :]
        named = bool(_BEFORE_NAME.match(after)) if after else replacement == "" or replacement[-1] == "."
        if not named or (before and not _AFTER_NAME.match(before)):
            return None
        parts += [pattern[done:at], "\\"]
        done = at
    return "".join((*parts, pattern[done:]))


def stem(pattern: str) -> str | None:
    """The text that a key has to start with, if that is all that a pattern asks for (`^conv1\\.`); else
    None."""
    match = _STEM.fullmatch(pattern)
    return match[1].replace("\\.", ".") if match else None
