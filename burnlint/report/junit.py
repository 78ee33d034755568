"""JUnit XML: each finding a failed test, for CI systems that show nothing else. Paths are relative to the
working directory.

Elements and attributes are those that the schema of Jenkins' xUnit plugin (junit-10.xsd) knows: it refuses a report
with any other.
"""

from __future__ import annotations

from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from burnlint.lint.result import Result
from burnlint.report import RenderOptions
from burnlint.report.places import place_region, relative
from burnlint.terminal import visible

Case = tuple[str, str, str, str, str, str]
"""Path, name, element (failure or error), type, message, body."""


def render(result: Result, options: RenderOptions) -> str:
    """One suite per file. Notes that kept burnlint from its work are errors; a clean run is one test that
    passed."""
    cases = sorted(_cases(result), key=lambda case: case[0])
    suites = [_suite(path, list(of_file)) for path, of_file in groupby(cases, key=lambda case: case[0])]
    if not suites:
        suites = [
            f'  <testsuite name="burnlint" {_totals([])} skipped="0">',
            '    <testcase classname="burnlint" name="no findings" time="0"/>',
            "  </testsuite>",
        ]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="burnlint" {_totals(cases)}>'
    return "\n".join([head, *suites, "</testsuites>"]) + "\n"


def _suite(path: str, cases: list[Case]) -> str:
    lines = [f'  <testsuite name={quoteattr(path)} {_totals(cases)} skipped="0">']
    for _, name, element, kind, message, body in cases:
        shown = f"type={quoteattr(kind)} message={quoteattr(message)}"
        lines += [
            f'    <testcase classname={quoteattr(path)} name={quoteattr(name)} time="0">',
            f"      <{element} {shown}>{escape(body)}</{element}>",
            "    </testcase>",
        ]
    return "\n".join([*lines, "  </testsuite>"])


def _totals(cases: list[Case]) -> str:
    """The counts as attributes; no case stands for the one test that passed."""
    failures = sum(case[2] == "failure" for case in cases)
    errors = len(cases) - failures
    return f'tests="{len(cases) or 1}" failures="{failures}" errors="{errors}" time="0"'


def _cases(result: Result) -> list[Case]:
    cases: list[Case] = []
    for reported in result.findings:
        rule, finding = reported.rule.rule, reported.finding
        found = place_region(result, finding.place)
        path, message = visible(relative(finding.place.path, result.cwd)), visible(finding.message)
        body = [
            f"{path}:{found.line}:{found.column}: {reported.severity}[{rule.code}] {rule.name}: {message}"
        ]
        for because in finding.because:
            at = place_region(result, because.place)
            where = f"{visible(relative(because.place.path, result.cwd))}:{at.line}:{at.column}"
            body.append(f"{where}: {visible(because.message)}")
        if finding.help:
            body.append(f"help: {visible(finding.help)}")
        name = f"{rule.code} {rule.name} at {found.line}:{found.column}"
        cases.append((path, name, "failure", reported.severity, message, "\n".join(body)))
    for note in result.notes:
        if note.fatal:
            path = "burnlint" if note.path is None else visible(relative(note.path, result.cwd))
            message = visible(note.message)
            cases.append((path, f"{note.code} {note.kind}", "error", note.kind, message, message))
    return cases
