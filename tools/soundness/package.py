"""A Cargo package as burnlint sees it: its function bodies, their locals and un-annotated `let`s, with the
inferred types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from burnlint.burn.analysis import Analysis
from burnlint.burn.infer import BodyTypes
from burnlint.burn.project import Options, Project
from burnlint.rust import hir
from burnlint.rust.items import Fn
from burnlint.rust.source import SourceFile


@dataclass(frozen=True)
class Body:
    """One function with its types."""

    path: str
    """Relative to the package's folder."""
    source: SourceFile
    fn: Fn
    hir: hir.Body
    types: BodyTypes
    analysis: Analysis

    def lets(self) -> list[tuple[hir.Let, hir.Bind]]:
        """The `let`s without annotation whose pattern is a plain binding, in order of places."""
        found = [
            (statement, statement.pattern)
            for block in self.hir.exprs
            if isinstance(block, hir.Block)
            for statement in block.statements
            if isinstance(statement, hir.Let)
            and statement.type is None
            and isinstance(statement.pattern, hir.Bind)
        ]
        plain = (each for each in found if each[1].sub is None and not each[1].local.by_ref)
        return sorted(plain, key=lambda each: each[0].span)


class Package:
    """All Rust files below a folder, in burnlint's own project model."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.files = [
            path
            for path in sorted(self.folder.rglob("*.rs"))
            if "target" not in path.relative_to(self.folder).parts
        ]
        manifests = sorted(self.folder.rglob("Cargo.toml"))
        names = [path.as_posix() for path in (*self.files, *manifests)]
        self.project = Project.load(names, Options(), {})

    @cached_property
    def bodies(self) -> list[Body]:
        """Every function with a body, in order of files and places."""
        return list(self._bodies())

    @cached_property
    def cube(self) -> int:
        """Functions of CubeCL code, which burnlint does not look into."""
        return sum(1 for _, fn, analysis in self._functions() if fn.has_body and analysis.world.in_cube(fn))

    def _functions(self) -> Iterator[tuple[SourceFile, Fn, Analysis]]:
        for path in self.files:
            source = self.project.source(path.as_posix())
            analysis = self.project.analysis(path.as_posix())
            if source is not None and analysis is not None:
                for fn in source.items.functions:
                    yield source, fn, analysis

    def _bodies(self) -> Iterator[Body]:
        for source, fn, analysis in self._functions():
            body = analysis.body(fn)
            if body is not None:
                path = Path(source.path).relative_to(self.folder).as_posix()
                yield Body(path, source, fn, body, analysis.types(body), analysis)
