"""The module tree of one target: which files belong to it, and which module each item is in."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from burnlint.rust.cfg import ALWAYS, TEST, Condition
from burnlint.rust.items import ExternCrate, Item, ItemMacro, Mod
from burnlint.rust.passed_items import passed_on
from burnlint.rust.source import SourceFile

Read: TypeAlias = Callable[[str], "SourceFile | None"]
"""Gives the file at a path with `/`, the same object each time; None if there is none."""

MAX_DEPTH = 64
"""Modules nested deeper are left out: only `#[path]` to a file that includes itself gets there."""


@dataclass(eq=False)
class Module:
    """One module of a target. A file that is included twice gives two modules with the same items."""

    crate: Crate = field(repr=False)
    path: tuple[str, ...]
    """From the crate's root, which has the empty path."""
    parent: Module | None = field(repr=False)
    file: SourceFile
    mod: Mod | None = field(repr=False)
    """The item that declares it; None for the root."""
    condition: Condition = field(repr=False)
    """Under which the module is there, what its file says of itself included."""
    folder: str = field(repr=False)
    """Where the files of its `mod x;` lie."""
    here: str = field(repr=False)
    """Where its `#[path]` start."""

    @property
    def name(self) -> str:
        """The last segment of the path; "" for the root."""
        return self.path[-1] if self.path else ""

    @property
    def inline(self) -> bool:
        return self.mod is not None and self.mod.inline

    @cached_property
    def items(self) -> list[Item]:
        """What it declares, with what macro calls are known to declare in their place."""
        own = self.mod.items if self.mod is not None and self.mod.inline else self.file.items.items
        if not any(isinstance(item, ItemMacro) for item in own):
            return own
        found: list[Item] = []
        for item in own:
            passed = passed_on(item, own) if isinstance(item, ItemMacro) else None
            found += [item] if passed is None else passed
            for each in passed or ():
                self.crate.enter(each, self)
        return found

    @cached_property
    def inner(self) -> list[Module]:
        """The modules right inside of it, in source order."""
        return self.crate.modules_in(self)

    @cached_property
    def children(self) -> dict[str, list[Module]]:
        """The same by name; several of one name have different conditions, or are broken code."""
        by_name: dict[str, list[Module]] = {}
        for module in self.inner:
            by_name.setdefault(module.name, []).append(module)
        return by_name


