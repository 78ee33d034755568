"""Methods of traits of burn with another number of parameters than the trait has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.lint.finding import Place

if TYPE_CHECKING:
    from burnlint.burn.analysis import Analysis
    from burnlint.rust.source import SourceFile


class Mismatch(NamedTuple):
    """A method of an impl: the place of its name, trait and name, and how many parameters the trait gives it."""

    place: Place
    trait: str
    name: str
    written: int
    wanted: int


def mismatches(analysis: Analysis, source: SourceFile, traits: frozenset[str]) -> Iterator[Mismatch]:
    """The methods in impls of these traits of burn that take more or fewer parameters than the trait says."""
    for impl in source.items.impls:
        if impl.trait is None or source.own_name(impl.trait.name) not in traits:
            continue
        head = analysis.world.resolver.trait_head(impl.trait, impl)
        if not isinstance(head, str) or head not in traits:
            continue
        for fn in impl.fns:
            signatures = analysis.api.method(head, fn.name)
            if signatures and len(signatures[0].params) != len(fn.params):
                place = Place(source.path, *fn.name_span)
                yield Mismatch(place, head, fn.name, len(fn.params), len(signatures[0].params))
