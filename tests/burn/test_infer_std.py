"""Types through Rust itself: patterns, branches, closures, iterators, collections, generics, conversions."""

from __future__ import annotations

import pytest
from typed import check

HEAD = (
    "use burn::tensor::{Device, Int, Tensor};\nuse std::collections::HashMap;\nuse std::sync::{Arc, Mutex};\n"
)


def body(text: str, items: str = "") -> None:
    """Check a body of `f(x, t, o)`: a rank 2, a rank 1 and Int, an Option of the first."""
    check(
        HEAD
        + items
        + "fn f(x: Tensor<2>, t: Tensor<1, Int>, o: Option<Tensor<2>>, dev: &Device) {"
        + text
        + "}"
    )


def test_tuples_structs_and_slices() -> None:
    body(
        """
        let (a, b) = (x.clone(), t.clone()); //: Tensor<1,Int>
        let P { left, right } = P { left: x.clone(), right: 3 }; //: usize
        let P { left: renamed, .. } = &P { left: x.clone(), right: 3 }; //: &Tensor<2,Float>
        let (first, .., last) = (1u8, 2u16, x.clone()); //: Tensor<2,Float>
        let [p, q] = [x.clone(), x.clone()]; //: Tensor<2,Float>
        let Q(inner) = Q(t.clone()); //: Tensor<1,Int>
        let nested = ((x.clone(), 1), t.clone()).0.0; //: Tensor<2,Float>
    """,
        "struct P { left: Tensor<2>, right: usize } struct Q(Tensor<1, Int>);",
    )


def test_match_if_let_and_let_else() -> None:
    body(
        """
        let a = match &o { Some(inner) => inner.clone(), None => x.clone() }; //: Tensor<2,Float>
        if let Some(inner) = &o { //: &Tensor<2,Float>
        }
        if let Some(inner) = o.clone() { //: Tensor<2,Float>
        }
        let Some(b) = o.clone() else { return }; //: Tensor<2,Float>
        while let Some(c) = o.as_ref() { //: &Tensor<2,Float>
        }
        let d = if true { x.clone() } else { panic!() }; //: Tensor<2,Float>
        let e = match E::A(t.clone()) { E::A(i) | E::B { i } => i }; //: Tensor<1,Int>
        let g = loop { break x.clone(); }; //: Tensor<2,Float>
        let h = 'out: { if true { break 'out 1usize; } 2 }; //: usize
        let i = matches!(o, Some(_)); //: bool
    """,
        "enum E { A(Tensor<1, Int>), B { i: Tensor<1, Int> } }",
    )


def test_results_and_question_marks() -> None:
    check(
        HEAD
        + """
        fn load() -> Result<Tensor<2>, String> { todo!() }
        fn f() -> Result<(), String> {
            let a = load()?; //: Tensor<2,Float>
            let b = load().ok(); //: Option<Tensor<2,Float>>
            let c = load().map(|x| x.argmax(1)); //: Result<Tensor<2,Int>,String>
            let d = load().map_err(|e| e.len()).unwrap_or_else(|n| todo!()); //: Tensor<2,Float>
            let e = load().and_then(|x| Ok(x.dims())); //: Result<[usize;2],String>
            let g = load().unwrap().into_scalar::<f32>(); //: f32
            Ok(())
        }"""
    )


