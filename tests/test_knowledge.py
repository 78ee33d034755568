"""What burnlint tells of its own knowledge: `--statistics` and `explain --at`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from support import run

from burnlint.cli import cli

SOURCE = """\
use burn::prelude::*;

fn hits(output: Tensor<2>, targets: Tensor<1, Int>, other: Foreign) -> Tensor<1, Int> {
    let guess = output.argmax(1);
    let hits = guess.equal(targets.unsqueeze_dim(1));
    other.mask_where(hits.clone(), 0);
    hits.int().sum()
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lib.rs").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_statistics_count_tensor_expressions(folder: Path) -> None:
    document = run(["lib.rs"], folder=folder, burn="0.22.1", options=["--statistics"]).document
    types = document["summary"]["types"]
    # output, argmax, guess, equal, targets, unsqueeze_dim, hits, int, sum; and `other`, since only a tensor
    # has `mask_where`, with the clone of hits that it takes.
    assert types["tensor_expressions"] == 12
    assert types["known_kind"] == types["known_rank"] == 11
    assert types["unknown_because"] == {"name not resolved (not found)": 1}


def test_without_statistics_there_are_no_types(folder: Path) -> None:
    assert run(["lib.rs"], folder=folder, burn="0.22.1").document["summary"]["types"] is None


def explain(*arguments: str) -> tuple[int, str]:
    answer = CliRunner().invoke(cli, ["explain", *arguments])
    return answer.exit_code, answer.output


def test_explain_at_a_line(folder: Path) -> None:
    _, text = explain("--at", "lib.rs:4")
    rows = [row.strip() for row in text.splitlines()]
    assert "output.argmax(1)" in rows
    assert "type    Tensor<2,Int>" in rows
    assert "runs    Tensor::argmax" in rows


def test_a_rule_may_look_at_the_type_of_a_constructor(folder: Path) -> None:
    (folder / "lib.rs").write_text("use burn::optim::AdamConfig;\nfn f() { let a = AdamConfig::new(); }\n")
    _, text = explain("adam-default-epsilon", "--at", "lib.rs:2")
    assert "`new` runs AdamConfig::new: that is known" in text


def test_explain_says_which_fact_a_rule_misses(folder: Path) -> None:
    _, text = explain("mask-where-torch-order", "--at", "lib.rs:6")
    assert "what `mask_where` runs is not known" in text
    _, text = explain("mask-where-torch-order", "--at", "lib.rs:4")
    assert "nothing on this line that the rule looks at" in text
    _, text = explain("row-column-broadcast", "--at", "lib.rs:5")
    rows = [row.strip() for row in text.splitlines()]
    assert rows[0].startswith("`equal` runs Tensor::equal: that is known.")
    assert rows[1:] == [
        "guess: Tensor<2,Int>",
        "not known: whether it is on autodiff",
        "not known: its sizes in dimension 0",
        "targets.unsqueeze_dim(1): Tensor<2,Int>",
        "not known: whether it is on autodiff",
        "not known: whether autodiff records it (a leaf, computed from one, or neither)",
        "not known: its sizes in dimension 0",
    ]


def test_explain_says_that_a_rule_fires(folder: Path) -> None:
    (folder / "lib.rs").write_text(
        "use burn::prelude::*;\nfn f(a: Tensor<2>) -> Tensor<2> {\n    a\n        .slice([4..2])\n}\n"
    )
    _, text = explain("slice-empty-range", "--at", "lib.rs:4")
    assert text.startswith("fires here, with confidence medium: this range is empty")
    _, text = explain("slice-empty-range", "--at", "lib.rs:2")
    assert "fires here" not in text


DROPPED = "use burn::prelude::*;\nfn f(a: Tensor<2>) -> Tensor<2> {\n    a.clone().detach();%s\n    a\n}\n"


def test_explain_says_that_a_finding_is_suppressed(folder: Path) -> None:
    (folder / "lib.rs").write_text(DROPPED % " // burnlint: ignore[tensor-result-dropped]")
    _, text = explain("tensor-result-dropped", "--at", "lib.rs:3")
    assert text.startswith("fires here, with confidence medium, and a comment suppresses it: ")


@pytest.mark.parametrize(
    ("configuration", "manifest", "why"),
    [
        ('[per-file-ignores]\n"lib.rs" = ["tensor-result-dropped"]\n', "", "`per-file-ignores` leave it out"),
        ("", 'burn = "=0.10.0"\n', "it is for burn >=0.13"),
        ("", 'serde = "1"\n', "it is for burn >=0.13"),
    ],
)
def test_explain_says_that_a_rule_does_not_run_there(
    folder: Path, configuration: str, manifest: str, why: str
) -> None:
    (folder / "burnlint.toml").write_text(configuration)
    if manifest:
        (folder / "Cargo.toml").write_text(
            f'[package]\nname = "net"\nedition = "2024"\n[lib]\npath = "lib.rs"\n[dependencies]\n{manifest}'
        )
    (folder / "lib.rs").write_text(DROPPED % "")
    _, text = explain("tensor-result-dropped", "--at", "lib.rs:3")
    assert text.startswith("the rule does not run on this file: ")
    assert why in text


def test_explain_says_that_a_rule_fires_in_a_manifest(folder: Path) -> None:
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "net"\nedition = "2024"\n[dependencies]\nburn = { version = "0.22.1", features = ["no-such"] }\n'
    )
    assert "fires here, with confidence high" in explain("unknown-burn-feature", "--at", "Cargo.toml:5")[1]
    assert explain("unknown-burn-feature", "--at", "Cargo.toml:4")[1] == "the rule is silent here\n"
    assert "Rust files" in explain("--at", "Cargo.toml:5")[1]


def test_explain_tells_of_operators(folder: Path) -> None:
    (folder / "lib.rs").write_text(
        "use burn::prelude::*;\nfn f(a: Tensor<2, Int>, n: usize, open: Foreign) {\n    let b = a / n;\n    open / n;\n}\n"
    )
    _, text = explain("int-division-truncates", "--at", "lib.rs:3")
    rows = [row.strip() for row in text.splitlines()]
    assert rows[0].startswith("`/` is an operator on these operands.")
    assert "n: usize" in rows and "not known: its value" in rows
    _, text = explain("int-division-truncates", "--at", "lib.rs:4")
    assert "not known: its type (name not resolved (not found))" in text


@pytest.mark.parametrize("place", ["lib.rs", "lib.rs:x", "gone.rs:3"])
def test_a_place_that_is_none_is_a_usage_error(folder: Path, place: str) -> None:
    code, text = explain("--at", place)
    assert code == 2
    assert "FILE:LINE" in text


def test_explain_wants_a_rule_or_a_place(folder: Path) -> None:
    assert explain()[0] == 2
