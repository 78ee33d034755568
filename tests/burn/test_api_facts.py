"""burn's API facts: known signatures of several versions, names, ranges; every stored text can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from burnlint.burn.api import Api
from burnlint.burn.api_data import DATA
from burnlint.burn.api_items import Item
from burnlint.burn.signature import GenericParam, read, read_generics, read_impl, write
from burnlint.burn.terms import FLOAT, INT, Assoc, Generic, Named, Tensor, parse, show


def known_signatures() -> list[tuple[str, str, str, str]]:
    rows = (Path(__file__).parent / "known_signatures.tsv").read_text("utf-8").splitlines()
    found = [tuple(row.split("\t")) for row in rows if not row.startswith("#")]
    return [(version, owner, name, text) for version, owner, name, text in found]


KNOWN_TWINS = [
    ("0.21.0", "Tensor", "cast", {"Bool", "Float", "Int"}),
    ("0.22.1", "Tensor", "float", {"Bool", "Int"}),
    ("0.22.1", "Tensor", "int", {"Bool", "Float"}),
    ("0.13.2", "Tensor", "int", {"Bool", "Float"}),
]
# Methods that each table had when it was made: fewer means that the extraction lost something.
TENSOR_METHODS = {
    "0.13.2": 151,
    "0.14.0": 165,
    "0.15.0": 170,
    "0.16.1": 173,
    "0.17.1": 193,
    "0.18.0": 199,
    "0.19.1": 223,
    "0.20.1": 232,
    "0.21.0": 241,
    "0.22.1": 277,
    "0.23.0-pre.1": 287,
}


def stored(section: str) -> Iterator[tuple[str, list[object]]]:
    """Key and values of every line of a section of the data file, whatever the version."""
    for line in DATA.read_text("utf-8").splitlines():
        key, _, text = line.partition("\t")
        if key.startswith(section + " "):
            decoded = json.loads(text)
            ranged = decoded if isinstance(decoded, list) else list(decoded.items())
            yield key, ranged


@pytest.mark.parametrize(("version", "owner", "name", "text"), known_signatures())
def test_known_signature(version: str, owner: str, name: str, text: str) -> None:
    api = Api.load(version)
    if not owner:
        assert [write(s, None, ()) for s in api.function(name)] == [text]
        return
    found = api.type(owner)
    trait = api.trait(owner)
    assert found is not None or trait is not None
    receiver = found.term if found is not None else Generic("Self")
    generics = found.generics if found is not None else trait.generics if trait is not None else ()
    assert [write(s, receiver, generics) for s in api.method(owner, name)] == [text]


@pytest.mark.parametrize(("version", "owner", "name", "kinds"), KNOWN_TWINS)
def test_twins_differ_by_receiver(version: str, owner: str, name: str, kinds: set[str]) -> None:
    receivers = [s.receiver for s in Api.load(version).method(owner, name)]
    assert {show(r.kind) for r in receivers if isinstance(r, Tensor)} == kinds


def test_tables_cover_every_minor_and_lose_no_method_of_tensor() -> None:
    assert Api.load("0.22").versions == tuple(TENSOR_METHODS)
    found = {version: len(Api.load(version).methods("Tensor")) for version in TENSOR_METHODS}
    assert found == {version: max(count, TENSOR_METHODS[version]) for version, count in found.items()}


def test_every_stored_signature_reads_and_writes_back() -> None:
    this = Generic("Self")
    texts = [t for _, ranged in stored("m") for many, _, _ in ranged for t in many]  # type: ignore[misc]
    assert len(texts) > 4000
    assert [write(read(text, receiver=this), this, ()) for text in texts] == texts
    texts = [t for _, ranged in stored("F") for many, _, _ in ranged for t in many]  # type: ignore[misc]
    assert [write(read(text), None, ()) for text in texts] == texts


def test_every_stored_impl_alias_and_generic_list_reads() -> None:
    for _, impls in stored("I"):
        for text, _ in impls:  # type: ignore[misc]
            read_impl(text)
    api = Api.load("0.22.1")
    assert read_generics("<const D, K: Basic = Float>") == (
        GenericParam("D", "const"),
        GenericParam("K", "type", (Named("Basic"),), FLOAT),
    )
    tensor = api.type("Tensor")
    assert tensor is not None and tensor.generics[1].default == FLOAT


class TestVersions:
    @pytest.mark.parametrize(
        ("asked", "version", "exact", "newer", "older"),
        [
            ("0.22.1", "0.22.1", True, False, False),
            ("0.22", "0.22.1", True, False, False),
            ("0.22.0", "0.22.1", True, False, False),
            ("0.22.2", "0.22.1", False, False, False),
            ("0.22.0-pre.2", "0.22.1", False, False, False),
            ("0.16.0", "0.16.1", True, False, False),
            ("0.23.0-pre.1", "0.23.0-pre.1", True, False, False),
            ("0.23.0", "0.23.0-pre.1", False, False, False),
            ("0.40.2", "0.23.0-pre.1", False, True, False),
            ("0.9.0", "0.13.2", False, False, True),
        ],
    )
    def test_nearest_table(self, asked: str, version: str, exact: bool, newer: bool, older: bool) -> None:
        api = Api.load(asked)
        assert (api.version, api.exact, api.newer, api.older) == (version, exact, newer, older)

    def test_not_a_version(self) -> None:
        with pytest.raises(ValueError, match="not a version"):
            Api.load("newest")

    def test_facts_name_the_versions_of_their_crates(self) -> None:
        assert Api.load("0.22.1").crates["burn-tensor"] == "0.22.1"
        assert Api.load("0.22.1").crates["cubecl-zspace"] == "0.11.3"
        assert "burn-nn" not in Api.load("0.18.0").crates
        (step,) = Api.load("0.22.1").method("ModuleOptimizer", "step")
        assert step.crate == "burn-optim"

    def test_style(self) -> None:
        assert Api.load("0.21.0").backend_style
        assert not Api.load("0.22.1").backend_style


class TestBackends:
    def test_position_of_the_backend_is_kept(self) -> None:
        linear = Api.load("0.21.0").type("Linear")
        assert linear is not None
        assert [(g.name, g.sort) for g in linear.generics] == [("B", "backend")]
        tensor = Api.load("0.21.0").type("Tensor")
        assert tensor is not None
        assert [(g.name, g.sort) for g in tensor.generics] == [
            ("B", "backend"),
            ("D", "const"),
            ("K", "type"),
        ]

    def test_what_asks_for_autodiff(self) -> None:
        api = Api.load("0.21.0")
        assert [s.autodiff for s in api.method("Tensor", "backward")] == [True]
        assert [s.autodiff for s in api.method("GradientsParams", "from_grads")] == [True]
        assert [s.autodiff for s in api.method("Tensor", "detach")] == [False]


class TestTypes:
    @pytest.mark.parametrize("version", ["0.13.2", "0.18.0", "0.21.0", "0.22.1"])
    def test_config_defaults_are_verbatim(self, version: str) -> None:
        config = Api.load(version).type("RmsPropConfig")
        assert config is not None
        assert {n: f.default for n, f in config.fields.items()} == {
            "alpha": "0.99",
            "momentum": "0.9",
            "epsilon": "1e-5",
            "centered": "false",
            "weight_decay": None,
            "grad_clipping": None,
        }

    def test_fields_of_records_up_to_021(self) -> None:
        record = Api.load("0.21.0").type("LinearRecord")
        assert record is not None and record.path == "burn::nn::LinearRecord"
        assert show(record.fields["bias"].term) == "Option<Param<Tensor<1,Float>>>"
        assert Api.load("0.22.1").type("LinearRecord") is None

    @pytest.mark.parametrize(("version", "stride"), [("0.19.1", "ConstantRecord"), ("0.21.0", "EmptyRecord")])
    def test_records_of_constant_fields(self, version: str, stride: str) -> None:
        record = Api.load(version).type("Conv1dRecord")
        assert record is not None
        assert show(record.fields["stride"].term) == stride

    def test_variants_with_payload(self) -> None:
        clipping = Api.load("0.22.1").type("GradientClippingConfig")
        assert clipping is not None
        assert {n: [show(f.term) for f in v.fields] for n, v in clipping.variants.items()} == {
            "Value": ["f32"],
            "Norm": ["f32"],
        }

    def test_deref_and_items_of_loops(self) -> None:
        old, new = Api.load("0.21.0"), Api.load("0.22.1")
        param = new.type("Param")
        assert param is not None and param.deref == Generic("T")
        before, after = old.trait("DataLoaderIterator"), new.trait("DataLoaderIterator")
        assert before is not None and before.item == Generic("O")
        assert after is not None and after.item is not None
        assert show(after.item) == "Result<O,DatasetError>"

    def test_derived_and_written_traits(self) -> None:
        api = Api.load("0.21.0")
        for trait in ("Module", "AutodiffModule", "Clone"):
            assert api.implements("Linear", trait)
        assert api.implements("LinearConfig", "Clone")
        assert api.implements("ClassificationOutput", "Adaptor")
        assert api.implements("f32", "Element")
        assert not api.implements("Linear", "Config")

    def test_methods_of_traits_are_found_on_types(self) -> None:
        (valid,) = Api.load("0.21.0").method("Linear", "valid")
        assert (valid.owner, valid.receiver) == ("AutodiffModule", Generic("Self"))
        assert show(valid.result) == "Inner<Self>"
        assert Api.load("0.22.1").method("Linear", "nothing_of_that_name") == ()

    def test_deprecation(self) -> None:
        (ndarray,) = Api.load("0.22.1").method("Device", "ndarray")
        assert ndarray.deprecated is not None and ndarray.deprecated.startswith("burn-ndarray is deprecated")

    def test_owners(self) -> None:
        assert Api.load("0.22.1").owners("mask_where") == ("Tensor",)
        assert "Tensor" not in Api.load("0.13.2").owners("squeeze_dim")
        assert {"Linear", "Conv2d"} <= set(Api.load("0.22.1").owners("forward"))


class TestImpls:
    def test_modules_of_std_types(self) -> None:
        receivers = {show(i.receiver) for i in Api.load("0.22.1").implementations("Module")}
        assert {"Vec<T>", "Option<T>", "[T;N]", "(L0,L1)", "Param<Tensor<D,Int>>", "Tensor<D,K>"} <= receivers

    @pytest.mark.parametrize(("version", "scalars"), [("0.13.2", False), ("0.18.0", True), ("0.22.1", True)])
    def test_operators(self, version: str, scalars: bool) -> None:
        found = {
            (show(i.receiver), *map(show, i.trait.args)): show(i.assoc["Output"])
            for i in Api.load(version).operator("Mul")
        }
        assert found["Tensor<D,K>", "Tensor<D,K>"] == "Tensor<D,K>"
        assert found["Tensor<D,K>", "E"] == "Tensor<D,K>"
        assert (("f32", "Tensor<D,K>") in found) is scalars

    def test_schedulers_convert(self) -> None:
        sources = {show(a) for i in Api.load("0.22.1").implementations("From") for a in i.trait.args
                   if show(i.receiver) == "ModuleLrScheduler"}  # fmt: skip
        assert sources

    def test_project(self) -> None:
        api = Api.load("0.21.0")
        assert api.project(Assoc(FLOAT, "", "Elem")) == Named("FloatElem")
        assert api.project(parse("Option<<Linear as Module>::Record>")) == parse("Option<LinearRecord>")
        assert Api.load("0.22.1").project(Assoc(Named("IntDType"), "Cast", "OutputKind")) == INT
        unknown = Assoc(Named("Nobody"), "", "Elem")
        assert api.project(unknown) == unknown


class TestNames:
    def test_prelude(self) -> None:
        names = Api.load("0.22.1").names_in("burn::prelude")
        assert names["Tensor"] == Item("struct", "Tensor")
        assert names["Module"].sort == "trait"
        assert names["nn"] == Item("mod", "burn::nn")
        assert names["s!"].sort == "macro"
        assert "Backend" not in names
        assert Api.load("0.21.0").names_in("burn::prelude")["Backend"] == Item("trait", "Backend")

    @pytest.mark.parametrize(
        ("version", "path", "sort", "key"),
        [
            ("0.22.1", "burn::nn::LinearConfig", "struct", "LinearConfig"),
            ("0.22.1", "::burn::tensor::Tensor", "struct", "Tensor"),
            ("0.22.1", "burn_nn::Linear", "struct", "Linear"),
            ("0.22.1", "burn::nn::loss::Reduction", "enum", "Reduction"),
            ("0.22.1", "burn::tensor::activation::relu", "fn", "burn::tensor::activation::relu"),
            ("0.22.1", "burn::serde::Serialize", "external", "serde::Serialize"),
            ("0.22.1", "burn::nn", "mod", "burn::nn"),
            ("0.22.1", "burn", "mod", "burn"),
            ("0.21.0", "burn::record::CompactRecorder", "alias", "CompactRecorder"),
            ("0.21.0", "burn::tensor::backend::AutodiffBackend", "trait", "AutodiffBackend"),
            ("0.18.0", "burn_core::module::Param", "struct", "Param"),
            ("0.13.2", "burn::train::LearnerBuilder", "struct", "LearnerBuilder"),
        ],
    )
    def test_resolve(self, version: str, path: str, sort: str, key: str) -> None:
        item = Api.load(version).resolve_path(path)
        assert item is not None
        assert (item.sort, item.key) == (sort, key)

    @pytest.mark.parametrize(
        "path", ["burn::nn::Nothing", "burn::nothing::Linear", "other::Tensor", "burn::nn::Linear::new"]
    )
    def test_unknown_path(self, path: str) -> None:
        assert Api.load("0.22.1").resolve_path(path) is None

    def test_namespaces(self) -> None:
        api = Api.load("0.22.1")
        assert api.resolve_path("burn::module::Module", "macro") == Item("derive", "burn_derive::Module")
        module = api.resolve_path("burn::module::Module", "type")
        assert module is not None and module.sort == "trait"
        assert api.resolve_path("burn::module::Module", "value") is None

    def test_conditions_name_the_package_of_the_feature(self) -> None:
        item = Api.load("0.22.1").resolve_path("burn::optim::AdamConfig")
        assert item is not None
        assert item.conditions == (("burn", 'feature = "optim"'),)

    def test_alias(self) -> None:
        alias = Api.load("0.21.0").alias("DefaultRecorder")
        assert alias is not None
        assert show(alias.target) == "NamedMpkFileRecorder<FullPrecisionSettings>"


class TestRanges:
    def test_a_newer_version_does_not_leak_into_an_older_one(self) -> None:
        assert Api.load("0.13.2").method("Tensor", "squeeze_dims") == ()
        assert Api.load("0.13.2").type("SupervisedTraining") is None
        assert Api.load("0.22.1").type("LearnerBuilder") is None
