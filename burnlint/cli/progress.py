"""How far a long run is: one line on the terminal, from its second second on, gone when the run ends.

No thread draws it, since processes are forked from this one: whoever does the work ticks.
"""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Self, TextIO

PATIENCE = 1.0
"""Seconds during which nothing is said."""
_PAUSE = 0.1
"""Seconds from one line to the next."""


class Progress:
    """Shows ticks on a stream, if that is a terminal. `began`: when the run did, by `time.monotonic`."""

    def __init__(self, stream: TextIO, began: float) -> None:
        self._stream = stream
        self._next = began + PATIENCE
        self._is_shown = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def tick(self, done: int, files: int) -> None:
        """Show how many of the files are done, where it is time to."""
        if self._is_shown and time.monotonic() >= self._next:
            self._draw(f"burnlint: {done:,} of {files:,} files")
            self._next = time.monotonic() + _PAUSE

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the line as it was found."""
        if self._width:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()
            self._width = 0

    def _draw(self, text: str) -> None:
        """In place of the text before, by spaces, which every terminal understands."""
        self._stream.write(f"\r{text:{self._width}}")
        self._stream.flush()
        self._width = max(self._width, len(text))