def test_iterators_and_closures() -> None:
    body("""
        let xs = vec![x.clone(), x.clone()]; //: Vec<Tensor<2,Float>>
        let a: Vec<_> = xs.iter().map(|e| e.clone().argmax(1)).collect(); //: Vec<Tensor<2,Int>>
        let b = xs.iter().zip(a.iter()).map(|(p, q)| q.clone()).collect::<Vec<_>>(); //: Vec<Tensor<2,Int>>
        for (i, e) in xs.iter().enumerate() { //: &Tensor<2,Float>
        }
        for e in xs.clone() { //: Tensor<2,Float>
        }
        for e in &xs { //: &Tensor<2,Float>
        }
        for i in 0..xs.len() { //: usize
        }
        let c = xs.first(); //: Option<&Tensor<2,Float>>
        let d = xs.clone().into_iter().reduce(|p, q| p + q); //: Option<Tensor<2,Float>>
        let e = xs.iter().fold(x.clone(), |acc, each| acc + each.clone()); //: Tensor<2,Float>
        let g = xs.chunks(2).map(|chunk| Tensor::cat(chunk.to_vec(), 0)).next(); //: Option<Tensor<2,Float>>
        let h: Result<Vec<_>, u8> = xs.iter().cloned().map(Ok).collect(); //: Result<Vec<Tensor<2,Float>>,u8>
        let k = (0..3).filter(|i| i % 2 == 0).map(|i| x.clone() * i).last(); //: Option<Tensor<2,Float>>
        let scale = |v: Tensor<2>, by: f32| v * by;
        let m = scale(x.clone(), 2.0); //: Tensor<2,Float>
        let n = xs[0].clone(); //: Tensor<2,Float>
        let r = xs[0..1].to_vec(); //: Vec<Tensor<2,Float>>
        let (left, right): (Vec<_>, Vec<_>) = xs.iter().map(|e| (e.clone(), 1u8)).unzip(); //: Vec<u8>
        let flat = vec![xs.clone()].into_iter().flatten().collect::<Vec<_>>(); //: Vec<Tensor<2,Float>>
        let total = xs.iter().map(|e| e.dims()[0]).max().unwrap_or(0); //: usize
    """)


def test_collections_and_smart_pointers() -> None:
    body("""
        let mut v = Vec::new(); //: Vec<Tensor<1,Int>>
        v.push(t.clone());
        let mut map = HashMap::new(); //: HashMap<String,Tensor<2,Float>>
        map.insert("a".to_string(), x.clone());
        let a = map.get("a"); //: Option<&Tensor<2,Float>>
        for (k, e) in &map { //: &Tensor<2,Float>
        }
        let b = map.entry("b".to_string()).or_insert(x.clone()); //: &mut Tensor<2,Float>
        let c = Arc::new(Mutex::new(x.clone()));
        let d = c.lock().unwrap().clone(); //: Tensor<2,Float>
        let e = Box::new(x.clone()); //: Box<Tensor<2,Float>>
        let g = e.clone().argmax(0); //: Tensor<2,Int>
        let h = *e; //: Tensor<2,Float>
        let mut none = None; //: Option<Tensor<2,Float>>
        none = Some(x.clone());
        let k = std::mem::take(&mut v); //: Vec<Tensor<1,Int>>
        let l = Some(x.clone()).take().unwrap(); //: Tensor<2,Float>
    """)


def test_late_numbers_casts_and_ranges() -> None:
    body("""
        let a = 3; //: i32
        let b = 3; //: usize
        let c = x.dims()[b]; //: usize
        let d = 1.5; //: f64
        let e = d as f32; //: f32
        let g = 0..10u8; //: Range<u8>
        let h = [0.0f32; 4]; //: [f32;4]
        let k = 2u64.pow(3); //: u64
        let mut m = 4; //: usize
        m = m.max(c);
        let n = -1i64; //: i64
        let p = !true; //: bool
        let q = "a".len(); //: usize
        let r = format!("{a}"); //: String
        let s = 1_000; //: i64
        let u: i64 = s;
    """)


def test_generics_of_the_package_and_trait_methods() -> None:
    body(
        """
        let a = same(x.clone()); //: Tensor<2,Float>
        let b = twice(|v: Tensor<2>| v.argmax(1), x.clone()); //: Tensor<2,Int>
        let w = Wrap { inner: t.clone() }; //: Wrap<Tensor<1,Int>>
        let c = w.get(); //: &Tensor<1,Int>
        let d = w.into_inner(); //: Tensor<1,Int>
        let e = x.describe(); //: String
        let g = Thing.run(); //: Tensor<3,Float>
        let h = boxed().run(); //: ?
        let k = opaque().next(); //: Option<Tensor<2,Float>>
        let l = ranked::<4>(dev); //: Tensor<4,Float>
        let m = <Thing as Run>::make(); //: Tensor<3,Float>
        let n = hidden(&Thing); //: Tensor<3,Float>
    """,
        """
        fn same<T>(v: T) -> T { v }
        fn twice<A, R, F: Fn(A) -> R>(f: F, a: A) -> R { f(a) }
        struct Wrap<T> { inner: T }
        impl<T> Wrap<T> { fn get(&self) -> &T { &self.inner } fn into_inner(self) -> T { self.inner } }
        trait Describe { fn describe(&self) -> String; }
        impl Describe for Tensor<2> { fn describe(&self) -> String { todo!() } }
        trait Run { type Out; fn run(&self) -> Self::Out; fn make() -> Self::Out; }
        struct Thing;
        impl Run for Thing {
            type Out = Tensor<3>; fn run(&self) -> Tensor<3> { todo!() } fn make() -> Tensor<3> { todo!() }
        }
        fn boxed() -> Box<dyn std::any::Any> { todo!() }
        fn opaque() -> impl Iterator<Item = Tensor<2>> { todo!() }
        fn ranked<const D: usize>(dev: &Device) -> Tensor<D> { todo!() }
        fn hidden<R: Run>(r: &R) -> R::Out { r.run() }
        """,
    )


