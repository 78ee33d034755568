"""What rustc judged to be wrong once (`tools.soundness`), each with the least source that shows it."""

from __future__ import annotations

from typed import Typed, check, described


def test_ends_of_ranges_that_index_are_of_type_usize() -> None:
    check("""
    use burn::tensor::Tensor;
    fn f(t: Tensor<2>, v: Vec<u8>) {
        let low = 1; //: usize
        let rest = &v[low..]; //: &[u8]
        let high = 2; //: usize
        let part = &t.shape()[..high]; //: &[usize]
    }
    """)


def test_a_number_that_goes_into_something_unknown_is_unknown() -> None:
    check("""
    use other::{Thing, call, make};
    fn f(open: Thing) {
        let a = 1; //: ? number
        call(a);
        let b = 2; //: ? number
        open.take(&b);
        let c = 3; //: ? number
        let d = open + c; //: ?
        let e = [4, 5]; //: [?;2]
        call((e, 0));
        let g = 6; //: ? number
        let h = Thing { size: g, other: 0 }; //: ?
        let i = 7.5; //: ? number
        if i > open.limit() {}
        let j = 8; //: ? number
        let k = make()[j]; //: ?
        let l = 9; //: ? number
        foreign!(l);
        let m = 10; //: i32
        let n = m + 1; //: i32
        println!("{m} {n}");
        let o = 11; //: ? number
        let go = |x| open.take(x); //: fn(?)->?
        go(o);
    }
    """)


def test_the_one_impl_of_a_trait_of_the_package_tells_its_arguments() -> None:
    check("""
    trait Takes<E> { fn take(&mut self, e: E); }
    struct One;
    impl Takes<usize> for One { fn take(&mut self, e: usize) {} }
    struct Two;
    impl Takes<usize> for Two { fn take(&mut self, e: usize) {} }
    impl Takes<u8> for Two { fn take(&mut self, e: u8) {} }
    struct Held<E>(Vec<E>);
    impl<E> Held<E> {
        fn new<X: Takes<E>>(x: X) -> Self { Held(vec![]) }
        fn take(&mut self, e: E) {}
    }
    fn f() {
        let one = Held::new(One); //: Held<usize>
        one.take(2);
        let two = Held::new(Two); //: Held<u8>
        two.take(2u8);
    }
    """)


def test_a_type_is_spelled_by_a_path_that_its_place_may_use() -> None:
    typed = Typed(
        {
            "src/lib.rs": "mod outer; mod here;",
            "src/outer/mod.rs": "mod inner; pub use inner::Shown; pub fn hidden() -> inner::Hidden { todo!() }",
            "src/outer/inner.rs": "pub struct Shown; pub struct Hidden;",
            "src/here.rs": "use crate::outer::hidden; fn make() -> crate::outer::Shown { todo!() }"
            "fn f(shared: std::sync::Arc<u8>) { let a = make(); let b = hidden(); let c = shared.clone(); }",
        }
    )
    types = typed.types("f")
    found = {local.name: types.annotation(local) for local in types.body.locals}
    assert found["a"] == "super::outer::Shown"
    assert found["b"] is None
    assert found["c"] == "std::sync::Arc<u8>"


def test_a_conversion_into_a_generic_says_nothing_of_what_is_given() -> None:
    check("""
    use std::collections::BTreeMap;
    struct Scalar;
    struct Held { all: BTreeMap<String, Scalar> }
    impl Held {
        fn get<V: TryFrom<Scalar>, E: From<Scalar>>(&self, key: &str) -> Option<V> {
            let first = self.all.get(key); //: Option<&Scalar>
            let other = self.all.get(key).map(|scalar| E::from(scalar)); //: Option<E>
            let made = self.all.get(key).and_then(|scalar| V::try_from(scalar).ok()); //: Option<V>
            made
        }
    }
    """)


def test_as_ref_of_a_smart_pointer_is_its_own() -> None:
    check("""
    use std::sync::Arc;
    fn f(shared: Arc<Option<u8>>, boxed: Box<Option<u8>>, plain: Option<u8>) {
        let a = shared.as_ref(); //: &Option<u8>
        let b = boxed.as_ref(); //: &Option<u8>
        let c = plain.as_ref(); //: Option<&u8>
    }
    """)