class Crate:
    """One target of a package: a library, program, example, test or benchmark.

    Only files that may hold `mod x;` are parsed to find out which files belong to it; the others, most of
    them, when somebody asks for their items.

    `externs` are the names that `extern crate` or a path may start with, and what they stand for: another
    crate of the workspace, or the id of an outside one (its own name, whatever it is renamed to).
    """

    def __init__(
        self,
        name: str,
        root: str,
        read: Read,
        externs: Mapping[str, Crate | str] | None = None,
        edition: int = 2021,
        test: bool = False,
    ) -> None:
        self.name = name.replace("-", "_")
        self.edition = edition
        self.externs: dict[str, Crate | str] = dict(externs or {})
        self.missing: list[tuple[Mod, tuple[str, ...]]] = []
        """`mod x;` without a file, each with the paths where it was looked for."""
        self._find = read
        self.asked: list[str] = []
        """The paths where files were looked for."""
        self._by_place: dict[tuple[SourceFile, Mod | None], Module] = {}
        self._by_file: dict[SourceFile, list[Module]] = {}
        """The modules that are whole files."""
        file = self._read(root)
        self.root: Module | None = None
        if file is not None:
            folder = posixpath.dirname(file.path)
            self.root = self._place((), None, file, None, TEST if test else ALWAYS, folder, folder)
            self._find_files(self.root)

    def __repr__(self) -> str:
        return f"Crate({self.name!r})"

    @cached_property
    def modules(self) -> list[Module]:
        """All modules, outer before inner, in source order. Parses every file of the target."""
        found: list[Module] = []
        todo = [self.root] if self.root is not None else []
        while todo:
            module = todo.pop()
            found.append(module)
            todo.extend(reversed(module.inner))
        found.sort(key=lambda module: module.path)
        return found

    def modules_with(self, word: str) -> Iterator[Module]:
        """The modules in files whose text holds `word`, in the order of `modules`."""
        found = [each for file in self._by_file if file.mentions(word) for each in self._in_file(file)]
        yield from sorted(found, key=lambda module: module.path)

    def _in_file(self, file: SourceFile) -> list[Module]:
        """The modules that a file is, and the inline ones inside of them."""
        found: list[Module] = []
        todo = self._by_file.get(file, [])[::-1]
        while todo:
            module = todo.pop()
            found.append(module)
            todo.extend(each for each in reversed(module.inner) if each.inline)
        return found

    def module_of(self, item: Item) -> Module | None:
        """The module that an item is in, also if its function's body declares it; None if its file is not of
        this target."""
        found = self._by_place.get((item.file, item.parent))
        if found is None and item.parent is not None:
            self._in_file(item.file)  # makes the modules inside
            found = self._by_place.get((item.file, item.parent))
        return found

    def enter(self, item: Item, module: Module) -> None:
        """Place an item that a macro call in a module declares: it stands in a file of its own."""
        self._by_place.setdefault((item.file, item.parent), module)

    def condition_of(self, item: Item) -> Condition:
        """The presence condition of an item in this target."""
        module = self.module_of(item)
        return item.cfg if module is None else module.condition & item.cfg

    def has(self, file: SourceFile) -> bool:
        """Whether a file belongs to the target."""
        return file in self._by_file

    @cached_property
    def _files(self) -> list[SourceFile]:
        modules = [module for modules in self._by_file.values() for module in modules]
        modules.sort(key=lambda module: module.path)
        return list(dict.fromkeys(module.file for module in modules))

    def files(self) -> Iterator[SourceFile]:
        """The files of the target, each once, in the order of the tree."""
        yield from self._files

    def extern_crates(self) -> dict[str, Crate | str]:
        """The names of `externs` and what `extern crate .. as ..` in the root adds to them."""
        names = dict(self.externs)
        for item in self.root.items if self.root is not None else ():
            if isinstance(item, ExternCrate) and item.original in self.externs:
                names[item.name] = self.externs[item.original]
        return names

    def _find_files(self, root: Module) -> None:
        todo = [root]
        while todo:
            module = todo.pop()
            if module.file.may_have_outline_modules:
                todo.extend(reversed(module.inner))

    def _read(self, path: str) -> SourceFile | None:
        self.asked.append(path)
        return self._find(path)

    def modules_in(self, module: Module) -> list[Module]:
        """The modules right inside of a module, made anew: `Module.inner` has them."""
        if len(module.path) >= MAX_DEPTH:
            return []
        found = (self._child(module, item) for item in module.items if isinstance(item, Mod))
        return [child for child in found if child is not None]

    def _child(self, module: Module, item: Mod) -> Module | None:
        """The module that a `mod` item declares."""
        path = (*module.path, item.name)
        condition = module.condition & item.own_cfg
        if item.inline:
            inside = posixpath.join(module.folder, item.path if item.path is not None else item.name)
            return self._place(path, module, item.file, item, condition, inside, inside)
        places = [
            (posixpath.join(module.folder, f"{item.name}.rs"), False),
            (posixpath.join(module.folder, item.name, "mod.rs"), True),
        ]
        if item.path is not None:
            places.insert(0, (posixpath.join(module.here, item.path), True))
        for place, own_folder in places:
            file = self._read(_normal(place))
            if file is not None:
                folder = _folder(file.path, own_folder)
                return self._place(path, module, file, item, condition, folder, posixpath.dirname(file.path))
        self.missing.append((item, tuple(_normal(place) for place, _ in places)))
        return None

    def _place(
        self,
        path: tuple[str, ...],
        parent: Module | None,
        file: SourceFile,
        mod: Mod | None,
        condition: Condition,
        folder: str,
        here: str,
    ) -> Module:
        inline = mod if mod is not None and mod.inline else None
        if inline is None:
            condition = condition & file.cfg
            file.placements.append(condition)
        module = Module(self, path, parent, file, mod, condition, folder, here)
        self._by_place.setdefault((file, inline), module)
        if inline is None:
            self._by_file.setdefault(file, []).append(module)
        return module


def _folder(path: str, own: bool) -> str:
    """Where the file's `mod x;` lie: beside it for a root, a `mod.rs` and after `#[path]`, else in a folder
    of its name."""
    folder, name = posixpath.split(path)
    return folder if own or name == "mod.rs" else posixpath.join(folder, posixpath.splitext(name)[0])


def _normal(path: str) -> str:
    """The path without `..` as far as that can be told from the path alone."""
    parts: list[str] = []
    for at, part in enumerate(path.split("/")):
        if part == ".." and parts and parts[-1] not in ("..", ""):
            parts.pop()
        elif part not in ("", ".") or at == 0:
            parts.append(part)
    return "/".join(parts)
