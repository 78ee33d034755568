"""A copy of a package and what Cargo says of it: errors, and rustc's own types."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.soundness import thir
from tools.soundness.thir import Row
from tools.soundness.wrapper import OUT

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Label:
    """A span of a diagnostic, in bytes of the file as compiled."""

    path: str
    start: int
    end: int
    primary: bool
    text: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """An error of rustc. `labels` hold the places in the package, those that a macro was called from
    included."""

    code: str
    message: str
    labels: tuple[Label, ...]
    notes: tuple[str, ...] = ()

    @property
    def primary(self) -> Label | None:
        """Where rustc puts the error."""
        return next((label for label in self.labels if label.primary), None)


class CargoError(Exception):
    """Cargo could not do its work, for a reason that no source file is to blame for."""


@dataclass
class Copy:
    """A package under a folder of its own, which is overwritten."""

    folder: Path
    target: Path
    """Cargo's target folder."""
    arguments: Sequence[str] = ("--all-targets",)
    jobs: int = 2
    runs: int = field(default=0, init=False)
    incomplete: int = field(default=0, init=False)
    """Targets whose THIR rustc did not print to the end."""

    @classmethod
    def of(cls, package: Path, folder: Path, target: Path, arguments: Sequence[str], jobs: int) -> Copy:
        """A fresh copy. Raises CargoError where there is no package."""
        if not (package / "Cargo.toml").is_file():
            raise CargoError(f"{package}: no Cargo.toml")
        lock = folder / "Cargo.lock"
        kept = lock.read_bytes() if lock.is_file() else None
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(package, folder, ignore=shutil.ignore_patterns("target", ".git"))
        if kept is not None and not lock.is_file():
            lock.write_bytes(kept)
        gather(folder)
        return cls(folder.resolve(), target, arguments, jobs)

    def write(self, path: str, content: bytes) -> None:
        """Write a file of the copy, unless it holds just that."""
        file = self.folder / path
        if file.read_bytes() != content:
            file.write_bytes(content)

    def check(self) -> list[Diagnostic]:
        """The errors of `cargo check`, each once. Raises CargoError if Cargo itself fails."""
        return list(dict.fromkeys(self._check({})))

    def types(self) -> list[Row]:
        """rustc's types of all bindings and expressions of the targets that compile.

        Paths are relative to the copy. The types are kept beside the copy for the next run.
        """
        out = self.folder.parent / "thir"
        mark = out / "sources"
        state = self._state()
        if not mark.is_file() or mark.read_text() != state:
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            for path in self.folder.rglob("*.rs"):
                path.touch()
            self._check({OUT: str(out)})
            mark.write_text(state)
        found: dict[Row, None] = {}
        for file in sorted(out.glob("*.rows")):
            found.update(dict.fromkeys(self._rows(file)))
        return list(found)

    def _state(self) -> str:
        """A digest of all that the types hang on."""
        digest = hashlib.sha256(repr(self.arguments).encode())
        for path in sorted([*self.folder.rglob("*.rs"), *self.folder.rglob("Cargo.*")]):
            digest.update(path.as_posix().encode() + path.read_bytes())
        return digest.hexdigest()

    def _rows(self, file: Path) -> Iterator[Row]:
        with file.open(encoding="utf-8") as lines:
            cwd = Path(next(lines).strip())
            for row in thir.read(lines):
                if row is None:
                    self.incomplete += 1
                    continue
                path = Path(os.path.normpath(cwd / row.place.path))
                if path.is_relative_to(self.folder):
                    name = path.relative_to(self.folder).as_posix()
                    yield Row(thir.Place(name, row.place.start, row.place.end), row.name, row.type)

    def _check(self, environment: dict[str, str]) -> list[Diagnostic]:
        self.runs += 1
        started = time.monotonic()
        wrapper = self.target / "soundness-wrapper"
        self.target.mkdir(parents=True, exist_ok=True)
        script = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tools.soundness.wrapper "$@"\n'
        if not wrapper.is_file() or wrapper.read_text() != script:
            wrapper.write_text(script)
            wrapper.chmod(0o755)
        command = [
            "cargo",
            "check",
            f"-j{self.jobs}",
            "--keep-going",
            "--message-format=json",
            *self.arguments,
        ]
        run = subprocess.run(
            command,
            cwd=self.folder,
            env={
                **os.environ,
                "CARGO_TARGET_DIR": str(self.target),
                "RUSTC_WORKSPACE_WRAPPER": str(wrapper),
                "PYTHONPATH": str(ROOT),
                "CARGO_INCREMENTAL": "1",
                **environment,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        found = list(self._errors(run.stdout))
        seconds = time.monotonic() - started
        print(f"cargo check {self.runs}: {len(found)} errors, {seconds:.0f} s", file=sys.stderr, flush=True)
        if run.returncode and not found:
            raise CargoError(f"{' '.join(command)} in {self.folder}:\n{run.stderr[-3000:]}")
        return found

    def _errors(self, output: str) -> Iterator[Diagnostic]:
        for line in output.splitlines():
            if line.startswith("{"):
                message = json.loads(line)
                if message["reason"] == "compiler-message" and message["message"]["level"].startswith(
                    "error"
                ):
                    yield diagnostic(message["message"], self.folder)


_ABSOLUTE = re.compile(r'path = "(/[^"]+\.rs)"')


def gather(folder: Path) -> None:
    """Brings in the sources that a package names by absolute paths, as those of `tools.fixtures` do.

    Of a module that is its file, of a target the folder of its root.
    """
    for file in sorted([*folder.rglob("*.rs"), *folder.rglob("Cargo.toml")]):
        text = file.read_text(encoding="utf-8")
        for number, name in enumerate(dict.fromkeys(_ABSOLUTE.findall(text))):
            source = Path(name)
            if source.is_relative_to(folder):
                continue
            owner = re.sub(r"\W", "-", file.relative_to(folder).as_posix())
            inside = folder.resolve() / "gathered" / owner / str(number)
            if file.name == "Cargo.toml":
                shutil.copytree(source.parent, inside, dirs_exist_ok=True)
            else:
                inside.mkdir(parents=True)
                shutil.copy(source, inside)
            text = text.replace(f'"{name}"', f'"{(inside / source.name).as_posix()}"')
        if text != file.read_text(encoding="utf-8"):
            file.write_text(text, encoding="utf-8")


def diagnostic(message: dict[str, Any], folder: Path) -> Diagnostic:
    """A message of rustc's JSON."""
    labels: list[Label] = []
    for span in message["spans"]:
        at: dict[str, Any] | None = span
        while at is not None:
            path = Path(os.path.normpath(folder / at["file_name"]))
            if path.is_relative_to(folder):
                name = path.relative_to(folder).as_posix()
                labels.append(
                    Label(name, at["byte_start"], at["byte_end"], span["is_primary"], span["label"] or "")
                )
            at = at["expansion"]["span"] if at["expansion"] else None
    notes = tuple(child["message"] for child in message["children"] if child["level"] == "note")
    code = message["code"]["code"] if message["code"] else ""
    return Diagnostic(code, message["message"], tuple(labels), notes)
