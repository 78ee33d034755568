"""Which definitions belong into a table, under which keys, and how terms read with those keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from burnlint.burn.signature import Signature
from burnlint.burn.terms import Assoc, Generic, Named, Term, match, rebuild, substitute, subterms
from tools.api.facts import Facts, ImplFact, TypeFact, rename
from tools.api.public import BACKENDS, ROOTS, Surface, is_backend_ops, is_internal

# What these names mean in any Rust code, no key may change.
_STD_PRELUDE = frozenset({"Result", "Option", "Vec", "Box", "String", "Iterator", "Default", "Clone", "Copy"})


class Selection:
    """The public definitions with their keys (`keys`: path to key)."""

    def __init__(self, facts: Facts, surface: Surface) -> None:
        self.facts = facts
        self.surface = surface
        self._impls: dict[str, list[ImplFact]] = defaultdict(list)
        for impl in facts.impls:
            for name in impl.assoc:
                self._impls[name].append(impl)
        self._reduced: dict[Term, Term] = {}
        self.keys = self._keys(self._kept())
        self._taken = set(self.keys.values())

    def _kept(self) -> set[str]:
        """Definitions with a public path, and those that their signatures lead to."""
        facts = self.facts
        known = {**facts.types, **facts.traits, **facts.aliases}
        kept: set[str] = set()
        todo = [p for p in known if p in self.surface.paths]
        todo += [
            name
            for path, signatures in facts.functions.items()
            if path in self.surface.paths
            for name in self._mentioned(signatures)
        ]
        while todo:
            path = todo.pop()
            if path in kept or path not in known:
                continue
            hidden = path not in self.surface.paths
            if hidden and is_internal(tuple(path.split("::"))):
                continue
            kept.add(path)
            todo += self._names_behind(path)
        return kept

    def _names_behind(self, path: str) -> Iterable[str]:
        fact = self.facts.types.get(path) or self.facts.traits.get(path)
        if fact is None or not self.described(path):
            return
        for signatures in fact.methods.values():
            yield from self._mentioned(signatures)
        if isinstance(fact, TypeFact):
            terms = [f.term for f in fact.fields.values() if f.public]
            terms += [t for payload in fact.variants.values() for t in payload.values()]
            for term in terms:
                yield from _names(self.reduce(term))
        else:
            for bound in fact.supertraits:
                yield from _names(bound)

    def _mentioned(self, signatures: Iterable[Signature]) -> Iterable[str]:
        for signature in signatures:
            for term in (*(p.term for p in signature.params), signature.result):
                yield from _names(self.reduce(term))
            for generic in (*signature.generics, *signature.receiver_generics):
                for bound in generic.bounds:
                    yield from _names(bound)

    def described(self, path: str) -> bool:
        """Whether the methods of a definition are part of the table."""
        crate = path.split("::")[0]
        if crate in BACKENDS or is_internal((crate,)):
            return path in self.facts.types and path.endswith("Device")
        return path in self.facts.types or not (is_internal(tuple(path.split("::"))) or is_backend_ops(path))

    def _keys(self, kept: set[str]) -> dict[str, str]:
        """Definition to key: the bare name for the best of that name, the full public path for others."""
        groups = defaultdict(list)
        for path in kept:
            groups[path.rpartition("::")[2]].append(path)
        keys = {}
        for name, paths in groups.items():
            first, *others = sorted(paths, key=self._preference)
            keys[first] = self.surface.path(first) if name in _STD_PRELUDE else name
            keys.update((other, self.surface.path(other)) for other in others)
        return keys

    def _preference(self, path: str) -> tuple[bool, bool, int, int, int, str]:
        """Paths under `burn` come first; types before aliases before traits; then by crate and path."""
        shown = self.surface.path(path)
        crate = path.split("::")[0]
        return (
            path not in self.surface.paths,
            not shown.startswith("burn::"),
            0 if path in self.facts.types else 1 if path in self.facts.aliases else 2,
            ROOTS.index(crate) if crate in ROOTS else len(ROOTS),
            shown.count("::"),
            shown,
        )

    def reduce(self, term: Term) -> Term:
        """The term with associated types replaced by what the one fitting impl sets them to."""
        found = self._reduced.get(term)
        if found is None:
            self._reduced[term] = term  # an associated type that leads back to itself stays as it is
            inside = rebuild(term, self.reduce)
            found = self._project(inside) if isinstance(inside, Assoc) else inside
            self._reduced[term] = found
        return found

    def _project(self, term: Assoc) -> Term:
        if isinstance(term.of, Generic | Assoc):
            return term
        fits = []
        for impl in self._impls.get(term.name, ()):
            if term.trait and impl.trait.name.rpartition("::")[2] != term.trait:
                continue
            values = match(impl.receiver, term.of, {g.name for g in impl.generics})
            if values is not None:
                fits.append(substitute(impl.assoc[term.name], values))
        return self.reduce(fits[0]) if len(set(fits)) == 1 and fits[0] != term else term

    def short(self, term: Term) -> Term:
        """The term reduced, with keys in place of paths."""
        return rename(self.reduce(term), self._shown)

    def _shown(self, name: str) -> str:
        """The key of a definition; for others the bare name, or the path where a key has that name."""
        bare = name.rpartition("::")[2]
        return self.keys.get(name) or (name if bare in self._taken else bare)


def _names(term: Term) -> Iterable[str]:
    return (t.name for t in subterms(term) if isinstance(t, Named) and "::" in t.name)
