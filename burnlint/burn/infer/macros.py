"""Types of macro calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import BOOL, NEVER, STR, STRING, UNIT, Con, Type, Var, atom, prune, ref
from burnlint.burn.infer.operators import compare
from burnlint.rust import hir
from burnlint.rust.resolution import Extern

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_STR_REF = ref(STR)
_MACROS: dict[str, Type] = {
    "format": STRING,
    "concat": _STR_REF,
    "stringify": _STR_REF,
    "env": _STR_REF,
    "include_str": _STR_REF,
    "file": _STR_REF,
    "module_path": _STR_REF,
    "line": atom("u32"),
    "column": atom("u32"),
    "cfg": BOOL,
    "matches": BOOL,
    **dict.fromkeys(
        (
            "print",
            "println",
            "eprint",
            "eprintln",
            "assert",
            "assert_eq",
            "assert_ne",
            "debug_assert",
            "debug_assert_eq",
            "debug_assert_ne",
            "trace",
            "debug",
            "info",
            "warn",
            "error",
            "ensure",
        ),
        UNIT,
    ),
}
"""Macro -> the type of its call."""


_COMPARE = frozenset({"assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"})


def macro(s: Solver, e: hir.Macro, want: Type | None) -> Type:
    name = e.path.name
    if name == "vec" and len(e.args) == 1:
        wanted = prune(want) if want is not None else None
        hint = Con("[]", wanted.args) if isinstance(wanted, Con) and wanted.head == "Vec" else None
        held = s.check(e.args[0], hint)
        held = prune(held)
        return (
            Con("Vec", (held.args[0],))
            if isinstance(held, Con) and held.head == "[;]"
            else Var("vec! of unknown items")
        )
    for arg in e.args:
        s.check(arg)
    if e.diverges:
        return NEVER
    if name in _COMPARE and len(e.args) >= 2:
        left, right = (s.types[arg.id] for arg in e.args[:2])
        if left is not None and right is not None:
            compare(s, left, right)
    if e.form == "slices" and not _is_foreign(s, e):
        return Con("[;]", (s.resolver.slice_type(), atom(len(e.args))))
    if name == "dbg" and len(e.args) == 1:
        return s.types[e.args[0].id] or UNIT
    if e.form in ("exprs", "format", "none", "matches"):
        found = _MACROS.get(name)
        if found is not None:
            return found
        if name.startswith(("assert_", "debug_assert_")):
            return UNIT
    for arg in e.args:
        found = s.types[arg.id]
        if found is not None:
            s.undecided(found)
    return Var(f"macro {name}!" if e.form != "opaque" else "opaque macro")


def _is_foreign(s: Solver, e: hir.Macro) -> bool:
    """Whether a macro is certainly of another crate than burn: ndarray has an `s!` too."""
    found = s.resolver.resolve(e.path, s.scope.item, "macro")
    return isinstance(found, Extern) and not s.resolver.is_burn_crate(found.path[0])


HANDLERS = {hir.Macro: macro}
