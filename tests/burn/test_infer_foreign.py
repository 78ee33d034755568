"""Names that look like burn's and are not, CubeCL code, broken code: unknown, never wrong."""

from __future__ import annotations

import random

import pytest
from typed import NEW, OLD, Typed, check

from burnlint.burn.api import Api
from burnlint.burn.infer import World
from burnlint.burn.macros import BURN_MACROS
from burnlint.burn.terms import Declared, Named, Unknown, show
from burnlint.rust.lower import body_of
from burnlint.rust.modules import Crate
from burnlint.rust.source import SourceFile


@pytest.mark.parametrize("crate", ["tch", "candle_core", "ndarray"])
def test_tensors_of_other_crates(crate: str) -> None:
    typed = Typed(
        f"use {crate}::Tensor; fn f(x: Tensor) {{ let a = x; let b = Tensor::zeros(3); }}",
        candle_core="candle_core",
    )
    term = typed.local("f", "a")
    assert isinstance(term, Named) and term.name == f"{crate}::Tensor"
    assert isinstance(typed.local("f", "b"), Unknown)


def test_a_type_of_the_package_called_tensor() -> None:
    typed = Typed(
        "pub struct Tensor { n: usize } impl Tensor { fn argmax(&self) -> u8 { 0 } }"
        "fn f(x: Tensor) { let a = x.argmax(); let b = x; }"
    )
    assert show(typed.local("f", "a")) == "u8"
    assert isinstance(typed.local("f", "b"), Declared)


@pytest.mark.parametrize("crate", ["burn", "std", "tch"])
def test_a_crate_is_no_value(crate: str) -> None:
    """As while somebody types the path."""
    typed = Typed(
        f"fn f() {{ let a = ::{crate}(); let b = {crate}; let c = || ::{crate}; let d: {crate} = 1; }}"
    )
    assert all(isinstance(typed.local("f", name), Unknown) for name in "ab")


def test_shadowed_names() -> None:
    check(
        """use burn::tensor::Tensor;
        mod inner { pub struct Tensor<const D: usize>; pub fn f(x: Tensor<2>, y: burn::tensor::Tensor<2>) {
            let a = x; //: Tensor<2>
            let b = y; //: Tensor<2,Float>
        } }
        fn g(x: Tensor<2>) {
            let x = x.argmax(1); //: Tensor<2,Int>
            let relu = |n: u8| n + 1;
            let y = relu(3); //: u8
            { let x = 3u8; }
            let z = x; //: Tensor<2,Int>
            fn inner(x: u16) -> u16 { x }
            let w = inner(3); //: u16
        }"""
    )


def test_renamed_dependency_prelude_and_reexport() -> None:
    check(
        """mod prelude { pub use burn_real::tensor::{Tensor as T, Int}; }
        use crate::prelude::*;
        fn f(x: T<2, Int>) {
            let a = x.float(); //: Tensor<2,Float>
        }""",
        burn_real="burn",
    )


def test_cubecl_code_is_known_as_such() -> None:
    typed = Typed("#[cube] fn kernel(x: &Tensor<f32>) { let a = x[0]; } fn f() {}")
    assert [typed.world.in_cube(fn) for fn in typed.functions()] == [True, False]


def test_broken_and_strange_code() -> None:
    typed = Typed(
        """use burn::tensor::Tensor;
        fn f(x: Tensor<2>, y) {
            let a = x.clone().argmax(;
            let b = x.relu().;
            let c = unknown!(x);
            let d = x.no_such_method().argmax(1);
            let (e, f2) = x;
            let g = Tensor::no_such(3);
            let h: Missing<2> = todo!();
            let i = x.0;
            let j: Tensor<{ 1 + 1 }> = x;
        }"""
    )
    typed.types("f")
    for name in ("c", "e", "g", "h", "i"):
        assert isinstance(typed.local("f", name), Unknown), name


