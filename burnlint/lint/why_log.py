"""A log as messages: rustc's diagnostics (as text or as Cargo's JSON), panics with their backtraces, and the
paragraphs between them, each with the places that it names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "panic", "plain", "warning"]

MAX_LINE = 8_000
"""Characters of a line that are looked at: data printed by a program may have no line feed for megabytes."""

_NOISE = re.compile(
    r"\x1b\[[0-9;]*[A-Za-z]"  # colours
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # links
    r"|^\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z (?:##\[\w+\])?"  # time stamps of CI
    r"|^#\d+ \d+\.\d+ "  # steps of a container build
)
_DIAGNOSTIC = re.compile(r"\s{0,2}(error|warning)(?:\[(E\d{4})\])?: ")
_PANIC = re.compile(r"\s*thread '[^'\n]*'(?: \(\d+\))? (?:\(\d+\) )?panicked at ")
_PANIC_ENDS = re.compile(r"\s*note: (?:run with|[Ss]ome details are omitted)")
_PLACES = (
    re.compile(r"^\s*--> (.+?):([0-9]{1,9})(?::\d+)?\s*$", re.MULTILINE),
    re.compile(r"panicked at (?:'[^'\n]*', )?([^\n']+?):([0-9]{1,9}):\d+:?\s*$", re.MULTILINE),
    re.compile(r"^\s+at (.+?):([0-9]{1,9})(?::\d+)?\s*$", re.MULTILINE),
)


@dataclass(slots=True)
class Message:
    """One message of a log. `code` is rustc's (E0382); `places` are (path as written, line), the message's own
    before those of its notes and of the backtrace."""

    level: Level
    text: str
    code: str | None = None
    places: list[tuple[str, int]] = field(default_factory=list)


def messages(log: str) -> list[Message]:
    """The messages of a log, in order."""
    out: list[Message] = []
    lines: list[str] = []
    for line in log.splitlines():
        if line.lstrip().startswith("{"):
            made = _from_json(line)
            if made is not None:
                out += _from_text(lines)
                lines = []
                out += made
                continue
        lines.append(_NOISE.sub("", line[:MAX_LINE]).rstrip())
    return out + list(_from_text(lines))


def _from_json(line: str) -> list[Message] | None:
    """What a line of Cargo's or rustc's JSON says: no message for other records, None if it is no JSON of
    theirs."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    if record.get("reason") == "compiler-message":
        record = record.get("message")
        if not isinstance(record, dict):
            return []
    elif "reason" in record:
        return []
    if not ("message" in record and "level" in record and isinstance(record.get("spans"), list)):
        return None
    return _of_diagnostic(record)


def _of_diagnostic(record: dict[str, Any]) -> list[Message]:
    level = str(record["level"])
    if level not in ("error", "warning"):
        return []
    rendered = record.get("rendered")
    text = rendered if isinstance(rendered, str) else _rendered(record)
    text = "\n".join(_NOISE.sub("", each[:MAX_LINE]) for each in text.splitlines())
    code = record.get("code")
    name = code.get("code") if isinstance(code, dict) else None
    places = []
    for span in sorted(
        (each for each in record["spans"] if isinstance(each, dict)), key=lambda s: not s.get("is_primary")
    ):
        path, at = span.get("file_name"), span.get("line_start")
        if isinstance(path, str) and isinstance(at, int):
            places.append((path, at))
    is_error = name if isinstance(name, str) and re.fullmatch(r"E\d{4}", name) else None
    return [
        Message("error" if level == "error" else "warning", text, is_error, _once([*places, *_places(text)]))
    ]


def _rendered(record: dict[str, Any]) -> str:
    """The texts of a diagnostic that nobody rendered."""
    children = [each for each in record.get("children") or [] if isinstance(each, dict)]
    labels = [each.get("label") for each in record["spans"] if isinstance(each, dict)]
    return "\n".join(
        str(each) for each in [record["message"], *labels, *(c.get("message") for c in children)] if each
    )


def _from_text(lines: list[str]) -> Iterator[Message]:
    level: Level = "plain"
    code: str | None = None
    held: list[str] = []

    def made() -> Iterator[Message]:
        text = "\n".join(held).strip("\n")
        if text.strip():
            yield Message(level, text, code, _once(_places(text)))

    for line in lines:
        diagnostic = _DIAGNOSTIC.match(line)
        panic = _PANIC.match(line) if diagnostic is None else None
        ends = level == "plain" and not line.strip()
        if diagnostic or panic or ends:
            yield from made()
            held = []
            if diagnostic:
                level, code = ("error" if diagnostic[1] == "error" else "warning"), diagnostic[2]
            elif panic:
                level, code = "panic", None
        held.append(line)
        if level == "panic" and _PANIC_ENDS.match(line):
            yield from made()
            level, code, held = "plain", None, []
    yield from made()


def _places(text: str) -> list[tuple[str, int]]:
    return [(match[1], int(match[2])) for pattern in _PLACES for match in pattern.finditer(text)]


def _once(places: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return list(dict.fromkeys(places))
