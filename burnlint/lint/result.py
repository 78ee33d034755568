"""What one run hands to the outputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnlint.lint.finding import Confidence, Finding, Severity
from burnlint.lint.rule import LoadedRule
from burnlint.text import Text


@dataclass(slots=True, frozen=True)
class Reported:
    """A finding as it is shown: with its rule, what became of severity and confidence, and its identity."""

    rule: LoadedRule
    finding: Finding
    severity: Severity
    confidence: Confidence
    fingerprint: str
    """One identity for baseline, SARIF, GitLab and json (`burnlint.lint.fingerprint`)."""
    suppressed: bool = False
    """By a comment; only where such findings were asked for."""


@dataclass(slots=True, frozen=True)
class Note:
    """What burnlint has to say about its own work (parse-error, rule-crashed, file-skipped); never a
    finding."""

    code: str
    kind: str
    """The catalogue's name: parse-error, rule-crashed, file-skipped."""
    path: str | None
    line: int | None
    message: str
    fatal: bool = False
    """True where the run could not do its work (exit 2)."""


@dataclass(slots=True)
class Summary:
    files: int = 0
    suppressed: int = 0
    baselined: int = 0
    types: dict[str, int | dict[str, int]] | None = None
    """Filled with --statistics only."""


@dataclass(slots=True)
class Result:
    """All of a run, in the order of the reports: by path, place, code."""

    root: str
    """The repository's root (or the project's, without version control), absolute: %SRCROOT%."""
    cwd: str
    findings: list[Reported] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    summary: Summary = field(default_factory=Summary)
    rules: list[LoadedRule] = field(default_factory=list)
    """The rules that were active."""
    judged: dict[str, frozenset[str]] = field(default_factory=dict)
    """The codes of the rules that ran to their end, by path: what they did not find is not there."""
    unsure: frozenset[str] = frozenset()
    """The fingerprints of what was found and is too unsure to be shown."""
    texts: dict[str, Text] = field(default_factory=dict)
    """Every file that a finding or its evidence points into, by absolute path."""
