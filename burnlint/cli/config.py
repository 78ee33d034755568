"""`burnlint config`: the configuration that holds, and where each value comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from burnlint.cli.options import Given
from burnlint.cli.output import put, tell
from burnlint.cli.session import Failure, Session, said
from burnlint.lint.config import DEFAULTS


@click.group("config", invoke_without_command=True)
@click.option("--config", metavar="FILE", type=click.Path(), help="Use this configuration.")
@click.option(
    "--for", "path", metavar="PATH", type=click.Path(), help="The file or folder to ask for. [default: here]"
)
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, config: str | None, path: str | None, form: str) -> int | None:
    """Show each key's value for a path, and where it comes from."""
    if ctx.invoked_subcommand is not None:
        return None
    session = Session(Given(config=config))
    at = Path(session.cwd, path or ".")
    if not at.exists():
        raise click.UsageError(f"{path!r} does not exist.")
    found = said(lambda: session.configs.of(at.as_posix(), is_folder=at.is_dir()))
    if form == "json":
        values = {name: {"value": value.value, "source": value.source} for name, value in found.all.items()}
        put((json.dumps({"version": 1, "source": found.source, "values": values}, indent=2) + "\n").encode())
        return 0
    tell(
        f"burnlint: {'no configuration found' if found.source == DEFAULTS else f'configuration: {found.source}'}"
    )
    width = max(len(name) for name in found.all)
    lines = [f"{name:<{width}} = {_toml(value.value)}  # {value.source}" for name, value in found.all.items()]
    put("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    return 0


@command.command("init", short_help="Write burnlint.toml with every default.")
def init() -> int:
    """Write a burnlint.toml here that holds every key with its default, commented out."""
    from burnlint.lint.config import FILE
    from burnlint.lint.keys import KEYS
    from burnlint.lint.write import WriteError, write

    path = Path(FILE).absolute()
    if path.exists():
        raise Failure(f"{path}: exists already; it was left alone")
    parts = ["# Configuration of burnlint. Every key with its default; remove the `#` to change one.\n"]
    tables = []
    for key in KEYS:
        choices = f" One of {', '.join(key.choices)}." if key.choices else ""
        if key.shape in ("table", "tables"):
            example = (
                '"examples/" = ["all"]' if key.shape == "tables" else f'"rule-name" = "{key.choices[0]}"'
            )
            tables.append(f"# {key.help}{choices}\n# [{key.name}]\n# {example}\n")
        else:
            parts.append(f"# {key.help}{choices}\n# {key.name} = {_toml(key.default)}\n")
    try:
        write(path, "\n".join([*parts, *tables]).encode())
    except WriteError as error:
        raise Failure(str(error)) from error
    click.echo(f"wrote {path}")
    return 0


@command.command("schema", short_help="Print the JSON schema of burnlint.toml.")
def schema() -> int:
    """Print the JSON schema of burnlint.toml."""
    from burnlint.lint import keys

    put((json.dumps(keys.schema(), indent=2) + "\n").encode())
    return 0


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        pairs = (f"{json.dumps(word, ensure_ascii=False)} = {_toml(each)}" for word, each in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    return "[" + ", ".join(_toml(each) for each in value) + "]"
