"""What a field's type is to the derive of burn's Module, by burn's facts of each version."""

from __future__ import annotations

import pytest

from burnlint.burn.declarations import Field
from burnlint.burn.project import Options, Project
from burnlint.burn.view import FileView

HEAD = """\
use burn::module::{Ignored, Module, Param, RunningState};
use burn::nn::{activation::Activation, *};
use burn::tensor::{Bool, Device, Int, Tensor};
use std::{collections::HashMap, marker::PhantomData, path::PathBuf, rc::Rc, sync::Arc, time::Duration};

#[derive(Clone, Debug)] pub struct State;
#[derive(Module, Debug)] pub struct Sub { a: Linear }
#[derive(Module, Debug)] pub struct Lost { #[module(skip)] a: Linear }
#[derive(Module, Debug)] pub struct Generic<M: Module> { inner: M, own: Sub }
#[derive(Module, Debug)] pub enum Both { A(Linear), B(Sub) }
#[derive(Module, Debug)] pub enum Some_ { A(Linear), B(Relu) }
type Count = usize;
type Table = HashMap<String, usize>;
"""


def field(type: str) -> Field:
    """The view of a field of that type on burn 0.22.1."""
    source = f"{HEAD}#[derive(Module, Debug)] pub struct Net<T> {{ field: {type} }}\n"
    project = Project([PATH], Options(burn_version="0.22.1"), {PATH: source.encode()})
    rust = project.source(PATH)
    assert rust is not None
    *_, net = FileView(project, rust).deriving("Module")
    return net.fields[0]


PATH = "/nowhere/lib.rs"


@pytest.mark.parametrize(
    "type",
    [
        "Linear",
        "Option<Linear>",
        "Vec<Option<Linear>>",
        "[Linear; 2]",
        "(Linear, Sub)",
        "Sub",
        "Generic<Linear>",
        "Tensor<2, Int>",
        "Param<Tensor<1>>",
        "RunningState<Tensor<1>>",
        "Ignored<State>",
        "Activation",
        "Count",
        "usize",
        "String",
        "bool",
    ],
)
def test_modules(type: str) -> None:
    assert field(type).contents.is_module is True


@pytest.mark.parametrize(
    "type",
    [
        "State",
        "Option<State>",
        "Box<Linear>",
        "Arc<Linear>",
        "HashMap<String, Linear>",
        "Option<Box<Linear>>",
        "(Linear,)",
        "Table",
        "PathBuf",
        "Duration",
        "Device",
        "LinearConfig",
        "PaddingConfig2d",
        "&'static str",
        "PhantomData<State>",
        "fn() -> f64",
    ],
)
def test_no_modules(type: str) -> None:
    assert field(type).contents.is_module is False


@pytest.mark.parametrize("type", ["T", "Option<T>", "ndarray::Array2<f32>", "Missing", "Vec<Missing>"])
def test_not_known(type: str) -> None:
    assert field(type).contents.is_module is None


@pytest.mark.parametrize(
    "type",
    [
        "u128",
        "char",
        "()",
        "(f32, bool)",
        "[f32; 3]",
        "Option<char>",
        "HashMap<String, usize>",
        "Arc<Vec<String>>",
        "PhantomData<f32>",
        "Result<f64, String>",
        "&'static [u8]",
        "std::option::Option<f64>",
    ],
)
def test_constants_by_spelling(type: str) -> None:
    assert field(type).is_constant is True


@pytest.mark.parametrize(
    "type", ["Count", "Table", "Rc<f64>", "Generic<f32>", "&'static str", "Arc<str>", "PhantomData<T>"]
)
def test_no_constants_by_spelling(type: str) -> None:
    assert field(type).is_constant is False


@pytest.mark.parametrize(
    ("type", "parameter", "flag", "statistics"),
    [
        ("Linear", True, None, None),
        ("Sub", True, None, None),
        ("HashMap<String, Vec<Sub>>", True, None, None),
        ("Dropout", None, True, None),
        ("BatchNorm", True, True, True),
        ("Both", True, None, None),
        ("Some_", None, None, None),
        ("Activation", None, None, None),
        ("Lost", False, False, False),
        ("Generic<Relu>", True, None, None),
        ("State", None, None, None),
        ("Param<Tensor<1>>", True, None, None),
    ],
)
def test_contents(type: str, parameter: bool | None, flag: bool | None, statistics: bool | None) -> None:
    """True is certain; False and None both mean that no rule may claim it."""
    contents = field(type).contents
    found = [contents.holds(each) is True for each in ("parameter", "flag", "statistics")]
    assert found == [each is True for each in (parameter, flag, statistics)]
