"""Presence conditions: `#[cfg(..)]` as formulas, and whether two of them can hold in one build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Known = Callable[["Flag"], "bool | None"]
"""What is known of a flag in a build: set, not set, or None."""


class Condition:
    """Base of all conditions."""

    __slots__ = ()

    def holds(self, known: Known) -> bool | None:
        """Whether the condition holds in a build of which `known` tells the flags; None where that does not
        decide it."""
        raise NotImplementedError

    def flags(self) -> set[Flag]:
        """The flags that the condition asks for."""
        raise NotImplementedError

    def __and__(self, other: Condition) -> Condition:
        return conjunction((self, other))


@dataclass(frozen=True, slots=True)
class Flag(Condition):
    """`name`, or `name = "value"`."""

    name: str
    value: str | None = None

    def holds(self, known: Known) -> bool | None:
        return known(self)

    def flags(self) -> set[Flag]:
        return {self}


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """`not(of)`."""

    of: Condition

    def holds(self, known: Known) -> bool | None:
        value = self.of.holds(known)
        return None if value is None else not value

    def flags(self) -> set[Flag]:
        return self.of.flags()


@dataclass(frozen=True, slots=True)
class All(Condition):
    """`all(of)`; `all()` always holds."""

    of: tuple[Condition, ...]

    def holds(self, known: Known) -> bool | None:
        values = [condition.holds(known) for condition in self.of]
        return False if False in values else None if None in values else True

    def flags(self) -> set[Flag]:
        return set().union(*(condition.flags() for condition in self.of))


@dataclass(frozen=True, slots=True)
class Any(Condition):
    """`any(of)`; `any()` never holds."""

    of: tuple[Condition, ...]

    def holds(self, known: Known) -> bool | None:
        values = [condition.holds(known) for condition in self.of]
        return True if True in values else None if None in values else False

    def flags(self) -> set[Flag]:
        return set().union(*(condition.flags() for condition in self.of))


ALWAYS = All(())
TEST = Flag("test")

# Keys of which a build has one value; `feature` and `target_feature` have many.
_SINGLE = frozenset(
    {"target_os", "target_arch", "target_env", "target_endian", "target_pointer_width", "panic"}
)
_MAX_STEPS = 4096
"""How many partial assignments `satisfiable` looks at before it gives up."""
_MAX_DEPTH = 32

_TOKEN = re.compile(r'\s*(?:([A-Za-z_][\w:]*)|"((?:[^"\\]|\\.)*)"|([(),=]))')


def conjunction(conditions: Iterable[Condition]) -> Condition:
    """All of the conditions, flattened; `ALWAYS` for none."""
    parts: dict[Condition, None] = {}
    for condition in conditions:
        for part in condition.of if isinstance(condition, All) else (condition,):
            parts[part] = None
    if len(parts) == 1:
        return next(iter(parts))
    return All(tuple(parts)) if parts else ALWAYS


def parse(text: str) -> Condition | None:
    """The condition in the parentheses of `cfg(..)`; None if the text is none."""
    tokens = [(match[1] or "", match[2] or "", match[3] or "") for match in _TOKEN.finditer(text)]
    condition, at = _read(tokens, 0, 0)
    if at < len(tokens) and tokens[at][2] == ",":
        at += 1
    return condition if at == len(tokens) else None


def _read(tokens: list[tuple[str, str, str]], at: int, depth: int) -> tuple[Condition | None, int]:
    """The condition at a token and the index behind it."""
    if at >= len(tokens) or not tokens[at][0] or depth > _MAX_DEPTH:
        return None, at
    name = tokens[at][0]
    following = tokens[at + 1][2] if at + 1 < len(tokens) else ""
    if following == "=":
        value = tokens[at + 2] if at + 2 < len(tokens) else ("", "", ",")
        return (None, at) if value[2] or value[0] else (Flag(name, value[1]), at + 3)
    if following != "(":
        if name in ("true", "false"):
            return (ALWAYS if name == "true" else Any(())), at + 1
        return Flag(name), at + 1
    at += 2
    parts: list[Condition] = []
    while at < len(tokens) and tokens[at][2] != ")":
        part, at = _read(tokens, at, depth + 1)
        if part is None:
            return None, at
        parts.append(part)
        if at < len(tokens) and tokens[at][2] == ",":
            at += 1
    at += 1
    if name == "all":
        return All(tuple(parts)), at
    if name == "any":
        return Any(tuple(parts)), at
    if name == "not" and len(parts) == 1:
        return Not(parts[0]), at
    return Flag(name, ""), at  # `version(..)`, `accessible(..)`: a flag of its own


def satisfiable(condition: Condition) -> bool:
    """Whether some build satisfies the condition. True also where the search gives up: two facts may then
    hold together."""
    if condition == ALWAYS or isinstance(condition, Flag):
        return True
    flags = sorted(condition.flags(), key=lambda flag: (flag.name, flag.value or ""))
    stack: list[dict[Flag, bool]] = [{}]
    for _ in range(_MAX_STEPS):
        if not stack:
            return False
        chosen = stack.pop()
        value = condition.holds(chosen.get)
        if value:
            return True
        if value is None:
            flag = next(flag for flag in flags if flag not in chosen)
            stack.append({**chosen, flag: False})
            stack.append(
                {**chosen, flag: True, **{other: False for other in flags if _excludes(flag, other)}}
            )
    return True


def _excludes(flag: Flag, other: Flag) -> bool:
    """Whether no build sets both flags."""
    if flag.name == other.name:
        return flag.name in _SINGLE and flag.value != other.value
    return {flag.name, other.name} == {"unix", "windows"}


def can_both_hold(a: Condition, b: Condition) -> bool:
    """Whether two things with these conditions can be in one build; True in doubt."""
    return satisfiable(a if a == b else conjunction((a, b)))


def implies(a: Condition, b: Condition) -> bool:
    """Whether every build with `a` has `b`; False in doubt."""
    return b == ALWAYS or a == b or not satisfiable(conjunction((a, Not(b))))


def is_test_only(condition: Condition) -> bool:
    """Whether the condition holds only in builds of tests."""
    return condition != ALWAYS and implies(condition, TEST)
