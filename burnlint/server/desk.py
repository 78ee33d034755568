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


@dataclass(slots=True)
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

    def look(self) -> list[Document]:
        """Lint every open document, together, since a finding may hang on several of them; those whose
        findings are new. May run in another thread: a document that changed meanwhile is not fresh."""
        documents = [each for each in self if kind_of(each.path) is not None and Path(each.path).is_file()]
        if not documents:
            return []
        versions = {each.uri: each.version for each in documents}
        contents = {each.path: each.content for each in documents}
        result = self._look(sorted(contents), contents)
        for each in documents:
            each.findings = [found for found in result.findings if found.finding.place.path == each.path]
            each.texts = result.texts
            each.looked_at = versions[each.uri]
        return documents