def test_bounds_inside_a_generic_function() -> None:
    check(
        HEAD
        + """
        trait Net<I, O> { fn go(&self, i: I) -> O; fn twin(&self) -> Self; }
        fn f<const D: usize, T: Clone, N: Net<Tensor<D>, Tensor<2, Int>>>(
            x: Tensor<D>, t: &T, n: N, s: impl Into<String>, each: impl Fn(usize) -> Tensor<D>, items: &[T],
        ) {
            let a = x.clone().argmax(1); //: Tensor<D,Int>
            let b = n.go(x.clone()); //: Tensor<2,Int>
            let c = t.clone(); //: T
            let d = s.into(); //: String
            let e = each(3); //: Tensor<D,Float>
            let g = items.iter().next(); //: Option<&T>
            let h = n.twin(); //: N
            let k = x.dims(); //: [usize;D]
            let l = D; //: usize
        }"""
    )


def test_self_associated_types_aliases_and_deref() -> None:
    check(
        HEAD
        + """
        type Image = Tensor<3>;
        type Pair<T> = (T, T);
        struct Store { image: Image }
        impl std::ops::Deref for Store { type Target = Image; fn deref(&self) -> &Image { &self.image } }
        impl Store {
            const SIZE: usize = 3;
            fn new() -> Self { todo!() }
            fn f(&self, p: Pair<Tensor<1>>) {
                let a = self.image.clone(); //: Tensor<3,Float>
                let b = Self::new(); //: Store
                let c = p.0; //: Tensor<1,Float>
                let d = self.dims(); //: [usize;3]
                let e = Self::SIZE; //: usize
                let g = Store { image: a.clone() }.image; //: Tensor<3,Float>
                let h = (**self).clone(); //: Tensor<3,Float>
            }
        }
        impl Iterator for Store { type Item = Tensor<1>; fn next(&mut self) -> Option<Tensor<1>> { None } }
        fn g(s: Store) {
            for each in s { //: Tensor<1,Float>
            }
        }
        fn h(s: Store) {
            let a = s.map(|e| e.dims()[0]).collect::<Vec<_>>(); //: Vec<usize>
        }"""
    )


def test_into_takes_the_type_that_is_asked_for() -> None:
    body(
        """
        let a: f64 = 3.into(); //: f64
        let b = takes(4u8.into()); //: Tensor<1,Float>
        let c: String = "a".into(); //: String
        let d = x.dims().map(|n| n as i32); //: [i32;2]
    """,
        "fn takes(n: u64) -> Tensor<1> { todo!() }",
    )


def test_async_functions_and_blocks() -> None:
    check(
        HEAD
        + """
        async fn load() -> Tensor<2> { todo!() }
        async fn f() {
            let a = load().await; //: Tensor<2,Float>
            let b = async { load().await.argmax(1) }.await; //: Tensor<2,Int>
        }"""
    )


def test_cfg_alternatives_are_known_only_where_they_agree() -> None:
    body("""
        #[cfg(feature = "a")]
        let a = x.clone();
        #[cfg(not(feature = "a"))]
        let a = t.clone(); //: ? cfg
        #[cfg(feature = "a")]
        let b = x.clone();
        #[cfg(not(feature = "a"))]
        let b = x.clone().relu(); //: ?
        #[cfg(feature = "a")]
        let c = 1usize;
        #[cfg(not(feature = "a"))]
        let c = 2usize; //: usize
    """)


