"""`burnlint baseline`: accept the findings of today, and drop those that are gone."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from burnlint.cli.options import Given, linting
from burnlint.cli.output import tell, tell_fatal
from burnlint.cli.session import Failure, Session, said
from burnlint.lint import baseline
from burnlint.lint.baseline import Baseline
from burnlint.lint.result import Result


@click.group("baseline")
def command() -> None:
    """Accept the findings of today, so that only new ones are shown."""


@command.command("write", short_help="Write the findings into the baseline.")
@linting
def write_command(**options: Any) -> int:
    """Write all findings in PATHS into the baseline. What it holds about other files and rules stays."""
    session, result, old, before = _look(options)
    found = baseline.of(result.findings, session.baseline_path)
    return _finish(result, old, baseline.merge(found, _pruned(session, result, old, found)), before)


@command.command("prune", short_help="Drop from the baseline what is gone.")
@linting
def prune_command(**options: Any) -> int:
    """Drop what is not found any more in PATHS; nothing is added."""
    session, result, old, before = _look(options)
    if before is None:
        raise Failure(f"{session.baseline_path}: there is no baseline; `burnlint baseline write` makes one")
    found = baseline.of(result.findings, session.baseline_path)
    return _finish(result, old, _pruned(session, result, old, found), before)


def _look(options: dict[str, Any]) -> tuple[Session, Result, Baseline, bytes | None]:
    """Lint as if there were no baseline; the old one beside it, and what its file holds."""
    given = Given.take(options)
    session = Session(replace(given, no_baseline=True))
    path = session.baseline_path
    try:
        before = path.read_bytes()
    except FileNotFoundError:
        return session, session.lint({})[1], baseline.make(path, ()), None
    except OSError as error:
        raise Failure(f"{path}: the baseline cannot be read ({error.strerror})") from error
    old = said(lambda: baseline.parse(path, before))
    return session, session.lint({})[1], old, before


def _pruned(session: Session, result: Result, old: Baseline, found: Baseline) -> Baseline:
    folder = old.path.parent

    def is_judged(entry: baseline.Entry) -> bool:
        if entry.fingerprint in result.unsure:
            return False
        rule = session.registry.find(entry.name)
        path = os.path.normpath(folder / entry.path).replace(os.sep, "/")
        return rule is None or _is_gone(path) or rule.rule.code in result.judged.get(path, ())

    return baseline.prune(old, found, is_judged)


def _is_gone(path: str) -> bool:
    """Whether a file is known not to be there; of one in a folder that cannot be read it is not."""
    try:
        os.lstat(path)
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL)
    except ValueError:
        return True
    return False


def _finish(result: Result, old: Baseline, new: Baseline, before: bytes | None) -> int:
    from burnlint.lint.write import WriteError, write

    content = baseline.render(new).encode("utf-8", "surrogateescape")
    try:
        write(Path(new.path), content, expected=before)
    except WriteError as error:
        raise Failure(str(error)) from error
    added, gone = len(new.keys - old.keys), len(old.keys - new.keys)
    tell(f"burnlint: {new.path}: {len(new.entries)} accepted ({added} new, {gone} gone)")
    return 2 if tell_fatal(result.notes) else 0
