"""Cargo's messages read by `cargo_metadata`, the reader of rust-analyzer's kind of tools: nothing is lost, nothing is
plain text to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from results import HOSTILE_NAMES

from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cargo") is None, reason="NO CARGO: cargo-json is not read back"),
]

ROOT = Path(__file__).resolve().parent.parent.parent
MANIFEST = """[package]
name = "burnlint-message-reader"
version = "0.0.0"
edition = "2021"

[dependencies]
cargo_metadata = "=0.23.1"
serde_json = "1"

[workspace]
"""
READER = """use cargo_metadata::Message;

fn main() {
    for message in Message::parse_stream(std::io::stdin().lock()) {
        let (kind, value) = match message.unwrap() {
            Message::CompilerMessage(message) => ("compiler-message", serde_json::to_value(message)),
            Message::BuildFinished(message) => ("build-finished", serde_json::to_value(message)),
            Message::TextLine(line) => ("text", serde_json::to_value(line)),
            _ => ("other", Ok(serde_json::Value::Null)),
        };
        println!("{}", serde_json::json!([kind, value.unwrap()]));
    }
}
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text(MANIFEST)
    (folder / "src" / "main.rs").write_text(READER)
    target = Path(os.environ.get("CARGO_TARGET_DIR", folder / "target"))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
    subprocess.run(["cargo", "build", "--quiet"], cwd=folder, env=environment, check=True)
    return target / "debug" / "burnlint-message-reader"


def read(reader: Path, lines: bytes) -> list[Any]:
    done = subprocess.run([reader], input=lines, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_nothing_lost(reader: Path, lines: bytes) -> list[Any]:
    """The diagnostics as they were read; each is what burnlint wrote, field by field."""
    *written, end = (json.loads(line) for line in lines.splitlines())
    *messages, (last, finished) = read(reader, lines)
    assert (last, finished["success"]) == ("build-finished", end["success"])
    assert {kind for kind, _ in messages} <= {"compiler-message"}
    diagnostics = [value["message"] for _, value in messages]
    for ours in written:
        del ours["message"]["$message_type"]
    assert diagnostics == [ours["message"] for ours in written]
    return diagnostics


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_every_field_arrives(reader: Path, name: str, request: pytest.FixtureRequest) -> None:
    result: Result = request.getfixturevalue(name)
    diagnostics = check_nothing_lost(reader, render("cargo-json", result, RenderOptions()).encode())
    assert len(diagnostics) == len(result.findings) + len(result.notes)


def test_a_line_that_is_no_message_would_be_seen(reader: Path) -> None:
    assert [kind for kind, _ in read(reader, b'{"reason": "compiler-message"}\n')] == ["text"]


def test_a_run_over_hostile_names_arrives(reader: Path, tmp_path: Path) -> None:
    """The example's program under names of all kinds; what the reader has is what the JSON document says."""
    shutil.copytree(ROOT / "examples" / "first-steps", tmp_path / "project")
    program = (tmp_path / "project" / "src" / "main.rs").read_bytes()
    names = [name for name in HOSTILE_NAMES if "\0" not in name and "/" not in name]
    for name in names:
        folder = tmp_path / "project" / "src" / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes("// é🔥\r\n".encode() + program)
    command = [sys.executable, "-m", "burnlint", "check", ".", "--exit-zero", "--no-cache"]
    command += ["--output", "cargo-json", "--output", "json:../found.json"]
    done = subprocess.run(command, cwd=tmp_path / "project", capture_output=True, check=True)
    diagnostics = check_nothing_lost(reader, done.stdout)
    document = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    findings, places = document["findings"], (tmp_path / "project").as_posix()
    assert len({each["path"] for each in findings}) == len(names) + 2
    assert [seen(diagnostic) for diagnostic in diagnostics[: len(findings)]] == [
        (
            each["severity"],
            each["code"],
            f"{each['name']}: {each['message']}",
            [
                (f"{places}/{at['path']}", at["line"], at["column"], at["end_line"], at["end_column"])
                for at in (each, *each["because"])
            ],
            [
                (f"{places}/{edit['path']}", edit["start"], edit["end"], edit["text"], each["fix"]["safe"])
                for edit in (each["fix"] or {"edits": []})["edits"]
            ],
        )
        for each in findings
    ]


def seen(diagnostic: Any) -> tuple[Any, ...]:
    """Level, code, message, the places, the suggestions with whether they may be applied by a machine."""
    places = [
        tuple(span[key] for key in ("file_name", "line_start", "column_start", "line_end", "column_end"))
        for span in sorted(diagnostic["spans"], key=lambda span: not span["is_primary"])
    ]
    applicable = {"MachineApplicable": True, "MaybeIncorrect": False}
    suggestions = [
        (
            *(span[key] for key in ("file_name", "byte_start", "byte_end", "suggested_replacement")),
            applicable[span["suggestion_applicability"]],
        )
        for child in diagnostic["children"]
        for span in child["spans"]
    ]
    return diagnostic["level"], diagnostic["code"]["code"], diagnostic["message"], places, suggestions
