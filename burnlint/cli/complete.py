"""What the shell proposes while a command line is typed (click's completion, for bash, zsh and fish)."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules by name, with their titles."""
    from burnlint.cli.session import rules_with

    rules = rules_with(tuple(ctx.params.get("rules_path") or ())).rules
    return [
        CompletionItem(each.rule.name, help=each.title)
        for each in rules
        if each.rule.name.startswith(incomplete)
    ]


def rule_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What selects rules: names and facets; of a list with commas, its last word."""
    from burnlint.lint import registry
    from burnlint.lint.selection import facet_values

    before, comma, last = incomplete.rpartition(",")
    found = [each.rule.name for each in registry.load().rules]
    for facet in ("group", "topic", "symptom"):
        found += [f"{facet}:{value}" for value in facet_values(registry.load(), facet)]
    return [CompletionItem(f"{before}{comma}{each}") for each in ["all", *found] if each.startswith(last)]


def formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Formats of reports; what stands after the colon is a file, which the shell cannot complete there."""
    from burnlint.report import FORMATS

    return [each for each in FORMATS if each.startswith(incomplete)]
