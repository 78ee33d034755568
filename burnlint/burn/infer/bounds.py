"""What a bound on a generic tells: items of iterators, collections, and traits of burn with one fitting
impl."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from burnlint.burn.infer.iterate import collect_into, item_of
from burnlint.burn.infer.model import (
    FLOATS,
    INTEGERS,
    Con,
    Gen,
    Head,
    Mode,
    Projection,
    Type,
    Var,
    atom,
    prune,
)
from burnlint.burn.infer.templates import Sig, match_receiver, substitute
from burnlint.rust.items import Enum, Struct, Trait
from burnlint.rust.types import PathType

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver


def prove(
    s: Solver, sig: Sig, subject: Type, bound: Con, env: dict[str, Type], modes: dict[str, Mode]
) -> None:
    """Learn what `subject: bound` says, now or when the subject is known."""
    head = bound.head
    type = substitute(subject, env, modes, s.unifier)
    if head == "Into":
        target = bound.args[0]
        if isinstance(target, Con):
            aim = substitute(target, env, modes, s.unifier)
            s.later(partial(converts, s, type, aim))
        return
    if head == "AsRef":
        aim = substitute(bound.args[0], env, modes, s.unifier)
        if isinstance(aim, Con) and aim.head == "[]":
            s.later(partial(_as_slice, s, type, aim))
        return
    if head == "FromIterator":
        item = substitute(bound.args[0], env, modes, s.unifier)
        s.later(lambda: collect_into(s, type, item))
        return
    if head in ("IntoIterator", "Iterator", "ExactSizeIterator", "DoubleEndedIterator"):
        asked = next((a for a in bound.args if isinstance(a, Con) and a.head == "=Item"), None)
        if asked is not None:
            item = substitute(asked.args[0], env, modes, s.unifier)
            s.later(lambda: _iterates(s, type, item))
        return
    if isinstance(head, str) and s.resolver.is_api_trait(head):
        args = tuple(substitute(a, env, modes, s.unifier) for a in bound.args)
        s.later(lambda: _implements(s, type, head, args))
        return
    if isinstance(head, Trait):
        args = tuple(substitute(a, env, modes, s.unifier) for a in bound.args if not _is_binding(a))
        if args:
            s.later(partial(_has_impl, s, type, head, args))
    named = [
        a for a in bound.args if isinstance(a, Con) and isinstance(a.head, str) and a.head.startswith("=")
    ]
    if named:
        pairs = [(str(a.head)[1:], substitute(a.args[0], env, modes, s.unifier)) for a in named]
        for name, value in pairs:
            s.later(partial(_projects, s, type, bound, name, value))


def only_numbers(s: Solver, sig: Sig, env: dict[str, Type]) -> None:
    """A number literal for a generic whose trait only one number type has is of that type."""
    for subject, bound in sig.bounds:
        if isinstance(subject, Gen) and bound.head != "fn":
            given = prune(env.get(subject.name, subject))
            if isinstance(given, Var) and given.sort:
                if bound.head == "Into":
                    heads = _converting_numbers(s, bound, given.sort)
                else:
                    heads = s.resolver.number_impls(s.index, bound.head, given.sort)
                if heads is None:
                    s.undecided(given)
                elif len(heads) == 1:
                    s.unify(given, atom(next(iter(heads))))


def _converting_numbers(s: Solver, bound: Con, sort: str) -> frozenset[Head] | None:
    """The integer or float types that become what a bound `Into<Target>` asks for; None where that is not known."""
    target = bound.args[0] if bound.args else None
    if not isinstance(target, Con):
        return None
    if isinstance(target.head, str):
        if not s.resolver.is_api_type(target.head):
            return None
        sources = [each.args[0] for each in s.resolver.impls.conversions(target.head)]
    elif isinstance(target.head, Struct | Enum):
        sources = []
        for info in s.index.trait_impls(target.head, "From"):
            made = info.item.trait and s.converter.bound(
                PathType(info.item.span, info.item.trait), info.scope
            )
            sources += made.args if made else ()
    else:
        return None
    numbers = INTEGERS if sort == "int" else FLOATS
    return frozenset(each.head for each in sources if isinstance(each, Con) and each.head in numbers)


def converts(s: Solver, type: Type, target: Type) -> bool:
    """`type: Into<Target>`, where burn has one conversion that fits: `&?T` is a device for
    `TensorCreationOptions`, and `[[E; B]; A]` makes `Data<E, 2>` (burn 0.13)."""
    known = prune(type)
    if isinstance(known, Var):
        return False
    if not isinstance(known, Con) or not isinstance(target, Con):
        return True
    inner = prune(known.args[0]) if known.head == "&" else None
    open_reference = isinstance(inner, Var) and not inner.sort
    if not (target.args or open_reference) or s.index.trait_impls(target.head, "From"):
        return True
    if known.head == target.head:
        s.unify(known, target)
        return True
    fitting = [
        each
        for each in s.resolver.impls.conversions(target.head)
        if match_receiver(each.args[0], known) and match_receiver(each.receiver, target)
    ]
    if len(fitting) == 1:
        env: dict[str, Type] = {name: Var() for name in fitting[0].names}
        s.unify(substitute(fitting[0].args[0], env, {}, s.unifier), known)
        s.unify(substitute(fitting[0].receiver, env, {}, s.unifier), target)
    return True


def _as_slice(s: Solver, type: Type, slice: Con) -> bool:
    """`[T; N]: AsRef<[T]>`, and likewise of a Vec and a slice."""
    known = s.peeled(type)
    if isinstance(known, Con) and known.head in ("[;]", "[]", "Vec"):
        s.unify(known.args[0], slice.args[0])
    return not isinstance(known, Var)


def _iterates(s: Solver, type: Type, item: Type) -> bool:
    found = item_of(s, type)
    if found is None:
        return False
    s.unify(item, found)
    return True


def _projects(s: Solver, type: Type, bound: Con, name: str, value: Type) -> bool:
    if isinstance(prune(type), Var):
        return False
    found = s.project(Projection(bound.head, name), type)
    if found is not None:
        s.unify(value, found)
    return True


def _is_binding(type: Type) -> bool:
    return isinstance(type, Con) and isinstance(type.head, str) and type.head.startswith("=")


def _has_impl(s: Solver, type: Type, trait: Trait | str, args: tuple[Type, ...]) -> bool:
    """Take the arguments of the workspace's one impl of its trait for the type."""
    known = s.peeled(type)
    if isinstance(known, Var):
        return False
    infos = s.index.trait_impls(known.head, trait) if isinstance(known, Con) else []
    if len(infos) == 1 and infos[0].item.trait is not None:
        scope = infos[0].scope
        made = s.converter.bound(PathType(infos[0].item.span, infos[0].item.trait), scope)
        if made is not None and len(made.args) == len(args):
            env: dict[str, Type] = {n: Var() for n, each in scope.generics.items() if each.sort != "backend"}
            modes: dict[str, Mode] = {}
            s.unify(substitute(infos[0].self_type, env, modes, s.unifier), known)
            for mine, theirs in zip(made.args, args, strict=True):
                s.unify(theirs, substitute(mine, env, modes, s.unifier))
    return True


def _implements(s: Solver, type: Type, trait: str, args: tuple[Type, ...]) -> bool:
    """Choose the impl if exactly one can hold, and take its arguments: `[i32; 3]: ReshapeArgs<3>`, and of a type of
    the workspace `Collate: Batcher<Item, Batch>`."""
    known = prune(type)
    if isinstance(known, Var):
        return bool(known.sort)
    if isinstance(known, Gen):
        return True
    if isinstance(known, Con) and isinstance(known.head, Struct | Enum):
        return _has_impl(s, known, trait, args)
    fitting = [
        each for each in s.resolver.impls.implementations(trait) if match_receiver(each.receiver, known)
    ]
    fitting = [
        each for each in fitting if len(each.args) == len(args) and all(map(match_receiver, each.args, args))
    ]
    if len(fitting) != 1:
        return len(fitting) == 0
    chosen = fitting[0]
    env: dict[str, Type] = {name: Var() for name in chosen.names}
    s.unify(substitute(chosen.receiver, env, {}, s.unifier), known)
    for mine, theirs in zip(chosen.args, args, strict=True):
        s.unify(theirs, substitute(mine, env, {}, s.unifier))
    return True
