"""What the rules find in a part of a run's files: the piece of work that one process does.

Knows no rule and nothing of burn: it asks a `Project` and calls what discovery found. A rule that raises
costs one note for one rule in one file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple, TypeVar

import burnlint
from burnlint.lint.finding import CONFIDENCES, SEVERITIES, Confidence, Finding, Place, Severity
from burnlint.lint.protocol import Input, LintFile, ParseProblem, Project
from burnlint.lint.ranges import holds, proven_on
from burnlint.lint.registry import LOCAL_TOPIC, Registry
from burnlint.lint.result import Note
from burnlint.lint.rule import Check, LoadedRule

_ENTRY = {"rust": "check", "manifest": "check_manifest", "side": "check_text"}
_Level = TypeVar("_Level", bound=str)


@dataclass(slots=True, frozen=True)
class FileSettings:
    """What holds for one file: the codes of the rules that run there, and severity and confidence set for
    some of them."""

    rules: frozenset[str]
    severity: Mapping[str, Severity] = field(default_factory=dict)
    confidence: Mapping[str, Confidence] = field(default_factory=dict)
    require_reason: bool = False


class Found(NamedTuple):
    """A finding with the code of its rule, what became of severity and confidence, and the path of the item
    around it."""

    code: str
    finding: Finding
    severity: Severity
    confidence: Confidence
    item: str

    @property
    def at(self) -> tuple[str, int, int, str]:
        """Its place and rule, of which a run keeps one finding."""
        place = self.finding.place
        return place.path, place.start, place.end, self.code


@dataclass(slots=True)
class Part:
    """What a part of the files gave."""

    found: dict[tuple[str, int, int, str], Found] = field(default_factory=dict)
    ran: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The codes of the rules that ran to their end, by path."""
    notes: list[Note] = field(default_factory=list)
    """Rules that crashed."""
    problems: dict[str, list[ParseProblem]] = field(default_factory=dict)
    """What does not parse, of all files that were parsed for it and have any."""
    seconds: dict[str, float] = field(default_factory=dict)
    """The time that each rule took, by name."""
    strays: bool = False
    """Whether a rule that looked at one file found something in a file outside of the part."""

    @property
    def is_lasting(self) -> bool:
        """Whether it would be found again: nothing crashed, and nothing hangs on what else is linted."""
        return not self.notes and not self.strays

    def take(self, found: Found) -> None:
        """Keep a finding; of several at one place by one rule, the surest."""
        other = self.found.get(found.at)
        if other is None or _surer(found, other):
            self.found[found.at] = found

    def add(self, other: Part) -> None:
        """Take over what another part gave."""
        for found in other.found.values():
            self.take(found)
        for path, codes in other.ran.items():
            self.ran[path] |= codes
        self.notes += other.notes
        self.strays = self.strays or other.strays
        self.problems.update(other.problems)
        for name, seconds in other.seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds


class Piece(NamedTuple):
    """What a group of files gave, or a slice of one, and all that was read for it (None: not known). Without a
    group: what is to be said of no group in particular."""

    group: int | None
    part: Part
    inputs: Sequence[Input] | None = None


