"""Value facts with real names and types of burn, in both styles of its API."""

from __future__ import annotations

import re

import pytest

from burnlint.burn.absence import absent, names
from burnlint.burn.analysis import Analysis
from burnlint.burn.api import Api
from burnlint.burn.crates import Crates
from burnlint.burn.infer import Shared
from burnlint.burn.values import Origin, Reach, Site
from burnlint.rust import hir
from burnlint.rust.source import SourceFile

MARK = re.compile(rb"/\*(\w+)\*/\s*")
NEW = """
use burn::module::Module;
use burn::nn::loss::{MseLoss, Reduction, SmoothL1Loss, SmoothL1LossConfig};
use burn::nn::{Linear, LinearConfig};
use burn::optim::{GradientsParams, ModuleOptimizer, SgdConfig};
use burn::tensor::{Device, Tensor};
use burn::train::RegressionOutput;
#[derive(new)] struct Pair { first: Tensor<2>, #[new(default)] skipped: usize, second: Tensor<2> }
struct Wrapped(Tensor<2>);
#[derive(Module, Debug)]
struct Net { input: Linear, criterion: SmoothL1Loss }
impl Net {
    fn new(device: &Device) -> Net {
        Net { input: LinearConfig::new(2, 2).init(device), criterion: SmoothL1LossConfig::new().init() }
    }
    fn forward(&self, x: Tensor<2>) -> Tensor<2> { self.input.forward(x) }
    fn loss(&self, x: Tensor<2>, y: Tensor<2>) -> Tensor<2> { self.criterion.forward(self.forward(x), y) }
}
"""
OLD = """
use burn::module::Module;
use burn::nn::loss::{MseLoss, Reduction, SmoothL1Loss, SmoothL1LossConfig};
use burn::nn::{Linear, LinearConfig};
use burn::optim::{GradientsParams, Optimizer, SgdConfig};
use burn::tensor::{Tensor, backend::{AutodiffBackend, Backend}};
use burn::train::RegressionOutput;
#[derive(new)]
struct Pair<B: Backend> { first: Tensor<B, 2>, #[new(default)] skipped: usize, second: Tensor<B, 2> }
struct Wrapped<B: Backend>(Tensor<B, 2>);
#[derive(Module, Debug)]
struct Net<B: Backend> { input: Linear<B>, criterion: SmoothL1Loss }
impl<B: Backend> Net<B> {
    fn new(device: &B::Device) -> Self {
        Self { input: LinearConfig::new(2, 2).init(device), criterion: SmoothL1LossConfig::new().init() }
    }
    fn forward(&self, x: Tensor<B, 2>) -> Tensor<B, 2> { self.input.forward(x) }
    fn loss(&self, x: Tensor<B, 2>, y: Tensor<B, 2>) -> Tensor<B, 2> {
        self.criterion.forward(self.forward(x), y)
    }
}
"""


class Case:
    """A file with burn; marked expressions as sites."""

    def __init__(self, source: str, version: str = "0.22.1") -> None:
        content = source.encode()
        self.file = SourceFile("src/lib.rs", content)
        unit = Crates(lambda path: self.file if path == "src/lib.rs" else None).stray("src/lib.rs", None)
        api = Api.load(version)
        analysis = Analysis(unit, api, Shared(api))
        self.values = analysis.values
        bodies = [b for fn in self.file.items.functions if (b := analysis.body(fn)) is not None]
        self.bodies = {b.owner.name: b for b in bodies}
        self.marks: dict[str, Site] = {}
        for mark in MARK.finditer(content):
            starting = [(e, b) for b in bodies for e in b.exprs if e.span[0] == mark.end()]
            e, body = max(starting, key=lambda x: (x[0].span[1], x[0].id))
            self.marks[mark.group(1).decode()] = self.values.site(body, e)

    def key(self, origin: Origin | Site) -> str:
        target = self.values.target(origin)
        return target.key if target is not None else ""

    def operands_reached(self, reaches: list[Reach] | tuple[Reach, ...]) -> set[tuple[str, int]]:
        return {(self.key(r.site), r.index) for r in reaches if r.kind == "operand"}


def new(code: str) -> Case:
    head = "fn f(mut model: Net, mut optim: ModuleOptimizer, x: Tensor<2>, y: Tensor<2>, device: &Device)"
    return Case(f"{NEW} {head} {{ {code} }}")


