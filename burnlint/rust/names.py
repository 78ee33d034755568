"""Name resolution: what a path means where it stands.

Follows Rust's rules for items: what a block declares, then generics, then the module's own items and imports,
then its globs, then the names of outside crates, then std's prelude and the primitive types. Imports are
followed through re-exports, over the crates of the workspace, up to an item of the workspace or a path into
an outside crate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from burnlint.rust import module_table, prelude
from burnlint.rust.cfg import ALWAYS, Condition, can_both_hold
from burnlint.rust.items import Enum, ExternCrate, Fn, Impl, Item, MacroRules, Mod, Struct, Trait, Use
from burnlint.rust.module_table import Table
from burnlint.rust.modules import Crate, Module
from burnlint.rust.resolution import (
    Definition,
    Extern,
    ExternExports,
    Generic,
    Local,
    Meaning,
    Namespace,
    Primitive,
    Resolution,
    Scope,
    Search,
    SelfType,
    Unresolved,
    agreed,
)
from burnlint.rust.types import Path, PathType, Segment, Span

_Key = tuple[Module, str, Namespace, bool]


class Names:
    """Resolves paths in the crates of a workspace; remembers what it found.

    `extern_exports` gives the public names of a module of an outside crate, for globs; None if they are not
    known.
    """

    def __init__(self, extern_exports: ExternExports | None = None) -> None:
        self._exports = extern_exports
        self._tables: dict[Module, Table] = {}
        self._blocks: dict[Fn, list[tuple[Span, Table]]] = {}
        self._externs: dict[Crate, dict[str, Crate | str]] = {}
        self._macros: dict[Crate, dict[str, list[Item]]] = {}
        self._found: dict[_Key, tuple[list[Meaning], bool, bool]] = {}

    def resolve(self, scope: Scope, path: Path, namespace: Namespace) -> Resolution:
        """What a path means in a scope, looked up in the namespace of its last segment."""
        if path.qself is not None:
            return self._qualified(scope, path)
        search = Search()
        site = _condition_at(scope)
        found = self._path(scope, path, namespace, search)
        possible = [each for each in found if can_both_hold(each.condition, site)]
        if possible:
            return self._variant_of_self(agreed(possible), scope)
        return Unresolved("glob" if search.unknown_glob else "macro" if search.macros else "not found")

    def _qualified(self, scope: Scope, path: Path) -> Resolution:
        """`<T as Trait>::name`."""
        *trait, name = path.segments
        if not trait:
            return Unresolved("qualified")
        found = self.resolve(scope, replace(path, segments=tuple(trait), qself=None), "type")
        if isinstance(found, Extern):
            return Extern((*found.path, name.name))
        return found if isinstance(found, Unresolved) else replace(found, rest=(*found.rest, name))

    def _variant_of_self(self, found: Resolution, scope: Scope) -> Resolution:
        """`Self::Variant` is that variant; other answers stay as they are."""
        if not isinstance(found, SelfType) or not found.rest:
            return found
        owner: Definition | None = found.owner
        if isinstance(owner, Impl) and isinstance(owner.self_type, PathType):
            target = self.resolve(Scope(scope.module, owner), owner.self_type.path, "type")
            owner = target.definitions[0] if isinstance(target, Local) and not target.rest else None
        for variant in owner.variants if isinstance(owner, Enum) else ():
            if variant.name == found.rest[0].name:
                return Local(scope.module.crate, (variant,), rest=found.rest[1:])
        return found

    def _path(
        self, scope: Scope, path: Path, namespace: Namespace, search: Search, imports: bool = False
    ) -> list[Meaning]:
        segments = path.segments
        last = len(segments) - 1
        if path.leading and scope.module.crate.edition >= 2018:
            found = self._outside(scope.module.crate, segments[0].name)
        else:
            found = self._head(scope, path, "type" if last else namespace, search, imports)
        for index in range(1, len(segments)):
            step: Namespace = namespace if index == last else "type"
            found = [each for meaning in found for each in self._step(meaning, segments[index], step, search)]
        return found

    def _head(
        self, scope: Scope, path: Path, namespace: Namespace, search: Search, imports: bool
    ) -> list[Meaning]:
        """What the first segment of a path means."""
        name = path.segments[0].name
        module = scope.module
        if name in ("crate", "$crate"):
            return _local(module.crate.root)
        if name == "self" and namespace == "type":
            return _local(module)
        if name == "super":
            return _local(module.parent)
        if name == "Self":
            owner = _owner_of_self(scope.item)
            return [Meaning(SelfType(owner), ALWAYS)] if owner is not None else []
        found = self._in_blocks(scope, path.span, name, namespace, search) or _generic(
            scope.item, name, namespace
        )
        if found:
            return found
        outside = self._outside(module.crate, name) if namespace == "type" else []
        # The globs of a module are not asked for what its imports start with, if that is the name of a crate:
        # with many globs that would take for ever.
        return (
            self._in_module(module, name, namespace, search, globs=not (imports and outside))
            or (self._macro(module, name) if namespace == "macro" else [])
            or outside
            or _in_prelude(name, namespace, module.crate.edition)
        )

    def _step(
        self, meaning: Meaning, segment: Segment, namespace: Namespace, search: Search
    ) -> list[Meaning]:
        """What a segment means inside of something; behind a type it goes to `rest`."""
        what = meaning.what
        if isinstance(what, Extern):
            return [replace(meaning, what=Extern((*what.path, segment.name)))]
        if what.rest or not isinstance(what, Local):
            return [replace(meaning, what=replace(what, rest=(*what.rest, segment)))]
        found: list[Meaning] = []
        for definition in what.definitions:
            if isinstance(definition, Module):
                if segment.name == "super":
                    inner = _local(definition.parent)
                else:
                    inner = self._in_module(definition, segment.name, namespace, search)
                    if namespace == "macro" and not inner and not definition.path:
                        inner = self._macro(definition, segment.name)
                found.extend(each.only_if(meaning.condition) for each in inner)
                continue
            variants = _variants(definition, segment.name, what.crate)
            found.extend(each.only_if(meaning.condition) for each in variants)
            if not variants and not isinstance(definition, Mod):
                found.append(Meaning(Local(what.crate, (definition,), rest=(segment,)), meaning.condition))
        return found

    def _in_blocks(
        self, scope: Scope, span: Span, name: str, namespace: Namespace, search: Search
    ) -> list[Meaning]:
        """What the blocks around a place declare, the innermost first."""
        for function in _functions_around(scope.item):
            for block, table in self._block_tables(function):
                if block[0] <= span[0] and span[1] <= block[1]:
                    found = self._in_table(Scope(scope.module, function), table, name, namespace, search)
                    if found:
                        return found
        return []

    def _block_tables(self, function: Fn) -> list[tuple[Span, Table]]:
        """The blocks of a function that declare items, inner before outer."""
        tables = self._blocks.get(function)
        if tables is None:
            by_block: dict[Span, list[Item]] = {}
            for item in function.inner_items:
                if item.block is not None:
                    by_block.setdefault(item.block, []).append(item)
            tables = [(block, module_table.of_block(items)) for block, items in by_block.items()]
            tables.sort(key=lambda each: each[0][1] - each[0][0])
            self._blocks[function] = tables
        return tables

    def _in_module(
        self,
        module: Module,
        name: str,
        namespace: Namespace,
        search: Search,
        private: bool = True,
        globs: bool = True,
    ) -> list[Meaning]:
        """What a name means as a member of a module; with or without its private ones, with or without its
        globs."""
        table = self._tables.get(module)
        if table is None:
            table = self._tables[module] = module_table.of_module(module)
        if not globs:
            return self._own(Scope(module), table, name, namespace, search, private)
        key = (module, name, namespace, private)
        known = self._found.get(key)
        if known is None:
            if not search.enter(key):
                return []
            inner = Search(search)
            meanings = self._in_table(Scope(module), table, name, namespace, inner, private)
            known = (meanings, inner.unknown_glob, inner.macros or bool(table.macros and not meanings))
            search.leave(key)
            # What was cut short holds for this question alone, unless this is where it started.
            if not inner.cut or not search.under_way:
                self._found[key] = known
            search.join(inner)
        meanings, unknown_glob, macros = known
        search.unknown_glob = search.unknown_glob or unknown_glob
        search.macros = search.macros or macros
        return meanings

    def _in_table(
        self,
        scope: Scope,
        table: Table,
        name: str,
        namespace: Namespace,
        search: Search,
        private: bool = True,
    ) -> list[Meaning]:
        """What a module or block declares under a name: its own, or if there is none what its globs bring."""
        own = self._own(scope, table, name, namespace, search, private)
        if own:
            return own
        if table.macros and table.globs and table.spelled_in_macro(name):
            search.macros = True
            return []
        brought: dict[Meaning, None] = {}
        for use in table.globs:
            if private or use.public:
                brought.update(dict.fromkeys(self._from_glob(scope, use, name, namespace, search)))
        return list(brought)

    def _own(
        self, scope: Scope, table: Table, name: str, namespace: Namespace, search: Search, private: bool
    ) -> list[Meaning]:
        """What a module or block declares or imports by name."""
        around = _condition_at(scope)
        own = [
            Meaning(Local(scope.module.crate, (definition,)), _condition(definition, around))
            for definition in table.definitions.get((namespace, name), ())
            if private or _is_public(definition)
        ]
        imported: list[Meaning] = []
        for use in table.uses.get(name, ()):
            if (private or use.public) and (namespace == "type" or not use.only_types):
                found = self._imported(scope, use, namespace, search)
                imported.extend(each.only_if(around & use.own_cfg) for each in found)
        for item in table.externs.get(name, ()) if namespace == "type" else ():
            crate = self._extern_crate(scope.module.crate, item)
            imported.extend(each.only_if(around & item.own_cfg) for each in crate)
        # Of an outside name the namespace is not known. Next to an item of the same name it is in another
        # one.
        for meaning in imported:
            outside = isinstance(meaning.what, Extern)
            if not outside or not any(can_both_hold(meaning.condition, each.condition) for each in own):
                own.append(meaning)
        return own

    def _imported(self, scope: Scope, use: Use, namespace: Namespace, search: Search) -> list[Meaning]:
        """What the path of an import means; before the edition of 2018 it starts at the crate's root."""
        if not search.enter(use):
            return []
        root, first = scope.module.crate.root, use.path.segments[0].name
        if scope.module.crate.edition < 2018 and root is not None and first not in ("self", "super", "crate"):
            scope = Scope(root)
        found = self._path(scope, use.path, namespace, search, imports=True)
        search.leave(use)
        return found

    def _from_glob(
        self, scope: Scope, use: Use, name: str, namespace: Namespace, search: Search
    ) -> Iterator[Meaning]:
        if not use.path.segments:
            return
        for source in self._imported(scope, use, "type", search):
            what = source.what
            condition = source.condition & use.own_cfg
            if isinstance(what, Extern):
                exports = self._exports(what.path) if self._exports is not None else None
                if exports is None:
                    search.unknown_glob = True
                elif name in exports:
                    yield Meaning(Extern((*what.path, name)), condition)
            elif isinstance(what, Local) and not what.rest:
                for definition in what.definitions:
                    members = self._members(scope.module, definition, name, namespace, search)
                    yield from (each.only_if(condition) for each in members)

    def _members(
        self, module: Module, definition: Definition, name: str, namespace: Namespace, search: Search
    ) -> list[Meaning]:
        """What a glob in `module` brings under a name from a module or enum."""
        if isinstance(definition, Module):
            inside = (
                module.crate is definition.crate and module.path[: len(definition.path)] == definition.path
            )
            return self._in_module(definition, name, namespace, search, private=inside)
        return _variants(definition, name, module.crate) if namespace != "macro" else []

    def _outside(self, crate: Crate, name: str) -> list[Meaning]:
        """The outside crate of that name."""
        externs = self._externs.get(crate)
        if externs is None:
            externs = self._externs[crate] = crate.extern_crates()
        target = externs.get(name)
        if isinstance(target, Crate):
            return _local(target.root)
        if target is not None:
            return [Meaning(Extern((target.replace("-", "_"),)), ALWAYS)]
        if name in prelude.STD_CRATES:
            return [Meaning(Extern(("std" if name in ("core", "alloc") else name,)), ALWAYS)]
        return []

    def _extern_crate(self, crate: Crate, item: ExternCrate) -> list[Meaning]:
        return _local(crate.root) if item.original == "self" else self._outside(crate, item.original)

    def _macro(self, module: Module, name: str) -> list[Meaning]:
        """A `macro_rules!` of the crate: these are in scope by the order of the text, which is not checked
        here."""
        macros = self._macros.get(module.crate)
        if macros is None:
            macros = self._macros[module.crate] = {}
            for each in module.crate.modules_with("macro_rules"):
                for item in each.items:
                    if isinstance(item, MacroRules):
                        macros.setdefault(item.name, []).append(item)
        return [Meaning(Local(module.crate, (item,)), item.cfg) for item in macros.get(name, ())]


