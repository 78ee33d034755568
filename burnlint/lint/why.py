"""Which pitfalls explain a log, the likeliest first.

Evidence is a text: a rule's `messages`, or an entry of the pitfalls' own file. What rustc says of any code
counts only if the message, or the project's code at its place, shows burn. Where the project's rules find
something at the very place that a message names, that counts as well. Without evidence there is no answer.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

from burnlint.lint.registry import OWN_TOPIC, Registry
from burnlint.lint.rule import LoadedRule
from burnlint.lint.why_data import Knowledge, Text
from burnlint.lint.why_log import Message
from burnlint.lint.why_shapes import PREDICATES

Excerpt = Callable[[str, int], str]
"""The project's code around a place (path as the log writes it, line); empty where the project has none."""

MAX_SAID = 160
"""Characters of the log that are repeated."""

_LEVELS = {"error": 0, "panic": 0, "plain": 1, "warning": 2}
_FOR_LEVEL = {"error": ("compile", "build"), "panic": ("panic",)}


@dataclass(slots=True, frozen=True)
class Site:
    """Where a rule found something in the project: `path` and `line` as they are shown."""

    rule: LoadedRule
    path: str
    line: int
    message: str
    help: str = ""


@dataclass(slots=True, frozen=True)
class Hit:
    """A text of a pitfall in a message of the log."""

    pitfall: str
    message: int
    """Which message of the log."""
    said: str
    rank: int = 0
    """How many other pitfalls the text rather means."""
    fallback: bool = False
    length: int = 0
    """How much of the message speaks for it."""
    tuned: bool = False
    """From the pitfalls' own file, whose order counts more than that of a rule's pitfalls."""


@dataclass(slots=True)
class Answer:
    """A pitfall that explains the log."""

    pitfall: str
    hits: list[Hit] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)

    @property
    def said(self) -> str:
        """The log's own words; empty where only the project speaks for the pitfall."""
        return self.hits[0].said if self.hits else ""


def nothing_there(path: str, line: int) -> str:
    """The excerpt where there is no project."""
    return ""


class _Reader:
    """One message, with the project's code at its place where something asks for it."""

    def __init__(self, message: Message, whole: str, knowledge: Knowledge, excerpt: Excerpt) -> None:
        self.text = message.text
        self._message = message
        self._whole = whole
        self._knowledge = knowledge
        self._excerpt = excerpt

    @cached_property
    def around(self) -> str:
        """The message with the project's code at its first place."""
        return "\n".join([self.text, *(self._excerpt(*each) for each in self._message.places[:1])])

    @cached_property
    def shows_burn(self) -> bool:
        return self._knowledge.about.search(self.around) is not None

    @cached_property
    def is_ordinary(self) -> bool:
        """Whether any code may produce this message."""
        return self._message.code is not None or self._knowledge.ordinary.search(self.text) is not None

    def allows(self, text: Text) -> bool:
        """Whether all holds that an entry demands besides its pattern."""
        return (
            (text.near is None or text.near.search(self.around) is not None)
            and (not text.ordinary or self.shows_burn)
            and (text.holds is None or PREDICATES[text.holds](self.text))
            and (text.unless is None or text.unless.search(self._whole) is None)
            and all(each.search(self._whole) for each in text.log)
        )

    def length(self, text: Text, match: re.Match[str]) -> int:
        """How much of the message speaks for an entry."""
        near = text.near.search(self.around) if text.near is not None else None
        return len(match[0]) + (len(near[0]) if near is not None else 0)


def hits(log: list[Message], knowledge: Knowledge, registry: Registry, excerpt: Excerpt) -> list[Hit]:
    """Every text of a pitfall in the log."""
    whole = "\n".join(each.text for each in log)
    spoken = [(loaded, _compiled(each)) for loaded in rules_of(registry) for each in loaded.rule.messages]
    found: list[Hit] = []
    for at, message in enumerate(log):
        reader = _Reader(message, whole, knowledge, excerpt)
        refused: set[str] = set()
        for text in knowledge.texts:
            match = text.pattern.search(message.text)
            if match is None:
                continue
            if reader.allows(text):
                found += _hits(text.pitfalls, at, match, reader.length(text, match), text)
                refused.difference_update(text.rules)
            else:
                refused.update(text.rules)
        for loaded, pattern in spoken:
            match = pattern.search(message.text)
            if match is None or loaded.rule.name in refused:
                continue
            if reader.shows_burn or not reader.is_ordinary:
                found += _hits(loaded.rule.pitfalls, at, match, len(match[0]))
    return found


def suspicious(log: list[Message], found: Iterable[Hit]) -> list[int]:
    """The messages that no text explains, but a rule might that finds something at their very place."""
    explained = {hit.message for hit in found}
    return [
        at for at, each in enumerate(log) if at not in explained and each.places and each.level in _FOR_LEVEL
    ]


