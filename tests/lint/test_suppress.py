"""Suppression comments: forms, what they cover, and which are reported."""

from __future__ import annotations

from typing import Any

import pytest
from fake_project import ROOT, FakeProject, registry, rule, word_rule

from burnlint.lint.edits import apply
from burnlint.lint.engine import FileSettings, Options, run
from burnlint.lint.finding import Finding, Place
from burnlint.lint.result import Result

FOO = word_rule("BL101", "first-rule", "foo", aliases=("elder-rule",))
BAR = word_rule("BL102", "second-rule", "bar")
REGISTRY = registry(FOO, BAR)
ALL = frozenset(each.rule.code for each in REGISTRY.rules)


def lint(
    content: str | bytes,
    path: str = "a.rs",
    rules: frozenset[str] = ALL,
    known: Any = REGISTRY,
    **settings: Any,
) -> Result:
    settled = FileSettings(rules, **settings)
    return run(FakeProject({path: content}), known, lambda _: settled, Options(), ROOT)


def names(result: Result) -> list[str]:
    return [each.rule.rule.name for each in result.findings]


@pytest.mark.parametrize(
    "content",
    [
        "foo; // burnlint: ignore[first-rule] -- reason",
        "foo; //burnlint:ignore[first-rule]",
        "foo; // burnlint: ignore [ first-rule , ]",
        "foo; // burnlint: ignore[BL101]",
        "foo; // burnlint: ignore[bl101]",
        "foo; // burnlint: ignore[elder-rule]",
        "foo; /* burnlint: ignore[first-rule] */",
        "/* burnlint: ignore[first-rule] */ foo;",
        "// burnlint: ignore[first-rule]\nfoo;",
        "// burnlint: ignore[first-rule]\r\nfoo;\r\n",
        "\ufeff// burnlint: ignore[first-rule]\nfoo;",
        "// burnlint: ignore[first-rule]\n// more words\nfoo;",
        "    // burnlint: ignore[first-rule]\n    a\n        .b(foo);",
        "// burnlint: ignore[first-rule]\nfn f() {\n  foo;\n}",
        "a\n  // burnlint: ignore[first-rule]\n  .foo();",
        "x;\n\n// burnlint: ignore-file[first-rule] -- generated\nfoo;\nfoo;",
        "// burnlint: ignore[second-rule]\n// burnlint: ignore[first-rule]\nbar(foo);",
    ],
)
def test_a_finding_is_suppressed_and_the_comment_is_used(content: str) -> None:
    result = lint(content)
    assert names(result) == []
    assert result.summary.suppressed >= 1


@pytest.mark.parametrize("path", ["Cargo.toml"])
def test_in_toml_the_marker_is_a_hash(path: str) -> None:
    assert names(lint('a = "foo" # burnlint: ignore[first-rule] -- so', path)) == []
    assert names(lint('# burnlint: ignore[first-rule] -- so\na = "foo"\n', path)) == []


@pytest.mark.parametrize(
    "content",
    [
        "/// burnlint: ignore[first-rule]\nfoo;",
        "//! burnlint: ignore[first-rule]\nfoo;",
        "// see burnlint: ignore[first-rule]\nfoo;",
        'let text = "// burnlint: ignore[first-rule]"; foo;',
    ],
)
def test_what_is_no_suppression_suppresses_nothing(content: str) -> None:
    assert names(lint(content)) == ["first-rule"]


def test_a_comment_covers_no_more_than_its_line_or_statement() -> None:
    assert names(lint("foo;\nfoo; // burnlint: ignore[first-rule]\nfoo;")) == ["first-rule", "first-rule"]
    assert names(lint("// burnlint: ignore[first-rule]\nfoo;\nfoo;")) == ["first-rule"]
    assert names(lint("// burnlint: ignore[first-rule]\nfn f() {\n foo;\n}\nfoo;")) == ["first-rule"]


def test_a_finding_over_several_lines_is_suppressed_from_its_last_line_too() -> None:
    whole = rule("BL103", "long-one", checks={"check": lambda f: [Finding(Place(f.path, 0, 9), "x")]})
    known = registry(whole)
    codes = frozenset(each.rule.code for each in known.rules)
    for content in ("foo()\n .b; // burnlint: ignore[long-one]", "foo() // burnlint: ignore[long-one]\n .b;"):
        assert names(lint(content, rules=codes, known=known)) == []