class Judge:
    """Runs rules over files of one project."""

    def __init__(self, project: Project, registry: Registry, settings: Callable[[str], FileSettings]) -> None:
        self.project = project
        self.registry = registry
        self.settings = settings
        self.files = {file.path: file for file in sorted(project.files, key=lambda each: each.path)}
        self._spelled: dict[int, str] = {}
        self._kept: list[FileSettings] = []
        self._fitting: dict[
            tuple[str, frozenset[str], tuple[str, ...], tuple[str, ...]], list[LoadedRule]
        ] = {}

    def judge(self, paths: Sequence[str], done: Callable[[], None] = lambda: None) -> Part:
        """The rules for single files over these files; `done` is called after each."""
        part = Part()
        for path in paths:
            file = self.files[path]
            if file.skipped is None:
                self._judge_file(file, part)
            done()
        own = {*paths}
        part.strays = part.strays or any(at[0] not in own for at in part.found)
        return part

    def piece(
        self, group: int, paths: Sequence[str], traced: bool, done: Callable[[], None] = lambda: None
    ) -> Piece:
        """The rules for single files over a group or a slice of one; with what was read, if it is `traced`."""
        part = self.judge(paths, done)
        return Piece(group, part, self.project.inputs(paths) if traced else None)

    def settings_of(self, paths: Iterable[str]) -> list[str]:
        """What holds for each of these files, as text."""
        out = []
        for path in paths:
            settings = self.settings(path)
            text = self._spelled.get(id(settings))
            if text is None:
                levels = sorted(settings.severity.items()), sorted(settings.confidence.items())
                text = f"{sorted(settings.rules)} {levels}"
                # Kept beside it, so that its id stays its own.
                self._spelled[id(settings)] = text
                self._kept.append(settings)
            out += [path, text]
        return out

    def judge_project(self) -> Part:
        """The rules for the project as a whole."""
        part = Part()
        for loaded in self.registry.rules:
            check = loaded.check_project
            if check is None:
                continue
            paths = [path for path, file in self.files.items() if self._is_for(loaded, file)]
            for path in paths:
                part.ran[path].add(loaded.rule.code)
            if paths:
                self._call(part, loaded, check, self.project.view, None)
        return part

    def problems(self) -> Part:
        """What does not parse in the files that were parsed so far."""
        part = Part()
        for path, file in self.files.items():
            problems = file.problems if file.skipped is None else ()
            if problems:
                part.problems[path] = list(problems)
        return part

    def _judge_file(self, file: LintFile, part: Part) -> None:
        for loaded in self._rules_for(file):
            part.ran[file.path].add(loaded.rule.code)
            if not loaded.rule.listens or file.mentions(loaded.rule.listens):
                check: Check = getattr(loaded, _ENTRY[file.kind])
                self._call(part, loaded, check, file.view, file.path)

    def _rules_for(self, file: LintFile) -> list[LoadedRule]:
        """The rules for a file by its kind, its settings and its versions of burn."""
        key = file.kind, self.settings(file.path).rules, file.versions, file.versions_below
        found = self._fitting.get(key)
        if found is None:
            found = self._fitting[key] = [
                loaded
                for loaded in self.registry.rules
                if getattr(loaded, _ENTRY[file.kind]) is not None and self._is_for(loaded, file)
            ]
        return found

    def _is_for(self, loaded: LoadedRule, file: LintFile) -> bool:
        versions = _versions(loaded, file)
        return (
            file.skipped is None
            and loaded.rule.code in self.settings(file.path).rules
            and bool(versions)
            and holds(loaded.rule.burn, versions, previews=loaded.rule.group != "migration")
        )

    def _call(
        self,
        part: Part,
        loaded: LoadedRule,
        check: Check,
        view: Callable[[LoadedRule], object],
        path: str | None,
    ) -> None:
        """Run one check; what it found before it raised stays."""
        began = perf_counter()
        try:
            for finding in check(view(loaded)) or ():
                self._take(part, loaded, finding)
        except Exception as error:
            part.notes.append(_crash(loaded, error, path))
            for each in self.files if path is None else (path,):
                part.ran[each].discard(loaded.rule.code)
        name = loaded.rule.name
        part.seconds[name] = part.seconds.get(name, 0.0) + perf_counter() - began

    def _take(self, part: Part, loaded: LoadedRule, finding: Finding) -> None:
        """Keep a finding that is for a file of this run."""
        self._check_places(finding)
        place = finding.place
        file = self.files.get(place.path)
        if file is None:
            # Another run may lint that file too.
            part.strays = True
            return
        if not self._is_for(loaded, file):
            return
        settings = self.settings(place.path)
        code = loaded.rule.code
        severity = _lowest(SEVERITIES, loaded.rule.severity, finding.severity)
        confidence = _lowest(CONFIDENCES, loaded.rule.confidence, finding.confidence)
        if file.may_be_later or not proven_on(loaded.rule.proven, _versions(loaded, file)):
            confidence = _lowest(CONFIDENCES, confidence, "medium")
        part.take(
            Found(
                code,
                finding,
                settings.severity.get(code, severity),
                settings.confidence.get(code, confidence),
                file.item_path(place.start),
            )
        )

    def _check_places(self, finding: Finding) -> None:
        places = [finding.place, *(each.place for each in finding.because), *finding.hidden]
        if finding.fix is not None:
            places += [edit.place for edit in finding.fix.edits]
        for place in places:
            if not isinstance(place, Place):  # rules need not be typed
                raise TypeError(f"{type(place).__name__} is no Place: `.place` of an expression is one")
            text = self.project.text(place.path)
            if text is None:
                raise ValueError("a finding points to a file that the project does not have")
            if not 0 <= place.start <= place.end <= len(text.content):
                raise ValueError(f"a finding points outside of its file ({place.start}..{place.end})")


def _lowest(order: tuple[_Level, ...], *values: _Level | None) -> _Level:
    return min((value for value in values if value is not None), key=order.index)


def _surer(one: Found, other: Found) -> bool:
    rank = CONFIDENCES.index(one.confidence), SEVERITIES.index(one.severity)
    than = CONFIDENCES.index(other.confidence), SEVERITIES.index(other.severity)
    return rank > than or (rank == than and one.finding.message < other.finding.message)


def _versions(loaded: LoadedRule, file: LintFile) -> tuple[str, ...]:
    """The versions of burn that a rule is judged under."""
    return file.versions_below if loaded.rule.below_tensors else file.versions


def _crash(loaded: LoadedRule, error: Exception, path: str | None) -> Note:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    where = f"{loaded.module.__name__}"
    own = [frame.lineno for frame in frames if frame.filename == loaded.module.__file__]
    if own:
        where += f", line {own[-1]}"
    own_rule = loaded.topic == LOCAL_TOPIC
    whose = "This is a bug of that rule" if own_rule else "This is a bug of burnlint: please report it"
    message = (
        f"rule {loaded.rule.name} crashed ({type(error).__name__}: {error}; in {where}; "
        f"burnlint {burnlint.__version__}): what it would find here is not known. {whose}"
    )
    return Note("BL002", "rule-crashed", path, None, message, fatal=True)
