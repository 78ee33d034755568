"""Lowering of blocks, branches, loops, closures and jumps, and the scopes of their names."""

from __future__ import annotations

import pytest
from lowered import body, body_in, functions, lowered, show

from burnlint.rust import hir
from burnlint.rust.cfg import Flag
from burnlint.rust.lower import body_of


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", ""),
        ("x;", "x;"),
        ("x; y", "x; y"),
        ("let a = x; a", "let a = x; a"),
        ("let a: T = x;", "let a: T = x;"),
        ("let a;", "let a;"),
        ("let Some(a) = x else { return };", "let @Some(a) = x else { (return) };"),
        ("if x { 1 } else { 2 }", "(if x { 1 } { 2 })"),
        ("if x { 1 } 2", "(if x { 1 }) 2"),
        ("if x { 1 } else if y { 2 } else { 3 }", "(if x { 1 } (if y { 2 } { 3 }))"),
        ("if let Some(a) = x { a } else { a }", "(if (let @Some(a) = x) { a } { @a })"),
        ("if let Some(a) = x && a > 1 { a }", "(if (&& (let @Some(a) = x) (> a 1)) { a })"),
        ("if y && let Some(a) = x && a { a }", "(if (&& (&& y (let @Some(a) = x)) a) { a })"),
        ("while let Some(a) = x.pop() { a; }", "(while (let @Some(a) = (.pop x)) { a; })"),
        ("'o: while x { continue 'o; }", "'o: (while x { (continue 'o); })"),
        ("loop { break; }", "(loop { (break); })"),
        ("'a: loop { break 'a x }", "'a: (loop { (break 'a x) })"),
        ("for (i, a) in x { a }", "(for (i, a) in x { a })"),
        ("loop { break (x); }", "(loop { (break x); })"),
        ("loop { break (x, y); }", "(loop { (break (tuple x y)); })"),
        ("loop { break (x,); }", "(loop { (break (tuple x)); })"),
        ("loop { break (); }", "(loop { (break (tuple)); })"),
        ("'a: loop { break 'a (x).b(y)?; }", "'a: (loop { (break 'a (? (.b x y))); })"),
        ("loop { break (x) + y; }", "(loop { (break (+ x y)); })"),
        ("loop { break (x)[0]; }", "(loop { (break (index x 0)); })"),
        ("loop { break [x]; }", "(loop { (break [x]); })"),
        ("loop { break -x; }", "(loop { (break (- x)); })"),
        ("loop { break *x; }", "(loop { (break (* x)); })"),
        ("loop { break &x.a; }", "(loop { (break (& (field x a))); })"),
        ("'a: { break 'a 1; }", "'a: { (break 'a 1); }"),
        ("unsafe { x }", "unsafe { x }"),
        ("async move { x }", "async { x }"),
        ("const { 1 }", "const { 1 }"),
        ("return", "(return)"),
        ("return x", "(return x)"),
        ("match x { 1 => y, _ => 2 }", "(match x { 1 => y, _ => 2 })"),
        ("match x { a if a > y => a, b => b }", "(match x { a if (> a y) => a, b => b })"),
        ("match x { #[cfg(p)] 1 => {}, _ => 2 }", "(match x { #[p] 1 => {}, _ => 2 })"),
        ("match x { Some(a) if let Ok(b) = a => b }", "(match x { @Some(a) if (let @Ok(b) = a) => b })"),
        ("|a| a + x", "|a| (+ a x)"),
        ("|| x", "|| x"),
        ("move |_, (a, b): T| -> u8 { a }", "move |_, (a, b): T| { a }"),
        ("async |a| a", "async |a| a"),
        ("|&a, mut b| b", "|&a, mut b| b"),
        ("fn g() {} use a::b; g()", "item g; item None; (call @g)"),
        ("{ x }", "{ x }"),
        ("{ x } y", "{ x } y"),
        (";;x", "x"),
    ],
)
def test_control(code: str, expected: str) -> None:
    assert lowered(code) == expected


def test_a_name_means_the_binding_that_is_in_scope() -> None:
    b = body("let x = x; { let x = y; x; } x")
    refs = [e for e in b.exprs if isinstance(e, hir.LocalRef)]
    assert [(e.local.name, e.local.id) for e in refs] == [("x", 0), ("y", 1), ("x", 3), ("x", 2)]


@pytest.mark.parametrize(
    "code",
    [
        "{ let a = 1; } a",
        "if let Some(a) = x {} a",
        "match x { a => {} } a",
        "for a in x {} a",
        "while let Some(a) = x {} a",
        "let g = |a| a; a",
        "let Some(a) = x else { a }; 1",
        "let a = a;",
    ],
)
def test_a_name_is_gone_outside_of_its_scope(code: str) -> None:
    b = body(code)
    assert [str(e.path) for e in b.exprs if isinstance(e, hir.PathExpr)] == ["a"]


def test_statements_and_tails_under_conditions() -> None:
    assert lowered("#[cfg(p)] let a = 1; #[cfg(q)] x; #[allow(r)] y") == "#[p] let a = 1; #[q] x; y"


def test_of_tails_under_conditions_that_exclude_one_another_none_is_the_value() -> None:
    tail = body("y; #[cfg(p)] { x } #[cfg(not(p))] y").root.tail  # type: ignore[attr-defined]
    assert show(tail) == "(?cfg-alternatives { x } y)"


def test_a_conditional_statement_before_the_tail_is_no_tail() -> None:
    assert lowered("#[cfg(p)] { x } y") == "#[p] { x } y"
    assert lowered("#[cfg(p)] { x } #[cfg(q)] y") == "#[p] { x } #[q] y"
    assert lowered("#[cfg(p)] return x; #[cfg(not(p))] y").endswith("(?cfg-alternatives y)")


def test_self_is_a_local_of_a_method_and_else_a_path() -> None:
    b = body_in("impl S { fn f(&mut self, x: T) { self.a.g(x) } }")
    assert show(b.root) == "{ (.g (field self a) x) }"
    assert b.self_local is not None and not b.self_local.mutable
    assert body_in("impl S { fn f(mut self) {} }").self_local.mutable  # type: ignore[union-attr]
    assert body_in("impl S { fn f(self: Box<Self>) { self } }").self_local is not None
    assert show(body_in("fn f() { self::g() }").root) == "{ (call @self::g) }"


def test_parameters_are_locals() -> None:
    b = body_in("fn f((a, mut b): P, &c: &u8, _: u8, #[cfg(p)] d: D) { a; b; c; d }")
    assert show(b.root) == "{ a; b; c; d }"
    assert len(b.params) == 4


def test_a_function_inside_of_another_does_not_see_its_locals() -> None:
    fns = functions("fn f(x: T) { fn g() { x } g() }")
    assert show(body_of(fns["g"]).root) == "{ @x }"
    assert fns["g"].scope is fns["f"]


def test_what_has_no_body_gets_an_empty_one() -> None:
    from burnlint.rust.items import Trait
    from burnlint.rust.source import SourceFile

    trait = SourceFile("a.rs", b"trait T { fn f(&self); }").items.items[0]
    assert isinstance(trait, Trait)
    b = body_of(trait.fns[0])
    assert show(b.root) == "{}" and b.self_local is not None


def test_a_body_is_lowered_once() -> None:
    fn = functions("fn f() { 1 }")["f"]
    assert body_of(fn) is body_of(fn)


def test_cfg_of_a_statement() -> None:
    statement = body('#[cfg(feature = "a")] x;').root.statements[0]  # type: ignore[attr-defined]
    assert statement.cfg == Flag("feature", "a")