def old(code: str) -> Case:
    head = (
        "fn f<B: AutodiffBackend, O: Optimizer<Net<B>, B>>"
        "(mut model: Net<B>, mut optim: O, x: Tensor<B, 2>, y: Tensor<B, 2>, device: &B::Device)"
    )
    return Case(f"{OLD} {head} {{ {code} }}", "0.21.0")


BOTH = pytest.mark.parametrize("style", [new, old])


@BOTH
@pytest.mark.parametrize(
    ("code", "states"),
    [
        ("let loss = model.loss(x, y); /*u*/loss;", {"many"}),
        ("let loss = model.loss(x, y).mean(); /*u*/loss;", {"one"}),
        ("let loss = model.criterion.forward(x, y) * 0.5; /*u*/loss;", {"many"}),
        ("let loss = model.loss(x, y); let d = loss.dims(); /*u*/loss / d[0] as f64;", {"scaled"}),
        (
            "let loss = MseLoss::new().forward(model.forward(x), y, Reduction::Mean); /*u*/loss + 1.0;",
            {"one"},
        ),
        ("let loss = (model.forward(x) - y).square(); /*u*/loss;", {"open"}),
        ("let n = x.dims()[0] as f64; /*u*/n * 2.0;", {"number"}),
        ("let loss = model.loss(x, y).mean_dim(1); /*u*/loss;", {"many"}),
        ("let x = x.narrow(0, 3, 1); let loss = model.loss(x, y); /*u*/loss;", {"unknown"}),
        ("let y = y.slice([2..3, 0..1]); let loss = model.loss(x, y); /*u*/loss;", {"unknown"}),
        ("let y = y.slice([0..8]); let loss = model.loss(x, y); /*u*/loss;", {"many"}),
        ("let i = 4; let y = y.slice([i..i + 1]); let loss = model.loss(x, y); /*u*/loss;", {"unknown"}),
        ("let z = y.clone().narrow(0, 3, 1) + y; let loss = model.loss(x, z); /*u*/loss;", {"many"}),
        (
            "let s = x.mean_dim(1); let loss = model.loss(s.unsqueeze_dim::<3>(1).squeeze(), y); /*u*/loss;",
            {"many"},
        ),
        (
            "let s = x.mean_dim(1); let loss = model.loss(s.unsqueeze::<3>().squeeze(), y); /*u*/loss;",
            {"unknown"},
        ),
        ("let loss = model.loss(x, y).mean_dim(-2 + 2); /*u*/loss;", {"unknown"}),
    ],
)
def test_reduction(style, code: str, states: set[str]) -> None:
    case = style(code)
    assert {c.state for c in case.values.reduction(case.marks["u"]).cases} == states


@BOTH
@pytest.mark.parametrize(
    ("code", "states"),
    [
        ("/*u*/model.input.weight.val();", {"parameter"}),
        ("/*u*/model.input.weight.val().detach();", {"parameter"}),
        ("/*u*/model.input.weight.val() * 0.5;", {"tracked"}),
        ("/*u*/(model.input.weight.val() * 0.5).detach();", {"untracked"}),
        ("let w = model.input.weight.val().detach() * 0.5; /*u*/w;", {"tracked"}),
        ("/*u*/model.input.weight.val().inner();", {"plain"}),
        ("/*u*/Tensor::from_inner(model.input.weight.val().inner());", {"untracked"}),
        ("/*u*/model.input.weight.val().set_require_grad(false);", {"untracked"}),
        ("/*u*/model.input.weight.val().set_require_grad(true);", {"leaf"}),
        ("/*u*/model.input.weight.val().argmax(1);", {"untracked"}),
        ("let m = model.input.weight.val().greater_elem(0.0); /*u*/m;", {"untracked"}),
        ("let x = x.require_grad(); /*u*/x;", {"leaf"}),
        ("let x = x.require_grad(); let z = x.clone() + y; /*u*/z;", {"tracked"}),
        ("let x = x.require_grad(); /*u*/x.to_device(device);", {"tracked"}),
        ("let g = x.clone().sum().backward(); let g = x.grad(&g).unwrap(); /*u*/g;", {"plain"}),
        ("/*u*/x;", {"given"}),
        ("/*u*/x * 2.0;", {"given"}),
        ("/*u*/model.forward(x);", {"given"}),
        (
            "let a = if x.dims()[0] > 1 { model.input.weight.val() } else { y.detach() }; /*u*/a;",
            {"parameter", "unknown"},
        ),
        (
            "let w = model.input.weight.val(); let e = w.clone() * 0.9 + w.detach() * 0.1; /*u*/e;",
            {"tracked"},
        ),
    ],
)
def test_tracking(style, code: str, states: set[str]) -> None:
    case = style(code)
    assert {c.state for c in case.values.tracking(case.marks["u"]).cases} == states


