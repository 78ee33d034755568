"""Disks as they are: links in circles, files that cannot be read or change meanwhile, no room, no rights, an interrupt
in the middle of `--fix`. The real rules over a small package."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burnlint import cli
from burnlint.burn.project import Options, Project

CODE = "use burn::tensor::{Int, Tensor};\nfn f(x: Tensor<1, Int>) -> Tensor<1, Int> { x * 0.5 }\n"
UNUSED = "fn g() {} // burnlint: ignore[int-tensor-float-scalar] -- was needed once\n"
"""What a safe fix mends."""
MANIFEST = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'

on_unix = pytest.mark.skipif(os.name == "nt", reason="links, devices and signals of Unix")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package as the working directory."""
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src/lib.rs").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*options: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    """Exit code, JSON report and standard error."""
    capfd.readouterr()
    code = cli.run(["check", "--no-cache", "--output", "json", *options])
    captured = capfd.readouterr()
    assert "internal error" not in captured.err and "Traceback" not in captured.err
    return code, json.loads(captured.out) if captured.out else {}, captured.err


def names(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["path"], each["name"]) for each in report["findings"]]


def notes(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["path"], each["message"].split(" (")[0]) for each in report["notes"]]


FOUND = [("src/lib.rs", "int-tensor-float-scalar")]


@on_unix
def test_links_in_circles(package: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (package / "src/lib.rs").write_text(
        'mod itself;\nmod around;\n#[path = "round/src/lib.rs"]\nmod again;\n' + CODE
    )
    (package / "src/itself.rs").symlink_to("itself.rs")
    (package / "src/around.rs").symlink_to("back.rs")
    (package / "src/back.rs").symlink_to("around.rs")
    (package / "src/round").symlink_to("..")
    code, report, _ = check(capfd=capfd)
    assert (code, names(report)) == (1, FOUND)
    code, report, _ = check("src/around.rs", "src/lib.rs", capfd=capfd)
    assert (code, names(report)) == (2, FOUND)
    assert notes(report) == [("file-skipped", "src/around.rs", "cannot be read")]


@on_unix
def test_workspace_members_through_links_in_circles(package: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (package / "Cargo.toml").write_text(
        MANIFEST + '[workspace]\nmembers = ["**/crates/*", "crates/again/again/*"]\n'
    )
    (package / "crates").mkdir()
    (package / "crates/again").symlink_to(".")
    code, report, _ = check(capfd=capfd)
    assert (code, names(report)) == (1, FOUND)


@pytest.mark.parametrize("problem", [errno.EACCES, errno.EIO, errno.ENOENT])
def test_a_file_that_cannot_be_read(
    problem: int, package: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listed, and then not to be opened: no right to, a broken disk, gone meanwhile."""
    (package / "src/other.rs").write_text(CODE)
    (package / "src/.cargo").mkdir()
    (package / "src/.cargo/config.toml").write_text("[net]\n")
    real = open

    def refuse(path: Any, *more: Any, **named: Any) -> Any:
        if str(path).endswith(("other.rs", "config.toml")):
            raise OSError(problem, os.strerror(problem), path)
        return real(path, *more, **named)

    monkeypatch.setattr("builtins.open", refuse)
    code, report, _ = check(capfd=capfd)
    assert (code, names(report)) == (2, FOUND)
    assert notes(report) == [
        ("file-skipped", "src/.cargo/config.toml", "cannot be read"),
        ("file-skipped", "src/other.rs", "cannot be read"),
    ]


