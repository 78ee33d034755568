"""What files may declare by their bytes: nothing that the items hold is left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from burnlint.rust import glance, hir
from burnlint.rust import types as rt
from burnlint.rust.hir import Body
from burnlint.rust.items import Fn, Impl, Mod, TypeAlias
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.rs"))

HEADERS = """
impl Plain { }
impl<T> Generic<T> { }
impl<T: Into<Vec<u8>>> Trait<T> for Nested<Vec<T>> where T: Fn(u8) -> u8 { }
unsafe impl Send for a::b::Scoped {}
default impl<T> Tr for Defaulted<T> {}
impl !Sync for Negative {}
impl Tr for &'static mut Referenced {}
impl Tr for crate::Rooted {}
impl Tr for ::std::vec::Leading {}
impl<T: Tr> Other for T {}
impl<T> Other for &T where T: Tr {}
impl<F: Fn(u8) -> u8> Other for F {}
impl<F> Other for Higher<F> where F: for<'a> Fn(&'a u8) {}
impl<F: for<'a> Fn(&'a u8)> Other for Highest<F> {}
impl Other for (A, B) {}
impl Other for (Parenthesised) {}
impl Other for [u8; 4] {}
impl Other for [u8] {}
impl Other for *const u8 {}
impl Other for ! {}
impl Other for fn(u8) -> u8 {}
impl Other for dyn Tr + Send {}
impl Other for name!() {}
impl Other for <A as Tr>::Projected {}
impl Sized1<{ 1 + 1 }> {}
impl Other for Sized2<{ N }> {}
impl /* a { brace */ Other for Commented {}
impl // for {
  Other for CommentedLine {}
impl Other for r#type {}
impl Other for Größe {}
impl Other for Semicolon;
/* before */ impl Other for BehindComment {}
struct S; impl Other for SameLine {}
const C: &str = "//"; impl Other for BehindString {}
#[cfg(x)] impl Other for Attributed {}
// impl prose
impl Other for BelowProse {}
fn f(x: impl Fn(u8) -> u8) { impl Other for InBody {} }
fn g() -> impl Tr { impl Other for InBody2 {} }
mod m { impl Other for InModule {} }
"""


def key(item: Impl) -> set[str]:
    """What an impl must be found under; empty in broken code."""
    expr = item.self_type
    while isinstance(expr, rt.RefType):
        expr = expr.inner
    if isinstance(expr, rt.PathType):
        name = expr.path.segments[-1].name
        return {name, glance.GENERIC} if any(p.name == name for p in item.generics.params) else {name}
    return {glance.UNNAMED} if expr is not None else set()


def check(content: bytes) -> int:
    file = SourceFile("x.rs", content)
    found = glance.impls(content)
    for item in file.items.impls:
        assert glance.ANYTHING in found or key(item) <= found, file.text.decode(*item.span)[:200]
    every = list(file.items.all)
    assert [i for i in every if isinstance(i, Impl)] == file.items.impls
    assert {i.name for i in every if isinstance(i, TypeAlias)} <= glance.aliases(content)
    for trait in file.items.traits:
        assert {fn.name for fn in trait.fns} <= glance.trait_functions(content)
    if any(isinstance(i, Mod) and not i.inline for i in every):
        assert glance.may_have_outline_modules(content)
    if any(a.path == "cfg" for a in file.items.attributes):
        assert glance.may_have_condition(content)
    return len(file.items.impls)


@pytest.mark.parametrize("header", HEADERS.strip().replace("{\n  Other", "{@  Other").split("\n"))
def test_headers(header: str) -> None:
    check(header.replace("@", "\n").encode())


def test_headers_together() -> None:
    assert check(HEADERS.encode()) > 30


def test_headers_tell_apart() -> None:
    assert glance.impls(b"impl<B: Tr> Module<B> for Linear<B> where B: X { fn f(x: impl Tr) {} }") == {
        "Linear"
    }
    assert glance.impls(b"fn f() -> impl Tr { impl_it!() }") == frozenset()
    assert glance.ANYTHING not in glance.impls(b"/// An impl of Foo (see a/b)\nfn f() {}")
    assert glance.impls(b"impl" * 100_000) == frozenset()


def test_a_header_without_an_end() -> None:
    assert glance.ANYTHING in glance.impls(b"impl A" + b" A" * 2000 + b" for B {}")


def test_aliases_and_functions_of_traits() -> None:
    content = b"type A = u8; trait T { type B; type C: X; fn /* a */ f(); fn r#g<T>(); } type  r#D<T> where T: X = T;"
    assert check(content) == 0
    assert glance.aliases(content) == {"A", "B", "C", "D"}
    assert glance.trait_functions(b"fn f() {}") == frozenset()


def test_what_aliases_stand_for() -> None:
    content = b"""type C = a::b::Config; pub(crate) type T<const D: usize = 1> = Tensor<D, Int>;
        impl Iterator for X { type Item = Row; } // the type of x = y
        type/**/r#L =\n    Loss; fn f() { let mytype = Other; }"""
    assert glance.aliased(content) == {"C": "Config", "Item": "Row", "L": "Loss"}


