"""One line per finding: `path:line:column: severity[code] name: message`."""

from __future__ import annotations

from burnlint.lint.result import Result
from burnlint.report import RenderOptions
from burnlint.report.places import place_region, relative
from burnlint.report.text import summary
from burnlint.terminal import painter, visible


def render(result: Result, options: RenderOptions) -> str:
    """The findings, burnlint's own notes, and one line that counts."""
    paint = painter(options.colour)
    lines = []
    for reported in result.findings:
        rule, finding = reported.rule.rule, reported.finding
        found = place_region(result, finding.place)
        head = paint(reported.severity, f"{reported.severity}[{rule.code}]")
        where = f"{_path(result, finding.place.path)}:{found.line}:{found.column}"
        lines.append(f"{where}: {head} {paint('title', rule.name)}: {visible(finding.message)}")
    for note in result.notes:
        severity = "error" if note.fatal else "note"
        where = "" if note.path is None else f"{_path(result, note.path)}:{note.line or 1}:1: "
        head = paint(severity, f"{severity}[{note.code}]")
        lines.append(f"{where}{head} {paint('title', note.kind)}: {visible(note.message)}")
    lines += summary(result)
    return "\n".join(lines) + "\n"


def _path(result: Result, path: str) -> str:
    """The path as shown; never one that starts a line with `::`, which GitHub's log reader takes for a
    command."""
    shown = visible(relative(path, result.cwd))
    return f"./{shown}" if shown.lstrip().startswith("::") else shown
