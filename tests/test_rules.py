"""What holds for every rule, whatever it looks for."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import FIXTURES, ROOT, Run, codes, run
from test_fixtures import exact_versions, marks, mini_projects, selection, single_files

from burnlint.lint import registry
from burnlint.lint.page import HEADINGS, page_of
from burnlint.lint.ranges import holds
from burnlint.lint.rule import LoadedRule
from tools import proofs
from tools.fixtures import COMPILE_FAIL, page_examples, rule_folder, version_of

RULES = [rule for rule in registry.load().rules if rule.topic != registry.OWN_TOPIC]
KNOWN = list(exact_versions().values())
PROOFS = proofs.read()
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.rule.name)


def folder_of(rule: LoadedRule) -> Path:
    return FIXTURES / rule.topic / rule.rule.name


def test_declarations_are_right() -> None:
    assert registry.problems(registry.load()) == []


def test_the_list_of_permanent_codes_repeats_nothing() -> None:
    rows = codes()
    assert len({row.code for row in rows}) == len({row.name for row in rows}) == len(rows) > 0
    assert [row.code for row in rows] == sorted(row.code for row in rows)


@pytest.mark.parametrize("rule", registry.load().rules, ids=lambda rule: rule.rule.name)
def test_messages_are_regular_expressions(rule: LoadedRule) -> None:
    for message in rule.rule.messages:
        re.compile(message)


@pytest.mark.parametrize("rule", registry.load().rules, ids=lambda rule: rule.rule.name)
def test_declaration_and_list_agree(rule: LoadedRule) -> None:
    row = {row.code: row for row in codes()}[rule.rule.code]
    declared = rule.rule
    assert row.name == declared.name
    assert row.topic == rule.topic
    if rule.topic == registry.OWN_TOPIC:
        return
    assert row.pitfalls == declared.pitfalls
    assert row.group == declared.group
    assert (row.symptom, row.severity, row.confidence) == (
        declared.symptom,
        declared.severity,
        declared.confidence,
    )


@every_rule
def test_file_and_folder_bear_the_name(rule: LoadedRule) -> None:
    assert rule.module.__file__ == str(ROOT / "rules" / rule.topic / f"{rule.rule.name.replace('-', '_')}.py")
    assert folder_of(rule).is_dir(), f"fixtures/{rule.topic}/{rule.rule.name}/ is missing"


def test_every_fixture_folder_belongs_to_a_rule_of_the_list() -> None:
    known = {(row.topic, row.name) for row in codes()}
    folders = {(path.parent.name, path.name) for path in FIXTURES.glob("*/*") if path.is_dir()}
    beside = {("migration", "programs")}
    assert {each for each in folders if each[0] != "crates"} - beside <= known


@every_rule
def test_page_has_its_headings_in_order(rule: LoadedRule) -> None:
    headings = [section.heading for section in page_of(rule).sections]
    assert headings == [each for each in HEADINGS if each in headings], headings
    assert set(HEADINGS) - set(headings) <= {"PyTorch"}, headings


@every_rule
def test_page_names_files_that_exist(rule: LoadedRule) -> None:
    named = re.findall(r"\bfixtures/[\w./-]*\w", rule.page)
    assert [each for each in named if not (ROOT / each).exists()] == []


def cases(rule: LoadedRule, kind: str) -> Iterator[tuple[str, str]]:
    """(path, text) of the fixture files of a kind: `fires` or `clean`, single or in mini projects."""
    for path in sorted(folder_of(rule).rglob("*")):
        first = path.relative_to(folder_of(rule)).parts[0]
        first = "fires" if first == COMPILE_FAIL else first
        if path.is_file() and first.startswith(kind) and not path.name.endswith(".fixed.rs"):
            yield (
                path.relative_to(folder_of(rule)).as_posix(),
                path.read_text(encoding="utf-8", errors="replace"),
            )


@every_rule
def test_two_cases_fire_and_three_are_clean(rule: LoadedRule) -> None:
    fires = [
        mark
        for path, text in cases(rule, "fires")
        for mark in marks(path, text)
        if mark.name == rule.rule.name and not mark.known
    ]
    assert len(fires) >= 2
    functions = sum(
        len(re.findall(r"^\s*(?:pub )?(?:async )?fn ", text, re.M))
        for path, text in cases(rule, "clean")
        if path.endswith(".rs") and "/" not in path
    )
    documents = len(
        {
            path.partition("/")[0]
            for path, _ in cases(rule, "clean")
            if "/" in path or not path.endswith(".rs")
        }
    )
    assert functions + documents >= 3


@every_rule
def test_every_fixture_of_the_rule_finds_it_alone_as_with_all(rule: LoadedRule) -> None:
    """Selecting one rule changes nothing about it."""
    for path, version in single_files():
        if rule_folder(path) == folder_of(rule):
            answers = [
                run([path.name], folder=path.parent, burn=exact_versions()[version], options=options).found
                for options in (selection(path), ("--select", rule.rule.name, "--min-confidence", "low"))
            ]
            together, alone = ([each for each in found if each.name == rule.rule.name] for found in answers)
            assert together == alone


def lint_example(rule: LoadedRule, code: str, folder: Path) -> Run:
    """An example as a project of its own: a Cargo.toml is written unless it is the example, and a file for
    each comment like `// name.json: content`. An example of a side file, of a build script or of a program begins
    with a comment that names it. `// Cargo.toml: burn = ..` is a dependency of an example in Rust."""
    (folder / "src").mkdir()
    for name, content in re.findall(r"^\s*// (\w+\.(?:json|rs|safetensors)): (.*)$", code, re.M):
        head = struct.pack("<Q", len(content)) if name.endswith(".safetensors") else b""
        (folder / name).write_bytes(head + content.encode())
    language = page_of(rule).language
    package = '[package]\nname = "example"\nversion = "0.1.0"\nedition = "2024"\n'
    manifest = f'{package}\n[dependencies]\nburn = "={version_of(rule, KNOWN)}"\n'
    if language == "rust":
        entries = re.findall(r"^\s*// Cargo\.toml: (.*)$", code, re.M)
        named = re.match(r"// ((?:src/)?\w+\.rs)\n", code)
        if named is None or named[1] == "build.rs":
            (folder / "src/lib.rs").write_text("")
        (folder / (named[1] if named is not None else "src/lib.rs")).write_text(code)
        written = "\n".join([package, "[dependencies]", *entries, ""])
        (folder / "Cargo.toml").write_text(written if entries else manifest)
    elif language == "toml":
        whole = "[package]" in code or "[workspace]" in code
        (folder / "Cargo.toml").write_text(code if whole else f"{package}\n{code}\n")
        (folder / "src/main.rs").write_text("fn main() {}\n")
    else:
        named = re.match(r"(?:#|//) (\S+)\n", code)
        assert named is not None, "the first line of an example of a side file names it: `# cubecl.toml`"
        (folder / named[1]).parent.mkdir(parents=True, exist_ok=True)
        (folder / named[1]).write_text(code + "\n")
        # A program with a back end, so that nothing else is to be said of it.
        pinned = f'burn = {{ version = "={version_of(rule, KNOWN)}", features = ["wgpu"] }}\n'
        (folder / "Cargo.toml").write_text(f"{package}\n[dependencies]\n{pinned}")
        (folder / "src/main.rs").write_text("fn main() {}\n")
    return run(folder=folder, options=selection(folder_of(rule)))


@every_rule
def test_examples_that_fire(rule: LoadedRule, tmp_path: Path) -> None:
    examples = page_examples(rule, "Fires")
    assert examples
    for number, code in enumerate(examples):
        (tmp_path / str(number)).mkdir()
        answer = lint_example(rule, code, tmp_path / str(number))
        assert answer.notes == []
        assert {each.name for each in answer.found} == {rule.rule.name}, code


@every_rule
def test_examples_that_are_clean(rule: LoadedRule, tmp_path: Path) -> None:
    examples = page_examples(rule, "Clean")
    assert examples
    for number, code in enumerate(examples):
        (tmp_path / str(number)).mkdir()
        answer = lint_example(rule, code, tmp_path / str(number))
        assert answer.notes == []
        assert answer.found == [], code


def copied(folder: Path, to: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            (to / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
            (to / path.relative_to(folder)).write_bytes(path.read_bytes())


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def fix_twice(rule: LoadedRule, folder: Path, names: list[str], burn: str | None) -> bool:
    """Fix everything that the rule finds: the files parse, differ, hold nothing fixable, and stay so then. Whether
    there was something to fix."""
    only = ("--select", rule.rule.name, "--min-confidence", "low")
    fixing = (*only, "--fix", "--unsafe-fixes")
    before, found = contents(folder), run(names, folder=folder, burn=burn, options=only).found
    if not any(each.fixable for each in found):
        return False
    run(names, folder=folder, burn=burn, options=fixing)
    after, answer = contents(folder), run(names, folder=folder, burn=burn, options=only)
    assert before != after
    assert answer.notes == []
    assert [each for each in answer.found if each.fixable] == []
    assert len(answer.found) == sum(not each.fixable for each in found)
    run(names, folder=folder, burn=burn, options=fixing)
    assert contents(folder) == after
    return True


@every_rule
def test_fixes_come_to_an_end(rule: LoadedRule, tmp_path: Path) -> None:
    copied(folder_of(rule), tmp_path)
    fixed = False
    for path, version in single_files():
        if rule_folder(path) == folder_of(rule):
            name = path.relative_to(folder_of(rule)).as_posix()
            fixed |= fix_twice(rule, tmp_path, [name], exact_versions()[version])
    # What it writes is compiled. Those of a migration are, in whole programs: fixtures/migration/programs.
    assert not fixed or rule.topic == "migration" or list(folder_of(rule).rglob("*.fixed.rs"))
    for project in mini_projects():
        if project.parent == folder_of(rule):
            fix_twice(rule, tmp_path / project.name, ["."], None)


@every_rule
def test_a_rule_that_raises_takes_no_other_with_it(rule: LoadedRule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other rule's findings stay, one note names the broken rule, and the exit code is 2."""

    def broken(_: Any) -> Any:
        raise RuntimeError("broken on purpose")

    whole = registry.load()
    changed = {entry: broken for entry in registry.ENTRY_POINTS if getattr(rule, entry)}
    patched = registry.Registry(
        tuple(replace(each, **changed) if each is rule else each for each in whole.rules), whole.broken
    )
    burn = version_of(rule, KNOWN)
    other = next(each for each in RULES if each is not rule and each.check and holds(each.rule.burn, (burn,)))
    folders = (folder_of(rule), folder_of(other))
    files = [
        str(path)
        for path, _ in single_files()
        if rule_folder(path) in folders and path.name.startswith("fires")
    ]
    files += [str(path) for path in mini_projects() if path.parent == folder_of(rule)]
    expected = run(files, burn=burn, options=("--select", "all"))
    monkeypatch.setattr(registry, "load", lambda: patched)
    answer = run(files, burn=burn, options=("--select", "all", "--no-cache"))
    assert {note["kind"] for note in answer.notes} == {"rule-crashed"}
    assert all(rule.rule.name in note["message"] for note in answer.notes)
    assert answer.exit_code == 2
    # What the broken rule says more about is shown again.
    left = [each for each in answer.found if each in expected.found or each.name not in rule.rule.supersedes]
    assert left == [each for each in expected.found if each.name != rule.rule.name]
    assert {each.name for each in expected.found} - {rule.rule.name}


