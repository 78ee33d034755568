"""A rule's page, written as the docstring of its module: parsed, and rendered as Markdown, plain text or for
a terminal.

The first paragraph is the title. Sections start with `## `. A block indented by four spaces after an empty
line or a heading is code; in Rust its lines that start with `# ` (or are `#`) are there for the compiler and
left out of the page, as in rustdoc.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from burnlint.lint.registry import LOCAL_TOPIC
from burnlint.lint.rule import LoadedRule
from burnlint.terminal import Paint, visible, wrap

DOCS: str | None = None
"""Where the site of docs/ is, with a `/` at its end. It has no home yet; with the first release it gets one here, and
all links to pages of rules are made of this."""
HEADINGS = ("Why", "PyTorch", "Fires", "Clean", "Known gaps", "References")
"""The headings of a page, in this order; PyTorch may be missing."""

_INDENT = "    "


def url(loaded: LoadedRule) -> str | None:
    """The address of a rule's page on the web; None for a team's own rules, and while there is no site."""
    if DOCS is None or loaded.topic == LOCAL_TOPIC:
        return None
    return f"{DOCS}rules/{loaded.rule.name}.html"


@dataclass(slots=True, frozen=True)
class Block:
    """A paragraph, a list, or code. `text` is as written (code without its indentation, hidden lines
    included)."""

    code: bool
    text: str


@dataclass(slots=True, frozen=True)
class Section:
    heading: str
    blocks: tuple[Block, ...]


@dataclass(slots=True, frozen=True)
class Page:
    title: str
    sections: tuple[Section, ...]
    language: str
    """Of the code blocks: rust, toml or text."""

    def section(self, heading: str) -> Section | None:
        """The section of that heading."""
        return next((section for section in self.sections if section.heading == heading), None)

    def shown(self, block: Block) -> str:
        """A block as a reader sees it."""
        if not block.code or self.language != "rust":
            return block.text
        lines = [
            line
            for line in block.text.split("\n")
            if line.strip() != "#" and not line.lstrip().startswith("# ")
        ]
        return "\n".join(lines).strip("\n")


def page_of(rule: LoadedRule) -> Page:
    """The page of a rule; its code is Rust, TOML or plain text by what the rule reads."""
    if rule.check_manifest and not rule.check:
        language = "toml"
    elif rule.check_text and not rule.check:
        language = "text"
    else:
        language = "rust"
    return parse(rule.page, language)


def parse(docstring: str, language: str = "rust") -> Page:
    """Read a docstring. Text between the title and the first heading is a section without heading."""
    lines = [line.rstrip() for line in docstring.strip().expandtabs(4).split("\n")]
    end = lines.index("") if "" in lines else len(lines)
    sections: list[Section] = []
    heading, start = "", end
    for number, line in enumerate(lines):
        if number >= end and line.startswith("## "):
            sections.append(Section(heading, tuple(_blocks(lines[start:number]))))
            heading, start = line[3:].strip(), number + 1
    sections.append(Section(heading, tuple(_blocks(lines[start:]))))
    title = " ".join(lines[:end])
    return Page(title, tuple(section for section in sections if section.heading or section.blocks), language)


def _blocks(lines: list[str]) -> Iterator[Block]:
    """Paragraphs and code. An empty line inside code belongs to it when more code follows."""
    block: list[str] = []
    code = False
    for line in [*lines, ""]:
        if code and (not line or line.startswith(_INDENT)):
            block.append(line)
            continue
        if code or (not line and block):
            yield _finished(block, code)
            block, code = [], False
        if not line:
            continue
        code = not block and line.startswith(_INDENT)
        block.append(line)
    if block:
        yield _finished(block, code)


def _finished(block: list[str], code: bool) -> Block:
    if not code:
        return Block(False, "\n".join(block))
    return Block(True, "\n".join(line.removeprefix(_INDENT) for line in block).strip("\n"))


def facts(rule: LoadedRule) -> list[tuple[str, str]]:
    """What the declaration says, as (name, value)."""
    declared = rule.rule
    rows = [
        ("Code", declared.code),
        ("Symptom", declared.symptom),
        ("Severity", declared.severity),
        ("Confidence", declared.confidence),
        ("Topic", rule.topic),
        ("Pitfalls", ", ".join(declared.pitfalls)),
        ("Group", "" if declared.group == "default" else declared.group),
        ("burn", declared.burn + (f" (run on {', '.join(declared.proven)})" if declared.proven else "")),
        ("Former names", ", ".join(declared.aliases)),
        ("Preview", "yes" if declared.preview else ""),
    ]
    return [(name, value) for name, value in rows if value]


def to_markdown(rule: LoadedRule) -> str:
    """The page as a document: name, facts, title, sections with fenced code."""
    page = page_of(rule)
    parts = [f"# {rule.rule.name}", page.title, _facts_line(rule), *_markdown_sections(page)]
    return "\n\n".join(parts) + "\n"


def markdown(page: Page) -> str:
    """Title and sections as Markdown, for a place that shows name and facts itself."""
    return "\n\n".join([page.title, *_markdown_sections(page)]) + "\n"


def _markdown_sections(page: Page) -> list[str]:
    parts: list[str] = []
    for section in page.sections:
        if section.heading:
            parts.append(f"## {section.heading}")
        for block in section.blocks:
            text = page.shown(block)
            parts.append(f"{_fence(text)}{page.language}\n{text}\n{_fence(text)}" if block.code else text)
    return parts


def _fence(code: str) -> str:
    fence = "```"
    while fence in code:
        fence += "`"
    return fence


def _facts_line(rule: LoadedRule) -> str:
    return " · ".join(
        f"{name} `{value}`" if name == "Code" else f"{name} {value}" for name, value in facts(rule)
    )


def plain(page: Page) -> str:
    """The page as text without markup for viewers that show none; paragraphs are not wrapped."""
    parts = [page.title]
    for section in page.sections:
        if section.heading:
            parts.append(f"{section.heading}:")
        for block in section.blocks:
            text = page.shown(block)
            parts.append(_indented(text) if block.code else " ".join(text.replace("**", "").split("\n")))
    return "\n\n".join(parts) + "\n"


def to_terminal(rule: LoadedRule, width: int, paint: Paint) -> str:
    """The page for a terminal of `width` cells: wrapped prose, code as written."""
    page = page_of(rule)
    parts = [
        paint("title", f"{rule.rule.name} ({rule.rule.code})"),
        "\n".join(wrap(visible(page.title), width)),
        "\n".join(f"{paint('dim', f'{name:<12}')} {value}" for name, value in facts(rule)),
    ]
    for section in page.sections:
        body = [_terminal_block(page, block, width, paint) for block in section.blocks]
        parts.append("\n\n".join(([paint("heading", section.heading)] if section.heading else []) + body))
    return "\n\n".join(parts) + "\n"


def _terminal_block(page: Page, block: Block, width: int, paint: Paint) -> str:
    text = page.shown(block)
    if block.code:
        return "\n".join(
            f"{_INDENT}{paint('code', visible(line))}" if line else "" for line in text.split("\n")
        )
    items: list[str] = []
    for line in text.split("\n"):
        if items and not line.startswith(("- ", "* ")):
            items[-1] += f" {line.strip()}"
        else:
            items.append(line)
    return "\n".join(_terminal_item(visible(item.replace("**", "")), width) for item in items)


def _terminal_item(item: str, width: int) -> str:
    hanging = "  " if item.startswith(("- ", "* ")) else ""
    first, *more = wrap(item, width - len(hanging))
    return "\n".join([first, *(hanging + line for line in more)])


def _indented(text: str) -> str:
    return "\n".join(f"{_INDENT}{line}" if line else "" for line in text.split("\n"))
