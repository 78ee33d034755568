"""Lowering as a whole: ids, parents, spans, limits, broken code."""

from __future__ import annotations

import pytest
from lowered import body, body_in, functions, lowered, show

from burnlint.rust import hir, visit
from burnlint.rust.lower import MAX_NESTING, body_of
from burnlint.rust.lower_chain import MAX_CHAIN
from burnlint.rust.source import SourceFile

SNIPPETS = r"""
use burn::prelude::*;

#[derive(Module, Debug)]
pub struct Net<B: Backend> { conv: Conv2d<B>, act: Option<Relu>, fcs: Vec<Linear<B>> }

impl<B: Backend> Net<B> {
    pub fn forward(&self, input: Tensor<B, 4>, mask: Option<Tensor<B, 2, Bool>>) -> Tensor<B, 2> {
        let [batch, _, height, width] = input.dims();
        let mut x = self.conv.forward(input).reshape([batch as i32, -1]);
        if let Some(act) = &self.act { x = act.forward(x); }
        for (i, fc) in self.fcs.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
            x = match (i, &mask) {
                (0, Some(m)) if height > width => fc.forward(x).mask_fill(m.clone(), f32::NEG_INFINITY),
                (1..=3, None) | (4, _) => fc.forward(x) * 2.0,
                _ => { log::debug!("layer {i} of {}", self.fcs.len()); fc.forward(x) }
            };
        }
        let parts: Vec<Tensor<B, 2>> = (0..batch).map(|b| x.clone().slice(s![b..b + 1, ..])).collect();
        assert_eq!(parts.len(), batch, "one part for each of {batch}");
        Tensor::cat(parts, 0)
    }

    async fn train(mut self, mut optim: impl Optimizer<Self, B>, data: &[Batch<B>]) -> Result<Self, Error> {
        'epochs: for epoch in 1..=10 {
            let mut total = 0f32;
            for batch in data {
                let Batch { input, target: t, .. } = batch.clone() else { continue 'epochs };
                let loss = MseLoss::new().forward(self.forward(input, None), t, Reduction::Mean);
                total += loss.clone().into_scalar().elem::<f32>();
                let grads = GradientsParams::from_grads(loss.backward(), &self);
                self = optim.step(1e-3, self, grads);
            }
            if total < 1e-6 || total.is_nan() { break }
            while let Some(x) = next().await? && x.ok() { self.see(&x, &mut total); }
            #[cfg(feature = "log")]
            println!("{epoch:>3}: {:.4}", total / data.len() as f32);
            let stop = loop { if matches!(total, 0.0..=1.0 if epoch > 3) { break true } else { break false }
            }; if stop { return Ok(Self { fcs: vec![LinearConfig::new(1, 2).init(&device); 3], ..self }); }
        }
        let (a, b): (usize, _) = unsafe { (*ptr, &raw const y) };
        (a, _) = (b[0].c.1, -!d);
        Err(anyhow!("no {}", a).into())
    }
}
"""


@pytest.fixture(scope="module")
def bodies() -> list[hir.Body]:
    file = SourceFile("src/net.rs", SNIPPETS.encode())
    assert not file.errors
    return [body_of(fn) for fn in file.items.functions]


def test_ordinary_code_is_understood_whole(bodies: list[hir.Body]) -> None:
    assert len(bodies) == 2
    for b in bodies:
        assert [e for e in b.exprs if isinstance(e, hir.Unknown)] == []
        assert [e.path.name for e in b.exprs if isinstance(e, hir.Macro) and e.form == "opaque"] == []


def test_ids_count_and_inner_comes_before_outer(bodies: list[hir.Body]) -> None:
    for b in bodies:
        assert [e.id for e in b.exprs] == list(range(len(b.exprs)))
        for e in b.exprs:
            assert all(child.id < e.id for child in visit.children(e))
        assert b.root.id == len(b.exprs) - 1
        assert [each.id for each in b.locals] == list(range(len(b.locals)))


def test_each_expression_has_one_parent(bodies: list[hir.Body]) -> None:
    for b in bodies:
        seen = [child.id for e in b.exprs for child in visit.children(e)]
        assert sorted(seen) == [e.id for e in b.exprs if e is not b.root]
        for e in b.exprs:
            for child in visit.children(e):
                assert b.parents[child.id] == e.id
        assert b.parents[b.root.id] == -1
        assert {e.id for e in visit.descendants(b.root)} == set(range(len(b.exprs)))


def test_spans_lie_inside_of_their_parents(bodies: list[hir.Body]) -> None:
    for b in bodies:
        for e in b.exprs:
            for child in visit.children(e):
                assert e.span[0] <= child.span[0] <= child.span[1] <= e.span[1], show(e)


def test_operands_have_ids_in_the_order_of_evaluation() -> None:
    call = body("x.f(a, b + c)").root.tail  # type: ignore[attr-defined]
    assert [show(e) for e in body("x.f(a, b + c)").exprs[:-1]] == [
        "x",
        "@a",
        "@b",
        "@c",
        "(+ @b @c)",
        show(call),
    ]
    assign = body("x = y;")
    assert [show(e) for e in assign.exprs[:2]] == ["y", "x"]


