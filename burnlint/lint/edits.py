"""Edits of bytes: which groups go together, and what a file is after them.

Only bytes inside the edits change. Text that an edit brings gets the line ending of its file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from burnlint.lint.finding import Edit, Fix


def apply(contents: Mapping[str, bytes], fixes: Iterable[Fix]) -> dict[str, bytes]:
    """The changed files after every edit of fixes that do not collide."""
    by_path: dict[str, set[tuple[int, int, str]]] = defaultdict(set)
    for fix in fixes:
        for edit in fix.edits:
            by_path[edit.place.path].add((edit.place.start, edit.place.end, edit.text))
    return {path: _rewrite(contents[path], sorted(edits)) for path, edits in by_path.items()}


def _rewrite(content: bytes, edits: Sequence[tuple[int, int, str]]) -> bytes:
    newline = _newline(content)
    out: list[bytes] = []
    at = 0
    for start, end, text in edits:
        out += [content[at:start], text.replace("\r\n", "\n").replace("\n", newline).encode()]
        at = end
    return b"".join([*out, content[at:]])


def _newline(content: bytes) -> str:
    first = content.find(b"\n")
    return "\r\n" if first > 0 and content[first - 1 : first] == b"\r" else "\n"


class Accepted:
    """The edits that were taken so far, to tell whether another fix collides with them."""

    def __init__(self) -> None:
        self._by_path: dict[str, list[Edit]] = defaultdict(list)

    def take(self, fix: Fix) -> bool:
        """Take a fix unless it collides: with itself, or with another. Two fixes may share an edit (one
        import)."""
        edits = list(dict.fromkeys(fix.edits))
        for at, edit in enumerate(edits):
            others = [*self._by_path[edit.place.path], *edits[:at]]
            if any(_collide(edit, other) for other in others):
                return False
        for edit in edits:
            if edit not in self._by_path[edit.place.path]:
                self._by_path[edit.place.path].append(edit)
        return True


def _collide(one: Edit, other: Edit) -> bool:
    """Whether two different edits touch the same bytes, or one inserts where the other begins or ends.

    Lines that both insert at one place do not collide: imports, in whatever order.
    """
    if one == other or one.place.path != other.place.path:
        return False
    if one.place == other.place and one.place.start == one.place.end:
        return not (one.text.startswith("\n") and other.text.startswith("\n"))
    if one.place.start == one.place.end or other.place.start == other.place.end:
        return one.place.start <= other.place.end and other.place.start <= one.place.end
    return one.place.start < other.place.end and other.place.start < one.place.end
