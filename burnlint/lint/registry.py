"""Which rules exist: found by walking packages, never listed by hand.

A rule is a module that holds `RULE`; its folder is its topic, its docstring its page, and its functions named
`check…` its entry points. Modules whose name starts with an underscore are no rules. A module that cannot be
loaded is kept as `broken`, so that one bad rule does not take the others with it.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from types import ModuleType
from typing import get_args

from burnlint.lint.finding import CONFIDENCES, SEVERITIES
from burnlint.lint.ranges import check_range, version
from burnlint.lint.rule import Check, Group, LoadedRule, Rule, Symptom

ENTRY_POINTS = ("check", "check_manifest", "check_project", "check_text")
RULES = "burnlint.rules"
OWN = "burnlint.lint.own"
OWN_TOPIC = "engine"
LOCAL_TOPIC = "local"
LOCAL_CODE = re.compile(r"(?!BL)[A-Z]+\d{3}")
"""Codes of a team's own rules: `BL` is burnlint's."""


@dataclass(slots=True, frozen=True)
class Broken:
    """A module that should be a rule and is none."""

    module: str
    why: str


@dataclass(frozen=True, eq=False)
class Registry:
    """All rules, by code; the engine's own diagnostics among them (topic `engine`)."""

    rules: tuple[LoadedRule, ...]
    broken: tuple[Broken, ...] = ()

    @cached_property
    def by_word(self) -> dict[str, LoadedRule]:
        """Rules by name, code and alias."""
        words: dict[str, LoadedRule] = {}
        for loaded in self.rules:
            for alias in loaded.rule.aliases:
                words.setdefault(alias, loaded)
        for loaded in self.rules:
            words[loaded.rule.name] = words[loaded.rule.code] = loaded
        return words

    def find(self, word: str) -> LoadedRule | None:
        """The rule of a name, code (in any case) or alias."""
        return self.by_word.get(word) or self.by_word.get(word.upper())

    def own(self, name: str) -> LoadedRule:
        """One of the engine's own diagnostics. Raises KeyError."""
        return self.by_word[name]


def discover(package: str, topic: str | None = None) -> tuple[list[LoadedRule], list[Broken]]:
    """The rules in the modules below `package`; a rule's topic is its folder unless `topic` says otherwise.

    Raises ModuleNotFoundError when there is no such package.
    """
    found: list[LoadedRule] = []
    broken: list[Broken] = []
    for name, last in _modules(import_module(package)):
        if last.startswith("_"):
            continue
        try:
            module = import_module(name)
        except Exception as error:
            broken.append(Broken(name, f"cannot be imported ({type(error).__name__}: {error})"))
            continue
        each = loaded_rule(module, topic or name.split(".")[-2])
        if isinstance(each, LoadedRule):
            found.append(each)
        else:
            broken.append(each)
    return found, broken


def loaded_rule(module: ModuleType, topic: str) -> LoadedRule | Broken:
    """The rule of an imported module."""
    rule = getattr(module, "RULE", None)
    if not isinstance(rule, Rule):
        return Broken(module.__name__, "declares no RULE")
    entry: dict[str, Check | None] = {each: getattr(module, each, None) for each in ENTRY_POINTS}
    return LoadedRule(rule, topic, module.__doc__ or "", module, **entry)


def _modules(package: ModuleType) -> Iterator[tuple[str, str]]:
    """(full name, last part) of the modules below a package, in order of their names."""
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not info.ispkg:
            yield info.name, info.name.rpartition(".")[2]


@lru_cache(maxsize=1)
def load() -> Registry:
    """The rules of this installation."""
    rules, broken = discover(RULES)
    own, own_broken = discover(OWN, OWN_TOPIC)
    return build([*own, *rules], [*own_broken, *broken])


