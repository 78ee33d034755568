"""Attributes: their text, the condition that they state, and whether they mark a test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from burnlint.rust import cfg
from burnlint.rust.cfg import Condition
from burnlint.rust.types import Span

_ATTRIBUTE = re.compile(r"#\s*!?\s*\[\s*([\w:]*)\s*(.*)\]\s*\Z", re.DOTALL)
_DERIVE = re.compile(r"\bderive\s*\(([^()]*)\)")
_PATH = re.compile(r'\bpath\s*=\s*"([^"]*)"')
_TESTS = frozenset({"test", "bench", "rstest", "test_case", "wasm_bindgen_test", "quickcheck"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """`#[path(arguments)]` or `#[path = arguments]`; arguments as written, without the delimiters."""

    path: str
    arguments: str
    span: Span

    @property
    def name(self) -> str:
        """The last segment of the path."""
        return self.path.rpartition("::")[2]


def read_attribute(content: bytes, span: Span) -> Attribute:
    """The attribute at a span, `#` to `]`."""
    match = _ATTRIBUTE.match(content[span[0] : span[1]].decode("utf-8", "replace"))
    if match is None:
        return Attribute("", "", span)
    path, rest = match.group(1), match.group(2).strip()
    if rest[:1] == "=":
        rest = rest[1:].strip()
    elif rest[:1] in "([{":
        rest = rest[1:-1].strip()
    return Attribute(path, rest, span)


def condition_of(attributes: Iterable[Attribute]) -> Condition:
    """What the `#[cfg(..)]` among the attributes ask for; one that cannot be read is a flag that nothing is
    known of."""
    return cfg.conjunction(
        cfg.parse(a.arguments) or cfg.Flag("unreadable", a.arguments) for a in attributes if a.path == "cfg"
    )


def marks_test(attributes: Iterable[Attribute]) -> bool:
    """Whether one of the attributes makes a function a test or a benchmark (`#[test]`, `#[tokio::test]`)."""
    return any(a.name in _TESTS for a in attributes)


def derived_names(attributes: Iterable[Attribute]) -> set[str]:
    """The last segments of what the attributes derive, also behind `cfg_attr`."""
    names: set[str] = set()
    for attribute in attributes:
        if attribute.path == "derive":
            lists = [attribute.arguments]
        elif attribute.path == "cfg_attr":
            lists = _DERIVE.findall(attribute.arguments)
        else:
            continue
        names.update(each.strip().rpartition("::")[2] for text in lists for each in text.split(","))
    return names - {""}


def path_of(attributes: Iterable[Attribute]) -> str | None:
    """The value of `#[path = ".."]`, also behind `cfg_attr`."""
    for attribute in attributes:
        if attribute.path == "path":
            return attribute.arguments.strip('"')
        if attribute.path == "cfg_attr" and (match := _PATH.search(attribute.arguments)):
            return match.group(1)
    return None