@pytest.mark.parametrize(
    "rule",
    [each for each in RULES if each.rule.group == "migration" and each.check],
    ids=lambda r: r.rule.name,
)
def test_a_migration_rule_is_silent_about_a_pre_release(rule: LoadedRule, tmp_path: Path) -> None:
    """burn's main branch bore the number of one pre-release with the old API and with the new one."""
    found = []
    for number, (path, version) in enumerate(single_files()):
        if rule_folder(path) == folder_of(rule):
            for burn in (exact_versions()[version], "0.22.0-pre.1"):
                package = tmp_path / f"{number}-{burn}"
                (package / "src").mkdir(parents=True)
                (package / "src/lib.rs").write_bytes(path.read_bytes())
                (package / "Cargo.toml").write_text(
                    f'[package]\nname = "it"\nversion = "0.1.0"\n\n[dependencies]\nburn = "={burn}"\n'
                )
                answer = run(folder=package, options=("--select", rule.rule.name)).found
                found += [burn] if answer else []
    assert found
    assert "0.22.0-pre.1" not in found


@pytest.mark.parametrize(
    "loaded",
    [r for r in registry.load().rules if r.topic not in ("engine", "cargo") and not r.check_manifest],
    ids=lambda r: r.rule.name,
)
def test_a_version_counts_as_proven_only_with_a_proof(loaded: LoadedRule) -> None:
    """A proof or a file that rustc refuses, of the rule's own folder or of one that its page names: one that
    tools.fixtures runs on that version, or one that tools.proofs saw hold on it, and none that it saw fail."""
    own = [str(path) for path in (FIXTURES / loaded.topic / loaded.rule.name).rglob("*.rs")]
    programs = [
        name
        for name in [
            *own,
            *(str(ROOT / each) for each in re.findall(r"fixtures/\S+/proof\w*\.rs", loaded.page)),
        ]
        if "proof" in name.rpartition("/")[2] or "compile_fail" in name
    ]
    for version in loaded.rule.proven:
        if version in KNOWN:
            # `proof_021.rs` is one on 0.21; one on the newest bears no number.
            minor = "".join(version.split(".")[:2])
            number = "" if KNOWN[0] == version else minor
            seen = [
                name
                for name in programs
                if "".join(re.findall(r"0\d\d", name.rpartition("/")[2])[:1]) == number
                and (not proofs.is_apart(Path(name)) or proofs.holds_on(Path(name), version, PROOFS))
            ]
        else:
            results = {name: PROOFS.get((proofs.name_of(Path(name)), version)) for name in programs}
            seen = [name for name in programs if proofs.holds_on(Path(name), version, PROOFS)]
            assert not [name for name, result in results.items() if result and result[1] == proofs.FAILS]
        assert seen, (
            f"{loaded.rule.name} says it was run on {version}: there is no proof: write one, or say `proven=()`"
        )


