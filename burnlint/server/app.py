"""The server: what the editor asks, answered from the desk."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import click
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from burnlint import __version__
from burnlint.lint import page
from burnlint.lint.edits import Accepted
from burnlint.lint.finding import Fix
from burnlint.lint.mass_ignore import ignore_above, may_stand_above
from burnlint.lint.registry import Registry
from burnlint.lint.result import Reported
from burnlint.server.convert import Converter
from burnlint.server.desk import Desk, Document, Look

DELAY = 0.2
"""Seconds without a keystroke before a document is linted."""
REASON = "say why this is right here"
"""Stands in the comment that "ignore here" writes, for the user to replace."""
FIX_ALL = "source.fixAll.burnlint"

_IGNORE = re.compile(r"burnlint:\s*ignore(?:-file)?\s*\[([^\]]*)\]")
_NAME = re.compile(r"[^\s,]+")


class Server(LanguageServer):
    """One editor's server."""

    def __init__(self, look: Look, registry: Registry) -> None:
        super().__init__("burnlint", __version__)
        self.desk = Desk(look)
        self.registry = registry
        self._looking = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._said: set[str] = set()

    @cached_property
    def converter(self) -> Converter:
        return Converter(self.workspace.position_encoding, self.desk.uri_of)

    def changed(self, delay: float = DELAY) -> None:
        """Look again after a pause."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(delay, self._start)

    def _start(self) -> None:
        task = asyncio.get_running_loop().create_task(self._look())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look(self) -> None:
        async with self._looking:
            snapshot = self.desk.snapshot()
            try:
                loop = asyncio.get_running_loop()
                result = await loop.run_in_executor(None, self.desk.look, snapshot)
            except click.ClickException as error:
                self._say(error.format_message())
                return
            except Exception as error:
                self._say(f"internal error: {type(error).__name__}: {error}. Please report it")
                return
        self._said.clear()
        for document in self.desk.keep(snapshot, result):
            self._publish(document)

    def _say(self, message: str) -> None:
        """Tell the user what keeps burnlint from its work, once until it works again."""
        if message not in self._said:
            self._said.add(message)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"burnlint: {message}"))

    def _publish(self, document: Document) -> None:
        found = [self.converter.diagnostic(each, document.texts) for each in document.findings]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, found, document.version)
        )

    def at(self, uri: str, asked: types.Range) -> Iterator[tuple[Document, Reported]]:
        """The findings that touch a range of a document that did not change since they were made."""
        document = self.desk.get(uri)
        if document is None or not document.fresh:
            return
        for each in document.findings:
            its = self.converter.range(document.texts[document.path], each.finding.place)
            if _touch(its, asked):
                yield document, each

    def page_at(self, uri: str, position: types.Position) -> str | None:
        """The page of the rule whose finding, or whose name in a suppression, stands there."""
        here = types.Range(position, position)
        for _, reported in self.at(uri, here):
            return page.to_markdown(reported.rule)
        document = self.desk.get(uri)
        if document is None or position.line >= document.text.line_count():
            return None
        text = document.text
        start, end = text.line_span(position.line + 1)
        for comment in _IGNORE.finditer(text.decode(start, end)):
            for name in _NAME.finditer(comment[1]):
                before = text.decode(start, end)[: comment.start(1) + name.start()]
                first = start + len(before.encode())
                its = types.Range(
                    self.converter.position(text, first),
                    self.converter.position(text, first + len(name[0].encode())),
                )
                loaded = self.registry.find(name[0])
                if loaded is not None and _touch(its, here):
                    return page.to_markdown(loaded)
        return None

    def actions(self, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
        """Fixes and suppressions of the findings in a range, and all safe fixes of the document at once."""
        only = params.context.only
        if _wanted(types.CodeActionKind.QuickFix, only):
            for about, each in self.at(params.text_document.uri, params.range):
                yield from self._quick_fixes(about, each)
        document = self.desk.get(params.text_document.uri)
        if document is not None and document.fresh and _wanted(FIX_ALL, only):
            fixes = list(_together(document))
            if fixes:
                title = f"burnlint: apply {len(fixes)} safe {'fix' if len(fixes) == 1 else 'fixes'}"
                edit = self.converter.edit(fixes, document.texts)
                yield types.CodeAction(title, kind=FIX_ALL, edit=edit)

    def _quick_fixes(self, document: Document, reported: Reported) -> Iterator[types.CodeAction]:
        about = [self.converter.diagnostic(reported, document.texts)]
        fix = reported.finding.fix
        if fix is not None:
            yield types.CodeAction(
                fix.title if fix.safe else f"{fix.title} (may change what the program does)",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=about,
                is_preferred=fix.safe,
                edit=self.converter.edit([fix], document.texts),
            )
        place = reported.finding.place
        if not may_stand_above(document.texts[place.path], place.start):
            return
        ignore = ignore_above(document.texts[place.path], place.start, [reported.rule.rule.name], REASON)
        yield types.CodeAction(
            f"burnlint: {ignore.title}",
            kind=types.CodeActionKind.QuickFix,
            diagnostics=about,
            edit=self.converter.edit([ignore], document.texts),
        )


def _together(document: Document) -> Iterator[Fix]:
    """The safe fixes of a document that do not collide."""
    accepted = Accepted()
    for each in document.findings:
        fix = each.finding.fix
        if fix is not None and fix.safe and accepted.take(fix):
            yield fix


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _wanted(kind: str, only: Sequence[types.CodeActionKind | str] | None) -> bool:
    """Whether a client that asks for `only` these kinds wants this one: a kind stands for those below it."""
    return not only or any(kind == each or kind.startswith(f"{each}.") for each in only)


def server(look: Look, registry: Registry) -> Server:
    """A server, not yet started."""
    made = Server(look, registry)

    @made.feature(types.INITIALIZED)
    def initialized(params: types.InitializedParams) -> None:
        root = made.workspace.root_path
        if root is not None and Path(root).is_dir():
            os.chdir(root)

    @made.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        path = to_fs_path(params.text_document.uri)
        if path is not None and "\0" not in path and params.text_document.uri.startswith("file:"):
            _take(params.text_document.uri, path)
            made.changed(delay=0)

    @made.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        known = made.desk.get(params.text_document.uri)
        if known is not None:
            _take(known.uri, known.path)
            made.changed()

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        made.changed(delay=0)

    @made.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        made.desk.close(params.text_document.uri)
        made.text_document_publish_diagnostics(types.PublishDiagnosticsParams(params.text_document.uri, []))
        made.changed()  # What the others say may hang on what was not saved.

    @made.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        return list(made.actions(params))

    @made.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = made.page_at(params.text_document.uri, params.position)
        if text is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))

    def _take(uri: str, path: str) -> None:
        now = made.workspace.get_text_document(uri)
        made.desk.put(uri, path, now.version or 0, now.source)

    return made
