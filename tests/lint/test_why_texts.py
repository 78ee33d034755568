"""`burnlint why` over texts that no pattern was written from: the right pitfall first, and silence otherwise; and that
each pattern of a rule has a text that somebody saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnlint.lint import registry, why, why_data, why_log

TEXTS = Path(__file__).parent.parent / "why"


def cases(name: str) -> Iterator[tuple[str, str, str]]:
    """(pitfall, name, text) of each case of a file."""
    parts = re.split(r"^#### (\w+) (\S+)\n", (TEXTS / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    yield from zip(parts[1::3], parts[2::3], parts[3::3], strict=True)


def explained(text: str) -> list[str]:
    """The pitfalls that explain a text, without a project."""
    log = why_log.messages(text)
    found = why.hits(log, why_data.load(), registry.load(), why.nothing_there)
    return [answer.pitfall for answer in why.answers(log, found)]


EXPLAINED = list(cases("explained.txt"))
SHOWN = list(cases("messages.txt"))
UNRELATED = list(cases("unrelated.txt"))

UNSEEN = {
    r"Failed to read tensor data synchronously": "takes a browser with WebGPU; the words are those of "
    "burn-tensor 0.22.1, src/tensor/api/base.rs (`try_into_data_sync_impl`)",
    r"two different versions of crate `burn(_\w+)?` are being used": "said by rustc from 1.85 on, and no more by "
    "1.95; the older compiler is not at hand",
}
"""Patterns of rules that no text shows, and why."""


@pytest.mark.parametrize(
    ("pitfall", "text"), [pytest.param(p, text, id=name) for p, name, text in (*EXPLAINED, *SHOWN)]
)
def test_the_right_pitfall_comes_first(pitfall: str, text: str) -> None:
    assert explained(text)[:1] == [each for each in [pitfall] if each != "none"]


def test_every_pattern_of_a_rule_is_seen_in_a_text() -> None:
    said = [each.text for _, _, text in (*EXPLAINED, *SHOWN) for each in why_log.messages(text)]
    patterns = {each for loaded in why.rules_of(registry.load()) for each in loaded.rule.messages}
    assert {each for each in patterns if not any(re.search(each, text) for text in said)} == set(UNSEEN)


def test_a_rule_with_messages_has_a_pitfall_to_answer_with() -> None:
    rules = why.rules_of(registry.load())
    assert [each.rule.name for each in rules if each.rule.messages and not each.rule.pitfalls] == []


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for _, name, text in UNRELATED])
def test_what_no_pitfall_explains_gets_no_answer(text: str) -> None:
    assert explained(text) == []


def test_unrelated_texts_stay_silent_in_one_log_with_each_other() -> None:
    assert explained("\n\n".join(text for _, _, text in UNRELATED if "burn" not in text.lower())) == []


def test_there_are_enough_texts_and_no_name_twice() -> None:
    assert len(EXPLAINED) >= 60 and len(UNRELATED) >= 40
    names = [name for _, name, _ in (*EXPLAINED, *SHOWN, *UNRELATED)]
    assert len(set(names)) == len(names)
