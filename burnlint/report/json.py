"""JSON, version 1: a promise under semantic versioning, with its schema in `burnlint.schema.json` beside this
module.

Paths are relative to the working directory, lines and columns start at 1, columns count code points, offsets
of edits count bytes. Everything beyond ASCII is escaped, so that no byte of a linted file reaches a terminal
as it is.
"""

from __future__ import annotations

import json
from typing import Any

from burnlint import __version__
from burnlint.lint.finding import Fix, Place
from burnlint.lint.result import Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.places import counts, encodable, place_region, relative


def render(result: Result, options: RenderOptions) -> str:
    """One JSON document."""
    by_severity = counts(result.findings)
    document = {
        "version": 1,
        "tool": {"name": "burnlint", "version": __version__},
        "findings": [_finding(result, reported) for reported in result.findings],
        "notes": [
            {
                "kind": note.kind,
                "path": None if note.path is None else _path(result, note.path),
                "line": note.line,
                "message": encodable(note.message),
            }
            for note in result.notes
        ],
        "summary": {
            "files": result.summary.files,
            "errors": by_severity["error"],
            "warnings": by_severity["warning"],
            "notes": by_severity["note"],
            "suppressed": result.summary.suppressed,
            "baselined": result.summary.baselined,
            "types": result.summary.types,
        },
    }
    return json.dumps(document, indent=2) + "\n"


def _finding(result: Result, reported: Reported) -> dict[str, Any]:
    rule, finding = reported.rule.rule, reported.finding
    return {
        "code": rule.code,
        "name": rule.name,
        "message": encodable(finding.message),
        "help": encodable(finding.help),
        "severity": reported.severity,
        "confidence": reported.confidence,
        "symptom": rule.symptom,
        "topic": reported.rule.topic,
        "group": rule.group,
        "pitfalls": list(rule.pitfalls),
        "fingerprint": reported.fingerprint,
        **_location(result, finding.place),
        "because": [
            {**_location(result, because.place), "message": encodable(because.message)}
            for because in finding.because
        ],
        "fix": None if finding.fix is None else _fix(result, finding.fix),
    }


def _location(result: Result, place: Place) -> dict[str, Any]:
    found = place_region(result, place)
    return {
        "path": _path(result, place.path),
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
    }


def _fix(result: Result, fix: Fix) -> dict[str, Any]:
    return {
        "safe": fix.safe,
        "title": encodable(fix.title),
        "edits": [
            {
                "path": _path(result, edit.place.path),
                "start": edit.place.start,
                "end": edit.place.end,
                "text": encodable(edit.text),
            }
            for edit in fix.edits
        ],
    }


def _path(result: Result, path: str) -> str:
    return encodable(relative(path, result.cwd))
