"""Types of tensors, modules and what surrounds them, in both styles of burn's API."""

from __future__ import annotations

import pytest
from typed import NEW, OLD, Typed, check

from burnlint.burn.terms import Unknown, show

HEAD = {
    NEW: "use burn::prelude::*;\nuse burn::tensor::{Device, Tensor};\n",
    OLD: "use burn::prelude::*;\nuse burn::tensor::backend::{AutodiffBackend, Backend};\n",
}


def both(body: str, items: str = "") -> None:
    """Check a body in both styles; the old one writes `Tensor[2]]` with a backend. `dev` is a device."""
    for version, generic, device, backend in (
        (NEW, "", "Device", ""),
        (OLD, "<B: Backend>", "B::Device", "B, "),
    ):
        text = items + f"fn f[B: Backend](dev: &{device}) {{{body}}}"
        text = (
            text.replace("Tensor[", f"Tensor<{backend}").replace("]]", ">").replace("[B: Backend]", generic)
        )
        check(HEAD[version] + text, version)


def test_constructors_and_turbofish() -> None:
    both("""
        let d: Tensor[3]] = Tensor::ones([1, 2, 3], dev); //: Tensor<3,Float>
        let e = Tensor::zeros_like(&d); //: Tensor<3,Float>
        let i: Tensor[1, Int]] = Tensor::arange(0..3, dev); //: Tensor<1,Int>
    """)
    check(
        HEAD[NEW]
        + """fn f(dev: &Device) {
            let a = Tensor::<2>::zeros([2, 3], dev); //: Tensor<2,Float>
            let b = Tensor::<2, Int>::ones([2, 3], dev); //: Tensor<2,Int>
        }"""
    )
    check(
        HEAD[OLD]
        + """fn f<B: Backend>(dev: &B::Device) {
            let a = Tensor::<B, 2>::zeros([2, 3], dev); //: Tensor<2,Float>
            let b = Tensor::<B, 2, Int>::ones([2, 3], dev); //: Tensor<2,Int>
        }""",
        OLD,
    )


def test_methods_change_rank_and_kind() -> None:
    both("""
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        let am = x.clone().argmax(1); //: Tensor<2,Int>
        let eq = am.clone().equal(am.clone()); //: Tensor<2,Bool>
        let s = am.clone().squeeze_dim::<1>(1); //: Tensor<1,Int>
        let r = x.clone().reshape([3, 2, 1]); //: Tensor<3,Float>
        let m = x.clone().mean(); //: Tensor<1,Float>
        let f = eq.float(); //: Tensor<2,Float>
        let u = x.clone().unsqueeze::<4>(); //: Tensor<4,Float>
        let t = x.clone().transpose(); //: Tensor<2,Float>
        let [a, b] = x.dims(); //: usize
        let data = x.into_data(); //: TensorData
    """)


def test_a_rank_that_a_later_use_decides() -> None:
    both(
        """
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        let s = x.clone().squeeze(); //: Tensor<1,Float>
        takes(s);
        let z = Tensor::zeros([4], dev); //: Tensor<1,Float>
        takes(z);
    """,
        "fn takes[B: Backend](x: Tensor[1]]) {}\n",
    )


def test_operators() -> None:
    both("""
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        let a = x.clone() + x.clone(); //: Tensor<2,Float>
        let b = x.clone() * 2.0; //: Tensor<2,Float>
        let c = 2.0 * x.clone(); //: Tensor<2,Float>
        let d = -x.clone(); //: Tensor<2,Float>
        let e = (x.clone() - 1).powf_scalar(2.0).mean(); //: Tensor<1,Float>
        let n = 1 + 2; //: i32
        let u = x.dims()[0] + 1; //: usize
        let v = (u as f32 / 2.0).sqrt(); //: f32
        let w = u == 3; //: bool
    """)


def test_path_calls_are_method_calls() -> None:
    both("""
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        let a = Tensor::argmax(x.clone(), 1); //: Tensor<2,Int>
        let b = Tensor::cat(vec![x.clone(), x.clone()], 0); //: Tensor<2,Float>
        let c = Tensor::stack::<3>(vec![x.clone(), x], 0); //: Tensor<3,Float>
    """)


