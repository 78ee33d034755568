"""The text outputs: what they draw, to the character."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from results import HOSTILE_NAMES, Build, make_rule

from burnlint.lint.finding import Because, Finding, Place
from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render
from burnlint.terminal import cells


def text(result: Result, **options: object) -> str:
    return render("text", result, RenderOptions(**options))  # type: ignore[arg-type]


def drawn(build: Build, finding: Finding, **options: object) -> list[str]:
    """The rows of the first excerpt, without header and summary."""
    build.add(finding)
    rows = text(build.result, **options).split("\n")
    begin = next(index for index, row in enumerate(rows) if row.lstrip().startswith("-->"))
    return rows[begin + 2 : rows.index("", begin)]


def test_a_whole_report(sample: Result) -> None:
    assert text(sample, width=110) == (
        """\
error[BL201]: backward-on-unreduced-loss: `loss` keeps one value per element, so `backward` sums them and the
              gradients grow
 --> src/train.rs:6:22
  |
4 |     let loss = SmoothL1Loss::new().forward(model.forward(x), y);
  |                ------------------------------------------------ `SmoothL1Loss::forward` does not reduce
5 |     let again = 1;
6 |     let grads = loss.backward();
  |                      ^^^^^^^^
  |
 ::: src/model.rs:2:40
  |
2 |     fn forward(&self, x: Tensor<2>) -> Tensor<2> { x }
  |                                        --------- this is where the batch axis comes from
  |
  = help: reduce it first: `loss.mean().backward()`
  = note: an unsafe fix is at hand with `--fix --unsafe-fixes`: insert `.mean()`

warning[BL705]: cube-without-fusion-autotune: `default-features = false` also drops `fusion` and `autotune`
 --> Cargo.toml:2:28
  |
2 | burn = { version = "0.22", default-features = false }
  |                            ^^^^^^^^^^^^^^^^
  |
  = note: a safe fix is at hand with `--fix`: add the features
  = note: the confidence is medium

note[BL113]: redundant-tensor-clone: a mere note
 --> src/train.rs:5:9
  |
5 |     let again = 1;
  |         ^^^^^

note[BL001]: parse-error: the line does not parse; the rest is linted
 --> src/broken.rs:7

error[BL002]: rule-crashed: backward-on-unreduced-loss raised ValueError

