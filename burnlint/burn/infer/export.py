"""From the types of a solved body to public terms (`burnlint.burn.terms`), with modes solved and unknowns
explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnlint.burn import terms
from burnlint.burn.infer.model import AUTODIFF, PLAIN, UNKNOWN, Gen, Mode, Projection, Type, Var, prune
from burnlint.burn.terms import Term
from burnlint.rust.items import Item

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_MAX_DEPTH = 40
_FORMS: dict[str, Callable[[Any], Term]] = {
    "&": lambda a: terms.Ref(False, a[0]),
    "&mut": lambda a: terms.Ref(True, a[0]),
    "()": terms.Tuple,
    "[]": lambda a: terms.Slice(a[0]),
    "[;]": lambda a: terms.Array(a[0], a[1]),
    "fn": lambda a: terms.Fn("fn", a[:-1], a[-1]),
    "impl": terms.Impl,
    "dyn": terms.Dyn,
}


class Exporter:
    """Converts the types of one body, each once."""

    def __init__(self, solver: Solver | None) -> None:
        """Without a solver for templates: their holes are unknown and they have no modes."""
        self._solver = solver
        self._done: dict[int, tuple[Type, Term]] = {}
        self._modes: dict[Mode, str] | None = None

    def term(self, type: Type, depth: int = 0) -> Term:
        """The term of a type."""
        type = prune(type)
        found = self._done.get(id(type))
        if found is not None:
            return found[1]
        made = self._term(type, depth)
        self._done[id(type)] = type, made
        return made

    def _term(self, type: Type, depth: int) -> Term:
        if isinstance(type, Var):
            return terms.Unknown(type.why or "nothing in the body says it")
        if isinstance(type, Gen):
            hole = type.name.startswith("?")
            return terms.Unknown(type.name[1:] or "not written") if hole else terms.Generic(type.name)
        if depth > _MAX_DEPTH:
            return terms.Unknown("too deep")
        head = type.head
        args = tuple(self.term(arg, depth + 1) for arg in type.args)
        if head == "Tensor" and len(args) == 2:
            return terms.Tensor(args[0], args[1], self.mode(type.mode))
        if isinstance(head, int):
            return terms.Const(head)
        if isinstance(head, Projection):
            trait = head.trait if isinstance(head.trait, str) else getattr(head.trait, "name", "") or ""
            return terms.Assoc(args[0], trait, head.name)
        if isinstance(head, Item):
            return terms.Declared(head, args, self.mode(type.mode))
        form = _FORMS.get(head)
        if form is not None:
            return form(args)
        if head.startswith("="):
            return terms.Binding(head[1:], args[0])
        return terms.Named(head, args, self.mode(type.mode))

    def mode(self, mode: Mode | str | None) -> str:
        """ "autodiff", "plain", or "" where it is not known."""
        if not isinstance(mode, Mode) or self._solver is None:
            return ""
        if self._modes is None:
            self._modes = solve_modes(self._solver.unifier.modes)
        found = self._modes.get(mode.find(), "")
        return found if found in (AUTODIFF, PLAIN) else ""

    def cause(self, term: Term) -> str | None:
        """Why a term is not known, through references; of a tensor why its rank or kind is not. None if it
        is."""
        term = terms.peel_refs(term)
        if isinstance(term, terms.Unknown):
            return term.why
        if isinstance(term, terms.Tensor):
            for part, name in ((term.kind, "kind"), (term.rank, "rank")):
                if isinstance(part, terms.Unknown):
                    return f"{name}: {part.why}"
        return None


def solve_modes(modes: list[Mode]) -> dict[Mode, str]:
    """The least solution of the equations between modes: a value that is not among autodiff and plain is
    unknown."""
    roots = list(dict.fromkeys(mode.find() for mode in modes))
    values: dict[Mode, str] = {root: root.value or "" for root in roots}
    equations = [root for root in roots if root.parts]
    for _ in range(len(equations) + 1):
        moved = False
        for root in equations:
            made = values[root]
            for part in root.parts or ():
                made = _join(made, _either([values.get(each.find(), UNKNOWN) for each in part]))
            if made != values[root]:
                values[root] = made
                moved = True
        if not moved:
            break
    return values


def _join(a: str, b: str) -> str:
    """One value that may be either."""
    if not a or not b:
        return a or b
    return a if a == b else UNKNOWN


def _either(values: list[str]) -> str:
    """An operation on several operands: it records if one of them does."""
    if AUTODIFF in values:
        return AUTODIFF
    if "" in values:
        return ""
    return PLAIN if all(v == PLAIN for v in values) else UNKNOWN
