"""The figures: per operator what was planted, what of it compiles, and what burnlint found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tools.mutation.plan import BY_NAME, Mutant

HEADER = (
    "operator",
    "issue",
    "pitfalls",
    "direct",
    "indirect",
    "share",
    "real",
    "transplanted",
    "checked",
    "twins",
    "rules",
    "missed",
)


@dataclass
class Row:
    """One operator. Pairs are found and planted."""

    name: str
    direct: list[int] = field(default_factory=lambda: [0, 0])
    indirect: list[int] = field(default_factory=lambda: [0, 0])
    real: list[int] = field(default_factory=lambda: [0, 0])
    transplanted: list[int] = field(default_factory=lambda: [0, 0])
    checked: int = 0
    twins: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    """Why: `place`, or the indirection without which it was found."""

    @property
    def share(self) -> float:
        """Of all its mutants that were found."""
        planted = self.direct[1] + self.indirect[1]
        return (self.direct[0] + self.indirect[0]) / planted if planted else 0.0

    def add(self, mutant: Mutant, plain: bool) -> None:
        """Counts a mutant; `plain`: whether the fault is found without an indirection."""
        found = bool(mutant.found)
        for pair in (
            self.direct if mutant.is_direct else self.indirect,
            self.transplanted if mutant.fault.transplanted else self.real,
        ):
            pair[0] += found
            pair[1] += 1
        self.checked += mutant.compiles is True
        self.twins += bool(mutant.twin)
        self.rules.update(mutant.found)
        if not found:
            self.missed[mutant.fault.shape if plain else "place"] += 1

    def cells(self) -> tuple[str, ...]:
        operator = BY_NAME[self.name]
        pairs = ["/".join(map(str, pair)) for pair in (self.direct, self.indirect)]
        origins = ["/".join(map(str, pair)) for pair in (self.real, self.transplanted)]
        return (
            self.name,
            str(operator.issue),
            " ".join(operator.pitfalls),
            *pairs,
            f"{100 * self.share:.0f} %",
            *origins,
            str(self.checked),
            str(self.twins),
            " ".join(f"{rule}:{count}" for rule, count in self.rules.most_common()),
            " ".join(f"{shape}:{count}" for shape, count in self.missed.most_common()),
        )


def counted(mutants: Iterable[Mutant], most: int) -> list[Mutant]:
    """Per operator up to `most` direct and `most` indirect mutants that are not known to fail to compile."""
    found = []
    taken: Counter[tuple[str, bool]] = Counter()
    for each in sorted(mutants, key=lambda each: (each.compiles is None, each.number)):
        if each.compiles is not False and taken[each.name, each.is_direct] < most:
            taken[each.name, each.is_direct] += 1
            found.append(each)
    return found


def rows(mutants: Iterable[Mutant], most: int) -> list[Row]:
    """A row for each operator, of the mutants that count."""
    found: dict[str, Row] = {}
    given = list(mutants)
    plain = {_place(each): bool(each.found) for each in given if each.is_direct}
    for each in counted(given, most):
        found.setdefault(each.name, Row(each.name)).add(each, plain.get(_place(each), True))
    return sorted(found.values(), key=lambda row: (BY_NAME[row.name].issue, row.name))


def _place(mutant: Mutant) -> tuple[object, ...]:
    """What a fault has in common with the same one behind an indirection."""
    fault = mutant.fault
    return mutant.name, mutant.base, fault.path, fault.span, mutant.number - (not mutant.is_direct)


def table(of: Sequence[Row]) -> str:
    """The table as tab-separated text, with the sums in its last lines."""
    lines = ["\t".join(HEADER), *("\t".join(row.cells()) for row in of)]
    for issue in (6, 7):
        some = [row for row in of if BY_NAME[row.name].issue == issue]
        sums = [sum(row.direct[at] for row in some) for at in (0, 1)] + [
            sum(row.indirect[at] for row in some) for at in (0, 1)
        ]
        if some:
            share = (sums[0] + sums[2]) / max(1, sums[1] + sums[3])
            low = sum(row.share < 0.6 for row in some)
            lines.append(
                f"all of issue {issue}\t{issue}\t{len(some)} operators, {low} below 60 %\t{sums[0]}/{sums[1]}\t"
                f"{sums[2]}/{sums[3]}\t{100 * share:.0f} %"
            )
    return "\n".join(lines) + "\n"
