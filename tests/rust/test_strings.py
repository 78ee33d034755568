"""What string literals stand for."""

import pytest

from burnlint.rust import strings


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ('"a.bpk"', "a.bpk"),
        ('""', ""),
        (r'r"^fc(\d)\."', r"^fc(\d)\."),
        ('r#"say "x""#', 'say "x"'),
        (r'"a\\b\n\t\"\x41\u{1F600}"', 'a\\b\n\t"A\U0001f600'),
        ('"one \\\n    line"', "one line"),
        (r'"\q"', None),
        (r'"\u{110000}"', None),
        ('b"bytes"', None),
        ('c"text"', None),
        ('r#"open"', None),
    ],
)
def test_value(literal: str, text: str | None) -> None:
    assert strings.value(literal) == text


def test_raw() -> None:
    assert strings.raw(r"a\.b", '"a.b"') == r'r"a\.b"'
    assert strings.raw(r"a\.b", 'r##"a.b"##') == r'r##"a\.b"##'
    assert strings.raw('a"', 'r#"b"#') == 'r#"a""#'
    assert strings.raw('a"', '"b"') is None
    assert strings.raw('a"#', 'r#"b"#') is None
    assert strings.raw("a\n", '"b"') is None
