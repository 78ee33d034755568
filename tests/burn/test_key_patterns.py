"""Patterns and replacements as the crate `regex` reads them; what it does was run on burn 0.22.1."""

import pytest

from burnlint.burn.key_patterns import escaped, groups, loose_dots, references, stem


@pytest.mark.parametrize(
    ("pattern", "count", "names"),
    [
        (r"^fc(\d)\.", 1, set()),
        (r"(?:a|b)(?P<layer>\d+)(?<part>\w+)(x)", 3, {"layer", "part"}),
        (r"[(]\((?i)(?i:a)", 0, set()),
        (r"[]()](a)", 1, set()),
        (r"[[:alpha:](](a)", 1, set()),
    ],
)
def test_groups(pattern: str, count: int, names: set[str]) -> None:
    assert groups(pattern) == (count, names)


def test_references() -> None:
    found = [(each.name, each.braced) for each in references("$1weight ${2}x $$3 $layer. $ ${} $4-")]
    assert found == [("1weight", False), ("2", True), ("layer", False), ("4", False)]


def test_loose_dots() -> None:
    assert loose_dots(r"fc1.weight") == [3]
    assert loose_dots(r"^a\.b.*[.]c.+d.?e.{2}") == []


@pytest.mark.parametrize(
    ("pattern", "replacement", "expected"),
    [
        ("fc1.", "linear1.", r"fc1\."),
        ("model.", "", r"model\."),
        (r"^features.0\.", "conv.", r"^features\.0\."),
        (r"^h\.(\d+).weight$", "layers.$1.weight", r"^h\.(\d+)\.weight$"),
        (r"^h.\d.(a|b)[.]c.", "x.", r"^h\.\d\.(a|b)[.]c\."),
        (".gamma", ".weight", r"\.gamma"),
        ("fc.", "linear", None),
        (r"fc.\.weight", "fc.weight", None),
        (r"fc\..weight", "fc.weight", None),
        ("fc..weight", "fc.weight", None),
        ("fc(.)", "fc$1", None),
        ("^.", "a.", None),
        ("fc.$", "a.", None),
        ("a|.b", "a.", None),
    ],
)
def test_escaped(pattern: str, replacement: str, expected: str | None) -> None:
    assert escaped(pattern, replacement) == expected


def test_stem() -> None:
    assert stem(r"^conv1\.") == "conv1."
    assert stem(r"^a\.b\.0\.") == "a.b.0."
    assert stem(r"conv1\.") is None
    assert stem(r"^conv1.") is None
    assert stem(r"^conv(\d)\.") is None
    assert stem(r"^conv1\.$") is None