def test_fields_and_functions_of_the_package() -> None:
    check(
        HEAD[NEW]
        + """use burn::{module::Param, nn::{Linear, LinearConfig}};
        #[derive(Module, Debug)]
        struct Model { linear: Linear, scale: Param<Tensor<1>> }
        impl Model {
            fn forward(&self, x: Tensor<2>) -> Tensor<2> { self.linear.forward(x) }
            fn both(&self, x: Tensor<2>) -> (Tensor<2>, Tensor<1, Int>) { todo!() }
        }
        fn make(dev: &Device) -> Model { todo!() }
        fn f(dev: &Device) {
            let model = make(dev); //: Model
            let l = model.linear.clone(); //: Linear
            let w = model.linear.weight.val(); //: Tensor<2,Float>
            let t = model.scale.val(); //: Tensor<1,Float>
            let b = model.linear.bias.clone().map(|p| p.val()); //: Option<Tensor<1,Float>>
            let y = model.forward(Tensor::zeros([1, 2], dev)); //: Tensor<2,Float>
            let (p, q) = model.both(y); //: Tensor<1,Int>
            let v = model.scale.clone() * 2.0; //: ?
            let d = (*model.scale).clone(); //: Tensor<1,Float>
            let s = model.scale.dims(); //: [usize;1]
        }"""
    )
    check(
        HEAD[OLD]
        + """use burn::{module::Param, nn::{Linear, LinearConfig}};
        #[derive(Module, Debug)]
        struct Model<B: Backend> { linear: Linear<B>, scale: Param<Tensor<B, 1>> }
        impl<B: Backend> Model<B> {
            fn forward(&self, x: Tensor<B, 2>) -> Tensor<B, 2> { self.linear.forward(x) }
        }
        fn make<B: Backend>(dev: &B::Device) -> Model<B> { todo!() }
        fn f<B: Backend>(dev: &B::Device) {
            let model = make::<B>(dev); //: Model
            let l = model.linear.clone(); //: Linear
            let w = model.linear.weight.val(); //: Tensor<2,Float>
            let y = model.forward(Tensor::zeros([1, 2], dev)); //: Tensor<2,Float>
        }""",
        OLD,
    )


def test_configs_optimizers_losses_and_gradients() -> None:
    check(
        HEAD[NEW]
        + """use burn::nn::{Linear, LinearConfig, loss::{CrossEntropyLossConfig, MseLoss, Reduction}};
        use burn::optim::*;
        #[derive(Config, Debug)]
        struct TrainConfig { epochs: usize, #[config(default = 1e-3)] lr: f64, name: Option<String> }
        fn f(dev: &Device) {
            let config = TrainConfig::new(3).with_lr(0.1); //: TrainConfig
            let lr = config.lr; //: f64
            let linear = LinearConfig::new(2, 2).with_bias(false).init(dev); //: Linear
            let mut optim = AdamConfig::new().init(); //: ModuleOptimizer
            let x = linear.forward(Tensor::<2>::zeros([1, 2], dev)); //: Tensor<2,Float>
            let loss = MseLoss::new().forward(x.clone(), x.clone(), Reduction::Mean); //: Tensor<1,Float>
            let grads = loss.backward(); //: Gradients
            let params = GradientsParams::from_grads(grads, &linear); //: GradientsParams
            let linear = optim.step(lr, linear, params); //: Linear
            let ce = CrossEntropyLossConfig::new().init(dev); //: CrossEntropyLoss
        }"""
    )


def test_files_of_a_crate_and_another_crate_of_the_workspace() -> None:
    from burnlint.rust.modules import Crate
    from burnlint.rust.source import SourceFile

    shared = SourceFile(
        "shared/lib.rs",
        b"use burn::tensor::Tensor; pub struct Batch { pub images: Tensor<3> }\n"
        b"pub fn load() -> Batch { todo!() }",
    )
    other = Crate("shared", "shared/lib.rs", {"shared/lib.rs": shared}.get, {"burn": "burn"})
    check(
        {
            "src/lib.rs": HEAD[NEW]
            + """mod model; use model::Model;
                fn f(m: &Model) {
                    let w = m.weight.val(); //: Tensor<2,Float>
                    let b = shared::load().images; //: Tensor<3,Float>
                }""",
            "src/model.rs": """use burn::{module::Param, tensor::Tensor};
                pub struct Model { pub weight: Param<Tensor<2>> }""",
        },
        shared=other,
    )


@pytest.mark.parametrize("version", [NEW, OLD])
def test_loaders_yield_by_version(version: str) -> None:
    batch = "Result<Batch,DatasetError>" if version == NEW else "Batch"
    backend = "" if version == NEW else "B, "
    generic = "" if version == NEW else "<B: Backend>"
    check(
        HEAD[version]
        + f"""use burn::data::dataloader::DataLoader; use std::sync::Arc;
        struct Batch {{ n: usize }}
        fn f{generic}(loader: Arc<dyn DataLoader<{backend}Batch>>) {{
            for item in loader.iter() {{ //: {batch}
            }}
            for (i, item) in loader.iter().enumerate() {{ //: {batch}
            }}
        }}""",
        version,
    )


