"""The head of a function, read from its syntax node."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from burnlint.rust.types import Span, TypeExpr
from burnlint.rust.typesyntax import name_of, read_type, text_of


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a function, without self. `name` is None for a pattern that is no plain binding."""

    name: str | None
    type: TypeExpr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function's head says, without its generics."""

    self_mode: str
    """"" for none, "self", "&self", "&mut self", or "typed" for `self: T`."""
    self_type: TypeExpr | None
    """T of `self: T`."""
    params: tuple[Param, ...]
    result: TypeExpr | None
    """None where none is written, which means `()`."""
    modifiers: frozenset[str]
    """Among async, const, unsafe, default, extern."""


def read_signature(content: bytes, node: Node) -> Signature:
    """The signature of a `function_item` or `function_signature_item`."""
    self_mode, self_type = "", None
    params: list[Param] = []
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        kind = child.type
        if kind == "self_parameter":
            self_mode = self_mode_of(child)
        elif kind == "parameter":
            pattern, type_ = child.child_by_field_name("pattern"), child.child_by_field_name("type")
            read = read_type(content, type_) if type_ is not None else None
            if pattern is not None and pattern.type == "self":
                self_mode, self_type = "typed", read
                continue
            plain = pattern is not None and pattern.type == "identifier"
            name = name_of(content, pattern) if plain and pattern is not None else None
            params.append(Param(name, read, (child.start_byte, child.end_byte)))
    result = node.child_by_field_name("return_type")
    modifiers = next((child for child in node.named_children if child.type == "function_modifiers"), None)
    return Signature(
        self_mode,
        self_type,
        tuple(params),
        read_type(content, result) if result is not None else None,
        frozenset(text_of(content, modifiers).split()) if modifiers is not None else frozenset(),
    )


def self_mode_of(node: Node) -> str:
    """How a `self_parameter` takes self."""
    kinds = [child.type for child in node.children]
    if "&" not in kinds:
        return "self"
    return "&mut self" if "mutable_specifier" in kinds else "&self"