def test_a_hidden_place_takes_a_suppression_too() -> None:
    def check(file: Any) -> list[Finding]:
        return [Finding(Place(file.path, 0, 1), "x", hidden=(Place(file.path, 3, 4),))]

    known = registry(rule("BL103", "far-away", checks={"check": check}))
    codes = frozenset(each.rule.code for each in known.rules)
    assert names(lint("a;\nb; // burnlint: ignore[far-away]", rules=codes, known=known)) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x; // burnlint: ignore[first-ruel]", "did you mean `first-rule`?"),
        ("x; // burnlint: ignore[FirstRule]", "did you mean `first-rule`?"),
        ("x; // burnlint: ignore[first_rule]", "did you mean `first-rule`?"),
        ("x; // burnlint: ignore[first]", "did you mean `first-rule`?"),
        ("x; // burnlint: ignore[BL1011]", "did you mean `BL101`?"),
        ("x; // burnlint: ignore[rule]", "`rule` is no rule, so nothing is suppressed"),
        ("x; // burnlint: ignore[BL10]", "`BL10` is no rule, so nothing is suppressed"),
        ("x; // burnlint: ignore[P5]", "`P5` is no rule, so nothing is suppressed"),
        ("x; // burnlint: igonre[first-rule] -- so", "did you mean `burnlint: ignore[first-rule]`?"),
        ("x; // burnlint: ignore first-rule, BL102", "did you mean `burnlint: ignore[first-rule, BL102]`?"),
        ("x; // burnlint: ignore_file(first-rule)", "did you mean `burnlint: ignore-file[first-rule]`?"),
        ("x; // burnlint: allow(first-rule)", "did you mean `burnlint: ignore[first-rule]`?"),
        ("x; // burnlint ignore[first-rule]", "did you mean `burnlint: ignore[first-rule]`?"),
        ("x; // burnlint-ignore-file[first-rule]", "did you mean `burnlint: ignore-file[first-rule]`?"),
        ("x; // burnlint: ignore[]", "names no rule"),
        ("x; // burnlint: ignore", "no suppression that burnlint knows"),
        ("x; // burnlint: disable[first-rule]", "did you mean `burnlint: ignore[first-rule]`?"),
        ("x; // burnlint: ignore[first-rule", "did you mean `burnlint: ignore[first-rule]`?"),
        ("foo; // burnlint: ignore[first-rule] because", "what follows the names is not read"),
        ("x; // burnlint-ignore: first-rule", "did you mean `burnlint: ignore[first-rule]`?"),
        ("x; // burnlint ignore: BL102 -- so", "did you mean `burnlint: ignore[BL102]`?"),
        ("foo; // a half // burnlint: ignore[first-rule] -- so", "stands within another comment"),
        ("// all of it // burnlint: ignore[second-rule, BL101]\nfoo;", "stands within another comment"),
    ],
)
def test_a_comment_that_cannot_work_is_reported(content: str, words: str) -> None:
    found = [each for each in lint(content).findings if each.rule.rule.name == "unknown-ignore"]
    assert [words in each.finding.message for each in found] == [True]
    assert ("did you mean" in found[0].finding.message) == ("did you mean" in words)


def test_an_unknown_name_is_reported_at_its_place_with_a_suggestion() -> None:
    content = "é; // burnlint: ignore[second-rule, first-ruel] -- é"
    (found,) = [each for each in lint(content).findings if each.rule.rule.name == "unknown-ignore"]
    place = found.finding.place
    assert content.encode()[place.start : place.end] == b"first-ruel"
    assert found.finding.help == "write `first-rule`"
    assert found.finding.fix is not None and not found.finding.fix.safe
    path = f"{ROOT}/a.rs"
    assert apply({path: content.encode()}, [found.finding.fix])[path].decode() == content.replace(
        "ruel", "rule"
    )


@pytest.mark.parametrize(
    "content",
    [
        "x; // burnlint ignores [these]",
        "x; // burnlint-ignore is a word",
        "/// burnlint: ignore[x]",
        "/// so: // burnlint: ignore[first-rule]",
        "x; // written `// burnlint: ignore[first-rule]`",
        "x; // say so: // burnlint: ignore[name] -- reason",
        "x; /* of two // burnlint: ignore[first-rule] */",
    ],
)
def test_a_comment_about_burnlint_is_none_for_it(content: str) -> None:
    assert names(lint(content)) == []


def test_very_many_unknown_names_are_told_together() -> None:
    (found,) = lint(f"x; // burnlint: ignore[{', '.join(f'no-such-{at}' for at in range(1000))}]").findings
    assert found.finding.message == "`no-such-0` and 999 more names here are no rules"


