"""Taking burnlint up in an old project: baseline, --since, suppressions."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

Files = Callable[[Mapping[str, str]], None]


def found(run: Any) -> list[tuple[str, str, int]]:
    return [(each["path"], each["name"], each["line"]) for each in json.loads(run.out)["findings"]]


def git(project: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


def test_after_writing_a_baseline_only_new_findings_are_shown(
    burnlint: Any, files: Files, project: Path
) -> None:
    files({"a.rs": "fn f() {\n    foo;\n}\n", "b.rs": "bar;\n"})
    run = burnlint("baseline", "write")
    assert (run.code, "2 accepted (2 new, 0 gone)" in run.err) == (0, True)
    assert burnlint().code == 0
    # Moved lines do not matter, a second one of its kind does.
    files({"a.rs": "\n// words\nfn f() {\n    foo;\n    foo;\n}\n"})
    run = burnlint("--output", "json")
    assert (run.code, found(run)) == (1, [("a.rs", "first-rule", 5)])
    assert json.loads(run.out)["summary"]["baselined"] == 2
    assert burnlint("--no-baseline").code == 1
    # From another folder, and for a file alone, it is the same baseline.
    assert found(burnlint("a.rs", "--output", "json")) == [("a.rs", "first-rule", 5)]


def test_a_new_finding_does_not_hide_behind_one_that_is_gone(burnlint: Any, files: Files) -> None:
    files({"a.rs": "fn f() {\n    foo(x);\n}\n"})
    burnlint("baseline", "write")
    files({"a.rs": "fn f() {\n    foo(y);\n}\n"})
    assert burnlint().code == 1


def test_pruning_drops_what_is_gone_and_adds_nothing(burnlint: Any, files: Files, project: Path) -> None:
    files({"a.rs": "foo(x); bar;", "b.rs": "foo;", "c.rs": "foo;"})
    burnlint("baseline", "write")
    files({"a.rs": "foo(y); bar;"})
    (project / "c.rs").unlink()
    run = burnlint("baseline", "prune", "a.rs")
    assert "2 accepted (0 new, 2 gone)" in run.err
    assert found(burnlint("--output", "json")) == [("a.rs", "first-rule", 1)]


def test_writing_for_some_rules_or_files_keeps_the_rest(burnlint: Any, files: Files) -> None:
    files({"a.rs": "foo; bar;", "b.rs": "foo;"})
    burnlint("baseline", "write")
    assert "3 accepted (0 new, 0 gone)" in burnlint("baseline", "write", "a.rs", "--select", "first-rule").err
    files({"a.rs": "bar;"})
    assert "2 accepted (0 new, 1 gone)" in burnlint("baseline", "write", "a.rs").err


def test_a_baseline_elsewhere(burnlint: Any, files: Files, project: Path) -> None:
    files({"a.rs": "foo;", "burnlint.toml": 'baseline = "ci/old.txt"', "ci/x": ""})
    assert burnlint("baseline", "write").code == 0
    assert "  ../a.rs  " in (project / "ci/old.txt").read_text()
    assert burnlint().code == 0
    assert burnlint("baseline", "write", "--baseline", "other.txt").code == 0
    assert (project / "other.txt").exists()
    assert burnlint("--baseline", "other.txt").code == 0


def test_pruning_keeps_what_was_not_looked_for(burnlint: Any, files: Files, project: Path) -> None:
    """Neither what is too unsure to be shown nor a comment about a rule that did not run is gone."""
    files({"a.rs": "foo; // burnlint: ignore[second-rule]\n"})
    files({"burnlint.toml": 'confidence = { first-rule = "medium" }\nbaseline = "ci/b.txt"', "ci/x": ""})
    burnlint("baseline", "write")
    before = (project / "ci/b.txt").read_text()
    assert before.count("a.rs") == 2
    for options in (["--min-confidence", "high"], ["--ignore", "second-rule"], ["burnlint.toml"]):
        for what in ("prune", "write"):
            burnlint("baseline", what, *options)
            assert (project / "ci/b.txt").read_text() == before, (what, options)
    files({"a.rs": "x;\n"})
    assert "0 accepted (0 new, 2 gone)" in burnlint("baseline", "prune").err


def test_a_baseline_with_a_path_that_is_too_long(burnlint: Any, files: Files) -> None:
    files({"a.rs": "", "burnlint-baseline.txt": f"a1  first-rule  {'a' * 300}.rs  x\n"})
    assert "0 accepted (0 new, 1 gone)" in burnlint("baseline", "prune").err


@pytest.mark.skipif(os.name == "nt", reason="rights of Unix")
def test_pruning_keeps_what_lies_where_nobody_may_look(
    burnlint: Any, files: Files, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files({"a.rs": "foo;", "burnlint-baseline.txt": "a1  first-rule  secret/b.rs  x\n"})
    lstat = os.lstat

    def refuse(path: Any, **options: Any) -> os.stat_result:
        if "secret" in os.fspath(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return lstat(path, **options)

    monkeypatch.setattr(os, "lstat", refuse)
    assert "1 accepted (0 new, 0 gone)" in burnlint("baseline", "prune").err


def test_a_baseline_that_another_writes_meanwhile_is_left_alone(
    burnlint: Any, files: Files, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from burnlint.cli.session import Session

    files({"a.rs": "foo;", "b.rs": "foo;"})
    burnlint("baseline", "write", "a.rs")
    path, lint = project / "burnlint-baseline.txt", Session.lint

    def slowly(session: Session, overlay: Mapping[str, bytes]) -> Any:
        path.write_text("b2  first-rule  c.rs  x\n")
        return lint(session, overlay)

    monkeypatch.setattr(Session, "lint", slowly)
    run = burnlint("baseline", "write", "b.rs")
    assert (run.code, "changed while burnlint looked at it" in run.err) == (2, True)
    assert path.read_text() == "b2  first-rule  c.rs  x\n"


def test_a_project_below_has_its_own_baseline(
    burnlint: Any, files: Files, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever burnlint is called from; but what the working directory says comes first."""
    (project / ".git").rmdir()
    files({"one/Cargo.toml": "", "one/src/a.rs": "foo;"})
    monkeypatch.chdir(project / "one")
    burnlint("baseline", "write")
    monkeypatch.chdir(project)
    assert burnlint("one").code == 0
    assert burnlint("one/src/a.rs").code == 0
    files({"burnlint.toml": ""})
    assert burnlint("one").code == 1


