"""The module tree of one target: which files belong to it, and which module each item is in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeAlias

from burnlint.rust.cfg import ALWAYS, TEST, Condition
from burnlint.rust.items import ExternCrate, Item, Mod
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
    items: list[Item] = field(repr=False)
    condition: Condition = field(repr=False)
    """Under which the module is there, what its file says of itself included."""
    children: dict[str, list[Module]] = field(default_factory=dict, repr=False)
    """By name; several of one name have different conditions, or are broken code."""

    @property
    def name(self) -> str:
        """The last segment of the path; "" for the root."""
        return self.path[-1] if self.path else ""

    @property
    def inline(self) -> bool:
        return self.mod is not None and self.mod.inline


class Crate:
    """One target of a package: a library, program, example, test or benchmark.

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
        self.modules: list[Module] = []
        """Outer before inner, in source order."""
        self.missing: list[tuple[Mod, tuple[str, ...]]] = []
        """`mod x;` without a file, each with the paths where it was looked for."""
        self._read = read
        self._by_place: dict[tuple[SourceFile, Mod | None], Module] = {}
        file = read(root)
        self.root = self._build(file, TEST if test else ALWAYS) if file is not None else None

    def __repr__(self) -> str:
        return f"Crate({self.name!r})"

    def module_of(self, item: Item) -> Module | None:
        """The module that an item is in, also if its function's body declares it; None if its file is not of
        this target."""
        return self._by_place.get((item.file, item.parent))

    def condition_of(self, item: Item) -> Condition:
        """The presence condition of an item in this target."""
        module = self.module_of(item)
        return item.cfg if module is None else module.condition & item.cfg

    def files(self) -> Iterator[SourceFile]:
        """The files of the target, each once, in the order of the tree."""
        yield from dict.fromkeys(module.file for module in self.modules)

    def extern_crates(self) -> dict[str, Crate | str]:
        """The names of `externs` and what `extern crate .. as ..` in the root adds to them."""
        names = dict(self.externs)
        for item in self.root.items if self.root is not None else ():
            if isinstance(item, ExternCrate) and item.original in self.externs:
                names[item.name] = self.externs[item.original]
        return names

    def _build(self, file: SourceFile, condition: Condition) -> Module:
        root = self._place((), None, file, None, file.items.items, condition & file.cfg)
        todo = [(root, _folder(file.path, True), PurePosixPath(file.path).parent)]
        while todo:
            module, folder, here = todo.pop()
            if len(module.path) >= MAX_DEPTH:
                continue
            inner = []
            for item in module.items:
                if isinstance(item, Mod):
                    inner.append(self._child(module, item, folder, here))
            todo.extend(each for each in reversed(inner) if each is not None)
        self.modules.sort(key=lambda module: module.path)
        return root

    def _child(
        self, module: Module, item: Mod, folder: PurePosixPath, here: PurePosixPath
    ) -> tuple[Module, PurePosixPath, PurePosixPath] | None:
        """The module that a `mod` item declares; with the folders of its own `mod x;` and of its own
        `#[path]`."""
        path = (*module.path, item.name)
        condition = module.condition & item.own_cfg
        if item.inline:
            child = self._place(path, module, module.file, item, item.items, condition)
            inside = folder / (item.path if item.path is not None else item.name)
            return child, inside, inside
        places: list[tuple[PurePosixPath, bool]] = [
            (folder / f"{item.name}.rs", False),
            (folder / item.name / "mod.rs", True),
        ]
        if item.path is not None:
            places.insert(0, (here / item.path, True))
        for place, own_folder in places:
            file = self._read(_normal(place))
            if file is not None:
                child = self._place(path, module, file, item, file.items.items, condition & file.cfg)
                return child, _folder(file.path, own_folder), PurePosixPath(file.path).parent
        self.missing.append((item, tuple(_normal(place) for place, _ in places)))
        return None

    def _place(
        self,
        path: tuple[str, ...],
        parent: Module | None,
        file: SourceFile,
        mod: Mod | None,
        items: list[Item],
        condition: Condition,
    ) -> Module:
        module = Module(self, path, parent, file, mod, items, condition)
        self.modules.append(module)
        if parent is not None:
            parent.children.setdefault(path[-1], []).append(module)
        inline = mod if mod is not None and mod.inline else None
        self._by_place.setdefault((file, inline), module)
        if inline is None:
            file.placements.append(condition)
        return module


def _folder(path: str, own: bool) -> PurePosixPath:
    """Where the file's `mod x;` lie: beside it for a root, a `mod.rs` and after `#[path]`, else in a folder
    of its name."""
    at = PurePosixPath(path)
    return at.parent if own or at.name == "mod.rs" else at.parent / at.stem


def _normal(path: PurePosixPath) -> str:
    """The path without `..` as far as that can be told from the path alone."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts and parts[-1] not in ("..", "/"):
            parts.pop()
        else:
            parts.append(part)
    return str(PurePosixPath(*parts))
