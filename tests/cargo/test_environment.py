"""Environment variables that files of a project set."""

from __future__ import annotations

import pytest

from burnlint.cargo.environment import settings
from burnlint.text import Text


def found(form: str, content: str) -> list[tuple[str, str]]:
    text = Text("/x", content.encode())
    made = list(settings(text, form))
    for each in made:
        assert each.value in text.decode(*each.span)
        assert text.decode(*each.entry).startswith(each.name)
    return [(each.name, each.value) for each in made]


@pytest.mark.parametrize(
    ("form", "content", "expected"),
    [
        ("toml", '[env]\nA = "1"\nB = { value = "2", force = true }\nC = 3\n', [("A", "1"), ("B", "2")]),
        ("toml", '[env.A]\nvalue = "1"\n', [("A", "1")]),
        ("toml", '[build]\nenv = "1"\n', []),
        ("toml", "[env\n", []),
        ("dotenv", "A=1\nexport B='two words'\n# C=3\nD=${A}\nE=\n", [("A", "1"), ("B", "two words")]),
        (
            "shell",
            'export A="x y" # why\nB=1 run\nexport C=$A\n  export D=4; run\n',
            [("A", "x y"), ("D", "4")],
        ),
        ("shell", "export A='$1'\n", [("A", "$1")]),
        ("just", 'export A := "1"\nB := "2"\n', [("A", "1")]),
        ("make", "export A = 1\nexport B := 2\nC = 3\n", [("A", "1"), ("B", "2")]),
        ("dockerfile", "ENV A=1 B='2 3' \\\n  C=\"4\"\nARG D=5\nenv E six\n# ENV F=7\n", None),
        (
            "workflow",
            "env:\n  A: 1 # why\n  'B': 2\n  C: \"three four\"\n",
            [("A", "1"), ("C", "three four")],
        ),
        ("workflow", "jobs:\n  x:\n    with:\n      A: 1\n", []),
        ("workflow", "run: |\n  env:\n    A: 1\n", []),
        ("workflow", "steps:\n  - run: |\n      cargo test\n    env:\n      A: 1\n", [("A", "1")]),
        ("workflow", "env:\n  A: >-\n    B: 1\n", []),
        ("workflow", "env: {A: 1}\n", []),
        ("workflow", "variables:\r\n  A: one\r\n", [("A", "one")]),
        ("wgsl", "A=1\n", []),
    ],
)
def test_what_is_set(form: str, content: str, expected: list[tuple[str, str]] | None) -> None:
    if expected is None:
        expected = [("A", "1"), ("B", "2 3"), ("C", "4"), ("E", "six")]
    assert found(form, content) == expected


def test_the_line_of_a_setting_that_stands_alone() -> None:
    text = Text("/x", b"FROM x\nENV A=1\nENV B=2 C=3\n")
    lines = [each.line for each in settings(text, "dockerfile")]
    assert lines == [(7, 15), None, None]
    shell = list(settings(Text("/x", b"export A=1; run\nexport B=2\n"), "shell"))
    assert [each.line for each in shell] == [None, (16, 27)]
    config = list(settings(Text("/x", b'[env]\nA = "1"\n'), "toml"))
    assert [each.line for each in config] == [(6, 14)]
