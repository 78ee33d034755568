"""One run: what the rules found in all parts of it, and what becomes of the findings.

Knows no rule and nothing of burn. The order of the result depends on nothing but the findings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

import burnlint
from burnlint.lint import suppress
from burnlint.lint.baseline import Baseline
from burnlint.lint.changes import Changes
from burnlint.lint.finding import CONFIDENCES, Confidence, Finding, Place, Severity
from burnlint.lint.gather import Means, gather
from burnlint.lint.parts import FileSettings, Judge, Part
from burnlint.lint.protocol import LintFile, Project, ProjectNote
from burnlint.lint.registry import Registry
from burnlint.lint.result import Note, Reported, Result
from burnlint.lint.rule import LoadedRule

_OF_COMMENTS = ("unused-ignore", "unknown-ignore")
_NOTE_CODES = {"parse-error": "BL001", "rule-crashed": "BL002", "file-skipped": "BL003"}


@dataclass(slots=True)
class Options:
    """What holds for the whole run. `seconds` is filled with the time that each rule took, by name."""

    min_confidence: Confidence = "medium"
    baseline: Baseline | None = None
    changes: Changes | None = None
    seconds: dict[str, float] | None = None
    keep_suppressed: bool = False
    """Report what comments suppress too, marked."""
    means: Means = field(default_factory=Means)
    notes: tuple[ProjectNote, ...] = ()
    """What was to say before the project was loaded."""


@dataclass(slots=True)
class _Judged:
    """A finding on its way to the result."""

    rule: LoadedRule
    finding: Finding
    severity: Severity
    confidence: Confidence
    item: str
    suppressed: bool = False
    fingerprint: str = ""

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        place = self.finding.place
        return place.path, place.start, place.end, self.rule.rule.code, self.finding.message


class Engine:
    """The state of one run over one project."""

    def __init__(
        self,
        project: Project,
        registry: Registry,
        settings: Callable[[str], FileSettings],
        options: Options,
    ) -> None:
        self.project = project
        self.registry = registry
        self.settings = settings
        self.options = options
        self.judge = Judge(project, registry, settings)
        self.files = self.judge.files
        self.notes: list[Note] = []
        self.ran: dict[str, set[str]] = {}

    def run(self, cwd: str) -> Result:
        """Everything, in order."""
        result = Result(self.project.root, cwd)
        self._notes_of_loading()
        whole = self._parts()
        self.notes += whole.notes
        self.ran = whole.ran
        if self.options.seconds is not None:
            self.options.seconds.update(whole.seconds)
        for file in self.files.values():
            self._notes_of_file(file, whole)
            if file.skipped is None:
                result.summary.files += 1
        judged = [
            _Judged(self.registry.by_word[each.code], each.finding, each.severity, each.confidence, each.item)
            for each in whole.found.values()
        ]
        judged.sort(key=lambda each: each.key)
        self._fingerprint(judged)
        suppressions = {
            path: suppress.read(file, self.registry) for path, file in self.files.items() if not file.skipped
        }
        for each in judged:
            each.suppressed = self._is_suppressed(each, suppressions.get(each.finding.place.path, []))
        own = self._own_findings(suppressions)
        shown = _without_superseded([each for each in judged if self._is_confident(each)], self.registry)
        shown = sorted([*shown, *filter(self._is_confident, own)], key=lambda each: each.key)
        result.summary.suppressed = sum(each.suppressed for each in shown)
        if not self.options.keep_suppressed:
            shown = [each for each in shown if not each.suppressed]
        if self.options.baseline is not None:
            new = [each for each in shown if each.fingerprint not in self.options.baseline.keys]
            result.summary.baselined = len(shown) - len(new)
            shown = new
        if self.options.changes is not None:
            shown = [each for each in shown if self._is_changed(each.finding)]
        result.findings = [
            Reported(
                each.rule, each.finding, each.severity, each.confidence, each.fingerprint, each.suppressed
            )
            for each in shown
        ]
        result.notes = sorted(
            self.notes, key=lambda note: (note.path or "", note.line or 0, note.code, note.message)
        )
        active = frozenset().union(*(self.settings(path).rules for path in self.files))
        result.rules = [each for each in self.registry.rules if each.rule.code in active]
        result.unsure = frozenset(
            each.fingerprint for each in (*judged, *own) if not (each.suppressed or self._is_confident(each))
        )
        result.judged = {path: frozenset(codes) for path, codes in self.ran.items()}
        result.texts = self._texts(result)
        return result

    def _parts(self) -> Part:
        """What all parts of the run gave together."""
        whole = gather(self.judge, self.options.means)
        whole.add(self.judge.judge_project())
        whole.add(self.judge.problems())
        return whole

    def _is_confident(self, judged: _Judged) -> bool:
        return CONFIDENCES.index(judged.confidence) >= CONFIDENCES.index(self.options.min_confidence)

    @staticmethod
    def _is_suppressed(judged: _Judged, suppressions: Iterable[suppress.Suppression]) -> bool:
        places = [
            (each.start, max(each.start, each.end - 1))
            for each in (judged.finding.place, *judged.finding.hidden)
            if each.path == judged.finding.place.path
        ]
        # Every comment that covers the finding counts as used, so none is left unasked.
        return sum(each.suppresses(judged.rule.rule.code, places) for each in suppressions) > 0

    def _own_findings(self, suppressions: Mapping[str, list[suppress.Suppression]]) -> list[_Judged]:
        """What the comments themselves have wrong, suppressible like anything else."""
        out: list[_Judged] = []
        for path, comments in suppressions.items():
            settings = self.settings(path)
            file = self.files[path]
            # What suppresses one of these is known to be used only when all of them are judged.
            own = settings.rules & {self.registry.own(name).rule.code for name in _OF_COMMENTS}
            for name, findings in (
                ("unused-ignore", suppress.unused(file, comments, self.ran[path] - own)),
                ("unknown-ignore", suppress.invalid(file, comments, self.registry, settings.require_reason)),
                ("unused-ignore", suppress.unused(file, comments, own)),
            ):
                loaded = self.registry.own(name)
                code = loaded.rule.code
                if code not in settings.rules:
                    continue
                if name != "unused-ignore" or _all_ran(comments, self.ran[path] | own):
                    self.ran[path].add(code)
                for finding in findings:
                    judged = _Judged(
                        loaded,
                        finding,
                        settings.severity.get(code, loaded.rule.severity),
                        settings.confidence.get(code, loaded.rule.confidence),
                        file.item_path(finding.place.start),
                    )
                    judged.suppressed = self._is_suppressed(judged, comments)
                    out.append(judged)
        out.sort(key=lambda each: each.key)
        self._fingerprint(out)
        return out

    def _fingerprint(self, judged: list[_Judged]) -> None:
        from burnlint.lint.fingerprint import Fingerprints

        fingerprints = Fingerprints(self.project.root)
        for each in judged:
            place = each.finding.place
            text = self.files[place.path].text
            each.fingerprint = fingerprints.next(each.rule.rule.code, each.item, text, place.start, place.end)

    def _is_changed(self, finding: Finding) -> bool:
        changes = self.options.changes
        places = [finding.place, *(each.place for each in finding.because)]
        return changes is None or any(changes.touch(place.path, *self._lines(place)) for place in places)

    def _lines(self, place: Place) -> tuple[int, int]:
        text = self.project.text(place.path)
        assert text is not None, "checked when the finding was taken"
        return text.line(place.start), text.line(max(place.start, place.end - 1))

    def _notes_of_loading(self) -> None:
        for each in (*self.options.notes, *self.project.notes):
            code = _NOTE_CODES.get(each.kind, "BL003")
            self.notes.append(Note(code, each.kind, each.path, each.line, each.message, each.fatal))
        for broken in self.registry.broken:
            message = f"the module {broken.module} {broken.why}; it is left out"
            self.notes.append(Note("BL002", "rule-crashed", None, None, message, fatal=True))

    def _notes_of_file(self, file: LintFile, whole: Part) -> None:
        if file.skipped is not None:
            self.notes.append(Note("BL003", "file-skipped", file.path, None, file.skipped))
        elif problems := whole.problems.get(file.path):
            first = problems[0]
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            message = f"{first.message}{more}; the rest of the file is linted"
            self.notes.append(Note("BL001", "parse-error", file.path, file.text.line(first.start), message))

    def _texts(self, result: Result) -> dict[str, burnlint.text.Text]:
        paths = set()
        for reported in result.findings:
            finding = reported.finding
            paths.add(finding.place.path)
            paths.update(each.place.path for each in finding.because)
            if finding.fix is not None:
                paths.update(edit.place.path for edit in finding.fix.edits)
        texts = ((path, self.project.text(path)) for path in sorted(paths))
        return {path: text for path, text in texts if text is not None}


def run(
    project: Project,
    registry: Registry,
    settings: Callable[[str], FileSettings],
    options: Options,
    cwd: str,
) -> Result:
    """Lint a project. `settings` answers for each path of its files."""
    return Engine(project, registry, settings, options).run(cwd)


def _all_ran(comments: Iterable[suppress.Suppression], ran: Collection[str]) -> bool:
    """Whether every rule that comments name ran, so that all of them that are of no use are known."""
    return all(name.code is None or name.code in ran for each in comments for name in each.names)


def _without_superseded(judged: list[_Judged], registry: Registry) -> list[_Judged]:
    """Leave out findings about whose place a rule that supersedes theirs says more (places that overlap)."""
    beaten: dict[str, list[_Judged]] = defaultdict(list)
    for each in judged:
        for word in each.rule.rule.supersedes:
            loaded = registry.find(word)
            if loaded is not None:
                beaten[loaded.rule.code].append(each)

    def is_beaten(each: _Judged) -> bool:
        return any(_overlap(each.finding.place, by.finding.place) for by in beaten[each.rule.rule.code])

    return [each for each in judged if not is_beaten(each)]


def _overlap(one: Place, other: Place) -> bool:
    return (
        one.path == other.path
        and one.start < max(other.end, other.start + 1)
        and other.start < max(one.end, one.start + 1)
    )