@pytest.mark.parametrize("named", ["Cargo.toml", "Cargo.lock", ".gitignore", "burnlint.toml", "src"])
def test_a_folder_or_nothing_readable_in_the_place_of_a_file(
    named: str, package: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = package / named
    if path.is_file():
        path.unlink()
    if named == "src":
        (path / "lib.rs").unlink()
        (path / "lib.rs").mkdir()
    else:
        path.mkdir()
    code, report, err = check(capfd=capfd)
    assert code in (0, 1, 2) and (report or "burnlint.toml" in err)


def test_a_file_that_is_saved_while_it_is_looked_at(package: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whole reports of one state or the other, or of a file that is half written: never a crash."""
    longer = "// more\n" * 200 + CODE.replace("0.5", "0.25")
    stop = threading.Event()

    def save() -> None:
        target = package / "src/lib.rs"
        while not stop.is_set():
            for content in (CODE, longer):
                with target.open("w") as file:
                    file.write(content[:50])
                    file.flush()
                    file.write(content[50:])

    thread = threading.Thread(target=save)
    thread.start()
    try:
        for _ in range(25):
            code, report, _ = check("--select", "all", capfd=capfd)
            assert code in (0, 1)
            assert {each["kind"] for each in report["notes"]} <= {"parse-error"}
            for each in report["findings"]:
                if each["name"] == "int-tensor-float-scalar":
                    assert (each["line"], "0.5" in each["message"]) in ((2, True), (202, False))
    finally:
        stop.set()
        thread.join()


def full(*args: Any, **named: Any) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def read_only(*args: Any, **named: Any) -> Any:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.mark.parametrize(
    ("module", "function", "refusal"), [(os, "fsync", full), (tempfile, "mkstemp", read_only)]
)
@pytest.mark.parametrize(
    "command",
    [
        ["check", "--fix"],
        ["check", "--add-ignore", "because"],
        ["check", "--output", "json:report"],
        ["baseline", "write"],
        ["config", "init"],
    ],
    ids=" ".join,
)
def test_no_room_or_no_rights_to_write(
    command: list[str],
    module: Any,
    function: str,
    refusal: Callable[..., Any],
    package: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (package / "src/lib.rs").write_text(CODE + UNUSED)
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    monkeypatch.setattr(module, function, refusal)
    assert cli.run([*command, *(["--no-cache"] if command[0] == "check" else [])]) == 2
    err = capfd.readouterr().err
    assert "cannot be written" in err and "internal error" not in err
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", [[], ["--help"], ["explain", "BL103"], ["rules"]], ids=" ".join)
def test_standard_output_without_room(command: list[str], package: Path) -> None:
    with Path("/dev/full").open("wb") as out:
        run = subprocess.run(
            [sys.executable, "-m", "burnlint", *command], stdout=out, stderr=subprocess.PIPE, check=False
        )
    assert run.returncode == 2
    assert run.stderr.decode().splitlines() == [
        "burnlint: standard output cannot be written (No space left on device)"
    ]


@on_unix
@pytest.mark.parametrize("closed", [1, 2])
def test_a_stream_that_is_closed(closed: int, package: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", f'exec "$0" -m burnlint {closed}>&-', sys.executable], capture_output=True, check=False
    )
    assert run.returncode == 1
    assert (b"int-tensor-float-scalar" in run.stdout, run.stderr) == (closed == 2, b"")


@on_unix
def test_standard_input_that_is_closed(package: Path) -> None:
    command = 'exec "$0" -m burnlint - --stdin-filename src/lib.rs <&-'
    run = subprocess.run(["sh", "-c", command, sys.executable], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@on_unix
def test_a_report_to_a_pipe_or_a_device(package: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`>(command)` of a shell, `/dev/null`: written to, never replaced by a file."""
    os.mkfifo(package / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((package / "pipe").read_bytes()))
    reader.start()
    assert check("--output", "concise:pipe", capfd=capfd)[0] == 1
    reader.join()
    assert b"int-tensor-float-scalar" in read[0]
    assert stat.S_ISFIFO((package / "pipe").stat().st_mode)


@on_unix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("after", range(4))
def test_an_interrupt_in_the_middle_of_fixing(after: int, name: str, package: Path) -> None:
    """Each file is as it was or as it should be, and nothing lies beside them."""
    for at in range(4):
        (package / f"src/m{at}.rs").write_text(UNUSED)
    script = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from burnlint.cli import main
fsync, calls = os.fsync, []
def interrupted(handle):
    calls.append(handle)
    if len(calls) == {after} + 1:
        os.kill(os.getpid(), signal.{name})
    fsync(handle)
os.fsync = interrupted
main(["check", "--fix", "--no-cache"])
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr.splitlines()[-1]) == (130, "burnlint: interrupted")
    assert "Traceback" not in run.stderr
    contents = [(package / f"src/m{at}.rs").read_text() for at in range(4)]
    assert contents == ["fn g() {}\n"] * after + [UNUSED] * (4 - after)
    assert sorted(path.name for path in package.rglob("*") if path.is_file()) == [
        *("Cargo.toml", "lib.rs", "m0.rs", "m1.rs", "m2.rs", "m3.rs")
    ]


def _of_two_processes(work: str) -> list[str]:
    """A run of two processes, of which each does this in place of its work, and then hangs."""
    body = "".join(f"    {line}\n" for line in work.splitlines())
    script = f"""
import contextlib, os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from burnlint.lint import parts
from burnlint.cli import main
def endless(self, paths, done=None):
{body}    time.sleep(300)
parts.Judge.judge = endless
first = os.getpid()
main(["check", "--no-cache", "--jobs", "2"])
"""
    return [sys.executable, "-c", script]


@on_unix
@pytest.mark.parametrize("target", ["os.killpg(0", "os.kill(first"], ids=["all", "parent"])
def test_an_interrupt_while_others_work(target: str, package: Path) -> None:
    """Ctrl-C reaches all processes of a run, `kill` one: a line says so, and nobody waits for the work to end."""
    for at in range(8):
        (package / f"src/m{at}.rs").write_text(CODE)
    work = f"""time.sleep(0.5)
with contextlib.suppress(FileExistsError):
    open("pressed", "x").close()
    {target}, signal.SIGINT)"""
    run = subprocess.run(
        _of_two_processes(work),
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr.split()) == (130, ["burnlint:", "interrupted"])


@on_unix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_nobody_works_on_when_the_first_process_is_killed(name: str, package: Path) -> None:
    for at in range(8):
        (package / f"src/m{at}.rs").write_text(CODE)
    work = f"""os.write(1, b"begun ")
time.sleep(0.5)
os.kill(first, signal.{name})"""
    # The pipe is closed when the last process that has it ends.
    run = subprocess.run(
        _of_two_processes(work),
        stdout=subprocess.PIPE,
        timeout=60,
        check=False,
        start_new_session=True,
    )
    assert run.returncode == (130 if name == "SIGTERM" else -9)
    assert run.stdout.startswith(b"begun")


def test_files_on_two_drives_have_a_root() -> None:
    project = Project(
        ["C:/work/a.rs", "D:/other/b.rs"], Options(), {"C:/work/a.rs": b"", "D:/other/b.rs": b""}
    )
    assert project.root == "C:/work"
