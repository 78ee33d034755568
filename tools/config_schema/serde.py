"""The TOML that serde reads into a Rust type, as far as derives say it.

A schema is JSON: the name of a plain type (`bool`, `u8`, `f64`, `string`, `any`), a table
`{"fields": {name: schema}, "deny": true}` (`deny`: unknown keys are errors), or an enum
`{"words": [..], "keyed": {word: schema}}` (`keyed`: variants with a value, written as a table of one key).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tree_sitter import Node

from burnlint.rust import parser
from tools.api.source import derives, field, name_of, text, with_attributes

Schema = Any

_NUMBERS = frozenset(f"{sign}{size}" for sign in "ui" for size in ("8", "16", "32", "64", "size")) | {
    "f32",
    "f64",
}
_STRINGS = frozenset({"String", "PathBuf", "std::path::PathBuf"})


class Definitions:
    """The structs and enums that derive Deserialize, by name, of the files below some folders. `unknown` fills
    with the types of fields that are none of them: they may hold anything."""

    def __init__(self, folders: list[Path]) -> None:
        self._found: dict[str, tuple[Node, tuple[str, ...]]] = {}
        self.unknown: set[str] = set()
        for folder in folders:
            for path in sorted(folder.rglob("*.rs")):
                content = path.read_bytes()
                if b"Deserialize" in content:
                    self._read(parser.parse(content).root_node)

    def _read(self, body: Node) -> None:
        for node, attrs in with_attributes(body):
            if node.type in ("struct_item", "enum_item") and "Deserialize" in derives(attrs):
                self._found.setdefault(name_of(node), (node, attrs))

    def has(self, name: str) -> bool:
        return name in self._found

    def schema(self, rust: str, generics: Mapping[str, str] | None = None) -> Schema:
        """The schema of a type as Rust writes it."""
        rust = (generics or {}).get(rust, rust).strip()
        head, _, inner = rust.partition("<")
        args = [part.strip() for part in inner.removesuffix(">").split(",")] if inner else []
        name = head.rpartition("::")[2]
        if name == "Option" and args:
            return self.schema(args[0], generics)
        if rust == "bool" or rust in _NUMBERS:
            return rust
        if rust in _STRINGS:
            return "string"
        if name in ("Vec", "HashMap", "BTreeMap"):
            return "any"
        if name not in self._found:
            self.unknown.add(rust)
            return "any"
        node, attrs = self._found[name]
        args = [(generics or {}).get(each, each) for each in args]
        return self._enum(node, attrs) if node.type == "enum_item" else self._struct(node, attrs, args)

    def _struct(self, node: Node, attrs: tuple[str, ...], args: list[str]) -> Schema:
        body = field(node, "body")
        if body is None or body.type != "field_declaration_list":
            return "any"
        names = re.findall(r"\w+(?=\s*[:,>])", text(field(node, "type_parameters")))
        generics = dict(zip(names, args, strict=False))
        fields: dict[str, Schema] = {}
        for each, own in with_attributes(body):
            if each.type != "field_declaration":
                continue
            serde = _serde(own)
            if "skip" in serde or "skip_deserializing" in serde:
                continue
            found = self.schema(text(field(each, "type")), generics)
            for name in [serde.get("rename", name_of(each)), *filter(None, [serde.get("alias")])]:
                fields[name] = found
        return {"fields": dict(sorted(fields.items()))} | (
            {"deny": True} if "deny_unknown_fields" in _serde(attrs) else {}
        )

    def _enum(self, node: Node, attrs: tuple[str, ...]) -> Schema:
        case = _serde(attrs).get("rename_all", "")
        if "tag" in _serde(attrs) or "untagged" in _serde(attrs):
            return "any"
        words, keyed = [], {}
        body = field(node, "body")
        assert body is not None
        for each, own in with_attributes(body):
            if each.type != "enum_variant":
                continue
            serde = _serde(own)
            word = serde.get("rename") or _cased(name_of(each), case)
            inner = field(each, "body")
            if inner is None:
                words += [word, *filter(None, [serde.get("alias")])]
            else:
                types = [text(part) for part in inner.named_children if "attribute" not in part.type]
                keyed[word] = self.schema(types[0]) if inner.type.startswith("ordered") else "any"
        return {"words": words} | ({"keyed": keyed} if keyed else {})


def _serde(attrs: tuple[str, ...]) -> dict[str, str]:
    """What the `#[serde(..)]` attributes say: a word alone has an empty value."""
    found: dict[str, str] = {}
    for attribute in attrs:
        inner = re.match(r"serde\((.*)\)$", attribute, re.DOTALL)
        for word, value in re.findall(r'(\w+)(?:\s*=\s*"([^"]*)")?', inner[1]) if inner else ():
            found[word] = value
    return found


def _cased(name: str, case: str) -> str:
    words = [word.lower() for word in re.findall(r"[A-Z][a-z0-9]*", name)]
    joined = {"lowercase": "".join(words), "snake_case": "_".join(words), "kebab-case": "-".join(words)}
    return joined.get(case, name)
