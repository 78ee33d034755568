"""Text for people, in the look of rustc: header, source with carets and evidence, help, fix."""

from __future__ import annotations

from burnlint.lint.finding import Place
from burnlint.lint.page import url
from burnlint.lint.result import Note, Reported, Result
from burnlint.report import RenderOptions
from burnlint.report.places import counts, file_uri, place_region, plural, relative
from burnlint.report.snippet import Segments, bar, excerpts
from burnlint.terminal import cells, link, painter, visible, wrap


def render(result: Result, options: RenderOptions) -> str:
    """Every finding as a block, then burnlint's own notes, then one line that counts."""
    rows: list[Segments] = []
    for reported in result.findings:
        rows += [*block(result, reported, options), []]
    for note in result.notes:
        rows += [*_note(result, note, options), []]
    rows += _summary(result, options.width)
    return paint_rows(rows, options.colour)


def paint_rows(rows: list[Segments], colour: bool) -> str:
    """The rows as lines of text."""
    paint = painter(colour)
    return "".join("".join(paint(role, piece) for role, piece in row).rstrip() + "\n" for row in rows)


def block(result: Result, reported: Reported, options: RenderOptions) -> list[Segments]:
    """One finding."""
    rule, finding = reported.rule.rule, reported.finding
    page = url(reported.rule) if options.hyperlinks else None
    rows = _headline(reported.severity, rule.code, f"{rule.name}: {finding.message}", options.width, page)
    drawn, gutter = excerpts(result, reported, options.width)
    for index, excerpt in enumerate(drawn):
        if index and drawn[index - 1].rows:
            rows.append(bar(gutter))
        rows.append(_location(result, excerpt.place, ":::" if index else "-->", gutter, options))
        if excerpt.rows:
            rows += [bar(gutter), *excerpt.rows]
    remarks = [("help", finding.help)] if finding.help else []
    if finding.fix:
        kind, option = ("a safe", "--fix") if finding.fix.safe else ("an unsafe", "--fix --unsafe-fixes")
        remarks.append(("note", f"{kind} fix is at hand with `{option}`: {finding.fix.title}"))
    if reported.confidence != "high":
        remarks.append(("note", f"the confidence is {reported.confidence}"))
    if remarks and drawn[-1].rows:
        rows.append(bar(gutter))
    for kind, remark in remarks:
        rows += _remark(kind, remark, gutter, options.width)
    return rows


def _headline(severity: str, code: str, message: str, width: int, page: str | None = None) -> list[Segments]:
    head = f"{severity}[{code}]"
    indent = " " * (len(head) + 2)
    first, *more = wrap(f": {visible(message)}", width, first=len(head), later=len(indent))
    shown = f"{severity}[{link(code, page)}]" if page else head
    return [[(severity, shown), ("title", first)], *([("title", f"{indent}{piece}")] for piece in more)]


def _location(result: Result, place: Place, arrow: str, gutter: int, options: RenderOptions) -> Segments:
    found = place_region(result, place)
    spelled = f"{visible(relative(place.path, result.cwd))}:{found.line}:{found.column}"
    if options.hyperlinks:
        spelled = link(spelled, file_uri(place.path))
    return [("gutter", f"{'':{gutter}}{arrow} "), ("", spelled)]


def _remark(kind: str, remark: str, gutter: int, width: int) -> list[Segments]:
    head = f"{kind}: "
    indent = gutter + 3 + len(head)
    first, *more = wrap(visible(remark), max(width - indent, 30))
    rows: list[Segments] = [[("gutter", f"{'':{gutter}} = "), ("title", head), ("", first)]]
    return rows + [[("", " " * indent + piece)] for piece in more]


def _note(result: Result, note: Note, options: RenderOptions) -> list[Segments]:
    rows = _headline(
        "error" if note.fatal else "note", note.code, f"{note.kind}: {note.message}", options.width
    )
    if note.path is not None:
        spelled = visible(relative(note.path, result.cwd))
        if options.hyperlinks:
            spelled = link(spelled, file_uri(note.path))
        rows.append([("gutter", " --> "), ("", spelled if note.line is None else f"{spelled}:{note.line}")])
    return rows


def _summary(result: Result, width: int) -> list[Segments]:
    first, *more = summary(result)
    rows: list[Segments] = [[("title", line)] for line in [*_whole_sentences(first, width), *more]]
    if result.findings:
        code = result.findings[0].rule.rule.code
        rows.append([("", f"For more about a finding, try `burnlint explain {code}`.")])
    return rows


def _whole_sentences(text: str, width: int) -> list[str]:
    """Lines of at most `width` cells that break between sentences only, so that an option is copied whole."""
    lines: list[str] = []
    for sentence in text.split(". "):
        if lines and cells(f"{lines[-1]}. {sentence}.") <= width:
            lines[-1] += f". {sentence}"
        else:
            lines.append(sentence)
    return [f"{line}." for line in lines[:-1]] + lines[-1:]


def summary(result: Result) -> list[str]:
    """The counts of a run in sentences: findings, fixes, what was left out, and with --statistics by rule, and the
    types that are known."""
    files = plural(result.summary.files, "file")
    if not result.findings:
        sentences = [f"No findings in {files}."]
    else:
        by_severity = counts(result.findings)
        parts = [plural(number, severity) for severity, number in by_severity.items() if number]
        sentences = [f"{plural(len(result.findings), 'finding')} in {files}: {', '.join(parts)}."]
    fixes = [reported.finding.fix for reported in result.findings if reported.finding.fix]
    safe = sum(fix.safe for fix in fixes)
    if safe:
        sentences.append(f"{safe} fixable with `--fix`.")
    if len(fixes) > safe:
        more = " more" if safe else ""
        sentences.append(f"{len(fixes) - safe}{more} fixable with `--fix --unsafe-fixes`.")
    hidden = [
        f"{number} {how}"
        for number, how in (
            (result.summary.suppressed, "suppressed"),
            (result.summary.baselined, "in the baseline"),
        )
        if number
    ]
    if hidden:
        sentences.append(f"Not shown: {', '.join(hidden)}.")
    return [
        " ".join(sentences),
        *(_by_rule(result) if result.summary.types is not None else ()),
        *_types(result),
    ]


def _by_rule(result: Result) -> list[str]:
    """How often each rule found something and how much of it can be fixed, the most frequent first."""
    by_name: dict[str, list[Reported]] = {}
    for reported in result.findings:
        by_name.setdefault(reported.rule.rule.name, []).append(reported)
    lines = []
    for name, found in sorted(by_name.items(), key=lambda each: (-len(each[1]), each[0])):
        fixable = sum(each.finding.fix is not None for each in found)
        what = f" ({fixable} fixable)" if fixable else ""
        lines.append(f"{len(found):6,}  {found[0].rule.rule.code}  {name}{what}")
    return lines


def _types(result: Result) -> list[str]:
    """Shares of tensor expressions of which something is known, and why the others are not."""
    types = result.summary.types
    if types is None:
        return []
    total = types.get("tensor_expressions", 0)
    lines = []
    for key, value in types.items():
        if isinstance(value, dict):
            lines += [
                f"{key.replace('_', ' ')}: {visible(cause)}: {number}" for cause, number in value.items()
            ]
        elif key != "tensor_expressions" and isinstance(total, int) and total:
            lines.append(f"{key.replace('_', ' ')}: {value} of {total} ({100 * value / total:.1f} %)")
        else:
            lines.append(f"{key.replace('_', ' ')}: {value}")
    return lines
