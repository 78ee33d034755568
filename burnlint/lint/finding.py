"""What a rule yields: a finding with its place, evidence and an optional fix."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Severity = Literal["error", "warning", "note"]
Confidence = Literal["high", "medium", "low"]

SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")
CONFIDENCES: tuple[Confidence, ...] = ("low", "medium", "high")


@dataclass(slots=True, frozen=True)
class Place:
    """A span of a file: `path` as the project model names it (absolute, `/` separators), byte offsets
    `[start, end)`."""

    path: str
    start: int
    end: int


@dataclass(slots=True, frozen=True)
class Because:
    """Evidence: a place that the claim rests on and what is true there."""

    place: Place
    message: str


@dataclass(slots=True, frozen=True)
class Edit:
    """Replace the bytes of `place` by `text` (an insertion when it is empty)."""

    place: Place
    text: str


@dataclass(slots=True, frozen=True)
class Fix:
    """An atomic group of edits.

    Safe: checked by cargo on its fixture, and the program means the same or did not compile before. A fix
    that changes numbers, rounding, features or the build is unsafe.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(slots=True, frozen=True)
class Finding:
    """One finding. `message` is one sentence without a full stop, with the user's own identifiers in
    backticks, and says what will happen; `help` says what to write. `severity` and `confidence`, where given,
    only lower those of the rule."""

    place: Place
    message: str
    help: str = ""
    because: tuple[Because, ...] = ()
    fix: Fix | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None
    hidden: tuple[Place, ...] = field(default=())
    """Places where a suppression comment works too, without being shown."""

    def lowered(self, severity: Severity | None = None, confidence: Confidence | None = None) -> Finding:
        """A copy with a lower severity or confidence than its rule's."""
        return replace(self, severity=severity or self.severity, confidence=confidence or self.confidence)

    def with_because(self, place: Place, message: str) -> Finding:
        """A copy with one more piece of evidence."""
        return replace(self, because=(*self.because, Because(place, message)))

    def with_fix(self, title: str, *edits: Edit | None, safe: bool) -> Finding:
        """A copy with a fix; the same finding where there is no edit, or one is None: then what to write is not
        known."""
        known = tuple(each for each in edits if each is not None)
        return replace(self, fix=Fix(title, known, safe)) if known and len(known) == len(edits) else self
