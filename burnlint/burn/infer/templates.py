"""Templates: types with generics, instantiated wherever a signature, field or alias is used.

In a template a `Gen` whose name begins with "?" is a hole: each use makes a `Var`, with the rest of the name
as the cause ("?" alone is `_`, which rustc has to find as well). A `Con.mode` is text there; see `model.Con`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from burnlint.burn.infer.model import (
    AUTODIFF,
    NUMBERS,
    PLAIN,
    UNKNOWN,
    Con,
    Gen,
    Mode,
    Projection,
    Type,
    Var,
    prune,
)

if TYPE_CHECKING:
    from burnlint.burn.infer.unify import Unifier
    from burnlint.burn.signature import Signature
    from burnlint.rust.items import Enum, Fn, Struct, Variant

HOLE = Gen("?")

Origin: TypeAlias = "Signature | Fn | Struct | tuple[Enum, Variant] | None"


def hole(why: str) -> Gen:
    """An unknown in a template; `why` is its cause."""
    return Gen("?" + why)


SILENT = frozenset({"From", "AsMut", "Borrow", "ToOwned", "Sum", "Product", "PartialEq", "PartialOrd"})
"""Traits with arguments whose bound does not decide a generic."""


@dataclass(slots=True, eq=False)
class Sig:
    """A callable as a template: of burn, of std or of the workspace, also a constructor.

    `names` are all generics that a use replaces. `generics` are those that a turbofish lists, with their sort
    ("type", "const" or "backend"). `bounds` pairs a type with one bound on it: a trait as `Con` (associated
    types as arguments with a head like `=Item`), a closure trait as `fn`. `open` are generics that only a
    bound determines, so that rustc may know more than we.
    """

    name: str
    receiver: Type | None
    self_mode: str
    generics: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    params: tuple[Type, ...]
    result: Type
    bounds: tuple[tuple[Type, Con], ...] = ()
    open: frozenset[str] = frozenset()
    origin: Origin = None
    modes: tuple[str, ...] = ()
    """The names that modes have in this template: generic backends up to 0.21, one per place from 0.22 on."""
    requires: str = ""
    """`autodiff` where the generic backend must be one with autodiff."""
    either: tuple[str, ...] = ()
    """From 0.22 on: the modes of which one that records makes the result (`*`) record."""
    device: str = ""
    """From 0.22 on: the generic that the device is passed as, for creating functions."""
    closures: dict[str, Con] = field(init=False)
    """Generic -> its closure bound."""
    proofs: tuple[tuple[Type, Con], ...] = field(init=False)
    """The bounds that can decide a generic."""
    given: tuple[str, ...] | None = field(init=False)
    """The generics that the receiver gives, in the order of its arguments, if its pattern is a head with
    distinct generics."""
    wanted: tuple[str, ...] = field(init=False)
    """The other generics."""
    computed: bool = field(init=False)
    """Whether the result has a mode that hangs on the operands (`*`)."""

    def __post_init__(self) -> None:
        self.closures = {
            subject.name: bound
            for subject, bound in self.bounds
            if bound.head == "fn" and isinstance(subject, Gen)
        }
        self.proofs = tuple(
            (subject, bound)
            for subject, bound in self.bounds
            if bound.args
            and bound.head != "fn"
            and bound.head not in SILENT
            and (bound.head != "Into" or isinstance(bound.args[0], Con))
        )
        self.computed = _has_mode(self.result, "*")
        self.given = None
        receiver = self.receiver
        if isinstance(receiver, Con):
            names = [arg.name for arg in receiver.args if isinstance(arg, Gen)]
            if len(names) == len(receiver.args) == len(set(names)) and "?" not in "".join(names):
                self.given = tuple(names)
        self.wanted = tuple(n for n in self.names if self.given is None or n not in self.given)


def _has_mode(type: Type, mode: str) -> bool:
    if not isinstance(type, Con) or type.ground:
        return False
    return type.mode == mode or any(_has_mode(arg, mode) for arg in type.args)


Env: TypeAlias = dict[str, Type]
Modes: TypeAlias = dict[str, Mode]


def substitute(type: Type, env: Env, modes: Modes, unifier: Unifier) -> Type:
    """The template's type with its generics replaced, as a type of the body that `unifier` belongs to."""
    if isinstance(type, Con):
        if type.ground:
            return type
        args = tuple([substitute(arg, env, modes, unifier) for arg in type.args])
        head = type.head
        if not isinstance(head, str):
            if isinstance(head, Projection):
                return unifier.project(head, args[0])
        elif head[0] == "#":
            return with_mode(args[0], head[1:], unifier)
        mode = type.mode
        if isinstance(mode, str):
            node = modes.get(mode)
            if node is None:
                if mode == "" or mode == "*":
                    node = unifier.mode()
                elif mode in (AUTODIFF, PLAIN, UNKNOWN):
                    node = unifier.mode(mode)
                else:
                    node = modes[mode] = unifier.mode("generic " + mode)
            mode = node
        return Con(type.head, args, mode)
    if isinstance(type, Gen):
        name: str = type.name
        found = env.get(name)
        if found is not None:
            return found
        return Var(name[1:]) if name[0] == "?" else type
    return type


def with_mode(type: Type, mode: str, unifier: Unifier) -> Type:
    """The same type of a body, recording or not: what `valid`, `inner` and `train` give for a generic module
    or tensor."""
    type = prune(type)
    if isinstance(type, Con):
        if type.ground:
            return type
        args = tuple([with_mode(arg, mode, unifier) for arg in type.args])
        return Con(type.head, args, None if type.mode is None else unifier.mode(mode))
    return Var("a module of unknown type in another mode") if isinstance(type, Var) else type


def fits(sig: Sig, type: Type) -> bool:
    """Whether a callable's receiver can be a type of a body."""
    receiver = sig.receiver
    if sig.given is not None:
        return isinstance(type, Con) and type.head == receiver.head  # type: ignore[union-attr]
    return receiver is None or match_receiver(receiver, type)


def match_receiver(pattern: Type, type: Type) -> bool:
    """Whether a receiver pattern (a template) can stand for a type of a body; nothing is bound."""
    type = prune(type)
    if not isinstance(pattern, Con):
        return True
    if isinstance(type, Var):
        return not type.sort or pattern.head in NUMBERS
    if isinstance(type, Gen) or pattern.head != type.head or len(pattern.args) != len(type.args):
        return False
    return all(map(match_receiver, pattern.args, type.args))


def rename(type: Type, env: Env, modes: dict[str, str] | None = None) -> Type:
    """A template with its generics replaced by templates; holes and modes without a value stay."""
    if isinstance(type, Con):
        if type.ground:
            return type
        args = tuple([rename(arg, env, modes) for arg in type.args])
        mode = type.mode
        if modes and isinstance(mode, str):
            mode = modes.get(mode, mode)
        return Con(type.head, args, mode)
    if isinstance(type, Gen):
        return env.get(type.name, type)
    return type
