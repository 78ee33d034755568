"""The HTML page in a real browser: it runs under its own policy, asks nobody for anything, filters, and can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Page, browser

from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

READABLE = 4.5
"""The contrast that WCAG 2.2, 1.4.3, asks of text."""

FAINT = """(() => {
    const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = parts(colour).map((c) => c / 255).map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const ground = (element) => {
        const colour = getComputedStyle(element).backgroundColor;
        return (parts(colour)[3] ?? 1) === 1 || !element.parentElement ? colour : ground(element.parentElement);
    };
    document.querySelectorAll("details").forEach((details) => details.open = true);
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let seen = 0;
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
        seen += 1;
        const [a, b] = [getComputedStyle(element).color, ground(element)].map(light).sort((a, b) => b - a);
        if ((a + .05) / (b + .05) < LIMIT) faint.add(`${element.tagName}.${element.className} ${(a + .05) / (b + .05)}`);
    }
    return [seen, [...faint]];
})()"""
SHOWN = """[...document.querySelectorAll("article.finding")].filter((one) => one.checkVisibility())
    .map((one) => one.querySelector("h3 a").textContent.split(" ")[0])"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def show(page: Page, result: Result, folder: Path, *, width: int = 1280, scheme: str = "light") -> str:
    """Opens the result's page; gives its address."""
    path = folder / "page.html"
    path.write_text(render("html", result, RenderOptions()), encoding="utf-8")
    page.said.clear()
    page.requests.clear()
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=900,
        deviceScaleFactor=1,
        mobile=width < 600,
    )
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.open(path.as_uri())
    return path.as_uri()


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_only_its_own_script_runs(
    name: str, page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    result = request.getfixturevalue(name)
    address = show(page, result, tmp_path)
    if result.findings:
        said = page.ask("document.querySelector('output').value")
        assert said == f"{len(result.findings)} of {len(result.findings)} shown"
    assert page.ask("document.querySelectorAll('article').length") == len(result.findings)
    assert page.ask("document.querySelectorAll('script').length") == 1
    assert page.said == []
    assert page.requests == [address]


def test_what_the_policy_forbids_would_be_heard(page: Page, sample: Result, tmp_path: Path) -> None:
    show(page, sample, tmp_path)
    page.ask("""(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'foreign'";
        document.body.append(script);
        document.body.setAttribute("style", "color: red");
    })()""")
    assert page.ask("document.title") == "burnlint: 3 findings"
    assert sum("Content Security Policy" in said for said in page.said) == 2


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        ("severity('error')", ["BL705", "BL113"]),
        ("severity('error'); severity('warning')", ["BL113"]),
        ("severity('error'); severity('error')", ["BL201", "BL705", "BL113"]),
        ("set('symptom', 'slow')", ["BL705", "BL113"]),
        ("set('symptom', 'slow'); severity('note')", ["BL705"]),
        ("set('topic', 'autodiff')", ["BL201", "BL705", "BL113"]),
        ("set('words', 'FUSION  autotune')", ["BL705"]),
        ("set('words', 'fusion loss')", []),
        ("set('words', 'src/model.rs')", ["BL201"]),
    ],
)
def test_filters(act: str, shown: list[str], page: Page, sample: Result, tmp_path: Path) -> None:
    show(page, sample, tmp_path)
    page.ask(f"""(() => {{
        const form = document.querySelector("form.filters");
        const severity = (value) => form.querySelector(`[name=severity][value=${{value}}]`).click();
        const set = (name, value) => {{
            form.elements[name].value = value;
            form.elements[name].dispatchEvent(new Event("input", {{ bubbles: true }}));
        }};
        {act};
    }})()""")
    assert page.ask(SHOWN) == shown
    assert page.ask("document.querySelector('output').value") == f"{len(shown)} of 3 shown"


@pytest.mark.parametrize("width", [390, 700, 1280])
def test_a_rule_s_link_opens_its_page_in_sight(
    width: int, page: Page, sample: Result, tmp_path: Path
) -> None:
    """Nothing lies on the heading that the link leads to, the bar of filters neither."""
    show(page, sample, tmp_path, width=width)
    page.ask("document.querySelector('article h3 a').click()")
    topmost: Any = page.ask("""new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const target = document.querySelector("details#BL201");
        const { left, top } = target.querySelector("summary").getBoundingClientRect();
        done([target.open, document.elementFromPoint(left + 20, top + 2)?.tagName]);
    })))""")
    assert topmost == [True, "SUMMARY"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["sample", "hostile"])
def test_it_can_be_read(
    name: str, width: int, scheme: str, page: Page, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Every text stands out from its ground, and the page fits the width."""
    show(page, request.getfixturevalue(name), tmp_path, width=width, scheme=scheme)
    ground = page.ask("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    seen, faint = page.ask(FAINT.replace("LIMIT", str(READABLE)))
    assert faint == [] and seen > 50
    assert page.ask("document.documentElement.scrollWidth <= innerWidth")
