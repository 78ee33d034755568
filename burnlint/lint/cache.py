"""What earlier runs found, by parts: a folder of files that nothing depends on.

An entry is kept under everything that is known before a part is judged (the rules, the settings, Cargo's side of
the project) and names all that was read while it was judged, absent files included, so that it holds exactly as
long as all of that is as it was. A new state of the same files replaces it, so the folder does not grow with the
edits. Whatever goes wrong with the folder costs time and nothing else.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import burnlint
from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
from burnlint.lint.parts import Found, Part
from burnlint.lint.protocol import Input
from burnlint.lint.registry import Registry

_FORM = 1
"""Raised when what an entry holds changes."""


def digest(*parts: object) -> str:
    """One identity for some values, by their text."""
    made = blake2b(digest_size=20)
    for part in parts:
        text = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        made.update(b"%d:%b" % (len(text), text))
    return made.hexdigest()


def default_folder() -> Path:
    """The user's cache folder of this system, or what `BURNLINT_CACHE_DIR` says."""
    if given := os.environ.get("BURNLINT_CACHE_DIR"):
        return Path(given)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base, "burnlint").expanduser()


@lru_cache(maxsize=1)
def code_digest(registry: Registry) -> str:
    """What the code that judges is: burnlint's own files, the rules, the parser, by name, size and time. A process
    keeps the code that it began with."""
    here = Path(burnlint.__file__).parent
    files = {each for each in here.rglob("*") if each.suffix in (".py", ".txt", ".toml", ".json")}
    for folder in {Path(loaded.module.__file__ or "").parent for loaded in registry.rules}:
        files.update(folder.glob("*.py"))
    for name in ("tree_sitter", "tree_sitter_rust", "tomlkit"):
        found = find_spec(name)
        files.update([Path(found.origin)] if found is not None and found.origin else [])
    stats = [(str(each), each.stat()) for each in sorted(files)]
    return digest(_FORM, burnlint.__version__, sys.version, [(p, s.st_size, s.st_mtime_ns) for p, s in stats])


class Cache:
    """A folder of entries. Several processes may use it at once: an entry is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> tuple[Part, list[Input]] | None:
        """The entry of a key; None where there is none that can be read."""
        try:
            check, _, body = self._path(key).read_bytes().partition(b"\n")
            if check != digest(body).encode():
                return None
            stored = json.loads(body)
            return _part(stored["part"]), [Input(*each) for each in stored["inputs"]]
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def put(self, key: str, part: Part, inputs: Iterable[Input]) -> None:
        """Keep an entry, if the folder can be written."""
        body = json.dumps({"part": _stored(part), "inputs": list(inputs)}).encode()
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._mark()
            handle, name = tempfile.mkstemp(dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(digest(body).encode() + b"\n" + body)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError:
            return

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]

    def _mark(self) -> None:
        """Keep backups and version control away."""
        for name, text in (
            (
                "CACHEDIR.TAG",
                "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by burnlint.\n",
            ),
            (".gitignore", "*\n"),
        ):
            if not (self._folder / name).exists():
                (self._folder / name).write_text(text, encoding="utf-8")


def _stored(part: Part) -> dict[str, Any]:
    sets: dict[frozenset[str], int] = {}
    ran = {path: sets.setdefault(frozenset(codes), len(sets)) for path, codes in part.ran.items()}
    return {
        "sets": [sorted(codes) for codes in sets],
        "ran": ran,
        "found": [
            [each.code, each.severity, each.confidence, each.item, _stored_finding(each.finding)]
            for each in part.found.values()
        ],
    }


def _stored_finding(finding: Finding) -> dict[str, Any]:
    fix = finding.fix
    return {
        "place": _stored_place(finding.place),
        "message": finding.message,
        "help": finding.help,
        "because": [[_stored_place(each.place), each.message] for each in finding.because],
        "fix": fix and [fix.title, [[_stored_place(each.place), each.text] for each in fix.edits], fix.safe],
        "severity": finding.severity,
        "confidence": finding.confidence,
        "hidden": [_stored_place(each) for each in finding.hidden],
    }


def _stored_place(place: Place) -> list[str | int]:
    return [place.path, place.start, place.end]


def _part(stored: dict[str, Any]) -> Part:
    part = Part()
    sets = [set(codes) for codes in stored["sets"]]
    for path, at in stored["ran"].items():
        part.ran[path] = sets[at].copy()
    for code, severity, confidence, item, finding in stored["found"]:
        part.take(Found(code, _finding(finding), severity, confidence, item))
    return part


def _finding(stored: dict[str, Any]) -> Finding:
    fix = stored["fix"]
    return Finding(
        Place(*stored["place"]),
        stored["message"],
        stored["help"],
        tuple(Because(Place(*place), message) for place, message in stored["because"]),
        fix and Fix(fix[0], tuple(Edit(Place(*place), text) for place, text in fix[1]), fix[2]),
        stored["severity"],
        stored["confidence"],
        tuple(Place(*each) for each in stored["hidden"]),
    )
