"""The records that reading produces: definitions, impls and functions, with full paths in all terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from burnlint.burn.signature import GenericParam, Param, Signature
from burnlint.burn.terms import Named, Tensor, Term, rebuild


@dataclass(slots=True)
class FieldFact:
    """A field.

    `default` is the text of its `#[config(default = ...)]`; `generic` says whether its type names a generic
    and the field is no `#[module(skip)]`.
    """

    term: Term
    default: str | None = None
    public: bool = True
    generic: bool = True


@dataclass(slots=True)
class TypeFact:
    """A struct, enum or union."""

    path: str
    sort: str
    crate: str
    generics: tuple[GenericParam, ...]
    term: Term
    fields: dict[str, FieldFact]
    variants: dict[str, dict[str, Term]]
    derives: tuple[str, ...]
    must_use: bool
    deprecated: str | None
    cfgs: tuple[str, ...]
    methods: dict[str, list[Signature]] = field(default_factory=dict)


@dataclass(slots=True)
class TraitFact:
    """A trait."""

    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    supertraits: tuple[Term, ...]
    assoc: tuple[str, ...]
    cfgs: tuple[str, ...]
    methods: dict[str, list[Signature]] = field(default_factory=dict)


@dataclass(slots=True)
class AliasFact:
    """A type alias."""

    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    target: Term


@dataclass(slots=True)
class ImplFact:
    """A trait impl."""

    trait: Named
    receiver: Term
    generics: tuple[GenericParam, ...]
    assoc: dict[str, Term]
    crate: str
    cfgs: tuple[str, ...]


@dataclass(slots=True)
class Facts:
    """Everything read from one set of sources, by path of definition; `tensor` is the path of `Tensor`."""

    types: dict[str, TypeFact] = field(default_factory=dict)
    traits: dict[str, TraitFact] = field(default_factory=dict)
    aliases: dict[str, AliasFact] = field(default_factory=dict)
    functions: dict[str, list[Signature]] = field(default_factory=dict)
    impls: list[ImplFact] = field(default_factory=list)
    tensor: str = ""

    def head(self, term: Term) -> str:
        """The path (or foreign name) at the head of a term, "" for references, tuples and the like."""
        return self.tensor if isinstance(term, Tensor) else term.name if isinstance(term, Named) else ""


def conjunction(cfgs: tuple[str, ...]) -> str:
    """One condition for several, each once."""
    unique = tuple(dict.fromkeys(cfgs))
    return unique[0] if len(unique) == 1 else f"all({', '.join(unique)})" if unique else ""


def change_generics(
    params: tuple[GenericParam, ...], change: Callable[[Term], Term]
) -> tuple[GenericParam, ...]:
    """The generics with all their terms changed."""
    return tuple(
        p._replace(
            bounds=tuple(map(change, p.bounds)),
            default=change(p.default) if p.default is not None else None,
        )
        for p in params
    )


def change_signature(signature: Signature, change: Callable[[Term], Term]) -> Signature:
    """The signature with all its terms changed."""
    return signature._replace(
        generics=change_generics(signature.generics, change),
        params=tuple(Param(p.name, change(p.term)) for p in signature.params),
        result=change(signature.result),
        receiver=change(signature.receiver) if signature.receiver is not None else None,
        receiver_generics=change_generics(signature.receiver_generics, change),
    )


def rename(term: Term, names: Callable[[str], str]) -> Term:
    """The term with every name of a type or trait changed."""
    inside = rebuild(term, lambda part: rename(part, names))
    return Named(names(inside.name), inside.args) if isinstance(inside, Named) else inside
