"""Changes of a manifest as replacements of bytes: whatever is not replaced stays, comments and line
endings included."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from burnlint.cargo.manifest import Manifest, Path


@dataclass(slots=True, frozen=True)
class Replacement:
    """Bytes `[start, end)` of the manifest are replaced by `text`."""

    start: int
    end: int
    text: str


def add_features(manifest: Manifest, entry: Path, names: Sequence[str]) -> list[Replacement]:
    """Adds `names` to the features of a dependency entry, however it is written."""
    value = manifest.get(entry)
    strings = [json.dumps(name) for name in names]
    listed = f"features = [{', '.join(strings)}]"
    if isinstance(value, str):
        start, end = manifest.value_span(entry)
        return [Replacement(start, end, f"{{ version = {manifest.text.decode(start, end)}, {listed} }}")]
    if isinstance(value, dict) and isinstance(value.get("features"), list):
        return append_strings(manifest, (*entry, "features"), names)
    if manifest.kind(entry) == "inline":
        return _into_inline_table(manifest, entry, listed)
    return _as_new_line(manifest, entry, listed)


def add_entry_beside(manifest: Manifest, entry: Path, name: str, requirement: str) -> Replacement:
    """Adds a dependency to the table that holds `entry`, after it."""
    value = manifest.get(entry)
    kind = manifest.kind(entry)
    last = _end(manifest, entry) if isinstance(value, dict) else manifest.value_span(entry)[1]
    _, end = manifest.text.line_span(manifest.text.line(last))
    if kind == "table":
        table = manifest.text.decode(*_header(manifest, entry)).rpartition(".")[0]
        return Replacement(end, end, f"\n\n{table}.{name}]\nversion = {json.dumps(requirement)}")
    indent = _indent_of(manifest, manifest.key_span(entry)[0])
    return Replacement(end, end, f"\n{indent}{name} = {json.dumps(requirement)}")


def _header(manifest: Manifest, table: Path) -> tuple[int, int]:
    """The bytes of a table's header up to the end of its last key."""
    start, end = manifest.key_span(table)
    line, _ = manifest.text.line_span(manifest.text.line(start))
    return line, end


def append_strings(manifest: Manifest, array: Path, names: Sequence[str]) -> list[Replacement]:
    """Appends strings to an array in its own layout."""
    strings = [json.dumps(name) for name in names]
    elements = manifest.get(array)
    start, end = manifest.value_span(array)
    if not elements:
        return [Replacement(start + 1, start + 1, ", ".join(strings))]
    first, _ = manifest.value_span((*array, 0))
    last_start, last = manifest.value_span((*array, len(elements) - 1))
    text = manifest.text
    line_start, line_end = text.line_span(text.line(last))
    if text.line(start) == text.line(last) or text.line(last) == text.line(end):
        return [Replacement(last, last, "".join(f", {s}" for s in strings))]
    between = text.content[last : end - 1]
    comma = _comma(between)
    own_line = text.content[line_start:last_start].isspace() or line_start == last_start
    indent = text.decode(line_start, last_start) if own_line else _indent_of(manifest, first)
    lines = [f"\n{indent}{s}" for s in strings]
    if comma is None and last == line_end:
        return [Replacement(last, last, f",{','.join(lines)}")]
    if comma is None:
        return [Replacement(last, last, ","), Replacement(line_end, line_end, ",".join(lines))]
    at = max(line_end, text.line_span(text.line(last + comma))[1])
    return [Replacement(at, at, "".join(f"{line}," for line in lines))]


def remove_element(manifest: Manifest, array: Path, index: int) -> Replacement:
    """Takes one element out of an array; a line of its own goes with its comment."""
    count = len(manifest.get(array))
    spans = [manifest.value_span((*array, i)) for i in range(count)]
    start, end = spans[index]
    text = manifest.text
    line_start, line_end = text.line_span(text.line(start))
    alone = text.content[line_start:start].isspace() or line_start == start
    rest = text.content[end:line_end].lstrip(b" \t,")
    if alone and text.line(start) == text.line(end) and (not rest or rest.startswith(b"#")):
        _, array_end = manifest.value_span(array)
        if array_end > line_end:
            following, _ = text.line_span(text.line(end) + 1)
            return Replacement(line_start, following, "")
    if index + 1 < count:
        return Replacement(start, spans[index + 1][0], "")
    if index:
        return Replacement(spans[index - 1][1], end, "")
    return Replacement(start, end, "")


def _comma(between: bytes) -> int | None:
    """Where the trailing comma of an array stands, after its last element; comments may hold commas."""
    in_comment = False
    for index, byte in enumerate(between):
        if byte == 0x23:
            in_comment = True
        elif byte == 0x0A:
            in_comment = False
        elif byte == 0x2C and not in_comment:
            return index
    return None


def _indent_of(manifest: Manifest, offset: int) -> str:
    start, _ = manifest.text.line_span(manifest.text.line(offset))
    line = manifest.text.decode(start, offset)
    return line[: len(line) - len(line.lstrip())]


def _into_inline_table(manifest: Manifest, entry: Path, pair: str) -> list[Replacement]:
    start, _ = manifest.value_span(entry)
    keys = [(*entry, key) for key in manifest.get(entry)]
    if not keys:
        return [Replacement(start + 1, start + 1, f" {pair} ")]
    last = max(_end(manifest, key) for key in keys)
    text = manifest.text
    if text.line(start) == text.line(last):
        return [Replacement(last, last, f", {pair}")]
    return [Replacement(last, last, f",\n{_indent_of(manifest, last)}{pair}")]


def _as_new_line(manifest: Manifest, entry: Path, pair: str) -> list[Replacement]:
    """A line after the last key of a table with its own header, or of dotted keys."""
    keys = [(*entry, key) for key in manifest.get(entry) or ()]
    last = max((_end(manifest, key) for key in keys), default=manifest.key_span(entry)[1])
    start, end = manifest.text.line_span(manifest.text.line(last))
    indent = _indent_of(manifest, last) if keys else ""
    prefix = ""
    if manifest.kind(entry) == "dotted":
        written = manifest.text.decode(start, end).strip()
        prefix = written[: written.index(".") + 1]
    return [Replacement(end, end, f"\n{indent}{prefix}{pair}")]


def _end(manifest: Manifest, path: Path) -> int:
    """Where a value ends; of dotted keys, where the last of them does."""
    value = manifest.get(path)
    if isinstance(value, dict) and manifest.kind(path) != "inline":
        return max((_end(manifest, (*path, key)) for key in value), default=manifest.key_span(path)[1])
    return manifest.value_span(path)[1]
