"""Shapes as far as code shows them, in both styles of burn's API."""

# ruff: noqa: E501 (one case, one line)

from __future__ import annotations

import itertools

import pytest
from test_values_typed import Case

from burnlint.burn import shapes
from burnlint.burn.shapes import Size, Span, Symbol

NEW = """
use burn::module::Module;
use burn::nn::{Linear, LinearConfig, Relu};
use burn::nn::loss::SmoothL1LossConfig;
use burn::tensor::{Device, Distribution, Int, Shape, Tensor, TensorData, s};
#[derive(Module, Debug)]
struct Net { head: Linear }
impl Net {
    fn forward(&self, x: Tensor<2>) -> Tensor<2> { self.head.forward(x) }
    fn column(&self, x: Tensor<2>) -> Tensor<2> { self.head.forward(x).sum_dim(1) }
}
fn column(v: Tensor<1>) -> Tensor<2> { let n = v.dims()[0]; v.reshape([n, 1]) }
"""
OLD = """
use burn::nn::{Linear, LinearConfig};
use burn::tensor::{Distribution, Int, Shape, Tensor, TensorData, backend::Backend};
fn column<B: Backend>(v: Tensor<B, 1>) -> Tensor<B, 2> { let n = v.dims()[0]; v.reshape([n, 1]) }
"""


def new(code: str) -> Case:
    head = "fn f(x: Tensor<2>, v: Tensor<1>, w: Tensor<3>, i: Tensor<1, Int>, net: &Net, n: usize, p: bool, device: &Device)"
    return Case(f"{NEW} {head} {{ {code} }}")


def old(code: str) -> Case:
    head = "fn f<B: Backend>(x: Tensor<B, 2>, v: Tensor<B, 1>, w: Tensor<B, 3>, i: Tensor<B, 1, Int>, n: usize, p: bool, device: &B::Device)"
    return Case(f"{OLD} {head} {{ {code} }}", "0.21.0")


def shown(found: shapes.Sizes | None) -> str:
    """`[3, a, ?, a]`: numbers, symbols by first appearance, unknown sizes."""
    if found is None:
        return "unknown"
    names: dict[object, str] = {}
    fresh = itertools.count(ord("a"))

    def one(size: Size) -> str:
        if isinstance(size, Symbol):
            if size.key not in names:
                names[size.key] = chr(next(fresh))
            return names[size.key] + (f"+{size.offset}" if size.offset else "")
        return "?" if size is None else str(size)

    return "[" + ", ".join(map(one, found)) + "]"


BOTH = pytest.mark.parametrize("style", [new, old])


