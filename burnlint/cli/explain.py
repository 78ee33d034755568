"""`burnlint explain`: a rule's page."""

from __future__ import annotations

import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from burnlint.cli.complete import files, rule_names
from burnlint.cli.options import local_rules
from burnlint.cli.output import Colour, put, wants_colour
from burnlint.cli.session import rules_with

if TYPE_CHECKING:
    from burnlint.lint.rule import LoadedRule


@click.command("explain")
@click.argument("rule", required=False, shell_complete=rule_names)
@click.option(
    "--at",
    metavar="FILE:LINE",
    shell_complete=files,
    help="What burnlint knows there; with a rule, whether it fires there, or which fact it misses.",
)
@local_rules
@click.option("--markdown", is_flag=True, help="As Markdown, as in docs/rules.")
@click.option(
    "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
)
def command(
    rule: str | None, at: str | None, markdown: bool, colour: Colour, rules_path: tuple[str, ...]
) -> int:
    """Show the page of RULE, given by name or code: why, examples, known gaps; or what burnlint knows at a
    line.
    """
    from burnlint.lint import page
    from burnlint.lint.selection import UnknownWord, resolve, suggest
    from burnlint.terminal import painter

    if rule is None:
        if at is None:
            raise click.UsageError("Name a rule, or a place with --at FILE:LINE.")
        return _know(at, None, ())
    rules = rules_with(rules_path)
    loaded = rules.find(rule)
    if loaded is None:
        meant = suggest(rule, rules.by_word)
        hint = f"Did you mean {meant}?" if meant else "`burnlint rules` lists them."
        with suppress(UnknownWord):  # a pitfall, a group
            resolve(rules, rule)
            hint = f"`burnlint rules --select {rule}` lists those that it selects."
        raise click.UsageError(f"{rule!r} is no rule. {hint}")
    if at is not None:
        return _know(at, loaded, rules_path)
    if markdown:
        text = page.to_markdown(loaded)
    else:
        width = max(40, min(shutil.get_terminal_size((88, 24)).columns, 100))
        text = page.to_terminal(loaded, width, painter(wants_colour(colour, sys.stdout)))
    put(text.encode())
    return 0


def _know(at: str, rule: LoadedRule | None, rules_path: tuple[str, ...]) -> int:
    from burnlint.cli import loading
    from burnlint.lint.walk import absolute
    from burnlint.terminal import visible

    path, _, line = at.rpartition(":")
    if re.fullmatch(r"[0-9]{1,9}", line) is None or not Path(path).is_file():
        raise click.UsageError(
            f"--at {at}: want FILE:LINE with a file that exists, for example src/main.rs:12."
        )
    lines = Path(path).read_bytes().count(b"\n") + 1
    if not 0 < int(line) <= lines:
        raise click.UsageError(f"--at {at}: the file has the lines 1 to {lines}.")
    rows = _fires(path, int(line), rule, rules_path) if rule else []
    nothing = "no expression starts on this line, or its package does not use burn"
    if not path.endswith(".rs"):
        nothing = "the rule is silent here" if rule else "what burnlint knows of a line is told of Rust files"
    elif not rows:
        rows = loading.knowledge(absolute(path), int(line), rule.rule.listens if rule else None)
    for row in rows or [nothing]:
        put("".join(f"{visible(each)}\n" for each in row.split("\n")).encode())
    return 0


def _fires(path: str, line: int, loaded: LoadedRule, rules_path: tuple[str, ...]) -> list[str]:
    """What a rule says of a line as the project stands, whatever its confidence, the baseline and comments, or why it
    does not run there."""
    from burnlint.cli.options import Given
    from burnlint.cli.session import Session
    from burnlint.lint.walk import absolute
    from burnlint.report.places import place_region

    rule, file = loaded.rule, absolute(path)
    session = Session(
        Given(
            paths=(path,), select=(rule.name,), min_confidence="low", no_baseline=True, rules_path=rules_path
        )
    )
    _, result = session.lint({}, keep_suppressed=True)
    rows = []
    for each in result.findings:
        region = place_region(result, each.finding.place)
        if each.rule.rule.name == rule.name and region.line <= line <= region.end_line:
            suppressed = ", and a comment suppresses it" if each.suppressed else ""
            rows.append(f"fires here, with confidence {each.confidence}{suppressed}: {each.finding.message}")
    if file in result.judged and rule.code not in result.judged[file]:
        why = f"it is for burn {rule.burn}, and that is not what the package uses"
        if rule.code not in session.settings.of(file).rules:
            why = "`per-file-ignores` leave it out"
        rows.append(f"the rule does not run on this file: {why}")
    return rows
