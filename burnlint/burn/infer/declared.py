"""Impls, traits and aliases of crates by name, each looked for when somebody asks, whatever worlds a crate is
part of.

Only files are parsed that may hold what is asked for by the look of their bytes (`burnlint.rust.glance`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from burnlint.rust import types as rt
from burnlint.rust.glance import ANYTHING, GENERIC, UNNAMED
from burnlint.rust.items import Impl, Trait
from burnlint.rust.modules import Crate
from burnlint.rust.source import SourceFile

_UNNAMED = {rt.TupleType: "()", rt.ArrayType: "[;]", rt.SliceType: "[]", rt.FnType: "fn", rt.BoundType: "dyn"}
ANY = "*"
"""The name under which impls stand whose self type has none."""
_MARKS = dict.fromkeys((*_UNNAMED.values(), ANY), UNNAMED)


class Declared:
    """What one crate declares."""

    def __init__(self, crate: Crate) -> None:
        self._files = list(crate.files())
        self._impls: dict[str, list[Impl]] = {}
        self._read: dict[SourceFile, dict[str, list[Impl]]] = {}

    @cached_property
    def impl_names(self) -> dict[str, list[int]]:
        """The indices of the files that may hold impls for types of a name."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, file in enumerate(self._files):
            for name in file.impl_names:
                found[name].append(at)
        return dict(found)

    def impls(self, name: str) -> list[Impl]:
        """The impls whose self type has that name, or an unnamed form of `burnlint.burn.infer.model`."""
        found = self._impls.get(name)
        if found is None:
            at = {*self.impl_names.get(_MARKS.get(name, name), ()), *self.impl_names.get(ANYTHING, ())}
            found = [item for i in sorted(at) for item in self._by_name(self._files[i]).get(name, ())]
            self._impls[name] = found
        return found

    def _by_name(self, file: SourceFile) -> dict[str, list[Impl]]:
        found = self._read.get(file)
        if found is None:
            found = self._read[file] = defaultdict(list)
            for item in file.items.impls:
                for name in _names(item):
                    found[name].append(item)
        return found

    @cached_property
    def alias_names(self) -> frozenset[str]:
        """The names that type aliases may have, associated types included."""
        return frozenset[str]().union(*(file.alias_names for file in self._files))

    def traits_with(self, name: str) -> list[Trait]:
        """The traits that declare a function of that name."""
        files = (file for file in self._files if name in file.trait_functions)
        traits = (trait for file in files for trait in file.items.traits)
        return [trait for trait in traits if any(fn.name == name for fn in trait.fns)]


def _names(item: Impl) -> list[str]:
    """The names under which an impl is found."""
    expr = item.self_type
    while isinstance(expr, rt.RefType):
        expr = expr.inner
    if isinstance(expr, rt.PathType):
        name = expr.path.segments[-1].name
        return [name, GENERIC] if any(p.name == name for p in item.generics.params) else [name]
    return [_UNNAMED.get(type(expr), ANY)] if expr is not None else []


class Shelf:
    """What crates declare, each read on the first question."""

    def __init__(self) -> None:
        self._crates: dict[Crate, Declared] = {}

    def of(self, crates: Iterable[Crate]) -> Together:
        """What these crates declare together."""
        found = []
        for crate in crates:
            if crate not in self._crates:
                self._crates[crate] = Declared(crate)
            found.append(self._crates[crate])
        return Together(found)


class Together:
    """What several crates declare; a file that is part of several counts once."""

    def __init__(self, crates: list[Declared]) -> None:
        self._crates = crates

    def impls(self, name: str) -> list[Impl]:
        """The impls whose self type has that name, or an unnamed form of `burnlint.burn.infer.model`."""
        return list(dict.fromkeys(item for crate in self._crates for item in crate.impls(name)))

    @cached_property
    def unnamed(self) -> list[Impl]:
        """The impls whose self type may be anything: without a name, or by an alias."""
        # Names that only look like an alias do no harm: whoever asks looks at what each impl is for.
        names = frozenset[str]().union(*(crate.impl_names for crate in self._crates))
        aliases = names & frozenset[str]().union(*(crate.alias_names for crate in self._crates))
        return list(dict.fromkeys(item for name in (ANY, *sorted(aliases)) for item in self.impls(name)))

    def traits_with(self, name: str) -> list[Trait]:
        """The traits that declare a function of that name."""
        return list(dict.fromkeys(trait for crate in self._crates for trait in crate.traits_with(name)))
