"""What the shell proposes while a command line is typed (click's completion, for bash, zsh and fish)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from burnlint.lint.registry import Registry


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rules by name, with their titles."""
    return [
        CompletionItem(each.rule.name, help=each.title)
        for each in _rules(ctx).rules
        if each.rule.name.startswith(incomplete)
    ]


def rule_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What selects rules: names and facets; of a list with commas, its last word."""
    from burnlint.lint.selection import facet_values

    before, comma, last = incomplete.rpartition(",")
    rules = _rules(ctx)
    found = [each.rule.name for each in rules.rules]
    for facet in ("group", "topic", "symptom"):
        found += [f"{facet}:{value}" for value in facet_values(rules, facet)]
    return [CompletionItem(f"{before}{comma}{each}") for each in ["all", *found] if each.startswith(last)]


def _rules(ctx: click.Context) -> Registry:
    from burnlint.cli.session import rules_with

    return rules_with(tuple(ctx.params.get("rules_path") or ()))


def formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Formats of reports; what stands after the colon is a file, which the shell cannot complete there."""
    from burnlint.report import FORMATS

    return [each for each in FORMATS if each.startswith(incomplete)]
