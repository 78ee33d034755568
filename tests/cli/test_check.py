"""`burnlint check`: paths, options, reports, fixes, exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from burnlint.report import FORMATS

Files = Callable[[Mapping[str, str]], None]


def found(run: Any) -> list[tuple[str, str, int]]:
    return [(each["path"], each["name"], each["line"]) for each in json.loads(run.out)["findings"]]


@pytest.mark.parametrize(
    "command", [[], ["check"], ["."], ["check", "."], ["src"], ["src/a.rs"], ["check", "src/a.rs"]]
)
def test_check_is_the_command_without_a_command(command: list[str], burnlint: Any, files: Files) -> None:
    files({"src/a.rs": "foo;\n"})
    run = burnlint(*command, "--output", "json")
    assert (run.code, found(run)) == (1, [("src/a.rs", "first-rule", 1)])


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        ("x;", [], 0),
        ("foo;", [], 1),
        ("foo;", ["--exit-zero"], 0),
        ("foo;", ["--fail-on", "error"], 0),
        ("foo;", ["--fail-on", "never"], 0),
        ("hint;", [], 0),
        ("hint;", ["--fail-on", "note"], 1),
        ("baz;", [], 0),
        ("baz;", ["--extend-select", "group:parity", "--fail-on", "error"], 1),
        ("foo;", ["--ignore", "BL101"], 0),
        ("foo; bar;", ["--select", "symptom:silent,P5", "--ignore", "first-rule,BL102"], 0),
        ("foo; // burnlint: ignore[first-rule]", [], 0),
        ("foo;", ["--min-confidence", "high"], 1),
    ],
)
def test_exit_codes(content: str, options: list[str], code: int, burnlint: Any, files: Files) -> None:
    files({"a.rs": content})
    assert burnlint(*options).code == code


def test_a_crashed_rule_is_exit_code_2_whatever_else(burnlint: Any, files: Files, monkeypatch: Any) -> None:
    from fake_project import registry, rule, word_rule

    def crash(file: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(
        "burnlint.lint.registry.load",
        lambda: registry(
            rule("BL102", "crash-here", checks={"check": crash}), word_rule("BL101", "first-rule", "foo")
        ),
    )
    files({"a.rs": "foo;"})
    run = burnlint("--exit-zero", "--output", "json")
    assert (run.code, found(run)) == (2, [("a.rs", "first-rule", 1)])
    assert "RuntimeError: on purpose" in run.out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--select", "first-ruel"], "did you mean `first-rule`?"),
        (["--ignore", "nothing"], "`nothing` selects no rule"),
        (["--output", "jsn"], "did you mean json?"),
        (["--output", "json:"], "names no file"),
        (["--output", "json", "--output", "sarif"], "two reports would go to standard output"),
        (["--output", "json:x", "--output", "sarif:./x"], "two reports would go to"),
        (["--unsafe-fixes"], "use it with --fix or --diff"),
        (["--diff", "--add-ignore", "x"], "exclude each other"),
        (["--fix", "--diff", "--add-ignore", "x"], "--fix and --add-ignore exclude each other"),
        (["--fix", "--add-ignore", "x"], "exclude each other"),
        (["--add-ignore", " "], "needs a reason"),
        (["--no-baseline", "--baseline", "x"], "exclude each other"),
        (["-"], "needs --stdin-filename"),
        (["-", "a.rs", "--stdin-filename", "a.rs"], "is linted alone"),
        (["-", "--stdin-filename", "a.txt"], "must name a Rust file"),
        (["--since", "nowhere"], "--since: "),
        (["--config", "nowhere.toml"], "cannot be read"),
        (["--baseline", "nowhere.txt"], "cannot be read"),
        (["--selekt", "x"], "No such option"),
        (["--format", "json"], "Here it is '--output'."),
        (["--output-format=json"], "Here it is '--output'."),
        (["--output", "build/out.sarif"], "did you mean sarif:build/out.sarif?"),
        (["--select", "BL101 BL102"], "several rules are parted by commas"),
        (["--burn-version", "newest"], "burn-version cannot be `newest`: write a version as 0.22.1"),
        (["--color", "blue"], "'blue' is not one of"),
        (["--output", "json:x", "--output", "sarif:y/../x"], "two reports would go to"),
        (["--add-ignore", "\udcff"], "needs a reason in UTF-8"),
    ],
)
def test_what_is_asked_wrongly_is_told_with_exit_code_2(
    options: list[str], words: str, burnlint: Any, files: Files
) -> None:
    files({"a.rs": "foo;"})
    run = burnlint(*options)
    assert (run.code, run.out) == (2, "")
    assert words in " ".join(run.err.split())
    assert "Traceback" not in run.err


@pytest.mark.skipif(os.name == "nt", reason="a long name is as any that is not there on Windows")
@pytest.mark.parametrize("options", [[], ["--rules-path"], ["--baseline"], ["--config"], ["explain", "--at"]])
def test_a_name_that_no_file_can_have(options: list[str], burnlint: Any) -> None:
    run = burnlint(*options, "a" * 300 + (":1" if "--at" in options else ""))
    assert (run.code, run.out) == (2, "")
    assert "cannot be read (File name too long)" in run.err


def test_a_path_that_is_not_there_costs_nothing_but_the_exit_code(burnlint: Any, files: Files) -> None:
    files({"a.rs": "foo;"})
    run = burnlint("a.rs", "nowhere", "--output", "json")
    assert (run.code, found(run)) == (2, [("a.rs", "first-rule", 1)])
    assert [(note["kind"], note["path"]) for note in json.loads(run.out)["notes"]] == [
        ("file-skipped", "nowhere")
    ]


@pytest.mark.parametrize("command", [["--diff"], ["suppressions"], ["baseline", "write"], ["--show-files"]])
def test_a_path_that_is_not_there_is_told_where_no_report_is_written(
    command: list[str], burnlint: Any, files: Files
) -> None:
    files({"a.rs": "foo; // burnlint: ignore[second-rule]\n"})
    run = burnlint(*command, "a.rs", "nowhere")
    assert run.code == 2
    assert "nowhere: cannot be read (No such file or directory)" in run.err


@pytest.mark.skipif(os.name == "nt", reason="a working directory cannot be removed on Windows")
def test_a_working_directory_that_is_gone(burnlint: Any, project: Path, monkeypatch: Any) -> None:
    (project / "gone").mkdir()
    monkeypatch.chdir(project / "gone")
    (project / "gone").rmdir()
    run = burnlint()
    assert (run.code, "the working directory cannot be found" in run.err) == (2, True)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written_to_its_file_in_one_run(
    form: str, burnlint: Any, files: Files, project: Path
) -> None:
    pytest.importorskip(f"burnlint.report.{form.replace('-', '_')}")
    files({"a.rs": "foo;"})
    run = burnlint("--output", f"{form}:report.out", "--output", "json")
    assert found(run) == [("a.rs", "first-rule", 1)]
    assert (project / "report.out").stat().st_size > 0


def test_a_report_that_cannot_be_written_is_told(burnlint: Any, files: Files) -> None:
    files({"a.rs": "foo;"})
    run = burnlint("--output", "json:no/such/folder/x.json")
    assert run.code == 2
    assert "cannot be written" in run.err


def test_fix_applies_the_safe_fixes_and_reports_the_rest(burnlint: Any, files: Files, project: Path) -> None:
    files({"a.rs": "foo;\r\nbar;\r\n"})
    run = burnlint("--fix", "--output", "json")
    assert (project / "a.rs").read_bytes() == b"FOO;\r\nbar;\r\n"
    assert (run.code, found(run)) == (1, [("a.rs", "second-rule", 2)])
    assert "1 fix in 1 file" in run.err
    run = burnlint("--fix", "--unsafe-fixes", "--output", "json")
    assert (project / "a.rs").read_bytes() == b"FOO;\r\nBAR;\r\n"
    assert (run.code, found(run)) == (0, [])


@pytest.mark.parametrize("content", ["foo;\nx;\nfoo;\n", "foo;", "x;\r\nfoo;\r\n", "a\rb\nfoo;\n"])
def test_diff_changes_nothing_and_git_can_apply_it(
    content: str, burnlint: Any, files: Files, project: Path
) -> None:
    files({"src/a.rs": content})
    before = (project / "src/a.rs").read_bytes()
    diffed = burnlint("--diff")
    assert diffed.code == 1
    assert (project / "src/a.rs").read_bytes() == before
    (project / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "apply", "-"], cwd=project, input=os.fsencode(diffed.out), check=True)
    assert (project / "src/a.rs").read_bytes() == before.replace(b"foo", b"FOO")
    assert (burnlint("--diff").code, burnlint("--diff").out) == (0, "")


def test_a_diff_of_what_fix_would_change_may_name_both(burnlint: Any, files: Files, project: Path) -> None:
    files({"a.rs": "foo;\n"})
    both, alone = burnlint("--fix", "--diff"), burnlint("--diff")
    assert (both.code, both.out) == (alone.code, alone.out)
    assert "+FOO;" in both.out
    assert (project / "a.rs").read_bytes() == b"foo;\n"


def test_an_empty_diff_says_so(burnlint: Any, files: Files) -> None:
    files({"a.rs": "bar;\n"})
    assert burnlint("--diff").err == "burnlint: no fix to apply; 1 with --unsafe-fixes\n"
    files({"a.rs": "x;\n"})
    assert burnlint("--diff", "--unsafe-fixes").err == "burnlint: no fix to apply\n"


def test_a_file_that_changes_meanwhile_is_left_alone(
    burnlint: Any, files: Files, project: Path, monkeypatch: Any
) -> None:
    files({"a.rs": "foo;", "b.rs": "foo;"})
    from burnlint.cli import check

    fixed = check._Check._fixed

    def and_then_somebody_saves(self: Any) -> Any:
        outcome = fixed(self)
        (project / "a.rs").write_text("mine;")
        return outcome

    monkeypatch.setattr(check._Check, "_fixed", and_then_somebody_saves)
    run = burnlint("--fix")
    assert run.code == 2
    assert "changed while burnlint looked at it" in run.err
    assert ((project / "a.rs").read_text(), (project / "b.rs").read_text()) == ("mine;", "FOO;")


def test_add_ignore_suppresses_everything_that_is_there(burnlint: Any, files: Files, project: Path) -> None:
    files({"a.rs": "fn f() {\r\n    foo; bar; foo;\r\n}\r\n", "Cargo.toml": 'x = "foo"\n'})
    run = burnlint("--add-ignore", "old code,\n to be seen to")
    assert (run.code, "4 suppressed findings in 2 files" in run.err) == (0, True)
    assert (project / "a.rs").read_bytes() == (
        b"fn f() {\r\n"
        b"    // burnlint: ignore[first-rule, second-rule] -- old code, to be seen to\r\n"
        b"    foo; bar; foo;\r\n"
        b"}\r\n"
    )
    assert (
        project / "Cargo.toml"
    ).read_text() == '# burnlint: ignore[first-rule] -- old code, to be seen to\nx = "foo"\n'
    assert burnlint().code == 0


@pytest.mark.parametrize("quote", ['"', 'r#"'])
def test_add_ignore_writes_nothing_into_a_string(
    quote: str, burnlint: Any, files: Files, project: Path
) -> None:
    content = f"fn f() {{\n    p({quote}a\n b{quote[:0:-1] or quote}, foo);\n}}\nfn g() {{\n    foo;\n}}\n"
    files({"a.rs": content})
    run = burnlint("--add-ignore", "old", "--output", "json")
    assert (run.code, found(run)) == (1, [("a.rs", "first-rule", 3)])
    assert "first-rule: not applied, its line begins inside a string" in run.err
    assert "1 suppressed finding in 1 file" in run.err
    expected = content.replace("    foo;", "    // burnlint: ignore[first-rule] -- old\n    foo;")
    assert (project / "a.rs").read_text() == expected


def test_standard_input_is_linted_as_the_file_it_stands_for(
    burnlint: Any, files: Files, monkeypatch: Any
) -> None:
    files({"src/a.rs": "x;", "src/b.rs": "foo;"})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"y;\nfoo;")))
    run = burnlint("-", "--stdin-filename", "src/a.rs", "--output", "json")
    assert (run.code, found(run)) == (1, [("src/a.rs", "first-rule", 2)])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"foo;")))
    run = burnlint("-", "--stdin-filename", "src/new.rs", "--diff")
    assert "+FOO;" in run.out


def test_show_files_lists_what_would_be_linted(burnlint: Any, files: Files) -> None:
    files(
        {
            "b.rs": "",
            "a/Cargo.toml": "",
            "target/x.rs": "",
            "Cargo.toml": "",
            "read.me": "",
            "c.rs": "",
            ".gitignore": "/c.rs\n",
        }
    )
    run = burnlint("--show-files")
    assert (run.code, run.out.split()) == (0, ["Cargo.toml", "a/Cargo.toml", "b.rs"])
    assert burnlint("--show-files", "--no-ignore", "--exclude", "/b.rs").out.split() == [
        "Cargo.toml",
        "a/Cargo.toml",
        "c.rs",
    ]
    assert burnlint("--show-files", "--exclude", "/b.rs", "b.rs").out.split() == ["b.rs"]
    assert burnlint("--show-files", "--exclude", "/b.rs", "b.rs", "--force-exclude").out.split() == []


def test_timing_tells_each_rule(burnlint: Any, files: Files) -> None:
    files({"a.rs": "foo;"})
    run = burnlint("--timing")
    assert "ms  first-rule" in run.err


def test_colours_only_where_asked_for(burnlint: Any, files: Files, monkeypatch: Any) -> None:
    files({"a.rs": "foo;"})
    assert "\x1b[" not in burnlint().out
    assert "\x1b[" in burnlint("--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in burnlint().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in burnlint().out


def test_an_interrupt_is_exit_code_130(burnlint: Any, files: Files, monkeypatch: Any) -> None:
    files({"a.rs": "foo;"})

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("burnlint.cli.loading.load", interrupted)
    run = burnlint()
    assert run.code == 130
    assert "Traceback" not in run.err


def test_a_bug_of_ours_is_told_without_a_traceback(burnlint: Any, files: Files, monkeypatch: Any) -> None:
    files({"a.rs": "foo;"})

    def broken(*args: object) -> None:
        raise RuntimeError("we did it")

    monkeypatch.setattr("burnlint.cli.loading.load", broken)
    run = burnlint()
    assert run.code == 2
    assert "internal error: RuntimeError: we did it" in run.err
    assert "Traceback" not in run.err
    monkeypatch.setenv("BURNLINT_TRACEBACK", "1")
    assert "Traceback" in burnlint().err


@pytest.mark.skipif(os.name == "nt", reason="file names are bytes on Unix only")
def test_names_that_are_no_utf8_and_control_characters(burnlint: Any, project: Path) -> None:
    for name in (b"\xff.rs", b"a\x1b[31m.rs", b"new\nline.rs", b"co:lon.rs"):
        Path(os.fsdecode(os.fsencode(project) + b"/" + name)).write_text("foo;")
    for form in ("text", "concise", "json"):
        run = burnlint("--output", form)
        assert run.code == 1
        assert run.out.count("first-rule") >= 4
        assert "\x1b" not in run.out
