"""Which rules run: the words of `--select`, `--extend-select` and `--ignore`, from the configuration and the
command line.

A word is a rule's name, code or alias, the beginning of a code (`BL1`), a pitfall (`P5`), `symptom:silent`,
`topic:tensor`, `group:parity`, or `all`. The more specific word wins; of two that are as specific, the
command line's wins over the configuration's, then ignoring over selecting. A `--select` on the command line
replaces the configuration's selection and leaves its `ignore` standing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from burnlint.lint.registry import Registry
from burnlint.lint.rule import LoadedRule

DEFAULT = ("group:default", "group:migration")
"""What runs unless told otherwise. Whether a migration rule has something to say is up to its range of
versions."""

_FACETS = ("symptom", "topic", "group")


class UnknownWord(ValueError):
    """A word that selects nothing; the message says what it may be."""


@dataclass(slots=True, frozen=True)
class Layer:
    """The words of one source. `select` is None when the source does not say."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(slots=True, frozen=True)
class Word:
    """A word, resolved: `rank` grows with how specific it is."""

    rank: int
    codes: frozenset[str]


def resolve(registry: Registry, word: str) -> Word:
    """What a word selects. Raises UnknownWord."""
    text = word.strip()
    loaded = registry.find(text)
    if loaded is not None:
        return Word(100, frozenset([loaded.rule.code]))
    rules = [each for each in registry.rules if each.rule.group != "engine"]
    if text.lower() == "all":
        return Word(0, frozenset(each.rule.code for each in rules))
    facet, colon, value = text.partition(":")
    if colon and facet in _FACETS:
        codes = frozenset(
            each.rule.code for each in rules if facet_of(each, facet) == value and not each.rule.preview
        )
        if codes or value in facet_values(registry, facet):
            return Word(1, codes)
    elif re.fullmatch(r"[PB]\d+", text, re.IGNORECASE):
        codes = frozenset(each.rule.code for each in rules if text.upper() in each.rule.pitfalls)
        if codes:
            return Word(2, codes)
    elif beginning := re.fullmatch(r"([A-Z]+)\d{0,2}", text.upper()):
        codes = frozenset(
            each.rule.code
            for each in rules
            if each.rule.code.startswith(text.upper())
            and each.rule.code.rstrip("0123456789") == beginning[1]
            and not each.rule.preview
        )
        if codes:
            return Word(10 + len(text), codes)
    raise UnknownWord(f"`{word}` selects no rule{_hint(registry, text)}")


def facet_of(loaded: LoadedRule, facet: str) -> str:
    """A rule's symptom, topic or group."""
    return loaded.topic if facet == "topic" else str(getattr(loaded.rule, facet))


def facet_values(registry: Registry, facet: str) -> list[str]:
    """The values that a facet takes among the rules."""
    rules = (each for each in registry.rules if each.rule.group != "engine")
    values = {facet_of(each, facet) for each in rules}
    if facet == "group":
        values |= {word.partition(":")[2] for word in DEFAULT}
    return sorted(values)


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is close enough to be meant: spelled alike, or the only one that holds all of its words."""
    lowered = {each.lower(): each for each in candidates}
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", word).replace("_", "-").lower()
    close = difflib.get_close_matches(spelled, lowered, n=1, cutoff=0.7)
    if not close and len(spelled) > 3:
        words = {*spelled.split("-")}
        holding = [each for each in lowered if words <= {*each.split("-")}]
        close = holding if len(holding) == 1 else []
    return lowered[close[0]] if close else None


def _hint(registry: Registry, word: str) -> str:
    facet, colon, _ = word.partition(":")
    if len(word.split()) > 1:
        return "; several rules are parted by commas"
    if colon and facet in _FACETS:
        return f"; {facet} is one of {', '.join(facet_values(registry, facet))}"
    words = [*registry.by_word, "all", *(f"{f}:{v}" for f in _FACETS for v in facet_values(registry, f))]
    values = {v: f"{f}:{v}" for f in _FACETS for v in facet_values(registry, f)}
    meant = values.get(word) or suggest(word, words)
    return f"; did you mean `{meant}`?" if meant else "; `burnlint rules` lists them"


def select(registry: Registry, config: Layer = Layer(), command: Layer = Layer()) -> frozenset[str]:
    """The codes of the rules that run. Raises UnknownWord."""
    if command.select is not None:
        config = Layer((), (), config.ignore)
        command = Layer((), (*command.select, *command.extend_select), command.ignore)
    base = DEFAULT if config.select is None else config.select
    votes: list[tuple[int, int, bool, Word]] = []
    for at, (chosen, ignored) in enumerate(
        ((base, ()), (config.extend_select, config.ignore), (command.extend_select, command.ignore))
    ):
        votes += [((word := resolve(registry, each)).rank, at, False, word) for each in chosen]
        votes += [((word := resolve(registry, each)).rank, at, True, word) for each in ignored]
    on: set[str] = set()
    for _, _, ignoring, word in sorted(votes, key=lambda vote: vote[:3]):
        if ignoring:
            on -= word.codes
        else:
            on |= word.codes
    return frozenset(on)
