"""Lowering of macro calls."""

from __future__ import annotations

import pytest
from lowered import body, body_in, lowered, show

from burnlint.rust import hir
from burnlint.rust.lower import body_of
from burnlint.rust.macros import MacroForm
from burnlint.rust.source import SourceFile


def macro(code: str) -> hir.Macro:
    found = [e for e in body(code).exprs if isinstance(e, hir.Macro)]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("vec![x, 1]", "(vec! exprs [x 1])"),
        ("vec![x.f(); 3]", "(vec! exprs [(.f x); 3])"),
        ("vec![]", "(vec! exprs [])"),
        ("vec!(x)", "(vec! exprs [x])"),
        ("std::vec![x]", "(std::vec! exprs [x])"),
        ("println!()", "(println! format borrows)"),
        ('println!("a")', '(println! format borrows "a")'),
        ('println!("{}", x.f())', '(println! format borrows "{}" (.f x))'),
        ('println!("{}", x.f(),)', '(println! format borrows "{}" (.f x))'),
        ('println!{"{}", x}', '(println! format borrows "{}" x)'),
        ('println!["{}", x]', '(println! format borrows "{}" x)'),
        ('println!("{x} {z}")', '(println! format borrows "{x} {z}" x @z)'),
        ('format!("{a}", a = x)', '(format! format borrows "{a}" x)'),
        ('panic!("{}", x)', '(panic! format borrows diverges "{}" x)'),
        ("unreachable!()", "(unreachable! format borrows diverges)"),
        ('write!(x, "{y}")', '(write! format borrows x "{y}" y)'),
        ("assert!(x == y)", "(assert! format borrows (== x y))"),
        ('assert!(x, "{}", y)', '(assert! format borrows x "{}" y)'),
        ("assert_eq!(x.f(), y)", "(assert_eq! format borrows (.f x) y)"),
        ('assert_eq!(x, y, "{x}")', '(assert_eq! format borrows x y "{x}" x)'),
        ("dbg!(x)", "(dbg! exprs x)"),
        ("dbg!(&x, y)", "(dbg! exprs (& x) y)"),
        ("assert_relative_eq!(x, y, epsilon = 1e-3)", "(assert_relative_eq! exprs borrows x y 1e-3)"),
        ("matches!(x, Some(1))", "(matches! matches borrows (match x { @Some(1) => true, _ => false }))"),
        (
            "matches!(x.f(1, 2), A | B { b, .. } if b > y)",
            "(matches! matches borrows "
            "(match (.f x 1 2) { @A | @B { b: b, .. } if (> b y) => true, _ => false }))",
        ),
        ("matches!(x, 'a'..='z',)", "(matches! matches borrows (match x { 'a'..='z' => true, _ => false }))"),
        ("s![0..2, .., y, -1..]", "(s! slices (.. 0 2) (.. - -) y (.. (- 1) -))"),
        ("s![0..4;2, ..]", "(s! slices (; (.. 0 4) 2) (.. - -))"),
        ("s![..;-1]", "(s! slices (; (.. - -) (- 1)))"),
        ('cfg!(feature = "x")', "(cfg! none borrows)"),
        ("stringify!(x)", "(stringify! none borrows)"),
        ("unknown!(x, a.y, y => z)", "(unknown! opaque x y)"),
        ("unknown!{ x.y(|| y.x) }", "(unknown! opaque x y)"),
        ('unknown!("{x:?} {} {{y}}", 1)', "(unknown! opaque x)"),
        ('info!("{}", x)', '(info! format borrows "{}" x)'),
        ('log::info!(target: "a", "{}", x)', '(log::info! format borrows "a" "{}" x)'),
        ('info!(a = x.f(), ?y, %z, "m {}", 1)', '(info! format borrows (.f x) y @z "m {}" 1)'),
        ("info!(a.b = ?x, %y)", "(info! format borrows x y)"),
        ("vec![vec![x]; 2]", "(vec! exprs [(vec! exprs [x]); 2])"),
        ('println!("{}", vec![x, y].len())', '(println! format borrows "{}" (.len (vec! exprs [x y])))'),
        ("vec![|a| { let b = a; b }]", "(vec! exprs [|a| { let b = a; b }])"),
        ("f(vec![x])?", "(? (call @f (vec! exprs [x])))"),
        ("vec![x /* , */, y]", "(vec! exprs [x y])"),
    ],
)
def test_macro(code: str, expected: str) -> None:
    assert lowered(code) == expected


def test_arguments_keep_their_places_in_the_file() -> None:
    source = 'fn f(é: T) { g("ü"); println!("{}", é.sum(1)); matches!(é, Some(_)); vec![é; 2]; }'
    b = body_in(source)
    content = source.encode()
    for e in b.exprs:
        if isinstance(e, hir.MethodCall):
            assert content[slice(*e.span)].decode() == "é.sum(1)"
            assert content[slice(*e.name_span)] == b"sum"
        if isinstance(e, hir.LocalRef):
            assert content[slice(*e.span)].decode() == "é"
    assert sum(isinstance(e, hir.LocalRef) for e in b.exprs) == 3


def test_placeholders_say_what_they_show() -> None:
    call = macro('println!("{} {{}} {x:?} {0:>w$.2} {n} {missing:.*}", x.f(), y, w = 3, n = y)')
    assert [(show(p.arg), p.spec) for p in call.placeholders] == [
        ("(.f x)", ""),
        ("x", "?"),
        ("(.f x)", ">w$.2"),
        ("y", ""),
        ("@missing", ".*"),
    ]
    assert {name: show(arg) for name, arg in call.names.items()} == {"w": "3", "n": "y"}


def test_a_placeholder_without_an_argument() -> None:
    call = macro('println!("{} {}", x)')
    assert [p.arg is None for p in call.placeholders] == [False, True]


def test_a_captured_name_has_its_place_in_the_string() -> None:
    source = 'fn f(loss: T) { println!("a {loss:.3}") }'
    b = body_in(source)
    ref = next(e for e in b.exprs if isinstance(e, hir.LocalRef))
    assert source[slice(*ref.span)] == "loss" and ref.span[0] == source.index("loss:.3")


def test_a_macro_of_the_file_is_not_that_of_std() -> None:
    source = "macro_rules! vec { () => {} } fn f(x: T) { vec![x, 1] }"
    assert show(body_in(source).root) == "{ (vec! opaque x) }"


def test_further_macros_may_be_known() -> None:
    fn = SourceFile("a.rs", b"fn f(x: T) { both!(x, 1) }").items.functions[0]
    assert show(body_of(fn, {"both": MacroForm("exprs")}).root) == "{ (both! exprs x 1) }"


def test_an_argument_that_is_no_expression_is_unknown_and_the_others_are_not() -> None:
    assert lowered("assert_eq!(x, y => 1, y)") == "(assert_eq! format borrows x (?macro-argument y) y)"