def test_locals_in_a_pattern() -> None:
    let = body("let S { a, b: (c, d @ [e, ..]), .. } = x;").root.statements[0]  # type: ignore[attr-defined]
    assert [each.name for each in visit.locals_in(let.pattern)] == ["a", "c", "d", "e"]


@pytest.mark.parametrize(
    "code",
    [
        "x.f(",
        "let a = ; a",
        "x + ; y",
        "if { x }",
        "match x { 1 => , 2 => y }",
        "let = x; y",
        "x.; y",
        "f(x, @, y); y",
        "for in x { y }",
        "|a x",
        "S { a: , b: x }",
        "let a: = x; a",
        "[x, ; y]",
        "} x {",
        "x as ; y",
        "vec![x, y); y",
        "'a: { x",
    ],
)
def test_broken_code_is_unknown_and_the_body_stays_well_formed(code: str) -> None:
    file = SourceFile("a.rs", f"fn f(x: T, y: T) {{ {code} }} fn h() {{ 2 }}".encode())
    assert file.errors
    known = True
    for fn in file.items.functions:
        b = body_of(fn)
        known = known and not any(isinstance(e, hir.Unknown) for e in b.exprs)
        seen = [child.id for e in b.exprs for child in visit.children(e)]
        assert len(seen) == len(set(seen))
        assert all(child.id < e.id for e in b.exprs for child in visit.children(e))
    # Where the error is not inside of a body, the function is not there or the error stands beside it.
    assert not known or code in OUTSIDE


OUTSIDE = {"|a x", "} x {", "'a: { x"}


def test_an_error_leaves_the_other_statements_alone() -> None:
    b = body_in("fn f(x: T) { let a = x.f(); let b = x @@ a; a.g() }")
    assert show(b.root).startswith("{ let a = (.f x);") and show(b.root).endswith("(.g a) }")
    unknown = [e for e in b.exprs if isinstance(e, hir.Unknown)]
    assert unknown and {show(arg) for e in unknown for arg in e.args} >= {"a"}


def test_what_is_missing_is_unknown() -> None:
    assert "?missing" in lowered("let a = x + ;")


def test_nesting_beyond_the_limit_is_unknown() -> None:
    for opening, closing in [
        ("(", ")"),
        ("-", ""),
        ("f(", ")"),
        ("{ ", " }"),
        ("[", "]"),
        ("&", ""),
        ("|a| ", ""),
    ]:
        for depth in (MAX_NESTING // 2 - 10, MAX_NESTING * 3):
            b = body(opening * depth + "x" + closing * depth)
            causes = {e.why for e in b.exprs if isinstance(e, hir.Unknown)}
            assert causes == ({"too deep"} if depth > MAX_NESTING else set()), opening
            assert any(isinstance(e, hir.LocalRef) for e in b.exprs), (
                "what is too deep still says what it names"
            )


def test_nested_patterns_beyond_the_limit_are_unknown() -> None:
    b = body("let " + "(" * 300 + "a" + ",)" * 300 + " = x; a")
    assert show(b.root).endswith("a }"), "the name is bound all the same"


def test_types_beyond_the_limit_are_unknown() -> None:
    fn = functions("fn f(a: " + "&" * 500 + "u8) -> " + "Vec<" * 500 + "u8" + ">" * 500 + " {}")["f"]
    assert len(fn.params) == 1 and fn.result is not None


@pytest.mark.parametrize(
    "link", [".f()", ".a", "?", "[0]", " + 1", " as u8", ".await", "(1)", ".f(x)?", " && y"]
)
def test_chains_may_be_long(link: str) -> None:
    b = body("x" + link * 1000)
    assert not any(isinstance(e, hir.Unknown) for e in b.exprs)
    assert sum(isinstance(e, hir.LocalRef) and e.local.name == "x" for e in b.exprs) >= 1


def test_chains_beyond_the_limit_begin_with_an_unknown() -> None:
    b = body("x" + ".f()" * (MAX_CHAIN + 10))
    unknown = [e for e in b.exprs if isinstance(e, hir.Unknown)]
    assert [e.why for e in unknown] == ["too deep"]
    assert sum(isinstance(e, hir.MethodCall) for e in b.exprs) == MAX_CHAIN


def test_many_else_ifs() -> None:
    b = body("if x { 1 }" + " else if y { 2 }" * 3000)
    assert sum(isinstance(e, hir.If) for e in b.exprs) == 3001


def test_long_alternatives_and_use_lists() -> None:
    b = body("match x { " + " | ".join(map(str, range(3000))) + " => 1, _ => 2 }")
    assert not any(isinstance(e, hir.Unknown) for e in b.exprs)
    path = "a::" * 3000
    assert not any(isinstance(e, hir.Unknown) for e in body(f"{path}f(x)").exprs)
