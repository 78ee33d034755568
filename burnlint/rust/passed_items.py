"""Items that a macro call in item position hands on as they are: those in the branches of `cfg_if!`, and those that go
through a macro of the file that puts nothing but conditions before them:
`macro_rules! with_gpu { ($($item:item)*) => { $( #[cfg(feature = "gpu")] $item )* } }`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from burnlint.rust import attributes, cfg
from burnlint.rust.cfg import Condition
from burnlint.rust.items import Item, ItemMacro, MacroRules

if TYPE_CHECKING:
    from tree_sitter import Node

    from burnlint.rust.types import Span

Branch: TypeAlias = "tuple[Span, Condition]"
_MUTE = frozenset({"cfg", "doc", "allow", "expect", "cfg_attr"})
"""Attributes that leave an item what it is; what `cfg_attr` adds is not looked at elsewhere either."""


def passed_on(macro: ItemMacro, around: Sequence[Item]) -> list[Item] | None:
    """The items that a macro call makes, each with the condition under which it does; None where that is not known.

    They stand in a file of their own, with the places that they have in the file of the call. `around` are the items
    beside the call.
    """
    if macro.name.rpartition("::")[2] == "cfg_if":
        branches = _branches_of_cfg_if(macro)
    else:
        rules = [each for each in around if isinstance(each, MacroRules) and each.name == macro.name]
        branches = _branches_of_rules(macro, rules[0]) if len(rules) == 1 else None
    if branches is None:
        return None
    return [item for span, condition in branches for item in _items(macro, span, condition)]


def _items(macro: ItemMacro, span: Span, condition: Condition) -> Iterator[Item]:
    content = macro.file.content
    before = re.sub(rb"[^\n]", b" ", content[: span[0]])
    file = type(macro.file)(macro.file.path, before + content[slice(*span)])
    file.cfg = macro.cfg & condition
    for item in file.items.items:
        item.own_cfg = macro.own_cfg & condition & item.own_cfg
        yield item


def _branches_of_cfg_if(macro: ItemMacro) -> list[Branch] | None:
    """What is between the braces of `cfg_if! { if #[cfg(a)] { .. } else if #[cfg(b)] { .. } else { .. } }`."""
    nodes = _inside(_arguments(macro))
    found: list[Branch] = []
    earlier: list[Condition] = []
    at = 0
    while at < len(nodes):
        if found:
            if _text(macro, nodes[at]) != "else":
                return None
            at += 1
        condition: Condition = cfg.ALWAYS
        last = at < len(nodes) and nodes[at].type == "token_tree"
        if not last:
            if [node.type for node in nodes[at : at + 3]] != ["if", "#", "token_tree"]:
                return None
            attribute = attributes.read_attribute(
                macro.file.content, (nodes[at + 1].start_byte, nodes[at + 2].end_byte)
            )
            if attribute.path != "cfg":
                return None
            condition = attributes.condition_of([attribute])
            at += 3
        if at >= len(nodes) or nodes[at].type != "token_tree":
            return None
        found.append((_between(nodes[at]), cfg.conjunction([*map(cfg.Not, earlier), condition])))
        earlier.append(condition)
        at += 1
        if last and at < len(nodes):
            return None
    return found


def _branches_of_rules(macro: ItemMacro, rules: MacroRules) -> list[Branch] | None:
    """The whole argument of a macro with one rule, `($($item:item)*) => { $( #[cfg(..)] $item )* }`."""
    cases = [node for node in rules.node().named_children if node.type == "macro_rule"]
    sides = cases[0].named_children if len(cases) == 1 else []
    if [side.type for side in sides] != ["token_tree_pattern", "token_tree"]:
        return None
    taken, made = _inside(sides[0]), _inside(sides[1])
    if [node.type for node in (*taken, *made)] != ["token_repetition_pattern", "token_repetition"]:
        return None
    binding, *others = taken[0].named_children
    if others or binding.type != "token_binding_pattern" or not _text(rules, binding).endswith("item"):
        return None
    *before, item = made[0].named_children
    if _text(rules, item) != _text(rules, binding.named_children[0]):
        return None
    found = [
        attributes.read_attribute(rules.file.content, (node.start_byte - 1, node.end_byte)) for node in before
    ]
    if any(attribute.path not in _MUTE for attribute in found):
        return None
    arguments = _arguments(macro)
    return None if arguments is None else [(_between(arguments), attributes.condition_of(found))]


def _arguments(macro: ItemMacro) -> Node | None:
    node = macro.node()
    last = node.child(node.child_count - 1)
    return last if last is not None and last.type == "token_tree" else None


def _inside(node: Node | None) -> list[Node]:
    """The children between the brackets of a token tree, without comments."""
    children = node.children[1:-1] if node is not None else []
    return [child for child in children if "comment" not in child.type]


def _between(node: Node) -> Span:
    return node.start_byte + 1, node.end_byte - 1


def _text(item: Item, node: Node) -> str:
    return item.file.content[node.start_byte : node.end_byte].decode("utf-8", "replace")
