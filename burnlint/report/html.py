"""One self-contained page: counts by symptom and topic, findings with source, evidence and fix, filters.

No network and no inline handler: the content security policy in the page allows its own style sheet and
script by their hashes and nothing else. Without scripts everything is shown and only the filters are missing.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files

from burnlint import __version__
from burnlint.lint.finding import Fix
from burnlint.lint.page import facts, page_of
from burnlint.lint.result import Note, Reported, Result
from burnlint.lint.rule import LoadedRule
from burnlint.report import RenderOptions
from burnlint.report.markup import code_parts
from burnlint.report.places import counts, place_region, plural, relative, text_of
from burnlint.report.snippet import Excerpt, excerpts
from burnlint.report.text import summary
from burnlint.terminal import visible

_WIDTH = 110
"""Cells of a drawn source line; the page scrolls wider ones."""


def render(result: Result, options: RenderOptions) -> str:
    """The page."""
    style, script = _asset("html.css"), _asset("html.js")
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_hash(style)}"
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}; script-src {_hash(script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>burnlint: {plural(len(result.findings), 'finding')}</title>",
        f"<style>{style}</style>",
    ]
    body = [
        "<header>\n<h1>burnlint</h1>",
        *(f"<p>{_inline(sentence)}</p>" for sentence in summary(result)),
        "</header>",
        f"<main>\n{_overview(result)}{_findings(result)}{_notes(result)}{_rules(result)}</main>",
        f"<footer>burnlint {__version__}</footer>",
        f"<script>{script}</script>",
    ]
    return "\n".join(
        ['<!doctype html>\n<html lang="en">\n<head>', *head, "</head>\n<body>", *body, "</body>\n</html>\n"]
    )


def _asset(name: str) -> str:
    return (files("burnlint.report") / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    """A content security policy's source expression for an inline element."""
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def _inline(text: str) -> str:
    return "".join(
        f"<code>{escape(part)}</code>" if code else escape(part) for code, part in code_parts(visible(text))
    )


def _overview(result: Result) -> str:
    if not result.findings:
        return ""
    by_severity = [(severity, number) for severity, number in counts(result.findings).items() if number]
    by_symptom = Counter(reported.rule.rule.symptom for reported in result.findings).most_common()
    by_topic = Counter(reported.rule.topic for reported in result.findings).most_common()
    parts = (_bars("Severity", by_severity), _bars("Symptom", by_symptom), _bars("Topic", by_topic))
    return f'<section class="overview">\n{"".join(parts)}</section>\n'


def _bars(title: str, numbers: Iterable[tuple[str, int]]) -> str:
    rows = list(numbers)
    most = max(number for _, number in rows)
    bars = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{number}</td>'
        f'<td><meter min="0" max="{most}" value="{number}">{number}</meter></td></tr>\n'
        for name, number in rows
    )
    return f"<table>\n<caption>{title}</caption>\n{bars}</table>\n"


def _findings(result: Result) -> str:
    """The filters and what they filter. The bar of filters sticks to the window's top inside this section only, so that
    it never lies on a rule's page that a link leads to."""
    if not result.findings:
        return ""
    findings = "".join(_finding(result, reported) for reported in result.findings)
    return f"<section>\n{_filters(result)}{findings}</section>\n"


def _filters(result: Result) -> str:
    severities = [severity for severity, number in counts(result.findings).items() if number]
    boxes = "".join(
        f'<label><input type="checkbox" name="severity" value="{severity}" checked> {severity}</label>\n'
        for severity in severities
    )
    symptoms = sorted({reported.rule.rule.symptom for reported in result.findings})
    topics = sorted({reported.rule.topic for reported in result.findings})
    return (
        f'<form class="filters" hidden>\n{boxes}{_select("symptom", symptoms)}{_select("topic", topics)}'
        '<label>Search <input type="search" name="words" autocomplete="off"></label>\n'
        '<output name="shown" aria-live="polite"></output>\n</form>\n'
    )


