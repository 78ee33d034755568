"""Fixes: which edits go together, rounds, and what must never happen to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from fake_project import ROOT, FakeFile, FakeProject, registry, rule, word_rule
from hypothesis import given
from hypothesis import strategies as st

from burnlint.lint.edits import Accepted, apply
from burnlint.lint.engine import FileSettings, Options, run
from burnlint.lint.finding import Edit, Finding, Fix, Place
from burnlint.lint.fix import Outcome, diff, fix
from burnlint.lint.protocol import Project
from burnlint.lint.result import Result
from burnlint.lint.rule import LoadedRule

A, B = f"{ROOT}/a.rs", f"{ROOT}/b.rs"


def lint_with(
    files: Mapping[str, str], *rules: LoadedRule
) -> Callable[[Mapping[str, bytes]], tuple[Project, Result]]:
    known = registry(*rules)
    codes = frozenset(each.rule.code for each in known.rules)

    def lint(overlay: Mapping[str, bytes]) -> tuple[Project, Result]:
        contents: dict[str, Any] = {f"{ROOT}/{name}": text for name, text in files.items()}
        project = FakeProject({**contents, **overlay})
        return project, run(project, known, lambda path: FileSettings(codes), Options(), ROOT)

    return lint


def fixed(files: Mapping[str, str], *rules: LoadedRule, unsafe: bool = False) -> Outcome:
    return fix(lint_with(files, *rules), {}, unsafe=unsafe)


def edits_rule(
    code: str, name: str, edits: Callable[[FakeFile], Iterable[tuple[int, int, str]]]
) -> LoadedRule:
    """A rule with one finding per file whose fix holds these edits, as long as the file holds `fixme`."""

    def check(file: FakeFile) -> Iterable[Finding]:
        if b"fixme" in file.text.content:
            group = tuple(Edit(Place(file.path, start, end), text) for start, end, text in edits(file))
            yield Finding(Place(file.path, 0, 1), "x", fix=Fix("Fix it", group, safe=True))

    return rule(code, name, checks={"check": check})


@pytest.mark.parametrize(("content", "taken"), [(b"fixme \x8b", 0), ("fixme \ufffd".encode(), 1)])
def test_a_fix_that_would_write_bytes_back_as_another_character_is_refused(
    content: bytes, taken: int
) -> None:
    rewrite = edits_rule(
        "BL101", "rewrite", lambda file: [(0, len(file.text.content), file.text.decode(6, 99) + " done")]
    )
    outcome = fix(lint_with({}, rewrite), {A: content}, unsafe=False)
    assert outcome.applied == taken
    assert [why for _, why in outcome.refused] == ["what it would write again is not UTF-8"] * (1 - taken)


def test_safe_fixes_are_applied_and_unsafe_ones_only_if_asked() -> None:
    safe = word_rule("BL101", "safe-one", "foo", "FOO")
    unsafe = word_rule("BL102", "unsafe-one", "bar", "BAR", safe=False)
    assert fixed({"a.rs": "foo bar"}, safe, unsafe).contents == {A: b"FOO bar"}
    outcome = fixed({"a.rs": "foo bar"}, safe, unsafe, unsafe=True)
    assert (outcome.contents, outcome.applied, outcome.before) == ({A: b"FOO BAR"}, 2, {A: b"foo bar"})
    assert outcome.result.findings == []


def test_only_bytes_inside_the_edits_change_and_the_line_ending_is_kept() -> None:
    lines = word_rule("BL101", "two-lines", "foo", "one\ntwo")
    content = "\ufeffx\r\nfoo \xe9\r\n\r\nlast  "
    assert fixed({"a.rs": content}, lines).contents == {A: content.replace("foo", "one\r\ntwo").encode()}
    assert fixed({"a.rs": "x\nfoo"}, lines).contents == {A: b"x\none\ntwo"}


def test_fixes_that_collide_wait_for_the_next_round() -> None:
    outer = word_rule("BL101", "outer-one", "f(foo)", "g(foo)")
    inner = word_rule("BL102", "inner-one", "foo", "FOO")
    outcome = fixed({"a.rs": "f(foo)"}, outer, inner)
    assert (outcome.contents, outcome.applied, outcome.refused) == ({A: b"g(FOO)"}, 2, [])


def test_a_group_over_several_files_is_taken_whole_or_not_at_all() -> None:
    def both(project: FakeProject) -> Iterable[Finding]:
        a, b = (project.text(path) for path in (A, B))
        assert a is not None and b is not None
        if b"foo" in a.content:
            group = Edit(Place(A, 0, 3), "FOO"), Edit(Place(B, 0, 3), "<<<")
            yield Finding(Place(A, 0, 3), "x", fix=Fix("Fix both", group, safe=True))

    grouped = rule("BL101", "both-files", checks={"check_project": both})
    outcome = fixed({"a.rs": "foo", "b.rs": "foo"}, grouped)
    assert outcome.contents == {}
    assert [why for _, why in outcome.refused] == [f"{B} would not parse any more"]


def test_what_breaks_a_file_is_taken_back_and_said_and_the_rest_is_kept() -> None:
    good = word_rule("BL101", "good-one", "foo", "FOO")
    bad = word_rule("BL102", "bad-one", "bar", "<<<")
    outcome = fixed({"a.rs": "foo bar foo", "b.rs": "bar"}, good, bad)
    assert outcome.contents == {A: b"FOO bar FOO"}
    assert outcome.applied == 2
    assert sorted((each.rule.rule.name, each.finding.place.path) for each, _ in outcome.refused) == [
        ("bad-one", A),
        ("bad-one", B),
    ]


def test_a_file_that_did_not_parse_before_may_be_fixed() -> None:
    outcome = fixed({"a.rs": "<<< foo"}, word_rule("BL101", "good-one", "foo", "FOO"))
    assert outcome.contents == {A: b"<<< FOO"}


def test_a_fix_that_overlaps_itself_is_refused() -> None:
    overlapping = edits_rule("BL101", "self-overlap", lambda file: [(0, 3, "x"), (2, 5, "y")])
    outcome = fixed({"a.rs": "fixme"}, overlapping)
    assert outcome.contents == {}
    assert [why for _, why in outcome.refused] == ["its edits overlap"]


def test_two_fixes_share_an_edit_that_both_need() -> None:
    def check(file: FakeFile) -> Iterable[Finding]:
        for place in file.find("foo"):
            yield Finding(place, "x").with_fix(
                "x", Edit(Place(file.path, 0, 0), "use x;\n"), Edit(place, "x"), safe=True
            )

    outcome = fixed({"a.rs": " foo foo"}, rule("BL101", "needs-import", checks={"check": check}))
    assert outcome.contents == {A: b"use x;\n x x"}


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    there = word_rule("BL101", "there-rule", "foo", "bar")
    back = word_rule("BL102", "back-rule", "bar", "foo")
    outcome = fixed({"a.rs": "foo"}, there, back)
    assert outcome.exhausted


def test_a_fix_that_changes_nothing_comes_to_an_end() -> None:
    assert fixed({"a.rs": "foo"}, word_rule("BL101", "same-again", "foo", "foo")).exhausted


def test_suppressed_findings_are_not_fixed() -> None:
    safe = word_rule("BL101", "safe-one", "foo", "FOO")
    assert fixed({"a.rs": "foo; // burnlint: ignore[safe-one]\nfoo;"}, safe).contents == {
        A: b"foo; // burnlint: ignore[safe-one]\nFOO;"
    }


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ((0, 2), (2, 4), True),
        ((0, 3), (2, 4), False),
        ((0, 4), (1, 2), False),
        ((2, 2), (2, 4), False),
        ((2, 2), (0, 2), False),
        ((2, 2), (2, 2), False),
        ((1, 1), (2, 2), True),
        ((2, 2), (0, 4), False),
    ],
)
def test_which_edits_go_together(one: tuple[int, int], other: tuple[int, int], together: bool) -> None:
    for first, second in ((one, other), (other, one)):
        accepted = Accepted()
        assert accepted.take(Fix("", (Edit(Place(A, *first), "x"),), safe=True))
        assert accepted.take(Fix("", (Edit(Place(A, *second), "y"),), safe=True)) is together


def test_lines_that_two_fixes_insert_at_one_place_go_together() -> None:
    accepted = Accepted()
    lines = [Fix("", (Edit(Place(A, 3, 3), f"\nuse {name};"),), safe=True) for name in "ba"]
    assert all(map(accepted.take, lines))
    assert not accepted.take(Fix("", (Edit(Place(A, 3, 3), "x"),), safe=True))
    assert apply({A: b"foo\nbar"}, lines) == {A: b"foo\nuse a;\nuse b;\nbar"}


SPANS = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (min(pair), max(pair)))


@given(st.lists(st.lists(st.tuples(SPANS, st.text("xyz\n", max_size=3)), max_size=3), max_size=6))
def test_accepted_edits_leave_every_other_byte(groups: list[list[tuple[tuple[int, int], str]]]) -> None:
    content = b"0123456789abcdefghij"
    accepted, taken = Accepted(), []
    for group in groups:
        candidate = Fix("", tuple(Edit(Place(A, *span), text) for span, text in group), safe=True)
        if accepted.take(candidate):
            taken.append(candidate)
    edits = {(edit.place.start, edit.place.end, edit.text) for each in taken for edit in each.edits}
    touched = {at for start, end, _ in edits for at in range(start, end)}
    expected = sum(len(text) for _, _, text in edits) + len(content) - len(touched)
    changed = apply({A: content}, taken).get(A, content)
    assert len(changed) == expected
    kept = bytes(each for at, each in enumerate(content) if at not in touched)
    assert bytes(each for each in changed if each not in b"xyz\n") == kept


@pytest.mark.parametrize(
    ("before", "after"), [("a\nb\nc\n", "a\nB\nc\n"), ("a", "b\n"), ("a\n", "b"), ("", "x\n")]
)
def test_diffs_end_every_line(before: str, after: str) -> None:
    lines = b"".join(diff(before.encode(), after.encode(), "a.rs"))
    assert lines.endswith(b"\n")
    assert lines.startswith(b"--- a/a.rs\n+++ b/a.rs\n@@ ")
    assert lines.count(b"\\ No newline at end of file") == (not before.endswith("\n") and before != "") + (
        not after.endswith("\n")
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b.rs", b"a/a b.rs"),
        ('q"b\\.rs', b'"a/q\\"b\\\\.rs"'),
        ("new\nline\t.rs", b'"a/new\\012line\\011.rs"'),
        ("\udcff.rs", b"a/\xff.rs"),
    ],
)
def test_names_in_a_diff_are_quoted_as_git_does_it(name: str, shown: bytes) -> None:
    assert next(diff(b"a\n", b"b\n", name)) == b"--- " + shown + b"\n"