def test_pruning_without_a_baseline_is_told(burnlint: Any) -> None:
    run = burnlint("baseline", "prune")
    assert (run.code, "`burnlint baseline write` makes one" in run.err) == (2, True)


@pytest.fixture
def repository(project: Path, files: Files) -> Path:
    """A repository with one commit on `main`, and a branch that is checked out."""
    (project / ".git").rmdir()
    files({"a.rs": "foo;\nx;\nfoo;\n", "b.rs": "foo;\n", "sub/c d.rs": "foo;\n"})
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "x")
    git(project, "checkout", "-q", "-b", "work")
    return project


def test_since_shows_what_changed_lines_touch(burnlint: Any, files: Files, repository: Path) -> None:
    assert found(burnlint("--since", "main", "--output", "json")) == []
    files({"a.rs": "foo;\nx;\nfoo; y;\n", "sub/c d.rs": "z;\nfoo;\n", "new.rs": "foo;\n"})
    expected = [("a.rs", "first-rule", 3), ("new.rs", "first-rule", 1)]
    assert found(burnlint("--since", "main", "--output", "json")) == expected
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "y")
    assert found(burnlint("--since", "main", "--output", "json")) == expected
    assert found(burnlint("--since", "HEAD", "--output", "json")) == []
    # What was changed on main meanwhile is not ours.
    git(repository, "checkout", "-q", "main")
    files({"b.rs": "y;\nfoo;\n"})
    git(repository, "commit", "-q", "-a", "-m", "z")
    git(repository, "checkout", "-q", "work")
    assert found(burnlint("--since", "main", "--output", "json")) == expected


def test_since_with_names_and_lines_made_to_confuse(burnlint: Any, files: Files, repository: Path) -> None:
    hostile = "diff --git a/x b/x\n@@ -1 +1,9 @@\nfoo;\n"
    files(
        {
            "a.rs": hostile + "foo;\nx;\nfoo;\n",
            'q"uo te\té.rs': hostile,
            "Cargo.toml": hostile,
            "mode.rs": "foo;\n",
        }
    )
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "y")
    (repository / "mode.rs").chmod(0o755)
    (repository / "b.rs").unlink()
    files({"a.rs": hostile + "foo;\nx;\nfoo; y;\n", 'q"uo te\té.rs': hostile + "foo;\n"})
    assert found(burnlint("--since", "HEAD", "--output", "json")) == [
        ("a.rs", "first-rule", 6),
        ('q"uo te\té.rs', "first-rule", 4),
    ]


@pytest.mark.parametrize(
    ("attributes", "setting"),
    [
        ("*.rs -diff", ""),
        ("*.rs binary", ""),
        ("", "diff.interHunkContext=9"),
        ("", "diff.autoRefreshIndex=false"),
        ("", "diff.noprefix=true"),
        ("", "diff.external=false"),
    ],
)
def test_since_whatever_git_is_told_to_show(
    attributes: str, setting: str, burnlint: Any, files: Files, repository: Path
) -> None:
    files({".gitattributes": attributes, "a.rs": "1;\nfoo;\n3;\nfoo;\n"})
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "y")
    if setting:
        git(repository, "config", *setting.split("="))
    os.utime(repository / "b.rs", (1, 1))
    files({"a.rs": "one;\nfoo;\n3;\nfoo; four;\n"})
    # Of a file that git calls binary it is not known which lines changed.
    lines = [2, 4] if attributes else [4]
    expected = [("a.rs", "first-rule", line) for line in lines]
    assert found(burnlint("--since", "HEAD", "--output", "json")) == expected


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_since_a_link_became_a_file(burnlint: Any, files: Files, repository: Path) -> None:
    (repository / "l.rs").symlink_to("a.rs")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "y")
    (repository / "l.rs").unlink()
    files({"l.rs": "foo;\n", "sub/c d.rs": "foo;\nfoo;\n"})
    assert found(burnlint("--since", "HEAD", "--output", "json")) == [
        ("l.rs", "first-rule", 1),
        ("sub/c d.rs", "first-rule", 2),
    ]