@BOTH
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/x;", "[a, b]"),
        ("let t = Tensor::<T2>::zeros([3, 4], device); /*u*/t;", "[3, 4]"),
        ("let t = Tensor::<T2>::ones(Shape::new([3, n]), device); /*u*/t;", "[3, a]"),
        ("let t = Tensor::<T2>::full([n, n], 1.0, device); /*u*/t;", "[a, a]"),
        ("let t = Tensor::<T2>::random([2, 5], Distribution::Default, device); /*u*/t.exp();", "[2, 5]"),
        (
            "let t = Tensor::<T2>::from_floats([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device); /*u*/t;",
            "[3, 2]",
        ),
        ("let t = Tensor::<T1>::from_floats([1.0, 2.0], device); /*u*/t;", "[2]"),
        ("let t = Tensor::<T2>::from_data(TensorData::from([[1.0, 2.0]]), device); /*u*/t;", "[1, 2]"),
        ("/*u*/x.reshape([3, 4]);", "[3, 4]"),
        ("let t = Tensor::<T2>::zeros([3, 4], device).reshape([6, -1]); /*u*/t;", "[6, 2]"),
        ("let [b, c] = x.dims(); let t: Tensor<T3> = x.reshape([b, 1, c]); /*u*/t;", "[a, 1, b]"),
        ("let b = x.dims()[0]; let t: Tensor<T3> = x.reshape([b, 1, b]); /*u*/t;", "[a, 1, a]"),
        ("let y = x.clone().sum_dim(1); let t: Tensor<T2> = x.reshape(y.dims()); /*u*/t;", "[a, 1]"),
        ("let t: Tensor<T1> = x.flatten(0, 1); /*u*/t;", "[?]"),
        ("let t: Tensor<T1> = Tensor::<T2>::zeros([3, 4], device).flatten(0, 1); /*u*/t;", "[12]"),
        ("let t: Tensor<T1> = x.sum_dim(1).flatten(0, 1); /*u*/t;", "[a]"),
        ("let t: Tensor<T2> = v.unsqueeze(); /*u*/t;", "[1, a]"),
        ("let t: Tensor<T3> = v.unsqueeze(); /*u*/t;", "[1, 1, a]"),
        ("let t: Tensor<T2> = v.unsqueeze_dim(1); /*u*/t;", "[a, 1]"),
        ("let t: Tensor<T2> = v.unsqueeze_dim(0); /*u*/t;", "[1, a]"),
        ("/*u*/x.argmax(1);", "[a, 1]"),
        ("/*u*/x.mean_dim(0);", "[1, a]"),
        ("let d = 1; /*u*/x.mean_dim(d);", "[a, 1]"),
        ("/*u*/x.mean_dim(n);", "[?, ?]"),
        ("let t = burn::tensor::linalg::l2_norm(x, 1); /*u*/t;", "[a, 1]"),
        ("let t = burn::tensor::linalg::cosine_similarity(x.clone(), x, -1, None); /*u*/t;", "[a, 1]"),
        ("let t = burn::tensor::linalg::lp_norm(x, 1.0, n); /*u*/t;", "[?, ?]"),
        ("let t = x.is_nan().argwhere(); /*u*/t;", "[?, 2]"),
        ("let t = v.is_nan().argwhere(); /*u*/t;", "[?, 1]"),
        ("/*u*/x.sum();", "[1]"),
        ("let (best, at) = x.max_dim_with_indices(1); /*u*/at;", "[a, 1]"),
        ("/*u*/x.transpose();", "[a, b]"),
        ("let t = Tensor::<T2>::zeros([3, 4], device); /*u*/t.swap_dims(0, 1);", "[4, 3]"),
        ("let t = Tensor::<T2>::zeros([3, 4], device); /*u*/t.permute([1, 0]);", "[4, 3]"),
        ("/*u*/x.clone() * x.mean_dim(1);", "[a, b]"),
        ("/*u*/x.clone().sum_dim(0) - x.sum_dim(1);", "[a, b]"),
        ("let t = Tensor::<T2>::zeros([3, 1], device); /*u*/t + x.sum_dim(0);", "[3, a]"),
        (
            "let t = Tensor::<T2>::zeros([3, 4], device); let u = Tensor::<T2>::zeros([4, 5], device); /*u*/t.matmul(u);",
            "[3, 5]",
        ),
        ("let y = x.clone(); let t = Tensor::cat(vec![x, y], 0); /*u*/t;", "[?, a]"),
        (
            "let a = x.clone().sum_dim(0); let b = x.sum_dim(0); let t = Tensor::cat(vec![a, b], 0); /*u*/t;",
            "[2, a]",
        ),
        ("let t: Tensor<T3> = Tensor::stack(vec![x.clone(), x], 1); /*u*/t;", "[a, 2, b]"),
        ("let t = Tensor::stack::<3>(vec![x.clone(), x], 0); /*u*/t;", "[2, a, b]"),
        ("/*u*/x.slice([0..1, 2..4]);", "[1, ?]"),
        ("/*u*/x.slice([n..n + 1]);", "[1, a]"),
        ("let t = Tensor::<T2>::zeros([3, 4], device); /*u*/t.slice([1..9, 2..4]);", "[2, 2]"),
        ("/*u*/x.narrow(1, 2, 5);", "[a, 5]"),
        ("/*u*/x.select(0, i);", "[a, b]"),
        ("/*u*/x.topk(5, 1);", "[a, 5]"),
        ("/*u*/column(v);", "[a, 1]"),
        (
            "let layer = LinearConfig::new(8, 1).with_bias(false).init(device); /*u*/layer.forward(x);",
            "[a, 1]",
        ),
        (
            "let width = 7; let layer = LinearConfig::new(8, width * 2).init(device); /*u*/layer.forward(x);",
            "[a, 14]",
        ),
        ("let t = if p { x.clone().sum_dim(1) } else { x.mean_dim(1) }; /*u*/t;", "[a, 1]"),
        ("let t = if p { x.clone() } else { x.mean_dim(1) }; /*u*/t;", "[a, ?]"),
        ("let mut t = x.sum_dim(1); for k in 0..3 { t = t * 2.0; } /*u*/t;", "[a, 1]"),
        ("let mut t = x.clone().sum_dim(1); for k in 0..3 { t = t + x.clone(); } /*u*/t;", "[a, ?]"),
        (
            "let mut t = x.clone(); for k in 0..3 { let b = t.dims()[0]; t = t.reshape([b, 1]); } /*u*/t;",
            "[?, ?]",
        ),
        ("let t = i.float(); /*u*/t.clamp_min(1.0);", "[a]"),
        ("let t: Tensor<T1> = x.sum_dim(1).squeeze(); /*u*/t;", "[a]"),
        ("let t: Tensor<T2> = x.repeat_dim(0, 3); /*u*/t;", "[?, a]"),
        ("let t: Tensor<T2> = v.unsqueeze().repeat_dim(0, 3); /*u*/t;", "[3, a]"),
    ],
)
def test_both_styles(style, code: str, expected: str) -> None:
    for rank in "123":
        code = code.replace(f"<T{rank}>", f"<{rank}>" if style is new else f"<B, {rank}>")
    case = style(code)
    assert shown(case.values.shape(case.marks["u"])) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/x.slice(s![.., -1]);", "[a, 1]"),
        ("/*u*/x.slice(s![n]);", "[1, a]"),
        ("let t = Tensor::<2>::zeros([5, 4], device); /*u*/t.slice(s![1..-1, -3..-1]);", "[3, 2]"),
        ("/*u*/x.slice(s![.., n..n + 1]);", "[a, 1]"),
        ("let r = 0..2; /*u*/x.slice(s![r]);", "[?, a]"),
        ("/*u*/w.slice(s![.., 1..=1]);", "[a, 1, b]"),
        ("let t = Tensor::<2>::zeros([3, 4], device); /*u*/t.slice(s![-2.., ..;2]);", "[2, ?]"),
        ("/*u*/w.slice_dim(1, 4);", "[a, 1, b]"),
        ("let t = w.select_dim::<2>(1, 4); /*u*/t;", "[a, b]"),
        ("let t = x.argmax(1).squeeze_dim::<1>(1); /*u*/t;", "[a]"),
        ("let t = x.argmax(-1).squeeze_dim::<1>(-1); /*u*/t;", "[a]"),
        ("let t = x.unsqueeze_dims::<4>(&[0, -1]); /*u*/t;", "[1, a, b, 1]"),
        ("let t = x.sum_dims(&[0, 1]); /*u*/t;", "[1, 1]"),
        ("/*u*/net.forward(x);", "[a, ?]"),
        ("/*u*/net.column(x);", "[a, 1]"),
        ("/*u*/Relu::new().forward(x.sum_dim(1));", "[a, 1]"),
        (
            "let l = SmoothL1LossConfig::new().init(); let y = x.clone(); /*u*/l.forward(x.sum_dim(1), y.sum_dim(1));",
            "[a, 1]",
        ),
        ("let [b, c] = x.shape().dims(); let t = x.reshape([c, b]); /*u*/t;", "[a, b]"),
    ],
)
def test_new_style(code: str, expected: str) -> None:
    case = new(code)
    assert shown(case.values.shape(case.marks["u"])) == expected