def test_unknown_results_learn_from_later_uses_but_never_through_coercions() -> None:
    check(
        """use burn::tensor::Tensor;
        fn takes(x: Tensor<2>) {} fn sees(x: &Tensor<2>) {} fn slice(x: &[Tensor<2>]) {}
        fn f() {
            let a = other::thing(); //: Tensor<2,Float>
            takes(a);
            let b = other::thing(); //: ?
            sees(&b);
            let c = other::thing(); //: ?
            slice(c);
            let d = other::thing().argmax(1); //: ?
        }"""
    )


@pytest.mark.parametrize("version", [NEW, OLD])
def test_answers_do_not_depend_on_the_order_of_questions(version: str) -> None:
    backend, generic = ("", "") if version == NEW else ("B, ", "<B: Backend>")
    source = f"""use burn::prelude::*;
        struct Net{generic} {{ w: Tensor<{backend}2> }}
        impl{generic} Net{"" if version == NEW else "<B>"} {{
            fn a(&self) -> Tensor<{backend}2> {{ let x = self.w.clone(); self.b(x) }}
            fn b(&self, x: Tensor<{backend}2>) -> Tensor<{backend}2> {{
                let y = x.clone() + self.a(); let i = y.clone().argmax(1); y
            }}
        }}
        fn c(n: usize) -> usize {{ let v = (0..n).map(|i| d(i)).sum(); v }}
        fn d(n: usize) -> usize {{ if n > 0 {{ c(n - 1) }} else {{ let z = n; z }} }}
    """

    def answers(order: list[int]) -> list[str]:
        typed = Typed(source, version)
        functions = typed.functions()
        for at in order:
            typed.world.types_of(body_of(functions[at], BURN_MACROS))
        found = []
        for fn in functions:
            types = typed.world.types_of(body_of(fn, BURN_MACROS))
            found += [show(types.expr(e)) for e in types.body.exprs]
            found += [show(types.local(local)) for local in types.body.locals]
        return found

    count = len(Typed(source, version).functions())
    first = answers(list(range(count)))
    for seed in range(5):
        order = list(range(count))
        random.Random(seed).shuffle(order)
        assert answers(order) == first


def test_a_world_without_crates() -> None:
    assert World([], Api.load(NEW)).crates == []


def test_annotations_can_be_written_where_they_stand() -> None:
    typed = Typed(
        """use burn::tensor::{Tensor, Int as Whole};
        mod other { pub struct Seen; struct Hidden; pub fn hidden() -> Vec<super::other::Seen> { todo!() } }
        fn f(x: Tensor<2>) {
            let a = x.clone(); let b = x.clone().argmax(1); let c = vec![(x.dims(), 1u8)]; let d = |n: u8| n;
            let e = (0..3).map(|n| n); let g = other::hidden(); let h = &x; let i = x.into_data();
            let j = Some("a");
        }"""
    )
    types = typed.types("f")
    spelled = {local.name: types.annotation(local) for local in types.body.locals}
    assert spelled["a"] == "Tensor<2, Float>".replace("Float", "burn::tensor::Float")
    assert spelled["b"] == "Tensor<2, burn::tensor::Int>"
    assert spelled["c"] == "Vec<([usize; 2], u8)>"
    assert spelled["g"] == "Vec<self::other::Seen>"
    assert spelled["h"] == "&Tensor<2, burn::tensor::Float>"
    assert spelled["i"] == "burn::tensor::TensorData"
    assert spelled["j"] == "Option<&str>"
    assert spelled["d"] is None and spelled["e"] is None


