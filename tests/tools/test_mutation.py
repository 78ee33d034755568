"""The mutation tool: faults, indirections, transplants, and what counts as found."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from burnlint.rust.parser import parse
from tools.mutation import plan
from tools.mutation.base import Base, Crates, Source, crates_of
from tools.mutation.compile import MACRO, needed
from tools.mutation.fault import Fault, planted, unmarked
from tools.mutation.indirect import KINDS, indirect
from tools.mutation.measure import Judge
from tools.mutation.place import chosen, placed
from tools.mutation.plan import BY_NAME, OPERATORS, SNIPPETS, Mutant
from tools.mutation.report import rows, table
from tools.mutation.transplant import transplanted
from tools.soundness.cargo import Copy
from tools.soundness.thir import Place, Row

CRATES = Crates("burn::tensor", "burn::module", "burn::nn", "burn::optim", "burn::data", False)
TRAINING = b"""
use burn::nn::Linear;
use burn::optim::{GradientsParams, ModuleOptimizer};
use burn::tensor::{Device, Tensor};

pub fn train(mut model: Linear, mut optim: ModuleOptimizer, x: Tensor<2>, device: &Device) -> Linear {
    let inputs = x.to_device(device);
    for _ in 0..4 {
        let loss = model.forward(inputs.clone()).square().mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    model
}

pub fn masked(x: Tensor<2>, other: Tensor<2>) -> Tensor<2> {
    let mask = x.clone().is_nan();
    x.mask_where(mask, other)
}
"""
MANIFEST = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'


def source(content: bytes = TRAINING) -> Source:
    return Source("src/lib.rs", content, CRATES)


def faults(name: str, content: bytes = TRAINING) -> list[Fault]:
    return list(BY_NAME[name].find(source(content)))


@pytest.fixture
def base(tmp_path: Path) -> Base:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST)
    (tmp_path / "src/lib.rs").write_bytes(TRAINING)
    return Base("p", Copy(tmp_path, tmp_path / "target"), {"src/lib.rs": source()})


def parses(content: bytes) -> bool:
    return not parse(content).root_node.has_error


def test_a_fault_changes_its_place_only() -> None:
    (fault,) = faults("step-dropped")
    wrong = planted(TRAINING, fault, right=False)
    assert wrong == TRAINING.replace(
        b"model = optim.step(1e-3, model, grads);", b"optim.step(1e-3, model.clone(), grads);"
    )
    assert planted(TRAINING, fault, right=True) == TRAINING


def test_operands_are_swapped() -> None:
    (fault,) = faults("swap-mask-where")
    assert unmarked(fault.wrong) == "other.mask_where(mask, x)"


def test_test_code_is_left_alone() -> None:
    assert not faults("step-dropped", b"#[cfg(test)]\nmod tests {" + TRAINING + b"}")


@pytest.mark.parametrize("name", ["step-dropped", "swap-mask-where", "step-shadowed"])
def test_an_indirection_moves_fault_and_twin_alike(name: str) -> None:
    (fault,) = faults(name)
    shapes = set()
    for number in range(1, len(KINDS) + 1):
        for moved in indirect(source(), fault, number, number):
            shapes.add(moved.shape)
            assert planted(TRAINING, moved, right=True) != TRAINING
            assert parses(planted(TRAINING, moved, right=True)), moved.right
            assert parses(planted(TRAINING, moved, right=False)), moved.wrong
    assert shapes == {"closure"}, "the others need types, or to know what is moved"


def test_the_kind_of_indirection_goes_by_the_turn() -> None:
    (fault,) = transplanted([source()], [SNIPPETS["float-scalar-on-int"][0]], 1)
    moved = [next(indirect(source(), fault, turn, turn)) for turn in range(5)]
    assert [each.shape for each in moved] == list(KINDS)
    texts = [planted(TRAINING, each, right=False) for each in moved]
    assert b"fn planted_0(index: burn::tensor::Tensor<1, burn::tensor::Int>)" in texts[0]
    assert b"(Planted1 { index: index }).compute()" in texts[1]
    assert b"Planted3 { value: index }; planted_3.value * 0.5" in texts[3]


def test_what_is_lent_is_lent_on() -> None:
    (fault,) = transplanted([source()], [SNIPPETS["step-dropped"][0]], 1)
    moved = next(indirect(source(), fault, 0))
    wrong = planted(TRAINING, moved, right=False).decode()
    assert "planted_0(&mut optim, &model, grads);" in wrong
    assert "optim: &mut burn::optim::ModuleOptimizer" in wrong


def test_a_dropped_clone_is_a_clone_where_the_twin_hands_it_on() -> None:
    (fault,) = transplanted([source()], [SNIPPETS["clone-dropped"][0]], 1)
    function, method = (next(indirect(source(), fault, 0, turn)) for turn in (0, 1))
    for moved, wrong, right in (
        (function, b"planted_0(x)", b"planted_0(x.clone())"),
        (method, b"(Planted0 { x: x })", b"(Planted0 { x: x.clone() })"),
    ):
        assert wrong in planted(TRAINING, moved, right=False)
        assert right in planted(TRAINING, moved, right=True)
        assert all(b".tanh()" in planted(TRAINING, moved, right=side) for side in (False, True))
        assert b".clone().tanh()" not in planted(TRAINING, moved, right=True), "it takes what it is given"


@pytest.mark.parametrize(
    ("needs", "crates"),
    [
        ('burn = "=0.22.1"', ("burn::tensor", "burn::nn", "burn::data")),
        ("[dependencies.burn]\nworkspace = true", ("burn::tensor", "burn::nn", "burn::data")),
        ('[dependencies.burn]\nversion = "1"\noptional = true', ("", "", "")),
        ('burn-core = "1"', ("", "", "")),
    ],
)
def test_a_host_names_only_crates_that_are_there(
    needs: str, crates: tuple[str, str, str], tmp_path: Path
) -> None:
    text = MANIFEST.replace('burn = "=0.22.1"', needs)
    (tmp_path / "Cargo.toml").write_text(text)
    found = crates_of(tmp_path / "src/lib.rs", tmp_path)
    assert (found.tensor, found.nn, found.data) == crates


@pytest.mark.parametrize(
    ("wanted", "generic"),
    [
        ('"0.21.0"', True),
        ('{ version = "~0.13" }', True),
        ('"=0.22.1"', False),
        ("{ workspace = true }", False),
    ],
)
def test_up_to_021_tensors_name_a_back_end(wanted: str, generic: bool, tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(MANIFEST.replace('"=0.22.1"', wanted))
    assert crates_of(tmp_path / "src/lib.rs", tmp_path).generic is generic


def test_parts_of_burn_name_each_other(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "burn-train"\n[dependencies]\nburn-optim = "1"\n'
        '[dependencies.burn-nn]\nversion = "1"\noptional = true\n'
    )
    found = crates_of(tmp_path / "src/lib.rs", tmp_path)
    assert (found.optim, found.nn, found.data) == ("burn_optim", "", "burn_core::data")
    assert not found.facade


def test_two_mutants_with_the_same_items_are_not_checked_in_one_place(base: Base) -> None:
    (loader,) = transplanted([source()], SNIPPETS["loader-flattened"][:1], 1)
    moved = next(indirect(source(), loader, 1))
    made = [Mutant("loader-flattened", "p", [fault], number) for number, fault in enumerate((loader, moved))]
    assert chosen(base, made) == [(made[0], False), (made[1], True)], (
        "the second one in a copy of the function"
    )
    losses = list(transplanted([source()], SNIPPETS["mean-dropped"][:1], 1))
    made = [Mutant("mean-dropped", "p", losses, number) for number in range(2)]
    assert [copied for _, copied in chosen(base, made)] == [False, False], "blocks without items do not meet"


def test_two_faults_in_one_function_stand_in_two(base: Base) -> None:
    (fault,) = faults("step-dropped")
    made = [Mutant("step-dropped", "p", [fault], number) for number in range(3)]
    where = placed(base, "src/lib.rs", chosen(base, made))
    text = (base.copy.folder / "src/lib.rs").read_bytes()
    assert parses(text) and text.count(b"pub fn train(") == 3
    assert text.count(b"optim.step(1e-3, model.clone(), grads);") == 3
    for each in where:
        (start, end), *_ = each.own
        assert b"optim.step(1e-3, model.clone(), grads);" in text[start:end]
    assert text[slice(*where[2].around)].startswith(b"\nmod planted_copy_2 {\nuse super::*;\npub fn train(")


METHODS = b"""
struct Net;

impl<T: Clone> Trait for Net { fn masked(x: Tensor<2>, y: Tensor<2>) -> Tensor<2> { x.mask_where(x.is_nan(), y) } }

impl Net { fn masked(x: Tensor<2>, y: Tensor<2>) -> Tensor<2> { x.mask_where(x.is_nan(), y) } }

fn above(x: Tensor<2>, y: Tensor<2>) -> Tensor<2> { x.mask_where(super::nan(&x), y) }
"""


def test_a_copy_is_made_where_it_means_the_same(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_bytes(METHODS)
    base = Base("p", Copy(tmp_path, tmp_path / "target"), {"src/lib.rs": source(METHODS)})
    of_trait, of_net, above = faults("swap-mask-where", METHODS)
    made = [Mutant("swap-mask-where", "p", [f], n) for n, f in enumerate([of_trait, of_net, above] * 2)]
    kept = chosen(base, made)
    assert kept == [(made[0], False), (made[1], False), (made[2], False), (made[4], True)]
    placed(base, "src/lib.rs", kept)
    text = (tmp_path / "src/lib.rs").read_bytes()
    assert b"mod planted_copy_3 {\nuse super::*;\nimpl Net {\nfn planted_copy_3(x: Tensor<2>" in text


def test_faults_stand_where_rustc_looks(base: Base) -> None:
    seen = source()
    place = Place("src/lib.rs", (17, 9), (17, 13))
    seen.rows.append(Row(place, "mask", "bool"))
    train, masked = seen.functions
    assert (seen.compiled(train), seen.compiled(masked)) == (False, True)
    base.sources["src/lib.rs"] = seen
    real = {each.name for each in plan.mutants([base], 3, 3) if not each.fault.transplanted}
    assert "swap-mask-where" in real and "step-dropped" not in real


def test_cargo_is_asked_for_as_many_as_the_table_has(base: Base) -> None:
    (fault,) = faults("step-dropped")
    made = [Mutant("step-dropped", "p", [fault], number) for number in range(4)]
    assert needed(made, 2) == made[:2]
    made[0].compiles = False
    assert needed(made, 2) == made[1:3]


def every_snippet() -> Iterable[tuple[str, int]]:
    return [(name, at) for name, snippets in SNIPPETS.items() for at in range(len(snippets))]


@pytest.mark.parametrize(("name", "at"), every_snippet())
def test_snippets_parse_in_a_host(name: str, at: int) -> None:
    host = TRAINING.replace(
        b"x: Tensor<2>, device", b"x: Tensor<2>, a: Tensor<1, Int>, b: Tensor<2, Int>, device"
    )
    snippet = SNIPPETS[name][at]
    (fault, *_) = transplanted([Source("examples/guide/src/lib.rs", host, CRATES)], [snippet], 1)
    assert fault.transplanted
    for moved in (fault, *(m for number in range(5) for m in indirect(source(host), fault, number, number))):
        for right in (False, True):
            content = planted(host, moved, right=right)
            assert parses(content), content.decode()
            assert "⟦" not in content.decode()


def test_names_and_pitfalls_are_in_order() -> None:
    names = [operator.name for operator in OPERATORS]
    assert len(names) == len(set(names))
    assert set(SNIPPETS) <= set(names)
    assert all(operator.issue in (6, 7) and operator.pitfalls for operator in OPERATORS)
    assert {operator.error for operator in OPERATORS if not operator.error.startswith("E")} == {"", MACRO}


def test_found_is_what_the_twin_has_not(base: Base) -> None:
    judge = Judge()
    (fault,) = faults("step-dropped")
    mutant = Mutant("step-dropped", "p", [fault], 0)
    judge.judge(base, mutant)
    assert (mutant.found, mutant.twin) == (["optimizer-step-result-dropped"], [])
    # A fault that is no fault.
    harmless = Mutant("step-dropped", "p", [Fault("src/lib.rs", fault.span, fault.right, fault.right)], 1)
    judge.judge(base, harmless)
    assert (harmless.found, harmless.twin) == ([], [])


def test_a_loud_twin_is_counted(base: Base) -> None:
    (fault,) = faults("step-dropped")
    loud = Mutant("step-dropped", "p", [Fault("src/lib.rs", fault.span, fault.wrong, fault.wrong)], 0)
    Judge().judge(base, loud)
    assert (loud.found, loud.twin) == ([], ["optimizer-step-result-dropped"])


def test_the_table_counts_what_compiles() -> None:
    (fault,) = faults("step-dropped")
    made = [Mutant("step-dropped", "p", [fault], number) for number in range(4)]
    made[0].found = ["a-rule"]
    made[1].compiles = False
    made[2].compiles = True
    (row,) = rows(made, most=1)
    assert row.direct == [0, 1] and row.checked == 1, "those that were checked come first"
    (row,) = rows(made, most=3)
    assert row.direct == [1, 3]
    assert "step-dropped\t7\tP17\t1/3\t0/0\t33 %" in table([row])


def test_a_miss_is_laid_at_the_door_of_its_cause() -> None:
    (fault,) = faults("step-dropped")
    moved = next(indirect(source(), fault, 1))
    made = [Mutant("step-dropped", "p", [each], number) for number, each in enumerate([fault, moved] * 2)]
    made[0].found = ["a-rule"]
    (row,) = rows(made, most=3)
    assert row.missed == {"closure": 1, "place": 2}


def test_mutants_come_direct_and_behind_an_indirection(base: Base) -> None:
    made = plan.mutants([base], 3, 3, ["swap-mask-where"])
    assert [each.is_direct for each in made] == [True, False] * (len(made) // 2)
    assert not made[0].fault.transplanted