def wanted(found: Iterable[Hit], log: list[Message], registry: Registry) -> list[LoadedRule]:
    """The rules whose findings in the project bear on the log."""
    found = list(found)
    pitfalls = {hit.pitfall for hit in found}
    symptoms = {symptom for at in suspicious(log, found) for symptom in _FOR_LEVEL[log[at].level]}
    return [
        loaded
        for loaded in rules_of(registry)
        if pitfalls.intersection(loaded.rule.pitfalls) or loaded.rule.symptom in symptoms
    ]


def answers(
    log: list[Message],
    found: list[Hit],
    sites: Collection[Site] = (),
    place_of: Callable[[str, int], tuple[str, int] | None] = lambda path, line: None,
) -> list[Answer]:
    """The pitfalls, likeliest first, each with what its rules find in the project.

    `place_of` says which place of the project (as in `Site`) one of the log's is, None for any other.
    """
    named = [{place_of(*each) for each in message.places} - {None} for message in log]
    at_places: dict[tuple[str, int], list[Site]] = defaultdict(list)
    for site in sites:
        at_places[site.path, site.line].append(site)
    found = [*found, *_from_project(log, found, named, at_places)]
    order = _Order(log, found, named, at_places)
    by_pitfall: dict[str, Answer] = {}
    for hit in sorted(found, key=order.key):
        answer = by_pitfall.setdefault(hit.pitfall, Answer(hit.pitfall))
        answer.hits.append(hit)
    for answer in by_pitfall.values():
        first = {place for hit in answer.hits for place in named[hit.message]}
        files = {place[0] for place in first if place}
        ran = all(log[hit.message].level == "panic" for hit in answer.hits)
        mine = [
            site
            for site in sites
            if answer.pitfall in site.rule.rule.pitfalls
            # A program that panics was compiled.
            and not (ran and site.rule.rule.symptom in _FOR_LEVEL["error"])
        ]
        answer.sites = sorted(
            mine, key=lambda s: ((s.path, s.line) not in first, s.path not in files, s.path, s.line)
        )
    return list(by_pitfall.values())


def rules_of(registry: Registry) -> Iterator[LoadedRule]:
    """The rules about pitfalls."""
    return (each for each in registry.rules if each.topic != OWN_TOPIC)


class _Order:
    """How likely hits are. A text that names a second pitfall says that the first is likelier for this message,
    whatever else speaks for the second alone."""

    def __init__(
        self,
        log: list[Message],
        found: list[Hit],
        named: list[set[tuple[str, int] | None]],
        at_places: dict[tuple[str, int], list[Site]],
    ) -> None:
        self._log = log
        self._votes = Counter((hit.message, hit.pitfall) for hit in found if hit.rank == 0)
        self._ranks: dict[tuple[int, str], tuple[bool, bool, int]] = {}
        for hit in found:
            at = hit.message, hit.pitfall
            self._ranks[at] = max(
                self._ranks.get(at, (False, False, 0)), (not hit.fallback, hit.tuned, hit.rank)
            )
        self._here = {
            (at, pitfall)
            for at, places in enumerate(named)
            for place in places
            if place is not None
            for site in at_places.get(place, ())
            for pitfall in site.rule.rule.pitfalls
        }

    def key(self, hit: Hit) -> tuple[int, int, bool, bool, int, int, int]:
        """Smaller is likelier."""
        at = hit.message, hit.pitfall
        level = _LEVELS[self._log[hit.message].level]
        rank = self._ranks[at][2]
        return level, hit.message, hit.fallback, at not in self._here, rank, -hit.length, -self._votes[at]


def _from_project(
    log: list[Message],
    found: list[Hit],
    named: list[set[tuple[str, int] | None]],
    at_places: dict[tuple[str, int], list[Site]],
) -> Iterator[Hit]:
    """What rules say at the very places of messages that no text explains."""
    for at in suspicious(log, found):
        for place in named[at]:
            for site in at_places.get(place, ()) if place is not None else ():
                if site.rule.rule.symptom in _FOR_LEVEL[log[at].level]:
                    for rank, pitfall in enumerate(site.rule.rule.pitfalls):
                        yield Hit(pitfall, at, "", rank)


def _hits(
    pitfalls: tuple[str, ...], at: int, match: re.Match[str], length: int, text: Text | None = None
) -> Iterator[Hit]:
    said = _line_around(match)
    for rank, pitfall in enumerate(pitfalls):
        yield Hit(
            pitfall,
            at,
            said,
            rank,
            fallback=text is not None and text.fallback,
            length=length,
            tuned=text is not None,
        )


def _line_around(match: re.Match[str]) -> str:
    """The line of a match, cut around it."""
    start = match.string.rfind("\n", 0, match.start()) + 1
    end = match.string.find("\n", match.start())
    line = match.string[start : end if end >= 0 else None]
    cut = max(0, match.start() - start - MAX_SAID // 4)
    shown = line[cut : cut + MAX_SAID].strip()
    return f"{'…' if cut else ''}{shown}{'…' if len(line) > cut + MAX_SAID else ''}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
