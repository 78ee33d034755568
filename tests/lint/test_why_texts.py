"""`burnlint why` over texts that no pattern was written from: the right pitfall first, and silence otherwise."""

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
UNRELATED = list(cases("unrelated.txt"))


@pytest.mark.parametrize(("pitfall", "text"), [pytest.param(p, text, id=name) for p, name, text in EXPLAINED])
def test_the_right_pitfall_comes_first(pitfall: str, text: str) -> None:
    assert explained(text)[:1] == [pitfall]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for _, name, text in UNRELATED])
def test_what_no_pitfall_explains_gets_no_answer(text: str) -> None:
    assert explained(text) == []


def test_unrelated_texts_stay_silent_in_one_log_with_each_other() -> None:
    assert explained("\n\n".join(text for _, _, text in UNRELATED if "burn" not in text.lower())) == []


def test_there_are_enough_texts_and_no_name_twice() -> None:
    assert len(EXPLAINED) >= 60 and len(UNRELATED) >= 40
    names = [name for _, name, _ in (*EXPLAINED, *UNRELATED)]
    assert len(set(names)) == len(names)
