"""What a path can mean: the answers of name resolution (`burnlint.rust.names`), and a question under way."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from burnlint.rust.cfg import Condition
from burnlint.rust.items import Item, Variant
from burnlint.rust.modules import Crate, Module
from burnlint.rust.types import Segment

Namespace: TypeAlias = Literal["type", "value", "macro"]
Definition: TypeAlias = Item | Variant | Module

ExternExports: TypeAlias = Callable[[tuple[str, ...]], "Collection[str] | None"]
"""The public names of a module of an outside crate (`("burn", "prelude")`); None if that is not known."""

MAX_NESTED = 100
"""The number of imports and modules in a chain that one question follows at most."""
MAX_STEPS = 10_000
"""The number of imports and modules that one question looks at at most."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a path stands: a module, and inside of it an item whose generics and block items are in scope."""

    module: Module
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """Base of what a path can mean.

    `rest` holds the segments behind a type: associated functions, types, constants.
    """

    rest: tuple[Segment, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Local(Resolution):
    """An item, variant or module of the workspace; several if they are there under different conditions."""

    crate: Crate
    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Extern(Resolution):
    """A path into an outside crate, under the crate's own name. It may go on past an item: `rest` is always
    empty.

    std, core and alloc are all called std.
    """

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Primitive(Resolution):
    """`f32`, `str` …"""

    name: str


@dataclass(frozen=True, slots=True)
class Generic(Resolution):
    """A type or const parameter of `owner`."""

    name: str
    owner: Item


@dataclass(frozen=True, slots=True)
class SelfType(Resolution):
    """`Self` in an impl, trait, struct or enum."""

    owner: Item


@dataclass(frozen=True, slots=True)
class Unresolved(Resolution):
    """Not known.

    `why` is "not found"; "glob": an outside module whose names are not known may have it; "macro": a macro
    call in the module may declare it; "conditions": the `candidates` are there under different conditions;
    "qualified": `<T>::name`.
    """

    why: str
    candidates: tuple[Resolution, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name means, and under which condition."""

    what: Resolution
    condition: Condition

    def only_if(self, condition: Condition) -> Meaning:
        """The same under a further condition."""
        return Meaning(self.what, self.condition & condition)


def agreed(meanings: list[Meaning]) -> Resolution:
    """The one answer that the meanings agree on; several items of one crate are one answer."""
    first = meanings[0].what
    answers = tuple(dict.fromkeys(each.what for each in meanings))
    if len(answers) == 1:
        return first
    definitions: dict[Definition, None] = {}
    for each in answers:
        if not isinstance(each, Local) or not isinstance(first, Local):
            return Unresolved("conditions", answers)
        if each.crate is not first.crate or each.rest != first.rest:
            return Unresolved("conditions", answers)
        definitions.update(dict.fromkeys(each.definitions))
    assert isinstance(first, Local)  # as all of them are
    return Local(first.crate, tuple(definitions), rest=first.rest)


class Search:
    """One question: which parts of it are under way, and what stands in the way of a sure answer."""

    def __init__(self, outer: Search | None = None) -> None:
        self.under_way: set[object] = outer.under_way if outer is not None else set()
        self.steps: int = outer.steps if outer is not None else 0
        self.cut = False
        """Whether a part of the question was not asked, as it is being asked already or leads too far."""
        self.unknown_glob = False
        self.macros = False

    def enter(self, part: object) -> bool:
        """Whether to ask a part of the question now: what an import or a name of a module means."""
        self.steps += 1
        if part in self.under_way or len(self.under_way) >= MAX_NESTED or self.steps > MAX_STEPS:
            self.cut = True
            return False
        self.under_way.add(part)
        return True

    def leave(self, part: object) -> None:
        """A part of the question is answered."""
        self.under_way.discard(part)

    def join(self, inner: Search) -> None:
        """Take over what a part of the question came to."""
        self.steps = inner.steps
        self.cut = self.cut or inner.cut
