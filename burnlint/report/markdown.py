"""Markdown for a job summary or a comment: the counts, and a table of the findings, in GitHub's dialect."""

from __future__ import annotations

import re

from burnlint.lint.result import Note, Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.markup import code_parts
from burnlint.report.places import place_region, relative
from burnlint.report.text import summary
from burnlint.terminal import visible

LIMIT = 1_000_000
"""Bytes: GitHub takes a job summary of at most 1 MiB."""

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$&]|:(?=//)|(?<=www)\.)")


def render(result: Result, options: RenderOptions) -> str:
    """A heading, one line of counts, a table of findings, a list of notes; rows beyond GitHub's limit are
    counted only."""
    lines = ["# burnlint", "", *(_text(sentence) for sentence in summary(result))]
    if result.findings:
        lines += ["", "| Severity | Rule | Place | Finding |", "| --- | --- | --- | --- |"]
    size = sum(len(line.encode()) + 1 for line in lines)
    rows = [_row(result, reported) for reported in result.findings]
    notes = [_note(result, note) for note in result.notes]
    for index, row in enumerate(rows):
        size += len(row.encode()) + 1
        if size > LIMIT:
            return "\n".join([*lines, "", f"{len(rows) - index} more findings are left out."]) + "\n"
        lines.append(row)
    if notes and size + sum(len(note.encode()) + 1 for note in notes) <= LIMIT:
        lines += ["", *notes]
    return "\n".join(lines) + "\n"


def _row(result: Result, reported: Reported) -> str:
    rule, finding = reported.rule.rule, reported.finding
    found = place_region(result, finding.place)
    place = f"{visible(relative(finding.place.path, result.cwd))}:{found.line}:{found.column}"
    text = _text(finding.message) + (f"<br>help: {_text(finding.help)}" if finding.help else "")
    for because in finding.because:
        at = place_region(result, because.place)
        where = f"{visible(relative(because.place.path, result.cwd))}:{at.line}"
        text += f"<br>{_code(where)}: {_text(because.message)}"
    return f"| {reported.severity} | {rule.code} {_code(rule.name)} | {_code(place)} | {text} |"


def _note(result: Result, note: Note) -> str:
    where = (
        ""
        if note.path is None
        else visible(relative(note.path, result.cwd)) + (f":{note.line}" if note.line else "")
    )
    return f"- {note.kind}: {f'{_code(where)}: ' if where else ''}{_text(note.message)}"


def _text(text: str) -> str:
    """Text in which only code keeps its markup."""
    return "".join(_code(part) if code else _escaped(part) for code, part in code_parts(visible(text)))


def _escaped(text: str) -> str:
    """No markup, no link, and no mention of a user, which GitHub looks for after it has undone the
    escapes."""
    return _MARKUP.sub(r"\\\1", text).replace("@", "@<!-- -->")


def _code(text: str) -> str:
    """A code span that also holds in a table, where a bar ends the cell even inside of code."""
    fence = "`"
    while fence in text:
        fence += "`"
    padding = " " if text.strip() and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{padding}{text}{padding}{fence}".replace("|", "\\|")
