"""The judge of files that must not compile can fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools import compile_fail

SOURCE = """\
//@ error = "E0277", "is a unit variant"
struct A; //~ some-rule

struct B;
//~^ some-rule

struct C;
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "fires.rs"
    path.write_text(SOURCE)
    return path


def error(source: Path, line: int, code: str | None, message: str = "no") -> dict[str, Any]:
    span = {"file_name": str(source), "line_start": line}
    return {"code": code and {"code": code}, "message": message, "children": [], "spans": [span]}


def judged(source: Path, *errors: dict[str, Any]) -> str:
    return "\n".join(compile_fail._of_file(source, list(errors)))


def test_all_errors_at_all_marks(source: Path) -> None:
    assert judged(source, error(source, 2, "E0277"), error(source, 4, None, "it is a unit variant")) == ""


def test_an_error_that_rustc_does_not_give(source: Path) -> None:
    assert "does not say 'is a unit variant'" in judged(
        source, error(source, 2, "E0277"), error(source, 4, "E0277")
    )


def test_a_mark_that_rustc_has_nothing_against(source: Path) -> None:
    assert "4: rustc has nothing against" in judged(source, error(source, 2, "E0277"))


def test_an_error_without_a_mark(source: Path) -> None:
    errors = [
        error(source, 2, "E0277"),
        error(source, 4, None, "is a unit variant"),
        error(source, 7, "E0277"),
    ]
    assert "7: rustc says" in judged(source, *errors)


def test_another_error_at_a_mark(source: Path) -> None:
    errors = [
        error(source, 2, "E0277"),
        error(source, 4, None, "is a unit variant"),
        error(source, 4, "E0308"),
    ]
    assert "E0308" in judged(source, *errors)


def test_an_error_in_code_that_a_macro_of_another_file_wrote(source: Path) -> None:
    inner = {
        "file_name": "elsewhere.rs",
        "line_start": 99,
        "expansion": {"span": {"file_name": str(source), "line_start": 2}},
    }
    first = {**error(source, 2, "E0277"), "spans": [inner]}
    assert judged(source, first, error(source, 4, None, "is a unit variant")) == ""


def test_a_file_that_expects_nothing(tmp_path: Path) -> None:
    path = tmp_path / "fires.rs"
    path.write_text("struct A;\n")
    assert "lack" in judged(path)
