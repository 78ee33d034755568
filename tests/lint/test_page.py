"""Pages of rules: parsing, and each way of rendering."""

from __future__ import annotations

from types import ModuleType

from burnlint.lint.page import markdown, page_of, parse, plain, to_markdown, to_terminal
from burnlint.lint.rule import LoadedRule, Rule
from burnlint.terminal import cells, painter

DOCSTRING = """The title says what
goes wrong.

## Why
Some prose with `code` and **weight**
over two lines.

- one item that is long enough to be wrapped in a narrow terminal
- two
  continued

## Fires
    # use burn::tensor::Tensor;
    #[derive(Debug)]
    let a = "# no comment";

    let b = a;
    # fn hidden() {}
    #
Text after code.

## Known gaps
    not rust: ```

## References
"""


def loaded(docstring: str = DOCSTRING, manifest: bool = False) -> LoadedRule:
    def check(_: object) -> tuple[()]:
        return ()

    rule = Rule(
        "BL201", "bad-thing", symptom="silent", severity="error", confidence="high", pitfalls=("P1", "B2")
    )
    checks = (None, check) if manifest else (check, None)
    return LoadedRule(rule, "tensor", docstring, ModuleType("rule"), *checks, None, None)


def test_parse() -> None:
    page = parse(DOCSTRING)
    assert page.title == "The title says what goes wrong."
    assert [section.heading for section in page.sections] == ["Why", "Fires", "Known gaps", "References"]
    why, fires = page.section("Why"), page.section("Fires")
    assert why is not None and fires is not None and page.section("Clean") is None
    assert [block.code for block in why.blocks] == [False, False]
    code, after = fires.blocks
    assert code.code and code.text.startswith("# use burn") and code.text.endswith("# fn hidden() {}\n#")
    assert page.shown(code) == '#[derive(Debug)]\nlet a = "# no comment";\n\nlet b = a;'
    assert (after.code, after.text) == (False, "Text after code.")


def test_comments_of_a_manifest_are_shown() -> None:
    page = page_of(loaded("T\n\n## Fires\n    # why\n    burn = 1\n", manifest=True))
    assert page.shown(page.sections[0].blocks[0]) == "# why\nburn = 1"
    assert "```toml\n# why\nburn = 1\n```" in to_markdown(
        loaded("T\n\n## Fires\n    # why\n    burn = 1\n", manifest=True)
    )


def test_title_alone_and_text_before_the_first_heading() -> None:
    assert parse("Only a title.").sections == ()
    page = parse("Title.\n\nText.\n\n## Why\nProse.")
    assert [(section.heading, section.blocks[0].text) for section in page.sections] == [
        ("", "Text."),
        ("Why", "Prose."),
    ]


def test_markdown() -> None:
    text = to_markdown(loaded())
    assert text.startswith(
        "# bad-thing\n\nThe title says what goes wrong.\n\n"
        "Code `BL201` · Symptom silent · Severity error · Confidence high · Topic tensor · Pitfalls P1, B2 · "
        "burn >=0.13 (run on 0.22.1)\n\n"
        "## Why\n\nSome prose with `code` and **weight**\nover two lines.\n\n- one item"
    )
    assert '```rust\n#[derive(Debug)]\nlet a = "# no comment";\n\nlet b = a;\n```\n\nText after code.' in text
    assert "````rust\nnot rust: ```\n````" in text
    assert text.endswith("## References\n")


def test_markdown_without_name_and_facts() -> None:
    assert markdown(parse("Title.\n\n## Why\nProse.")) == "Title.\n\n## Why\n\nProse.\n"


def test_plain() -> None:
    text = plain(page_of(loaded()))
    assert "Why:\n\nSome prose with `code` and weight over two lines.\n\n" in text
    assert '    #[derive(Debug)]\n    let a = "# no comment";\n\n    let b = a;\n' in text


def test_terminal() -> None:
    text = to_terminal(loaded(), 40, painter(False))
    assert text.startswith("bad-thing (BL201)\n\nThe title says what goes wrong.\n\nCode         BL201\n")
    assert "- one item that is long enough to be\n  wrapped in a narrow terminal\n- two continued\n" in text
    assert "    let b = a;\n\nText after code.\n" in text
    assert max(map(cells, text.split("\n"))) <= 40
    assert "\x1b[1mbad-thing (BL201)\x1b[0m" in to_terminal(loaded(), 40, painter(True))


def test_terminal_shows_nothing_raw() -> None:
    text = to_terminal(loaded("T \x1b[31m\n\n## Why\n\u202e\n\n    \x07code\n"), 80, painter(False))
    assert not [char for char in text if char != "\n" and not char.isprintable()]
