"""Cargo's JSON messages with rustc's diagnostics in them, one a line, as `cargo check --message-format=json`
prints them.

rust-analyzer's `check.overrideCommand` and every tool that reads cargo's messages take it (rustc book, "JSON
Output"; cargo book, "External tools"). File names are absolute, so that the reader's working directory does
not matter.
"""

from __future__ import annotations

import json
from typing import Any

from burnlint.lint.finding import Place
from burnlint.lint.result import Note, Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.places import encodable, region, text_of
from burnlint.report.text import block, paint_rows
from burnlint.terminal import visible
from burnlint.text import Text

_LINES_SHOWN = 20
"""Lines of source that one span quotes at most."""


def render(result: Result, options: RenderOptions) -> str:
    """One compiler message per finding and per note with a place, then the end of the build."""
    messages = [_finding(result, reported, options) for reported in result.findings]
    messages += [_note(result, note) for note in result.notes]
    failed = any(message["level"] == "error" for message in messages)
    lines = [_cargo_message(result, message) for message in messages]
    lines.append({"reason": "build-finished", "success": not failed})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _cargo_message(result: Result, message: dict[str, Any]) -> dict[str, Any]:
    source = message["spans"][0]["file_name"] if message["spans"] else encodable(result.root)
    return {
        "reason": "compiler-message",
        "package_id": f"burnlint@{encodable(result.root)}",
        "manifest_path": f"{encodable(result.root)}/Cargo.toml",
        "target": {
            "kind": ["lib"],
            "crate_types": ["lib"],
            "name": "burnlint",
            "src_path": source,
            "edition": "2021",
            "doc": False,
            "doctest": False,
            "test": False,
        },
        "message": {"$message_type": "diagnostic", **message},
    }


def _finding(result: Result, reported: Reported, options: RenderOptions) -> dict[str, Any]:
    rule, finding = reported.rule.rule, reported.finding
    spans = [_span(result, finding.place, primary=True)]
    spans += [_span(result, because.place, label=visible(because.message)) for because in finding.because]
    children = [_diagnostic("help", visible(finding.help))] if finding.help else []
    if finding.fix:
        applicability = "MachineApplicable" if finding.fix.safe else "MaybeIncorrect"
        suggestions = [
            _span(result, edit.place, primary=True)
            | {"suggested_replacement": encodable(edit.text), "suggestion_applicability": applicability}
            for edit in finding.fix.edits
        ]
        children.append(_diagnostic("help", visible(finding.fix.title), spans=suggestions))
    return _diagnostic(
        reported.severity,
        f"{rule.name}: {visible(finding.message)}",
        code={"code": rule.code, "explanation": None},
        spans=spans,
        children=children,
        rendered=paint_rows(block(result, reported, options), options.colour),
    )


def _note(result: Result, note: Note) -> dict[str, Any]:
    spans = []
    if note.path is not None:
        text = text_of(result, note.path)
        line = min(note.line or 1, text.line_count())
        spans.append(_span(result, Place(note.path, *text.line_span(line)), primary=True))
        if note.path not in result.texts:
            spans[0] |= {"line_start": note.line or 1, "line_end": note.line or 1, "text": []}
    return _diagnostic(
        "error" if note.fatal else "note",
        f"{note.kind}: {visible(note.message)}",
        code={"code": note.code, "explanation": None},
        spans=spans,
    )


def _diagnostic(level: str, message: str, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"code": None, "spans": [], "children": [], "rendered": None}
    return {"message": message, "level": level, **plain, **more}


def _span(result: Result, place: Place, primary: bool = False, label: str | None = None) -> dict[str, Any]:
    text = text_of(result, place.path)
    found = region(text, place.start, place.end)
    return {
        "file_name": encodable(place.path),
        "byte_start": place.start,
        "byte_end": place.end,
        "line_start": found.line,
        "line_end": found.end_line,
        "column_start": found.column,
        "column_end": found.end_column,
        "is_primary": primary,
        "text": _quoted(text, place),
        "label": label,
        "suggested_replacement": None,
        "suggestion_applicability": None,
        "expansion": None,
    }


def _quoted(text: Text, place: Place) -> list[dict[str, Any]]:
    """The span's lines, each with the columns that belong to it."""
    found = region(text, place.start, place.end)
    lines = []
    for line in range(found.line, min(found.end_line, found.line + _LINES_SHOWN - 1) + 1):
        source = text.line_text(line)
        lines.append(
            {
                "text": source,
                "highlight_start": found.column if line == found.line else 1,
                "highlight_end": found.end_column if line == found.end_line else len(source) + 1,
            }
        )
    return lines
