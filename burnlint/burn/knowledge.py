"""What burnlint knows at one line: `burnlint explain --at FILE:LINE`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.expr_core import name_of_called
from burnlint.burn.values import Origins
from burnlint.rust import hir
from burnlint.rust.source import SourceFile

if TYPE_CHECKING:
    from burnlint.burn.analysis import Analysis
    from burnlint.burn.project import Project

MAX_TEXT = 60
"""Characters of an expression that are shown."""


def at_line(project: Project, path: str, line: int) -> list[str]:
    """What is known of the expressions that start on a line, one row each, outer before inner: text, type or
    why it is not known, what a call runs, where the value comes from. Empty: there is no expression.
    """
    source, analysis = project.source(path), project.analysis(path)
    if source is None or analysis is None:
        return []
    rows = []
    for body in _bodies_at(source, analysis, line):
        for e in body.exprs:
            if source.text.line(e.span[0]) == line and not isinstance(e, hir.Literal | hir.Block):
                rows.append((e.span[0], -e.span[1], "\n".join(_rows(source, analysis, body, e))))
    return [text for _, _, text in sorted(rows)]


def _bodies_at(source: SourceFile, analysis: Analysis, line: int) -> Iterator[hir.Body]:
    for fn in source.items.functions:
        if source.text.line(fn.span[0]) <= line <= source.text.line(fn.span[1]):
            body = analysis.body(fn)
            if body is not None:
                yield body


def _rows(source: SourceFile, analysis: Analysis, body: hir.Body, e: hir.Expr) -> Iterator[str]:
    text = " ".join(source.text.decode(*e.span).split())
    yield text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
    types, values = analysis.types(body), analysis.values
    term = types.expr(e)
    mode = getattr(term, "mode", "")
    cause = types.unknown_cause(e)
    shown = f"unknown: {term.why}" if isinstance(term, terms.Unknown) else terms.show(term)
    yield (
        f"  type    {shown}"
        + (f", {mode}" if mode else "")
        + (f" ({cause})" if cause and "unknown" not in shown else "")
    )
    site = values.site(body, e)
    if isinstance(e, hir.Call | hir.MethodCall | hir.Binary | hir.Unary):
        target = values.target(site)
        if target is not None:
            yield f"  runs    {target.key or (target.fn.name if target.fn else 'no function of burn')}"
        elif isinstance(e, hir.Call | hir.MethodCall):
            yield "  runs    unknown"
    yield f"  origin  {_origins(source, values.origins(site))}"


def _origins(source: SourceFile, origins: Origins) -> str:
    must = origins.must
    listed = []
    for origin in origins.items:
        line = source.text.line(origin.expr.span[0]) if origin.site.frame.body.owner.file is source else None
        place = f" in line {line}" if line is not None else ""
        listed.append(f"{origin.kind}{place}" + (f" ({origin.why})" if origin.why else ""))
    return ("must: " if must is not None else "may: ") + ", ".join(listed or ["nothing in sight"])


def missing_at(project: Project, path: str, line: int, words: tuple[str, ...]) -> list[str]:
    """For the calls on a line that a rule listens to: whether burnlint knows what they run, and if not which
    type it lacks.
    """
    source, analysis = project.source(path), project.analysis(path)
    if source is None or analysis is None:
        return ["burnlint knows of no burn in the package of this file"]
    rows = []
    for body in _bodies_at(source, analysis, line):
        for e in body.exprs:
            name = name_of_called(e, source)
            if name in words and source.text.line(e.span[1] - 1) >= line >= source.text.line(e.span[0]):
                rows.append(_missing(analysis, body, e, name))
    return rows or [
        f"no call on this line that the rule looks at ({', '.join(words) or 'it looks at no calls'})"
    ]


def _missing(analysis: Analysis, body: hir.Body, e: hir.Expr, name: str) -> str:
    target = analysis.values.target(analysis.values.site(body, e))
    if target is not None:
        what = target.key or (target.fn.name if target.fn is not None else "a function that is not burn's")
        return (
            f"`{name}` runs {what}: that is known. If the rule is silent it misses a fact about the "
            "operands: see --at without a rule"
        )
    receiver = e.receiver if isinstance(e, hir.MethodCall) else e
    cause = analysis.types(body).unknown_cause(receiver)
    why = cause or "no such method is known on it"
    return f"what `{name}` runs is not known, since the type of its receiver is not: {why}"
