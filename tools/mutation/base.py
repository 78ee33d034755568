"""Correct real code: a Cargo package or workspace that compiles, its files, and rustc's types for them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import tomlkit
from tree_sitter import Node

from burnlint.rust.parser import parse
from tools.mutation import syntax
from tools.soundness.cargo import Copy
from tools.soundness.rustc_types import Form, read
from tools.soundness.thir import Row

CARGO = ("--workspace", "--lib", "--bins", "--examples")
"""What is compiled: faults are planted outside of tests."""

_OLD_STYLE = re.compile(rb"\bTensor(?:::)?<\s*[A-Z]\w*\s*,\s*\w")
"""Up to burn 0.21 a tensor names a back end."""


@dataclass
class Source:
    """A Rust file. `types` are rustc's for spans of expressions and bindings, innermost adjustment last."""

    path: str
    content: bytes
    crates: Crates
    rows: list[Row] = field(default_factory=list)

    @cached_property
    def root(self) -> Node:
        return parse(self.content).root_node

    @cached_property
    def functions(self) -> list[syntax.Function]:
        """The functions outside of tests."""
        return list(syntax.functions(self.root))

    @cached_property
    def calls(self) -> dict[str, list[syntax.Call]]:
        """The calls outside of tests, by name."""
        found: dict[str, list[syntax.Call]] = defaultdict(list)
        for each in syntax.calls(self.root):
            if not syntax.tested(each.node):
                found[each.name].append(each)
        return found

    def named(self, *names: str) -> Iterator[syntax.Call]:
        """The calls of these names."""
        for name in names:
            yield from self.calls.get(name, ())

    @cached_property
    def _types(self) -> dict[tuple[int, int], list[str]]:
        starts = [0]
        for line in self.content.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        lines = self.content.decode().split("\n")

        def offset(line: int, column: int) -> int:
            return starts[line - 1] + len(lines[line - 1][: column - 1].encode())

        found: dict[tuple[int, int], list[str]] = defaultdict(list)
        for row in self.rows:
            at = offset(*row.place.start), offset(*row.place.end)
            if row.type not in found[at]:
                found[at].append(row.type)
        return found

    @cached_property
    def _typed(self) -> list[int]:
        return sorted(start for start, _ in self._types)

    def compiled(self, function: syntax.Function | None) -> bool:
        """Whether rustc saw the body of a function, as far as it was asked: what is behind a feature that is off
        never fails to compile."""
        if function is None or not self.rows:
            return True
        at = bisect_left(self._typed, function.body.start_byte)
        return at < len(self._typed) and self._typed[at] < function.body.end_byte

    def types(self, node: Node) -> list[Form]:
        """rustc's types of an expression or binding, with those of its adjustments."""
        return [read(each) for each in self._types.get(syntax.span(node), ())]

    def type(self, node: Node) -> Form | None:
        """Its type below all references; None where rustc gave none."""
        found = self.types(node)
        return found[-1].peeled if found else None

    def mentions(self, node: Node, word: str) -> bool:
        """Whether rustc's type of an expression mentions a word, also one that is not taken apart."""
        return any(word in each for each in self._types.get(syntax.span(node), ()))

    def is_tensor(self, node: Node, kind: str = "", rank: int = 0) -> bool:
        """Whether rustc knows a node as a tensor of this kind and rank (if given)."""
        form = self.type(node)
        if form is None or form.name != "Tensor":
            return False
        ranks = [int(each.text) for each in form.args if each.head == "const"]
        kinds = [each.name for each in form.args if each.name in ("Float", "Int", "Bool")]
        return (not kind or kinds == [kind]) and (not rank or ranks == [rank])

    def function_at(self, start: int) -> bool:
        """Whether a function begins at a byte."""
        return any(each.node.start_byte == start for each in self.functions)

    def function(self, node: Node) -> syntax.Function | None:
        """The innermost function around a node."""
        around = [f for f in self.functions if f.body.start_byte <= node.start_byte < f.body.end_byte]
        return max(around, key=lambda each: each.body.start_byte, default=None)


@dataclass(frozen=True)
class Crates:
    """How code of a package names burn: with the façade `burn`, or by the crates behind it."""

    tensor: str
    """Empty: it names none of the crates for users."""
    module: str
    nn: str
    optim: str
    data: str
    generic: bool
    """Up to burn 0.21 a tensor names its back end."""

    @property
    def facade(self) -> bool:
        """Whether it is the façade, with all back ends."""
        return self.tensor.startswith("burn::")


_NONE = Crates("", "", "", "", "", False)
_FACADE = Crates("burn::tensor", "burn::module", "burn::nn", "burn::optim", "burn::data", False)


@dataclass
class Base:
    """One folder of code to plant faults into."""

    name: str
    copy: Copy
    sources: dict[str, Source]
    typed: bool = True
    """Whether rustc was asked for its types. Snippets are set into such code only: it is known to compile."""

    @classmethod
    def load(cls, folder: Path, work: Path, target: Path, typed: bool = True) -> Base:
        """Copies the folder; asks rustc for all types there, unless they are kept from before."""
        copy = Copy.of(folder, work / folder.name / "copy", target, CARGO, 2)
        sources: dict[str, Source] = {}
        for path in sorted(copy.folder.rglob("*.rs")):
            name = path.relative_to(copy.folder).as_posix()
            if not {"tests", "benches", "target"} & set(name.split("/")) and "exercise/" not in name:
                sources[name] = Source(name, path.read_bytes(), crates_of(path, copy.folder))
        if typed:
            for row in copy.types():
                if row.place.path in sources:
                    sources[row.place.path].rows.append(row)
            # The others are behind features that are off.
            sources = {path: source for path, source in sources.items() if source.rows}
        return cls(folder.name, copy, sources, typed)


def crates_of(path: Path, top: Path) -> Crates:
    """What a file calls burn, by the manifest above it."""
    folder = path.parent
    while not (folder / "Cargo.toml").is_file() and folder != top:
        folder = folder.parent
    # Not tomllib: Cargo takes TOML 1.1.
    manifest = tomlkit.parse((folder / "Cargo.toml").read_text(encoding="utf-8")).unwrap()
    package = manifest.get("package", {}).get("name", "")
    given = manifest.get("dependencies", {})
    needed = {name for name, of in given.items() if not (isinstance(of, dict) and of.get("optional"))}

    def crate(name: str) -> str:
        # Within burn-nn a `Linear` is a struct of the package, which no user's code ever sees it as.
        return name.replace("-", "_") if name in needed else ""

    if package in ("burn-nn", "burn-train", "burn-optim", "burn-vision"):
        # Loaders stand behind a feature that only training asks for.
        data = "burn_core::data" if package == "burn-train" else ""
        return Crates(
            "burn_core::tensor", "burn_core::module", crate("burn-nn"), crate("burn-optim"), data, False
        )
    if "burn" not in needed:
        return _NONE
    wanted = given["burn"].get("version", "") if isinstance(given["burn"], dict) else given["burn"]
    old = re.match(r"[\^~=\s]*0\.(\d+)", wanted)
    if old is not None:
        return replace(_FACADE, generic=int(old[1]) < 22)
    generic = any(_OLD_STYLE.search(each.read_bytes()) for each in folder.rglob("*.rs"))
    return replace(_FACADE, generic=generic)
