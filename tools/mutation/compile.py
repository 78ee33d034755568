"""Whether the mutants compile, as cargo says; of those of compile errors, whether they give the expected one.

Many are checked at once (`tools.mutation.place`). Errors are laid at the door of the mutant in whose text they stand;
those mutants are taken out, and what is left is checked again until there are no errors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from tools.mutation.base import Base
from tools.mutation.place import Placed, can_be_copied, chosen, placed
from tools.mutation.plan import Mutant
from tools.soundness.cargo import Diagnostic

MACRO = "macro"
"""What an operator expects whose mutants a derive macro refuses: an error without a code."""
_SUM = "aborting due to"
"""How rustc begins the error that says that there were errors."""
CHECKS = 16
"""Of one choice of mutants: after these, those that are left wait for another choice."""


def compile_all(
    base: Base, mutants: Sequence[Mutant], most: int, rounds: int, done: Callable[[], None]
) -> None:
    """Fills in `compiles` and `detail` of the mutants of a base that the table needs (`needed`), and says `done` after
    each check; a mutant keeps the candidates from the first that compiles on. Those that `rounds` rounds did not
    reach stay None."""
    for kind in (_compiling, _with_errors, _with_macro_errors):
        for _ in range(rounds):
            left = [each for each in needed(mutants, most) if each.base == base.name and kind(each)]
            left = [each for each in left if each.compiles is None]
            if not left:
                break
            _round(base, chosen(base, left), done)
    for path, source in base.sources.items():
        base.copy.write(path, source.content)


def _compiling(mutant: Mutant) -> bool:
    return not mutant.operator.error


def _with_errors(mutant: Mutant) -> bool:
    return mutant.operator.error not in ("", MACRO)


def _with_macro_errors(mutant: Mutant) -> bool:
    # rustc stops at an error in a macro before it looks at types.
    return mutant.operator.error == MACRO


def needed(mutants: Iterable[Mutant], most: int) -> list[Mutant]:
    """Per operator the first `most` direct and the first `most` indirect mutants that cargo did not refuse: a further
    one for each that it did."""
    taken: Counter[tuple[str, bool]] = Counter()
    found = []
    for each in sorted(mutants, key=lambda each: each.number):
        if each.compiles is not False and taken[each.name, each.is_direct] < most:
            taken[each.name, each.is_direct] += 1
            found.append(each)
    return found


def _round(base: Base, chosen: list[tuple[Mutant, bool]], done: Callable[[], None]) -> None:
    """Checks the chosen until what is left of them gives no error. One that gives one goes on behind another
    indirection, if there is one."""
    alive = list(chosen)
    for _ in range(CHECKS):
        found: dict[str, list[Placed]] = {}
        for path, source in base.sources.items():
            here = [each for each in alive if each[0].fault.path == path]
            if here:
                found[path] = placed(base, path, here)
            else:
                base.copy.write(path, source.content)
        errors = [each for each in base.copy.check() if not each.message.startswith(_SUM)]
        if not errors:
            break
        blamed: dict[int, list[Diagnostic]] = defaultdict(list)
        for error in errors:
            for mutant in _blamed(error, found):
                blamed[id(mutant)].append(error)
        if not blamed:
            for mutant, _ in alive:
                mutant.compiles, mutant.detail = False, f"unclear: {errors[0].code} {errors[0].message}"[:200]
            return
        for mutant, _ in alive:
            if id(mutant) in blamed:
                _judge(mutant, blamed[id(mutant)])
        alive = [
            # With other items than before it may not fit beside the others.
            (mutant, copied or (id(mutant) in blamed and can_be_copied(base, mutant.fault)))
            for mutant, copied in alive
            if mutant.compiles is None
        ]
        alive = [each for each in alive if each[1] or id(each[0]) not in blamed]
        done()
    else:
        return
    for mutant, _ in alive:
        if mutant.operator.error:
            _next(mutant, "no error")
        else:
            mutant.compiles = True
    done()


def _blamed(error: Diagnostic, found: dict[str, list[Placed]]) -> list[Mutant]:
    """The mutants in whose text an error stands; those that changed an item, for one that stands nowhere."""
    labels = sorted(error.labels, key=lambda each: not each.primary)
    for holds in (Placed.holds, Placed.is_around):
        for label in labels:
            for each in found.get(label.path, ()):
                if holds(each, label.start):
                    return [each.mutant]
    for label in labels:
        items = [each.mutant for each in found.get(label.path, ()) if each.item]
        if items:
            return items
    return [each.mutant for of_file in found.values() for each in of_file if each.item]


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