@BOTH
@pytest.mark.parametrize(
    ("code", "states"),
    [
        (
            "let loss = model.loss(x.clone(), y.clone()).mean();"
            "let item = RegressionOutput::new(loss, x, y); /*u*/item.loss;",
            {"one"},
        ),
        ("let r = Ok(model.loss(x, y)).map_err(|e: String| e)?; /*u*/r;", {"many"}),
        ("let p = Pair::new(model.loss(x.clone(), y), x); /*u*/p.first;", {"many"}),
        ("let w = Wrapped(model.loss(x, y)); /*u*/w.0;", {"many"}),
    ],
)
def test_fields_that_constructors_fill(style, code: str, states: set[str]) -> None:
    case = style(code)
    assert {c.state for c in case.values.reduction(case.marks["u"]).cases} == states


@BOTH
def test_chain_of_operations(style) -> None:
    case = style(
        "let w = model.input.weight.val().detach(); let c = w.clamp(0.0, 1.0); let r = /*u*/c.require_grad();"
    )
    keys = [case.key(origin) for origin in case.values.chain(case.marks["u"])]
    assert keys == ["Tensor::require_grad", "Tensor::clamp", "Tensor::detach", "Param::val", ""]


@BOTH
def test_a_loss_of_a_method_of_the_package_names_the_call_of_burn(style) -> None:
    case = style("let loss = model.loss(x, y); /*u*/loss;")
    cause = case.values.reduction(case.marks["u"]).causes("many")
    assert [case.key(site) for site in cause] == ["SmoothL1Loss::forward"]


@BOTH
def test_what_becomes_of_gradients(style) -> None:
    case = style(
        "let grads = /*v*/model.loss(x, y).backward();"
        "let grads = GradientsParams::from_grads(grads, &model);"
        "model = optim.step(0.1, model, grads);"
    )
    reached = case.operands_reached(case.values.reaches(case.marks["v"]))
    assert reached == {("GradientsParams::from_grads", 0)}
    onward = case.values.reaches(case.marks["v"], lambda call, index: case.key(call).endswith("from_grads"))
    assert {key.split("::")[-1] for key, _ in case.operands_reached(onward)} == {"from_grads", "step"}


@BOTH
def test_history_of_a_module(style) -> None:
    case = style(
        "let net = Net::new(device); let used = net.forward(x.clone());"
        'println!("{}", net); let net = /*u*/net.fork(device);'
    )
    found = case.values.history(case.values.operands(case.marks["u"])[0])
    assert found.complete
    assert {r.kind for r in found.earlier} >= {"shown", "operand"}
    assert ("Linear::forward", 0) not in case.operands_reached(found.earlier)


@BOTH
def test_same_value_through_clones_and_fields(style) -> None:
    case = style("let a = x.clone(); let finite = /*m*/x.is_finite(); /*r*/a; /*s*/y;")
    tested = case.values.operands(case.marks["m"])[0]
    assert case.values.same(tested, case.marks["r"]) is True
    assert case.values.same(tested, case.marks["s"]) is False


@BOTH
def test_a_method_with_shared_self_changes_nothing(style) -> None:
    case = style("let mut net = Net::new(device); let out = net.forward(x); /*u*/net;")
    origin = case.values.origins(case.marks["u"]).must
    assert origin is not None and isinstance(origin.expr, hir.StructLit)


@BOTH
def test_absence(style) -> None:
    case = style("let loss = model.loss(x, y);")
    body = case.bodies["f"]
    assert absent(case.values, names("Tensor::backward"), body).absent is True
    assert absent(case.values, names("SmoothL1Loss::forward"), body).absent is False