@pytest.mark.parametrize("path", ["inner", "inner/a.rs", "../outside"])
def test_since_in_another_repository(path: str, burnlint: Any, files: Files, repository: Path) -> None:
    """Nothing would be shown of it, whatever changed."""
    files({"inner/a.rs": "foo;\n", "inner/.git/x": "", "../outside/a.rs": "foo;\n"})
    run = burnlint("--since", "HEAD", path)
    assert (run.code, run.out) == (2, "")
    assert f"--since: {path} is not of the repository" in run.err


def test_since_in_a_folder_within_a_hook(
    burnlint: Any, files: Files, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """git sets GIT_DIR for the hooks of a linked work tree."""
    tree = repository.parent / "linked"
    git(repository, "worktree", "add", "-q", str(tree))
    (tree / "a.rs").write_text("foo;\nx;\nfoo; y;\n")
    monkeypatch.setenv("GIT_DIR", str(repository / ".git/worktrees/linked"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / ".git/worktrees/linked/index"))
    monkeypatch.chdir(tree / "sub")
    run = burnlint("--since", "HEAD", "--output", "json", "..")
    assert found(run) == [("../a.rs", "first-rule", 3)]


def test_since_finds_the_repository_from_a_folder_inside(
    burnlint: Any, files: Files, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files({"sub/c d.rs": "foo; y;\n"})
    monkeypatch.chdir(repository / "sub")
    assert found(burnlint("--since", "main", "--output", "json")) == [("c d.rs", "first-rule", 1)]


def test_suppressions_tell_their_age(burnlint: Any, files: Files, project: Path) -> None:
    git(project, "init", "-q")
    files(
        {
            "a.rs": "// burnlint: ignore[first-rule] -- old\nfoo;\n",
            "n.rs": "// burnlint: ignore[first-rule] -- new\n",
        }
    )
    git(project, "add", "a.rs")
    dated = {"GIT_AUTHOR_DATE": "2020-02-03T12:00:00Z", "GIT_COMMITTER_DATE": "2024-05-06T12:00:00Z"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in dated.items():
            patch.setenv(name, value)
        git(project, "commit", "-qm", "x")
    files({"a.rs": "// burnlint: ignore[bar] -- changed\n\n// burnlint: ignore[first-rule] -- old\nfoo;\n"})
    git(project, "diff", "--stat")
    assert burnlint("suppressions", "--age").out.splitlines() == [
        "a.rs:3: ignore[first-rule] -- old (since 2024-05-06)",
        "a.rs:1: ignore[bar] -- changed (not committed)",
        "n.rs:1: ignore[first-rule] -- new (not committed)",
    ]
    document = json.loads(burnlint("suppressions", "--age", "--output", "json").out)
    assert [each["since"] for each in document["suppressions"]] == ["2024-05-06", None, None]


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", ""])
def test_since_what_is_no_commit(ref: str, burnlint: Any, repository: Path) -> None:
    run = burnlint(f"--since={ref}")
    assert run.code == 2
    assert f"no commit is called `{ref}`: fetch it" in run.err
    assert not (repository / "x").exists()


def test_since_without_a_repository(burnlint: Any, project: Path) -> None:
    (project / ".git").rmdir()
    run = burnlint("--since", "HEAD")
    assert (run.code, "lies in no repository of git" in run.err) == (2, True)


def test_suppressions_are_listed_with_their_reasons(burnlint: Any, files: Files) -> None:
    files(
        {
            "a.rs": "// burnlint: ignore-file[BL102] -- bars are fine\n"
            "foo; // burnlint: ignore[first-rule, second-rule]\n",
            "Cargo.toml": "# burnlint: ignore[first-rule] -- foo\nx = 1\n",
        }
    )
    assert burnlint("suppressions").out.splitlines() == [
        "Cargo.toml:1: ignore[first-rule] -- foo",
        "a.rs:1: ignore-file[BL102] -- bars are fine",
        "a.rs:2: ignore[first-rule, second-rule] -- (no reason)",
    ]
    document = json.loads(burnlint("suppressions", "--output", "json", "a.rs").out)
    assert document["suppressions"][0] == {
        "path": "a.rs",
        "line": 1,
        "scope": "file",
        "names": ["BL102"],
        "reason": "bars are fine",
    }
