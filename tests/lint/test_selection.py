"""Which rules the words of a selection switch on."""

from __future__ import annotations

import pytest
from fake_project import registry, word_rule

from burnlint.lint.selection import Layer, UnknownWord, resolve, select

REGISTRY = registry(
    word_rule("BL101", "mask-order", "a", pitfalls=("P5",)),
    word_rule("BL102", "mask-shape", "a", symptom="panic", aliases=("mask-form",)),
    word_rule("BL150", "new-idea", "a", preview=True),
    word_rule("BL201", "lost-gradient", "a", topic="autodiff", pitfalls=("P5", "P7")),
    word_rule("BL801", "torch-default", "a", topic="parity", group="parity"),
    word_rule("BL901", "old-name", "a", topic="migration", group="migration"),
)
OWN = {"BL004", "BL005"}


@pytest.mark.parametrize(
    ("word", "codes"),
    [
        ("mask-order", {"BL101"}),
        ("BL101", {"BL101"}),
        ("bl101", {"BL101"}),
        ("mask-form", {"BL102"}),
        ("BL1", {"BL101", "BL102"}),
        ("BL", {"BL101", "BL102", "BL201", "BL801", "BL901", *OWN}),
        ("P5", {"BL101", "BL201"}),
        ("p7", {"BL201"}),
        ("symptom:panic", {"BL102"}),
        ("topic:autodiff", {"BL201"}),
        ("group:parity", {"BL801"}),
        ("group:default", {"BL101", "BL102", "BL201", *OWN}),
        ("all", {"BL101", "BL102", "BL150", "BL201", "BL801", "BL901", *OWN}),
        ("new-idea", {"BL150"}),
    ],
)
def test_words(word: str, codes: set[str]) -> None:
    assert resolve(REGISTRY, word).codes == codes


@pytest.mark.parametrize(
    ("word", "codes"), [("TEAM", {"TEAM001", "TEAM012"}), ("team00", {"TEAM001"}), ("BL", {"BL101", *OWN})]
)
def test_beginnings_of_the_codes_of_a_team(word: str, codes: set[str]) -> None:
    """Only digits may be missing: a letter alone names pitfalls."""
    rules = registry(
        word_rule("BL101", "mask-order", "a"),
        word_rule("TEAM001", "forbidden-thing", "a", topic="local"),
        word_rule("TEAM012", "other-thing", "a", topic="local"),
        word_rule("TEAMS001", "foreign-thing", "a", topic="local"),
    )
    assert resolve(rules, word).codes == codes
    for part in ("T", "TEA", "P5", "B"):
        with pytest.raises(UnknownWord):
            resolve(rules, part)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("mask-ordr", "did you mean `mask-order`?"),
        ("lost_gradient", "did you mean `lost-gradient`?"),
        ("symptom:panics", "symptom is one of "),
        ("topic:nothing", "topic is one of autodiff, engine, migration, parity, tensor"),
        ("silent", "did you mean `symptom:silent`?"),
        ("BL77", "selects no rule"),
        ("P99", "selects no rule"),
        ("", "selects no rule"),
        ("mask-order BL102", "several rules are parted by commas"),
        ("qqqqqqqq", "`burnlint rules` lists them"),
    ],
)
def test_an_unknown_word_is_refused_with_a_way_out(word: str, hint: str) -> None:
    with pytest.raises(UnknownWord) as caught:
        resolve(REGISTRY, word)
    assert hint in str(caught.value)


DEFAULT = {"BL101", "BL102", "BL201", "BL901", *OWN}


@pytest.mark.parametrize(
    ("config", "command", "codes"),
    [
        (Layer(), Layer(), DEFAULT),
        (Layer(ignore=("BL1",)), Layer(), {"BL201", "BL901", *OWN}),
        (Layer(ignore=("BL1",), extend_select=("BL101",)), Layer(), {"BL101", "BL201", "BL901", *OWN}),
        (Layer(select=("BL1",), ignore=("BL101",)), Layer(), {"BL102"}),
        (Layer(select=("mask-order",), ignore=("mask-order",)), Layer(), set()),
        # The command line's selection replaces the configuration's and leaves its `ignore` standing.
        (Layer(select=("BL2",), extend_select=("BL801",)), Layer(select=("BL1",)), {"BL101", "BL102"}),
        (Layer(ignore=("BL101",)), Layer(select=("BL1",)), {"BL102"}),
        (Layer(ignore=("BL101",)), Layer(select=("BL101",)), {"BL101"}),
        (Layer(), Layer(extend_select=("new-idea", "group:parity")), {*DEFAULT, "BL150", "BL801"}),
        (Layer(extend_select=("BL801",)), Layer(ignore=("BL801",)), DEFAULT),
        (Layer(), Layer(select=("all",), ignore=("P5",)), {"BL102", "BL150", "BL801", "BL901", *OWN}),
        (Layer(), Layer(select=()), set()),
    ],
)
def test_the_more_specific_word_wins_then_the_command_line_then_ignoring(
    config: Layer, command: Layer, codes: set[str]
) -> None:
    assert select(REGISTRY, config, command) == codes
