"""Lowering of expressions without control flow, and of chains."""

from __future__ import annotations

import pytest
from lowered import body, constant, lowered, show

from burnlint.rust import hir


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("1", "1"),
        ("x", "x"),
        ("z", "@z"),
        ("a::b::<C>::d", "@a::b::d"),
        ("(x)", "x"),
        ("((x, 1))", "(tuple x 1)"),
        ("(x,)", "(tuple x)"),
        ("()", "()"),
        ("[x, 1, /* c */ y]", "[x 1 y]"),
        ("[]", "[]"),
        ("[0; 4]", "[0; 4]"),
        ("-x", "(- x)"),
        ("!x", "(! x)"),
        ("*x", "(* x)"),
        ("&x", "(& x)"),
        ("&mut x", "(&mut x)"),
        ("&&x", "(& (& x))"),
        ("&raw const x", "(& x)"),
        ("x as f32 as u8", "(as (as x))"),
        ("x + y * 2", "(+ x (* y 2))"),
        ("x && y || z", "(|| (&& x y) @z)"),
        ("x == y", "(== x y)"),
        ("x << 1", "(<< x 1)"),
        ("x = y", "(= x y)"),
        ("x += y", "(+= x y)"),
        ("x >>= 1", "(>>= x 1)"),
        ("_ = x", "(= _ x)"),
        ("(x, _) = (y, 1)", "(= (tuple x _) (tuple y 1))"),
        ("..", "(.. - -)"),
        ("x..", "(.. x -)"),
        ("..=y", "(..= - y)"),
        ("x..y + 1", "(.. x (+ y 1))"),
        ("S { a: 1, x }", "@S { a: 1, x: x }"),
        ("a::S::<u8> { z, ..x }", "@a::S { z: @z, ..x }"),
        ("S { #[cfg(a)] x, #[cfg(b)] b: 1 }", "@S { #[cfg] x: x, #[cfg] b: 1 }"),
        ("S {}", "@S {  }"),
        ("<T as Tr>::f", "@Tr::f"),
        ("<T>::f", "@f"),
        ("r#type", "@type"),
    ],
)
def test_expression(code: str, expected: str) -> None:
    assert lowered(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("f(x, 1)", "(call @f x 1)"),
        ("x(1)", "(call x 1)"),
        ("a::b::<C>(x)", "(call @a::b x)"),
        ("Some(x)", "(call @Some x)"),
        ("x.f()", "(.f x)"),
        ("x.f::<u8>(1, y)", "(.f::<> x 1 y)"),
        ("x.a.b", "(field (field x a) b)"),
        ("x.0.1", "(field (field x 0) 1)"),
        ("(x.f)(1)", "(call (field x f) 1)"),
        ("x.f().g(y).h", "(field (.g (.f x) y) h)"),
        ("x.f()?.g(1)?", "(? (.g (? (.f x)) 1))"),
        ("x.f().await?", "(? (await (.f x)))"),
        ("x[0][y]", "(index (index x 0) y)"),
        ("f(x)(y)", "(call (call @f x) y)"),
        ("x.f(|a| a.g())", "(.f x |a| (.g a))"),
        ("x // c\n .f() // d\n .g()", "(.g (.f x))"),
        ("x.r#match()", "(.match x)"),
        ("T::f(x)?", "(? (call @T::f x))"),
    ],
)
def test_chain(code: str, expected: str) -> None:
    assert lowered(code) == expected


@pytest.mark.parametrize(
    ("code", "kind", "suffix"),
    [
        ("1", "int", ""),
        ("1_000u32", "int", "u32"),
        ("0xffu8", "int", "u8"),
        ("0x1f32", "int", ""),
        ("1f32", "float", "f32"),
        ("1.0", "float", ""),
        ("1e-3_f64", "float", "f64"),
        ("1.", "float", ""),
        ("true", "bool", ""),
        ("'c'", "char", ""),
        ("b'c'", "int", "u8"),
        ('"s"', "str", ""),
        ('r#"s"#', "str", ""),
        ('b"s"', "bytes", ""),
        ('br"s"', "bytes", ""),
        ('c"s"', "cstr", ""),
        ("()", "unit", ""),
    ],
)
def test_literal(code: str, kind: str, suffix: str) -> None:
    literal = body(code).root.tail  # type: ignore[attr-defined]
    assert isinstance(literal, hir.Literal)
    assert (literal.kind, literal.text, literal.suffix) == (kind, code, suffix)


def test_a_method_call_keeps_its_turbofish_and_where_its_name_stands() -> None:
    source = "fn f(x: T) { x.sum_dim::<2, _>(1) }"
    call = body("x.sum_dim::<2, _>(1)", "fn f(x: T)").root.tail  # type: ignore[attr-defined]
    assert isinstance(call, hir.MethodCall)
    assert source[slice(*call.name_span)] == "sum_dim"
    assert source[slice(*call.span)] == "x.sum_dim::<2, _>(1)"
    assert len(call.generics) == 2


def test_an_operator_knows_where_it_stands() -> None:
    source = "fn f(x: T, y: T) { x /* + */ + y }"
    operation = body("x /* + */ + y").root.tail  # type: ignore[attr-defined]
    assert isinstance(operation, hir.Binary)
    assert source[slice(*operation.op_span)] == "+"
    assert operation.op_span[0] == source.index("+ y")


def test_the_value_of_a_constant_is_lowered() -> None:
    assert show(constant("const A: [f32; 2] = [1.0, B.c];").root) == "[1.0 (field @B c)]"
    assert show(constant("static A: u8 = f(1);").root) == "(call @f 1)"
