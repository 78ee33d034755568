"""Annotations written into a text, and places of the written text traced back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Annotation:
    """A type that may be written behind a binding."""

    path: str
    at: int
    """The byte of the original file that the annotation goes before: the end of the pattern."""
    body: tuple[int, int]
    """The function around it, as a span of the original file."""
    name: str
    """Of the binding."""
    type: str

    @property
    def text(self) -> bytes:
        return f": {self.type}".encode()


class Edited:
    """A file with annotations in it."""

    def __init__(self, original: bytes, annotations: Sequence[Annotation]) -> None:
        self._annotations = sorted(annotations, key=lambda each: each.at)
        self._starts: list[int] = []
        """Where each annotation starts in the edited text."""
        pieces: list[bytes] = []
        last = length = 0
        for each in self._annotations:
            pieces += original[last : each.at], each.text
            length += each.at - last
            self._starts.append(length)
            length += len(each.text)
            last = each.at
        pieces.append(original[last:])
        self.content = b"".join(pieces)

    def original(self, offset: int) -> int:
        """The byte of the original that stands at a byte of the edited text; of one inside an annotation the
        byte behind it."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        each = self._annotations[index]
        return each.at + max(0, offset - self._starts[index] - len(each.text))

    def annotations(self, start: int, end: int) -> list[Annotation]:
        """Those that a span of the edited text touches inside of their type."""
        found = []
        for begin, each in zip(self._starts, self._annotations, strict=True):
            if start < begin + len(each.text) and begin + 2 < max(end, start + 1):
                found.append(each)
        return found
