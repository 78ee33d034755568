"""Versions and version requirements with Cargo's meaning (that of the crate `semver` 1.0, which Cargo
uses)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering

# Numbers of Cargo have 64 bits: at most 20 digits.
_NUMBER = r"(?:0|[1-9][0-9]{0,19})"
_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION = re.compile(rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_IDENTIFIERS}))?(?:\+({_IDENTIFIERS}))?")
_COMPARATOR = re.compile(
    rf"(?P<op>=|>=|>|<=|<|~|\^)? *(?P<major>{_NUMBER})"
    rf"(?:\.(?P<minor>{_NUMBER}|[*xX])(?:\.(?P<patch>{_NUMBER}|[*xX]))?)?"
    rf"(?:-(?P<pre>{_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})? *"
)
_STAR = re.compile(r" *[*xX] *")
_MOST_COMPARATORS = 32


class VersionError(ValueError):
    """A text that is no version or no version requirement."""


@total_ordering
@dataclass(slots=True, frozen=True, eq=False)
class Version:
    """`major.minor.patch-pre`. Build metadata (`+…`) is read and does not take part in comparisons."""

    major: int
    minor: int
    patch: int
    pre: str = ""

    @staticmethod
    def parse(text: str) -> Version:
        """The version that `text` spells. Raises `VersionError`."""
        match = _VERSION.fullmatch(text)
        if match is None or _has_leading_zero(match[4]):
            raise VersionError(f"`{text}` is not a version")
        return Version(int(match[1]), int(match[2]), int(match[3]), match[4] or "")

    @property
    def line(self) -> tuple[int, int]:
        """Major and minor number: the releases of burn that share an API."""
        return (self.major, self.minor)

    @property
    def numbers(self) -> tuple[int, int, int]:
        return (self.major, self.minor, self.patch)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.numbers == other.numbers and self.pre == other.pre

    def __hash__(self) -> int:
        return hash((self.major, self.minor, self.patch, self.pre))

    def __lt__(self, other: Version) -> bool:
        return (self.numbers, _pre_order(self.pre)) < (other.numbers, _pre_order(other.pre))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}" + (f"-{self.pre}" if self.pre else "")


def _has_leading_zero(pre: str | None) -> bool:
    return any(len(part) > 1 and part[0] == "0" and part.isdigit() for part in (pre or "").split("."))


def _pre_order(pre: str) -> tuple[bool, tuple[tuple[bool, int, str], ...]]:
    """A release is above all of its pre-releases; numeric identifiers are below the others and compare as
    numbers."""
    if not pre:
        return (True, ())
    # The longer number is the larger one: none starts with a zero, and Python's `int` does not take any length.
    return (False, tuple((not p.isdigit(), len(p) if p.isdigit() else 0, p) for p in pre.split(".")))


@dataclass(slots=True, frozen=True)
class Comparator:
    """One part of a requirement. `op` is one of = > >= < <= ~ ^ and * (a wildcard such as `1.*`)."""

    op: str
    major: int
    minor: int | None
    patch: int | None
    pre: str

    def matches(self, version: Version) -> bool:
        """Whether the numbers and pre-release fit, without the rule on pre-releases of the whole
        requirement."""
        match self.op:
            case "=" | "*":
                return self._exact(version)
            case ">":
                return self._compare(version) > 0
            case ">=":
                return self._exact(version) or self._compare(version) > 0
            case "<":
                return self._compare(version) < 0
            case "<=":
                return self._exact(version) or self._compare(version) < 0
            case "~":
                return self._within(version, 1 if self.minor is None else 2)
            case _:
                return self._within(version, self._caret_prefix())

    def _given(self) -> tuple[int, ...]:
        numbers = [self.major]
        for number in (self.minor, self.patch):
            if number is None:
                break
            numbers.append(number)
        return tuple(numbers)

    def _exact(self, version: Version) -> bool:
        given = self._given()
        return version.numbers[: len(given)] == given and version.pre == self.pre

    def _compare(self, version: Version) -> int:
        """Sign of `version` against this; 0 where the given numbers are equal and either nothing more is
        said or all is equal."""
        given = self._given()
        ours = version.numbers[: len(given)]
        if ours != given:
            return 1 if ours > given else -1
        if len(given) < 3:
            return 0
        a, b = _pre_order(version.pre), _pre_order(self.pre)
        return (a > b) - (a < b)

    def _caret_prefix(self) -> int:
        """How many leading numbers `^` holds fixed."""
        given = self._given()
        for index, number in enumerate(given):
            if number:
                return index + 1
        return len(given)

    def _within(self, version: Version, fixed: int) -> bool:
        given = self._given()
        if version.numbers[:fixed] != given[:fixed]:
            return False
        ours = version.numbers[: len(given)]
        if ours != given:
            return ours > given
        # `^1.2` leaves the patch open, and with it the pre-release; `~1.2` does not.
        return (self.op == "^" and len(given) < 3) or _pre_order(version.pre) >= _pre_order(self.pre)

    def names_pre_release_of(self, version: Version) -> bool:
        """Whether this names a pre-release of the same major.minor.patch."""
        return bool(self.pre) and (self.major, self.minor, self.patch) == version.numbers


@dataclass(slots=True, frozen=True)
class Requirement:
    """A version requirement such as `0.22`, `~1.2`, `>=0.21, <0.23`, `=0.22.1` or `*`."""

    text: str
    comparators: tuple[Comparator, ...]

    @staticmethod
    def parse(text: str) -> Requirement:
        """The requirement that `text` spells. Raises `VersionError`."""
        if _STAR.fullmatch(text):
            return Requirement(text, ())
        comparators = [_comparator(part, text) for part in text.split(",")]
        if len(comparators) > _MOST_COMPARATORS:
            raise VersionError(f"`{text}` has more than {_MOST_COMPARATORS} parts")
        return Requirement(text, tuple(comparators))

    def matches(self, version: Version) -> bool:
        """Whether Cargo would take `version`. A pre-release needs a part that names a pre-release of the
        same numbers."""
        if not all(c.matches(version) for c in self.comparators):
            return False
        return not version.pre or any(c.names_pre_release_of(version) for c in self.comparators)

    @property
    def pinned(self) -> Version | None:
        """The only version that this admits, when it is `=a.b.c`."""
        if len(self.comparators) == 1:
            only = self.comparators[0]
            if only.op == "=" and only.minor is not None and only.patch is not None:
                return Version(only.major, only.minor, only.patch, only.pre)
        return None

    def __str__(self) -> str:
        return self.text


def _comparator(part: str, whole: str) -> Comparator:
    match = _COMPARATOR.fullmatch(part.lstrip(" "))
    if match is None or _has_leading_zero(match["pre"]):
        raise VersionError(f"`{whole}` is not a version requirement")
    op, minor, patch, pre = match["op"], match["minor"], match["patch"], match["pre"] or ""
    wild_minor = minor is not None and not minor.isdigit()
    wild_patch = patch is not None and not patch.isdigit()
    partial = patch is None or wild_patch
    if (wild_minor and patch is not None and not wild_patch) or (partial and ("-" in part or "+" in part)):
        raise VersionError(f"`{whole}` is not a version requirement")
    if op is None:
        op = "*" if wild_minor or wild_patch else "^"
    return Comparator(
        op,
        int(match["major"]),
        None if minor is None or wild_minor else int(minor),
        None if patch is None or wild_patch else int(patch),
        pre,
    )
