"""All versions in one file: a line per item, in order, each value with the range of versions in which it
holds.

A line is `KEY<TAB>JSON`. Keys: `V` versions, crates and gaps; `T`, `R`, `A` with the key of a type, trait or
alias; `m KEY NAME` its method; `F PATH` a function; `P PATH` the names that a module exports; `I TRAIT` its
impls; `S NAME` the traits whose impls set an associated type; `M NAME` who has a method of that name. A range
is `[value, since, until]` with indices into the list of versions; `until` 0 means still there. The loader
(`burnlint.burn.api`) finds lines by bisection and decodes one when it is first asked for, so size costs
little.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Ranged = list[list[Any]]
_MEMBERS = {"fields": "f", "variants": "v"}


def merge(tables: list[Mapping[str, Any]]) -> str:
    """The merged file for tables in order of version, oldest first."""
    lines: dict[str, Any] = {
        "V": {
            "versions": [t["version"] for t in tables],
            "crates": _each([t["crates"] for t in tables]),
            "gaps": _ranged(t["gaps"] for t in tables),
        }
    }
    for section, letter in (("types", "T"), ("traits", "R"), ("aliases", "A")):
        for key in _keys(t[section] for t in tables):
            items = [t[section].get(key, {}) for t in tables]
            lines[f"{letter} {key}"] = _item(items)
            for name, ranged in _each([item.get("methods", {}) for item in items]).items():
                lines[f"m {key} {name}"] = ranged
    for path in _keys(t["functions"] for t in tables):
        lines[f"F {path}"] = _ranged(t["functions"].get(path) for t in tables)
    for path in _keys(t["modules"] for t in tables):
        lines[f"P {path}"] = _each([t["modules"].get(path, {}) for t in tables])
    for trait in _keys(t["impls"] for t in tables):
        lines[f"I {trait}"] = _each([t["impls"].get(trait, {}) for t in tables])
    for assoc, traits in _setters(tables).items():
        lines[f"S {assoc}"] = traits
    for method, owners in _owners(tables).items():
        lines[f"M {method}"] = owners
    return "".join(f"{key}\t{_json(lines[key])}\n" for key in sorted(lines, key=str.encode))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _keys(maps: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted({key for each in maps for key in each})


def _ranged(values: Iterable[Any]) -> Ranged:
    """One range per run of equal values, in order; None is no value."""
    out: Ranged = []
    before = None
    for at, value in enumerate(values):
        if value is None or value != before:
            if before is not None:
                out[-1][2] = at
            if value is not None:
                out.append([value, at, 0])
        before = value
    return out


def _each(parts: Sequence[Mapping[str, Any]]) -> dict[str, Ranged]:
    """The ranges of every key of mappings, one of each version."""
    return {key: _ranged(part.get(key) for part in parts) for key in _keys(parts)}


def _item(versions: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Head, fields and variants of a type, trait or alias over the versions."""
    apart = {*_MEMBERS, "methods"}
    heads = [{k: v for k, v in item.items() if k not in apart} for item in versions]
    line: dict[str, Any] = {"head": {key: _ranged(h.get(key) for h in heads) for key in _keys(heads)}}
    for name, letter in _MEMBERS.items():
        found = _each([item.get(name, {}) for item in versions])
        if found:
            line[letter] = found
    return line


def _setters(tables: list[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The traits whose impls have ever set an associated type, by its name."""
    found: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for trait, impls in table["impls"].items():
            for impl in impls.values():
                for assoc in impl.get("assoc", {}):
                    found[assoc].add(trait)
    return {assoc: sorted(traits) for assoc, traits in sorted(found.items())}


def _owners(tables: list[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Which types and traits have ever had a method, by its name."""
    found: dict[str, set[str]] = defaultdict(set)
    for table in tables:
        for section in ("types", "traits"):
            for key, item in table[section].items():
                for method in item.get("methods", {}):
                    found[method].add(key)
    return {method: sorted(keys) for method, keys in sorted(found.items())}
