"""Where the keys and values of a TOML document stand, exactly: tomlkit parses, and the parser's index is
recorded."""

from __future__ import annotations

from typing import Any

from tomlkit.container import Container
from tomlkit.items import AoT, Array, InlineTable, Item, Key, Table
from tomlkit.parser import Parser

Path = tuple[str | int, ...]
Span = tuple[int, int]


class _SpanParser(Parser):
    """tomlkit's parser, which notes the code-point span of every value and of every part of a key.

    Spans are kept by identity of the items; `_keep` keeps the items alive so that an identity is never
    used twice.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.values: dict[int, Span] = {}
        self.keys: dict[int, Span] = {}
        self._keep: list[object] = []

    def _parse_value(self) -> Item:
        start = self._idx
        value = super()._parse_value()
        self._keep.append(value)
        self.values[id(value)] = (start, self._idx)
        return value

    def _parse_simple_key(self) -> Key:
        while self._current in " \t" and self.inc():
            pass
        start = self._idx
        key = super()._parse_simple_key()
        self._keep.append(key)
        self.keys[id(key)] = (start, start + len(key.as_string().rstrip()))
        return key


class Spans:
    """Spans of one document by key path, as code-point offsets. Array elements are addressed by their
    index."""

    def __init__(self, text: str) -> None:
        """Raises `tomlkit.exceptions.TOMLKitError` where `text` is no TOML."""
        self._parser = _SpanParser(text)
        self._document = self._parser.parse()
        self.keys: dict[Path, Span] = {}
        """The key (for a table of its own: the last part of its first header)."""
        self.values: dict[Path, Span] = {}
        """The value; a table that is not inline has none."""
        self.kinds: dict[Path, str] = {}
        """How a table is written: `table`, `inline`, `dotted`, `array`, `aot`."""
        self._walk(self._document)

    def data(self) -> dict[str, Any]:
        """The document as plain Python values."""
        return self._document.unwrap()

    def _walk(self, document: Container) -> None:
        stack: list[tuple[object, Path, bool]] = [(document, (), False)]
        while stack:
            value, path, dotted = stack.pop()
            span = self._parser.values.get(id(value))
            if span is not None:
                self.values[path] = span
            if isinstance(value, Container):
                self._push(stack, value, path)
            elif isinstance(value, Table | InlineTable):
                kind = "inline" if isinstance(value, InlineTable) else "dotted" if dotted else "table"
                self.kinds.setdefault(path, kind)
                self._push(stack, value.value, path)
            elif isinstance(value, AoT):
                self.kinds[path] = "aot"
                stack.extend((item, (*path, i), False) for i, item in enumerate(value.body))
            elif isinstance(value, Array):
                self.kinds[path] = "array"
                stack.extend((item, (*path, i), False) for i, item in enumerate(list.__iter__(value)))

    def _push(self, stack: list[tuple[object, Path, bool]], container: Container, path: Path) -> None:
        for key, item in container.body:
            if key is None:
                continue
            inner = (*path, key.key)
            span = self._parser.keys.get(id(key))
            if span is not None:
                self.keys.setdefault(inner, span)
            stack.append((item, inner, key.is_dotted()))
