"""Presence conditions."""

from __future__ import annotations

import itertools
import random

import pytest

from burnlint.rust.cfg import (
    ALWAYS,
    All,
    Any,
    Condition,
    Flag,
    Not,
    can_both_hold,
    conjunction,
    implies,
    is_test_only,
    parse,
    satisfiable,
)

A, B, C = Flag("a"), Flag("feature", "b"), Flag("c")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        ('feature = "b"', B),
        (' feature="b" ', B),
        ("not(a)", Not(A)),
        ('all(a, feature = "b",)', All((A, B))),
        ("any(a, not(c))", Any((A, Not(C)))),
        ("all()", ALWAYS),
        ("true", ALWAYS),
        ("false", Any(())),
        ('target_os = "a\\"b"', Flag("target_os", 'a\\"b')),
        ('version("1.0")', None),
        ("", None),
        ("all(a", None),
        ("a b", None),
        ("not(a, c)", Flag("not", "")),
        ("feature = b", None),
    ],
)
def test_parse(text: str, expected: Condition | None) -> None:
    assert parse(text) == expected


def test_deep_text_is_refused() -> None:
    assert parse("not(" * 5000 + "a" + ")" * 5000) is None


def test_conjunction() -> None:
    assert conjunction([]) == ALWAYS
    assert conjunction([ALWAYS, A]) == A
    assert conjunction([A & B, A]) == All((A, B))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a", "not(a)", False),
        ("a", "c", True),
        ('feature = "a"', 'feature = "b"', True),
        ('target_os = "linux"', 'target_os = "windows"', False),
        ("unix", "windows", False),
        ('target_os = "linux"', 'not(target_os = "windows")', True),
        ("any(a, c)", "not(any(a, c))", False),
        ("any(a, c)", "not(a)", True),
        ("all(a, c)", "not(all(a, c))", False),
        ("test", "not(test)", False),
        ("all()", "not(a)", True),
        ("any()", "a", False),
    ],
)
def test_can_both_hold(one: str, other: str, expected: bool) -> None:
    a, b = parse(one), parse(other)
    assert a is not None and b is not None
    assert can_both_hold(a, b) is expected
    assert can_both_hold(b, a) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("test", True),
        ("all(test, a)", True),
        ("any(test, a)", False),
        ("not(test)", False),
        ("any(all(test, a), all(test, c))", True),
        ("not(not(test))", True),
    ],
)
def test_is_test_only(text: str, expected: bool) -> None:
    condition = parse(text)
    assert condition is not None and is_test_only(condition) is expected
    assert not is_test_only(ALWAYS)


def _random_condition(rng: random.Random, depth: int) -> Condition:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([A, B, C])
    parts = tuple(_random_condition(rng, depth - 1) for _ in range(rng.randint(0, 3)))
    return rng.choice([All(parts), Any(parts), Not(_random_condition(rng, depth - 1))])


@pytest.mark.parametrize("seed", range(200))
def test_satisfiable_agrees_with_the_truth_table(seed: int) -> None:
    rng = random.Random(seed)
    one, other = _random_condition(rng, 4), _random_condition(rng, 4)
    builds = [
        dict(zip((A, B, C), values, strict=True)) for values in itertools.product([True, False], repeat=3)
    ]
    assert satisfiable(one) is any(one.holds(build.get) for build in builds)
    both = any(one.holds(build.get) and other.holds(build.get) for build in builds)
    assert can_both_hold(one, other) is both
    implied = all(other.holds(build.get) for build in builds if one.holds(build.get))
    assert implies(one, other) is implied


def test_holds_with_what_is_known() -> None:
    known = {A: True, B: False}
    assert All((A, B)).holds(known.get) is False
    assert All((A, C)).holds(known.get) is None
    assert Any((C, A)).holds(known.get) is True
    assert Not(C).holds(known.get) is None
    assert Not(B).holds(known.get) is True


def test_a_search_that_gives_up_says_possible() -> None:
    def contradiction(pairs: int) -> Condition:
        each = tuple(Any((Flag("feature", f"{n}a"), Flag("feature", f"{n}b"))) for n in range(pairs))
        return conjunction([*each, Not(All(each))])

    assert not satisfiable(contradiction(3))
    assert satisfiable(contradiction(12))