def test_annotations_name_associated_types_and_trait_objects() -> None:
    inner = Crate("inner", "src/lib.rs", {"src/lib.rs": SourceFile("src/lib.rs", _INNER)}.get, {})
    typed = Typed(
        """use burn::data::dataloader::DataLoader;
        use std::{any::Any, sync::{Arc, Mutex}, thread::JoinHandle, path::Path};
        mod steps { pub trait Step { type Out; } pub trait Of<T> { type Out; } }
        struct Held<M: steps::Step>(Vec<M::Out>);
        fn f<M: steps::Step, O: steps::Of<u8>>(
            made: <M as steps::Step>::Out, open: O::Out, of: <O as steps::Of<u8>>::Out,
            loader: Arc<dyn DataLoader<<M as steps::Step>::Out>>, thread: JoinHandle<u8>,
            locked: &Mutex<u8>, path: &Path, called: Box<dyn Fn(u8)>, other: inner::shown::Seen,
            shut: inner::Shut, both: &(dyn inner::Named + Sync),
        ) {
            let a = made; let b = open; let c = of; let d = loader; let e = thread.join(); let g = called;
            let h = locked.lock().unwrap(); let i = path; let j = other; let k = shut; let l = both;
        }""",
        inner=inner,
    )
    types = typed.types("f")
    spelled = {local.name: types.annotation(local) for local in types.body.locals[-11:]}
    step = "<M as self::steps::Step>::Out"
    assert spelled["a"] == step
    assert spelled["d"] == f"Arc<dyn DataLoader<{step}>>"
    assert spelled["e"] == "Result<u8, Box<dyn Any + Send>>"
    assert spelled["h"] == "std::sync::MutexGuard<u8>"
    assert spelled["i"] == "&Path"
    assert spelled["j"] == "inner::shown::Seen"
    assert spelled["l"] == "&(dyn inner::Named + Sync)"
    # Which trait it is of is not written; a trait has generics; Fn or FnOnce is not kept; a module is private.
    assert [spelled[name] for name in "bcgk"] == [None] * 4


def test_methods_of_crates_that_are_not_read() -> None:
    check("""
    use anyhow::Context;
    use burn::tensor::{Device, Tensor};
    use clap::Parser;
    #[derive(Parser, Debug)] struct Args { steps: usize }
    struct Other;
    fn takes(device: &Device) {}
    fn f(made: Result<Tensor<2>, String>, maybe: Option<Tensor<1>>, open: foreign::Device) {
        let a = made.context("no tensor").unwrap(); //: Tensor<2,Float>
        let b = maybe.with_context(|| "none"); //: Result<Tensor<1,Float>,?>
        let c = Args::parse().steps; //: usize
        let d = Other::parse(); //: ?
        let e = open.make().into(); //: Device
        takes(&e);
    }
    """)


def test_own_traits_come_before_those_of_other_crates() -> None:
    check("""
    trait Own { fn context(self, n: u8) -> bool; }
    impl<T, E> Own for Result<T, E> { fn context(self, n: u8) -> bool { true } }
    fn f(r: Result<u8, String>) {
        let a = r.context(1); //: bool
    }
    """)


def test_annotations_name_no_inner_crate_beside_burn() -> None:
    source = "fn f(g: G) { let a = g.0; } struct G({}::GradientsParams);"
    both = Typed(source.replace("{}", "burn::optim"), burn_optim="burn-optim")
    alone = Typed(source.replace("{}", "burn_optim"), burn="elsewhere", burn_optim="burn-optim")
    found = [t.annotation(t.body.locals[-1]) for t in (both.types("f"), alone.types("f"))]
    assert found == ["burn::optim::GradientsParams", "burn_optim::GradientsParams"]


_INNER = b"""
pub mod shown { pub struct Seen; }
mod hidden { pub struct Shut; pub trait Named {} }
pub use hidden::Named;
"""


def test_old_annotations_leave_the_backend_open() -> None:
    typed = Typed(
        "use burn::prelude::*; use burn::nn::Linear; fn f<B: Backend>(x: Tensor<B, 2>, l: Linear<B>) {"
        " let a = x.argmax(1); let b = l; }",
        OLD,
    )
    types = typed.types("f")
    spelled = {local.name: types.annotation(local) for local in types.body.locals}
    assert spelled["a"] == "Tensor<_, 2, Int>"
    assert spelled["b"] == "Linear<_>"
