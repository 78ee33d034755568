"""burnlint run in this process, through its command line, for tests that look at findings."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from burnlint import cli
from burnlint.lint.marks import Found

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


@dataclass(frozen=True)
class Run:
    """What one call of `burnlint check` found and said."""

    found: list[Found]
    notes: list[dict[str, Any]]
    exit_code: int
    document: dict[str, Any]


def run(
    paths: Iterable[str | Path] = (".",),
    *,
    folder: Path = ROOT,
    burn: str | None = None,
    options: Sequence[str] = ("--select", "all", "--ignore", "group:parity,group:migration"),
) -> Run:
    """`burnlint check PATHS --output json` in `folder`, for one exact burn version where no manifest says it.

    Raises AssertionError when burnlint writes no JSON document.
    """
    arguments = ["check", *map(str, paths), "--output", "json", "--no-baseline", *options]
    arguments += ["--burn-version", burn] if burn else []
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        exit_code = cli.run(arguments)
    out.seek(0)
    try:
        document = json.load(out)
    except ValueError:
        raise AssertionError(f"burnlint {' '.join(arguments)}\n{err.getvalue()}") from None
    found = [
        Found(
            each["path"],
            each["line"],
            each["name"],
            each["message"],
            each["severity"],
            each["confidence"],
            each["fix"] is not None,
        )
        for each in document["findings"]
    ]
    return Run(found, document["notes"], exit_code, document)


@dataclass(frozen=True)
class Code:
    """A row of `rules/codes.tsv`: what is permanent about a rule."""

    code: str
    name: str
    topic: str
    pitfalls: tuple[str, ...]
    group: str
    symptom: str
    severity: str
    confidence: str


@cache
def codes() -> list[Code]:
    """The project's list of permanent codes."""
    _, *rows = (ROOT / "rules" / "codes.tsv").read_text().splitlines()
    split = (row.split("\t") for row in rows)
    return [
        Code(code, name, topic, () if pitfalls == "-" else tuple(pitfalls.split()), *rest)
        for code, name, topic, pitfalls, *rest in split
    ]
