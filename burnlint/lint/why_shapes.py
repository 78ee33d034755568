"""Operations and shapes that a panic's text speaks of."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_OPERATION = re.compile(r"Operation: '([^'\n]+)'")
_SHAPE = re.compile(r"(?:dims: |Current shape: |target shape: |\(dims )\[([\d, ]*)\]")
_RESHAPE = re.compile(r"Current shape: \[([\d, ]*)\], target shape: \[([\d, ]*)\]")


@dataclass(slots=True, frozen=True)
class Operation:
    """An operation that failed, by the name in the text (`Slice Assign`), with the shapes that the text shows
    of it, the receiver's first."""

    name: str
    shapes: tuple[tuple[int, ...], ...]


def operation(text: str) -> Operation | None:
    """The operation that a panic speaks of."""
    match = _OPERATION.search(text)
    if match is None:
        return None
    return Operation(match[1], tuple(_sizes(each) for each in _SHAPE.findall(text)))


def fewer_rows(text: str) -> bool:
    """Whether a reshape failed only because there are fewer rows than it names: the last batch of a
    loader."""
    match = _RESHAPE.search(text)
    if match is None:
        return False
    current, target = _sizes(match[1]), _sizes(match[2])
    row = math.prod(target[1:])
    if not current or not target or row == 0 or math.prod(current) % row:
        return False
    return math.prod(current) // row < target[0] and (len(current) == 1 or math.prod(current[1:]) == row)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.replace(" ", "").split(",") if each)


PREDICATES = {"fewer-rows": fewer_rows}
"""What an entry of the pitfalls' file may ask of a message besides its patterns."""
