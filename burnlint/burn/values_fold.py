"""A fact about a value, computed op by op along the operations it is derived by."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from burnlint.burn.calls import Target
from burnlint.burn.values_origins import Origin, origins
from burnlint.burn.values_site import Site, World

MAX_SITES = 2000
"""Values that one question may look at; beyond, the answer is that of `unknown`."""

MAX_ROUNDS = 4
"""How often a value that depends on itself (by a loop) is looked at again until the fact stays the same."""

T = TypeVar("T")


@dataclass(slots=True, frozen=True)
class Step(Generic[T]):
    """One operation with the facts of its operands (receiver first).

    An operand that only stands for an earlier round of the value itself has the fact None.
    """

    origin: Origin
    target: Target | None
    operands: tuple[Site, ...]
    facts: tuple[T | None, ...]


class Fold(Generic[T]):
    """Computes a fact of type T for sites: `step` for an operation, `leaf` for any other origin, `join` for
    alternatives.

    `operands(origin, target)` chooses the operands whose facts are needed. `join` must be commutative,
    associative and idempotent; what it yields for values that differ is the "may" of the fact.
    """

    def __init__(
        self,
        world: World,
        *,
        operands: Callable[[Origin, Target | None], Sequence[Site]],
        step: Callable[[Step[T]], T],
        leaf: Callable[[Origin], T],
        join: Callable[[T, T], T],
        unknown: T,
        sites: int = MAX_SITES,
    ) -> None:
        self._world = world
        self._operands = operands
        self._step = step
        self._leaf = leaf
        self._join = join
        self._unknown = unknown
        self._sites = sites

    def of(self, site: Site) -> T:
        """The fact for a site. Each call stands alone: answers do not depend on earlier ones."""
        return _Run(self, site).result()

    def target(self, origin: Origin) -> Target | None:
        """What the operation of an origin runs."""
        return self._world.facts(origin.site.frame.body).target(origin.expr)


class _Run(Generic[T]):
    def __init__(self, fold: Fold[T], site: Site) -> None:
        self.fold = fold
        self.site = site
        self.done: dict[Site, T] = {}
        self.assumed: dict[Site, T | None] = {}
        self.asked: set[Site] = set()
        """Sites in work whose assumption somebody has used."""
        self.count = 0

    def result(self) -> T:
        stack = [self.value(self.site)]
        answer: T | None = None
        while True:
            try:
                wanted = stack[-1].send(answer)
            except StopIteration as stop:
                stack.pop()
                value: T = stop.value
                if not stack:
                    return value
                answer = value
                continue
            answer = None
            if wanted in self.done:
                answer = self.done[wanted]
            elif wanted in self.assumed:
                self.asked.add(wanted)
                answer = self.assumed[wanted]
            elif self.count >= self.fold._sites:
                answer = self.fold._unknown
            else:
                self.count += 1
                stack.append(self.value(wanted))

    def value(self, site: Site) -> Generator[Site, T | None, T]:
        """The fact of one site, as a generator of the sites whose facts it needs."""
        fold = self.fold
        found = origins(fold._world, site)
        self.assumed[site] = None
        for _ in range(MAX_ROUNDS):
            self.asked.discard(site)
            total: T | None = None if found.certain else fold._unknown
            for origin in found.items:
                one = (
                    fold._leaf(origin) if origin.kind != "operation" else (yield from self.operation(origin))
                )
                total = one if total is None else fold._join(total, one)
            total = fold._unknown if total is None else total
            if site not in self.asked or total == self.assumed[site]:
                break
            self.assumed[site] = total
        else:
            total = fold._unknown
        del self.assumed[site]
        self.asked.discard(site)
        if not self.asked:  # Else the fact rests on an assumption about a value still in work.
            self.done[site] = total
        return total

    def operation(self, origin: Origin) -> Generator[Site, T | None, T]:
        fold = self.fold
        target = fold.target(origin)
        operands = tuple(fold._operands(origin, target))
        facts = []
        for operand in operands:
            facts.append((yield operand))
        return fold._step(Step(origin, target, operands, tuple(facts)))
