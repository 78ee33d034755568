"""Where reports go: `--output FORMAT[:FILE]`, colours, widths."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from burnlint.report import FORMATS, RenderOptions

if TYPE_CHECKING:
    from burnlint.lint.protocol import ProjectNote
    from burnlint.lint.result import Note, Result

Colour = Literal["auto", "always", "never"]


@dataclass(slots=True, frozen=True)
class Output:
    """One report: a format, and a file or None for standard output."""

    format: str
    file: str | None


def parse_outputs(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> tuple[Output, ...]:
    """The reports of a repeatable option. Raises click.BadParameter, also where two would go to one place."""
    outputs = tuple(_output(value) for value in values)
    places = [each.file and os.path.normcase(os.path.realpath(each.file)) for each in outputs]
    for place in places:
        if places.count(place) > 1:
            where = "standard output" if place is None else f"'{place}'"
            raise click.BadParameter(f"two reports would go to {where}: give each a place, FORMAT:FILE.")
    return outputs


def _output(value: str) -> Output:
    form, colon, file = value.partition(":")
    if form not in FORMATS:
        from burnlint.lint.selection import suggest

        ending = Path(form).suffix[1:]
        meant = f"{ending}:{form}" if ending in FORMATS and not colon else suggest(form, FORMATS)
        hint = f"did you mean {meant}?" if meant else f"it is one of {', '.join(FORMATS)}."
        raise click.BadParameter(f"{form!r} is no format; {hint}")
    if colon and not file:
        raise click.BadParameter(f"{value!r} names no file.")
    return Output(form, file or None)


def wants_colour(colour: Colour, stream: Any) -> bool:
    """Whether to colour what goes to a stream, by --color, NO_COLOR, FORCE_COLOR and the terminal."""
    if colour != "auto":
        return colour == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    if sys.platform == "win32":
        os.system("")  # Lets a console that does not yet take ANSI sequences take them.
    return True


def emit(result: Result, outputs: Sequence[Output], colour: Colour, category: str | None) -> None:
    """Render and write every report. Raises WriteError."""
    from burnlint.lint.write import write
    from burnlint.report import render

    for each in outputs:
        if each.file is not None:
            text = render(each.format, result, RenderOptions(category=category))
            write(Path(each.file).absolute(), text.encode())
    for each in outputs:
        if each.file is None:
            coloured = wants_colour(colour, sys.stdout)
            terminal = sys.stdout.isatty()
            options = RenderOptions(
                coloured, terminal_width(), hyperlinks=coloured and terminal, category=category
            )
            put(render(each.format, result, options).encode())


def terminal_width() -> int:
    """The cells of a line of text, in bounds that can be read."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 120))


def put(content: bytes) -> None:
    """Write bytes to standard output, which need not be a real file (tests replace it)."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(content.decode("utf-8", "replace"))
        return
    sys.stdout.flush()
    buffer.write(content)
    buffer.flush()


def tell(message: str) -> None:
    """Say something about the run on standard error, whatever the terminal's encoding."""
    from burnlint.terminal import visible

    text = "\n".join(visible(line) for line in message.split("\n"))
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def tell_fatal(notes: Iterable[Note | ProjectNote]) -> bool:
    """Say what kept burnlint from its work, where no report does; whether there was anything."""
    fatal = [note for note in notes if note.fatal]
    for note in fatal:
        tell(f"burnlint: {note.path or ''}: {note.message}")
    return bool(fatal)
