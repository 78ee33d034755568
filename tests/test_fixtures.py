"""Every fixture: findings exactly where its comments say (`burnlint.lint.marks`), and silence on all other
lines, for all rules.

`//@ burn = "0.21"` as first line names the burn versions to run for (default: the newest of
`fixtures/crates`). A folder with a Cargo.toml is a mini project and runs as a whole. `<name>.fixed.rs` is
what the fixes make of `<name>.rs`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import FIXTURES, codes, run

from burnlint.lint.marks import Found, Mark, differences, marks
from burnlint.lint.registry import load
from tools.fixtures import crates, rule_folder, versions

MARK_NAME = re.compile(rb"~\^*[?!]?\s*([a-z0-9-]+)")


@cache
def exact_versions() -> dict[str, str]:
    """`0.22` to `0.22.1`, the version that the fixtures are compiled with; the newest first."""
    return {crate.minor: crate.burn for crate in crates()}


def single_files() -> Iterator[tuple[Path, str]]:
    """Every fixture file that stands alone, with each burn version that it is for."""
    newest = next(iter(exact_versions()))
    for path in sorted([*FIXTURES.glob("*/*/*.rs"), *FIXTURES.glob("*/*/compile_fail/*.rs")]):
        if path.name.startswith("proof") or path.name.endswith(".fixed.rs") or "crates" in path.parts:
            continue
        for version in versions(path) or [newest]:
            yield path, version


def mini_projects() -> list[Path]:
    return sorted(
        manifest.parent
        for manifest in FIXTURES.glob("*/*/*/Cargo.toml")
        if not manifest.is_relative_to(FIXTURES / "crates")
    )


def identity(value: object) -> str:
    return value.relative_to(FIXTURES).as_posix() if isinstance(value, Path) else str(value)


def selection(path: Path) -> tuple[str, ...]:
    """All rules at every confidence. Those that contradict ordinary code by design (PyTorch's other defaults,
    the migration to a newer burn) run on the fixtures of their own group only; a pedantic one, which ordinary
    code may set off at every turn, on its own fixtures and where a comment names it."""
    own = {code.group for code in codes() if code.name in path.parts}
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    named = {word for file in files for word in MARK_NAME.findall(file.read_bytes())}
    left_out = [
        each.rule.name
        for each in load().rules
        if each.rule.group in {"parity", "migration"} - own
        or (
            each.rule.group == "pedantic"
            and each.rule.name not in path.parts
            and each.rule.name.encode() not in named
        )
    ]
    return (
        "--select",
        "all",
        "--min-confidence",
        "low",
        *(("--ignore", ",".join(left_out)) if left_out else ()),
    )


def check(expected: list[Mark], found: list[Found], sources: dict[str, str]) -> None:
    """Fail with one line per difference."""
    problems = differences(expected, found, sources, {code.name for code in codes()})
    assert not problems, "\n" + "\n".join(problems)


def check_voice(document: dict[str, Any]) -> None:
    """A message and a help are one sentence on one line each: no full stop, nothing left unfilled."""
    for each in document["findings"]:
        for text in (each["message"], each["help"]):
            assert "\n" not in text and not re.search(r"(?<!\.)\.$|\{\}", text), text
        assert each["help"], each["message"]


@pytest.mark.parametrize(("path", "version"), list(single_files()), ids=identity)
def test_file(path: Path, version: str) -> None:
    text = path.read_text(encoding="utf-8")
    answer = run([path.name], folder=path.parent, burn=exact_versions()[version], options=selection(path))
    assert answer.notes == []
    check(list(marks(path.name, text)), answer.found, {path.name: text})
    check_voice(answer.document)


@pytest.mark.parametrize("project", mini_projects(), ids=identity)
def test_mini_project(project: Path) -> None:
    files = [path for path in sorted(project.rglob("*")) if path.is_file()]
    sources = {
        path.relative_to(project).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in files
    }
    answer = run(folder=project, options=selection(project))
    assert answer.notes == []
    check([mark for path, text in sources.items() for mark in marks(path, text)], answer.found, sources)


@pytest.mark.parametrize(
    "fixed",
    sorted([*FIXTURES.glob("*/*/*.fixed.rs"), *FIXTURES.glob("*/*/compile_fail/*.fixed.rs")]),
    ids=identity,
)
def test_fixed_file(fixed: Path, tmp_path: Path) -> None:
    before = fixed.with_name(fixed.name.replace(".fixed.rs", ".rs"))
    copy = tmp_path / before.name
    shutil.copyfile(before, copy)
    version = exact_versions()[(versions(before) or [next(iter(exact_versions()))])[0]]
    run(
        [copy.name],
        folder=tmp_path,
        burn=version,
        options=("--select", rule_folder(fixed).name, "--fix", "--unsafe-fixes"),
    )
    assert copy.read_text(encoding="utf-8") == fixed.read_text(encoding="utf-8")
    unfixed, after = (
        run([path.name], folder=path.parent, burn=version, options=selection(fixed))
        for path in (before, fixed)
    )
    assert after.notes == []
    # Where the rule stood before another at one place, that one is shown now.
    [hidden] = [each.rule.supersedes for each in load().rules if each.rule.name == rule_folder(fixed).name]
    assert {each.name for each in after.found} <= {each.name for each in unfixed.found} | set(hidden)


def test_every_crate_has_fixtures() -> None:
    assert {version for _, version in single_files()} == set(exact_versions())


class TestTheRunner:
    """The runner itself can fail."""

    SOURCE = "let a = 1; //~ int-sum-wraps: `a`\nlet b = 2;\n"

    @staticmethod
    def finding(line: int, name: str = "int-sum-wraps", message: str = "`a` wraps") -> Found:
        return Found("x.rs", line, name, message, "warning", "high", False)

    def problems(self, source: str, *found: Found) -> str:
        try:
            check(list(marks("x.rs", source)), list(found), {"x.rs": source})
        except AssertionError as error:
            return str(error)
        return ""

    def test_what_agrees_passes(self) -> None:
        assert self.problems(self.SOURCE, self.finding(1)) == ""
        assert (
            self.problems(
                "a //~ int-sum-wraps (warning, high) //~ int-mean-truncates\n",
                self.finding(1),
                self.finding(1, "int-mean-truncates"),
            )
            == ""
        )
        assert self.problems("a\n//~^ int-sum-wraps\n", self.finding(1)) == ""
        assert self.problems("a\n\n//~^^ int-sum-wraps\n", self.finding(1)) == ""
        assert self.problems("key = 1 #~ int-sum-wraps\n", self.finding(1)) == ""

    def test_missing(self) -> None:
        assert "Missing: x.rs:1: int-sum-wraps: `a`" in self.problems(self.SOURCE)

    def test_noisy(self) -> None:
        assert "Noisy: x.rs:2: int-sum-wraps" in self.problems(self.SOURCE, self.finding(1), self.finding(2))
        assert "Noisy: x.rs:1:" in self.problems(
            self.SOURCE, self.finding(1), self.finding(1, "int-mean-truncates")
        )

    def test_two_findings_of_one_rule_on_a_line_need_two_comments(self) -> None:
        assert "Noisy" in self.problems(self.SOURCE, self.finding(1), self.finding(1))
        assert (
            self.problems("a //~ int-sum-wraps //~ int-sum-wraps\n", self.finding(1), self.finding(1)) == ""
        )

    def test_words_and_levels_differ(self) -> None:
        assert "Differs" in self.problems(self.SOURCE, self.finding(1, message="`c` wraps"))
        assert "Differs" in self.problems("a //~ int-sum-wraps (medium)\n", self.finding(1))

    def test_known_miss_that_is_found(self) -> None:
        assert self.problems("a //~? int-sum-wraps\n") == ""
        assert "no miss any more" in self.problems("a //~? int-sum-wraps\n", self.finding(1))

    def test_known_false_alarm_that_is_gone(self) -> None:
        assert self.problems("a //~! int-sum-wraps\n", self.finding(1)) == ""
        assert "no false alarm any more" in self.problems("a //~! int-sum-wraps\n")

    def test_a_name_that_is_no_rule(self) -> None:
        assert "Unknown" in self.problems("a //~ int-sum-warps\n")
