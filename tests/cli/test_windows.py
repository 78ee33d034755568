"""What Windows asks of burnlint, as far as it can be tried elsewhere: encodings, line ends, separators, drives. How
processes start there is tried in test_jobs, files on two drives in test_disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from burnlint.report.places import file_uri, relative

CODE = "use burn::tensor::{Int, Tensor};\nfn f(x: Tensor<1, Int>) -> Tensor<1, Int> { x * 0.5 } // é\n"
UNUSED = "fn g() {} // burnlint: ignore[int-tensor-float-scalar] -- once\n"
MANIFEST = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package, all of it with CRLF."""
    (tmp_path / "src").mkdir()
    for name, content in (("Cargo.toml", MANIFEST), ("src/lib.rs", CODE + UNUSED)):
        (tmp_path / name).write_bytes(content.replace("\n", "\r\n").encode())
    return tmp_path


def burnlint(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    return subprocess.run(
        [sys.executable, *strict, "-m", "burnlint", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


COMMANDS: list[tuple[list[str], int]] = [
    (["--no-cache"], 1),
    (["--output", "json:report.json", "--output", "html:report.html", "--output", "sarif:report.sarif"], 1),
    (["--diff"], 1),
    (["--add-ignore", "é"], 0),
    (["baseline", "write"], 0),
    (["suppressions"], 0),
    (["config"], 0),
    (["config", "init"], 0),
    (["rules"], 0),
    (["explain", "BL105"], 0),
    (["explain", "--at", "src/lib.rs:2"], 0),
    (["why", "error[E0277]: é"], 1),
    (["--help"], 0),
    (["check", "--help"], 0),
]


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "ascii"])
@pytest.mark.parametrize(
    ("words", "code"), COMMANDS, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_no_command_hangs_on_the_encoding_of_the_system(
    words: list[str], code: int, encoding: str, package: Path
) -> None:
    """Neither on that of the terminal nor on that of files: none is opened without saying which."""
    run = burnlint(*words, folder=package, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (run.returncode, run.stderr.count(b"internal error")) == (code, 0), run.stderr


def test_line_ends_are_kept_and_places_are_right(package: Path) -> None:
    run = burnlint("--fix", "--output", "json", folder=package)
    (finding,) = json.loads(run.stdout)["findings"]
    assert (finding["line"], finding["column"], finding["end_column"]) == (2, 49, 52)
    assert (package / "src/lib.rs").read_bytes() == (CODE + "fn g() {}\n").replace("\n", "\r\n").encode()
    again = burnlint("--add-ignore", "why", folder=package)
    assert again.returncode == 0
    content = (package / "src/lib.rs").read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n") == 4


def test_a_manifest_may_spell_paths_with_backslashes(package: Path) -> None:
    below = package / "below/core"
    (below / "src").mkdir(parents=True)
    (below / "Cargo.toml").write_text(MANIFEST.replace('"a"', '"core-of-it"'), encoding="utf-8")
    (below / "src/lib.rs").write_text(
        "use burn::tensor::{Int, Tensor};\npub fn g() -> Tensor<1, Int> { todo!() }\n", encoding="utf-8"
    )
    more = "core-of-it = { path = 'below\\core' }\n[lib]\npath = 'src\\lib.rs'\n"
    (package / "Cargo.toml").write_text(MANIFEST + more, encoding="utf-8")
    (package / "src/lib.rs").write_text(
        "use burn::tensor::Int;\nfn f() { let y = core_of_it::g() * 0.5; }\n", encoding="utf-8"
    )
    run = burnlint("src", "--output", "json", folder=package)
    assert [each["name"] for each in json.loads(run.stdout)["findings"]] == ["int-tensor-float-scalar"]


def test_places_on_drives() -> None:
    assert file_uri("C:/a b/c.rs") == "file:///C:/a%20b/c.rs"
    assert relative("C:/work/src/a.rs", "C:/work") == "src/a.rs"
    assert relative("C:/a.rs", "C:/work") == "../a.rs"
    assert relative("D:/a.rs", "C:/work") == "D:/a.rs"
    assert relative("C:/a.rs", "C:/") == "a.rs"
