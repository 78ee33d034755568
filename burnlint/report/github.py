"""Annotations of GitHub Actions: workflow commands on standard output (`::error file=…::message`).

GitHub shows ten annotations of each level per step and drops the rest without a word; the commands beyond
that are still lines of the log, and a last line says so. Paths are relative to the repository's root, since
that is what GitHub matches.
"""

from __future__ import annotations

from burnlint.lint.finding import Severity
from burnlint.lint.result import Note, Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.places import counts, place_region, relative
from burnlint.report.text import summary
from burnlint.terminal import visible

SHOWN_PER_LEVEL = 10
"""Annotations that GitHub shows of each level in one step."""

_LEVEL: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


def render(result: Result, options: RenderOptions) -> str:
    """One command per finding and per note, then the counts as a plain line."""
    lines = [_finding(result, reported) for reported in result.findings]
    lines += [_note(result, note) for note in result.notes]
    lines += summary(result)
    if max(counts(result.findings).values()) > SHOWN_PER_LEVEL:
        lines.append(
            f"GitHub shows {SHOWN_PER_LEVEL} annotations of each level per step; the lines above hold all."
        )
    return "\n".join(lines) + "\n"


def _finding(result: Result, reported: Reported) -> str:
    rule, finding = reported.rule.rule, reported.finding
    found = place_region(result, finding.place)
    properties = {
        "file": visible(relative(finding.place.path, result.root)),
        "line": str(found.line),
        "endLine": str(found.end_line),
    }
    if found.line == found.end_line:  # GitHub takes columns only within one line
        properties |= {"col": str(found.column), "endColumn": str(found.end_column)}
    properties["title"] = f"{rule.code} {rule.name}"
    text = visible(finding.message) + (f"\nhelp: {visible(finding.help)}" if finding.help else "")
    for because in finding.because:
        at = place_region(result, because.place)
        path = visible(relative(because.place.path, result.root))
        text += f"\n{path}:{at.line}:{at.column}: {visible(because.message)}"
    return _command(_LEVEL[reported.severity], properties, text)


def _note(result: Result, note: Note) -> str:
    properties = {}
    if note.path is not None:
        properties["file"] = visible(relative(note.path, result.root))
        properties["line"] = str(note.line or 1)
    properties["title"] = f"{note.code} {note.kind}"
    return _command("error" if note.fatal else "notice", properties, visible(note.message))


def _command(level: str, properties: dict[str, str], text: str) -> str:
    """A workflow command, escaped as the runner unescapes it."""
    listed = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in properties.items())
    return f"::{level} {listed}::{_escaped(text)}"


def _escaped(text: str, further: str = "") -> str:
    for char in "%\r\n" + further:
        text = text.replace(char, f"%{ord(char):02X}")
    return text
