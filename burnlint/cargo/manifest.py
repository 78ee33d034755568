"""One Cargo.toml: its data, and the exact place of every key and value.

Two parsers, because a manifest without a finding needs no places: `tomllib` reads the data (ten times
faster), tomlkit is asked for spans on the first question, and for the data where `tomllib` gives up (TOML
1.1, which Cargo accepts).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from burnlint.text import Text

if TYPE_CHECKING:
    from burnlint.cargo.spans import Spans

Path = tuple[str | int, ...]
Span = tuple[int, int]

_BOM = b"\xef\xbb\xbf"
_TOMLLIB_PLACE = re.compile(
    r"^(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S
)
_TOMLKIT_PLACE = re.compile(r"^(?P<message>.*?)(?: at line \d+ col -?\d+)?$", re.S)


@dataclass(slots=True, frozen=True)
class Problem:
    """What Cargo would not accept, or what cannot be read. `span` is in bytes, `None` for the whole file."""

    path: str
    message: str
    span: Span | None = None


@dataclass(slots=True, frozen=True)
class At:
    """A place in a manifest, by key path: `("dependencies", "burn", "features", 0)`."""

    manifest: Manifest
    path: Path

    @property
    def file(self) -> str:
        return self.manifest.path

    @property
    def key(self) -> Span:
        """Bytes of the key (of a table of its own: the last part of its first header); of an array
        element, the element."""
        return self.manifest.key_span(self.path)

    @property
    def value(self) -> Span:
        """Bytes of the value; of a table of its own, those of its key."""
        return self.manifest.value_span(self.path)

    def __truediv__(self, part: str | int) -> At:
        return At(self.manifest, (*self.path, part))

    def get(self) -> Any:
        """The data there, `None` where there is nothing."""
        return self.manifest.get(self.path)


class Manifest:
    """A parsed Cargo.toml. `data` is empty where `problem` is set."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.path = text.path
        self.data: dict[str, Any] = {}
        self.problem: Problem | None = None
        self._bom = len(_BOM) if text.content.startswith(_BOM) else 0
        try:
            self.decoded = text.content[self._bom :].decode("utf-8")
        except UnicodeDecodeError as error:
            self.decoded = ""
            at = self._bom + error.start
            self.problem = Problem(self.path, "the manifest is not UTF-8", (at, self._bom + error.end))
            return
        try:
            self.data = tomllib.loads(self.decoded)
        except RecursionError:
            self.problem = Problem(self.path, "the manifest is nested too deep")
        except tomllib.TOMLDecodeError as error:
            self._parse_toml_1_1(error)
        except ValueError:
            # Python reads no integer of more than some thousand digits.
            self.problem = Problem(self.path, "a number in the manifest is too long")

    def _parse_toml_1_1(self, first: tomllib.TOMLDecodeError) -> None:
        from tomlkit.exceptions import ParseError, TOMLKitError

        from burnlint.cargo.spans import Spans

        try:
            self.spans = Spans(self.decoded)
            self.data = self.spans.data()
        except RecursionError:
            self.problem = Problem(self.path, "the manifest is nested too deep")
        except ParseError as error:
            match = _TOMLKIT_PLACE.match(str(error))
            message = match["message"] if match else str(error)
            # The first parser's column is that of the fault; tomlkit's can be that of the value's end.
            self.problem = self._fault(first) or self._not_toml(message)
        except (TOMLKitError, ValueError) as error:
            self.problem = self._fault(first) or self._not_toml(str(error))

    def _not_toml(self, why: str, span: Span | None = None) -> Problem:
        return Problem(self.path, f"is no valid TOML ({why}), so what it asks for is not known", span)

    def _fault(self, error: tomllib.TOMLDecodeError) -> Problem | None:
        match = _TOMLLIB_PLACE.match(str(error))
        if match is None:
            return None
        if match["line"] is None:
            end = len(self.text.content)
            return self._not_toml(match["message"], (end, end))
        lines = self.decoded.replace("\r\n", "\n").split("\n")
        line = min(int(match["line"]), self.text.line_count())
        column = int(match["column"]) - 1
        start, end = self.text.line_span(line)
        if line == 1:
            start += self._bom
        at = min(end, start + len(lines[line - 1][:column].encode()))
        return self._not_toml(match["message"], (at, min(at + 1, end)))

    @cached_property
    def spans(self) -> Spans:
        """The places, parsed on the first question; none where the parsers disagree on what is TOML."""
        from tomlkit.exceptions import TOMLKitError

        from burnlint.cargo.spans import Spans

        if self.problem is not None:
            return Spans("")
        try:
            return Spans(self.decoded)
        except (TOMLKitError, ValueError, RecursionError):
            return Spans("")

    def get(self, path: Path) -> Any:
        """The data at a key path, `None` where there is nothing."""
        value: Any = self.data
        for part in path:
            if isinstance(value, Mapping):
                value = value.get(str(part))
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def at(self, *path: str | int) -> At:
        return At(self, path)

    def key_span(self, path: Path) -> Span:
        """See `At.key`. A path that is not there answers with its nearest ancestor that is, the empty one
        with the file's start."""
        return self._span(path, keys_first=True)

    def value_span(self, path: Path) -> Span:
        """See `At.value`; ancestors as in `key_span`."""
        return self._span(path, keys_first=False)

    def kind(self, path: Path) -> str | None:
        """How the table or array at `path` is written: `table` (own header), `dotted`, `inline`, `array`,
        `aot`; else `None`."""
        return self.spans.kinds.get(path)

    def _span(self, path: Path, *, keys_first: bool) -> Span:
        spans = self.spans
        tables = (spans.keys, spans.values) if keys_first else (spans.values, spans.keys)
        for length in range(len(path), 0, -1):
            for table in tables:
                if (found := table.get(path[:length])) is not None:
                    return self.byte(found[0]), self.byte(found[1])
        return self._bom, self._bom

    def byte(self, offset: int) -> int:
        """The byte offset in the file of a code-point offset in `decoded`."""
        if len(self.decoded) + self._bom == len(self.text.content):
            return offset + self._bom
        return len(self.decoded[:offset].encode()) + self._bom
