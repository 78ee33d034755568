"""Ranges of versions as rules write them: `>=0.13`, `>=0.13,<0.22`, `==0.22.1`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import lru_cache

Version = tuple[int, int, int]
"""Major, minor, patch. A pre-release is taken as its release, whose API it previews: `0.22.0-pre.1` lies in
`>=0.22` and not in `<0.22`."""

_OPERATORS: dict[str, Callable[[Version, Version], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_VERSION = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+][0-9A-Za-z.+-]+)?")
_CLAUSE = re.compile(r"(>=|<=|>|<|==)\s*(\S+)")


@lru_cache(maxsize=512)
def version(text: str) -> Version:
    """Read a version; missing parts are zero. Raises ValueError."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ValueError(f"`{text}` is no version")
    major, minor, patch = match.groups()
    return int(major), int(minor or 0), int(patch or 0)


@lru_cache(maxsize=512)
def _clauses(text: str) -> tuple[tuple[Callable[[Version, Version], bool], Version], ...]:
    out = []
    for part in text.split(","):
        match = _CLAUSE.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"`{text}` is no range of versions: write `>=0.13,<0.22`")
        out.append((_OPERATORS[match[1]], version(match[2])))
    return tuple(out)


@lru_cache(maxsize=4096)
def holds(range_: str, versions: tuple[str, ...], previews: bool = True) -> bool:
    """Whether every one of `versions` lies in the range. Raises ValueError for a malformed range or
    version.

    `previews=False`: a pre-release of a bound lies on neither side of it. Which of two APIs it has is not to be
    told from its number: burn's main branch was called 0.22.0-pre.1 before its recorders went and after.
    """
    return all(
        compare(version(text), bound) and (previews or not ("-" in text and version(text) == bound))
        for text in versions
        for compare, bound in _clauses(range_)
    )


@lru_cache(maxsize=4096)
def proven_on(proven: tuple[str, ...], versions: tuple[str, ...]) -> bool:
    """Whether a claim that was run on `proven` is known to hold on every one of `versions`.

    A release has to be among them itself. A pre-release lies between two releases: the claim has to have been run on
    the one that it became and on one of the line before (for `0.22.0-pre.2`: 0.22.0, and one of 0.21). Raises
    ValueError for what is no version.
    """
    lines = {version(text)[:2] for text in proven}
    for text in versions:
        if text in proven:
            continue
        major, minor, patch = version(text)
        became, before = f"{major}.{minor}.{patch}", (major, minor - 1)
        if "-" not in text or patch or became not in proven or before not in lines:
            return False
    return True


def check_range(range_: str) -> None:
    """Raise ValueError unless the range can be read."""
    _clauses(range_)
