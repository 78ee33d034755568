"""A long run says how far it is: on a terminal only, after a second only, and leaves no trace of it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from burnlint import cli
from burnlint.cli.progress import Progress

CODE = "use burn::tensor::{Int, Tensor};\nfn f(x: Tensor<1, Int>) -> Tensor<1, Int> { x * 0.5 }\n"
MANIFEST = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three packages of two files each."""
    for name in "abc":
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "Cargo.toml").write_text(MANIFEST.replace('"a"', f'"{name}"'))
        (tmp_path / name / "src/lib.rs").write_text("mod other;\n" + CODE)
        (tmp_path / name / "src/other.rs").write_text(CODE)
    return tmp_path


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal, and a run that is long from its beginning."""
    monkeypatch.setattr("burnlint.cli.progress.PATIENCE", 0.0)
    monkeypatch.setattr("burnlint.cli.progress._PAUSE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def screen(written: str) -> list[str]:
    """What a terminal shows after these characters, line by line, without the spaces at the ends."""
    lines = [""]
    at = 0
    for char in written:
        if char == "\n":
            lines.append("")
            at = 0
        elif char == "\r":
            at = 0
        else:
            lines[-1] = lines[-1][:at].ljust(at) + char + lines[-1][at + 1 :]
            at += 1
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize("options", [["--no-cache"], ["--no-cache", "--jobs", "2"], []])
def test_all_files_are_counted(
    options: list[str], folder: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for _ in range(2):  # the second run without options is one from the cache
        terminal.seek(0)
        terminal.truncate()
        monkeypatch.setattr(sys, "stderr", terminal)  # pytest puts its own in place when a test begins
        assert cli.run(["check", "--exit-zero", "--output", "json:report.json", *options]) == 0
        assert "burnlint: 9 of 9 files" in terminal.getvalue()
        assert screen(terminal.getvalue()) == [""]


def test_a_shorter_line_covers_a_longer_one(terminal: Terminal) -> None:
    with Progress(terminal, 0.0) as progress:
        progress.tick(1000, 1000)
        progress.tick(1, 2)
        assert screen(terminal.getvalue()) == ["burnlint: 1 of 2 files"]
    assert screen(terminal.getvalue()) == [""]


def test_an_error_leaves_the_line_clean(terminal: Terminal) -> None:
    with pytest.raises(KeyboardInterrupt), Progress(terminal, 0.0) as progress:
        progress.tick(1, 2)
        raise KeyboardInterrupt
    assert screen(terminal.getvalue()) == [""]


def test_nothing_is_said_in_the_first_second_or_elsewhere_than_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal, file = Terminal(), io.StringIO()
    with Progress(terminal, time.monotonic()) as progress:
        progress.tick(1, 2)
    with Progress(file, 0.0) as progress:
        progress.tick(1, 2)
    monkeypatch.setenv("TERM", "dumb")
    with Progress(terminal, 0.0) as progress:
        progress.tick(1, 2)
    assert (terminal.getvalue(), file.getvalue()) == ("", "")


SLOW = """
import sys, time
from burnlint.lint.parts import Judge
judge_file = Judge._judge_file
def slow(self, file, part):
    time.sleep(0.3)
    judge_file(self, file, part)
Judge._judge_file = slow
from burnlint.cli import main
main(["check", "--exit-zero", "--no-cache", "--output", "concise", *sys.argv[1:]])
"""


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_on_a_real_terminal(jobs: str, folder: Path) -> None:
    import pty

    try:
        ours, its = pty.openpty()
    except OSError:
        pytest.skip("no pseudo-terminal is to be had here")
    run = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--jobs", jobs],
        cwd=folder,
        env={**os.environ, "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=its,
    )
    os.close(its)
    assert run.stdout is not None
    out = run.stdout.read().decode()
    written = b""
    while True:
        try:
            more = os.read(ours, 1024)
        except OSError:  # Linux says so where others give nothing
            break
        if not more:
            break
        written += more
    os.close(ours)
    assert run.wait() == 0
    assert out.count("int-tensor-float-scalar") == 6
    text = written.decode()
    assert "burnlint: 9 of 9 files" in text
    assert screen(text.replace("\r\n", "\n"))[-1] == ""
    assert all("burnlint:" not in line for line in screen(text.replace("\r\n", "\n")))
