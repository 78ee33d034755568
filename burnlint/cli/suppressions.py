"""`burnlint suppressions`: every suppression comment, with its reason."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from burnlint.cli import loading
from burnlint.cli.options import Given, linting
from burnlint.cli.output import put, tell, tell_fatal
from burnlint.cli.session import Session
from burnlint.report.places import relative


@click.command("suppressions")
@linting
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--age", is_flag=True, help="Say since when each comment stands there, by git; the oldest first."
)
def command(form: str, age: bool, **options: Any) -> int:
    """List every suppression comment in PATHS, with its reason."""
    from burnlint.lint.suppress import read

    session = Session(Given.take(options))
    project = loading.load(session.found.files, session.config, {})
    rows: list[dict[str, Any]] = []
    for file in sorted(project.files, key=lambda each: each.path):
        comments = [] if file.skipped else read(file, session.registry)
        lines = [file.text.line(each.start) for each in comments]
        days = _days(file.path, lines) if age else {}
        for each, line in zip(comments, lines, strict=True):
            row = {
                "path": relative(file.path, session.cwd),
                "line": line,
                "scope": "file" if each.whole_file else "here",
                "names": [name.text for name in each.names],
                "reason": each.reason,
            }
            if age:
                row["since"] = days[line].isoformat() if line in days else None
            rows.append(row)
    code = 2 if tell_fatal(session.found.notes) else 0
    if age:
        rows.sort(key=lambda row: row["since"] or "9999")
    if form == "json":
        import json

        put((json.dumps({"version": 1, "suppressions": rows}, indent=2) + "\n").encode())
        return code
    put("".join(_line(row) for row in rows).encode())
    if not (rows or code):
        tell("burnlint: no suppressions")
    return code


def _days(path: str, lines: list[int]) -> dict[int, date]:
    from burnlint.lint.changes import ChangesError, written

    try:
        return written(path, lines)
    except ChangesError:
        return {}  # a file that git does not know yet


def _line(row: dict[str, Any]) -> str:
    from burnlint.terminal import visible

    since = ""
    if "since" in row:
        since = f" (since {row['since']})" if row["since"] else " (not committed)"
    what = "ignore-file" if row["scope"] == "file" else "ignore"
    reason = row["reason"] or "(no reason)"
    return (
        visible(f"{row['path']}:{row['line']}: {what}[{', '.join(row['names'])}] -- {reason}{since}") + "\n"
    )
