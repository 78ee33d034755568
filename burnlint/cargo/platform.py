"""Platforms, and the conditions of `[target.…]` tables: `cfg(all(unix, target_os = "ios"))` or a triple."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

# arch, vendor, os, env, abi, family, pointer width, atomics: what `rustc --print cfg --target …` says
# (rustc 1.95).
_KNOWN = {
    "aarch64-apple-darwin": "aarch64 apple macos - - unix 64 8,16,32,64,128,ptr",
    "aarch64-apple-ios": "aarch64 apple ios - - unix 64 8,16,32,64,128,ptr",
    "aarch64-linux-android": "aarch64 unknown android - - unix 64 8,16,32,64,128,ptr",
    "aarch64-unknown-linux-gnu": "aarch64 unknown linux gnu - unix 64 8,16,32,64,128,ptr",
    "thumbv7em-none-eabihf": "arm unknown none - eabihf - 32 8,16,32,ptr",
    "wasm32-unknown-unknown": "wasm32 unknown unknown - - wasm 32 8,16,32,64,ptr",
    "wasm32-wasip1": "wasm32 unknown wasi p1 - wasm 32 8,16,32,64,ptr",
    "x86_64-apple-darwin": "x86_64 apple macos - - unix 64 8,16,32,64,128,ptr",
    "x86_64-pc-windows-msvc": "x86_64 pc windows msvc - windows 64 8,16,32,64,ptr",
    "x86_64-unknown-linux-gnu": "x86_64 unknown linux gnu - unix 64 8,16,32,64,ptr",
}
_NAMES = (
    "target_arch",
    "target_vendor",
    "target_os",
    "target_env",
    "target_abi",
    "target_family",
    "target_pointer_width",
)
_TOKEN = re.compile(r'\s*(?:(?P<word>(?:r#)?[A-Za-z_][A-Za-z0-9_]*)|(?P<string>"[^"]*")|(?P<mark>[(),=]))')
_DEEPEST = 64


@dataclass(slots=True, frozen=True)
class Platform:
    """A target triple with the configuration values that rustc sets for it; `target_feature` is not known."""

    triple: str
    values: frozenset[tuple[str, str]] = field(repr=False)

    @staticmethod
    @cache
    def of(triple: str) -> Platform:
        """The platform of a triple; for one that is not in the table, what its parts say."""
        row = _KNOWN.get(triple)
        if row is None:
            return Platform(triple, frozenset(_guessed(triple)))
        *fields, atomics = row.split()
        values = {(name, "" if value == "-" else value) for name, value in zip(_NAMES, fields, strict=True)}
        values.discard(("target_family", ""))
        values |= {("target_has_atomic", width) for width in atomics.split(",")}
        values.add(("target_endian", "little"))
        return Platform(triple, frozenset(values))

    def matches(self, target: str | None) -> bool:
        """Whether a `[target.…]` table of that name is active here; `None` stands for the plain tables."""
        if target is None:
            return True
        if not target.startswith("cfg("):
            return target == self.triple
        return self._holds(target)

    def _holds(self, condition: str) -> bool:
        tree = parse_condition(condition)
        return tree is not None and _evaluate(tree, self)

    def has(self, name: str, value: str | None) -> bool:
        """Whether rustc sets `name` (with `value`)."""
        if value is not None:
            return (name, value) in self.values
        return name == "debug_assertions" or (
            name in ("unix", "windows") and ("target_family", name) in self.values
        )


def _guessed(triple: str) -> Iterator[tuple[str, str]]:
    arch, *rest = triple.split("-")
    yield (
        "target_arch",
        {"i686": "x86", "i586": "x86"}.get(
            arch, arch.partition("v")[0] if arch.startswith("riscv") else arch
        ),
    )
    system = next(
        (os for os in ("linux", "windows", "darwin", "android", "ios", "freebsd") if os in rest), "none"
    )
    yield "target_os", "macos" if system == "darwin" else system
    yield "target_vendor", rest[0] if rest else "unknown"
    yield "target_env", rest[-1] if len(rest) == 3 else ""
    if arch.startswith("wasm"):
        yield "target_family", "wasm"
    elif system != "none":
        yield "target_family", "windows" if system == "windows" else "unix"


PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
"""Where programs are trained: what is said without a `--target` holds on at least one of these."""


@cache
def differs_by_platform(target: str) -> bool:
    """Whether a `[target.…]` table of that name is active on some of `PLATFORMS` and not on others."""
    return len({Platform.of(triple).matches(target) for triple in PLATFORMS}) > 1


Condition = tuple[str, tuple["Condition", ...], str | None]
"""(`all`, `any`, `not`, parts, None) or (name, (), value or None)."""


@cache
def parse_condition(text: str) -> Condition | None:
    """The tree of a `cfg(…)` text; `None` where it is none."""
    tokens: list[str] = []
    at, text = 0, text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        tokens.append(match[0].strip())
        at = match.end()
    try:
        if tokens[:2] != ["cfg", "("] or tokens[-1] != ")":
            return None
        tree, end = _parse(tokens, 2, 0)
        if tokens[end] == ",":
            end += 1
        return tree if end == len(tokens) - 1 else None
    except (IndexError, ValueError):
        return None


def _parse(tokens: list[str], at: int, depth: int) -> tuple[Condition, int]:
    name = tokens[at].removeprefix("r#")
    if depth > _DEEPEST or not (name[0].isalpha() or name[0] == "_"):
        raise ValueError(tokens[at])
    following = tokens[at + 1]
    if following == "=":
        value = tokens[at + 2]
        if value[0] != '"':
            raise ValueError(value)
        return (name, (), value[1:-1]), at + 3
    if following != "(" or name not in ("all", "any", "not"):
        return (name, (), None), at + 1
    parts = []
    at += 2
    while tokens[at] != ")":
        part, at = _parse(tokens, at, depth + 1)
        parts.append(part)
        if tokens[at] == ",":
            at += 1
        elif tokens[at] != ")":
            raise ValueError(tokens[at])
    if name == "not" and len(parts) != 1:
        raise ValueError(name)
    return (name, tuple(parts), None), at + 1


def _evaluate(tree: Condition, platform: Platform) -> bool:
    name, parts, value = tree
    if parts or name in ("all", "any"):
        results = [_evaluate(part, platform) for part in parts]
        if name == "not":
            return not results[0]
        return all(results) if name == "all" else any(results)
    if value is None and name in ("true", "false"):
        return name == "true"
    return platform.has(name, value)