def test_bytes_that_are_no_utf8_move_no_place() -> None:
    content = b"x; // burnlint: ignore[\xff\xff, nothing-here]"
    places = [each.finding.place for each in lint(content).findings]
    assert [content[place.start : place.end] for place in places] == [b"\xff\xff", b"nothing-here"]


def test_a_missing_reason_is_reported_where_one_is_required() -> None:
    assert names(lint("foo; // burnlint: ignore[first-rule]", require_reason=True)) == ["unknown-ignore"]
    assert names(lint("foo; // burnlint: ignore[first-rule] -- ", require_reason=True)) == ["unknown-ignore"]
    assert names(lint("foo; // burnlint: ignore[first-rule] -- so", require_reason=True)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x; // burnlint: ignore[first-rule] -- so\ny;", "x;\ny;"),
        ("x;\n    // burnlint: ignore[first-rule]\n    y;", "x;\n    y;"),
        ("x;\r\n// burnlint: ignore[first-rule]\r\ny;\r\n", "x;\r\ny;\r\n"),
        ("// burnlint: ignore-file[first-rule]\ny;", "y;"),
        ("\ufeff// burnlint: ignore[first-rule]\ny;", "\ufeffy;"),
        ("y;\n// burnlint: ignore[first-rule]", "y;\n"),
        ("x /* burnlint: ignore[first-rule] */ + y;", "x + y;"),
        ("return/* burnlint: ignore[first-rule] */x;", "return x;"),
        ("a </* burnlint: ignore[first-rule] */- b;", "a < - b;"),
        ("x;/* burnlint: ignore[first-rule] */\ny;", "x;\ny;"),
        (
            "bar; // burnlint: ignore[first-rule, second-rule] -- so",
            "bar; // burnlint: ignore[second-rule] -- so",
        ),
        ("bar; // burnlint: ignore[second-rule, first-rule]", "bar; // burnlint: ignore[second-rule]"),
        ("x; // burnlint: ignore[second-rule, first-rule]", "x;"),
        ("x; // burnlint: ignore[first-rule]\r\ny;\r\n", "x;\r\ny;\r\n"),
        ("// burnlint: ignore[unused-ignore]\nx;", "x;"),
    ],
)
def test_what_suppresses_nothing_is_reported_with_a_fix(before: str, after: str) -> None:
    (found,) = lint(before).findings
    assert found.rule.rule.name == "unused-ignore"
    assert found.finding.fix is not None
    assert found.finding.fix.safe
    path = f"{ROOT}/a.rs"
    fixed = apply({path: before.encode()}, [found.finding.fix])[path]
    assert fixed.decode() == after
    assert names(lint(fixed)) == []


def test_an_unused_name_beside_an_unknown_one_leaves_the_unknown_one() -> None:
    result = lint("x; // burnlint: ignore[first-rule, nothing]")
    assert names(result) == ["unused-ignore", "unknown-ignore"]


def test_only_rules_that_ran_are_judged() -> None:
    comment = "x; // burnlint: ignore[first-rule]"
    assert names(lint(comment, rules=ALL - {"BL101"})) == []
    result = run(
        FakeProject({"a.rs": comment}, versions=()), REGISTRY, lambda _: FileSettings(ALL), Options(), ROOT
    )
    assert names(result) == []


def test_a_crashed_rule_is_not_judged() -> None:
    def crash(file: Any) -> None:
        raise RuntimeError

    known = registry(rule("BL103", "crash-here", checks={"check": crash}))
    codes = frozenset(each.rule.code for each in known.rules)
    assert names(lint("x; // burnlint: ignore[crash-here]", rules=codes, known=known)) == []


def test_a_finding_that_is_too_unsure_to_be_shown_still_uses_its_comment() -> None:
    known = registry(word_rule("BL101", "first-rule", "foo", confidence="low"))
    codes = frozenset(each.rule.code for each in known.rules)
    result = lint("foo; // burnlint: ignore[first-rule]", rules=codes, known=known)
    assert names(result) == []
    assert result.summary.suppressed == 0


def test_the_reports_about_comments_can_be_suppressed_and_switched_off() -> None:
    content = (
        "// burnlint: ignore-file[unused-ignore, unknown-ignore]\n"
        "x; // burnlint: ignore[first-rule]\n"
        "y; // burnlint: ignore[nothing]"
    )
    assert names(lint(content)) == []
    for name in ("unused-ignore", "unknown-ignore"):
        above = f"// burnlint: ignore[{name}]\nx; // burnlint: ignore["
        assert names(lint(above + ("first-rule]" if name == "unused-ignore" else "nothing]"))) == []
    assert names(lint("x; // burnlint: ignore[first-rule]", rules=ALL - {"BL004"})) == []
