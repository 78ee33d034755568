"""Programs of burn 0.21 whose manifest is set to 0.22: the fixes of the migration group make the committed programs of
0.22 of them, byte for byte. `python -m tools.fixtures` compiles both."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import FIXTURES, run

PROGRAMS = sorted((FIXTURES / "migration/programs").iterdir())


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def set_version(manifest: Path) -> None:
    text = manifest.read_text(encoding="utf-8")
    assert text.count('version = "0.21"') == 1
    manifest.write_text(text.replace('version = "0.21"', 'version = "0.22"'), encoding="utf-8")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 6


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_fixes_migrate_the_program(program: Path, tmp_path: Path) -> None:
    copy = tmp_path / "program"
    shutil.copytree(program / "before", copy)
    set_version(copy / "Cargo.toml")
    select = ("--select", "group:migration")
    assert run(["."], folder=copy, options=select).found
    answer = run(["."], folder=copy, options=(*select, "--fix", "--unsafe-fixes"))
    assert answer.notes == []
    assert contents(copy) == contents(program / "after")
    assert run(["."], folder=copy, options=select).found == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
@pytest.mark.parametrize("state", ["before", "after"])
def test_nothing_to_migrate(program: Path, state: str) -> None:
    """Under its own version of burn each program is as it should be."""
    assert run(["."], folder=program / state, options=("--select", "group:migration")).found == []


MANIFEST = (
    '[package]\nname = "net"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\nburn = "=0.22.1"\n'
)


def migrated(folder: Path, sources: dict[str, str]) -> dict[str, str]:
    """What the fixes make of a package, or of several with a manifest of their own."""
    for name, text in {"Cargo.toml": MANIFEST, **sources}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    run(["."], folder=folder, options=("--select", "group:migration", "--fix", "--unsafe-fixes"))
    found = contents(folder)
    return {name: found[name] for name in sources if name.endswith(".rs")}


PRELUDE = "use burn::prelude::*;\n\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "fn f<B: Backend>(x: Tensor<B, 1>) { g::<B>(x) }\n"
            "fn g<B: Backend>(x: Tensor<B, 1>) { f::<B>(x) }\n",
            "fn f(x: Tensor<1>) { g(x) }\nfn g(x: Tensor<1>) { f(x) }\n",
            id="parameters-that-need-each-other-go-together",
        ),
        pytest.param(
            "struct Node<B: Backend> { value: Tensor<B, 1>, next: Option<Box<Node<B>>> }\n",
            "struct Node { value: Tensor<1>, next: Option<Box<Node>> }\n",
            id="a-type-that-holds-itself",
        ),
        pytest.param(
            "struct Rows<B: Backend> { size: usize, marker: std::marker::PhantomData<B> }\n",
            "struct Rows { size: usize, marker: std::marker::PhantomData<()> }\n",
            id="a-marker-marks-nothing",
        ),
        pytest.param(
            "type Pair<B> = (Tensor<B, 1>, Tensor<B, 2>);\n"
            "fn first<B: Backend>(x: Pair<B>) -> Tensor<B, 1> { x.0 }\n",
            "type Pair = (Tensor<1>, Tensor<2>);\nfn first(x: Pair) -> Tensor<1> { x.0 }\n",
            id="an-alias-says-no-bound",
        ),
        pytest.param(
            "fn f<'a, B, const D: usize, F>(x: &'a Tensor<B, D>, f: F)\nwhere\n"
            "    B: Backend,\n    F: Fn(&Tensor<B, D>),\n{\n    f(x)\n}\n",
            "fn f<'a, const D: usize, F>(x: &'a Tensor<D>, f: F)\nwhere\n"
            "    F: Fn(&Tensor<D>),\n{\n    f(x)\n}\n",
            id="other-parameters-and-predicates-stay",
        ),
        pytest.param(
            "trait Agent<B: Backend> { fn act(&self, x: Tensor<B, 1>); }\n"
            "struct Net;\nimpl<B: Backend> Agent<B> for Net { fn act(&self, _: Tensor<B, 1>) {} }\n"
            "fn run<B: Backend, A: Agent<B>>(agent: A, x: Tensor<B, 1>) { agent.act(x) }\n",
            "trait Agent { fn act(&self, x: Tensor<1>); }\n"
            "struct Net;\nimpl Agent for Net { fn act(&self, _: Tensor<1>) {} }\n"
            "fn run<A: Agent>(agent: A, x: Tensor<1>) { agent.act(x) }\n",
            id="a-trait-with-a-back-end",
        ),
        pytest.param(
            "fn f<B: Backend>(device: &<B as Backend>::Device) -> <B as Backend>::FloatElem { todo!() }\n",
            "fn f(device: &Device) -> f32 { todo!() }\n",
            id="qualified-paths",
        ),
        pytest.param(
            "type Cpu = burn::backend::Flex;\nfn f() {\n"
            "    let device = Default::default();\n    Cpu::seed(&device, 7);\n"
            "    let _ = Tensor::<Cpu, 1>::zeros([1], &device);\n}\n",
            "fn f() {\n    let device = Device::default();\n    device.seed(7);\n"
            "    let _ = Tensor::<1>::zeros([1], &device);\n}\n",
            id="a-device-whose-method-is-called-has-its-type",
        ),
        pytest.param(
            "use burn_flex::Flex;\nuse burn_flex::FlexDevice;\nfn f() {\n    let device = FlexDevice;\n"
            "    let _ = Tensor::<Flex, 1>::zeros([1], &device);\n}\nfn g(_: &FlexDevice) {}\n",
            "fn f() {\n    let device = Device::flex();\n    let _ = Tensor::<1>::zeros([1], &device);\n}\n"
            "fn g(_: &Device) {}\n",
            id="a-unit-struct-is-a-value-too",
        ),
        pytest.param(
            "fn f<B: Backend>(x: Tensor<B, 1>) -> &'static str { std::any::type_name::<B>() }\n",
            "fn f<B: Backend>(x: Tensor<1>) -> &'static str { std::any::type_name::<B>() }\n",
            id="what-needs-the-back-end-keeps-its-parameter",
        ),
        pytest.param(
            "trait Kernels: Backend { fn fused(); }\nfn f<B: Kernels>(x: Tensor<B, 1>) { B::fused() }\n",
            "trait Kernels: Backend { fn fused(); }\nfn f<B: Kernels>(x: Tensor<1>) { B::fused() }\n",
            id="kernels-of-ones-own-stay",
        ),
    ],
)
def test_parameters(before: str, after: str, tmp_path: Path) -> None:
    made = migrated(tmp_path, {"src/lib.rs": PRELUDE + before})
    assert made["src/lib.rs"] == PRELUDE + after


def test_what_holds_a_parameter_is_said(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    held = "pub fn f<B: Backend>() -> &'static str {\n    std::any::type_name::<B>()\n}\n"
    (tmp_path / "src/lib.rs").write_text(PRELUDE + held)
    found = run(["."], folder=tmp_path, options=("--select", "backend-bound-removed")).found
    assert [(each.line, each.fixable) for each in found] == [(3, False)]


def test_arguments_go_in_all_files_and_packages(tmp_path: Path) -> None:
    model = "use burn::prelude::*;\n\npub struct Net<B: Backend>(pub Tensor<B, 1>);\n"
    use = (
        "use burn::prelude::*;\nuse model::Net;\n\npub fn rank<B: Backend>(_: &Net<B>) -> usize {\n    1\n}\n"
    )
    made = migrated(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["model", "app"]\n',
            "model/Cargo.toml": MANIFEST.replace('"net"', '"model"'),
            "model/src/lib.rs": model,
            "app/Cargo.toml": MANIFEST.replace('"net"', '"app"') + 'model = { path = "../model" }\n',
            "app/src/lib.rs": use,
        },
    )
    assert made["model/src/lib.rs"] == model.replace("<B: Backend>", "").replace("<B, 1>", "<1>")
    assert made["app/src/lib.rs"] == use.replace("<B: Backend>", "").replace("Net<B>", "Net")


def test_the_record_that_a_derive_made_is_imported_no_more(tmp_path: Path) -> None:
    model = "use burn::prelude::*;\n\n#[derive(Module, Debug)]\npub struct Net<B: Backend> {\n    x: burn::nn::Linear<B>,\n}\n"
    use = (
        "use crate::model::{Net, NetRecord};\nuse burn::prelude::*;\n\n"
        "pub fn load<B: Backend>(net: Net<B>, record: NetRecord<B>) -> Net<B> {\n"
        "    net.load_record(record)\n}\n"
    )
    made = migrated(
        tmp_path, {"src/lib.rs": "pub mod model;\npub mod load;\n", "src/model.rs": model, "src/load.rs": use}
    )
    assert made["src/load.rs"] == (
        "use crate::model::Net;\nuse burn::store::ModuleRecord;\nuse burn::prelude::*;\n\n"
        "pub fn load(net: Net, record: ModuleRecord) -> Net {\n    net.load_record(record)\n}\n"
    )


ALIAS = (
    "use burn::backend::{Autodiff, NdArray};\n\ntype B = Autodiff<NdArray>;\n\n"
    "pub fn name() -> &'static str {\n    std::any::type_name::<B>()\n}\n"
)
DEVICE = (
    "use burn::backend::ndarray::NdArrayDevice;\n\n"
    "pub fn device() -> NdArrayDevice {\n    NdArrayDevice::Cpu\n}\n"
)


@pytest.mark.parametrize("feature", ["ndarray", "cpu", ""])
@pytest.mark.parametrize(("source", "lines"), [(ALIAS, [3]), (DEVICE, [1, 3, 4])], ids=["alias", "device"])
def test_a_back_end_behind_a_feature_that_is_off(
    source: str, lines: list[int], feature: str, tmp_path: Path
) -> None:
    """Without tensors of old code. With the feature, even one that a user of the package may turn on, it compiles."""
    manifest = MANIFEST
    if feature == "ndarray":
        manifest = manifest.replace('"=0.22.1"', '{ version = "=0.22.1", features = ["ndarray"] }')
    elif feature:
        manifest += f'\n[features]\n{feature} = ["burn/ndarray"]\n'
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(manifest)
    (tmp_path / "src/lib.rs").write_text(source)
    found = run(["."], folder=tmp_path, options=("--select", "backend-alias-removed")).found
    assert [each.line for each in found] == ([] if feature else lines)


def test_an_import_names_a_part_of_an_item_of_the_file(tmp_path: Path) -> None:
    """Code that is being written: `Cache` is no module."""
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(
        "use Cache::tensor::Tensor;\npub struct Cache {\n    old: Tensor<Wgpu, 3>,\n}\n"
        "pub fn ones(device: &WgpuDevice) -> Tensor<Wgpu, 3> {\n    Tensor::ones([1], device)\n}\n"
    )
    assert run(["."], folder=tmp_path, options=("--select", "group:migration")).notes == []


@pytest.mark.parametrize(
    "burn", ['"0.22"', '{ git = "https://example.org/burn", branch = "main" }'], ids=["version", "a_branch"]
)
def test_what_burn_lost_is_told_where_a_version_is_asked_for(burn: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(
        "use burn::tensor::Tensor;\npub fn size(x: Tensor<2>) -> usize {\n    x.into_data().bytes.len()\n}\n"
    )
    (tmp_path / "Cargo.toml").write_text(
        f'[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\nburn = {burn}\n'
    )
    found = [each.name for each in run(folder=tmp_path, options=("--select", "removed-api")).found]
    assert found == (["removed-api"] if burn == '"0.22"' else [])
