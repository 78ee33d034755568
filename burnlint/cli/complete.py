"""What the shell proposes while a command line is typed (click's completion, for bash, zsh and fish)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

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


def formats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Formats of reports, and the file after the colon, which bash alone completes there."""
    from burnlint.report import FORMATS

    if ":" in incomplete:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(each) for each in FORMATS if each.startswith(incomplete)]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file, where more than its name is asked for."""
    return [CompletionItem(incomplete, type="file")]


@add_completion_class
class Bash(BashComplete):
    """bash takes `topic:autodiff` and `--select=P5` apart before it asks, and replaces nothing but the last part."""

    name = "bash"
    _before = ""
    """What of the word stands before that part."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that one."""
        at = int(os.environ["COMP_CWORD"])
        words = split_arg_string(os.environ["COMP_WORDS"])[: at + 1]
        words += [""] * (at + 1 - len(words))
        joined: list[str] = []
        colon = apart = False
        for word in words[1:]:
            after_colon, colon = colon, bool(word) and not word.strip(":")
            apart = bool(joined) and (colon or (after_colon and bool(word)))
            if apart:
                joined[-1] += word
            elif not (word == "=" and joined and joined[-1].startswith("--")):
                joined.append(word)
        if words[-1] == "=":
            joined.append("")
        incomplete = joined.pop() if joined else ""
        # Where a user took the colon out of COMP_WORDBREAKS, the word comes and goes whole.
        self._before = incomplete[: incomplete.rfind(":") + 1] if apart else ""
        return joined, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """A line of the answer, which bash puts in place of the last part."""
        value: Any = item.value
        return f"{item.type},{value.removeprefix(self._before)}"
