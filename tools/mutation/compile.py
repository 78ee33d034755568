"""Whether the mutants compile, as cargo says; of those of compile errors, whether they give the expected one.

Many are checked at once: one in each function, and per file one that changes an item. Errors are laid at the
door of the mutant in whose text they stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
    regions: tuple[tuple[int, int], ...]
    whole_file: bool

    def holds(self, start: int) -> bool:
        return any(a <= start < b for a, b in self.regions)


def compile_all(base: Base, mutants: Iterable[Mutant], rounds: int) -> None:
    """Fills in `compiles` and `detail`; a mutant keeps the candidates from the first that compiles on. Those
    that `rounds` rounds did not reach stay None."""
    waiting = [each for each in mutants if each.base == base.name]
    for expected in sorted({each.operator.error for each in waiting}):
        left = [each for each in waiting if each.operator.error == expected]
        for _ in range(rounds):
            if not left:
                break
            chosen = _chosen(base, left)
            _round(base, chosen, expected)
            left = [each for each in left if each.compiles is None]
    for path, source in base.sources.items():
        base.copy.write(path, source.content)


def _owner(base: Base, fault: Fault) -> tuple[int, int]:
    """The outermost function around a fault, or nothing of the file."""
    source = base.sources[fault.path]
    around = [
        f.node for f in source.functions if f.node.start_byte <= fault.span[0] and fault.span[1] <= f.node.end_byte
    ]
    outer = min(around, key=lambda node: node.start_byte, default=None)
    return (outer.start_byte, outer.end_byte) if outer is not None else (0, 0)


def _chosen(base: Base, waiting: Sequence[Mutant]) -> list[Mutant]:
    """Mutants that do not meet: one in a function; one that changes an item stands alone in its file."""
    taken: dict[str, set[tuple[int, int]]] = defaultdict(set)
    chosen = []
    for each in waiting:
        owner, there = _owner(base, each.fault), taken[each.fault.path]
        if (owner in there) or (owner == (0, 0) and there) or (0, 0) in there:
            continue
        there.add(owner)
        chosen.append(each)
    return chosen


def _placed(base: Base, path: str, mutants: Sequence[Mutant]) -> list[_Placed]:
    """Writes a file with all these mutants."""
    content = base.sources[path].content
    edits = sorted(
        (start, end, text, each)
        for each in mutants
        for start, end, text in [(*each.fault.span, unmarked(each.fault.wrong)), *each.fault.extra]
    )
    owners = {id(each): _owner(base, each.fault) for each in mutants}
    made, last, shifts = b"", 0, []
    for start, end, text, _ in edits:
        made += content[last:start] + text.encode()
        shifts.append((end, len(made) - end))
        last = end
    made += content[last:]

    def moved(offset: int, *, after: bool) -> int:
        shift = 0
        for end, by in shifts:
            if end < offset or (after and end <= offset):
                shift = by
        return offset + shift

    found = []
    for each in mutants:
        start, end = owners[id(each)]
        items = (each.fault.items + each.fault.wrong_items).encode()
        own = (len(made), len(made) + len(items))
        regions = (own,) if (start, end) == (0, 0) else ((moved(start, after=False), moved(end, after=True)), own)
        found.append(_Placed(each, regions, (start, end) == (0, 0)))
        made += items
    base.copy.write(path, made)
    return found


def _round(base: Base, chosen: list[Mutant], expected: str) -> None:
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
            _judge(owner[key], of_mutant, expected)
        before = len(alive)
        alive = [each for each in alive if id(each) not in blamed]
        if len(alive) == before:
            for each in alive:
                each.compiles, each.detail = False, f"unclear: {errors[0].code} {errors[0].message}"[:200]
            return
    for each in alive:
        if expected:
            _next(each, "no error")
        else:
            each.compiles = True


def _blamed(error: Diagnostic, placed: dict[str, list[_Placed]]) -> list[Mutant]:
    """The mutants in whose text an error stands; those that changed an item, for one that stands nowhere."""
    labels = sorted(error.labels, key=lambda each: not each.primary)
    for label in labels:
        for each in placed.get(label.path, ()):
            if each.holds(label.start):
                return [each.mutant]
    for label in labels:
        whole = [each.mutant for each in placed.get(label.path, ()) if each.whole_file]
        if whole:
            return whole
    return [each.mutant for of_file in placed.values() for each in of_file if each.whole_file]


def _judge(mutant: Mutant, errors: Sequence[Diagnostic], expected: str) -> None:
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
