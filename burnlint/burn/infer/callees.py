"""Types of paths where they are used: as the function of a call, or as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.calls import apply, call_value
from burnlint.burn.infer.model import PLAIN, Con, Mode, Type, Var, fn_type, prune
from burnlint.burn.infer.paths import DEFAULT, Constant, meaning
from burnlint.burn.infer.solver import Called
from burnlint.burn.infer.templates import substitute
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_CALLEE = Var("the function of a call")


def path_expr(s: Solver, e: hir.PathExpr, want: Type | None) -> Type:
    """A path that is not called: a constant, or a function as a value."""
    found = meaning(s, e.path)
    if isinstance(found, str):
        return Var(found)
    if isinstance(found, Constant):
        return found.type
    sig = found.sig
    env, modes = s.variables(sig, sig.names), s.modes_of(sig)
    if sig.receiver is not None and found.owner is not None:
        s.unify(substitute(sig.receiver, env, modes, s.unifier), found.owner)
    params = [substitute(p, env, modes, s.unifier) for p in sig.params]
    if sig.self_mode and found.owner is not None:
        own = found.owner
        params.insert(
            0, own if sig.self_mode == "self" else Con("&mut" if "mut" in sig.self_mode else "&", (own,))
        )
    result = substitute(sig.result, env, modes, s.unifier)
    if found.constructor and found.owner is not None:
        s.unify(result, found.owner)
    return fn_type(tuple(params), result)


def callee(s: Solver, e: hir.Call, path: hir.PathExpr, want: Type | None) -> Type:
    """A call of a path."""
    found = meaning(s, path.path)
    s.types[path.id] = _CALLEE
    if isinstance(found, str):
        unasked = Var("argument of an unknown call")
        for arg in e.args:
            s.undecided(s.check(arg, unasked if isinstance(arg, hir.Closure) else None))
        return Var(found)
    if isinstance(found, Constant):
        s.types[path.id] = found.type
        return call_value(s, e, found.type)
    sig, owner = found.sig, found.owner
    s.called[e.id] = Called(sig, owner, False)
    turbofish = path.path.segments[-1].args
    if sig is DEFAULT:
        return _default(s)
    if found.constructor:
        made = apply(s, e, sig, None, e.args, None, turbofish, _wanted(want, owner))
        if owner is not None:
            s.unify(made, owner)
        return made
    if sig.self_mode and owner is not None and e.args:
        known = prune(owner)
        if isinstance(known, Var):
            # `Trait::method(x)`: the first argument says the type.
            first = s.check(e.args[0])
            s.unify(owner, s.peeled(first))
    return apply(s, e, sig, owner, e.args, _given(s, e), turbofish, want, self_arg=True, bound=found.bound)


def _default(s: Solver) -> Type:
    """`Default::default()`: what the place asks for; a device is a plain one."""
    made = Var()

    def reach() -> bool:
        known = prune(made)
        if isinstance(known, Con) and isinstance(known.mode, Mode) and s.resolver.is_device(known.head):
            s.unifier.unify_modes(known.mode, s.unifier.mode(PLAIN))
        return not isinstance(known, Var)

    s.goals.append(reach)
    return made


def _given(s: Solver, e: hir.Call) -> list[Type] | None:
    """The types of the arguments if they were needed before; the others are checked now."""
    if not e.args or s.types[e.args[0].id] is None:
        return None
    return [t if (t := s.types[a.id]) is not None else s.check(a) for a in e.args]


def _wanted(want: Type | None, owner: Type | None) -> Type | None:
    return owner if owner is not None else want


HANDLERS = {hir.PathExpr: path_expr}
