"""Fixes: applied in rounds until nothing is left, each round on a fresh look at the project, all of it in
memory.

A finding's fix is taken whole or not at all. Fixes that collide wait for the next round. A fix after which a
file that parsed does not parse any more is taken back and said.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from burnlint.lint.edits import Accepted, apply
from burnlint.lint.finding import Edit, Fix
from burnlint.lint.protocol import Project
from burnlint.lint.result import Reported, Result

_TO_QUOTE = re.compile(r'[\x00-\x1f\x7f"\\]')
ROUNDS = 20
"""More rounds than this mean that two fixes undo each other."""

Lint = Callable[[Mapping[str, bytes]], tuple[Project, Result]]
"""Looks at the project with these contents in place of those on the disk (absolute paths)."""


@dataclass(slots=True)
class Outcome:
    """`contents` holds the changed files as they should be, `before` as they were; `refused` says why a fix
    was not taken."""

    result: Result
    before: dict[str, bytes] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    applied: int = 0
    refused: list[tuple[Reported, str]] = field(default_factory=list)
    exhausted: bool = False


def fix(lint: Lint, overlay: Mapping[str, bytes], *, unsafe: bool) -> Outcome:
    """Apply every fix there is (the unsafe ones only if `unsafe`) to the project as `overlay` changes it.
    Writes nothing."""
    project, result = lint(overlay)
    outcome = Outcome(result)
    for _ in range(ROUNDS):
        fixable = ((each, each.finding.fix) for each in result.findings)
        candidates = [each for each, its in fixable if its is not None and (its.safe or unsafe)]
        # What was refused is tried again, since another fix may have made room for it.
        contents, taken, outcome.refused = _round(project, candidates)
        if not taken:
            return outcome
        for path, content in contents.items():
            outcome.before.setdefault(path, _content(project, path))
            outcome.contents[path] = content
        outcome.applied += taken
        project, result = lint({**overlay, **outcome.contents})
        outcome.result = result
    outcome.exhausted = True
    return outcome


def _round(
    project: Project, candidates: Sequence[Reported]
) -> tuple[dict[str, bytes], int, list[tuple[Reported, str]]]:
    """Take what does not collide. If a file breaks by that, take one fix after the other and leave out what
    breaks it."""
    rejected: list[tuple[Reported, str]] = []
    accepted, together = Accepted(), []
    for each in candidates:
        if any(_loses_bytes(project, edit) for edit in _fix_of(each).edits):
            rejected.append((each, "what it would write again is not UTF-8"))
        elif not Accepted().take(_fix_of(each)):
            rejected.append((each, "its edits overlap"))
        elif accepted.take(_fix_of(each)):
            together.append(each)
    contents = _changed(project, together)
    if not _broken(project, contents):
        return contents, len(together), rejected
    kept: list[Reported] = []
    for each in together:
        broken = _broken(project, _changed(project, [*kept, each]))
        if broken is None:
            kept.append(each)
        else:
            rejected.append((each, f"{broken} would not parse any more"))
    return _changed(project, kept), len(kept), rejected


def _loses_bytes(project: Project, edit: Edit) -> bool:
    """Whether its text has the character that `Text.decode` puts for bytes that are not UTF-8."""
    if "\ufffd" not in edit.text:
        return False
    try:
        _content(project, edit.place.path).decode()
    except UnicodeDecodeError:
        return True
    return False


def _fix_of(reported: Reported) -> Fix:
    assert reported.finding.fix is not None, "only findings with a fix are candidates"
    return reported.finding.fix


def _changed(project: Project, findings: Sequence[Reported]) -> dict[str, bytes]:
    fixes = [_fix_of(each) for each in findings]
    paths = {edit.place.path for each in fixes for edit in each.edits}
    return apply({path: _content(project, path) for path in paths}, fixes)


def _broken(project: Project, contents: Mapping[str, bytes]) -> str | None:
    """The first file that parses now and would not with these contents."""
    for path, content in sorted(contents.items()):
        if not project.parses(path, content) and project.parses(path, _content(project, path)):
            return path
    return None


def _content(project: Project, path: str) -> bytes:
    text = project.text(path)
    assert text is not None, "the engine refuses findings in unknown files"
    return text.content


def diff(before: bytes, after: bytes, path: str) -> Iterator[bytes]:
    """A unified diff that `git apply` takes, line by line."""
    old, new = _lines(before), _lines(after)
    for line in difflib.diff_bytes(difflib.unified_diff, old, new, _named("a/", path), _named("b/", path)):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _named(side: str, path: str) -> bytes:
    """A name in a diff's head; quoted as git does it where the bare one would end the line or be read as quoted."""
    name = side + path
    if _TO_QUOTE.search(name):
        name = f'"{_TO_QUOTE.sub(lambda match: chr(92) + _escape(match[0]), name)}"'
    return name.encode("utf-8", "surrogateescape")


def _escape(character: str) -> str:
    return character if character in '"\\' else f"{ord(character):03o}"


def _lines(content: bytes) -> list[bytes]:
    """Lines with their `\\n`. `bytes.splitlines` would split at a lone `\\r` too, which is no line to a
    diff."""
    lines = content.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
