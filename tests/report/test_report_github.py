"""Annotations, read back as the runner of GitHub Actions reads them."""

from __future__ import annotations

import re

from results import HOSTILE_NAMES, HOSTILE_TEXT, Build

from burnlint.lint.finding import Finding, Place
from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render
from burnlint.terminal import visible


def commands(result: Result) -> list[tuple[str, dict[str, str], str]]:
    """The commands of an output: (level, properties, message), by the runner's rules (actions/runner,
    ActionCommand.cs): a line that starts with `::`, properties between commas, `%25 %0D %0A %3A %2C`."""
    found = []
    for line in render("github", result, RenderOptions()).split("\n"):
        if match := re.fullmatch(r"::([a-z]+) ([^:]*)::(.*)", line):
            pairs = (pair.split("=", 1) for pair in match[2].split(","))
            found.append((match[1], {key: unescape(value, ":,") for key, value in pairs}, unescape(match[3])))
    return found


def unescape(text: str, further: str = "") -> str:
    for char in further + "\r\n%":
        text = text.replace(f"%{ord(char):02X}", char)
    return text


def test_commands(sample: Result) -> None:
    sample.cwd = "/repo/src"
    assert commands(sample) == [
        (
            "error",
            {
                "file": "src/train.rs",
                "line": "6",
                "endLine": "6",
                "col": "22",
                "endColumn": "30",
                "title": "BL201 backward-on-unreduced-loss",
            },
            "`loss` keeps one value per element, so `backward` sums them and the gradients grow\n"
            "help: reduce it first: `loss.mean().backward()`\n"
            "src/train.rs:4:16: `SmoothL1Loss::forward` does not reduce\n"
            "src/model.rs:2:40: this is where the batch axis comes from",
        ),
        (
            "warning",
            {
                "file": "Cargo.toml",
                "line": "2",
                "endLine": "2",
                "col": "28",
                "endColumn": "44",
                "title": "BL705 cube-without-fusion-autotune",
            },
            "`default-features = false` also drops `fusion` and `autotune`",
        ),
        (
            "notice",
            {
                "file": "src/train.rs",
                "line": "5",
                "endLine": "5",
                "col": "9",
                "endColumn": "14",
                "title": "BL113 redundant-tensor-clone",
            },
            "a mere note",
        ),
        (
            "notice",
            {"file": "src/broken.rs", "line": "7", "title": "BL001 parse-error"},
            "the line does not parse; the rest is linted",
        ),
        ("error", {"title": "BL002 rule-crashed"}, "backward-on-unreduced-loss raised ValueError"),
    ]


def test_hostile_names_and_texts_come_back_whole(hostile: Result) -> None:
    found = commands(hostile)
    assert len(found) == len(hostile.findings) + len(hostile.notes)
    names = [visible(name) for name in HOSTILE_NAMES]
    assert [properties["file"] for _, properties, _ in found[: len(names)]] == names
    assert all(message.startswith(visible(HOSTILE_TEXT)) for _, _, message in found)


def test_only_our_lines_are_commands(hostile: Result) -> None:
    lines = render("github", hostile, RenderOptions()).split("\n")
    commands_seen = [line for line in lines if line.lstrip().startswith("::")]
    assert len(commands_seen) == len(hostile.findings) + len(hostile.notes)


def test_columns_only_within_one_line(build: Build) -> None:
    path = build.file("a.rs", "f(\n)\n")
    build.add(Finding(Place(path, 0, 4), "m"))
    assert commands(build.result)[0][1] == {
        "file": "a.rs",
        "line": "1",
        "endLine": "2",
        "title": "BL201 backward-on-unreduced-loss",
    }


def test_says_when_github_will_not_show_all(build: Build) -> None:
    path = build.file("a.rs", "x")
    for _ in range(10):
        build.add(Finding(Place(path, 0, 1), "m"))
    assert "GitHub shows" not in render("github", build.result, RenderOptions())
    build.add(Finding(Place(path, 0, 1), "m"))
    assert "GitHub shows 10 annotations of each level" in render("github", build.result, RenderOptions())
    assert len(commands(build.result)) == 11