def _local(module: Module | None) -> list[Meaning]:
    return [Meaning(Local(module.crate, (module,)), ALWAYS)] if module is not None else []


def _variants(definition: Definition, name: str, crate: Crate) -> list[Meaning]:
    """The variants of that name, if the definition is an enum."""
    variants = definition.variants if isinstance(definition, Enum) else ()
    return [Meaning(Local(crate, (each,)), each.own_cfg) for each in variants if each.name == name]


def _condition_at(scope: Scope) -> Condition:
    """The condition under which a place is there."""
    return scope.module.condition if scope.item is None else scope.module.condition & scope.item.cfg


def _condition(definition: Definition, around: Condition) -> Condition:
    return definition.condition if isinstance(definition, Module) else around & definition.own_cfg


def _is_public(definition: Definition) -> bool:
    """Whether a definition can be seen outside of its module."""
    if isinstance(definition, Module):
        return definition.mod is None or definition.mod.public
    return not isinstance(definition, Item) or definition.public


def _owner_of_self(item: Item | None) -> Item | None:
    """What `Self` is in an item."""
    if isinstance(item, (Impl, Trait, Struct, Enum)):
        return item
    return item.owner if item is not None else None


def _functions_around(item: Item | None) -> Iterator[Fn]:
    """The functions in whose bodies an item's inside lies, inner before outer."""
    at = item
    while at is not None:
        if isinstance(at, Fn):
            yield at
        at = at.owner or at.scope


def _generic(item: Item | None, name: str, namespace: Namespace) -> list[Meaning]:
    """The generic parameter of that name: of the item or of the impl or trait around it, not of functions
    around."""
    if item is None or namespace == "macro" or isinstance(item, (Use, Mod)):
        return []
    for owner in (item, item.owner) if item.owner is not None else (item,):
        for param in owner.generics.params:
            if param.name == name and (namespace == "type" or param.is_const):
                return [Meaning(Generic(name, owner), ALWAYS)]
    return []


def _in_prelude(name: str, namespace: Namespace, edition: int) -> list[Meaning]:
    if namespace == "macro":
        return [Meaning(Extern(("std", name)), ALWAYS)] if name in prelude.MACROS else []
    if namespace == "type" and name in prelude.PRIMITIVES:
        return [Meaning(Primitive(name), ALWAYS)]
    path = prelude.PRELUDE.get(name) or (prelude.PRELUDE_2024.get(name) if edition >= 2024 else None)
    return [Meaning(Extern(path), ALWAYS)] if path is not None else []
