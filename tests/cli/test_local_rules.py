"""Rules of a team: written by `new-rule`, run by `check`, listed, explained, tested."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

RULE = '''"""A `todo!()` in code with tensors.

## Why
We ship no holes.

## Fires
    todo!()

## Clean
    0

## Known gaps
None.

## References
Ours.
"""

from burnlint import FileView, Finding, Rule

RULE = Rule("{code}", "todo-left", symptom="panic", severity="warning", confidence="high", listens=("todo",))


def check(file: FileView):
    for call in file.calls("todo_of_ours"):
        yield Finding(call.place, "a hole")
'''


def burnlint(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "burnlint", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def team(tmp_path: Path) -> Path:
    folder = tmp_path / "lint"
    (folder / "fixtures" / "todo-left").mkdir(parents=True)
    (folder / "todo_left.py").write_text(
        RULE.format(code="TEAM001").replace('("todo",)', '("todo_of_ours",)')
    )
    (folder / "fixtures" / "todo-left" / "fires.rs").write_text(
        "use burn::tensor::Tensor;\nfn f(x: Tensor<2>) { todo_of_ours(x) } //~ todo-left: hole\n"
    )
    (folder / "fixtures" / "todo-left" / "clean.rs").write_text("use burn::tensor::Tensor;\nfn f() {}\n")
    return tmp_path


def test_a_local_rule_is_tested_listed_explained_and_run(team: Path) -> None:
    tested = burnlint("test-rules", "lint", folder=team)
    assert (tested.returncode, tested.stdout) == (0, "1 rule, 2 fixtures, 0 problems\n"), tested.stderr
    assert "TEAM001  todo-left" in burnlint("rules", "--rules-path", "lint", folder=team).stdout
    assert "We ship no holes" in burnlint("explain", "TEAM001", "--rules-path", "lint", folder=team).stdout
    fires = "lint/fixtures/todo-left/fires.rs"
    run = burnlint(fires, "--rules-path", "lint", "--output", "concise", folder=team)
    assert "warning[TEAM001] todo-left: a hole" in run.stdout
    assert run.returncode == 1
    # Without the option the rule is unknown, and nothing of the folder runs.
    assert burnlint(fires, folder=team).returncode == 0
    assert burnlint(fires, "--select", "todo-left", folder=team).returncode == 2


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("fixtures/todo-left/fires.rs", "todo_of_ours", "other", "Missing: "),
        ("fixtures/todo-left/clean.rs", "fn f() {}", "fn f() { todo_of_ours(1) }", "Noisy: "),
        ("fixtures/todo-left/fires.rs", "hole", "pit", "Differs: "),
        ("todo_left.py", "def check", "def chekc", "has none of the functions check"),
        ("todo_left.py", '"TEAM001"', '"BL999"', "take letters of your own"),
        ("todo_left.py", "def check", "def (", "cannot be imported (SyntaxError"),
        ("todo_left.py", "call.place", "call", "is no Place: `.place` of an expression is one"),
        ("todo_left.py", "call.place", "call.plaice", "This is a bug of that rule"),
        (
            "todo_left.py",
            '"warning"',
            '"warn"',
            "cannot run (severity `warn` is none of note, warning, error)",
        ),
        ("todo_left.py", "RULE = ", "RULES = ", "lint/todo_left.py: declares no RULE"),
        (
            "todo_left.py",
            '"todo-left"',
            '"backward-twice"',
            "has the name backward-twice, which is that of BL213",
        ),
    ],
)
@pytest.mark.parametrize("spelled", ["lint", "./lint/"])
def test_what_is_wrong_is_said(team: Path, file: str, old: str, new: str, says: str, spelled: str) -> None:
    path = team / "lint" / file
    path.write_text(path.read_text().replace(old, new))
    run = burnlint("test-rules", spelled, folder=team)
    assert (run.returncode, says in run.stdout) == (1, True), run.stdout + run.stderr


def test_a_rule_beside_that_is_left_out_is_told_once(team: Path) -> None:
    (team / "lint" / "broken.py").write_text("import nothing_of_this_name\n")
    (team / "lint" / "same_code.py").write_text(RULE.format(code="TEAM001").replace("todo-left", "same-code"))
    run = burnlint("test-rules", "lint", folder=team)
    *told, counts = run.stdout.splitlines()
    assert [line.partition(": ")[0].rpartition("/")[2] for line in told] == [
        *("broken.py", "todo_left.py", "same-code")
    ]
    assert "has the code TEAM001, which is that of same-code" in told[1]
    assert (told[2], counts.rpartition(", ")[2]) == (
        "same-code: no fixture in lint/fixtures/same-code",
        "3 problems",
    )


def test_a_declaration_that_no_run_can_use_leaves_the_rule_out(team: Path) -> None:
    path = team / "lint" / "todo_left.py"
    path.write_text(path.read_text().replace('"warning"', '"warn"'))
    run = burnlint("lint/fixtures", "--rules-path", "lint", "--output", "concise", folder=team)
    assert (run.returncode, "todo_left.py cannot run (severity `warn`" in run.stdout) == (2, True)
    assert "crashed (" not in run.stdout


def test_fixes_are_compared(team: Path) -> None:
    (team / "lint" / "fixtures" / "todo-left" / "fires.fixed.rs").write_text("fn f() {}\n")
    run = burnlint("test-rules", "lint", folder=team)
    assert (run.returncode, "make something else of fires.rs" in run.stdout) == (1, True)


def test_a_broken_local_rule_makes_a_run_fail_and_hides_nothing(team: Path) -> None:
    (team / "lint" / "broken.py").write_text("import nothing_of_this_name\n")
    run = burnlint("lint/fixtures", "--rules-path", "lint", "--output", "concise", folder=team)
    assert run.returncode == 2
    assert "todo-left: a hole" in run.stdout
    assert "broken.py" in run.stdout + run.stderr


def test_a_new_local_rule_fails_its_test_at_first(tmp_path: Path) -> None:
    made = burnlint("new-rule", "bad-thing", "--rules-path", "mine", folder=tmp_path)
    assert (made.returncode, made.stdout.splitlines()[0]) == (0, "wrote mine/bad_thing.py")
    run = burnlint("test-rules", "mine", folder=tmp_path)
    assert (run.returncode, "Missing: " in run.stdout) == (1, True), run.stdout
    again = burnlint("new-rule", "bad-thing", "--rules-path", "mine", folder=tmp_path)
    assert (again.returncode, "exists already" in again.stderr) == (2, True)


def test_the_next_local_rule_has_a_code_and_a_name_of_its_own(tmp_path: Path) -> None:
    for name in ("bad-thing", "worse-thing"):
        burnlint("new-rule", name, "--rules-path", "mine", folder=tmp_path)
    assert '"TEAM002", "worse-thing"' in (tmp_path / "mine" / "worse_thing.py").read_text()
    taken = burnlint("new-rule", "backward-twice", "--rules-path", "mine", folder=tmp_path)
    assert (taken.returncode, "is a rule of burnlint: choose another name" in taken.stderr) == (2, True)
    assert not (tmp_path / "mine" / "backward_twice.py").exists()
    for name, meant in (("OtherThing", "other-thing"), ("other_thing", "other-thing")):
        refused = burnlint("new-rule", name, "--rules-path", "mine", folder=tmp_path)
        assert (refused.returncode, f"as {meant}." in " ".join(refused.stderr.split())) == (2, True)


def test_the_rule_of_the_documents_works(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "adopting.md").read_text()
    (rule,) = re.findall(r"```python\n(RULE = .*?)```", text, re.DOTALL)
    (fires,) = re.findall(r"```rust\n(use burn.*?forbidden-thing.*?)```", text, re.DOTALL)
    burnlint("new-rule", "forbidden-thing", "--rules-path", "lint", folder=tmp_path)
    path = tmp_path / "lint" / "forbidden_thing.py"
    path.write_text(path.read_text().partition("RULE = ")[0] + rule)
    (tmp_path / "lint" / "fixtures" / "forbidden-thing" / "fires.rs").write_text(fires)
    run = burnlint("test-rules", "lint", folder=tmp_path)
    assert (run.returncode, run.stdout) == (0, "1 rule, 2 fixtures, 0 problems\n")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    for command in (["check", "--rules-path", "none"], ["test-rules", "none"]):
        run = burnlint(*command, folder=tmp_path)
        assert (run.returncode, "no such folder" in run.stderr) == (2, True)


def test_no_configuration_names_rules(tmp_path: Path) -> None:
    (tmp_path / "burnlint.toml").write_text('rules-path = ["evil"]\n')
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "a_b.py").write_text("raise SystemExit(7)\n")
    run = burnlint(folder=tmp_path)
    assert (run.returncode, "rules-path" in run.stderr) == (2, True)
