"""Whether the mutants compile, as cargo says; of those of compile errors, whether they give the expected one.

Many are checked at once: one in each function, and per file one that changes an item. Errors are laid at the
door of the mutant in whose text they stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tools.mutation import syntax
from tools.mutation.base import Base
from tools.mutation.fault import Fault, unmarked
from tools.mutation.plan import Mutant
from tools.soundness.cargo import Diagnostic

MACRO = "macro"
"""What an operator expects whose mutants a derive macro refuses: an error without a code."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A fault in the text of a round: the bytes that are its own."""

    mutant: Mutant
    own: tuple[tuple[int, int], ...]
    around: tuple[int, int]
    """The function or item that it changed."""
    item: bool

    def holds(self, start: int) -> bool:
        return any(a <= start < b for a, b in self.own)

    def is_around(self, start: int) -> bool:
        return self.around[0] <= start < self.around[1]


def compile_all(base: Base, mutants: Iterable[Mutant], rounds: int, done: Callable[[], None]) -> None:
    """Fills in `compiles` and `detail`, and says `done` after each round; a mutant keeps the candidates from the
    first that compiles on. Those that `rounds` rounds did not reach stay None."""
    waiting = [each for each in mutants if each.base == base.name and each.compiles is None]
    groups = {
        "nothing": [each for each in waiting if not each.operator.error],
        "errors": [each for each in waiting if each.operator.error not in ("", MACRO)],
        # rustc stops at an error in a macro before it looks at types.
        "macros": [each for each in waiting if each.operator.error == MACRO],
    }
    for left in groups.values():
        for _ in range(rounds):
            left = [each for each in left if each.compiles is None]
            if left:
                _round(base, chosen(base, left))
                done()
    for path, source in base.sources.items():
        base.copy.write(path, source.content)


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


def chosen(base: Base, waiting: Sequence[Mutant]) -> list[Mutant]:
    """Mutants that do not meet: what is transplanted stands in a block of its own, of others there is one in
    each function or item; none brings items along that another one has too."""
    taken: set[tuple[str, object]] = set()
    found = []
    for each in waiting:
        fault = each.fault
        own: list[object] = [fault.items] if fault.items else []
        if not fault.transplanted:
            own.append(_owner(base, fault))
        needed = {(fault.path, part) for part in own}
        if needed & taken:
            continue
        taken |= needed
        found.append(each)
    return found


def _placed(base: Base, path: str, mutants: Sequence[Mutant]) -> list[_Placed]:
    """Writes a file with all these mutants."""
    content = base.sources[path].content
    edits = sorted(
        ((start, end, text, each) for each in mutants for start, end, text in _edits(each.fault)),
        key=lambda edit: edit[:2],
    )
    made, last = b"", 0
    own: dict[int, tuple[int, int]] = {}
    shifts: list[tuple[int, int]] = []
    for start, end, text, each in edits:
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
    for each in mutants:
        items = (each.fault.items + each.fault.wrong_items).encode()
        regions = [own[id(each)], (len(made), len(made) + len(items))]
        start, end = _owner(base, each.fault)
        around = (0, 0)
        if not each.fault.transplanted:
            around = moved(start, after=False), moved(end, after=True)
        function = base.sources[path].function_at(start)
        found.append(_Placed(each, tuple(regions), around, not function and not each.fault.transplanted))
        made += items
    base.copy.write(path, made)
    return found


def _edits(fault: Fault) -> list[tuple[int, int, str]]:
    return [(*fault.span, unmarked(fault.wrong)), *fault.extra]


def _round(base: Base, chosen: list[Mutant]) -> None:
    """Checks the chosen until what is left of them gives no error."""
    alive = list(chosen)
    for _ in range(8):
        placed: dict[str, list[_Placed]] = {}
        for path, source in base.sources.items():
            here = [each for each in alive if each.fault.path == path]
            if here:
                placed[path] = _placed(base, path, here)
            else:
                base.copy.write(path, source.content)
        errors = base.copy.check()
        if not errors:
            break
        blamed: dict[int, list[Diagnostic]] = defaultdict(list)
        owner = {id(p.mutant): p.mutant for each in placed.values() for p in each}
        for error in errors:
            for mutant in _blamed(error, placed):
                blamed[id(mutant)].append(error)
        for key, of_mutant in blamed.items():
            _judge(owner[key], of_mutant)
        before = len(alive)
        alive = [each for each in alive if id(each) not in blamed]
        if len(alive) == before:
            for each in alive:
                each.compiles, each.detail = False, f"unclear: {errors[0].code} {errors[0].message}"[:200]
            return
    for each in alive:
        if each.operator.error:
            _next(each, "no error")
        else:
            each.compiles = True


def _blamed(error: Diagnostic, placed: dict[str, list[_Placed]]) -> list[Mutant]:
    """The mutants in whose text an error stands; those that changed an item, for one that stands nowhere."""
    labels = sorted(error.labels, key=lambda each: not each.primary)
    for holds in (_Placed.holds, _Placed.is_around):
        for label in labels:
            for each in placed.get(label.path, ()):
                if holds(each, label.start):
                    return [each.mutant]
    for label in labels:
        items = [each.mutant for each in placed.get(label.path, ()) if each.item]
        if items:
            return items
    return [each.mutant for of_file in placed.values() for each in of_file if each.item]


def _judge(mutant: Mutant, errors: Sequence[Diagnostic]) -> None:
    expected = mutant.operator.error
    codes = {error.code for error in errors}
    if expected and (expected in codes or (expected == MACRO and "" in codes)):
        mutant.compiles, mutant.detail = True, " ".join(sorted(codes))
        return
    _next(mutant, f"{errors[0].code} {errors[0].message}"[:200])


def _next(mutant: Mutant, why: str) -> None:
    """On to the next indirection, if there is one."""
    mutant.detail = why
    if len(mutant.candidates) > 1:
        del mutant.candidates[0]
    else:
        mutant.compiles = False
