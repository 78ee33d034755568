"""The documents that are open in the editor, and what the last look at each of them found.

Knows nothing of the protocol. A document that is on no disk yet, or that no rule reads, is kept and not
linted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from burnlint.lint.result import Reported, Result
from burnlint.lint.walk import absolute, kind_of
from burnlint.report.places import file_uri
from burnlint.text import Text

Look = Callable[[Sequence[str], Mapping[str, bytes]], Result]
"""Lint these files (absolute paths) with these contents in place of those on the disk. May raise
click.ClickException, whose message is for the user."""


@dataclass(slots=True, eq=False)
class Document:
    """One open document. `findings` belong to `looked_at`, the version that was last linted."""

    uri: str
    path: str
    version: int
    content: bytes
    looked_at: int | None = None
    findings: list[Reported] = field(default_factory=list)
    texts: Mapping[str, Text] = field(default_factory=dict)

    @property
    def fresh(self) -> bool:
        """Whether the findings are about what the editor shows now."""
        return self.looked_at == self.version

    @property
    def text(self) -> Text:
        return Text(self.path, self.content)


@dataclass(slots=True, frozen=True)
class Snapshot:
    """Documents with version and content as they were at one moment."""

    seen: Mapping[Document, tuple[int, bytes]]


class Desk:
    """All open documents, by URI."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._documents: dict[str, Document] = {}

    def put(self, uri: str, path: str, version: int, text: str) -> None:
        """Open a document, or take its new content."""
        content = text.encode("utf-8", "surrogatepass")
        known = self._documents.get(uri)
        if known is None:
            self._documents[uri] = Document(uri, absolute(path), version, content)
        else:
            known.version, known.content = version, content

    def close(self, uri: str) -> None:
        self._documents.pop(uri, None)

    def get(self, uri: str) -> Document | None:
        return self._documents.get(uri)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents.values())

    def uri_of(self, path: str) -> str:
        """The URI of a path, as the editor spells it where the document is open."""
        spelled = (each.uri for each in self if each.path == path)
        return next(spelled, None) or file_uri(path)

    def snapshot(self) -> Snapshot:
        """The documents to lint as they are now: all together, since a finding may hang on several of them."""
        return Snapshot(
            {
                each: (each.version, each.content)
                for each in self
                if kind_of(each.path) is not None and Path(each.path).is_file()
            }
        )

    def look(self, snapshot: Snapshot) -> Result | None:
        """What is found in a snapshot, None in an empty one. Touches no document, so that another thread may do
        it while the editor goes on."""
        contents = {document.path: content for document, (_, content) in snapshot.seen.items()}
        return self._look(sorted(contents), contents) if contents else None

    def keep(self, snapshot: Snapshot, result: Result | None) -> list[Document]:
        """Give the documents of a snapshot what was found in them; those that are open and did not change since, and
        those whose findings went with their file."""
        gone = [each for each in self if each.findings and each not in snapshot.seen]
        gone = [each for each in gone if not Path(each.path).is_file()]
        for document in gone:
            document.findings, document.looked_at = [], document.version
        if result is None:
            return gone
        for document, (version, _) in snapshot.seen.items():
            document.findings = [each for each in result.findings if each.finding.place.path == document.path]
            document.texts = result.texts
            document.looked_at = version
        return [*gone, *(each for each in snapshot.seen if each.fresh and self.get(each.uri) is each)]
