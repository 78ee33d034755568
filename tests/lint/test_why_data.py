"""What stands in rules/pitfalls.toml: whole, in agreement with the rules, and nothing that a rule says already."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from burnlint.lint import registry, why, why_data, why_log
from burnlint.lint.ranges import version
from burnlint.lint.why_shapes import PREDICATES

sys.path.insert(0, str(Path(__file__).parent))

from test_why_texts import EXPLAINED

ROOT = Path(__file__).parent.parent.parent
KNOWLEDGE = why_data.load()
PERMANENT = {
    row.split("\t")[1]: row.split("\t")[3].split()
    for row in (ROOT / "rules" / "codes.tsv").read_text().splitlines()[1:]
}
ALL = {*(f"P{at}" for at in range(1, 27)), *(f"B{at}" for at in range(1, 27))}


def told(seen: str, knowledge: why_data.Knowledge) -> list[str]:
    """The pitfalls of a text, likeliest first."""
    log = why_log.messages(seen)
    found = why.answers(log, why.hits(log, knowledge, registry.load(), why.nothing_there))
    return [each.pitfall for each in found]


def without(gone: why_data.Text) -> why_data.Knowledge:
    """The knowledge without one entry."""
    pitfalls = {
        name: replace(each, texts=tuple(text for text in each.texts if text is not gone))
        for name, each in KNOWLEDGE.pitfalls.items()
    }
    return replace(KNOWLEDGE, pitfalls=pitfalls)


TEXTS = [pytest.param(text, id=f"{text.pitfalls[0]}-{at}") for at, text in enumerate(KNOWLEDGE.texts)]


def test_every_pitfall_has_a_row_and_a_question() -> None:
    assert set(KNOWLEDGE.pitfalls) == ALL
    asked = {p for question in KNOWLEDGE.questions for option in question.options for p in option.pitfalls}
    assert asked == ALL


def test_rows_are_written_out() -> None:
    for each in KNOWLEDGE.pitfalls.values():
        assert all((each.title, each.words, each.why, each.write)), each.id
        assert not each.title.endswith("."), each.id


def test_every_pitfall_of_a_rule_is_known() -> None:
    used = {pitfall for each in registry.load().rules for pitfall in each.rule.pitfalls}
    assert used <= ALL


@pytest.mark.parametrize("text", TEXTS)
def test_an_entry_matches_what_it_has_seen(text: why_data.Text) -> None:
    assert text.pattern.search(text.seen)
    assert text.near is None or text.near.search(text.seen)
    assert text.holds is None or PREDICATES[text.holds](text.seen)
    assert not text.pattern.search(""), "matches anything"
    assert set(text.pitfalls) <= ALL and len(set(text.pitfalls)) == len(text.pitfalls)
    version(text.burn)


@pytest.mark.parametrize("text", TEXTS)
def test_an_entry_names_permanent_rules(text: why_data.Text) -> None:
    for name in text.rules:
        assert name in PERMANENT, f"{name} is no rule of rules/codes.tsv"


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_no_entry_says_what_a_rule_says_already(text: why_data.Text) -> None:
    """An entry goes once a rule has its text among its `messages` and all answers are alike without it. Not
    among the tests of every run, since whoever writes a rule need not know of it."""
    guards = text.near or text.log or text.unless or text.holds or text.ordinary or text.fallback
    spoken = [each for each in registry.load().rules if each.rule.name in text.rules]
    taken = [r.rule.name for r in spoken if any(re.search(each, text.seen) for each in r.rule.messages)]
    if not taken or guards:
        return
    seen = [text.seen, *(each for _, _, each in EXPLAINED if text.pattern.search(each))]
    if all(told(each, without(text)) == told(each, KNOWLEDGE) for each in seen):
        pytest.fail(
            f"remove the entry `{text.pattern.pattern}` of {text.pitfalls[0]}: {taken[0]} has its text"
        )


def test_an_entry_that_is_gone_answers_no_more() -> None:
    """What the test above compares tells entries apart."""
    made = why_data.Text(("B10", "P7"), re.compile("xyzzy"), "xyzzy", "0.22.1")
    row = replace(KNOWLEDGE.pitfalls["B10"], texts=(made,))
    knowledge = replace(KNOWLEDGE, pitfalls={**KNOWLEDGE.pitfalls, "B10": row})
    assert told("xyzzy", knowledge) == ["B10", "P7"]
    assert told("xyzzy", KNOWLEDGE) == []
