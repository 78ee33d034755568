"""GitLab's code quality report: a subset of Code Climate's format, as a JSON array.

Shown in merge requests and pipelines; paths are relative to the repository's root. Burnlint's own notes have
no place in it.
"""

from __future__ import annotations

import json
from typing import Any

from burnlint.lint.finding import Severity
from burnlint.lint.result import Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.places import encodable, place_region, relative
from burnlint.terminal import visible

_SEVERITY: dict[Severity, str] = {"error": "major", "warning": "minor", "note": "info"}


def render(result: Result, options: RenderOptions) -> str:
    """One issue per finding."""
    return json.dumps([_issue(result, reported) for reported in result.findings], indent=2) + "\n"


def _issue(result: Result, reported: Reported) -> dict[str, Any]:
    rule, finding = reported.rule.rule, reported.finding
    found = place_region(result, finding.place)
    return {
        "type": "issue",
        "check_name": f"{rule.code} {rule.name}",
        "description": visible(finding.message + (f" (help: {finding.help})" if finding.help else "")),
        "categories": ["Performance" if rule.symptom in ("slow", "memory") else "Bug Risk"],
        "severity": _SEVERITY[reported.severity],
        "fingerprint": reported.fingerprint,
        "location": {
            "path": encodable(relative(finding.place.path, result.root)),
            "positions": {
                "begin": {"line": found.line, "column": found.column},
                "end": {"line": found.end_line, "column": found.end_column},
            },
        },
    }
