"""The baseline: findings that were there when a project took burnlint up, by fingerprint, one readable line
each.

A line is `fingerprint  rule-name  path  message`. Only fingerprint and path count: moved lines do not matter,
and a new finding never hides behind an old one. The rest is for people who read the file in a diff.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnlint.lint.result import Reported

_VERSION = re.compile(r"# burnlint baseline (\d+)")
_CONFLICT = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: |$)")
_HEAD = "# burnlint baseline 1: from `burnlint baseline write`; `burnlint baseline prune` drops what is gone"


class BaselineError(Exception):
    """A baseline that cannot be read; the message has its path and line."""


@dataclass(slots=True, frozen=True)
class Entry:
    """One line. `path` is relative to the baseline's folder, with `/`; `above` are the comments over it."""

    fingerprint: str
    name: str
    path: str
    message: str
    above: tuple[str, ...] = field(default=(), compare=False)

    def line(self) -> str:
        return f"{self.fingerprint}  {self.name}  {_quote(self.path)}  {self.message}"


@dataclass(slots=True, frozen=True)
class Baseline:
    """A baseline at `path` (absolute)."""

    path: Path
    entries: tuple[Entry, ...]
    keys: frozenset[str]
    """The fingerprints."""
    below: tuple[str, ...] = ()
    """The comments after the last entry."""


def relative(path: str, folder: Path) -> str:
    """A path as baselines spell it: from the folder, in which nothing of one's own disk is left; one that shares no
    folder with it stays absolute."""
    start = folder.as_posix().rstrip("/") + "/"
    if path.startswith(start):
        return path[len(start) :]
    if path.split("/")[:2] != start.split("/")[:2]:
        return path
    return os.path.relpath(path, folder).replace(os.sep, "/")


def make(path: Path, entries: Iterable[Entry], below: tuple[str, ...] = ()) -> Baseline:
    """A baseline of these entries, in order of path, rule and fingerprint."""
    ordered = tuple(sorted(set(entries), key=lambda each: (each.path, each.name, each.fingerprint)))
    return Baseline(path, ordered, frozenset(each.fingerprint for each in ordered), below)


def of(findings: Iterable[Reported], path: Path) -> Baseline:
    """The baseline that holds these findings."""
    return make(
        path,
        (
            Entry(
                each.fingerprint,
                each.rule.rule.name,
                relative(each.finding.place.path, path.parent),
                " ".join(each.finding.message.split()),
            )
            for each in findings
        ),
    )


def prune(old: Baseline, found: Baseline, is_judged: Callable[[Entry], bool]) -> Baseline:
    """`old` without what is gone: entries that were not found although this run judged their rule and
    file."""
    kept = (each for each in old.entries if each.fingerprint in found.keys or not is_judged(each))
    return make(old.path, kept, old.below)


def merge(one: Baseline, other: Baseline) -> Baseline:
    """The entries of both, at the place of the first, with the comments of the other."""
    theirs = {each.fingerprint: each for each in other.entries}
    ours = [replace(each, above=theirs.pop(each.fingerprint, each).above) for each in one.entries]
    return make(one.path, (*ours, *theirs.values()), other.below)


def render(baseline: Baseline) -> str:
    """The file's text."""
    lines = [line for each in baseline.entries for line in (*each.above, each.line())]
    return "\n".join([_HEAD, *lines, *baseline.below]) + "\n"


def read(path: Path) -> Baseline:
    """Read a baseline. Raises BaselineError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BaselineError(f"{path}: the baseline cannot be read ({error.strerror})") from error
    return parse(path, content)


def parse(path: Path, content: bytes) -> Baseline:
    """The baseline that is written at `path`. Raises BaselineError."""
    text = content.decode("utf-8", "surrogateescape")
    entries, comments = [], []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.removesuffix("\r")
        if line.startswith("#"):
            head = _VERSION.match(line)
            if head is None:
                comments.append(line)
            elif head[1] != "1":
                raise BaselineError(
                    f"{path}:{number}: this baseline is of a newer burnlint, which can read it"
                )
            continue
        if not line.strip():
            continue
        if _CONFLICT.match(line):
            raise BaselineError(
                f"{path}:{number}: here is a conflict of a merge: keep the lines of both sides, and let "
                "`burnlint baseline prune` drop what is gone"
            )
        parts = line.split("  ", 3)
        if len(parts) < 3 or not all(parts[:3]):
            raise BaselineError(
                f"{path}:{number}: this is no line of a baseline (fingerprint, rule, path, message, two "
                "spaces between); correct or delete it, or delete the file and write it anew with `burnlint "
                "baseline write`"
            )
        message = parts[3] if len(parts) > 3 else ""
        entries.append(Entry(parts[0], parts[1], _unquote(parts[2]), message, tuple(comments)))
        comments = []
    return make(path, entries, tuple(comments))


_QUOTED = {"%": "%25", "\n": "%0A", "\r": "%0D", " ": "%20"}
"""What separates lines and columns, and the sign that quotes it."""


def _quote(path: str) -> str:
    for plain, quoted in _QUOTED.items():
        path = path.replace(plain, quoted)
    return path


def _unquote(path: str) -> str:
    for plain, quoted in reversed(_QUOTED.items()):
        path = path.replace(quoted, plain)
    return path
