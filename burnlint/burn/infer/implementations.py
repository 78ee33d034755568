"""Which function a call of a trait's method runs, where only one can be meant: the receiver's type is known, or the trait
cannot be implemented outside of the crates at hand, and they hold one impl."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnlint.burn.terms import Declared, Term
from burnlint.rust.cfg import ALWAYS
from burnlint.rust.items import Fn, Impl, ItemMacro, MacroRules, Trait

if TYPE_CHECKING:
    from burnlint.burn.infer.index import Index
    from burnlint.rust.modules import Crate
    from burnlint.rust.source import SourceFile

_HARMLESS = frozenset(
    {"allow", "cfg", "deny", "deprecated", "diagnostic", "doc", "expect", "must_use", "warn"}
)
"""Attributes of a trait that implement it for nothing (`auto_impl` and `automock` do)."""


class Implementations:
    """The one impl of each trait of some crates, found when it is asked for."""

    def __init__(self, index: Index, crates: Sequence[Crate]) -> None:
        self._index = index
        self._crates = crates
        self._found: dict[Trait, Impl | None] = {}

    def chosen(self, fn: Fn, receiver: Term | None) -> Fn | None:
        """The function that a call of a trait's method runs: that of the one impl there can be, or the one in the trait
        itself where the impl for the receiver's type leaves it out. None if that is not known."""
        trait = fn.owner
        if not isinstance(trait, Trait):
            return None
        if isinstance(receiver, Declared):
            # A method that the type's impl had would have been found first.
            infos = self._index.trait_impls(receiver.item, trait)
            inherits = bool(infos) and not any(fn.name in info.fns for info in infos)
            return fn if inherits and fn.has_body else None
        if trait not in self._found:
            self._found[trait] = self._impl_of(trait)
        impl = self._found[trait]
        if impl is None:
            return None
        found = [each for each in impl.fns if each.name == fn.name]
        if not found:
            return fn if fn.has_body else None
        return found[0] if len(found) == 1 and found[0].cfg == ALWAYS else None

    def _impl_of(self, trait: Trait) -> Impl | None:
        crates = [crate for crate in self._crates if crate.has(trait.file)]
        if not crates or any(attribute.name not in _HARMLESS for attribute in trait.attributes):
            return None
        if trait.visibility == "pub" and not all(map(_is_program, crates)):
            return None
        files = dict.fromkeys(file for crate in crates for file in crate.files())
        if any(crate.missing for crate in crates) or any(b"include!(" in file.content for file in files):
            return None
        name = trait.name.encode()
        impls: list[Impl] = []
        for file in files:
            if name in file.content:
                if _may_hide(file, trait.name):
                    return None
                impls += [each for each in file.items.impls if each.trait is not None]
        infos = [self._index.info(each) for each in impls]
        if None in infos:
            return None
        own = [info.item for info in infos if info is not None and info.trait in (trait, trait.name)]
        return (
            own[0]
            if len(own) == 1 and own[0].cfg == ALWAYS and set(own[0].file.placements) == {ALWAYS}
            else None
        )


def _is_program(crate: Crate) -> bool:
    """Whether nothing can depend on a crate: its root has a function `main`."""
    return crate.root is not None and any(
        isinstance(each, Fn) and each.name == "main" for each in crate.root.items
    )


def _may_hide(file: SourceFile, name: str) -> bool:
    """Whether a file may implement a trait in a way that its items do not show: through a macro, an attribute, or
    under another name."""
    text = file.content
    spelled = re.escape(name.encode())
    if re.search(rb"\b%b\s+as\b|#!?\[[^\]]*\b%b\b" % (spelled, spelled), text):
        return True
    macros = (each for each in file.items.all if isinstance(each, ItemMacro | MacroRules))
    return any(re.search(rb"\b%b\b" % spelled, text[slice(*each.span)]) for each in macros)