3 findings in 12 files: 1 error, 1 warning, 1 note. 1 fixable with `--fix`.
1 more fixable with `--fix --unsafe-fixes`. Not shown: 2 suppressed, 1 in the baseline.
For more about a finding, try `burnlint explain BL201`.
"""
    )


def test_concise(sample: Result) -> None:
    assert render("concise", sample, RenderOptions()).split("\n")[:5] == [
        "src/train.rs:6:22: error[BL201] backward-on-unreduced-loss: `loss` keeps one value per element, "
        "so `backward` sums them and the gradients grow",
        "Cargo.toml:2:28: warning[BL705] cube-without-fusion-autotune: `default-features = false` also drops "
        "`fusion` and `autotune`",
        "src/train.rs:5:9: note[BL113] redundant-tensor-clone: a mere note",
        "src/broken.rs:7:1: note[BL001] parse-error: the line does not parse; the rest is linted",
        "error[BL002] rule-crashed: backward-on-unreduced-loss raised ValueError",
    ]


@pytest.mark.parametrize("name", ["text", "concise"])
def test_clean(name: str, clean: Result) -> None:
    assert render(name, clean, RenderOptions()) == "No findings in 1 file.\n"


def test_labels_on_one_line_hang_from_right_to_left(build: Build) -> None:
    path = build.file("a.rs", "let y = first.add(second).mul(third);\n")
    because = (
        Because(build.place(path, "first"), "one"),
        Because(build.place(path, "second"), "two"),
        Because(build.place(path, "third"), "three"),
    )
    assert drawn(build, Finding(build.place(path, "mul"), "m", because=because)) == [
        "1 | let y = first.add(second).mul(third);",
        "  |         -----     ------  ^^^ ----- three",
        "  |         |         |",
        "  |         |         two",
        "  |         one",
    ]


def test_evidence_on_the_very_place_keeps_its_carets(build: Build) -> None:
    path = build.file("a.rs", "x.step();\n")
    place = build.place(path, "step")
    assert drawn(build, Finding(place, "m", because=(Because(place, "here"),))) == [
        "1 | x.step();",
        "  |   ^^^^",
        "  |   |",
        "  |   here",
    ]


def test_gaps(build: Build) -> None:
    path = build.file("a.rs", "".join(f"line{number}\n" for number in range(1, 13)))
    because = (Because(build.place(path, "line3"), ""), Because(build.place(path, "line5"), ""))
    assert drawn(build, Finding(build.place(path, "line12"), "m", because=because)) == [
        " 3 | line3",
        "   | -----",
        " 4 | line4",
        " 5 | line5",
        "   | -----",
        "...",
        "12 | line12",
        "   | ^^^^^^",
    ]


def test_tabs_wide_and_combining_characters_stay_aligned(build: Build) -> None:
    path = build.file("a.rs", "\ufeff\tlet 損失 = e\u0301; // x\r\n")
    rows = drawn(
        build, Finding(build.place(path, "x"), "m", because=(Because(build.place(path, "損失"), "w"),))
    )
    assert rows[0] == "1 |     let 損失 = e\u0301; // x"
    caret = rows[1].index("^")
    assert cells(rows[0][: rows[0].index("x")]) == caret
    assert rows[1][12:16] == "----"


def test_a_place_over_several_lines_has_a_rail(build: Build) -> None:
    path = build.file("a.rs", "let a = f(   \n    b,\n);\nuse(a);\n")
    because = (Because(build.place(path, "f(   \n    b,\n)"), "made here"),)
    assert drawn(build, Finding(build.place(path, "a", 1), "m", because=because)) == [
        "1 |   let a = f(",
        "  |  _________-",
        "2 | |     b,",
        "3 | | );",
        "  | |_- made here",
        "4 |   use(a);",
        "  |       ^",
    ]


def test_marks_inside_of_a_rail_and_a_long_rail(build: Build) -> None:
    lines = "".join(f"    .step{number}()\n" for number in range(1, 9))
    path = build.file("a.rs", f"    x\n{lines}    .end();\n")
    because = (
        Because(
            build.place(path, f"x\n{lines}    .end()"),
            "a chain whose label is longer than the room beside it",
        ),
        Because(build.place(path, "step5"), "inside"),
    )
    assert drawn(build, Finding(build.place(path, "end"), "m", because=because), width=46) == [
        " 1 |       x",
        "   |  _____-",
        "...  |",
        " 6 | |     .step5()",
        "   | |      ----- inside",
        "...  |",
        "10 | |     .end();",
        "   | |      ^^^",
        "   | |__________- a chain whose label is longer",
        "   |              than the room beside it",
    ]


def test_a_rail_does_not_cross_another(build: Build) -> None:
    path = build.file("a.rs", "a(\n  b(\n  )\n)\n")
    inner = Because(build.place(path, "b(\n  )"), "inner")
    assert drawn(build, Finding(build.place(path, "a(\n  b(\n  )\n)"), "m", because=(inner,))) == [
        "1 |   a(",
        "  |  _^",
        "2 | |   b(",
        "  | |   -- inner",
        "3 | |   )",
        "4 | | )",
        "  | |_^",
    ]


def test_a_place_that_ends_with_its_line(build: Build) -> None:
    path = build.file("a.rs", "abc  \r\ndef\r\n")
    assert drawn(build, Finding(build.place(path, "bc  \r\n"), "m")) == ["1 | abc", "  |  ^^"]


def test_rails_on_long_lines_are_left_out(build: Build) -> None:
    path = build.file("a.rs", f"f({'x' * 500}\n)")
    rows = drawn(build, Finding(build.place(path, f"f({'x' * 500}\n)"), "m"), width=50)
    assert [row.rstrip("x…") for row in rows] == ["1 | f(", "  | " + "^" * 45]


def test_an_empty_place_and_one_at_the_end_of_the_file(build: Build) -> None:
    path = build.file("a.rs", "abc")
    assert drawn(build, Finding(Place(path, 1, 1), "m"))[1] == "  |  ^"
    assert drawn(Build(build.result), Finding(Place(path, 3, 3), "m"))[1].endswith("^")


def test_long_lines_are_cut_around_the_place(build: Build) -> None:
    path = build.file("a.rs", "a" * 500 + "TARGET" + "b" * 100_000 + "\n")
    rows = drawn(build, Finding(build.place(path, "TARGET"), "m"), width=60)
    assert rows[0] == "1 | …" + "a" * 16 + "TARGET" + "b" * 32 + "…"
    assert rows[1].index("^") == rows[0].index("T") and rows[1].count("^") == 6
    assert max(map(cells, rows)) <= 60


def test_marks_too_far_apart_show_the_line_twice(build: Build) -> None:
    path = build.file("a.rs", "start " + "x" * 300 + " end\n")
    because = (Because(build.place(path, "start"), "from here"),)
    rows = drawn(build, Finding(build.place(path, "end"), "m", because=because), width=60)
    assert rows[0].startswith("1 | start xxx") and rows[1] == "  | ----- from here"
    assert rows[2].startswith("1 | …xxx") and rows[3].lstrip(" |") == "^^^"


def test_a_finding_in_a_file_that_was_not_handed_over(build: Build) -> None:
    build.add(Finding(Place("/repo/gone.rs", 3, 4), "m"))
    assert " --> gone.rs:1:1\n\n" in text(build.result)


@pytest.mark.parametrize("width", [60, 80])
def test_no_line_of_prose_is_wider_than_the_terminal(build: Build, width: int) -> None:
    place = build.place(build.file("src/lib.rs", "fn f() {}\n"), "f")
    build.add(
        Finding(place, "a message of many short words " * 6 + "at last", help="a help of short words " * 6)
    )
    build.result.summary.suppressed, build.result.summary.baselined = 12345, 12345
    rows = text(build.result, width=width).split("\n")
    assert max(cells(row) for row in rows) <= width
    # A row breaks only where the next word has no room.
    title = rows[: next(index for index, row in enumerate(rows) if row.lstrip().startswith("-->"))]
    assert all(cells(f"{row} {after.split()[0]}") > width for row, after in pairwise(title))


@pytest.mark.parametrize("width", [1, 20, 40, 80])
def test_any_width(sample: Result, width: int) -> None:
    assert "backward" in text(sample, width=width)


def test_colours_only_add(sample: Result) -> None:
    coloured = text(sample, colour=True)
    assert "\x1b[1;91merror[BL201]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text(sample)


def test_hyperlinks(build: Build) -> None:
    build.add(Finding(build.place(build.file("a b.rs", "x"), "x"), "m"))
    assert "\x1b]8;;file:///repo/a%20b.rs\x1b\\a b.rs:1:1\x1b]8;;\x1b\\" in text(
        build.result, hyperlinks=True
    )


def test_statistics(sample: Result) -> None:
    sample.summary.types = {"tensor_expressions": 8, "known_kind": 6, "causes": {"unknown macro": 2}}
    for name in ("text", "concise"):
        shown = render(name, sample, RenderOptions())
        assert "known kind: 6 of 8 (75.0 %)\ncauses: unknown macro: 2\n" in shown
        lines = [line.split() for line in shown.splitlines() if line.startswith("     ") and "  BL" in line]
        assert sum(int(number) for number, *_ in lines) == len(sample.findings)
        assert {code for _, code, *_ in lines} == {each.rule.rule.code for each in sample.findings}
        assert [int(number) for number, *_ in lines] == sorted((int(n) for n, *_ in lines), reverse=True)
        fixable = sum(int(words[3][1:]) for words in lines if len(words) > 3)
        assert fixable == sum(each.finding.fix is not None for each in sample.findings) > 0


@pytest.mark.parametrize("name", ["text", "concise", "github"])
def test_nothing_of_a_file_reaches_the_terminal_raw(name: str, hostile: Result) -> None:
    shown = render(name, hostile, RenderOptions())
    assert not [char for char in shown if char != "\n" and not char.isprintable()]
    shown.encode()


@pytest.mark.parametrize("name", ["text", "concise"])
@pytest.mark.parametrize("width", [30, 50, 100])
def test_no_line_is_a_command_of_github(name: str, width: int, hostile: Result) -> None:
    """The runner reads `::name …::` at a line's start, blanks before it not counted."""
    lines = render(name, hostile, RenderOptions(width=width)).split("\n")
    assert len(lines) > len(HOSTILE_NAMES)
    assert not [line for line in lines if re.match(r"\s*::[a-z-]+[ :]", line)]


def test_name_and_code_are_the_first_thing(build: Build) -> None:
    build.add(Finding(build.place(build.file("a.rs", "x"), "x"), "m"), make_rule(severity="warning"))
    assert text(build.result).startswith("warning[BL201]: backward-on-unreduced-loss: m\n --> a.rs:1:1\n")
