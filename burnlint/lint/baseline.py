"""The baseline: findings that were there when a project took burnlint up, by fingerprint, one readable line
each.

A line is `fingerprint  rule-name  path  message`. Only fingerprint and path count: moved lines do not matter,
and a new finding never hides behind an old one. The rest is for people who read the file in a diff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from burnlint.lint.result import Reported

_HEAD = "# burnlint baseline 1: from `burnlint baseline write`; `burnlint baseline prune` drops what is gone"


class BaselineError(Exception):
    """A baseline that cannot be read; the message has its path and line."""


@dataclass(slots=True, frozen=True)
class Entry:
    """One line. `path` is relative to the baseline's folder, with `/`."""

    fingerprint: str
    name: str
    path: str
    message: str

    def line(self) -> str:
        return f"{self.fingerprint}  {self.name}  {_quote(self.path)}  {self.message}"


@dataclass(slots=True, frozen=True)
class Baseline:
    """A baseline at `path` (absolute)."""

    path: Path
    entries: tuple[Entry, ...]
    keys: frozenset[str]
    """The fingerprints."""


def relative(path: str, folder: Path) -> str:
    """A path as baselines spell it; one outside of the folder stays absolute."""
    start = folder.as_posix().rstrip("/") + "/"
    return path.removeprefix(start)


def make(path: Path, entries: Iterable[Entry]) -> Baseline:
    """A baseline of these entries, in order of path, rule and fingerprint."""
    ordered = tuple(sorted(set(entries), key=lambda each: (each.path, each.name, each.fingerprint)))
    return Baseline(path, ordered, frozenset(each.fingerprint for each in ordered))


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
    return make(
        old.path, (each for each in old.entries if each.fingerprint in found.keys or not is_judged(each))
    )


def merge(one: Baseline, other: Baseline) -> Baseline:
    """The entries of both, at the place of the first."""
    known = {each.fingerprint for each in one.entries}
    return make(one.path, (*one.entries, *(each for each in other.entries if each.fingerprint not in known)))


def render(baseline: Baseline) -> str:
    """The file's text."""
    return "\n".join([_HEAD, *(each.line() for each in baseline.entries)]) + "\n"


def read(path: Path) -> Baseline:
    """Read a baseline. Raises BaselineError."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise BaselineError(f"{path}: the baseline cannot be read ({error.strerror})") from error
    entries = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.removesuffix("\r").split("  ", 3)
        if len(parts) < 3 or not all(parts[:3]):
            raise BaselineError(
                f"{path}:{number}: this is no line of a baseline (fingerprint, rule, path, message, two "
                "spaces between); write it anew with `burnlint baseline write`"
            )
        entries.append(Entry(parts[0], parts[1], _unquote(parts[2]), parts[3] if len(parts) > 3 else ""))
    return make(path, entries)


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
