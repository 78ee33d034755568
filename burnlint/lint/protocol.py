"""What the engine asks a project. `burnlint.burn.project` answers; tests answer with a project in memory.

Nothing here names burn: to the engine a project is files of three kinds, each with text, comments and a view
for rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, Protocol

from burnlint.lint.rule import LoadedRule
from burnlint.text import Text

FileKind = Literal["rust", "manifest", "side"]

Span = tuple[int, int]
"""Byte offsets `[start, end)`."""


class ParseProblem(NamedTuple):
    """A part of a file that does not parse."""

    start: int
    end: int
    message: str


class ProjectNote(NamedTuple):
    """What the project has to say about a file or about its own knowledge: `kind` is a catalogue name
    (`file-skipped` …)."""

    kind: str
    path: str | None
    line: int | None
    message: str
    fatal: bool = False


class Input(NamedTuple):
    """Something that was read: what was asked (`text`, `is_file` …), of which path, and a digest of the answer."""

    asked: str
    path: str
    answer: str


class LintFile(Protocol):
    """One file that is to be linted."""

    @property
    def path(self) -> str:
        """Absolute, `/` as separator."""

    @property
    def kind(self) -> FileKind: ...

    @property
    def text(self) -> Text: ...

    @property
    def skipped(self) -> str | None:
        """Why no rule may look at this file (nested too deeply, generated, not UTF-8 as a whole), or None.
        Asked before the rules run and again afterwards, since some reasons show only on parsing."""

    @property
    def versions(self) -> tuple[str, ...]:
        """Every burn version that the file's package may be built with; empty when it does not use burn: no
        rule runs."""

    @property
    def versions_below(self) -> tuple[str, ...]:
        """The same for rules about what burn's tensors stand on: those that go with the crates below them, where the
        package names no others."""

    @property
    def may_be_later(self) -> bool:
        """Whether a version of burn later than all of `versions` may be meant: then nothing found in it is certain."""

    def mentions(self, words: Collection[str]) -> bool:
        """Whether any of these words stands in the file, by a test of bytes that does not parse."""

    @property
    def problems(self) -> Sequence[ParseProblem]:
        """What does not parse, in order; empty as well when nothing asked for the tree so far."""

    @property
    def comments(self) -> Sequence[Span]:
        """Every comment with its markers (`//`, `/* */`, `#`), doc comments included, in order."""

    def covered_after(self, offset: int) -> Span | None:
        """The statement, item, field, match arm or manifest entry that starts next after `offset` (a
        comment's end), over further comments and attributes; None when there is none."""

    def item_path(self, offset: int) -> str:
        """The path of the item (or manifest table) that holds `offset`, for fingerprints:
        `train::Trainer::step`."""

    def view(self, rule: LoadedRule) -> object:
        """What the rule's `check`, `check_manifest` or `check_text` is called with."""


class Project(Protocol):
    """All that one run looks at."""

    @property
    def root(self) -> str:
        """The repository's root, or the project's without version control; absolute."""

    @property
    def files(self) -> Sequence[LintFile]:
        """The files to lint; context files are none of them."""

    @property
    def groups(self) -> Sequence[Sequence[str]]:
        """The paths of the files to lint, in groups that share most of what is to be known (packages), each
        file once."""

    def finish(self, paths: Sequence[str]) -> None:
        """No rule for single files will look at these any more."""

    def state(self, paths: Sequence[str]) -> str:
        """All that is known of a group before any rule looks at it, and hangs on more than its files: as a
        digest."""

    def inputs(self, paths: Sequence[str]) -> Sequence[Input] | None:
        """All that was read to answer the rules about a group, `state` aside, after they asked; None where that
        is not known."""

    def still(self, inputs: Sequence[Input]) -> bool:
        """Whether the same answers would be read today."""

    @property
    def notes(self) -> Sequence[ProjectNote]:
        """What went wrong, or is not known, on loading."""

    def text(self, path: str) -> Text | None:
        """The text of any file of the project, context included; None when there is no such file."""

    def parses(self, path: str, content: bytes) -> bool:
        """Whether `content` would parse without an error as the file at `path`."""

    def view(self, rule: LoadedRule) -> object:
        """What the rule's `check_project` is called with."""
