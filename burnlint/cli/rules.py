"""`burnlint rules`: which rules there are."""

from __future__ import annotations

import sys
from typing import Any

import click

from burnlint.cli.complete import rule_words
from burnlint.cli.options import local_rules
from burnlint.cli.output import put, terminal_width, wants_colour
from burnlint.cli.session import rules_with, unknown


@click.command("rules")
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    shell_complete=rule_words,
    help="Only these: names, codes, pitfalls, symptom:…, topic:…, group:…",
)
@local_rules
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(select: tuple[str, ...], form: str, rules_path: tuple[str, ...]) -> int:
    """List the rules, with what each finds."""
    from burnlint.lint.rule import LoadedRule
    from burnlint.lint.selection import UnknownWord, resolve

    rules = rules_with(rules_path)
    words = [word.strip() for each in select for word in each.split(",") if word.strip()]
    try:
        wanted = frozenset().union(*(resolve(rules, word).codes for word in words))
    except UnknownWord as error:
        raise unknown(error) from error
    shown: list[LoadedRule] = [each for each in rules.rules if not words or each.rule.code in wanted]
    if form == "json":
        text = _as_json(shown)
    elif sys.stdout.isatty():
        text = _for_people(shown, terminal_width(), wants_colour("auto", sys.stdout))
    else:
        text = _as_text(shown)
    put(text.encode())
    return 0


def _as_text(rules: list[Any]) -> str:
    rows = [
        (each.rule.code, each.rule.name, each.rule.symptom, _how(each.rule), each.title) for each in rules
    ]
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(4)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _for_people(rules: list[Any], width: int, colour: bool) -> str:
    """Two lines or more for each rule, as a line of `_as_text` is wider than a terminal."""
    from burnlint.terminal import painter, wrap

    paint = painter(colour)
    lines = []
    for each in rules:
        head = f"{paint('code', each.rule.code)} {paint('title', each.rule.name)}"
        lines.append(f"{head}  {paint('dim', f'{each.rule.symptom}, {_how(each.rule)}')}")
        lines += [f"      {line}" for line in wrap(each.title, width - 6)]
    return "".join(f"{line}\n" for line in lines)


def _how(rule: Any) -> str:
    how = f"{rule.severity}/{rule.confidence}"
    return how if rule.group == "default" else f"{how} {rule.group}"


def _as_json(rules: list[Any]) -> str:
    import json

    documents = []
    for loaded in rules:
        rule = loaded.rule
        documents.append(
            {
                "code": rule.code,
                "name": rule.name,
                "title": loaded.title,
                "topic": loaded.topic,
                "group": rule.group,
                "symptom": rule.symptom,
                "severity": rule.severity,
                "confidence": rule.confidence,
                "pitfalls": list(rule.pitfalls),
                "burn": rule.burn,
                "proven": list(rule.proven),
                "aliases": list(rule.aliases),
                "preview": rule.preview,
                "page": loaded.page,
            }
        )
    return json.dumps({"version": 1, "rules": documents}, indent=2) + "\n"