def test_a_late_value_under_alternatives_is_not_decided_by_one() -> None:
    body(
        """
        let v = Vec::new(); //: Vec<?>
        #[cfg(feature = "a")]
        ints(&v);
        #[cfg(feature = "b")]
        floats(&v);
    """,
        "fn ints(v: &Vec<u8>) {} fn floats(v: &Vec<f32>) {}",
    )


@pytest.mark.parametrize("depth", [50, 1500])
def test_long_chains(depth: int) -> None:
    chain = ".clone()" * depth
    body(f"let a = x{chain}; //: Tensor<2,Float>\n")


def test_numbers_that_are_compared_are_of_one_type() -> None:
    body("""
        let shape = [25, 30]; //: [usize;2]
        assert_eq!(shape, x.dims());
        let a = if true { 3 } else { 4 }; //: usize
        let b = 2; //: usize
        assert_eq!(vec![0u8].len(), a * b);
        let c = 3; //: usize
        let same = x.dims()[0] == c;
        let d = (1, 2); //: (usize,u8)
        assert_ne!(d, (x.dims()[0], 3u8));
        let e = Some(4); //: Option<u64>
        assert_eq!(e, Some(4u64));
        let low = 0.0; //: f32
        let inside = (low..=1.0).contains(&1f32);
        let v = vec![1, 2]; //: Vec<u8>
        assert_eq!(&v[..], [1u8, 2]);
        let at = 1; //: usize
        let size = x.shape()[at]; //: usize
    """)


def test_numbers_that_rustc_may_know_better_get_no_default() -> None:
    body(
        """
        let a = 3; //: ? unknown use
        other::thing(a, 4.0);
        let b = 5; //: ? unknown use
        let c = other::thing() * b;
        let d = 2; //: ? unknown use
        unknown!(d);
        let e = 7; //: u64
        only(e);
        let g = 8; //: i32
        several(g);
        let h = 1; //: usize
        let part = &vec![x.clone()][h..2];
    """,
        """
        trait Only {} impl Only for u64 {} impl Only for f32 {}
        trait Several {} impl Several for u64 {} impl Several for i32 {}
        fn only<T: Only>(v: T) {} fn several<T: Several>(v: T) {}
        """,
    )


def test_generics_that_the_one_impl_of_a_trait_decides() -> None:
    body(
        """
        let a = Runner::new(Thing); //: Runner<u64,Thing>
        a.send(3);
        let b = feed(Thing, 4); //: u64
    """,
        """
        trait Process<E> {} struct Thing; impl Process<u64> for Thing {}
        struct Runner<E, P> { e: Option<E>, p: P }
        impl<E, P: Process<E>> Runner<E, P> { fn new(p: P) -> Self { todo!() } fn send(&self, e: E) {} }
        fn feed<E, P: Process<E>>(p: P, e: E) -> E { e }
        """,
    )


def test_the_one_impl_of_a_trait_of_burn_for_a_type_of_the_package() -> None:
    check("""
    use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    use burn::data::dataset::InMemDataset;
    use burn::tensor::{Device, Tensor};
    struct Rows;
    impl Batcher<f32, Tensor<2>> for Rows {
        fn batch(&self, items: Vec<f32>, device: &Device) -> Tensor<2> { todo!() }
    }
    struct Two;
    impl Batcher<f32, Tensor<2>> for Two {
        fn batch(&self, items: Vec<f32>, device: &Device) -> Tensor<2> { todo!() }
    }
    impl Batcher<f32, Tensor<1>> for Two {
        fn batch(&self, items: Vec<f32>, device: &Device) -> Tensor<1> { todo!() }
    }
    fn f(data: InMemDataset<f32>, other: InMemDataset<f32>) {
        for batch in DataLoaderBuilder::new(Rows).build(data).iter() {
            let x = batch.unwrap(); //: Tensor<2,Float>
        }
        for batch in DataLoaderBuilder::new(Two).build(other).iter() {
            let x = batch.unwrap(); //: ?
        }
    }
    """)
