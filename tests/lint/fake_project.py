"""A project in memory and rules made of functions, for tests of the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from burnlint.lint.finding import Edit, Finding, Place
from burnlint.lint.protocol import FileKind, Input, ParseProblem, ProjectNote, Span
from burnlint.lint.registry import OWN, OWN_TOPIC, Registry, build, discover
from burnlint.lint.rule import LoadedRule, Rule
from burnlint.text import Text

ROOT = "/project"
BROKEN = b"<<<"
"""What does not parse in fake files."""


class FakeFile:
    """Statements end at `;` or a closing brace; `fn name` opens an item; comments are `//…` and `#…`."""

    def __init__(
        self,
        path: str,
        content: bytes,
        kind: FileKind,
        versions: tuple[str, ...],
        versions_below: tuple[str, ...],
        skipped: str | None,
    ) -> None:
        self.path = path
        self.kind = kind
        self.text = Text(path, content)
        self.versions = versions
        self.versions_below = versions_below
        self.skipped = skipped
        self.may_be_later = False
        self.parsed = False

    def mentions(self, words: Collection[str]) -> bool:
        return any(word.encode() in self.text.content for word in words)

    @property
    def problems(self) -> list[ParseProblem]:
        if not self.parsed:
            return []
        return [
            ParseProblem(m.start(), m.end(), "this does not parse")
            for m in re.finditer(BROKEN, self.text.content)
        ]

    @property
    def comments(self) -> list[Span]:
        pattern = rb'"[^"]*"|(//[^\r\n]*|/\*.*?\*/)' if self.kind == "rust" else rb'"[^"]*"|(#[^\n]*)'
        return [m.span() for m in re.finditer(pattern, self.text.content, re.DOTALL) if m[1]]

    def covered_after(self, offset: int) -> Span | None:
        code = re.compile(rb"(?:\s+|//[^\n]*\n|#[^\n]*\n)*").match(self.text.content, offset)
        assert code is not None
        start = code.end()
        if start == len(self.text.content):
            return None
        if self.text.content.startswith(b"fn ", start):
            return start, self.text.content.index(b"}", start) + 1
        end = self.text.content.find(b";", start)
        return start, len(self.text.content) if end < 0 else end + 1

    def item_path(self, offset: int) -> str:
        names = re.findall(rb"fn (\w+)", self.text.content[:offset])
        return names[-1].decode() if names else ""

    def view(self, rule: LoadedRule) -> FakeFile:
        self.parsed = True
        return self

    def find(self, word: str) -> Iterable[Place]:
        """Places of a word, for rules."""
        for match in re.finditer(re.escape(word.encode()), self.text.content):
            yield Place(self.path, *match.span())


class FakeProject:
    def __init__(
        self,
        files: Mapping[str, str | bytes],
        *,
        versions: tuple[str, ...] = ("0.22.1",),
        versions_below: tuple[str, ...] | None = None,
        context: Mapping[str, str | bytes] | None = None,
        skipped: Mapping[str, str] | None = None,
        notes: Iterable[ProjectNote] = (),
    ) -> None:
        self.root = ROOT
        self.notes = list(notes)
        self._texts: dict[str, Text] = {}
        self.files: list[FakeFile] = []
        for name, content in files.items():
            path = name if name.startswith("/") else f"{ROOT}/{name}"
            kind: FileKind = (
                "rust" if name.endswith(".rs") else "manifest" if name.endswith("Cargo.toml") else "side"
            )
            below = versions if versions_below is None else versions_below
            file = FakeFile(path, _bytes(content), kind, versions, below, (skipped or {}).get(name))
            self.files.append(file)
            self._texts[path] = file.text
        for name, content in (context or {}).items():
            self._texts[f"{ROOT}/{name}"] = Text(f"{ROOT}/{name}", _bytes(content))

    @property
    def groups(self) -> list[list[str]]:
        return [[file.path for file in self.files]]

    def finish(self, paths: Sequence[str]) -> None:
        pass

    def state(self, paths: Sequence[str]) -> str:
        return ""

    def inputs(self, paths: Sequence[str]) -> None:
        return None

    def still(self, inputs: Sequence[Input]) -> bool:
        return False

    def text(self, path: str) -> Text | None:
        return self._texts.get(path)

    def parses(self, path: str, content: bytes) -> bool:
        return BROKEN not in content

    def view(self, rule: LoadedRule) -> FakeProject:
        return self


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def rule(
    code: str,
    name: str,
    *,
    topic: str = "tensor",
    page: str = "A page.",
    severity: Any = "warning",
    confidence: Any = "high",
    symptom: Any = "silent",
    checks: Mapping[str, Callable[..., Any]] | None = None,
    **declared: Any,
) -> LoadedRule:
    """A rule whose entry points are `checks`."""
    module = ModuleType(f"rules_of_tests.{topic}.{name.replace('-', '_')}", page)
    module.__file__ = __file__
    declared_rule = Rule(code, name, symptom=symptom, severity=severity, confidence=confidence, **declared)
    entry = {
        each: (checks or {}).get(each) for each in ("check", "check_manifest", "check_project", "check_text")
    }
    return LoadedRule(declared_rule, topic, page, module, **entry)


def word_rule(
    code: str, name: str, word: str, replacement: str | None = None, *, safe: bool = True, **options: Any
) -> LoadedRule:
    """A rule that finds a word everywhere, and replaces it if told so."""

    def check(file: FakeFile) -> Iterable[Finding]:
        for place in file.find(word):
            finding = Finding(place, f"`{word}` is here")
            yield (
                finding
                if replacement is None
                else finding.with_fix("Replace it", Edit(place, replacement), safe=safe)
            )

    return rule(code, name, checks={"check": check, "check_manifest": check}, **options)


def registry(*rules: LoadedRule) -> Registry:
    """These rules and the engine's own."""
    own, broken = discover(OWN, OWN_TOPIC)
    assert not broken
    return build([*own, *rules])
