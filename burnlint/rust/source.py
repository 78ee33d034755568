"""One Rust source file: its text, its syntax tree, its items, its comments, and what may be known without
parsing."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tree_sitter import Node, Tree

from burnlint.rust import attributes, cfg, glance, parser
from burnlint.rust.itemtree import ItemReader
from burnlint.text import Text

if TYPE_CHECKING:
    from burnlint.rust.cfg import Condition
    from burnlint.rust.file_items import FileItems
    from burnlint.rust.hir import Body
    from burnlint.rust.items import Item
    from burnlint.rust.types import Span

MAX_DEPTH = 2000
"""Files with deeper nested brackets are not read."""

_BRACKETS = b"(){}[]"
_NOT_BRACKETS = bytes(set(range(256)) - set(_BRACKETS))
_STEPS = {ord(c): 1 if c in "({[" else -1 for c in "(){}[]"}
_GENERATED = re.compile(
    rb"@generated|automatically generated|auto-?generated|generated (?:by|from|file)|code generated",
    re.IGNORECASE,
)
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s*(?://[^\n]*|/\*.*?\*/|#!?\[[^\]\n]*\]))+", re.DOTALL)


class SourceFile:
    """A Rust file. `path` is as it is to be shown, with `/`; nothing is read from disk here.

    The tree is parsed when first needed and may be dropped by `release`; it is then parsed again if somebody
    asks.
    """

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content
        self.placements: list[Condition] = []
        """The conditions under which module trees include the file; filled by `burnlint.rust.modules`."""
        self.bodies: dict[Item, Body] = {}
        """Bodies lowered so far; for `burnlint.rust.lower`."""
        self._calls: dict[str, list[int]] = {}
        self._tree: Tree | None = None

    @cached_property
    def text(self) -> Text:
        """The text with its positions."""
        return Text(self.path, self.content)

    @property
    def tree(self) -> Tree:
        """The syntax tree."""
        if self._tree is None:
            self._tree = parser.parse(self.content)
        return self._tree

    def release(self) -> None:
        """Let go of the tree, some thirty times the size of the text, and of the bodies; what others hold of
        them stays valid."""
        if self._tree is not None:
            _ = self.errors
        self._tree = None
        self.bodies.clear()

    @property
    def parsed(self) -> bool:
        """Whether the tree is there."""
        return self._tree is not None

    @property
    def known_errors(self) -> list[Span]:
        """The errors if it was ever parsed; never parses."""
        return self.errors if self._tree is not None else self.__dict__.get("errors", [])

    @cached_property
    def errors(self) -> list[Span]:
        """Where the syntax is broken or beyond the grammar; empty spans where a token is missing."""
        root = self.tree.root_node
        return (
            [(node.start_byte, node.end_byte) for node in parser.error_nodes(root)] if root.has_error else []
        )

    @cached_property
    def reader(self) -> ItemReader:
        """What reads the inner parts of the items."""
        return ItemReader(self)

    @cached_property
    def items(self) -> FileItems:
        """What the file declares."""
        return self.reader.read()

    @cached_property
    def cfg(self) -> Condition:
        """The condition that the file states for itself (`#![cfg(..)]`)."""
        if not glance.may_have_condition(self.content):
            return cfg.ALWAYS
        return attributes.condition_of(self.items.attributes)

    @cached_property
    def may_have_outline_modules(self) -> bool:
        """Whether it may hold `mod name;`; never parses, as the next three."""
        return glance.may_have_outline_modules(self.content)

    @cached_property
    def impl_names(self) -> frozenset[str]:
        """The names of the types that its impls may be for, and marks (`burnlint.rust.glance.impls`)."""
        return glance.impls(self.content)

    @cached_property
    def trait_functions(self) -> frozenset[str]:
        """The names of the functions that its traits may declare."""
        return glance.trait_functions(self.content)

    @cached_property
    def alias_names(self) -> frozenset[str]:
        """The names that its type aliases, and imports under another name, may have."""
        return glance.aliases(self.content).union(self._renamed)

    @cached_property
    def _renamed(self) -> dict[str, str]:
        return glance.renamings(self.content)

    def own_name(self, name: str) -> str:
        """The name that something has where it comes from, of the name that the file has for it: `Config` where
        it says `use a::Config as C`."""
        return self._renamed.get(name, name)

    def names_of(self, name: str) -> list[str]:
        """A name, and those that imports and type aliases of the file give to what is called so elsewhere."""
        return [name, *self._aliases.get(name, ())]

    @cached_property
    def _aliases(self) -> dict[str, list[str]]:
        aliased = {alias: self.own_name(name) for alias, name in glance.aliased(self.content).items()}
        found: dict[str, list[str]] = {}
        for alias, own in (aliased | self._renamed).items():
            found.setdefault(own, []).append(alias)
        return found

    @cached_property
    def _respelled(self) -> re.Pattern[bytes] | None:
        """What finds the names that imports give to types and variants; None where there are none."""
        names = [re.escape(alias.encode()) for alias, own in self._renamed.items() if own[0].isupper()]
        return re.compile(rb"\b(?:%b)\b" % b"|".join(names)) if names else None

    @cached_property
    def under_own_names(self) -> bytes:
        """The text with types and variants under the names that they have where they come from, for tests of bytes:
        its offsets are not those of the file."""
        return self._under_own_names(self.content)

    def _under_own_names(self, text: bytes) -> bytes:
        if self._respelled is None:
            return text
        return self._respelled.sub(lambda found: self.own_name(found[0].decode()).encode(), text)

    def holds(self, pattern: glance.Spelling, span: Span | None = None) -> bool:
        """Whether a pattern is in the text, or in what stands at a span, where types and variants may go by names
        that imports give: a test of bytes."""
        if span is None:
            return pattern.search(self.under_own_names) is not None
        if self._respelled is None:
            return pattern.search(self.content, *span) is not None
        return pattern.search(self._under_own_names(self.content[slice(*span)])) is not None

    def holds_outside_tests(self, pattern: glance.Spelling) -> bool:
        """Whether a pattern is in the text outside of test code, under whatever names as well."""
        if self.test_only or not self.holds(pattern):
            return False
        places = [match.start() for match in pattern.finditer(self.content)]
        around = self.items.around
        return not places or any(not any(item.in_test for item in around([place])) for place in places)

    @cached_property
    def operators(self) -> list[tuple[int, str]]:
        """Where arithmetic operators may stand (`burnlint.rust.glance.operators`)."""
        return glance.operators(self.content)

    @cached_property
    def _test_folder(self) -> bool:
        return not {"tests", "benches"}.isdisjoint(PurePosixPath(self.path).parts[:-1])

    @property
    def test_only(self) -> bool:
        """Whether the whole file is test code: in a folder tests or benches, or included only by test
        modules."""
        if self._test_folder or cfg.is_test_only(self.cfg):
            return True
        return bool(self.placements) and all(map(cfg.is_test_only, self.placements))

    @cached_property
    def words(self) -> frozenset[bytes]:
        """The words of the text, comments and strings included; never parses, as the next three."""
        return glance.words(self.content)

    def mentions(self, word: str) -> bool:
        """Whether `word` is one of the words of the text."""
        return word.encode() in self.words

    def spells(self, fragment: str) -> bool:
        """Whether the text holds `fragment` anywhere, also inside of a word, and also by a name that an import
        gives."""
        wanted = fragment.encode()
        return wanted in self.content or (self._respelled is not None and wanted in self.under_own_names)

    def calls(self, name: str) -> list[int]:
        """Where a call of that name may start (`burnlint.rust.glance.calls`)."""
        found = self._calls.get(name)
        if found is None:
            may = name.rpartition("::")[2].encode() in self.words
            found = self._calls[name] = glance.calls(self.content, name) if may else []
        return found

    @cached_property
    def generated(self) -> bool:
        """Whether the comments at the file's head say that a tool wrote it."""
        head = _HEAD.match(self.content[:4096])
        return head is not None and _GENERATED.search(head.group()) is not None

    @cached_property
    def too_deep(self) -> bool:
        """Whether brackets nest deeper than `MAX_DEPTH`, those in strings and comments counted; never
        parses."""
        if sum(map(self.content.count, (b"(", b"[", b"{"))) <= MAX_DEPTH:
            return False
        brackets = self.content.translate(None, _NOT_BRACKETS)
        return max(accumulate(map(_STEPS.__getitem__, brackets))) > MAX_DEPTH

    @property
    def comments(self) -> list[tuple[Span, str]]:
        """All comments in source order, without the end of their line."""
        found: list[tuple[Span, str]] = []
        cursor = self.tree.walk()
        while True:
            node = cursor.node
            if node is not None and node.type in parser.COMMENTS:
                start, end = node.start_byte, node.end_byte
                end -= self.content[start:end].endswith(b"\r")  # The grammar's line comment holds it.
                found.append(((start, end), self.text.decode(start, end)))
            if cursor.goto_first_child() or cursor.goto_next_sibling():
                continue
            while cursor.goto_parent():
                if cursor.goto_next_sibling():
                    break
            else:
                return found

    def node_at(self, span: Span) -> Node:
        """The node that an item or expression was read from; for this package only."""
        node = self.tree.root_node.named_descendant_for_byte_range(*span)
        assert node is not None  # every span lies inside of the root
        return node

    def __repr__(self) -> str:
        return f"SourceFile({self.path!r})"
