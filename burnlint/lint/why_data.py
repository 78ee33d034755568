"""What `burnlint why` knows of each pitfall: the file `pitfalls.toml` beside the rules, as objects."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

from burnlint.lint.registry import RULES


@dataclass(slots=True, frozen=True)
class Text:
    """A pattern for what the pitfall makes compilers and programs say. `pitfalls` are those that the text may
    mean, likelier ones first."""

    pitfalls: tuple[str, ...]
    pattern: re.Pattern[str]
    seen: str
    burn: str
    near: re.Pattern[str] | None = None
    """Must be found in the same message."""
    log: tuple[re.Pattern[str], ...] = ()
    """Must all be found somewhere in the log."""
    unless: re.Pattern[str] | None = None
    """Must not be found in the log."""
    holds: str | None = None
    """A question to the shapes in the message (a key of `why_shapes.PREDICATES`)."""
    ordinary: bool = False
    """Code without burn makes rustc say it too."""
    fallback: bool = False
    """Says less than any other text of the same message."""
    rules: tuple[str, ...] = ()
    """The rules that are to have it among their `messages`."""


@dataclass(slots=True, frozen=True)
class Pitfall:
    """One pitfall, in our own words."""

    id: str
    title: str
    symptom: str
    words: str
    """How people call what they see."""
    why: str
    write: str
    texts: tuple[Text, ...]


@dataclass(slots=True, frozen=True)
class Option:
    """An answer to a question, with the pitfalls behind it, likelier ones first."""

    says: str
    pitfalls: tuple[str, ...]


@dataclass(slots=True, frozen=True)
class Question:
    """A kind of symptom, and what it may look like."""

    id: str
    asks: str
    options: tuple[Option, ...]


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The whole file."""

    about: re.Pattern[str]
    """What shows in a message that it is about burn."""
    ordinary: re.Pattern[str]
    """How messages start that any code may produce."""
    questions: tuple[Question, ...]
    pitfalls: dict[str, Pitfall]

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        return tuple(text for each in self.pitfalls.values() for text in each.texts)


def read(content: str) -> Knowledge:
    """The knowledge that a TOML document holds. Raises KeyError, TypeError, re.error, tomllib.TOMLDecodeError
    for one that is malformed: it is part of the installation, and a test reads it."""
    document = tomllib.loads(content)
    questions = tuple(
        Question(q["id"], q["asks"], tuple(Option(o["says"], tuple(o["pitfalls"])) for o in q["options"]))
        for q in document["question"]
    )
    pitfalls = {}
    for row in document["pitfall"]:
        texts = tuple(_text(row["id"], **each) for each in row.pop("text", ()))
        pitfalls[row["id"]] = Pitfall(**row, texts=texts)
    return Knowledge(re.compile(document["burn"]), re.compile(document["ordinary"]), questions, pitfalls)


def _text(
    pitfall: str,
    *,
    pattern: str,
    seen: str,
    burn: str,
    also: tuple[str, ...] = (),
    near: str | None = None,
    log: tuple[str, ...] = (),
    unless: str | None = None,
    holds: str | None = None,
    ordinary: bool = False,
    fallback: bool = False,
    rules: tuple[str, ...] = (),
) -> Text:
    return Text(
        (pitfall, *also),
        re.compile(pattern),
        seen,
        burn,
        near=None if near is None else re.compile(near),
        log=tuple(re.compile(each) for each in log),
        unless=None if unless is None else re.compile(unless),
        holds=holds,
        ordinary=ordinary,
        fallback=fallback,
        rules=tuple(rules),
    )


@lru_cache(maxsize=1)
def load() -> Knowledge:
    """The knowledge of this installation."""
    return read((files(RULES) / "pitfalls.toml").read_text(encoding="utf-8"))
