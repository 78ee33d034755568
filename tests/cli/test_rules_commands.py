"""`burnlint rules`, `explain`, `new-rule`, `--help`, `--version`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from burnlint import __version__
from burnlint.cli import COMMANDS
from burnlint.cli.check import command
from burnlint.cli.rules import _for_people
from burnlint.lint.registry import load


def test_version(burnlint: Any) -> None:
    assert burnlint("--version").out.strip() == f"burnlint, version {__version__}"


@pytest.mark.parametrize(
    "words", [[], *([each] for each in COMMANDS), ["baseline", "write"], ["config", "init"]]
)
def test_every_command_has_help(words: list[str], burnlint: Any) -> None:
    run = burnlint(*words, "--help")
    assert run.code == 0
    assert "Usage: burnlint" in run.out
    assert len(run.out.splitlines()) > 4


@pytest.mark.parametrize(("word", "meant"), [("sever", "server"), ("rule", "rules"), ("expalin", "explain")])
def test_a_misspelled_command_is_no_path(word: str, meant: str, burnlint: Any, project: Path) -> None:
    run = burnlint(word)
    assert (run.code, f"did you mean '{meant}'?" in run.err) == (2, True)
    (project / word).mkdir()
    assert burnlint(word).code == 0


@pytest.mark.parametrize(("word", "meant"), [("help", "--help"), ("lint", "check"), ("lsp", "server")])
def test_a_command_of_other_tools_is_no_path(word: str, meant: str, burnlint: Any, project: Path) -> None:
    run = burnlint(word)
    assert (run.code, f"did you mean '{meant}'?" in run.err) == (2, True)
    (project / word).mkdir()
    assert burnlint(word).code == 0


def test_help_of_check_has_every_option_in_a_section(burnlint: Any) -> None:
    out = burnlint("check", "--help").out
    above, _, rest = out.partition("\nOptions:\n")
    assert rest.split() == ["-h,", "--help", "Show", "this", "message", "and", "exit."]
    options = [option for param in command.params for option in param.opts if option.startswith("--")]
    assert len(options) > 30
    assert [
        option for option in options if above.count(f"  {option} ") + above.count(f"  {option}\n") != 1
    ] == []


def test_help_lists_the_commands(burnlint: Any) -> None:
    out = burnlint("-h").out
    assert all(f"  {name} " in out for name in COMMANDS)


def test_rules_are_listed(burnlint: Any) -> None:
    lines = burnlint("rules").out.splitlines()
    assert [line.split()[:2] for line in lines if line.startswith("BL1")] == [
        ["BL101", "first-rule"],
        ["BL102", "second-rule"],
        ["BL103", "noted-rule"],
    ]
    assert [
        line.split()[1] for line in burnlint("rules", "--select", "P5,group:parity").out.splitlines()
    ] == [
        "first-rule",
        "third-rule",
    ]
    assert "did you mean `first-rule`?\n" in burnlint("rules", "--select", "first-ruel").err


def test_rules_on_a_terminal_are_no_wider_than_it() -> None:
    rules = load().rules
    lines = _for_people([*rules], 60, colour=False).splitlines()
    heads = [line.split()[:2] for line in lines if not line.startswith(" ")]
    assert heads == [[each.rule.code, each.rule.name] for each in rules]
    assert all(len(line) <= 60 for line in lines if line.startswith(" "))
    assert "\x1b[" in _for_people([*rules], 60, colour=True)


def test_rules_as_json(burnlint: Any) -> None:
    document = json.loads(burnlint("rules", "--output", "json", "--select", "BL101").out)
    (rule,) = document["rules"]
    assert document["version"] == 1
    assert (rule["code"], rule["name"], rule["topic"], rule["pitfalls"]) == (
        "BL101",
        "first-rule",
        "tensor",
        ["P5"],
    )


@pytest.mark.parametrize("word", ["unused-ignore", "BL004", "bl004"])
def test_a_page_is_shown_by_name_and_code(word: str, burnlint: Any) -> None:
    out = burnlint("explain", word).out
    assert "unused-ignore (BL004)" in out
    assert "A suppression comment suppresses nothing any more." in out
    assert "\x1b" not in out
    assert burnlint("explain", word, "--markdown").out.startswith("# unused-ignore\n")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("unused-ignor", "Did you mean unused-ignore?"),
        ("qqq", "`burnlint rules` lists them."),
        ("P5", "`burnlint rules --select P5` lists those"),
        ("symptom:silent", "`burnlint rules --select symptom:silent` lists those"),
    ],
)
def test_an_unknown_rule_has_no_page(word: str, hint: str, burnlint: Any) -> None:
    run = burnlint("explain", word)
    assert (run.code, hint in run.err) == (2, True)


@pytest.mark.parametrize("line", [0, 3, 999])
def test_a_line_that_a_file_does_not_have(line: int, burnlint: Any, project: Path) -> None:
    (project / "a.rs").write_text("foo;\n")
    run = burnlint("explain", "unused-ignore", "--at", f"a.rs:{line}")
    assert (run.code, "the file has the lines 1 to 2." in run.err) == (2, True)


@pytest.fixture
def checkout(project: Path) -> Path:
    (project / "rules" / "tensor").mkdir(parents=True)
    (project / "fixtures").mkdir()
    columns = ("code", "name", "topic", "pitfalls", "group", "symptom", "severity", "confidence")
    rows = (
        columns,
        ("BL001", "parse-error", "engine", "-", "engine", "diagnosis", "note", "high"),
        ("BL101", "mask-order", "tensor", "P8", "default", "silent", "warning", "high"),
        ("BL102", "other-one", "tensor", "P5 P6", "default", "panic", "error", "high"),
        ("BL201", "third-one", "autodiff", "-", "default", "panic", "error", "high"),
    )
    (project / "rules" / "codes.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    return project


def test_new_rule_writes_both_places_with_the_code_of_the_list(burnlint: Any, checkout: Path) -> None:
    run = burnlint("new-rule", "mask-order")
    assert run.code == 0, run.err
    source = (checkout / "rules/tensor/mask_order.py").read_text()
    assert 'Rule("BL101", "mask-order"' in source
    compile(source, "mask_order.py", "exec")
    assert "//~ mask-order" in (checkout / "fixtures/tensor/mask-order/fires.rs").read_text()
    assert "//~" not in (checkout / "fixtures/tensor/mask-order/clean.rs").read_text()
    again = burnlint("new-rule", "mask-order")
    assert (again.code, "exists already; nothing was written" in again.err) == (2, True)


def test_new_rule_gives_an_unlisted_rule_the_next_free_code(burnlint: Any, checkout: Path) -> None:
    assert burnlint("new-rule", "brand-new", "--topic", "tensor").code == 0
    *_, row, last = (checkout / "rules/codes.tsv").read_text().splitlines()
    assert last.startswith("BL201")
    assert row.split("\t") == ["BL103", "brand-new", "tensor", "-", "default", "silent", "warning", "medium"]
    declared = (checkout / "rules/tensor/brand_new.py").read_text()
    assert 'symptom="silent", severity="warning", confidence="medium"' in declared


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["Mask_Order"], "is no name of a rule"),
        (["../../etc-x"], "is no name of a rule"),
        (["brand-new"], "say --topic, one of autodiff, tensor"),
        (["brand-new", "--topic", "nothing"], "say --topic, one of autodiff, tensor"),
        (["mask-order", "--topic", "cargo"], "belongs to the topic tensor"),
    ],
)
def test_new_rule_refuses_what_it_cannot_do(
    command: list[str], words: str, burnlint: Any, checkout: Path
) -> None:
    run = burnlint("new-rule", *command)
    assert run.code == 2
    assert words in " ".join(run.err.split())


def test_new_rule_needs_a_checkout(burnlint: Any) -> None:
    assert "this is no checkout of burnlint" in burnlint("new-rule", "mask-order").err


HEAVY = {
    *(
        "sarif_om",
        "attr",
        "tomlkit",
        "tree_sitter",
        "multiprocessing",
        "asyncio",
        "subprocess",
        "difflib",
        "csv",
    ),
    *(
        "tempfile",
        "tomllib",
        "traceback",
        "json",
        "dataclasses",
        "burnlint.lint",
        "burnlint.report",
        "burnlint.rules",
    ),
}


@pytest.mark.parametrize("command", ["--version", "--help"])
def test_starting_up_imports_nothing_heavy(command: str) -> None:
    code = (
        f"import sys; from burnlint.cli import run; run([{command!r}]); print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(run.stderr.split())


@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("burnlint ex", ["file,ex", "plain,explain"]),
        ("burnlint --unsafe", ["plain,--unsafe-fixes"]),
        ("burnlint check --unsafe", ["plain,--unsafe-fixes"]),
        ("burnlint explain unused-", ["plain,unused-ignore"]),
        ("burnlint --select all,group:ped", ["plain,all,group:pedantic"]),
        ("burnlint --output mark", ["plain,markdown"]),
        ("burnlint src/ma", ["file,src/ma"]),
        ("burnlint explain --at src/ma", ["file,src/ma"]),
        # As bash takes words apart, before the cursor and after a blank.
        ("burnlint --select topic : auto", ["plain,autodiff"]),
        ("burnlint --select = symptom : pan", ["plain,panic"]),
        (
            "burnlint --select P5,group :",
            ["plain,default", "plain,migration", "plain,parity", "plain,pedantic"],
        ),
        ("burnlint --min-confidence =", ["plain,low", "plain,medium", "plain,high"]),
        ("burnlint --output sarif : out", ["file,out"]),
        ("burnlint --output sarif : ", ["file,"]),
    ],
)
def test_the_shell_completes(line: str, proposed: list[str]) -> None:
    asked = {"_BURNLINT_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    run = subprocess.run(
        [Path(sys.executable).with_name("burnlint")],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
    )
    assert run.stdout.splitlines() == proposed