def test_answers_of_calls() -> None:
    typed = Typed(
        HEAD[NEW]
        + """fn own(x: Tensor<2>) -> Tensor<2> { x }
        fn f(x: Tensor<2>) {
            let a = x.clone().argmax(1); let b = Tensor::argmax(x.clone(), 1); let c = own(x);
        }"""
    )
    types = typed.types("f")
    from burnlint.rust import hir

    calls = [e for e in types.body.exprs if isinstance(e, hir.MethodCall | hir.Call)]
    by_text = {typed.files["src/lib.rs"].text.decode(*e.span): e for e in calls}
    method, path, own = (
        by_text["x.clone().argmax(1)"],
        by_text["Tensor::argmax(x.clone(), 1)"],
        by_text["own(x)"],
    )
    for call in (method, path):
        callee = types.callee(call)
        assert callee is not None and callee.signature is not None
        assert (callee.signature.owner, callee.name, callee.fn) == ("Tensor", "argmax", None)
        assert callee.owner is not None and show(callee.owner) == "Tensor<2,Float>"
    callee = types.callee(own)
    assert callee is not None and callee.fn is not None and callee.fn.name == "own"


def test_causes_and_statistics() -> None:
    typed = Typed(
        HEAD[NEW] + "fn f() { let a = other::thing(); let b = a.relu(); let c: Tensor<2> = todo!(); }"
    )
    types = typed.types("f")
    assert isinstance(typed.local("f", "a"), Unknown)
    assert "method relu of an unknown value" in {types.unknown_cause(e) for e in types.body.exprs}
    assert sum(types.causes().values()) >= 2


def test_contradictions_are_counted() -> None:
    typed = Typed(HEAD[NEW] + "fn g(x: Tensor<1>) {} fn f(x: Tensor<2>) { g(x); }")
    ((place, a, b),) = typed.types("f").contradictions
    assert typed.files["src/lib.rs"].text.decode(*place.span) == "x"
    assert {show(a), show(b)} == {"2", "1"}


def test_a_tensor_with_an_unknown_operand_stays_a_tensor_of_its_rank() -> None:
    both("""
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        let a = x.clone() - other::scalar(); //: Tensor<2,Float>
        let b = other::scalar() * x; //: ?
    """)


def test_generics_of_supertraits() -> None:
    both(
        """
        let x: Tensor[2]] = Tensor::zeros([2, 3], dev);
        uses(x, N);
    """,
        """trait Model<I, O> { fn go(&self, i: I) -> O; }
        trait Policy<T>: Model<T, usize> {}
        struct N;
        fn uses<T, P: Policy<T>>(t: T, p: P) {
            let n = p.go(t); //: usize
        }
        """,
    )


STORES = """
use burn::module::Module;
use burn::nn::Linear;
use burn::store::{BurnpackStore, ModuleSnapshot};

#[derive(Module, Debug)]
struct Net GENERICS { fc: LINEAR }

fn of_burn(model: &mut LINEAR_B) {
    let got = model.load_from(&mut BurnpackStore::from_file("a")).unwrap(); //: ApplyResult
}
fn derived(model: &mut NET_B) {
    let got = ModuleSnapshot::load_from(model, &mut BurnpackStore::from_file("a")).unwrap(); //: ApplyResult
    let n = got.applied.len(); //: usize
}
fn bound<M: MODULE>(model: &mut M) {
    let got = model.load_from(&mut BurnpackStore::from_file("a")).unwrap(); //: ApplyResult
}
struct Plain;
fn no_module(model: &mut Plain) {
    let got = model.load_from(&mut BurnpackStore::from_file("a")).unwrap(); //: ?
}
"""


def test_a_trait_of_burn_that_every_module_has() -> None:
    new = {"GENERICS": "", "LINEAR_B": "Linear", "LINEAR": "Linear", "NET_B": "Net", "MODULE": "Module"}
    text = STORES
    for name, value in new.items():
        text = text.replace(name, value)
    check(text)
    old = STORES.replace("fn of_burn", "fn of_burn<B: Backend>").replace(
        "fn derived", "fn derived<B: Backend>"
    )
    old = old.replace("<M: MODULE>", "<B: Backend, M: Module<B>>").replace("LINEAR_B", "Linear<B>")
    old = old.replace("LINEAR", "Linear<B>").replace("NET_B", "Net<B>").replace("GENERICS", "<B: Backend>")
    check("use burn::prelude::*;\n" + old, OLD)


def test_a_trait_of_the_workspace_that_declares_the_method_too() -> None:
    check("""
        use burn::nn::Linear;
        trait Source { fn load_from(&mut self, path: &str) -> usize; }
        fn f(model: &mut Linear) {
            let got = model.load_from("a"); //: ?
        }
    """)


def test_associated_types_with_generics() -> None:
    check("""
    use burn::tensor::{Device, Tensor};
    trait Rule { type State<const D: usize>; fn to<const D: usize>(s: Self::State<D>) -> Self::State<D>; }
    struct Held<const D: usize> { moment: Tensor<D> }
    struct Lion;
    impl Rule for Lion {
        type State<const R: usize> = Held<R>;
        fn to<const D: usize>(s: Self::State<D>) -> Self::State<D> {
            let moment = s.moment; //: Tensor<D,Float>
            Held { moment }
        }
    }
    impl Lion {
        fn of(s: <Self as Rule>::State<2>) {
            let moment = s.moment; //: ?
        }
    }
    """)
