"""Fixtures that must not compile, judged by rustc; a part of `python -m tools.fixtures`."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PACKAGE = "compile-fail"
_EXPECTED = re.compile(r"^//@ error = (.+)$", re.M)
_MARK = re.compile(r"//~(\^*)\s*[a-z]")


def expected_errors(text: str) -> set[str]:
    """What the line `//@ error = "E0277", "words"` names, one of the first two; empty without one."""
    found = _EXPECTED.search("\n".join(text.splitlines()[:2]))
    return set(re.findall(r'"([^"]*)"', found[1])) if found else set()


def manifest(sources: Sequence[Path], burn: str, minor: str) -> str:
    """A package with each file as an example of its own; `burn` is the dependency in TOML, `minor` its minor version.

    burn-onnx, which takes minutes to compile, is there if a file names it.
    """
    lines = ["[package]", f'name = "{PACKAGE}"', 'edition = "2024"', "", "[lib]", 'path = "empty.rs"', ""]
    lines += ["[dependencies]", f"burn = {burn}", f"serde = {json.dumps('1')}"]
    lines += [f'burn-onnx = "{minor}"'] * any("burn_onnx::" in each.read_text("utf-8") for each in sources)
    lines.append("")
    for number, source in enumerate(sources):
        lines += ["[[example]]", f'name = "case_{number}"', f"path = {json.dumps(source.as_posix())}"]
        lines += ['crate-type = ["lib"]', ""]
    return "\n".join(lines)


def problems(
    manifest: Path,
    sources: Sequence[Path],
    environment: Mapping[str, str],
    package: str = PACKAGE,
    command: str = "build",
) -> Iterator[str]:
    """One line for each file that rustc does not refuse in the way that it says, and each place of it."""
    cargo = ["cargo", command, "--examples", "--keep-going", "--quiet", "--message-format", "json"]
    cargo += ["--manifest-path", str(manifest), "--package", package]
    ran = subprocess.run(cargo, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    errors: dict[str, list[dict]] = {}  # type: ignore[type-arg]
    for line in ran.stdout.splitlines():
        record = json.loads(line)
        if record.get("reason") == "compiler-message" and record["message"]["level"] == "error":
            errors.setdefault(record["target"]["src_path"], []).append(record["message"])
    if not errors and sources:
        yield f"cargo did not get to the files that must not compile:\n{ran.stderr}"
        return
    for source in sources:
        found = [each for each in errors.get(str(source), []) if each["spans"]]
        yield from (f"{source}: {each}" for each in _of_file(source, found))


def _of_file(source: Path, errors: list[dict]) -> Iterator[str]:  # type: ignore[type-arg]
    text = source.read_text(encoding="utf-8")
    expected = expected_errors(text)
    if not expected:
        yield 'the first lines lack `//@ error = "E0000"`'
    met = set()
    paragraphs = _paragraphs(text)
    lines = text.splitlines()
    marked = {
        paragraphs[number - len(match[1])]
        for number, line in enumerate(lines, 1)
        for match in _MARK.finditer(line)
    }
    hit = set()
    for error in errors:
        code = (error.get("code") or {}).get("code")
        said = error["message"] + "".join(child["message"] for child in error["children"])
        agreed = {each for each in expected if each == code or (code is None and each in said)}
        met |= agreed
        at = {paragraphs[line] for span in error["spans"] for line in _lines_of(span, str(source))}
        if not agreed or not at & marked:
            yield f"{min(at, default=0)}: rustc says `{code or ''} {error['message']}`, which no mark expects"
        hit |= at
    yield from (f"rustc does not say {each!r}" for each in sorted(expected - met))
    yield from (f"{each}: rustc has nothing against this paragraph" for each in sorted(marked - hit))


def _paragraphs(text: str) -> dict[int, int]:
    """For each line the first line of its paragraph (lines without an empty one between)."""
    found: dict[int, int] = {}
    start = 1
    for number, line in enumerate(text.splitlines(), 1):
        start = start if line.strip() else number + 1
        found[number] = start
    return found


def _lines_of(span: dict, path: str) -> Iterator[int]:  # type: ignore[type-arg]
    """The lines of the file that a span, or the macro call that it comes from, begins on."""
    at: dict | None = span  # type: ignore[type-arg]
    while at is not None:
        if at["file_name"] == path:
            yield at["line_start"]
        at = (at.get("expansion") or {}).get("span")
