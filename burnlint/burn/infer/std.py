"""Rust's standard library as far as it passes tensors about: types, methods and functions, read from
data/std.txt."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from burnlint.burn.infer.facts import Compiler
from burnlint.burn.infer.model import FLOATS, INTEGERS, Head, Type
from burnlint.burn.infer.templates import Sig
from burnlint.burn.signature import GenericParam, read, read_generics
from burnlint.burn.terms import Generic, Named, Reader

DATA = Path(__file__).parent.parent / "data" / "std.txt"
_HEADER = re.compile(r"type (\w+)(<[^>]*>)?(?: path (\S+))?(?: deref (\S+))?(?: item (\S+))?$")
_FUNCTION = re.compile(r"fn ([\w:]+)(.*)$")
_GROUPS: dict[str, Head] = {"slice": "[]", "array": "[;]"}


@dataclass(slots=True)
class StdType:
    """A type of std: how it is written, what it derefs to and what a loop over it yields (both with its own
    generics)."""

    name: str
    path: str
    generics: tuple[GenericParam, ...]
    deref: Type | None
    item: Type | None
    lines: dict[str, list[str]] = field(default_factory=dict)


class Std:
    """The table; methods are compiled when they are first asked for."""

    def __init__(self, text: str) -> None:
        self.types: dict[Head, StdType] = {}
        self._functions: dict[str, str] = {}
        self._compiler = Compiler(None)
        self._methods: dict[tuple[Head, str], tuple[Sig, ...]] = {}
        current: StdType | None = None
        for line in text.splitlines():
            if line.startswith("  "):
                name = re.match(r"\w+", line[2:])
                assert name is not None and current is not None, line
                current.lines.setdefault(name[0], []).append(line[2 + len(name[0]) :])
            elif line.startswith("type "):
                current = self._header(line)
            elif line.startswith("fn "):
                function = _FUNCTION.match(line)
                assert function is not None, line
                self._functions[function[1].split("::", 1)[1]] = function[2]

    def _header(self, line: str) -> StdType:
        found = _HEADER.match(line)
        assert found is not None, line
        name, generics, path, deref, item = found.groups()
        params = read_generics(generics or "")
        names = {p.name for p in params}

        def term(text: str | None) -> Type | None:
            return None if text is None else self._compiler.type(Reader(text, names).term())

        made = StdType(name, path or "", params, term(deref), term(item))
        self.types[_GROUPS.get(name, name)] = made
        return made

    def has(self, name: str) -> bool:
        """Whether a type of that name is in the table."""
        return name in self.types and name not in ("slice", "array", "integer", "float", "Iter")

    def methods(self, head: Head, name: str) -> tuple[Sig, ...]:
        """The methods or associated functions of that name on a type."""
        key = head, name
        found = self._methods.get(key)
        if found is None:
            found = self._methods[key] = self._compile(head, name)
        return found

    def _compile(self, head: Head, name: str) -> tuple[Sig, ...]:
        group: Head = "integer" if head in INTEGERS else "float" if head in FLOATS else head
        owner = self.types.get(group)
        if owner is None or name not in owner.lines:
            return ()
        receiver = (
            Generic("Self")
            if group != head
            else Named(owner.name, tuple(Generic(p.name) for p in owner.generics))
        )
        return tuple(
            self._compiler.signature(
                read(text, owner=owner.name, name=name, receiver=receiver, receiver_generics=owner.generics)
            )
            for text in owner.lines[name]
        )

    @cache  # noqa: B019  (one table lives as long as the process)
    def function(self, path: str) -> Sig | None:
        """The function with that path below `std`, `core` or `alloc` (`mem::take`)."""
        text = self._functions.get(path)
        return None if text is None else self._compiler.signature(read(text, name=path.rpartition("::")[2]))


@lru_cache(maxsize=1)
def load() -> Std:
    """The table, read once."""
    return Std(DATA.read_text("utf-8"))
