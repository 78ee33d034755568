"""`burnlint explain`: a rule's page."""

from __future__ import annotations

import shutil
import sys

import click

from burnlint.cli.output import Colour, put, wants_colour


@click.command("explain")
@click.argument("rule")
@click.option("--markdown", is_flag=True, help="As Markdown, as in docs/rules.")
@click.option(
    "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
)
def command(rule: str, markdown: bool, colour: Colour) -> int:
    """Show the page of RULE, given by name or code: why, examples, known gaps."""
    from burnlint.lint import page, registry
    from burnlint.lint.selection import suggest
    from burnlint.terminal import painter

    rules = registry.load()
    loaded = rules.find(rule)
    if loaded is None:
        meant = suggest(rule, rules.by_word)
        hint = f"Did you mean {meant}?" if meant else "`burnlint rules` lists them."
        raise click.UsageError(f"{rule!r} is no rule. {hint}")
    if markdown:
        text = page.to_markdown(loaded)
    else:
        width = max(40, min(shutil.get_terminal_size((88, 24)).columns, 100))
        text = page.to_terminal(loaded, width, painter(wants_colour(colour, sys.stdout)))
    put(text.encode())
    return 0
