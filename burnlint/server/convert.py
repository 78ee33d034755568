"""Findings and fixes in the protocol's own types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

from lsprotocol import types

from burnlint.lint.edits import apply
from burnlint.lint.finding import Edit, Fix, Place, Severity
from burnlint.lint.page import url
from burnlint.lint.result import Reported
from burnlint.text import Text

_SEVERITIES: dict[Severity, types.DiagnosticSeverity] = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


class Converter:
    """Knows the unit in which the client counts columns, and how it spells the URI of a path."""

    def __init__(
        self, encoding: str | types.PositionEncodingKind | None, uri_of: Callable[[str], str]
    ) -> None:
        self._encoding = encoding or types.PositionEncodingKind.Utf16
        self._uri_of = uri_of

    def position(self, text: Text, offset: int) -> types.Position:
        """The position of a byte offset, both numbers from 0."""
        if self._encoding == types.PositionEncodingKind.Utf8:
            column = offset - text.line_start(offset)
        elif self._encoding == types.PositionEncodingKind.Utf32:
            column = text.column(offset) - 1
        else:
            column = text.column_utf16(offset) - 1
        return types.Position(text.line(offset) - 1, column)

    def range(self, text: Text, place: Place) -> types.Range:
        return types.Range(self.position(text, place.start), self.position(text, place.end))

    def diagnostic(self, reported: Reported, texts: Mapping[str, Text]) -> types.Diagnostic:
        """A finding with its evidence; the fingerprint says later which one it was."""
        finding, rule = reported.finding, reported.rule.rule
        message = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
        related = [
            types.DiagnosticRelatedInformation(
                types.Location(self._uri_of(each.place.path), self.range(texts[each.place.path], each.place)),
                each.message,
            )
            for each in finding.because
        ]
        page = url(reported.rule)
        return types.Diagnostic(
            range=self.range(texts[finding.place.path], finding.place),
            message=message,
            severity=_SEVERITIES[reported.severity],
            code=rule.name,
            code_description=types.CodeDescription(page) if page else None,
            source="burnlint",
            related_information=related,
            data={"fingerprint": reported.fingerprint},
        )

    def edit(self, fixes: Iterable[Fix], texts: Mapping[str, Text]) -> types.WorkspaceEdit:
        """Fixes that do not collide, as one edit of the workspace."""
        changes: dict[str, list[types.TextEdit]] = defaultdict(list)
        # Two fixes may share an edit (one import): it is made once.
        for edit in dict.fromkeys(edit for fix in fixes for edit in fix.edits):
            text = texts[edit.place.path]
            changes[self._uri_of(edit.place.path)].append(
                types.TextEdit(self.range(text, edit.place), _in_its_line_ending(text, edit))
            )
        return types.WorkspaceEdit(changes=dict(changes))


def _in_its_line_ending(text: Text, edit: Edit) -> str:
    """The edit's text as `burnlint.lint.edits` would write it into the file."""
    alone = apply({edit.place.path: text.content}, [Fix("", (edit,), safe=True)])[edit.place.path]
    end = len(alone) - (len(text.content) - edit.place.end)
    return alone[edit.place.start : end].decode("utf-8", "replace")
