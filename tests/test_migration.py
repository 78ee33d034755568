"""Programs of burn 0.21 whose manifest is set to 0.22: the fixes of the migration group make the committed programs of
0.22 of them, byte for byte. `python -m tools.fixtures` compiles both."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import FIXTURES, run

PROGRAMS = sorted((FIXTURES / "migration/programs").iterdir())


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def set_version(manifest: Path) -> None:
    text = manifest.read_text(encoding="utf-8")
    assert text.count('version = "0.21"') == 1
    manifest.write_text(text.replace('version = "0.21"', 'version = "0.22"'), encoding="utf-8")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 6


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_fixes_migrate_the_program(program: Path, tmp_path: Path) -> None:
    copy = tmp_path / "program"
    shutil.copytree(program / "before", copy)
    set_version(copy / "Cargo.toml")
    select = ("--select", "group:migration")
    assert run(["."], folder=copy, options=select).found
    answer = run(["."], folder=copy, options=(*select, "--fix", "--unsafe-fixes"))
    assert answer.notes == []
    assert contents(copy) == contents(program / "after")
    assert run(["."], folder=copy, options=select).found == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
@pytest.mark.parametrize("state", ["before", "after"])
def test_nothing_to_migrate(program: Path, state: str) -> None:
    """Under its own version of burn each program is as it should be."""
    assert run(["."], folder=program / state, options=("--select", "group:migration")).found == []
