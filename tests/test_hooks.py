"""The pre-commit hooks and the GitHub action: their files, and pre-commit itself in a throw-away
repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from burnlint.lint.walk import kind_of

ROOT = Path(__file__).parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())

MANIFEST = """\
[package]
name = "demo"
version = "0.1.0"
edition = "2024"

[dependencies]
burn = { version = "=0.22.1", default-features = false, features = ["std", "train"] }
"""
WRONG = "pub fn one() -> u8 {\n    1 // burnlint: ignore[no-such-rule] -- a name that is no rule\n}\n"
RIGHT = "pub fn one() -> u8 {\n    1\n}\n"


def test_pre_commit_takes_the_manifest_of_hooks() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("path", "taken"),
    [
        ("src/main.rs", True),
        ("Cargo.toml", True),
        ("crates/x/Cargo.toml", True),
        ("clippy.toml", False),
        ("MyCargo.toml", False),
        ("src/main.rs.bak", False),
        ("cubecl.toml", True),
        ("crates/x/Burn.toml", True),
        ("config.toml", False),
        (".cargo/config.toml", True),
        (".github/workflows/ci.yml", True),
        (".github/dependabot.yml", False),
        (".gitlab-ci.yml", True),
        ("Dockerfile", True),
        ("docker/gpu.Dockerfile", True),
        (".env", True),
        (".env.local", True),
        (".env.example", False),
        ("run.sh", True),
        ("justfile", True),
        ("Makefile", True),
        ("src/kernel.wgsl", True),
        ("README.md", False),
    ],
)
def test_hooks_take_what_burnlint_reads(path: str, taken: bool) -> None:
    assert [bool(re.search(hook["files"], path)) for hook in HOOKS] == [taken, taken]
    assert (kind_of(path) is not None) is taken


def test_the_entry_of_every_hook_is_a_command_line_that_burnlint_takes(tmp_path: Path) -> None:
    for hook in HOOKS:
        program, *arguments = hook["entry"].split()
        assert program == "burnlint"
        run = subprocess.run(
            [sys.executable, "-m", "burnlint", *arguments, "--show-files"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_actions_are_pinned_to_commits_and_inputs_reach_no_shell_text() -> None:
    for step in ACTION["runs"]["steps"]:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step.get("uses", "a@" + "0" * 40))
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"


@pytest.mark.skipif(os.name == "nt", reason="written for bash on Unix")
@pytest.mark.parametrize(
    ("source", "inputs", "code"),
    [
        (WRONG, {}, "1"),
        (RIGHT, {}, "0"),
        (WRONG, {"fail-on": "error"}, "0"),
        (WRONG, {"args": "--ignore\nunknown-ignore\n"}, "0"),
        (WRONG, {"args": "--no-such-option"}, "2"),
        (WRONG, {"paths": "src/lib.rs\nno such file; echo $(id)"}, "2"),
    ],
)
def test_the_steps_of_the_action(source: str, inputs: dict[str, str], code: str, tmp_path: Path) -> None:
    """Run the action's own shell text; what GitHub puts into its environment is made here."""
    project = _demo(tmp_path / "work", source)
    (tmp_path / "burnlint").symlink_to(ROOT)
    steps = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
    given = {name: inputs.get(name, its["default"]) for name, its in ACTION["inputs"].items()}
    environment = {
        **os.environ,
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        **{
            name: _value(text, given)
            for name, text in steps["Run burnlint"]["env"].items()
            if name != "PYTHON"
        },
    }
    run = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", steps["Run burnlint"]["run"]],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    output = (tmp_path / "output").read_text()
    assert f"exit-code={code}\n" in output
    assert ("sarif-file=" in output) is (inputs.get("args") != "--no-such-option")
    if code == "1":
        assert "::warning " in run.stdout
        assert "unknown-ignore" in (tmp_path / "summary").read_text()
    judged = subprocess.run(
        ["bash", "-c", steps["Judge the findings"]["run"]], env={"CODE": code}, check=False
    )
    assert str(judged.returncode) == code


def _value(expression: str, inputs: dict[str, str]) -> str:
    match = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", expression)
    assert match is not None, expression
    return inputs[match[1]]


def _demo(folder: Path, source: str) -> Path:
    """A package that uses burn, in a repository with one commit."""
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src" / "lib.rs").write_text(source)
    (folder / "README.md").write_text("no Rust\n")
    _git(folder, "init", "-q")
    _git(folder, "add", ".")
    _git(folder, "commit", "-q", "-m", "x")
    return folder


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize("hook", [hook["id"] for hook in HOOKS])
def test_pre_commit_runs_the_hook(
    hook: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It fails on a finding, passes once that is mended, and is not run for other files."""
    project = _demo(tmp_path / "work", WRONG)
    home = tmp_path_factory.getbasetemp() / "pre-commit"
    environment = {**os.environ, "PRE_COMMIT_HOME": str(home)}

    def pre_commit(*files: str) -> Any:
        command = [
            sys.executable,
            "-m",
            "pre_commit",
            "try-repo",
            str(ROOT),
            hook,
            "--verbose",
            "--color=never",
        ]
        return subprocess.run(
            [*command, *(["--files", *files] if files else ["--all-files"])],
            cwd=project, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    failed = pre_commit()
    assert failed.returncode == 1, failed.stdout + failed.stderr
    assert "unknown-ignore" in failed.stdout
    assert "src/lib.rs:2:" in failed.stdout
    (project / "src" / "lib.rs").write_text(RIGHT)
    passed = pre_commit("src/lib.rs", "Cargo.toml")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout
    assert "Skipped" in pre_commit("README.md").stdout
