"""The engine: which rules run on which file, what becomes of findings and of crashes, and in which order."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from fake_project import ROOT, FakeFile, FakeProject, registry, rule, word_rule

from burnlint.lint.engine import FileSettings, Options, run
from burnlint.lint.finding import Finding, Place
from burnlint.lint.protocol import ProjectNote
from burnlint.lint.registry import Registry
from burnlint.lint.result import Result
from burnlint.lint.rule import LoadedRule


def lint(
    project: FakeProject, *rules: LoadedRule, settings: dict[str, Any] | None = None, **options: Any
) -> Result:
    known = registry(*rules)
    codes = frozenset(each.rule.code for each in known.rules)
    return run(project, known, lambda path: FileSettings(codes, **(settings or {})), Options(**options), ROOT)


def shown(result: Result) -> list[tuple[str, str, int]]:
    return [
        (r.rule.rule.name, r.finding.place.path.removeprefix(f"{ROOT}/"), r.finding.place.start)
        for r in result.findings
    ]


FOO = word_rule("BL101", "foo-is-bad", "foo")


def test_a_rule_runs_on_the_files_of_its_kind() -> None:
    manifest_only = rule(
        "BL102", "manifest-is-bad", checks={"check_manifest": lambda m: [Finding(Place(m.path, 0, 1), "bad")]}
    )
    side_only = rule(
        "BL103", "side-is-bad", checks={"check_text": lambda d: [Finding(Place(d.path, 0, 1), "bad")]}
    )
    project = FakeProject({"a.rs": "x", "Cargo.toml": "x", "cubecl.toml": "x"})
    assert shown(lint(project, manifest_only, side_only)) == [
        ("manifest-is-bad", "Cargo.toml", 0),
        ("side-is-bad", "cubecl.toml", 0),
    ]


def test_a_file_without_the_words_a_rule_listens_to_is_not_parsed() -> None:
    project = FakeProject({"a.rs": "foo <<<", "b.rs": "bar <<<"})
    result = lint(project, word_rule("BL101", "foo-is-bad", "foo", listens=("foo",)))
    assert [file.parsed for file in project.files] == [True, False]
    assert [(note.kind, note.path) for note in result.notes] == [("parse-error", f"{ROOT}/a.rs")]


def test_no_rule_runs_in_a_package_without_burn() -> None:
    assert shown(lint(FakeProject({"a.rs": "foo"}, versions=()), FOO)) == []


def test_nothing_is_certain_where_a_later_version_may_be_meant() -> None:
    project = FakeProject({"a.rs": "foo"}, versions=("0.22.1",))
    assert [each.confidence for each in lint(project, FOO).findings] == ["high"]
    for file in project.files:
        file.may_be_later = True
    assert [each.confidence for each in lint(project, FOO).findings] == ["medium"]


def test_of_a_package_below_burns_tensors_only_rules_about_that_run() -> None:
    below = word_rule("BL102", "bar-is-bad", "foo", below_tensors=True)
    project = FakeProject({"a.rs": "foo"}, versions=(), versions_below=("0.22.1",))
    assert shown(lint(project, FOO, below)) == [("bar-is-bad", "a.rs", 0)]


@pytest.mark.parametrize(
    ("burn", "versions", "fires"),
    [
        (">=0.13", ("0.22.1",), True),
        (">=0.22", ("0.21.0",), False),
        (">=0.22", ("0.21.0", "0.22.1"), False),
        (">=0.13,<0.22", ("0.20.0", "0.21.0"), True),
    ],
)
def test_a_rule_fires_only_where_its_claim_holds_for_every_version(
    burn: str, versions: tuple[str, ...], fires: bool
) -> None:
    result = lint(
        FakeProject({"a.rs": "foo"}, versions=versions), word_rule("BL101", "foo-is-bad", "foo", burn=burn)
    )
    assert bool(result.findings) is fires


@pytest.mark.parametrize(
    ("versions", "confidence"),
    [(("0.22.1",), "high"), (("0.22.0",), "medium"), (("0.22.0", "0.22.1"), "medium")],
)
def test_outside_of_the_proven_versions_the_confidence_is_at_most_medium(
    versions: tuple[str, ...], confidence: str
) -> None:
    result = lint(FakeProject({"a.rs": "foo"}, versions=versions), FOO)
    assert [each.confidence for each in result.findings] == [confidence]


def test_a_finding_lowers_severity_and_confidence_and_never_raises_them() -> None:
    def check(file: FakeFile) -> Iterable[Finding]:
        yield Finding(Place(file.path, 0, 1), "lower", severity="note", confidence="medium")
        yield Finding(Place(file.path, 1, 2), "higher", severity="error", confidence="high")

    lower = rule("BL101", "a-rule", severity="warning", confidence="high", checks={"check": check})
    higher = rule("BL102", "b-rule", severity="warning", confidence="medium", checks={"check": check})
    result = lint(FakeProject({"a.rs": "xy"}), lower, higher)
    assert [(r.rule.rule.name, r.severity, r.confidence) for r in result.findings] == [
        ("a-rule", "note", "medium"),
        ("b-rule", "note", "medium"),
        ("a-rule", "warning", "high"),
        ("b-rule", "warning", "medium"),
    ]


def test_settings_give_other_severities_and_confidences() -> None:
    settings = {"severity": {"BL101": "error"}, "confidence": {"BL101": "low"}}
    assert shown(lint(FakeProject({"a.rs": "foo"}), FOO, settings=settings)) == []
    result = lint(FakeProject({"a.rs": "foo"}), FOO, settings=settings, min_confidence="low")
    assert [(each.severity, each.confidence) for each in result.findings] == [("error", "low")]


def test_a_crash_is_one_note_and_everything_else_stays() -> None:
    def crash(file: FakeFile) -> Iterable[Finding]:
        yield Finding(Place(file.path, 0, 3), "before the crash")
        if file.path.endswith("b.rs"):
            raise IndexError("list index out of range")

    result = lint(
        FakeProject({"a.rs": "foo", "b.rs": "foo"}), rule("BL102", "crash-here", checks={"check": crash}), FOO
    )
    assert shown(result) == [
        ("foo-is-bad", "a.rs", 0),
        ("crash-here", "a.rs", 0),
        ("foo-is-bad", "b.rs", 0),
        ("crash-here", "b.rs", 0),
    ]
    (note,) = result.notes
    assert (note.code, note.kind, note.path, note.fatal) == ("BL002", "rule-crashed", f"{ROOT}/b.rs", True)
    assert "crash-here" in note.message
    assert "IndexError: list index out of range" in note.message
    assert "burnlint 0" in note.message


def test_too_deep_a_recursion_is_a_crash_like_any_other() -> None:
    def recurse(file: FakeFile) -> Iterable[Finding]:
        return recurse(file)

    result = lint(FakeProject({"a.rs": "foo"}), rule("BL102", "deep-rule", checks={"check": recurse}), FOO)
    assert shown(result) == [("foo-is-bad", "a.rs", 0)]
    assert [note.kind for note in result.notes] == ["rule-crashed"]


@pytest.mark.parametrize(
    "place", [Place(f"{ROOT}/a.rs", 2, 9), Place(f"{ROOT}/a.rs", 2, 1), Place("/elsewhere.rs", 0, 1)]
)
def test_a_finding_outside_of_the_project_is_a_crash(place: Place) -> None:
    result = lint(
        FakeProject({"a.rs": "foo"}),
        rule("BL102", "lost-rule", checks={"check": lambda f: [Finding(place, "x")]}),
    )
    assert result.findings == []
    assert [note.kind for note in result.notes] == ["rule-crashed"]


def test_findings_in_context_files_are_left_out_and_their_evidence_is_kept() -> None:
    def check(project: FakeProject) -> Iterable[Finding]:
        here, there = Place(f"{ROOT}/a.rs", 0, 1), Place(f"{ROOT}/lib.rs", 0, 1)
        yield Finding(there, "in context")
        yield Finding(here, "here").with_because(there, "since this")

    result = lint(
        FakeProject({"a.rs": "foo"}, context={"lib.rs": "x"}),
        rule("BL102", "over-all", checks={"check_project": check}),
    )
    assert shown(result) == [("over-all", "a.rs", 0)]
    assert sorted(result.texts) == [f"{ROOT}/a.rs", f"{ROOT}/lib.rs"]


def test_a_finding_seen_twice_is_reported_once_and_as_surely_as_possible() -> None:
    def check(file: FakeFile) -> Iterable[Finding]:
        place = Place(file.path, 0, 3)
        yield Finding(place, "b", confidence="medium")
        yield Finding(place, "c")
        yield Finding(place, "a")

    result = lint(FakeProject({"a.rs": "foo"}), rule("BL102", "twice-seen", checks={"check": check}))
    assert [(each.finding.message, each.confidence) for each in result.findings] == [("a", "high")]


def test_one_place_has_one_finding_where_a_rule_supersedes_another() -> None:
    more = word_rule("BL102", "says-more", "foo()", supersedes=("foo-is-bad",))
    assert shown(lint(FakeProject({"a.rs": "foo() foo"}), FOO, more)) == [
        ("says-more", "a.rs", 0),
        ("foo-is-bad", "a.rs", 6),
    ]


def test_what_is_not_sure_enough_to_be_shown_supersedes_nothing() -> None:
    more = word_rule("BL102", "says-more", "foo()", confidence="low", supersedes=("foo-is-bad",))
    assert shown(lint(FakeProject({"a.rs": "foo()"}), FOO, more)) == [("foo-is-bad", "a.rs", 0)]


def test_skipped_files_and_broken_rules_are_notes() -> None:
    broken = registry(FOO)
    broken = Registry(broken.rules, (type("B", (), {"module": "rules.x", "why": "declares no RULE"})(),))  # type: ignore[arg-type]
    project = FakeProject(
        {"a.rs": "foo", "b.rs": "foo"},
        skipped={"b.rs": "is generated"},
        notes=[ProjectNote("file-skipped", f"{ROOT}/c.rs", None, "cannot be read", fatal=True)],
    )
    codes = frozenset(each.rule.code for each in broken.rules)
    result = run(project, broken, lambda path: FileSettings(codes), Options(), ROOT)
    assert shown(result) == [("foo-is-bad", "a.rs", 0)]
    assert [(note.code, note.path, note.fatal) for note in result.notes] == [
        ("BL002", None, True),
        ("BL003", f"{ROOT}/b.rs", False),
        ("BL003", f"{ROOT}/c.rs", True),
    ]
    assert result.summary.files == 1


def test_the_order_of_files_changes_nothing() -> None:
    files = {f"{name}.rs": "foo bar foo\nfoo <<<" for name in "dbca"}
    bar = word_rule("BL102", "bar-is-bad", "bar")
    results = []
    for seed in range(5):
        names = list(files)
        random.Random(seed).shuffle(names)
        result = lint(FakeProject({name: files[name] for name in names}), bar, FOO)
        results.append((shown(result), [r.fingerprint for r in result.findings], result.notes))
    assert all(each == results[0] for each in results)
    assert len(set(results[0][1])) == len(results[0][1])
    assert [place for _, *place in results[0][0]] == sorted(place for _, *place in results[0][0])
