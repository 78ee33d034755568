"""The text of one file and its positions: byte offsets to lines and columns in every unit that an output
asks for.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property


class Text:
    """Content of one file. Offsets are bytes; a UTF-8 byte order mark counts in offsets and never in
    columns.
    """

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.content.find(b"\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.content.find(b"\n", at + 1)
        return starts

    def line(self, offset: int) -> int:
        """Line of a byte offset, from 1."""
        return bisect_right(self._starts, offset)

    def line_start(self, offset: int) -> int:
        """The byte at which the line of a byte offset starts."""
        return self._starts[self.line(offset) - 1]

    def line_count(self) -> int:
        """Number of lines; a final newline starts no further line."""
        return len(self._starts) - (1 if self.content.endswith(b"\n") and len(self._starts) > 1 else 0)

    def line_span(self, line: int) -> tuple[int, int]:
        """Byte span of a line without its line ending."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.content)
        if end > start and self.content[end - 1 : end] == b"\r":
            end -= 1
        return start, end

    def line_text(self, line: int) -> str:
        """A line without its line ending; invalid UTF-8 is replaced."""
        start, end = self.line_span(line)
        return self.decode(start, end).removeprefix("\ufeff")

    def decode(self, start: int, end: int) -> str:
        """The text of a span; invalid UTF-8 is replaced."""
        return self.content[start:end].decode("utf-8", "replace")

    def column(self, offset: int) -> int:
        """Column in code points, from 1."""
        return len(self._before(offset)) + 1

    def column_utf16(self, offset: int) -> int:
        """Column in UTF-16 code units, from 1."""
        return len(self._before(offset).encode("utf-16-le", "surrogatepass")) // 2 + 1

    def _before(self, offset: int) -> str:
        return self.decode(self.line_start(offset), offset).removeprefix("\ufeff")
