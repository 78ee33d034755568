"""What burnlint finds of the planted faults."""

from __future__ import annotations

from multiprocessing import get_context

from tools.mutation.base import Base
from tools.mutation.fault import Fault, planted
from tools.mutation.lint import Linter
from tools.mutation.plan import Mutant


class Judge:
    """Findings on a fault that its twin has not."""

    def __init__(self) -> None:
        self.linter = Linter()
        self._kept: dict[object, list[str]] = {}

    def findings(self, base: Base, mutant: Mutant, fault: Fault, *, right: bool) -> list[str]:
        """The rules of the findings about the mutant's pitfalls, in the file of a fault or of its twin."""
        content = planted(base.sources[fault.path].content, fault, right=right)
        overlay = {fault.path: content}
        for path, (wrong, well) in fault.files.items():
            overlay[path] = (well if right else wrong).encode()
        pitfalls = mutant.operator.pitfalls
        key = base.name, pitfalls, tuple(overlay.items())
        if right and key in self._kept:
            return self._kept[key]
        found = [each.rule for each in self.linter.lint(base.copy.folder, fault.path, overlay, pitfalls)]
        if self.linter.crashes:
            raise RuntimeError(f"a rule crashed: {self.linter.crashes}")
        if right:
            self._kept[key] = found
        return found

    def judge(self, base: Base, mutant: Mutant) -> None:
        """Fills in the rules of the mutant's pitfalls that fire on it, and on its twin."""
        fault = mutant.fault
        wrong = self.findings(base, mutant, fault, right=False)
        right = self.findings(base, mutant, fault, right=True)
        before = self.findings(base, mutant, Fault(fault.path, (0, 0), "", ""), right=True)
        mutant.found = sorted(_more(wrong, right))
        mutant.twin = sorted(_more(right, before))


def _more(one: list[str], other: list[str]) -> set[str]:
    """The rules that fire more often in the first."""
    return {rule for rule in one if one.count(rule) > other.count(rule)}


_BASES: dict[str, Base] = {}
_JUDGE: list[Judge] = []


def _start(bases: list[Base]) -> None:
    _BASES.update({base.name: base for base in bases})
    _JUDGE.append(Judge())


def _one(mutant: Mutant) -> Mutant:
    if mutant.compiles is not False:
        _JUDGE[0].judge(_BASES[mutant.base], mutant)
    return mutant


def measure(bases: list[Base], mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """All mutants with what burnlint finds of them."""
    # Neighbours in a file share what was read of it.
    order = sorted(mutants, key=lambda each: (each.base, each.fault.path, each.number))
    with get_context("fork").Pool(jobs, _start, (bases,)) as pool:
        return list(pool.imap_unordered(_one, order, chunksize=8))
