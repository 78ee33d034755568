"""What the comments of a fixture expect, and where findings differ from it.

In a Rust file (`#~` in TOML and other files with `#` comments):

- `//~ name` a finding of this rule starts on this line; `//~^ name` one line up, `//~^^ name` two;
- `//~ name (medium)` with this confidence, `(error)` with this severity, `(error, high)` with both;
- `//~ name: words` with these words in its message;
- `//~? name` a known miss, and `//~! name` a known false alarm: both fail when that changes.

Every other line has to be silent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

MARK = re.compile(
    r"(?://|\#)~(?P<up>\^*)(?P<known>[?!]?)\s*(?P<name>[a-z][a-z0-9-]*)"
    r"(?:\s*\((?P<levels>[a-z, ]*)\))?(?::\s*(?P<words>.*?))?\s*(?=(?://|\#)~|$)"
)


@dataclass(frozen=True)
class Found:
    """A finding as the JSON output has it. `path` is relative to the folder of the run."""

    path: str
    line: int
    name: str
    message: str
    severity: str
    confidence: str
    fixable: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name} ({self.severity}, {self.confidence}): {self.message}"


@dataclass(frozen=True)
class Mark:
    """What a comment expects."""

    path: str
    line: int
    name: str
    known: str
    """`?` for a known miss, `!` for a known false alarm, empty for a finding that has to be there."""
    levels: tuple[str, ...]
    words: str

    def agrees(self, found: Found) -> bool:
        return self.words in found.message and set(self.levels) <= {found.severity, found.confidence}

    def __str__(self) -> str:
        levels = f" ({', '.join(self.levels)})" if self.levels else ""
        return f"{self.path}:{self.line}: {self.name}{levels}{f': {self.words}' if self.words else ''}"


def marks(path: str, text: str) -> Iterator[Mark]:
    """The comments of a file."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in MARK.finditer(line):
            levels = tuple(re.findall(r"\w+", match["levels"] or ""))
            at = number - len(match["up"])
            yield Mark(path, at, match["name"], match["known"], levels, match["words"] or "")


def differences(
    expected: Sequence[Mark],
    found: Sequence[Found],
    sources: Mapping[str, str],
    known_names: Collection[str],
) -> list[str]:
    """One text per difference, each followed by the line of source that it is about."""
    left = Counter((each.path, each.line, each.name) for each in found)
    problems = [
        f"Unknown: {mark}: no rule has this name" for mark in expected if mark.name not in known_names
    ]
    for mark in expected:
        key = (mark.path, mark.line, mark.name)
        here = [each for each in found if (each.path, each.line, each.name) == key]
        if mark.known == "?":
            if here:
                problems.append(f"Found: {mark} is no miss any more, write `~` in place of `~?`")
        elif not here:
            problems.append(
                f"Gone: {mark} is no false alarm any more, remove the comment"
                if mark.known
                else f"Missing: {mark}"
            )
        elif not any(map(mark.agrees, here)):
            problems += [f"Differs: {mark}, but it is {each}" for each in here]
        left[key] -= 1
    for (path, line, name), count in left.items():
        if count > 0:
            problems += [
                f"Noisy: {each}" for each in found if (each.path, each.line, each.name) == (path, line, name)
            ]
    return [f"{each}\n      {_line_of(each, sources)}" for each in sorted(problems)]


def _line_of(problem: str, sources: Mapping[str, str]) -> str:
    place = re.search(r"(\S+?):(\d+): ", problem)
    assert place is not None, "every problem names its place"
    source = sources.get(place[1], "").splitlines()
    return source[int(place[2]) - 1].strip() if int(place[2]) <= len(source) else ""
