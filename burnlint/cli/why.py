"""`burnlint why`: which pitfall explains an error, a panic or a log; without one it asks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from burnlint.cli.output import Colour, put, tell, wants_colour

if TYPE_CHECKING:
    from burnlint.cli.why_project import Located
    from burnlint.lint.why_data import Knowledge
    from burnlint.terminal import Paint

MAX_SHOWN = 6
"""Places of one pitfall that are shown as text."""
_FILES = (".log", ".txt", ".out", ".json", ".jsonl", ".err")


@click.command("why")
@click.argument("text", nargs=-1, metavar="[TEXT|FILE|-]...")
@click.option("--symptom", metavar="WORDS", help="What you see, in words: 'the loss does not move'.")
@click.option(
    "--project",
    "folder",
    metavar="FOLDER",
    default=".",
    type=click.Path(),
    help="The project that the text is from. [default: the working directory]",
)
@click.option("--no-project", is_flag=True, help="Do not look for the pitfalls in a project.")
@click.option("--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--color", "colour", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True
)
def command(
    text: tuple[str, ...], symptom: str | None, folder: str, no_project: bool, form: str, colour: Colour
) -> int:
    """Say which pitfall of burn explains TEXT: an error, a panic, or a log (a file, or `-` for standard input;
    Cargo's JSON messages too). Without TEXT it asks what you see.

    Exit codes: 0 explained, 1 no pitfall explains it, 2 burnlint could not do its work.
    """
    from burnlint.cli import loading
    from burnlint.cli.why_project import Code, locate, without_log
    from burnlint.lint import registry, why_data

    knowledge, rules = why_data.load(), registry.load()
    where = None if no_project else folder
    if where is not None and not Path(where).is_dir():
        raise click.UsageError(f"--project {where}: there is no such folder.")
    code = Code.of(where)
    if symptom is not None:
        if text:
            raise click.UsageError("--symptom stands alone, without a text.")
        from burnlint.lint.why_ask import by_words

        found = without_log(by_words(knowledge, symptom), rules, code)
        nothing = "No pitfall is known by these words. `burnlint why` without an argument asks what you see."
    else:
        log = _given(text)
        pitfalls: Sequence[str] | None = None
        if log is None:
            log, pitfalls = _ask(knowledge)
        if pitfalls is not None:
            found = without_log(pitfalls, rules, code)
            nothing = "No pitfall is known to look like this."
        else:
            found = locate(log or "", knowledge, rules, code)
            nothing = (
                "No pitfall of burn explains this text. Give the whole message, word for word, with its `-->` lines or "
                "its backtrace; or your own words with --symptom; or `burnlint why` alone, which asks what you see."
            )
    from burnlint.terminal import painter, wrap

    width = max(40, min(shutil.get_terminal_size((88, 24)).columns, 100))
    if form == "json":
        put(as_json(found, knowledge).encode())
    elif found:
        put(as_text(found, knowledge, width, painter(wants_colour(colour, sys.stdout))).encode())
        if code is not None and (older := code.older_burn):
            newest = loading.newest_version()
            note = f"burnlint: what to write is for burn {newest}, and this project has {older}: names may differ"
            tell("\n".join(wrap(note, width)))
    else:
        tell("\n".join(wrap(nothing, width)))
    return 0 if found else 1


def _given(text: tuple[str, ...]) -> str | None:
    """The text that the arguments stand for; None without any."""
    if not text:
        return None
    if text == ("-",):
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    if len(text) == 1 and "\n" not in text[0] and len(text[0]) < 4096:
        path = Path(text[0])
        if path.is_file():
            try:
                return path.read_bytes().decode("utf-8", "replace")
            except OSError as error:
                raise click.UsageError(f"{text[0]} cannot be read ({error.strerror}).") from error
        if " " not in text[0] and path.suffix in _FILES:
            raise click.UsageError(f"{text[0]}: there is no such file.")
    return " ".join(text)


def _ask(knowledge: Knowledge) -> tuple[str | None, Sequence[str] | None]:
    """Ask at the terminal, or read the answers (one a line) from standard input: the pitfalls behind the last
    answer; or a log, when that is what standard input holds."""
    from burnlint.lint.why_ask import choose_option, choose_question

    lines = None if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "replace").splitlines()
    said = [line for line in lines or () if line.strip()]
    if lines is not None and said and choose_question(knowledge, said[0]) is None:
        return "\n".join(lines), None
    rest = None if lines is None else iter(said)
    question = None
    while question is None:
        _show("What do you see?", [each.asks for each in knowledge.questions])
        question = choose_question(knowledge, _next(rest))
    option = None
    while option is None:
        _show(f"{question.asks}: which fits best?", [each.says for each in question.options])
        option = choose_option(question, _next(rest))
    tell("")
    return None, option.pitfalls


def _show(question: str, choices: Sequence[str]) -> None:
    """A question goes to standard error, so that the answers stay alone in the output."""
    tell("\n".join([question, *(f"  {at}  {each}" for at, each in enumerate(choices, 1))]))


def _next(rest: Iterator[str] | None) -> str:
    if rest is None:
        return str(click.prompt("Number", err=True))
    answer = next(rest, None)
    if answer is None:
        raise click.UsageError("Standard input ended before the answer: give a number or words of it.")
    return answer


def as_json(found: Sequence[Located], knowledge: Knowledge) -> str:
    """The answers, version 1."""
    import json

    rows = [
        {
            "pitfalls": [each.pitfall],
            "rules": each.rules,
            "title": knowledge.pitfalls[each.pitfall].title,
            "places": [{"path": p.path, "line": p.line, "message": p.message} for p in each.places],
        }
        for each in found
    ]
    return json.dumps({"version": 1, "answers": rows}, indent=2, ensure_ascii=False) + "\n"


def as_text(found: Sequence[Located], knowledge: Knowledge, width: int, paint: Paint) -> str:
    """The answers to read, one paragraph each."""
    from burnlint.terminal import visible, wrap

    out = []
    for each in found:
        pitfall = knowledge.pitfalls[each.pitfall]
        rows = [("text", visible(each.said))] if each.said else []
        rows += [("why", pitfall.why), ("write", pitfall.write)]
        rows += [
            ("where", f"{visible(place.path)}:{place.line}: {visible(place.message)}")
            for place in each.places[:MAX_SHOWN]
        ]
        if len(each.places) > MAX_SHOWN:
            rows.append(("", f"and {len(each.places) - MAX_SHOWN} more places (all with --output json)"))
        if each.rules:
            rows.append(("rules", ", ".join(each.rules) + " (burnlint explain RULE)"))
        indent = " " * (len(each.pitfall) + 2)
        first, *more = wrap(pitfall.title, width - len(indent))
        lines = [f"{paint('title', each.pitfall)}  {paint('title', first)}"]
        lines += [indent + paint("title", line) for line in more]
        shown = ""
        for label, text in rows:
            first, *more = wrap(text, width - 9)
            lines.append(f"  {paint('dim', (label if label != shown else '').ljust(6))} {first}")
            lines += [" " * 9 + line for line in more]
            shown = label
        out.append("\n".join(lines) + "\n")
    return "\n".join(out)
