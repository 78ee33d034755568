"""Whatever stands in a configuration, an ignore file, a comment or a baseline: an answer or a message, never
a crash."""

from __future__ import annotations

import warnings
from pathlib import Path
from time import process_time

import pytest
from fake_project import ROOT, FakeProject, registry, word_rule
from hypothesis import given, settings
from hypothesis import strategies as st

from burnlint.lint import baseline, config
from burnlint.lint.edits import apply
from burnlint.lint.engine import FileSettings, Options, run
from burnlint.lint.glob import Patterns
from burnlint.lint.keys import BY_NAME
from burnlint.lint.ranges import holds, version
from burnlint.lint.selection import UnknownWord, resolve

REGISTRY = registry(word_rule("BL101", "first-rule", "foo"), word_rule("BL102", "second-rule", "bar"))
CODES = frozenset(each.rule.code for each in REGISTRY.rules)

TOML_PIECES = st.sampled_from(
    [
        *BY_NAME,
        "extend",
        " = ",
        "[",
        "]",
        "{",
        "}",
        '"',
        "'",
        "\n",
        "true",
        "1",
        ",",
        "[severity]\n",
        '"first-rule"',
        "#",
        ".",
    ]
)


@given(
    st.one_of(
        st.binary(max_size=80), st.lists(TOML_PIECES, max_size=12).map(lambda parts: "".join(parts).encode())
    )
)
@settings(max_examples=300, deadline=None)
def test_configurations(content: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "burnlint.toml")
        path.write_bytes(content)
        try:
            config.read(path)
        except config.ConfigError as error:
            assert str(error).startswith(str(path))


@given(st.lists(st.text(max_size=12), max_size=4), st.text("ab/.[]*", min_size=1, max_size=8))
@settings(max_examples=500, deadline=None)
def test_ignore_patterns(lines: list[str], path: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        patterns = Patterns("/x", tuple(lines))
        patterns.decide(f"/x/{path}", is_folder=False)
        patterns.cover(f"/x/{path}")


@pytest.mark.parametrize(
    "line", ["*a" * 30 + "b", "**/" * 30 + "b", "a*" * 12 + "/" + "*a" * 12, "?*" * 20 + "x"]
)
def test_ignore_patterns_that_could_take_for_ever(line: str) -> None:
    assert Patterns("/x", (line,)).decide("/x/" + "a" * 60, is_folder=False) is None


@pytest.mark.parametrize(
    "content",
    [
        b"select = " + b"[" * 5000 + b"]" * 5000,
        b"\n" * 50_000 + b"ignroe = 1",
        b'"' + b"\\n" * 3 + b'" = 1',
        b"\xff\xfe = 1",
        b"jobs = " + b"9" * 5000,
        b'ignore = ["' + b"x" * 50_000 + b'"]\nx = 1',
    ],
)
def test_configurations_made_to_hurt(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "burnlint.toml").write_bytes(content)
    with pytest.raises(config.ConfigError):
        config.read(tmp_path / "burnlint.toml")


@pytest.mark.parametrize(
    "content",
    [
        "// burnlint: x" + " " * 50_000 + "y",
        "// burnlint:" + " " * 50_000 + "ignore",
        "// burnlint: ignore[" + "nothing," * 10_000 + "]",
        "// burnlint: ignore[" + "first-rule," * 10_000 + "]",
        "// burnlint: ignore[no-such]\n" * 2_000,
    ],
)
def test_comments_made_to_take_for_ever(content: str) -> None:
    began = process_time()
    run(FakeProject({"a.rs": content}), REGISTRY, lambda path: FileSettings(CODES), Options(), ROOT)
    assert process_time() - began < 5


COMMENT_PIECES = st.sampled_from(
    [
        *(
            "//",
            "/*",
            "*/",
            "#",
            "burnlint:",
            " ",
            "ignore",
            "-file",
            "[",
            "]",
            "first-rule",
            "second-rule",
            "nothing",
        ),
        *(",", "--", "é", "\n", "foo", "bar", ";", "fn f() {", "}", '"', "\r\n", "\t", "\ufeff"),
    ]
)


@given(st.lists(COMMENT_PIECES, max_size=30), st.sampled_from(["a.rs", "Cargo.toml"]))
@settings(max_examples=500, deadline=None)
def test_comments_and_the_fixes_of_unused_ones(parts: list[str], name: str) -> None:
    content = "".join(parts)
    content = content + "}" if "fn f() {" in content else content
    result = run(FakeProject({name: content}), REGISTRY, lambda path: FileSettings(CODES), Options(), ROOT)
    assert [note.kind for note in result.notes] == []
    unused = [each for each in result.findings if each.rule.rule.name == "unused-ignore"]
    for each in unused:
        assert each.finding.fix is not None
        fixed = apply({f"{ROOT}/{name}": content.encode()}, [each.finding.fix])[f"{ROOT}/{name}"]
        assert len(fixed) < len(content.encode())
        code = content.count("foo") + content.count("bar")
        assert fixed.decode().count("foo") + fixed.decode().count("bar") == code


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_baselines(content: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "b")
        path.write_bytes(content)
        try:
            baseline.read(path)
        except baseline.BaselineError as error:
            assert str(error).startswith(str(path))


@given(st.text(max_size=20))
def test_words_of_a_selection(word: str) -> None:
    try:
        resolve(REGISTRY, word)
    except UnknownWord as error:
        assert "selects no rule" in str(error)


@given(st.text("0123456789.<>=,- a", max_size=12))
def test_versions_and_ranges(text: str) -> None:
    for read in (version, lambda text: holds(text, ("0.22.1",))):
        try:
            read(text)
        except ValueError as error:
            assert "is no" in str(error)
