"""Links to the pages of rules: none while the docs have no home, and everywhere once one line says where it is."""

from __future__ import annotations

import json

import pytest
from lsprotocol import types

from burnlint.lint import page
from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render
from burnlint.server.convert import Converter

SITE = "https://docs.example.org/"


def links(result: Result) -> tuple[set[str | None], set[str | None], bool]:
    """Of SARIF's rules, of an editor's diagnostics, and whether the terminal has one."""
    driver = json.loads(render("sarif", result, RenderOptions()))["runs"][0]["tool"]["driver"]
    convert = Converter(types.PositionEncodingKind.Utf16, lambda path: f"file://{path}")
    shown = [convert.diagnostic(each, result.texts) for each in result.findings]
    text = render("text", result, RenderOptions(colour=True, hyperlinks=True))
    return (
        {each.get("helpUri") for each in driver["rules"]} | {driver.get("informationUri")},
        {each.code_description and each.code_description.href for each in shown},
        f"\x1b]8;;{SITE}" in text,
    )


def test_no_home_no_links(sample: Result) -> None:
    assert page.DOCS is None
    assert links(sample) == ({None}, {None}, False)


def test_links_to_the_pages(sample: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "DOCS", SITE)
    rules, diagnostics, terminal = links(sample)
    names = {each.rule.name for each in sample.rules}
    assert rules == {SITE, *(f"{SITE}rules/{name}.html" for name in names)}
    assert diagnostics == {f"{SITE}rules/{each.rule.rule.name}.html" for each in sample.findings}
    assert terminal
    plain = render("text", sample, RenderOptions(width=100))
    assert SITE not in plain
