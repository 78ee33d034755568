"""Types of struct literals: the type that a path makes there, and those of its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from burnlint.burn.infer.model import Con, Type, Var, prune
from burnlint.burn.infer.paths import prefix
from burnlint.burn.infer.templates import substitute
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Fn, Struct, Variant

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver


def struct_literal(s: Solver, e: hir.StructLit, want: Type | None) -> Type:
    target = _target(s, e.path)
    if target is None:
        for init in e.fields:
            s.undecided(s.check(init.value))
        if e.base is not None:
            s.check(e.base)
        return Var("struct literal of an unknown type")
    made, fields = target
    if want is not None:
        wanted = prune(want)
        if isinstance(wanted, Con) and wanted.head == made.head:
            s.unify(made, wanted)
    for init in e.fields:
        asked = fields(init.name)
        got = s.check(init.value, asked)
        if asked is not None:
            s.coerce(got, asked)
    if e.base is not None:
        s.coerce(s.check(e.base, made), made)
    return made


def _target(s: Solver, path: rt.Path) -> tuple[Con, Callable[[str], Type | None]] | None:
    """The type that a struct literal makes, and the types of its fields."""
    owner: Struct | Variant | None = None
    base: Type | None = None
    first = path.segments[0].name
    if first == "Self" and s.scope.self_type is not None:
        base = s.own(s.scope.self_type, False)
        known = prune(base)
        if isinstance(known, Con):
            if isinstance(known.head, Struct) and len(path.segments) == 1:
                owner = known.head
            elif isinstance(known.head, Enum) and len(path.segments) == 2:
                owner = s.lookup.variant(known.head, path.segments[1].name)
    else:
        found = s.resolver.resolve(path, s.scope.item, "type")
        if isinstance(found, rn.Local) and not found.rest and len(found.definitions) == 1:
            definition = found.definitions[0]
            if isinstance(definition, Variant):
                owner = definition
                base = (
                    s.own(s.converter.path_type(prefix(path), s.scope, turbofish=True), False)
                    if len(path.segments) > 1
                    else None
                )
            elif isinstance(definition, Struct | Enum) or not isinstance(definition, Fn):
                base = s.own(s.converter.path_type(path, s.scope, turbofish=True), False)
                known = prune(base)
                owner = known.head if isinstance(known, Con) and isinstance(known.head, Struct) else None
        elif isinstance(found, rn.Local) and len(found.rest) == 1:
            base = s.own(s.converter.path_type(prefix(path), s.scope, turbofish=True), False)
            known = prune(base)
            if isinstance(known, Con) and isinstance(known.head, Enum):
                owner = s.lookup.variant(known.head, found.rest[0].name)
        elif isinstance(found, rn.Extern):
            return _api_literal(s, path)
    if owner is None:
        return None
    fields = s.lookup.fields(owner)
    env: dict[str, Type] = {name: Var() for name in fields.names}
    modes = {name: s.unifier.mode() for name in fields.modes}
    made = substitute(fields.owner, env, modes, s.unifier)
    assert isinstance(made, Con)
    if base is not None:
        s.unify(made, base)
    types = fields.types

    def field(name: str) -> Type | None:
        template = types.get(name)
        return None if template is None else substitute(template, env, modes, s.unifier)

    return made, field


def _api_literal(s: Solver, path: rt.Path) -> tuple[Con, Callable[[str], Type | None]] | None:
    base = prune(s.own(s.converter.path_type(path, s.scope, turbofish=True), False))
    if not isinstance(base, Con) or not isinstance(base.head, str) or not s.resolver.is_api_type(base.head):
        return None
    known = s.lookup.api.type(base.head)
    if known is None:
        return None
    made = base

    def field(name: str) -> Type | None:
        each = known.fields.get(name)
        return None if each is None else s.of_api(each.term, known.generics, made)

    return made, field


HANDLERS = {hir.StructLit: struct_literal}
