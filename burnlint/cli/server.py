"""`burnlint server`: the language server for editors (extra `burnlint[lsp]`)."""

from __future__ import annotations

import gc
import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from burnlint.cli.options import Given, linting
from burnlint.cli.session import Failure, Session
from burnlint.lint.result import Result


@click.command("server")
@linting
def command(**options: Any) -> int:
    """Speak the Language Server Protocol on standard input and output. PATHS are ignored: the editor says
    which documents are open.
    """
    try:
        from burnlint.server.app import server
    except ModuleNotFoundError as error:
        raise Failure(
            f"the language server needs {error.name}: install burnlint with its extra, `burnlint[lsp]`."
        ) from error
    # Unlike one run of the command line, a server lives on: what a look leaves behind has to go.
    gc.enable()
    # It writes nothing that would have to be cleaned up, and its wait for input does not end by an exception.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    given = replace(Given.take(options), force_exclude=True)

    def look(paths: Sequence[str], contents: Mapping[str, bytes]) -> Result:
        return Session(replace(given, paths=tuple(paths))).lint(contents)[1]

    server(look, Session(given).registry).start_io()
    return 0
