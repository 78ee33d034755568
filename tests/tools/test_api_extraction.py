"""The extraction of burn's API, on small crates made up here that have burn's shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from burnlint.burn.api_data import DATA
from tools.api import __main__ as command
from tools.api.__main__ import TABLES
from tools.api.crates import FetchError
from tools.api.macros import expand
from tools.api.merge import merge
from tools.api.table import dump
from tools.api.version import Reading, read_folders, read_version

BACKEND_STYLE = {
    "burn-tensor": {
        "lib.rs": """
            mod tensor;
            pub mod backend;
            pub use tensor::*;
            #[cfg(test)]
            mod checks { pub struct Hidden; }
        """,
        "backend.rs": """
            pub trait Backend: Clone { type Device; type FloatElem; }
            pub trait AutodiffBackend: Backend { type InnerBackend: Backend; type Gradients; }
        """,
        "tensor/mod.rs": """
            mod base;
            mod kind;
            pub use base::Tensor;
            pub use kind::*;
            pub type Device<B> = <B as crate::backend::Backend>::Device;
        """,
        "tensor/kind.rs": """
            use crate::backend::Backend;
            pub struct Float;
            pub struct Int;
            pub trait Basic<B: Backend> { type Elem; }
            impl<B: Backend> Basic<B> for Float { type Elem = B::FloatElem; }
        """,
        "tensor/base.rs": """
            use super::{Basic, Device, Float, Int};
            use crate::backend::{AutodiffBackend, Backend};

            #[must_use]
            pub struct Tensor<B: Backend, const D: usize, K = Float> { inside: PhantomData<(B, K)> }

            impl<B, const D: usize, K> Tensor<B, D, K>
            where
                B: Backend,
                K: Basic<B>,
            {
                #[track_caller]
                pub fn argmax(self, dim: usize) -> Tensor<B, D, Int> { todo!() }
                pub fn zeros<S: Into<Vec<usize>>>(shape: S, device: &Device<B>) -> Self { todo!() }
                pub fn into_scalar(self) -> K::Elem { todo!() }
                pub fn flip<const N: usize>(self, axes: [isize; N]) -> Self { todo!() }
                fn private(self) {}
                #[cfg(test)]
                pub fn checked(self) {}
                #[deprecated(since = "0.1.0", note = "Use `argmax` instead")]
                pub fn largest(&self, mut f: impl Fn(&Self) -> bool + Send + 'static, (a, b): (u8, u8)) {}
            }

            impl<const D: usize, B: AutodiffBackend> Tensor<B, D> {
                pub fn backward(&self) -> B::Gradients { todo!() }
                pub fn inner(self) -> Tensor<B::InnerBackend, D> { todo!() }
                pub fn scalar(self) -> <Float as Basic<B>>::Elem { todo!() }
            }

            macro_rules! scalars {
                ($($t:ty),* $(,)?) => { $(
                    impl<B: Backend, const D: usize, K: Basic<B>> core::ops::Mul<Tensor<B, D, K>> for $t {
                        type Output = Tensor<B, D, K>;
                        fn mul(self, other: Tensor<B, D, K>) -> Self::Output { todo!() }
                    }
                )* };
            }
            scalars!(f32, i64);
        """,
    },
    "burn-derive": {
        "lib.rs": """
            mod module;
            #[proc_macro_derive(Module, attributes(module))]
            pub fn module_derive(input: TokenStream) -> TokenStream { input }
        """,
        "module/mod.rs": "mod record_struct;",
        "module/record_struct.rs": "",
    },
    "burn-core": {
        "lib.rs": """
            pub mod module;
            #[cfg(feature = "std")]
            pub mod data;
            pub mod nn;
            pub use burn_tensor as tensor;
            pub use serde;
        """,
        "module.rs": """
            use burn_tensor::backend::{AutodiffBackend, Backend};
            use burn_tensor::Tensor;
            pub use burn_derive::Module;

            pub trait Module<B: Backend>: Clone {
                type Record;
                fn into_record(self) -> Self::Record;
                fn train<AB>(self) -> <Self as HasTrain<AB>>::TrainModule
                where
                    AB: AutodiffBackend<InnerBackend = B>,
                { todo!() }
            }
            pub trait AutodiffModule<B: AutodiffBackend>: Module<B> {
                type InnerModule;
                fn valid(&self) -> Self::InnerModule;
            }
            pub struct Param<T> { pub id: u64, value: T }
            impl<B: Backend, const D: usize> Module<B> for Param<Tensor<B, D>> { type Record = Self; }
            impl<T> core::ops::Deref for Param<T> { type Target = T; }
            impl<B: Backend, T: Module<B>> Module<B> for Option<T> { type Record = Option<T::Record>; }
            macro_rules! tuples {
                ([$($l:ident),*]) => {
                    impl<B: Backend, $($l: Module<B>),*> Module<B> for ($($l,)*) {
                        type Record = ($($l::Record,)*);
                    }
                };
            }
            tuples!([A, C]);
        """,
        "data.rs": """
            pub trait Loader<B, O> { fn iter<'a>(&'a self) -> Box<dyn LoaderIterator<O> + 'a>; }
            pub trait LoaderIterator<O>: Iterator<Item = O> {}
            #[derive(new)]
            pub struct Builder<B, I, O> {
                #[new(default)]
                workers: usize,
                batcher: I,
                kind: PhantomData<(B, O)>,
            }
            impl<B: burn_tensor::backend::Backend, I, O> Builder<B, I, O> {
                pub fn build(self) -> std::sync::Arc<dyn Loader<B, O>> { todo!() }
            }
        """,
        "nn.rs": """
            use crate::module::Param;
            use burn_tensor::{backend::Backend, Tensor};
            mod shape { pub struct Shape; }
            pub mod other { pub struct Shape; }
            pub use shape::Shape;

            #[derive(Module, Debug)]
            pub struct Linear<B: Backend> {
                pub weight: Param<Tensor<B, 2>>,
                pub bias: Option<Param<Tensor<B, 1>>>,
            }

            #[derive(Config)]
            pub struct LinearConfig {
                pub input: usize,
                #[config(default = "1.0 / 3.0")]
                pub gain: f64,
                #[config(default = true)]
                bias: bool,
                pub clip: Option<f32>,
            }
            impl LinearConfig {
                pub fn init<B: Backend>(&self, device: &B::Device) -> Linear<B> { todo!() }
                pub fn shapes(&self) -> (Shape, other::Shape) { todo!() }
            }
            pub enum Activation { Relu, Leaky(f64), Glu { dim: usize } }
        """,
    },
    "burn": {
        "lib.rs": """
            pub use burn_core::*;
            #[cfg(feature = "train")]
            pub mod train { pub use burn_core::nn::*; }
            pub mod prelude { pub use burn_core::module::Module; pub use crate::tensor::Tensor; }
        """
    },
}


def extract(root: Path, crates: dict[str, dict[str, str]]) -> dict[str, Any]:
    for crate, files in crates.items():
        for name, content in files.items():
            path = root / crate / "src" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    return read_folders({crate: root / crate for crate in crates}).table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return extract(tmp_path_factory.mktemp("crates"), BACKEND_STYLE)


class TestSignatures:
    TENSOR = "<backend B: Backend, const D, K: Basic> Tensor<D,K>"

    def test_the_backend_is_dropped_and_defaults_are_filled_in(self, table: dict[str, Any]) -> None:
        tensor = table["types"]["Tensor"]
        assert tensor["generics"] == "<backend B: Backend, const D, K = Float>"
        assert tensor["must_use"] is True
        assert tensor["methods"] == {
            "argmax": [f"(self, dim: usize) -> Tensor<D,Int> for{self.TENSOR} #track_caller"],
            "backward": ["(&self) -> Gradients for<const D, backend B: AutodiffBackend> Tensor<D,Float>"],
            "flip": [f"<const N>(self, axes: [isize;N]) -> Tensor<D,K> for{self.TENSOR}"],
            "inner": [
                "(self) -> Inner<Tensor<D,Float>> for<const D, backend B: AutodiffBackend> Tensor<D,Float>"
            ],
            "into_scalar": [f"(self) -> K::Elem for{self.TENSOR}"],
            "largest": [
                f"(&self, f: impl Fn(&Tensor<D,K>)->bool, _: (u8,u8)) for{self.TENSOR} "
                "#deprecated Use `argmax` instead"
            ],
            "scalar": ["(self) -> FloatElem for<const D, backend B: AutodiffBackend> Tensor<D,Float>"],
            "zeros": [f"<S: Into<Vec<usize>>>(shape: S, device: &Device) -> Tensor<D,K> for{self.TENSOR}"],
        }

    def test_the_other_side_of_autodiff(self, table: dict[str, Any]) -> None:
        assert table["traits"]["Module"]["methods"]["train"] == [
            "<backend AB: AutodiffBackend>(self) -> Autodiff<Self> #default"
        ]
        assert table["traits"]["AutodiffModule"]["methods"]["valid"] == ["(&self) -> Inner<Self>"]

    def test_dyn_bounds_lose_lifetimes_and_backends(self, table: dict[str, Any]) -> None:
        assert table["traits"]["Loader"]["methods"]["iter"] == ["(&self) -> Box<dyn LoaderIterator<O>>"]
        assert table["traits"]["LoaderIterator"]["item"] == "O"
        assert table["types"]["Builder"]["methods"]["build"] == ["(self) -> Arc<dyn Loader<O>>"]

    def test_a_clash_of_names_is_resolved_in_the_module(self, table: dict[str, Any]) -> None:
        assert table["types"]["LinearConfig"]["methods"]["shapes"] == [
            "(&self) -> (Shape,burn::nn::other::Shape)"
        ]


class TestDerives:
    def test_config(self, table: dict[str, Any]) -> None:
        config = table["types"]["LinearConfig"]
        assert config["fields"] == {
            "input": "usize",
            "gain": ["f64", "1.0 / 3.0"],
            "bias": ["bool", "true"],
            "clip": "Option<f32>",
        }
        methods = config["methods"]
        assert methods["new"] == ["(input: usize) -> LinearConfig #derived"]
        assert methods["with_gain"] == ["(self, gain: f64) -> LinearConfig #derived"]
        assert methods["with_clip"] == ["(self, clip: Option<f32>) -> LinearConfig #derived"]
        assert "with_input" not in methods
        assert config["traits"] == ["Clone", "Config"]

    def test_new_asks_for_what_has_no_default(self, table: dict[str, Any]) -> None:
        assert table["types"]["Builder"]["methods"]["new"] == ["(batcher: I) -> Builder<I,O> #derived"]

    def test_records_of_modules(self, table: dict[str, Any]) -> None:
        record = table["types"]["LinearRecord"]
        assert record["path"] == "burn::nn::LinearRecord"
        assert record["fields"] == {
            "weight": "Param<Tensor<2,Float>>",
            "bias": "Option<Param<Tensor<1,Float>>>",
        }
        assert table["types"]["Linear"]["traits"] == ["AutodiffModule", "Clone", "Module"]

    def test_variants(self, table: dict[str, Any]) -> None:
        variants = table["types"]["Activation"]["variants"]
        assert variants == {"Relu": {}, "Leaky": {"0": "f64"}, "Glu": {"dim": "usize"}}


class TestImpls:
    def test_impls_written_by_macros(self, table: dict[str, Any]) -> None:
        assert set(table["impls"]["Mul"]) == {
            "<backend B: Backend, const D, K: Basic> Mul<Tensor<D,K>> for f32",
            "<backend B: Backend, const D, K: Basic> Mul<Tensor<D,K>> for i64",
        }
        pair = table["impls"]["Module"]["<backend B: Backend, A: Module, C: Module> Module for (A,C)"]
        assert pair["assoc"] == {"Record": "(A::Record,C::Record)"}

    def test_deref(self, table: dict[str, Any]) -> None:
        assert table["types"]["Param"]["deref"] == "T"


class TestNames:
    def test_exports_through_globs_and_renames(self, table: dict[str, Any]) -> None:
        names = table["modules"]["burn"]
        assert names["nn"] == "mod burn_core::nn"
        assert names["data"] == 'mod burn_core::data #cfg burn-core: feature = "std"'
        assert names["train"] == 'mod #cfg burn: feature = "train"'
        assert names["tensor"] == "mod burn_tensor"
        assert names["serde"] == "external serde"
        assert table["modules"]["burn::prelude"] == {
            "Module": "trait",
            "Module!": "derive burn_derive::Module",
            "Tensor": "struct",
        }

    def test_tests_are_left_out(self, table: dict[str, Any]) -> None:
        assert "Hidden" not in table["types"]
        assert "checked" not in table["types"]["Tensor"]["methods"]

    def test_best_path(self, table: dict[str, Any]) -> None:
        assert table["types"]["Linear"]["path"] == "burn::nn::Linear"
        assert table["types"]["Tensor"]["path"] == "burn::prelude::Tensor"


def test_import_cycles_come_to_rest(tmp_path: Path) -> None:
    table = extract(
        tmp_path,
        {
            "burn-tensor": {"lib.rs": "pub struct Tensor<const D: usize, K>(K);"},
            "burn": {
                "lib.rs": "pub mod a { pub use super::b::*; pub struct A; }"
                " pub mod b { pub use super::a::*; }"
            },
        },
    )
    assert table["modules"]["burn::b"] == {"A": "struct"}


class TestMacros:
    def test_repetition_in_repetition(self) -> None:
        definition = (
            "macro_rules! m { ($($name:ident: [$($t:ty),*]);*) => { $( impl A<($($t,)*)> for $name {} )* } }"
        )
        expanded = expand(definition, "X: [u8, Vec<(u8, u8)>]; Y: []", "burn_core")
        assert expanded is not None
        assert "".join(expanded.split()) == "implA<(u8,Vec<(u8,u8)>,)>forX{}implA<()>forY{}"

    def test_single_tokens_keep_their_spaces(self) -> None:
        definition = "macro_rules! m { (fn $($t:tt)+) => { pub fn $($t)+ } }"
        expanded = expand(definition, "fn f(a: u8) -> &'static str {}", "burn") or ""
        assert " ".join(expanded.split()) == "pub fn f(a: u8 ) -> &'static str { }"

    def test_arms_are_tried_in_order(self) -> None:
        definition = "macro_rules! m { (ty $t:ty) => { one } ; (ty $t:ty, add $e:expr) => { $crate::two } }"
        assert (
            expand(definition, "ty A<B, C>, add |a, b| a + b", "burn_std") or ""
        ).strip() == "burn_std::two"
        assert (expand(definition, "ty A<B, C>", "burn_std") or "").strip() == "one"
        assert expand(definition, "nothing", "burn_std") is None


class TestMerge:
    @staticmethod
    def version(name: str, **methods: list[str]) -> dict[str, Any]:
        item = {"path": "burn::A", "crate": "burn", "sort": "struct", "methods": methods}
        empty: dict[str, Any] = {
            k: {} for k in ("traits", "aliases", "functions", "impls", "modules", "gaps")
        }
        return {"version": name, "crates": {"burn": name}, "types": {"A": item}, **empty}

    def test_ranges(self) -> None:
        text = merge([
            self.version("1", gone=["()"], changes=["()"]),
            self.version("2", back=["()"], changes=["()"]),
            self.version("3", changes=["(self)"]),
            self.version("4", back=["()"], changes=["(self)"]),
        ])  # fmt: skip
        lines = dict(line.split("\t") for line in text.splitlines())
        assert json.loads(lines["m A gone"]) == [[["()"], 0, 1]]
        assert json.loads(lines["m A changes"]) == [[["()"], 0, 2], [["(self)"], 2, 0]]
        assert json.loads(lines["m A back"]) == [[["()"], 1, 2], [["()"], 3, 0]]
        assert list(lines) == sorted(lines, key=str.encode)

    def test_the_shipped_file_is_what_the_tables_give(self) -> None:
        versions = json.loads(
            next(line for line in DATA.read_text("utf-8").splitlines() if line[0] == "V")[2:]
        )
        tables = [json.loads((TABLES / f"{v}.json").read_text("utf-8")) for v in versions["versions"]]
        assert merge(tables) == DATA.read_text("utf-8")
        assert {path.stem for path in TABLES.glob("*.json")} == set(versions["versions"])


class TestCommand:
    READING = Reading({"version": "1.2.3", "crates": {"burn": "1.2.3"}}, 7, (), ())

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(command, "TABLES", tmp_path)
        monkeypatch.setattr(command, "resolve", lambda version: {"burn": version})
        monkeypatch.setattr(command, "read_version", lambda version, crates: self.READING)
        return tmp_path

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(command.main, arguments)

    def test_writes_then_repeats_itself(self, folder: Path) -> None:
        assert self.run("extract", "1.2.3").exit_code == 0
        assert (folder / "1.2.3.json").read_text("utf-8") == dump(self.READING.table)
        assert self.run("extract", "1.2.3", "--check").exit_code == 0

    def test_check_tells_a_difference_and_writes_nothing(self, folder: Path) -> None:
        (folder / "1.2.3.json").write_text('{"crates": {"burn": "1.2.3"}}')
        result = self.run("extract", "1.2.3", "--check")
        assert result.exit_code == 1
        assert "python -m tools.api extract 1.2.3" in result.output
        assert (folder / "1.2.3.json").read_text() == '{"crates": {"burn": "1.2.3"}}'

    def test_check_without_a_table(self, folder: Path) -> None:
        assert self.run("extract", "1.2.3", "--check").exit_code == 1
        assert list(folder.iterdir()) == []

    def test_the_crates_come_from_the_table(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def read_version(version: str, crates: dict[str, str]) -> Reading:
            asked.append(crates)
            return self.READING

        monkeypatch.setattr(command, "read_version", read_version)
        (folder / "1.2.3.json").write_text('{"crates": {"burn": "1.2.3", "burn-core": "1.2.4"}}')
        self.run("extract", "1.2.3")
        self.run("extract", "1.2.3", "--resolve")
        assert asked == [{"burn": "1.2.3", "burn-core": "1.2.4"}, {"burn": "1.2.3"}]

    def test_cargo_that_fails_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(version: str) -> dict[str, str]:
            raise FetchError("cargo info failed: no network")

        monkeypatch.setattr(command, "resolve", fail)
        result = self.run("extract", "9.9.9")
        assert result.exit_code == 1
        assert "no network" in result.output


@pytest.mark.slow
def test_the_newest_release_gives_its_table_again() -> None:
    path = TABLES / "0.22.1.json"
    crates = json.loads(path.read_text("utf-8"))["crates"]
    assert dump(read_version("0.22.1", crates).table) == path.read_text("utf-8")
