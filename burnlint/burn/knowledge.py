"""What burnlint knows at one line: `burnlint explain --at FILE:LINE`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.calls import name_of_called, operands_as_written
from burnlint.burn.infer.model import NUMBERS
from burnlint.burn.values import Origins, Site
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
    yield _text(source, e)
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
            known = not isinstance(terms.peel_refs(term), terms.Unknown)
            yield f"  runs    {'nothing that burnlint follows' if known else 'unknown'}"
    yield f"  origin  {_origins(source, values.origins(site))}"


def _text(source: SourceFile, e: hir.Expr) -> str:
    text = " ".join(source.text.decode(*e.span).split())
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _origins(source: SourceFile, origins: Origins) -> str:
    must = origins.must
    listed = []
    for origin in origins.items:
        line = source.text.line(origin.expr.span[0]) if origin.site.frame.body.owner.file is source else None
        place = f" in line {line}" if line is not None else ""
        listed.append(f"{origin.kind}{place}" + (f" ({origin.why})" if origin.why else ""))
    return ("must: " if must is not None else "may: ") + ", ".join(
        dict.fromkeys(listed) or ["nothing in sight"]
    )


def missing_at(project: Project, path: str, line: int, words: tuple[str, ...]) -> list[str]:
    """For the calls on a line that a rule listens to, and if there are none for the operators: whether burnlint knows
    what they run, and which facts about their operands it lacks.
    """
    source, analysis = project.source(path), project.analysis(path)
    if source is None or analysis is None:
        return ["burnlint knows of no burn in the package of this file"]
    calls, operators = [], []
    for body in _bodies_at(source, analysis, line):
        for e in body.exprs:
            if not source.text.line(e.span[0]) <= line <= source.text.line(e.span[1] - 1):
                continue
            name = name_of_called(e, source)
            if not _names(e, source).isdisjoint(words):
                calls.append("\n".join(_missing(source, analysis, body, e, name)))
            elif isinstance(e, hir.Binary | hir.AssignOp) and _may_be_tensor(analysis, body, e):
                operators.append("\n".join(_missing(source, analysis, body, e, e.op)))
    return (
        calls
        or operators
        or [f"nothing on this line that the rule looks at ({', '.join(words) or 'it looks at no calls'})"]
    )


def _names(e: hir.Expr, source: SourceFile) -> set[str]:
    """The names that a call spells: `Config` and `new` of `Config::new(..)`."""
    path = e.callee.path.segments if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) else ()
    return {name_of_called(e, source), *(source.own_name(segment.name) for segment in path)}


def _may_be_tensor(analysis: Analysis, body: hir.Body, e: hir.Binary | hir.AssignOp) -> bool:
    types = analysis.types(body)
    terms_of = [terms.peel_refs(types.expr(each)) for each in operands_as_written(e)]
    return any(isinstance(term, terms.Tensor | terms.Unknown) for term in terms_of)


def _missing(source: SourceFile, analysis: Analysis, body: hir.Body, e: hir.Expr, name: str) -> Iterator[str]:
    values = analysis.values
    site = values.site(body, e)
    target, known = values.target(site), f"`{name}`"
    if isinstance(e, hir.Binary | hir.AssignOp):
        known += " is an operator on these operands"
    elif target is None:
        receiver = next(iter(values.operands(site)), site).expr
        cause = analysis.types(body).unknown_cause(receiver)
        why = cause or "no such method is known on it"
        yield f"what `{name}` runs is not known, since the type of its receiver is not: {why}"
        return
    else:
        what = target.key or (target.fn.name if target.fn is not None else "a function that is not burn's")
        known += f" runs {what}: that is known"
    yield f"{known}. If the rule is silent, it may need what is not known of the operands:"
    for operand in values.operands(site):
        yield f"  {_text(source, operand.expr)}: {terms.show(analysis.types(body).expr(operand.expr))}"
        for fact in _unknown_facts(source, analysis, operand):
            yield f"    not known: {fact}"


def _unknown_facts(source: SourceFile, analysis: Analysis, site: Site) -> Iterator[str]:
    """What burnlint could know of a value and does not."""
    values, types = analysis.values, analysis.types(site.frame.body)
    term = terms.peel_refs(types.expr(site.expr))
    cause = types.unknown_cause(site.expr)
    if cause is not None:
        yield f"its type ({cause})"
    if isinstance(term, terms.Tensor):
        if not term.mode:
            yield "whether it is on autodiff"
        if values.tracking(site).may("unknown", "given"):
            yield "whether autodiff records it (a leaf, computed from one, or neither)"
        sizes = values.shape(site)
        missing = [str(at) for at, size in enumerate(sizes or ()) if not isinstance(size, int)]
        if sizes is None or missing:
            yield "its sizes" + (f" in dimension {', '.join(missing)}" if missing else "")
    elif isinstance(term, terms.Named) and term.name in NUMBERS and not isinstance(values.number(site), int):
        yield "its value"
    origins = values.origins(site)
    if origins.must is None:
        yield f"where it certainly comes from ({_origins(source, origins)})"
