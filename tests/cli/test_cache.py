"""The cache of findings: what it gives is what a run without it gives, whatever happened to it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from burnlint.burn.project import Project
from burnlint.lint.parts import Judge
from tools import cache_edits
from tools.cache_edits import run_sequence

CODE = "use burn::tensor::{Int, Tensor};\nfn f(x: Tensor<1, Int>) -> Tensor<1, Int> { x * 0.5 }\n"
MANIFEST = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'


def report(folder: Path, *options: str) -> tuple[int, bytes]:
    return cache_edits.report(folder, ".", *options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package with a cache beside it."""
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src/lib.rs").write_text(CODE)
    (tmp_path / "burnlint.toml").write_text('cache-dir = ".burnlint_cache"\n')
    return tmp_path


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob(".burnlint_cache/??/*"))


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that rules were run on."""
    seen: list[str] = []
    judge = Judge.judge

    def spy(self: Judge, paths: list[str], *more: Any) -> object:
        seen.extend(Path(path).name for path in paths)
        return judge(self, paths, *more)

    monkeypatch.setattr(Judge, "judge", spy)
    return seen


def test_second_run_judges_nothing(folder: Path, judged: list[str]) -> None:
    first = report(folder)
    assert b"int-tensor-float-scalar" in first[1] and sorted(judged) == ["Cargo.toml", "lib.rs"]
    judged.clear()
    assert report(folder) == first and judged == []
    (folder / "src/lib.rs").write_text(CODE.replace("0.5", "0.25"))
    assert b"0.25" in report(folder)[1] and "lib.rs" in judged


def test_what_changes_the_answer_changes_the_entry(folder: Path, judged: list[str]) -> None:
    report(folder)
    for options in (
        ("--ignore", "int-tensor-float-scalar"),
        ("--burn-version", "0.21.0"),
        ("--features", "x"),
        ("--select", "all"),
    ):
        judged.clear()
        report(folder, *options)
        assert "lib.rs" in judged, options


def test_a_module_that_was_absent(folder: Path, judged: list[str]) -> None:
    (folder / "src/lib.rs").write_text("mod made;\n" + CODE.replace("x * 0.5", "made::g(x)"))
    (folder / "lib").mkdir()
    report(folder)
    judged.clear()
    (folder / "src/made").mkdir()
    (folder / "src/made/mod.rs").write_text("pub fn g() {}\n")
    assert report(folder) == report(folder, "--no-cache")
    assert "lib.rs" in judged


def test_a_library_of_another_package_that_was_absent(folder: Path, judged: list[str]) -> None:
    below = folder / "below"
    (below / "src").mkdir(parents=True)
    (below / "Cargo.toml").write_text(MANIFEST.replace('"a"', '"below"') + '[lib]\npath = "src/root.rs"\n')
    (folder / "Cargo.toml").write_text(MANIFEST + 'below = { path = "below" }\n')
    (folder / "src/lib.rs").write_text(CODE.replace("x: Tensor<1, Int>", "").replace("x *", "below::x() *"))
    cache_edits.report(folder, "src")
    judged.clear()
    (below / "src/root.rs").write_text(CODE.replace("fn f(x: Tensor<1, Int>)", "pub fn x()"))
    found = cache_edits.report(folder, "src")
    assert b"src/lib.rs" in found[1] and found == cache_edits.report(folder, "src", "--no-cache")


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", b"0" * 40 + b"\n{}"])
def test_damaged_entries(folder: Path, damage: bytes) -> None:
    first = report(folder)
    assert entries(folder)
    for path in entries(folder):
        path.write_bytes(damage)
    assert report(folder) == first
    assert report(folder) == first


def test_an_entry_with_a_flipped_byte(folder: Path) -> None:
    first = report(folder)
    for path in entries(folder):
        body = bytearray(path.read_bytes())
        at = body.find(b"error") if b"error" in body else len(body) // 2
        body[at] ^= 1
        path.write_bytes(bytes(body))
    assert report(folder) == first


def test_a_folder_that_cannot_be_made(folder: Path) -> None:
    (folder / ".burnlint_cache").write_text("a file")
    assert report(folder) == report(folder, "--no-cache")


def test_no_cache(folder: Path) -> None:
    report(folder, "--no-cache")
    assert not (folder / ".burnlint_cache").exists()


def test_the_folder_keeps_itself_out_of_version_control(folder: Path) -> None:
    report(folder)
    assert (folder / ".burnlint_cache/.gitignore").read_text() == "*\n"
    assert (folder / ".burnlint_cache/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172")


def test_edits_do_not_let_it_grow(folder: Path) -> None:
    report(folder)
    before = len(entries(folder))
    for at in range(4):
        (folder / "src/lib.rs").write_text(CODE + f"// {at}\n")
        report(folder)
    assert len(entries(folder)) == before


def test_files_that_do_not_parse_are_told_each_time(folder: Path) -> None:
    (folder / "src/lib.rs").write_text(CODE + "fn g() { @@ }\n")
    first = report(folder)
    assert b"parse-error" in first[1]
    assert report(folder) == first


def test_parallel_runs(folder: Path) -> None:
    expected = report(folder, "--no-cache")
    command = [sys.executable, "-m", "burnlint", "check", ".", "--output", "json", "--min-confidence", "low"]
    runs = [
        subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(4)
    ]
    found = [(json.loads(run.communicate()[0]), run.returncode) for run in runs]
    assert found == [(json.loads(expected[1]), expected[0])] * 4
    assert report(folder) == expected


@pytest.mark.parametrize("seed", range(24))
def test_random_edits(seed: int) -> None:
    assert run_sequence(f"tests-{seed}") is None


def test_random_edits_would_show_a_cache_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Project, "still", lambda self, inputs: True)
    assert any(run_sequence(f"tests-{seed}") is not None for seed in range(24))


@pytest.mark.parametrize("folder", ["../elsewhere", "/tmp/elsewhere", "link/cache"])
def test_a_configuration_puts_the_cache_into_its_own_folder_only(folder: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "outside").mkdir()
    (project / "link").symlink_to(tmp_path / "outside")
    (project / "burnlint.toml").write_text(f'cache-dir = "{folder}"\n')
    (project / "lib.rs").write_text("fn f() {}\n")
    run = subprocess.run(
        [sys.executable, "-m", "burnlint"], cwd=project, capture_output=True, text=True, check=False
    )
    assert (run.returncode, "cache-dir" in run.stderr) == (2, True)
    assert list((tmp_path / "outside").iterdir()) == []
