"""Autodiff or plain: by the backend type up to burn 0.21, by the creating device from 0.22 on."""

from __future__ import annotations

from typed import OLD, Typed, check

NEW_HEAD = (
    "use burn::prelude::*;\nuse burn::tensor::{Device, Tensor};\nuse burn::nn::{Linear, LinearConfig};\n"
)
OLD_HEAD = """use burn::prelude::*;
use burn::backend::{Autodiff, NdArray, Wgpu};
use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::nn::{Linear, LinearConfig};
"""


def test_the_backend_argument() -> None:
    check(
        OLD_HEAD
        + """
        type Ad = Autodiff<Wgpu>;
        type Cpu = NdArray<f32>;
        fn f<B: AutodiffBackend, P: Backend>(
            a: Tensor<B, 2>, b: Tensor<P, 2>, c: Tensor<Ad, 2>, d: Tensor<Cpu, 2>,
            e: Tensor<B::InnerBackend, 2>, model: Linear<B>,
        ) {
            let a1 = a.clone() * 2.0; //: Tensor<2,Float> autodiff
            let a2 = a.clone().inner(); //: Tensor<2,Float> plain
            let b1 = b.clone(); //: Tensor<2,Float>
            let c1 = c.argmax(1); //: Tensor<2,Int> autodiff
            let d1 = d.mean(); //: Tensor<1,Float> plain
            let e1 = e.clone(); //: Tensor<2,Float> plain
            let m = model.clone(); //: Linear autodiff
            let v = model.valid(); //: Linear plain
            let y = v.forward(e.clone()); //: Tensor<2,Float> plain
            let back = Tensor::<B, 2>::from_inner(e); //: Tensor<2,Float> autodiff
            let w = model.weight.val(); //: Tensor<2,Float> autodiff
        }""",
        OLD,
    )


def test_an_alias_called_backend_and_modules_of_the_package() -> None:
    check(
        OLD_HEAD
        + """
        #[derive(Module, Debug)]
        struct Net<B: Backend> { l: Linear<B> }
        impl<B: Backend> Net<B> { fn go(&self, x: Tensor<B, 2>) -> Tensor<B, 2> { self.l.forward(x) } }
        mod inner { pub type Backend = burn::backend::Autodiff<burn::backend::NdArray>; }
        fn make<B: Backend>() -> Net<B> { todo!() }
        fn f(x: Tensor<inner::Backend, 2>) {
            let net = make::<inner::Backend>(); //: Net autodiff
            let y = net.go(x); //: Tensor<2,Float> autodiff
            let l = net.l.clone(); //: Linear autodiff
            let valid = net.valid(); //: Net plain
            let z = valid.l.weight.val(); //: Tensor<2,Float> plain
        }""",
        OLD,
    )


def test_backward_asks_for_autodiff() -> None:
    check(
        OLD_HEAD
        + """
        fn make<B: Backend>(d: &B::Device) -> Tensor<B, 1> { todo!() }
        fn f<B: AutodiffBackend>(d: &B::Device) {
            let x = make(d); //: Tensor<1,Float> autodiff
            let g = x.backward(); //: Gradients
        }""",
        OLD,
    )


def test_the_creating_device() -> None:
    check(
        NEW_HEAD
        + """fn f(given: &Device) {
            let plain = Device::default(); //: Device plain
            let ad = plain.clone().autodiff(); //: Device autodiff
            let a = Tensor::<2>::zeros([1, 2], &ad); //: Tensor<2,Float> autodiff
            let b = Tensor::<2>::zeros([1, 2], &plain); //: Tensor<2,Float> plain
            let c = Tensor::<2>::zeros([1, 2], given); //: Tensor<2,Float>
            let d = a.clone().inner(); //: Tensor<2,Float> plain
            let e = a.clone() + b.clone(); //: Tensor<2,Float> autodiff
            let g = b.clone() + b.clone(); //: Tensor<2,Float> plain
            let h = b.clone() + c.clone(); //: Tensor<2,Float>
            let i = a.clone().to_device(&plain); //: Tensor<2,Float> autodiff
            let j = b.clone().to_device(&ad); //: Tensor<2,Float> plain
            let k = a.device(); //: Device autodiff
            let l = ad.inner(); //: Device plain
            let m = b.clone().autodiff(); //: Tensor<2,Float> autodiff
            let lin = LinearConfig::new(2, 2).init(&k); //: Linear autodiff
            let y = lin.forward(b.clone()); //: Tensor<2,Float> autodiff
            let v = lin.valid(); //: Linear plain
            let w = v.forward(b.clone()); //: Tensor<2,Float> plain
        }"""
    )


def test_a_value_that_may_be_either_is_unknown() -> None:
    typed = Typed(
        NEW_HEAD
        + """fn f(c: bool) {
            let plain = Device::default();
            let ad = Device::default().autodiff();
            let x = if c { Tensor::<1>::ones([1], &plain) } else { Tensor::<1>::ones([1], &ad) };
            let mut y = Tensor::<1>::ones([1], &plain);
            for _ in 0..3 { y = y + Tensor::<1>::ones([1], &ad); }
            let mut z = Tensor::<1>::ones([1], &plain);
            for _ in 0..3 { z = z.clone() + z; }
        }"""
    )
    modes = {name: typed.local("f", name).mode for name in ("x", "y", "z")}  # type: ignore[union-attr]
    assert modes == {"x": "", "y": "", "z": "plain"}


def test_what_the_package_makes_has_no_known_mode() -> None:
    check(
        NEW_HEAD
        + """
        fn make(d: &Device) -> Tensor<1> { todo!() }
        fn f() {
            let ad = Device::default().autodiff();
            let x = make(&ad); //: Tensor<1,Float>
        }"""
    )


def test_a_default_device_is_found_by_what_it_creates() -> None:
    check(
        NEW_HEAD
        + """fn f() {
            let device = Default::default(); //: Device plain
            let x = Tensor::<2>::zeros([1, 2], &device); //: Tensor<2,Float> plain
            let y = LinearConfig::new(2, 2).init(&device); //: Linear plain
        }"""
    )


def test_back_ends_by_the_inner_crate() -> None:
    check(
        """
        use burn::tensor::Tensor;
        use burn_backend::{AutodiffBackend, backend::Backend};
        struct Held<B: Backend> { x: Tensor<B, 2> }
        fn f<A: AutodiffBackend, B: Backend>(a: Tensor<A, 1>, h: Held<B>) {
            let on = a.clone(); //: Tensor<1,Float> autodiff
            let x = h.x; //: Tensor<2,Float>
        }
        """,
        OLD,
        burn_backend="burn-backend",
    )