def test_slices_of_another_crate_are_unknown() -> None:
    check("""
    mod a { use burn::tensor::s; fn f() {
        let x = s![.., 1]; //: [Slice;2]
    } }
    mod b { use ndarray::s; fn g() {
        let x = s![.., 1]; //: ? macro
    } }
    """)


def test_the_error_of_parse_may_be_of_any_type() -> None:
    check("""
    fn f(s: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
        let parts: Result<Vec<_>, _> = s.split(',').map(|p| p.trim().parse()).collect();
        let all = parts?; //: Vec<u8>
        let one: Result<u8, std::num::ParseIntError> = s.parse();
        Ok(all)
    }
    """)


def test_what_waits_is_asked_before_a_reference_is_coerced() -> None:
    check("""
    struct Arg { n: u8 }
    struct Node { inputs: Vec<Arg> }
    fn name_of(arg: &Arg) -> u8 { arg.n }
    impl Node {
        fn in_a_loop(&self) {
            let taken: Vec<_> = self.inputs.iter().take(2).collect(); //: Vec<&Arg>
            for (at, each) in taken.iter().enumerate() { //: &&Arg
                let name = name_of(each); //: u8
            }
        }
        fn by_value(&self) {
            let all: Vec<_> = self.inputs.iter().collect(); //: Vec<&Arg>
            for each in all { //: &Arg
                name_of(&each);
            }
        }
    }
    """)


def test_the_smaller_of_two_references_is_a_reference() -> None:
    check("""
    fn f(n: usize, x: f32, size: Option<usize>) {
        let one = &n;
        let least = one.min(&3); //: &usize
        let most = least.max(one).clamp(&1, &n); //: &usize
        let value = n.min(4); //: usize
        let float = (&x).max(1.0); //: f32
        if let Some(inner) = &size {
            let bound = inner.min(&n); //: &usize
        }
    }
    """)


def test_a_number_that_is_converted_is_of_the_type_that_converts() -> None:
    check("""
    use burn::data::dataset::{Dataset, transform::SamplerDataset};
    struct Size(usize);
    impl From<u16> for Size { fn from(n: u16) -> Self { Size(n as usize) } }
    struct Two;
    impl From<u8> for Two { fn from(n: u8) -> Self { Two } }
    impl From<i32> for Two { fn from(n: i32) -> Self { Two } }
    fn takes<S: Into<Size>>(s: S) {}
    fn either<S: Into<Two>>(s: S) {}
    fn foreign<S: Into<other::Thing>>(s: S) {}
    fn f<D: Dataset<u8>>(dataset: D) {
        let options = 25_000; //: usize
        let sampled = SamplerDataset::new(dataset, options);
        let own = 3; //: u16
        takes(own);
        let two = 4; //: i32
        either(two);
        let open = 5; //: ? number
        foreign(open);
    }
    """)


def test_the_rank_of_an_optimizers_state_is_not_the_generic_of_its_declaration() -> None:
    typed = Typed("""
    use burn::optim::{Adam, Optimizer};
    use burn::tensor::Tensor;
    trait Own { type State<const D: usize>; fn start<const D: usize>(&self) -> Self::State<D>; }
    fn f<O: Own>(adam: &Adam, own: &O, weight: Tensor<2>, gradient: Tensor<2>) {
        let (weight, state) = Optimizer::step(adam, 1e-3, weight, gradient, None);
        let begun = own.start::<2>();
    }
    """)
    assert described(typed.local("f", "state")) == "Option<<Adam as Optimizer>::State>"
    types = typed.types("f")
    assert [types.annotation(local) for local in types.body.locals[-2:]] == [None, None]


def test_an_option_by_a_long_name_is_an_argument_of_a_config() -> None:
    check("""
    use burn::config::Config;
    #[derive(Config, Debug)] struct Training { seed: std::option::Option<u64>, name: Option<String> }
    fn f() {
        let seed = Some(1); //: Option<u64>
        let config = Training::new(seed); //: Training
    }
    """)