def test_symbols_are_told_apart() -> None:
    case = new("let [b, c] = x.dims(); let t = x.clone().reshape([c, b]); /*u*/t; /*v*/x;")
    swapped, plain = (case.values.shape(case.marks[mark]) for mark in "uv")
    assert swapped is not None and plain is not None
    assert swapped == plain[::-1] and plain[0] != plain[1]


@pytest.mark.parametrize(
    ("span", "size", "expected"),
    [
        (Span(0, 2), 3, 2),
        (Span(2, 5), 3, 1),
        (Span(5, 9), 3, 0),
        (Span(-2, open=True), 3, 2),
        (Span(-9, open=True), 3, 3),
        (Span(0, -9), 3, 0),
        (Span(0, -1), None, None),
        (Span(2, 5), None, None),
        (Span(3, 4), None, 1),
        (Span(3, 3), None, 0),
        (Span(4, 1), None, 0),
        (Span(1, open=True), None, None),
        (Span(0, open=True), Symbol("n"), Symbol("n")),
        (Span(7, index=True), 3, 0),
        (Span(-1, index=True), 3, 1),
        (Span(2, index=True), None, 1),
        (Span(Symbol("i"), Symbol("i", 1)), None, 1),
        (Span(0, 2, step=2), 3, None),
    ],
)
def test_width_of_a_slice(span: Span, size: Size, expected: Size) -> None:
    """As run on burn 0.22.1: a 3 x 2 tensor gives these (`slice` clamps both ends)."""
    assert span.width(size) == expected


def test_meeting_sizes() -> None:
    n, m = Symbol("n"), Symbol("m")
    assert shapes.broadcast([(n, 1), (1, m)]) == (n, m)
    assert shapes.broadcast([(n, 1), (n, 3)]) == (n, 3)
    assert shapes.broadcast([(n,), (m,)]) == (None,)
    assert shapes.broadcast([(None,), (4,)]) == (4,)
    assert shapes.broadcast([(None,), (1,)]) == (None,)
    assert shapes.broadcast([(2,), (3,)]) == (None,)
    assert shapes.broadcast([(1, 1), (1,)]) is None
