"""The language server, spoken to by a client in another process's place."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

MANIFEST = """\
[package]
name = "demo"
version = "0.1.0"
edition = "2024"

[dependencies]
burn = { version = "=0.22.1", features = ["flex", "autodiff"] }
"""
PREFIXED = "/* \U0001f525 */ pub fn w(a: Tensor<2>, b: Tensor<2>) -> Tensor<2> { &a + b }\n"
OPERAND = "use burn::tensor::Tensor;\n\n" + PREFIXED


class Editor(LanguageClient):
    """A client that keeps what the server publishes."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.said: asyncio.Queue[str] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def keep(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def hear(params: types.ShowMessageParams) -> None:
            self.said.put_nowait(params.message)

    async def next(self, uri: str) -> types.PublishDiagnosticsParams:
        while True:
            params = await asyncio.wait_for(self.published.get(), 30)
            if params.uri == uri:
                return params

    def open(self, path: Path, text: str | None = None) -> str:
        uri = path.as_uri()
        content = path.read_text(encoding="utf-8") if text is None else text
        self.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "rust", 1, content))
        )
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        self.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "src" / "lib.rs").write_text(OPERAND, encoding="utf-8")
    return tmp_path


def talk(root: Path, conversation: Callable[[Editor], Awaitable[None]], encoding: str | None = None) -> None:
    """Run a server and a conversation with it."""

    async def whole() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "burnlint", "server")
        encodings = None if encoding is None else [types.PositionEncodingKind(encoding)]
        capabilities = types.ClientCapabilities(
            general=types.GeneralClientCapabilities(position_encodings=encodings)
        )
        await editor.initialize_async(
            types.InitializeParams(capabilities=capabilities, root_uri=root.as_uri(), process_id=None)
        )
        editor.initialized(types.InitializedParams())
        try:
            await conversation(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            await editor.stop()

    asyncio.run(asyncio.wait_for(whole(), 90))


def context(found: list[types.Diagnostic], only: list[str] | None = None) -> types.CodeActionContext:
    return types.CodeActionContext(diagnostics=found, only=only)


def apply(text: str, edits: list[types.TextEdit]) -> str:
    """Edits in UTF-16 columns, as an editor makes them."""
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        units = lines[position.line].encode("utf-16-le")[: position.character * 2]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: each.range.start, reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def test_finding_fix_ignore_and_hover(package: Path) -> None:
    async def conversation(editor: Editor) -> None:
        uri = editor.open(package / "src" / "lib.rs")
        published = await editor.next(uri)
        [found] = published.diagnostics
        assert (found.code, found.severity, found.source) == (
            "tensor-operand-by-ref",
            types.DiagnosticSeverity.Error,
            "burnlint",
        )
        # The flame is one code point, two units of UTF-16, four bytes.
        line = OPERAND.split("\n")[2]
        assert found.range.start == types.Position(2, line.index("&a") + 1)

        where = types.TextDocumentIdentifier(uri)
        actions = await editor.text_document_code_action_async(
            types.CodeActionParams(where, found.range, context([found]))
        )
        assert actions is not None
        by_kind = {(each.kind, each.title.startswith("burnlint: ignore")): each for each in actions}
        fix = by_kind["quickfix", False]
        assert fix.is_preferred and fix.edit is not None and fix.edit.changes is not None
        fixed = apply(OPERAND, fix.edit.changes[uri])
        assert "{ a.clone() + b }" in fixed
        everything = by_kind["source.fixAll.burnlint", False]
        assert everything.edit == fix.edit
        ignore = by_kind["quickfix", True]
        assert ignore.edit is not None and ignore.edit.changes is not None
        ignored = apply(OPERAND, ignore.edit.changes[uri])

        page = await editor.text_document_hover_async(types.HoverParams(where, found.range.start))
        assert page is not None and "# tensor-operand-by-ref" in page.contents.value
        assert await editor.text_document_hover_async(types.HoverParams(where, types.Position(0, 0))) is None

        editor.change(uri, 2, ignored)
        assert (await editor.next(uri)).diagnostics == ()
        # The name in the comment has its rule's page.
        at = types.Position(2, ignored.split("\n")[2].index("tensor-operand") + 3)
        page = await editor.text_document_hover_async(types.HoverParams(where, at))
        assert page is not None and "# tensor-operand-by-ref" in page.contents.value

        editor.change(uri, 3, fixed)
        assert (await editor.next(uri)).diagnostics == ()

    talk(package, conversation)


@pytest.mark.parametrize(("encoding", "width"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_columns_in_the_unit_of_the_client(package: Path, encoding: str, width: int) -> None:
    async def conversation(editor: Editor) -> None:
        uri = editor.open(package / "src" / "lib.rs")
        [found] = (await editor.next(uri)).diagnostics
        assert found.range.start.character == PREFIXED.index("&a") - 1 + width

    talk(package, conversation, encoding)


def test_buffers_count_across_documents(package: Path) -> None:
    (package / "src" / "lib.rs").write_text(
        "mod other;\nuse burn::tensor::Tensor;\npub fn f(a: Tensor<2>) -> Tensor<2> { a + other::row() }\n"
    )
    other = package / "src" / "other.rs"
    other.write_text("use burn::tensor::Tensor;\npub fn row() -> Tensor<2> { todo!() }\n")

    async def conversation(editor: Editor) -> None:
        uri = editor.open(package / "src" / "lib.rs")
        assert (await editor.next(uri)).diagnostics == ()
        its = editor.open(other)
        await editor.next(its)
        editor.change(its, 2, other.read_text().replace("Tensor<2> {", "Tensor<1> {"))
        while True:
            published = await editor.next(uri)
            if published.diagnostics:
                break
        assert [each.code for each in published.diagnostics] == ["operand-rank-mismatch"]
        # Closed without being saved, it counts no more.
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(its)))
        assert (await editor.next(uri)).diagnostics == ()

    talk(package, conversation)


def test_a_broken_configuration_is_said_and_mended(package: Path) -> None:
    (package / "burnlint.toml").write_text("selct = []\n")

    async def conversation(editor: Editor) -> None:
        uri = editor.open(package / "src" / "lib.rs")
        assert "selct" in await asyncio.wait_for(editor.said.get(), 30)
        (package / "burnlint.toml").write_text("")
        editor.change(uri, 2, OPERAND)
        assert len((await editor.next(uri)).diagnostics) == 1

    talk(package, conversation)


def test_excluded_unsaved_and_foreign_documents_stay_silent(package: Path) -> None:
    (package / "burnlint.toml").write_text('exclude = ["src/old.rs"]\n')
    (package / "src" / "old.rs").write_text(OPERAND)

    async def conversation(editor: Editor) -> None:
        editor.open(package / "src" / "new.rs", OPERAND)
        editor.open(package / "notes.txt", "&a + b")
        uri = editor.open(package / "src" / "old.rs")
        assert (await editor.next(uri)).diagnostics == ()
        editor.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert (await editor.next(uri)).diagnostics == ()

    talk(package, conversation)


def test_it_leaves_without_a_word() -> None:
    def message(method: str, **more: object) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode()
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    talk = (
        message("initialize", id=1, params={"processId": None, "rootUri": None, "capabilities": {}}),
        message("initialized", params={}),
        message("shutdown", id=2),
        message("exit"),
    )
    run = subprocess.run(
        [sys.executable, "-m", "burnlint", "server"], input=b"".join(talk), capture_output=True, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_it_ends_when_it_is_told_to() -> None:
    """Though its client neither says so nor closes the pipe."""
    server = subprocess.Popen(
        [sys.executable, "-m", "burnlint", "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None and server.stdout is not None
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    server.stdin.flush()
    assert server.stdout.readline().startswith(b"Content-Length")
    server.terminate()
    assert server.wait(20) == -15
    server.stdin.close()
    server.stdout.close()
