"""Checkstyle's XML, which Jenkins, reviewdog and many editors read. Paths are relative to the working
directory."""

from __future__ import annotations

from itertools import groupby
from xml.sax.saxutils import quoteattr

from burnlint.lint.finding import Severity
from burnlint.lint.result import Result
from burnlint.report import RenderOptions
from burnlint.report.places import place_region, relative
from burnlint.terminal import visible

_SEVERITY: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "info"}
Row = tuple[str, int, int | None, str, str, str]
"""Path, line, column, severity, message, source."""


def render(result: Result, options: RenderOptions) -> str:
    """One `file` per path, one `error` per finding and per note; notes without a path stand under the path
    `.`."""
    rows = sorted(_rows(result), key=lambda row: row[0])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<checkstyle version="8.0">']
    for path, of_file in groupby(rows, key=lambda row: row[0]):
        lines.append(f"  <file name={quoteattr(path)}>")
        for _, line, column, severity, message, source in of_file:
            where = f'line="{line}"' + ("" if column is None else f' column="{column}"')
            shown = f"severity={quoteattr(severity)} message={quoteattr(message)} source={quoteattr(source)}"
            lines.append(f"    <error {where} {shown}/>")
        lines.append("  </file>")
    lines.append("</checkstyle>")
    return "\n".join(lines) + "\n"


def _rows(result: Result) -> list[Row]:
    rows: list[Row] = []
    for reported in result.findings:
        rule, finding = reported.rule.rule, reported.finding
        found = place_region(result, finding.place)
        path = visible(relative(finding.place.path, result.cwd))
        message = visible(finding.message + (f" (help: {finding.help})" if finding.help else ""))
        source = f"burnlint.{rule.code}.{rule.name}"
        rows.append((path, found.line, found.column, _SEVERITY[reported.severity], message, source))
    for note in result.notes:
        path = "." if note.path is None else visible(relative(note.path, result.cwd))
        severity = "error" if note.fatal else "info"
        rows.append(
            (path, note.line or 1, None, severity, visible(note.message), f"burnlint.{note.code}.{note.kind}")
        )
    return rows
