"""What burnlint finds of the planted faults."""

from __future__ import annotations

from collections.abc import Iterable
from multiprocessing import get_context

from tools.mutation.base import Base
from tools.mutation.fault import Fault, planted
from tools.mutation.lint import Found, Linter
from tools.mutation.plan import Mutant


class Judge:
    """Findings on a fault that its twin has not."""

    def __init__(self) -> None:
        self.linter = Linter()
        self._kept: dict[tuple[str, str, bytes], list[Found]] = {}

    def findings(self, base: Base, fault: Fault, *, right: bool) -> list[Found]:
        """The findings in the file of a fault or of its twin."""
        content = planted(base.sources[fault.path].content, fault, right=right)
        overlay = {fault.path: content}
        for path, (wrong, well) in fault.files.items():
            overlay[path] = (well if right else wrong).encode()
        key = base.name, fault.path, content
        if fault.files or not right:
            return self.linter.lint(base.copy.folder, fault.path, overlay)
        if key not in self._kept:
            self._kept[key] = self.linter.lint(base.copy.folder, fault.path, overlay)
        return self._kept[key]

    def judge(self, base: Base, mutant: Mutant, fault: Fault) -> None:
        """Fills in the rules of the mutant's pitfalls that fire on it, and on its twin."""
        wrong = self._about(mutant, self.findings(base, fault, right=False))
        right = self._about(mutant, self.findings(base, fault, right=True))
        before = self._about(mutant, self.linter_base(base, fault))
        mutant.found = sorted(_more(wrong, right))
        mutant.twin = sorted(_more(right, before))

    def linter_base(self, base: Base, fault: Fault) -> list[Found]:
        """The findings in the file as it is."""
        plain = Fault(fault.path, (0, 0), "", "")
        return self.findings(base, plain, right=True)

    @staticmethod
    def _about(mutant: Mutant, findings: Iterable[Found]) -> list[str]:
        wanted = set(mutant.operator.pitfalls)
        return [
            each.rule
            for each in findings
            if wanted & set(each.pitfalls) or ("-" in wanted and not each.pitfalls)
        ]


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
        _JUDGE[0].judge(_BASES[mutant.base], mutant, mutant.fault)
    return mutant


def measure(bases: list[Base], mutants: list[Mutant], jobs: int) -> list[Mutant]:
    """All mutants with what burnlint finds of them."""
    # Neighbours in a file share what was read of it.
    order = sorted(mutants, key=lambda each: (each.base, each.fault.path, each.number))
    with get_context("fork").Pool(jobs, _start, (bases,)) as pool:
        return list(pool.imap_unordered(_one, order, chunksize=8))


