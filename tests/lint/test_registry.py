"""Discovery, and what is wrong with declarations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_project import registry, rule, word_rule

from burnlint.lint.registry import build, discover, load, problems

GOOD = '''"""A page."""
from burnlint.lint.rule import Rule
RULE = Rule({args}, symptom="silent", severity="error", confidence="high")
def check(file):
    return []
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An importable package `rules_found_here`."""
    folder = tmp_path / "rules_found_here"
    (folder / "tensor").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "tensor" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [each for each in sys.modules if each.startswith("rules_found_here")]:
        del sys.modules[name]


def test_rules_are_found_by_their_folder_and_broken_ones_do_not_take_others_along(package: Path) -> None:
    (package / "tensor" / "mask_order.py").write_text(GOOD.format(args='"BL101", "mask-order"'))
    (package / "tensor" / "_shared.py").write_text("raise RuntimeError('no rule')")
    (package / "tensor" / "no_rule.py").write_text("x = 1")
    (package / "tensor" / "syntax.py").write_text("def (")
    (package / "tensor" / "again.py").write_text(GOOD.format(args='"BL101", "other-name"'))
    rules, broken = discover("rules_found_here")
    made = build(rules, broken)
    # `again.py` sorts first, so it is the one that keeps the code.
    assert [(each.rule.name, each.topic, each.page) for each in made.rules] == [
        ("other-name", "tensor", "A page.")
    ]
    assert sorted((each.module.rpartition(".")[2], each.why.split(" (")[0]) for each in made.broken) == [
        ("mask_order", "has the code BL101, which is that of other-name"),
        ("no_rule", "declares no RULE"),
        ("syntax", "cannot be imported"),
    ]


def test_a_rule_is_found_by_name_code_and_alias() -> None:
    made = registry(word_rule("BL101", "mask-order", "x", aliases=("mask-older",)))
    assert {made.find(word) for word in ("mask-order", "BL101", "bl101", "mask-older")} == {
        made.own("mask-order")
    }
    assert made.find("mask") is None


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ({"code": "BL1"}, "code `BL1` does not have the form"),
        ({"name": "Mask_Order"}, "name `Mask_Order` does not have the form"),
        ({"symptom": "quiet"}, "symptom `quiet` is none of"),
        ({"severity": "fatal"}, "severity `fatal` is none of"),
        ({"confidence": "sure"}, "confidence `sure` is none of"),
        ({"group": "mine"}, "group `mine` is none of"),
        ({"pitfalls": ("5",)}, "pitfalls `5` does not have the form"),
        ({"listens": ("a.b",)}, "listens `a.b` does not have the form"),
        ({"burn": "0.22"}, "burn: `0.22` is no range of versions"),
        ({"proven": ("latest",)}, "proven: `latest` is no version"),
        ({"messages": ("(",)}, "messages: "),
        ({"supersedes": ("nothing-known",)}, "supersedes `nothing-known`, which is no other rule"),
        ({"aliases": ("unused-ignore",)}, "`unused-ignore` is a name of"),
        ({"checks": {}}, "has none of the functions check, "),
        ({"page": " "}, "has no docstring"),
    ],
)
def test_a_wrong_declaration_is_told(declared: dict[str, object], problem: str) -> None:
    options = {"code": "BL101", "name": "mask-order", "checks": {"check": lambda file: []}, **declared}
    assert any(problem in each for each in problems(registry(rule(**options))))  # type: ignore[arg-type]


def test_a_right_declaration_is_left_alone() -> None:
    assert problems(registry(word_rule("BL101", "mask-order", "x"))) == []


def test_the_rules_of_this_installation_are_declared_rightly() -> None:
    assert problems(load()) == []
