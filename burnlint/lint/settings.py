"""What holds for each file: the rules that run there, severities and confidences, from its configuration and
the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from burnlint.lint.config import Config, ConfigError, Configs
from burnlint.lint.finding import Confidence, Severity
from burnlint.lint.glob import Patterns
from burnlint.lint.parts import FileSettings
from burnlint.lint.registry import Registry
from burnlint.lint.selection import Layer, UnknownWord, Word, resolve, select

_Level = TypeVar("_Level", bound=str)


class Settings:
    """Answers per file, computed once per configuration and set of matching patterns."""

    def __init__(self, registry: Registry, configs: Configs, command: Layer) -> None:
        self._registry = registry
        self._configs = configs
        self._command = command
        self._by_config: dict[int, tuple[Config, FileSettings, list[tuple[Patterns, frozenset[str]]]]] = {}
        self._by_path: dict[str, FileSettings] = {}
        self._narrowed: dict[tuple[int, tuple[int, ...]], FileSettings] = {}

    def of(self, path: str) -> FileSettings:
        """The settings of a file (absolute path). Raises ConfigError and UnknownWord (for a word of the
        command line)."""
        if path not in self._by_path:
            self._by_path[path] = self._compute(path)
        return self._by_path[path]

    def _compute(self, path: str) -> FileSettings:
        config = self._configs.of(path)
        if id(config) not in self._by_config:
            # The configuration is kept beside its answer, so that its id stays its own.
            self._by_config[id(config)] = (config, self._of_config(config), self._per_file(config))
        _, settings, per_file = self._by_config[id(config)]
        matching = tuple(at for at, (patterns, _) in enumerate(per_file) if patterns.cover(path))
        if not matching:
            return settings
        key = id(config), matching
        if key not in self._narrowed:
            ignored = frozenset().union(*(per_file[at][1] for at in matching))
            self._narrowed[key] = FileSettings(
                settings.rules - ignored, settings.severity, settings.confidence, settings.require_reason
            )
        return self._narrowed[key]

    def _of_config(self, config: Config) -> FileSettings:
        layer = Layer(
            tuple(config["select"]) if config.is_set("select") else None,
            tuple(config["extend-select"]),
            tuple(config["ignore"]),
        )
        for key in ("select", "extend-select", "ignore"):
            self._resolve(config, key, config[key])
        return FileSettings(
            select(self._registry, layer, self._command),
            self._levels(config, "severity", cast(Mapping[str, Severity], config["severity"])),
            self._levels(config, "confidence", cast(Mapping[str, Confidence], config["confidence"])),
            config["require-reason"],
        )

    def _levels(self, config: Config, key: str, table: Mapping[str, _Level]) -> dict[str, _Level]:
        """Levels by code; the more specific word wins."""
        words = list(zip(self._resolve(config, key, table), table.values(), strict=True))
        return {
            code: level for (_, codes), level in sorted(words, key=lambda each: each[0][0]) for code in codes
        }

    def _per_file(self, config: Config) -> list[tuple[Patterns, frozenset[str]]]:
        out = []
        for glob, words in config["per-file-ignores"].items():
            codes = (self._word(config, "per-file-ignores", each, glob).codes for each in words)
            out.append((Patterns(config.folder, (glob,)), frozenset().union(*codes)))
        return out

    def _resolve(self, config: Config, key: str, words: Iterable[str]) -> list[tuple[int, frozenset[str]]]:
        return [(word.rank, word.codes) for word in (self._word(config, key, each) for each in words)]

    def _word(self, config: Config, key: str, word: str, entry: str | None = None) -> Word:
        """What a word of a configuration selects; `entry` is that of the table `key` which holds it."""
        try:
            return resolve(self._registry, word)
        except UnknownWord as error:
            value = config.all[key]
            place = value.source
            if isinstance(value.value, dict) and value.entry is not None:
                place = value.entry(word if entry is None else entry)
            raise ConfigError(f"{place}: in `{key}`: {error}") from error