def older_files(rule: LoadedRule) -> list[str]:
    """The files of wrong code for burn 0.21."""
    return [
        str(path)
        for path, minor in single_files()
        if rule_folder(path) == folder_of(rule)
        and path.name.startswith("fires")
        and exact_versions()[minor] == KNOWN[-1]
    ]


@pytest.mark.parametrize(
    "rule",
    [each for each in RULES if {*each.rule.proven[:1]} - {*KNOWN} and older_files(each)],
    ids=lambda rule: rule.rule.name,
)
def test_what_is_proven_on_an_older_release_is_found_there(rule: LoadedRule) -> None:
    """They have on the oldest proven release the findings that they have on 0.21."""
    then, now = (
        [
            (each.path, each.line, each.confidence)
            for each in run(older_files(rule), burn=burn, options=("--select", rule.rule.name)).found
        ]
        for burn in (rule.rule.proven[0], KNOWN[-1])
    )
    assert then == now != []


def test_every_result_is_of_a_program_as_it_is_now() -> None:
    """After a change of a program `python -m tools.proofs` runs it again."""
    assert PROOFS
    changed = [
        name
        for (name, _), (hash_, _) in PROOFS.items()
        if not (FIXTURES / name).is_file() or proofs.digest(FIXTURES / name) != hash_
    ]
    assert changed == []
