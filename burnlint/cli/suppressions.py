"""`burnlint suppressions`: every suppression comment, with its reason."""

from __future__ import annotations

from typing import Any

import click

from burnlint.cli import loading
from burnlint.cli.options import Given, linting
from burnlint.cli.output import put
from burnlint.cli.session import Session
from burnlint.report.places import relative


@click.command("suppressions")
@linting
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(form: str, **options: Any) -> int:
    """List every suppression comment in PATHS, with its reason."""
    from burnlint.lint.suppress import read

    session = Session(Given.take(options))
    project = loading.load(session.found.files, session.config, {})
    rows = []
    for file in sorted(project.files, key=lambda each: each.path):
        for each in [] if file.skipped else read(file, session.registry):
            rows.append(
                {
                    "path": relative(file.path, session.cwd),
                    "line": file.text.line(each.start),
                    "scope": "file" if each.whole_file else "here",
                    "names": [name.text for name in each.names],
                    "reason": each.reason,
                }
            )
    if form == "json":
        import json

        put((json.dumps({"version": 1, "suppressions": rows}, indent=2) + "\n").encode())
        return 0
    put("".join(_line(row) for row in rows).encode())
    return 0


def _line(row: dict[str, Any]) -> str:
    from burnlint.terminal import visible

    what = "ignore-file" if row["scope"] == "file" else "ignore"
    reason = row["reason"] or "(no reason)"
    return visible(f"{row['path']}:{row['line']}: {what}[{', '.join(row['names'])}] -- {reason}") + "\n"