def test_a_trait_method_is_not_looked_into() -> None:
    case = Case(
        NEW
        + """
        trait Objective { fn loss(&self, x: Tensor<2>) -> Tensor<1> { x.mean() } }
        fn f<T: Objective>(objective: &T, x: Tensor<2>) { let loss = objective.loss(x); /*u*/loss; }
        """
    )
    assert {c.state for c in case.values.reduction(case.marks["u"]).cases} == {"open"}
    assert absent(case.values, names("Tensor::backward"), case.bodies["f"]).absent is None


ONE = """
trait Score { fn score(&self, x: Tensor<2>) -> Tensor<1>; fn twice(&self, x: Tensor<2>) -> Tensor<1> { x.sum() } }
struct Mean;
impl Score for Mean { fn score(&self, x: Tensor<2>) -> Tensor<1> { x.mean() } }
"""
OTHER = "struct Other; impl Score for Other { fn score(&self, x: Tensor<2>) -> Tensor<1> { x.sum() } }"


@pytest.mark.parametrize(
    ("items", "key"),
    [
        (ONE, "Tensor::mean"),
        (ONE.replace("trait Score", "pub(crate) trait Score"), "Tensor::mean"),
        (ONE.replace("trait Score", "pub trait Score") + "fn main() {}", "Tensor::mean"),
        # Others may implement it.
        (ONE.replace("trait Score", "pub trait Score"), ""),
        (ONE + OTHER, ""),
        (ONE + "#[cfg(test)] " + OTHER.replace("impl", "#[cfg(test)] impl"), ""),
        (ONE.replace("trait Score", "#[automock] trait Score"), ""),
        (ONE + "mod m { use super::{Score as Named, *}; " + OTHER.replace("Score", "Named") + "}", ""),
        (ONE + "make! { struct Other; impl Score }", ""),
        (ONE + "#[derive(Score)] struct Derived;", ""),
        (ONE + 'include!("more.rs");', ""),
        (ONE.replace("impl Score", '#[cfg(feature = "a")] impl Score'), ""),
    ],
)
@pytest.mark.parametrize("receiver", ["impl Score", "&dyn Score"])
def test_a_trait_that_only_one_type_can_implement(items: str, key: str, receiver: str) -> None:
    case = Case(
        f"use burn::tensor::Tensor; {items} fn f(s: {receiver}, x: Tensor<2>) {{ let y = s.score(x); /*u*/y; }}"
    )
    origin = case.values.origins(case.marks["u"]).must
    assert origin is not None and case.key(origin) == key


@pytest.mark.parametrize(
    ("items", "receiver", "key"),
    [
        (ONE, "&dyn Score", "Tensor::sum"),
        (ONE, "&Mean", "Tensor::sum"),
        (ONE + OTHER, "&Mean", "Tensor::sum"),
        (ONE + OTHER, "&dyn Score", ""),
        (
            ONE + "impl Mean { fn twice(&self, x: Tensor<2>) -> Tensor<1> { x.max() } }",
            "&Mean",
            "Tensor::max",
        ),
        # The macro may implement it with a method of its own.
        (ONE + "make! { struct Other; impl Score }", "&dyn Score", ""),
        (
            "trait Score { fn twice(&self, x: Tensor<2>) -> Tensor<1> { x.sum() } } impl<T> Score for T {}"
            " struct Mean;",
            "&Mean",
            "",
        ),
    ],
)
def test_a_method_that_an_impl_leaves_to_the_trait(items: str, receiver: str, key: str) -> None:
    case = Case(
        f"use burn::tensor::Tensor; {items} fn f(s: {receiver}, x: Tensor<2>) {{ let y = s.twice(x); /*u*/y; }}"
    )
    origin = case.values.origins(case.marks["u"]).must
    assert origin is not None and case.key(origin) == key


def test_a_name_that_only_a_macro_can_declare_is_unknown() -> None:
    case = new("cfg_if! { if #[cfg(a)] { let z = x; } else { let z = y; } } /*u*/z; /*v*/LIMIT;")
    origins = case.values.origins(case.marks["u"])
    assert not origins.known and "declares `z`" in origins.items[0].why
    limit = case.values.origins(case.marks["v"]).must
    assert limit is not None and limit.kind == "item"