def test_renamings() -> None:
    content = b"""
        // What these use:
        use a::B as C;
        #[cfg(x)] pub(crate) use a::{self as d, e::{F as G, H}, I /* why */ as r#J, T as _, K as K};
        fn f() { use l as m; }
        /// use this
        fn g(x: <N as O>::P) { q(x as f32); x as f64; }
        // we use
        return x as u8;
    """
    assert glance.renamings(content) == {"C": "B", "G": "F", "J": "I", "m": "l"}


@pytest.mark.parametrize(
    ("text", "outline"),
    [
        ("mod a;", True),
        ("mod a { mod b; }", True),
        ("mod r#fn { }", True),
        ("mod a { } pub mod b\n{ }", False),
        ("use modern::mode; let model = 1;", False),
        ("// the mod x", True),
    ],
)
def test_outline_modules(text: str, outline: bool) -> None:
    assert glance.may_have_outline_modules(text.encode()) == outline


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("#![cfg(unix)]", True),
        ("# ! [ cfg(unix) ]", True),
        ("#![allow(x)]", False),
        ("#[cfg(unix)] fn f() {}", False),
    ],
)
def test_condition(text: str, condition: bool) -> None:
    assert glance.may_have_condition(text.encode()) == condition
    assert bool(SourceFile("x.rs", text.encode()).cfg.flags()) == condition


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: "/".join(path.parts[-3:]))
def test_fixtures(path: Path) -> None:
    check(path.read_bytes())


def test_a_chain_that_may_be_a_statement() -> None:
    def may(source: bytes) -> bool:
        return glance.may_start_statement(source, source.index(b"clamp"))

    for source in (
        b"{ x.clamp(0); }",
        b"a(); x.clone().clamp(0);",
        b"match a { Some(b) => x.clamp(b), None => {} }",
        b"{ // y = x\n x.clamp(0); }",
        b"{ x.map(|v| { v }).clamp(0); }",
        b'{ x.named("a=b").clamp(0); }',
        b"{ let shut = || x.clamp(0); }",
        b"{ let shut = same(m::boxed(move |v| x.clamp(0))); }",
    ):
        assert may(source), source
    for source in (
        b"{ let y = x.clamp(0); }",
        b"{ y = x.clamp(0); }",
        b"{ f(x.clamp(0)); }",
        b"{ return x.clamp(0); }",
        b"{ let y = [x.clamp(0)]; }",
        b"{ let y = same(x.clamp(0)); }",
    ):
        assert not may(source), source


USED_AGAIN = """
fn two(x: T) { a(x); b(x) }
fn looped(x: T) { loop { a(x) } }
fn sum(x: T) -> T { x.clone() + x }
fn range(n: usize) { a(0..n); b(n..=n) }
fn shown(x: T) { a(x); println!("{x:?}") }
fn unequal(x: T) -> bool { a(x) != x }
fn shorthand(x: T) { a(S { x }); x }
fn raw(r#type: T) { a(r#type); b(r#type) }
fn capital() { let Q = a(); b(Q); c(Q) }
fn capitals((Q, K): (T, T)) { b(Q); c(Q) }
fn matched(x: O) { match x { Some(W) => a(W, W), None => () } }
fn closure() { a(|X| X + X) }
fn foreign(größe: T) { a(größe); b(größe) }
impl S { fn own(self) { a(self.x); b(self.x) } }
impl S { fn mutable(mut self) { a(self.x); b(self.x) } }
impl S { fn boxed(self: Box<Self>) { a(self.x); b(self.x) } }
fn unformatted(x:T)->S{a(x);S{y:x}}
"""


def _functions(file: SourceFile) -> list[tuple[bytes, Body]]:
    functions = [fn for fn in file.items.functions if not any(a.name == "cube" for a in fn.attributes)]
    return [(file.content[slice(*fn.span)], body_of(fn)) for fn in functions]


@pytest.mark.parametrize(
    "source", [USED_AGAIN, *FIXTURES], ids=lambda s: s.stem if isinstance(s, Path) else "written"
)
def test_uses_and_fields_of_functions_are_not_passed_over(source: str | Path) -> None:
    content = source.read_bytes() if isinstance(source, Path) else source.encode()
    for text, body in _functions(SourceFile("src/lib.rs", content)):
        called = {id(e.callee) for e in body.of(hir.Call)}
        lent = (
            body.self_local
            if not isinstance(body.owner, Fn) or body.owner.self_mode.startswith("&")
            else None
        )
        used = Counter(e.local for e in body.of(hir.LocalRef) if id(e) not in called and e.local is not lent)
        loops = body.of(hir.Loop) or body.of(hir.While) or body.of(hir.For)
        if any(count > 1 or loops for count in used.values()):
            assert glance.may_use_again(text), text
        if body.of(hir.Field):
            assert glance.may_read_field(text), text


def test_functions_that_use_nothing_again_are_passed_over() -> None:
    for text in (
        b"fn f(x: Tensor<B, 2>, y: f32) -> Tensor<B, 2> { x.mul_scalar(y) }",
        b"pub fn init(&self, device: &Device) -> Self { let e = self.e; Self { e, k: self.k } }",
    ):
        assert not glance.may_use_again(text)
    assert glance.may_read_field(b"fn f(&self) -> T { self\n    .x }")
    assert not glance.may_read_field(b"fn f(x: T) -> T { x.exp().sum::<f32>() * 2f32 }")