def _select(name: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    every = f'<option value="">all</option>{options}'
    return f'<label>{name.capitalize()} <select name="{name}">{every}</select></label>\n'


def _finding(result: Result, reported: Reported) -> str:
    rule, finding = reported.rule.rule, reported.finding
    drawn, _ = excerpts(result, reported, _WIDTH)
    confidence = f' <span class="dim">confidence {reported.confidence}</span>'
    return (
        f'<article class="finding {reported.severity}" data-severity="{reported.severity}" '
        f'data-symptom="{rule.symptom}" data-topic="{escape(reported.rule.topic)}">\n'
        f'<h3><span class="severity">{reported.severity}</span> '
        f'<a href="#{escape(rule.code)}">{escape(rule.code)} {escape(rule.name)}</a>'
        f"{'' if reported.confidence == 'high' else confidence}</h3>\n<p>{_inline(finding.message)}</p>\n"
        + "".join(_excerpt(result, excerpt) for excerpt in drawn)
        + (f'<p class="help"><b>Help:</b> {_inline(finding.help)}</p>\n' if finding.help else "")
        + (_fix(result, finding.fix) if finding.fix else "")
        + "</article>\n"
    )


def _excerpt(result: Result, excerpt: Excerpt) -> str:
    found = place_region(result, excerpt.place)
    where = f"{visible(relative(excerpt.place.path, result.cwd))}:{found.line}:{found.column}"
    rows = "\n".join(
        "".join(
            f'<span class="{role}">{escape(piece)}</span>' if role else escape(piece) for role, piece in row
        )
        for row in excerpt.rows
    )
    return f'<figure>\n<figcaption>{escape(where)}</figcaption>\n<pre tabindex="0">{rows}</pre>\n</figure>\n'


def _fix(result: Result, fix: Fix) -> str:
    kind, option = ("Safe", "--fix") if fix.safe else ("Unsafe", "--fix --unsafe-fixes")
    edits = []
    for edit in fix.edits:
        text = text_of(result, edit.place.path)
        found = place_region(result, edit.place)
        where = escape(f"{visible(relative(edit.place.path, result.cwd))}:{found.line}:{found.column}")
        old, new = _shown(text.decode(edit.place.start, edit.place.end)), _shown(edit.text)
        removed = f"<del>{old}</del>" if old else ""
        edits.append(f"<li>{where} {removed}{f'<ins>{new}</ins>' if new else ''}</li>\n")
    title = f"<b>{kind} fix</b> (<code>{option}</code>): {_inline(fix.title)}"
    return f'<details class="fix">\n<summary>{title}</summary>\n<ul>\n{"".join(edits)}</ul>\n</details>\n'


def _shown(source: str) -> str:
    return "<br>".join(escape(visible(line)) for line in source.splitlines())


def _notes(result: Result) -> str:
    items = "".join(_note(result, note) for note in result.notes)
    return f'<section class="notes">\n<h2>Notes</h2>\n<ul>\n{items}</ul>\n</section>\n' if items else ""


def _note(result: Result, note: Note) -> str:
    where = "" if note.path is None else visible(relative(note.path, result.cwd))
    line = "" if note.line is None else f":{note.line}"
    return f"<li><b>{escape(note.kind)}</b> {escape(where)}{line} {_inline(note.message)}</li>\n"


def _rules(result: Result) -> str:
    """The pages of the rules that found something."""
    rules = {reported.rule.rule.code: reported.rule for reported in result.findings}
    pages = "".join(_rule(rules[code]) for code in sorted(rules))
    return f'<section class="rules">\n<h2>Rules</h2>\n{pages}</section>\n' if pages else ""


def _rule(loaded: LoadedRule) -> str:
    page = page_of(loaded)
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(visible(value))}</dd>" for name, value in facts(loaded)
    )
    code = escape(loaded.rule.code)
    body = []
    for section in page.sections:
        body.append(f"<h4>{escape(visible(section.heading))}</h4>\n" if section.heading else "")
        for block in section.blocks:
            lines = page.shown(block).split("\n")
            if block.code:
                body.append(f'<pre tabindex="0">{escape(chr(10).join(map(visible, lines)))}</pre>\n')
            else:
                body.append(f"<p>{_inline(' '.join(lines).replace('**', ''))}</p>\n")
    return (
        f'<details id="{code}">\n<summary>{code} {escape(loaded.rule.name)}</summary>\n'
        f"<p>{_inline(page.title)}</p>\n<dl>{rows}</dl>\n{''.join(body)}</details>\n"
    )
