"""burnlint in process, over one mutated file at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnlint.burn.project import Options, Project
from burnlint.lint import engine, registry
from burnlint.lint.config import Configs
from burnlint.lint.selection import Layer
from burnlint.lint.settings import Settings


@dataclass(frozen=True, slots=True)
class Found:
    """A finding: its rule, the pitfalls of that, and the line that it stands on."""

    rule: str
    pitfalls: tuple[str, ...]
    confidence: str
    line: int
    message: str


class Linter:
    """burnlint as a user has it: default rules, default confidence, the versions of the manifests. Of the
    default rules only those of the pitfalls in question are run.

    What was read of a folder (manifests, unmutated files) is kept for the next fault there.
    """

    def __init__(self) -> None:
        self.registry = registry.load()
        self._configs = Configs(None)
        self._settings: dict[tuple[str, ...], Settings] = {}
        self.crashes: set[str] = set()
        self._first: dict[tuple[Path, str], Project] = {}

    def settings(self, pitfalls: tuple[str, ...]) -> Settings:
        """The default rules for these pitfalls (`-`: those for none)."""
        if pitfalls not in self._settings:
            names = tuple(
                each.rule.name
                for each in self.registry.rules
                if each.rule.group in ("default", "migration")
                and (set(pitfalls) & set(each.rule.pitfalls) or ("-" in pitfalls and not each.rule.pitfalls))
            )
            self._settings[pitfalls] = Settings(self.registry, self._configs, Layer(names, (), ()))
        return self._settings[pitfalls]

    def lint(
        self, folder: Path, path: str, overlay: Mapping[str, bytes], pitfalls: tuple[str, ...]
    ) -> list[Found]:
        """The findings of one file of a folder about some pitfalls, with these contents (by path in the
        folder)."""
        whole = {(folder / name).as_posix(): content for name, content in overlay.items()}
        project = Project.load([(folder / path).as_posix()], Options(), whole)
        first = self._first.setdefault((folder, path), project)
        if first is not project:
            project.__dict__["cargo"] = first.cargo
            project._shared = first._shared
            project._sources |= {k: v for k, v in first._sources.items() if k not in whole}
        result = engine.run(
            project, self.registry, self.settings(pitfalls).of, engine.Options(), folder.as_posix()
        )
        self.crashes.update(note.message for note in result.notes if note.code == "BL002")
        text = overlay.get(path) or (folder / path).read_bytes()
        return [
            Found(
                each.rule.rule.name,
                tuple(each.rule.rule.pitfalls),
                each.confidence,
                text.count(b"\n", 0, each.finding.place.start) + 1,
                each.finding.message,
            )
            for each in result.findings
        ]
