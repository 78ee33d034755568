"""Markdown as GitHub renders it, and the HTML page as a parser reads it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from results import HOSTILE_NAMES, HOSTILE_TEXT, Build

from burnlint.lint.finding import Finding, Place
from burnlint.lint.result import Result
from burnlint.report import RenderOptions, markdown, render
from burnlint.report.markup import code_parts
from burnlint.terminal import visible


class Tree(HTMLParser):
    """Start tags with attributes, and the text, with the enclosing tags of each."""

    VOID = ("meta", "input", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def count(self, tag: str, **attributes: str) -> int:
        return sum(name == tag and attributes.items() <= attrs.items() for name, attrs in self.tags)

    def text(self, tag: str) -> str:
        return "".join(data for parent, data in self.texts if parent == tag)


def github(result: Result) -> Tree:
    """The Markdown through GitHub's own parser; raw HTML is kept, so that any that got in would show."""
    source = render("markdown", result, RenderOptions())
    return Tree(cmarkgfm.github_flavored_markdown_to_html(source, options=Options.CMARK_OPT_UNSAFE))


def test_markdown(sample: Result) -> None:
    page = github(sample)
    assert (page.count("table"), page.count("tr"), page.count("li")) == (1, 4, 2)
    assert "`" not in page.text("td")
    assert page.text("code").startswith(
        "--fix--fix --unsafe-fixesbackward-on-unreduced-losssrc/train.rs:6:22loss"
    )


def test_markdown_of_a_clean_run(clean: Result) -> None:
    assert render("markdown", clean, RenderOptions()) == "# burnlint\n\nNo findings in 1 file.\n"


def test_markdown_keeps_hostile_text_in_its_cell(hostile: Result) -> None:
    page = github(hostile)
    count = len(HOSTILE_NAMES)
    assert (page.count("tr"), page.count("td"), page.count("li")) == (count + 1, 4 * count, count)
    assert page.count("script") == page.count("a") == page.count("img") == page.count("em") == 0
    plain = "".join(data for _, data in page.texts)
    assert plain.count(visible(HOSTILE_TEXT)) == 5 * count
    for name in HOSTILE_NAMES:
        assert f"{visible(name)}:4:11" in page.text("code")


@pytest.mark.parametrize(
    "text",
    [
        "a `b|c` d",
        "`` ` ``",
        "`",
        "a*b*c _d_ ~~e~~ $f$",
        "![i](http://x) https://x.y www.x.y",
        "<!-- x --> &amp;",
        "\\|",
    ],
)
def test_markdown_shows_any_message_as_it_is(text: str, build: Build) -> None:
    build.add(Finding(build.place(build.file("a.rs", "x"), "x"), text))
    page = github(build.result)
    cells = "".join(data for parent, data in page.texts if parent in ("td", "code"))
    assert "".join(part for _, part in code_parts(text)) in cells
    assert page.count("a") == page.count("img") == page.count("td") - 4 == 0


def test_markdown_mentions_nobody(build: Build) -> None:
    build.add(Finding(build.place(build.file("a.rs", "x"), "x"), "ask @somebody"))
    assert "@<!-- -->somebody" in render("markdown", build.result, RenderOptions())


def test_markdown_stays_below_the_limit(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build.file("a.rs", "x")
    for number in range(100):
        build.add(Finding(Place(path, 0, 1), f"finding {number}"))
    monkeypatch.setattr(markdown, "LIMIT", 2_000)
    text = render("markdown", build.result, RenderOptions())
    shown = text.count("| error |")
    assert 1_800 < len(text.encode()) < 2_100
    assert text.endswith(f"\n\n{100 - shown} more findings are left out.\n")


def html(result: Result) -> Tree:
    page = Tree(render("html", result, RenderOptions()))
    assert page.open == []
    return page


def test_html(sample: Result) -> None:
    page = html(sample)
    assert page.count("article") == 3
    assert (
        page.count(
            "article", **{"data-severity": "error", "data-symptom": "silent", "data-topic": "autodiff"}
        )
        == 1
    )
    assert page.count("figure") == 4 and page.count("details") == 2 + 3
    assert "`" not in page.text("p")
    for target in re.findall(r'href="#([^"]+)"', render("html", sample, RenderOptions())):
        assert page.count("details", id=target) == 1
    assert "mean()." in page.text("ins") and "false" in page.text("del")


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_html_runs_only_what_its_policy_allows(name: str, request: pytest.FixtureRequest) -> None:
    """No network, no inline handler or style, one script and one style sheet whose hashes the policy
    names."""
    page = html(request.getfixturevalue(name))
    policies = [
        attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    assert len(policies) == 1 and policies[0] is not None and policies[0].startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        digest = b64encode(sha256(page.text(tag).encode()).digest()).decode()
        assert page.count(tag) == 1 and f"{tag}-src 'sha256-{digest}'" in policies[0]
    for tag, attrs in page.tags:
        assert not {key for key in attrs if key.startswith("on") or key in ("style", "src")}, tag
        assert str(attrs.get("href", "#")).startswith("#")


def test_html_keeps_hostile_text_as_text(hostile: Result) -> None:
    page = html(hostile)
    assert page.count("article") == len(HOSTILE_NAMES)
    for name in HOSTILE_NAMES:
        assert f"{visible(name)}:4:11" in page.text("figcaption")
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]",
        "".join(t for _, t in page.texts),
    )


def test_html_of_a_clean_run(clean: Result) -> None:
    page = html(clean)
    assert page.count("article") == page.count("form") == page.count("table") == 0
    assert "No findings in 1 file." in page.text("p")
