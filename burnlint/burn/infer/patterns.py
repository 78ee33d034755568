"""Types of what patterns bind, with default binding modes: through a reference, a pattern binds
references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import REFS, Con, Gen, Type, Var, prune
from burnlint.burn.infer.templates import substitute
from burnlint.rust import hir
from burnlint.rust.items import Enum, Struct, Variant
from burnlint.rust.visit import locals_in

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver


def bind(s: Solver, pattern: hir.Pattern, type: Type, by: str = "") -> None:
    """Give the locals of a pattern their types; `by` is "", "&" or "&mut": how the place at hand is bound."""
    if isinstance(pattern, hir.Bind):
        _bind_local(s, pattern, type, by)
        return
    if isinstance(pattern, hir.Wild | hir.Rest | hir.LitPat | hir.PathPat):
        if isinstance(pattern, hir.LitPat):
            _literal(s, pattern, type)
        return
    if isinstance(pattern, hir.OrPat):
        for each in pattern.items:
            bind(s, each, type, by)
        return
    if isinstance(pattern, hir.UnknownPat):
        for local in pattern.locals:
            s.locals[local.id] = Var("pattern not understood")
        return
    if isinstance(pattern, hir.RefPat):
        known = s.known(type)
        if isinstance(known, Con) and known.head in REFS:
            bind(s, pattern.inner, known.args[0])
        elif by:
            bind(s, pattern.inner, type)
        else:
            _later(s, pattern, type, by)
        return
    known = s.known(type)
    while isinstance(known, Con) and known.head in REFS:
        by = "&" if known.head == "&" or by == "&" else "&mut"
        known = s.known(known.args[0])
    if isinstance(known, Var):
        _later(s, pattern, known, by)
    elif isinstance(pattern, hir.TuplePat):
        _tuple(s, pattern, known, by)
    elif isinstance(pattern, hir.SlicePat):
        _slice(s, pattern, known, by)
    elif isinstance(pattern, hir.TupleStructPat):
        _variant(s, pattern, known, by)
    elif isinstance(pattern, hir.StructPat):
        _struct(s, pattern, known, by)


def _bind_local(s: Solver, pattern: hir.Bind, type: Type, by: str) -> None:
    local = pattern.local
    bound: Type = type
    if local.by_ref:
        bound = Con("&mut" if local.mutable else "&", (type,))
    elif by:
        bound = Con(by, (type,))
    here = s.locals[local.id]
    if isinstance(here, Var) and here.to is None and here.why == "never bound":
        s.locals[local.id] = bound
    else:
        # A further alternative of an or-pattern binds the same type.
        s.unify(here, bound)
    if pattern.sub is not None:
        bind(s, pattern.sub, type, by)


def _literal(s: Solver, pattern: hir.LitPat, type: Type) -> None:
    known = prune(type)
    if isinstance(known, Var) and known.why == "" and not known.sort:
        return


def _later(s: Solver, pattern: hir.Pattern, type: Type, by: str) -> None:
    """Destructure when the type is known; until then the locals are open."""
    locals_ = list(locals_in(pattern))
    if not locals_:
        return
    stand_ins = []
    for local in locals_:
        made = Var("part of an unknown value")
        here = s.locals[local.id]
        if isinstance(here, Var) and here.to is None and here.why == "never bound":
            s.locals[local.id] = made
            stand_ins.append((local, made))

    def reach() -> bool:
        known = prune(type)
        if isinstance(known, Var):
            return False
        for local, _ in stand_ins:
            s.locals[local.id] = Var("never bound")
        bind(s, pattern, known, by)
        for local, made in stand_ins:
            now = s.locals[local.id]
            s.unify(made, now)
            s.locals[local.id] = made
        return True

    s.goals.append(reach)


def _unknown(s: Solver, pattern: hir.Pattern, why: str) -> None:
    for local in locals_in(pattern):
        here = s.locals[local.id]
        if isinstance(here, Var) and here.to is None:
            s.locals[local.id] = Var(why)


def _spread(s: Solver, items: list[hir.Pattern], types: list[Type], by: str) -> bool:
    """Bind items, one of which may be `..`, to as many types; False if the numbers cannot fit."""
    rest = next((i for i, p in enumerate(items) if isinstance(p, hir.Rest)), None)
    if rest is None:
        if len(items) != len(types):
            return False
        pairs = list(zip(items, types, strict=True))
    else:
        after = len(items) - rest - 1
        if len(items) - 1 > len(types):
            return False
        pairs = list(zip(items[:rest], types[:rest], strict=True))
        pairs += list(zip(items[rest + 1 :], types[len(types) - after :], strict=True)) if after else []
    for item, type in pairs:
        bind(s, item, type, by)
    return True


def _tuple(s: Solver, pattern: hir.TuplePat, type: Type, by: str) -> None:
    if not (isinstance(type, Con) and type.head == "()" and _spread(s, pattern.items, list(type.args), by)):
        _unknown(s, pattern, "tuple pattern on another type")


def _slice(s: Solver, pattern: hir.SlicePat, type: Type, by: str) -> None:
    if isinstance(type, Con) and type.head in ("[;]", "[]", "Vec"):
        element = type.args[0]
        for item in pattern.items:
            if isinstance(item, hir.Bind) and isinstance(item.sub, hir.Rest):
                s.locals[item.local.id] = Var("rest of a slice pattern")
            else:
                bind(s, item, element, by)
    else:
        _unknown(s, pattern, "slice pattern on another type")


def _variant(s: Solver, pattern: hir.TupleStructPat, type: Type, by: str) -> None:
    name = pattern.path.name
    if isinstance(type, Con):
        if type.head == "Option" and name == "Some" and type.args:
            if _spread(s, pattern.items, [type.args[0]], by):
                return
        elif type.head == "Result" and name in ("Ok", "Err") and len(type.args) == 2:
            if _spread(s, pattern.items, [type.args[0 if name == "Ok" else 1]], by):
                return
        elif type.head == "Box" and isinstance(prune(type.args[0]), Con):
            pass
        else:
            types = _members(s, type, name)
            if types is not None and _spread(s, pattern.items, list(types.values()), by):
                return
    _unknown(s, pattern, "match on a generic" if isinstance(type, Gen) else "payload of an unknown variant")


def _struct(s: Solver, pattern: hir.StructPat, type: Type, by: str) -> None:
    types = _members(s, type, pattern.path.name) if isinstance(type, Con) else None
    for name, inner in pattern.fields:
        found = types.get(name) if types is not None else None
        if found is not None:
            bind(s, inner, found, by)
        else:
            _unknown(s, inner, "field of an unknown struct pattern")


def _members(s: Solver, type: Con, name: str) -> dict[str, Type] | None:
    """The fields of a struct, or of the variant of that name, as types of the body."""
    head = type.head
    owner: Struct | Variant | None = None
    if isinstance(head, Struct):
        owner = head
    elif isinstance(head, Enum):
        owner = s.lookup.variant(head, name)
    elif isinstance(head, str) and s.resolver.is_api_type(head):
        return _api_members(s, type, head, name)
    if owner is None:
        return None
    fields = s.lookup.fields(owner)
    env = dict(zip(fields.names, type.args, strict=False))
    modes = s.field_modes(
        {fields.modes[0]: type.mode} if fields.modes and not isinstance(type.mode, str | None) else {}
    )
    return {n: substitute(t, env, modes, s.unifier) for n, t in fields.types.items()}


def _api_members(s: Solver, type: Con, head: str, name: str) -> dict[str, Type] | None:
    known = s.lookup.api.type(head)
    if known is None:
        return None
    variant = known.variants.get(name)
    fields = {f.name: f for f in variant.fields} if variant is not None else dict(known.fields)
    if not fields:
        return None
    return {n: s.of_api(f.term, known.generics, type) for n, f in fields.items()}
