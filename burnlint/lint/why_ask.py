"""Pitfalls by what a user sees, without any text: words, and questions with their answers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from burnlint.lint.why_data import Knowledge, Option, Question

_Choice = TypeVar("_Choice")
_WORD = re.compile(r"[a-z0-9_]+")
_ENDINGS = ("ations", "ation", "ings", "ying", "ing", "ies", "ed", "es", "s", "e", "y", "ly")
_COMMON = frozenset(
    _WORD.findall(
        "a an and are as at be but by do does for from has have i in is it its my no not of on or so that the over "
        "then this to too was what when why with without"
    )
)
UNKNOWN = 1.5
"""What a word weighs that no pitfall has; one that a single pitfall has weighs 4."""
MIN_SHARE = 0.34
"""The part of what the asked words weigh that a pitfall must have."""


def by_words(knowledge: Knowledge, asked: str) -> list[str]:
    """The pitfalls that these words may mean, likeliest first; none if no word fits any of them."""
    document_words = _documents(knowledge)
    wanted = _stems(asked)
    if not wanted:
        return []
    weights = {word: _weight(word, document_words.values()) for word in wanted}
    total = sum(weights.values())
    scored = []
    for at, (pitfall, words) in enumerate(document_words.items()):
        score = sum(weight * words.get(word, 0.0) for word, weight in weights.items())
        if total and score / total >= MIN_SHARE:
            scored.append((-score, at, pitfall))
    best = min(scored)[0] if scored else 0.0
    return [pitfall for score, _, pitfall in sorted(scored) if score <= best * 0.6]


def choose_question(knowledge: Knowledge, answer: str) -> Question | None:
    """The kind of symptom that an answer means: its number, its id, or words of it."""
    return _choose(answer, knowledge.questions, lambda each: (each.id, each.asks))


def choose_option(question: Question, answer: str) -> Option | None:
    """The option of a question that an answer means: its number, or words of it."""
    return _choose(answer, question.options, lambda each: (each.says,))


def _choose(
    answer: str, choices: Sequence[_Choice], texts: Callable[[_Choice], tuple[str, ...]]
) -> _Choice | None:
    answer = answer.strip()
    if answer.rstrip(".)").isdigit():
        at = int(answer.rstrip(".)")) - 1
        return choices[at] if 0 <= at < len(choices) else None
    exact = [each for each in choices if answer.lower() in (text.lower() for text in texts(each))]
    if exact:
        return exact[0]
    wanted = _stems(answer)
    fitting = [each for each in choices if wanted and wanted <= _stems(" ".join(texts(each)))]
    return fitting[0] if len(fitting) == 1 else None


@lru_cache(maxsize=1)
def _documents(knowledge: Knowledge) -> dict[str, dict[str, float]]:
    """The words of each pitfall, with what each is worth: what users say counts more than our prose."""
    out = {}
    for each in knowledge.pitfalls.values():
        words = dict.fromkeys(_stems(f"{each.why} {each.write} {each.symptom}"), 0.5)
        words |= dict.fromkeys(_stems(each.title) | _stems(each.words) | {each.id.lower()}, 1.0)
        out[each.id] = words
    for question in knowledge.questions:
        for option in question.options:
            for at, pitfall in enumerate(option.pitfalls):
                for word in _stems(f"{question.asks} {option.says}"):
                    out[pitfall][word] = max(out[pitfall].get(word, 0.0), 0.95 - 0.05 * at)
    return out


def _weight(word: str, documents: Iterable[dict[str, float]]) -> float:
    """How much a word tells: rare ones more. One that no pitfall has tells that something else may be meant."""
    documents = list(documents)
    count = sum(word in each for each in documents)
    return math.log(1 + len(documents) / count) if count else UNKNOWN


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text.lower()) if word not in _COMMON}


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word[-len(ending) - 1].isdigit():
            return word[: -len(ending)]
    return word
