"""The command line, one module per command, imported when it is called.

`burnlint PATHS` is `burnlint check PATHS`. Exit codes: 0 clean, 1 findings that count, 2 burnlint could not
do its work, 130 interrupted.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from burnlint import __version__

COMMANDS = {
    "check": "Find pitfalls (what runs without a command).",
    "explain": "Show a rule's page.",
    "rules": "List the rules.",
    "why": "Say which pitfall explains an error, a panic or a log.",
    "config": "Show or write the configuration.",
    "baseline": "Accept the findings of today.",
    "suppressions": "List every suppression comment.",
    "server": "Serve an editor (Language Server Protocol).",
    "new-rule": "Write the two places of a new rule.",
    "test-rules": "Run the fixtures of a team's own rules.",
}
"""Commands with their short helps, which stand here so that `--help` need not import them."""
DEFAULT = "check"
_OWN_OPTIONS = ("--help", "-h", "--version")
_ELSEWHERE = {
    "help": "--help",
    "version": "--version",
    "fix": "--fix",
    "lint": "check",
    "run": "check",
    "list": "rules",
    "init": "config init",
    "lsp": "server",
}
"""What other tools call a command or an option of ours."""

_OF_STREAMS = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT)
"""What goes wrong with standard output, where no file is named."""
_OF_NAMES = (errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.ELOOP)
"""What goes wrong with a path of the user's, which even asking whether it is there may raise."""


class _Commands(click.Group):
    """Finds a command in the module of its name; what is no command is an argument of the default one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"burnlint.cli.{name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The first word: a command, or what the default command takes."""
        default = self.get_command(ctx, DEFAULT)
        assert default is not None, "a command of the table"
        with default.make_context(DEFAULT, [], parent=ctx, resilient_parsing=True) as below:
            proposed = default.shell_complete(below, incomplete)
        if incomplete.startswith("-"):
            return proposed
        # Files first: click's script for bash forgets what stands before them.
        return [CompletionItem(incomplete, type="file"), *super().shell_complete(ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.resilient_parsing:  # a shell asks for the first word
            return super().parse_args(ctx, args)
        if args and args[0].isidentifier() and args[0] not in COMMANDS and not Path(args[0]).exists():
            from burnlint.lint.selection import suggest

            meant = _ELSEWHERE.get(args[0]) or suggest(args[0], COMMANDS)
            if meant is not None:
                raise click.UsageError(f"{args[0]!r} is no command and no file; did you mean {meant!r}?", ctx)
        if not args or (args[0] not in COMMANDS and args[0] not in _OWN_OPTIONS):
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`burnlint PATHS` is `burnlint check PATHS`; `burnlint check --help` shows its options.",
)
@click.version_option(__version__, prog_name="burnlint")
def cli() -> None:
    """Find the pitfalls of the burn deep-learning framework in Rust sources and Cargo manifests."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    # Trees, items and types live until the process ends: a collector that walks them again and again doubles the time of
    # lowering (2.3 against 4.1 times the parse).
    gc.disable()
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        # What waits for burnlint and gives up (CI, an editor) is as good a reason to clean up as Ctrl-C.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by who started us
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Code pages of Windows lack what a help may hold.
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Run the command line; its exit code. Never raises."""
    if os.environ.get("_BURNLINT_COMPLETE", "").startswith("bash"):
        import_module("burnlint.cli.complete")  # it knows better how bash asks
    try:
        code = cli.main(args=list(argv), prog_name="burnlint", standalone_mode=False)
        if not sys.stdout.closed:  # the language server's transport closes it
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        print("burnlint: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _give_up_output()  # Its reader went away (`| head`).
        return 141
    except OSError as error:
        if error.filename is not None and error.errno in _OF_NAMES:
            from burnlint.cli.output import tell

            tell(f"burnlint: {os.fsdecode(error.filename)}: cannot be read ({error.strerror})")
            return 2
        if error.filename is not None or error.errno not in _OF_STREAMS:
            return _internal_error(error)
        print(f"burnlint: standard output cannot be written ({error.strerror})", file=sys.stderr)
        _give_up_output()
        return 2
    except Exception as error:
        return _internal_error(error)
    return code if isinstance(code, int) else 0


def _give_up_output() -> None:
    """Let what is not written yet go nowhere; Python would complain again on flushing at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _internal_error(error: Exception) -> int:
    if os.environ.get("BURNLINT_TRACEBACK"):
        import traceback

        traceback.print_exc()
    print(
        f"burnlint {__version__}: internal error: {type(error).__name__}: {error}\n"
        "This is a bug of burnlint: please report it, with what is printed when BURNLINT_TRACEBACK=1 is set.",
        file=sys.stderr,
    )
    return 2
