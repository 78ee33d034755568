"""What cubecl.toml and burn.toml may hold in each version of the crates that read them.

The schemas are generated from the released sources by `python -m tools.config_schema`; what they are made of is said
in tools/config_schema/serde.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from burnlint.cargo.semver import Version

DATA = Path(__file__).parent / "data/config_schema.json"

Reader = Literal["cubecl", "burn"]
"""Whose configuration: that of cubecl-runtime, that of burn-std."""
Key = tuple[str, ...]


class Fault(NamedTuple):
    """A place that a version does not read as it is written: a key that it does not know, or a value.

    `fatal`: the whole configuration is refused for it. `expected` says what may stand there.
    """

    path: Key
    unknown: bool
    fatal: bool
    expected: tuple[str, ...]


@cache
def _data() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return loaded


@cache
def _table(reader: Reader) -> dict[Version, int]:
    return {Version.parse(text): index for text, index in _data()[reader]["versions"].items()}


def schema(reader: Reader, version: Version) -> Any:
    """The schema in a version; None where it is not known."""
    table = _table(reader)
    index = table.get(version)
    if index is None:
        below = [v for v in table if v <= version and (v.major, v.minor) == (version.major, version.minor)]
        index = table[max(below)] if below else None
    return None if index is None else _data()[reader]["schemas"][index]


def older(reader: Reader, version: Version) -> list[tuple[Version, Any]]:
    """The schemas of the releases below, the newest first."""
    found = [v for v in sorted(_table(reader), reverse=True) if v < version and not v.pre]
    return [(v, _data()[reader]["schemas"][_table(reader)[v]]) for v in found]


def newer(reader: Reader, version: Version) -> list[tuple[Version, Any]]:
    """The schemas of the releases above, the oldest first."""
    found = [v for v in sorted(_table(reader)) if v > version and not v.pre]
    return [(v, _data()[reader]["schemas"][_table(reader)[v]]) for v in found]


def around(reader: Reader, version: Version) -> list[Any]:
    """The schemas that a pre-release may have: what bears its number comes from git as a rule, and may be anything
    between the version before it and the one after. None for a side on which there is no version. Those of a release:
    none but its own, and so an empty list."""
    if not version.pre:
        return []
    table = _table(reader)
    beside = (
        max((v for v in table if v < version), default=None),
        min((v for v in table if v > version), default=None),
    )
    return [_data()[reader]["schemas"][table[v]] if v is not None else None for v in beside]


def faults(value: Any, schema: Any, path: Key = ()) -> Iterator[Fault]:
    """What a schema does not admit, in the order of the file. A part of which nothing is known is admitted."""
    if isinstance(schema, str):
        if not _is_plain(value, schema):
            yield Fault(path, False, True, (_WORDS.get(schema, "a whole number"),))
    elif "words" in schema:
        yield from _of_words(value, schema, path)
    elif not isinstance(value, Mapping):
        yield Fault(path, False, True, ("a table",))
    else:
        for key, inner in value.items():
            if key in schema["fields"]:
                yield from faults(inner, schema["fields"][key], (*path, key))
            else:
                yield Fault((*path, key), True, "deny" in schema, tuple(schema["fields"]))


def admits(value: Any, schema: Any, path: Key) -> bool:
    """Whether a schema admits the value that stands at a path of its own."""
    for key in path:
        fields = schema.get("fields") if isinstance(schema, Mapping) else None
        if not fields or key not in fields:
            return bool(schema == "any")
        schema = fields[key]
    return not any(True for _ in faults(value, schema))


_WORDS = {"bool": "`true` or `false`", "string": "a string", "f32": "a number", "f64": "a number"}


def _of_words(value: Any, schema: Any, path: Key) -> Iterator[Fault]:
    keyed = schema.get("keyed", {})
    if isinstance(value, Mapping) and len(value) == 1 and (key := next(iter(value))) in keyed:
        yield from faults(value[key], keyed[key], (*path, key))
    elif not isinstance(value, str) or value not in schema["words"]:
        yield Fault(path, False, True, tuple(f'"{word}"' for word in schema["words"]))


def _is_plain(value: Any, schema: str) -> bool:
    if schema == "any":
        return True
    if schema in ("bool", "string"):
        return isinstance(value, bool if schema == "bool" else str)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if schema.startswith("f"):
        return True
    bits = schema[1:].replace("size", "64")
    low, high = (0, 2 ** int(bits)) if schema[0] == "u" else (-(2 ** (int(bits) - 1)), 2 ** (int(bits) - 1))
    return isinstance(value, int) and low <= value < high
