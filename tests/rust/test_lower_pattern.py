"""Lowering of patterns."""

from __future__ import annotations

import pytest
from lowered import body, body_in, pattern, show

from burnlint.rust import hir


def in_match(text: str, before: str = "") -> str:
    b = body_in(f"{before} fn f(x: T) {{ match x {{ {text} => 1, _ => 2 }} }}")
    match = b.root.tail  # type: ignore[attr-defined]
    return pattern(match.arms[0].pattern)


def in_let(text: str, before: str = "") -> str:
    b = body_in(f"{before} fn f(x: T) {{ let {text} = x; }}")
    return pattern(b.root.statements[0].pattern)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("_", "_"),
        ("a", "a"),
        ("mut a", "mut a"),
        ("ref a", "ref a"),
        ("ref mut a", "mut ref a"),
        ("a @ 1..=9", "a @ 1..=9"),
        ("ref a @ Some(_)", "ref a @ @Some(_)"),
        ("mut a @ b", "mut a @ b"),
        ("(a, _, ..)", "(a, _, ..)"),
        ("(a,)", "(a)"),
        ("(a)", "a"),
        ("()", "()"),
        ("[a, .., b]", "[a, .., b]"),
        ("[a, b @ ..]", "[a, b @ ..]"),
        ("&a", "&a"),
        ("&mut a", "&a"),
        ("&(a, b)", "&(a, b)"),
        ("Some(a)", "@Some(a)"),
        ("Some(_)", "@Some(_)"),
        ("a::B(..)", "@a::B(..)"),
        ("A::<u8>(a)", "@A(a)"),
        ("S { a, b: Some(c), .. }", "@S { a: a, b: @Some(c), .. }"),
        ("S { ref a, mut b, ref mut c }", "@S { a: ref a, b: mut b, c: mut ref c }"),
        ("S {}", "@S {  }"),
        ("None", "@None"),
        ("a::B", "@a::B"),
        ("MAX", "@MAX"),
        ("1", "1"),
        ("-1.5", "-1.5"),
        ('"s"', '"s"'),
        ("'a'..='z'", "'a'..='z'"),
        ("..=5", "..=5"),
        ("true", "true"),
        ("1 | 2", "1 | 2"),
        ("| 1 | 2", "1 | 2"),
        ("A(a) | B(a) | C(_, a)", "@A(a) | @B(a) | @C(_, a)"),
        ("Some(1 | 2)", "@Some(1 | 2)"),
        ("(A | B, c)", "(@A | @B, c)"),
    ],
)
def test_pattern(text: str, expected: str) -> None:
    # Single capital letters are variants here because the file declares them.
    assert in_match(text, "enum E { A, B, C } use E::*;") == expected


def test_capital_letters_bind_in_a_let() -> None:
    assert in_let("[B, T, C]") == "[B, T, C]"
    assert in_let("(BATCH, n)") == "(BATCH, n)"


def test_a_declared_unit_struct_or_constant_is_meant_in_a_let_too() -> None:
    assert in_let("Unit", "struct Unit;") == "@Unit"


def test_a_single_capital_letter_in_a_match_binds_unless_declared() -> None:
    assert in_match("[B, T]") == "[B, T]"
    assert in_match("B", "const B: u8 = 1;") == "@B"
    assert in_match("B", "mod m { pub enum E { B } }") == "@B"


def test_alternatives_bind_one_local() -> None:
    b = body("match x { A(a) | B { a } => a, a => a }")
    assert [one.name for one in b.locals] == ["x", "y", "a", "a"]
    refs = [e.local.id for e in b.exprs if isinstance(e, hir.LocalRef)]
    assert refs == [0, 2, 3]


def test_nested_alternatives_bind_one_local() -> None:
    b = body("if let (A(a) | B(a), c) | (c, C(D(a) | E(a))) = x { a; c }")
    assert [one.name for one in b.locals] == ["x", "y", "a", "c"]


def test_an_attribute_on_a_field_pattern_is_read_over() -> None:
    source = """
    fn f(x: T) {
        match x {
            S { a, #[cfg(p)] b, #[cfg(feature = "q")] ref mut c } => g(a, b, c),
            S { #[cfg(p)] a, .. } if a => 1,
        };
        let S { #[cfg(p)] a, b: T { #[cfg(q)] d } } = x;
    }
    fn g() { S { #[cfg(p)] x } }
    """
    shown = show(body_in(source).root)
    assert "@S { a: a, b: b, c: mut ref c } => (call @g a b c)" in shown
    assert "let @S { a: a, b: @T { d: d } } = x;" in shown
    assert show(body_in(source, "g").root) == "{ @S { #[cfg] x: @x } }"


def test_a_pattern_that_is_not_understood_binds_its_names() -> None:
    assert in_match("m!(a)") == "?(a)"
