"""Where the mutants of one check stand: in their place, or in a copy of the function that they change.

Two that change one function or item do not stand there together. The second one gets a copy of the function, in a
module of its own that sees all that the function sees; where no copy can be made, it waits for the next check.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Base, Source
from tools.mutation.fault import Fault, unmarked
from tools.mutation.plan import Mutant

_HARMLESS = re.compile(r"#\[(?:doc|allow|inline|must_use|expect|warn)\b[^\]]*\]")
_NAMED = re.compile(r"(?m)^(?:pub )?(?:struct|enum|trait|type|const|static|fn) (\w+)")
"""The items on the top level of a text."""
_ABOVE = re.compile(r"\bsuper::")


@dataclass(frozen=True, slots=True)
class Placed:
    """A fault in the text of a check: the bytes that are its own."""

    mutant: Mutant
    own: tuple[tuple[int, int], ...]
    around: tuple[int, int]
    """The function or item that it changed, or the copy of it."""
    item: bool
    """Whether an item was changed that is no function."""

    def holds(self, start: int) -> bool:
        return any(a <= start < b for a, b in self.own)

    def is_around(self, start: int) -> bool:
        return self.around[0] <= start < self.around[1]


def chosen(base: Base, waiting: Sequence[Mutant]) -> list[tuple[Mutant, bool]]:
    """Mutants that do not meet, with whether each needs a copy: what is transplanted stands in a block of its own, of
    others there is one in each function or item; none brings an item along that another one has too."""
    taken: set[tuple[str, object]] = set()
    found = []
    for each in waiting:
        fault = each.fault
        own: list[object] = [*_NAMED.findall(fault.items + fault.wrong_items)]
        if not fault.transplanted:
            own.append(_owner(base, fault))
        needed = {(fault.path, part) for part in own}
        if not needed & taken:
            taken |= needed
            found.append((each, False))
        elif can_be_copied(base, fault):
            found.append((each, True))
    return found


def _owner(base: Base, fault: Fault) -> tuple[int, int]:
    """The outermost function around a fault, else the item; for one that only adds to the file, nothing."""
    source = base.sources[fault.path]
    node = source.root.descendant_for_byte_range(*fault.span)
    owner = (0, 0)
    while node is not None and node.parent is not None:
        if node.type in ("function_item", "struct_item", "attribute_item"):
            owner = syntax.span(node)
            if node.type == "attribute_item" and node.next_named_sibling is not None:
                owner = node.start_byte, node.next_named_sibling.end_byte
        node = node.parent
    return owner


def _copied(source: Source, fault: Fault) -> Node | None:
    """The function that a copy can be made of: a free one or one of an `impl` without a trait, on the top level, that
    holds all places of the fault and means the same in a module below."""
    around = [f.node for f in source.functions if f.node.start_byte <= fault.span[0] < f.node.end_byte]
    node = min(around, key=lambda each: each.start_byte, default=None)
    if node is None or node.parent is None:
        return None
    items, above = [node], node.parent
    if above.type == "declaration_list" and above.parent is not None and above.parent.type == "impl_item":
        items.append(above.parent)
        above = above.parent.parent or above
        if items[1].child_by_field_name("trait") is not None:
            return None
    inside = all(node.start_byte <= a and b <= node.end_byte for a, b, _ in edits(fault))
    plain = not any(_HARMLESS.sub("", syntax.attributes(each)) for each in items)
    if not inside or not plain or above.type != "source_file":
        return None
    return None if _ABOVE.search(syntax.text(node)) else node


def can_be_copied(base: Base, fault: Fault) -> bool:
    """Whether a copy of the function around it can hold the fault."""
    return _copied(base.sources[fault.path], fault) is not None


def edits(fault: Fault) -> list[tuple[int, int, str]]:
    """What it replaces in the file: start, end and new text."""
    return [(*fault.span, unmarked(fault.wrong)), *fault.extra]


def placed(base: Base, path: str, mutants: Sequence[tuple[Mutant, bool]]) -> list[Placed]:
    """Writes a file with all these mutants."""
    content = base.sources[path].content
    here = [mutant for mutant, copied in mutants if not copied]
    changes = sorted(
        ((start, end, text, each) for each in here for start, end, text in edits(each.fault)),
        key=lambda edit: edit[:2],
    )
    made, last = b"", 0
    own: dict[int, tuple[int, int]] = {}
    shifts: list[tuple[int, int]] = []
    for start, end, text, each in changes:
        made += content[last:start]
        own.setdefault(id(each), (len(made), len(made) + len(text.encode())))
        made += text.encode()
        shifts.append((end, len(made) - end))
        last = end
    made += content[last:]

    def moved(offset: int, *, after: bool) -> int:
        return offset + next(
            (by for end, by in reversed(shifts) if end < offset or (after and end == offset)), 0
        )

    found = []
    for each in here:
        items = _items(each.fault)
        regions = (own[id(each)], (len(made), len(made) + len(items)))
        start, end = _owner(base, each.fault)
        around = (0, 0)
        if not each.fault.transplanted:
            around = moved(start, after=False), moved(end, after=True)
        function = base.sources[path].function_at(start)
        found.append(Placed(each, regions, around, not function and not each.fault.transplanted))
        made += items
    for number, (each, copied) in enumerate(mutants):
        if copied:
            module = _module(base.sources[path], each.fault, f"planted_copy_{number}")
            whole = len(made), len(made) + len(module)
            found.append(Placed(each, (whole,), whole, False))
            made += module
    base.copy.write(path, made)
    return found


def _items(fault: Fault) -> bytes:
    return (fault.items + fault.wrong_items).encode()


def _module(source: Source, fault: Fault, name: str) -> bytes:
    """A module with a copy of the function that has the fault."""
    node = _copied(source, fault)
    assert node is not None and node.parent is not None
    text, start = source.content[node.start_byte : node.end_byte], node.start_byte
    for a, b, new in sorted(edits(fault), reverse=True):
        text = text[: a - start] + new.encode() + text[b - start :]
    head, tail = f"\nmod {name} {{\nuse super::*;\n".encode(), b"\n"
    if node.parent.type == "declaration_list":
        impl = node.parent.parent
        assert impl is not None
        head += source.content[impl.start_byte : node.parent.start_byte] + b"{\n"
        tail = b"\n}\n"
        called = node.child_by_field_name("name")
        assert called is not None
        at, end = called.start_byte - start, called.end_byte - start
        text = text[:at] + name.encode() + text[end:]
    return head + text + tail + _items(fault) + b"\n}\n"