def build(rules: Iterable[LoadedRule], broken: Iterable[Broken] = ()) -> Registry:
    """A registry in order of codes. Of two rules with one code or one name the second is broken."""
    kept: dict[str, LoadedRule] = {}
    named: dict[str, LoadedRule] = {}
    rejected = list(broken)
    for loaded in sorted(rules, key=lambda each: (each.rule.code, each.module.__name__)):
        rule = loaded.rule
        if other := kept.get(rule.code):
            rejected.append(
                Broken(_called(loaded), f"has the code {rule.code}, which is that of {other.rule.name}")
            )
        elif other := named.get(rule.name):
            rejected.append(
                Broken(_called(loaded), f"has the name {rule.name}, which is that of {other.rule.code}")
            )
        else:
            kept[rule.code] = named[rule.name] = loaded
    return Registry(tuple(kept.values()), tuple(rejected))


def _called(loaded: LoadedRule) -> str:
    """What a person calls a rule's module: a team's own by its file."""
    file = loaded.module.__file__ if loaded.topic == LOCAL_TOPIC else None
    return file or loaded.module.__name__


def problems(registry: Registry) -> list[str]:
    """What is wrong with the declarations; empty in a release. A test asks this, no run does."""
    out = [f"{each.module}: {each.why}" for each in registry.broken]
    taken: dict[str, str] = {}
    for loaded in registry.rules:
        where = loaded.module.__name__
        out += [f"{where}: {each}" for each in _problems(loaded)]
        for word in (loaded.rule.name, *loaded.rule.aliases):
            if taken.setdefault(word, where) != where:
                out.append(f"{where}: `{word}` is a name of {taken[word]} already")
        for word in loaded.rule.supersedes:
            other = registry.find(word)
            if other is None or other is loaded:
                out.append(f"{where}: supersedes `{word}`, which is no other rule")
    return out


_SHAPES: dict[str, re.Pattern[str]] = {
    "code": re.compile(r"BL\d{3}"),
    "name": re.compile(r"[a-z0-9]+(-[a-z0-9]+)+"),
    "pitfalls": re.compile(r"[PB]\d+"),
    "listens": re.compile(r"[A-Za-z_]\w*"),
    "aliases": re.compile(r"[a-z0-9]+(-[a-z0-9]+)+"),
}
_ALLOWED: dict[str, tuple[str, ...]] = {
    "symptom": get_args(Symptom),
    "group": get_args(Group),
    "severity": SEVERITIES,
    "confidence": CONFIDENCES,
}


def unusable(rule: Rule) -> Iterator[str]:
    """What no run can do with a declaration. burnlint's own are tested to have nothing of it."""
    for field, allowed in _ALLOWED.items():
        if (value := getattr(rule, field)) not in allowed:
            yield f"{field} `{value}` is none of {', '.join(allowed)}"
    yield from _raises("burn", check_range, [rule.burn])
    yield from _raises("proven", version, rule.proven)


def _problems(loaded: LoadedRule) -> Iterator[str]:
    rule = loaded.rule
    yield from unusable(rule)
    for field, usual in _SHAPES.items():
        shape = LOCAL_CODE if field == "code" and loaded.topic == LOCAL_TOPIC else usual
        value = getattr(rule, field)
        for each in (value,) if isinstance(value, str) else value:
            if not shape.fullmatch(each):
                yield f"{field} `{each}` does not have the form {shape.pattern}"
    if loaded.module.__name__.rpartition(".")[2].replace("_", "-") != rule.name:
        yield f"the file's name is not `{rule.name}` with underscores"
    yield from _raises("messages", re.compile, rule.messages)
    if not loaded.page.strip():
        yield "has no docstring"
    if loaded.topic != OWN_TOPIC and not any(getattr(loaded, entry) for entry in ENTRY_POINTS):
        yield f"has none of the functions {', '.join(ENTRY_POINTS)}"
    for name, function in inspect.getmembers(loaded.module, inspect.isfunction):
        if name.startswith("check") and name in ENTRY_POINTS:
            if len(inspect.signature(function).parameters) != 1:
                yield f"{name} takes more or less than one argument"
        elif name.startswith("check_"):
            yield f"{name} is no entry point: name a helper otherwise"


def _raises(field: str, read: Callable[[str], object], values: Iterable[str]) -> Iterator[str]:
    for value in values:
        try:
            read(value)
        except (ValueError, re.error) as error:
            yield f"{field}: {error}"
