"""Where keys of weights are renamed: the pattern and the replacement of each remapping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import key_patterns, texts
from burnlint.burn.stores import STORES
from burnlint.burn.values_site import PAYLOAD
from burnlint.lint.finding import Edit
from burnlint.rust import hir, strings

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

REMAPS = ("with_key_remapping", "with_remap_pattern", "add_pattern", "with_key_remap")
_LISTS = ("from_patterns", "from_pattern_iter")
_OWNERS = STORES | {"KeyRemapper"}
MAX_BEFORE = 200

_NUMBER = re.compile(r"(\d+)([A-Za-z_]\w*)\Z", re.ASCII)


class Mistake(NamedTuple):
    """A group that is not there, and what the replacement means to say, empty where that is not clear."""

    name: str
    meant: str


@dataclass(frozen=True)
class Remap:
    """One pattern with its replacement."""

    call: Expr
    pattern: Expr
    replacement: Expr
    before: tuple[tuple[Expr, Expr], ...] = ()
    """Of an entry of a list, those before it."""

    @property
    def pattern_text(self) -> str | None:
        """The pattern; None if it is not known as a whole."""
        return texts.whole(self.pattern)

    @property
    def replacement_text(self) -> str | None:
        """The replacement; None if it is not known as a whole."""
        return texts.whole(self.replacement)

    @property
    def stem(self) -> str | None:
        """What keys have to start with; None if the pattern asks for more, or is not known."""
        pattern = self.pattern_text
        return key_patterns.stem(pattern) if pattern is not None else None

    @property
    def has_loose_dot(self) -> bool:
        """Whether a dot of the pattern matches any one character."""
        pattern = self.pattern_text
        return pattern is not None and bool(key_patterns.loose_dots(pattern))

    @property
    def dots_escaped(self) -> Edit | None:
        """An edit that escapes the loose dots of a pattern that is written in place; None where one may not stand for
        a dot."""
        pattern, replacement = self.pattern_text, self.replacement_text
        if pattern is None or replacement is None or not isinstance(self.pattern.expr, hir.Literal):
            return None
        fixed = key_patterns.escaped(pattern, replacement)
        literal = strings.raw(fixed, self.pattern.text) if fixed is not None else None
        return Edit(self.pattern.place, literal) if literal is not None else None

    def mistakes(self) -> Iterator[Mistake]:
        """The groups that the replacement names and the pattern does not have."""
        pattern, replacement = self.pattern_text, self.replacement_text
        groups = key_patterns.groups(pattern) if pattern is not None else None
        for each in key_patterns.references(replacement) if replacement is not None else ():
            if groups is not None and groups.has(each.name):
                continue
            number = _NUMBER.match(each.name)
            if number is not None and not each.braced and (groups is None or groups.has(number[1])):
                yield Mistake(each.name, f"${{{number[1]}}}{number[2]}")
            elif groups is not None:
                yield Mistake(each.name, "")

    def earlier(self) -> Iterator[Remap]:
        """The remappings that run on each key before this one, the last one first, as far as they are in
        sight."""
        for pattern, replacement in reversed(self.before):
            yield Remap(self.call, pattern, replacement)
        at = self.call.operands[0] if self.call.name in REMAPS else None
        for _ in range(MAX_BEFORE):
            origin = at.origins().must if at is not None else None
            if at is None or origin is None or origin.carried or origin.kind != "operation":
                return
            if origin.steps not in ((), (PAYLOAD,)):  # `add_pattern` gives a Result.
                return
            call = at.at(origin)
            if not _is_remapped(call) or call.name == "remap":
                return
            entries = list(_entries(call))
            yield from reversed(entries)
            at = call.operands[0] if call.operands and call.name not in _LISTS else None


def remaps(file: FileView) -> Iterator[Remap]:
    """The remappings of a file whose patterns are written out, in source order."""
    for call in file.calls(*REMAPS, *_LISTS):
        if _is_remapped(call):
            yield from _entries(call)


def _is_remapped(call: Expr) -> bool:
    """Whether a call makes or configures what renames keys. Of burn-import (up to burn 0.18) there are no facts:
    there the name of its method and the crate's in the file have to do."""
    if call.target is None and call.name == "with_key_remap":
        return call.source.mentions("burn_import")
    return call.key.partition("::")[0] in _OWNERS


def _entries(call: Expr) -> Iterator[Remap]:
    operands = call.operands
    if call.name in REMAPS and len(operands) == 3:
        yield Remap(call, operands[1], operands[2])
    elif call.name in _LISTS and len(operands) == 1:
        origin = operands[0].origins().must
        items = origin.expr.items if origin is not None and isinstance(origin.expr, hir.Array) else []
        made = operands[0].at(origin) if origin is not None else call
        pairs = [
            (made.inside(item.items[0]), made.inside(item.items[1]))
            for item in items
            if isinstance(item, hir.Tuple) and len(item.items) == 2
        ]
        for at, (pattern, replacement) in enumerate(pairs):
            yield Remap(call, pattern, replacement, tuple(pairs[:at]))
