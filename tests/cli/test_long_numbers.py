"""Numbers that no integer or float holds, where Rust, Cargo or a user may write one: read on, or said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import run

DIGITS = "9" * 5000
"""More than Python's `int` reads."""
NUMBERS = (DIGITS, f"{DIGITS}.5", f"1e{DIGITS}", "1e400", "-1e400", "1e-400", f"{'9' * 40}.5", "3402823e32")
CALLS = (
    "add_scalar",
    "sub_scalar",
    "mul_scalar",
    "div_scalar",
    "remainder_scalar",
    "clamp_min",
    "clamp_max",
    "powf_scalar",
    "full_like",
    "equal_elem",
    "lower_elem",
    "greater_equal_elem",
    "sum_dim",
    "topk",
    "chunk",
    "reshape",
    "one_hot",
    "squeeze_dim",
    "unsqueeze_dim",
)


def operations(number: str, tensor: str, kind: str) -> str:
    calls = "".join(f"    let _ = x.clone().{call}({number});\n" for call in CALLS)
    operators = "".join(f"    let _ = x.clone() {operator} {number};\n" for operator in "+-*/%")
    return f"""{calls}{operators}
    let _ = x.clone().mask_fill(m.clone(), {number});
    let _ = x.clone().clamp({number}, {number});
    let _ = x.clone().slice([0..{number}]);
    let _ = x.clone().slice([{number}..0]);
    let _ = x.clone().slice_fill([0..1], {number});
    let _ = x.clone().narrow(0, {number}, {number});
    let _ = x.clone().repeat_dim(0, {number});
    let _ = x.clone().unsqueeze::<{number}>();
    let _ = {tensor}1{kind}>::full([{number}], {number}, d);
    let _ = {tensor}1{kind}>::from_data([{number}, {number}], d);
    let _ = {tensor}1, Int>::from_ints([{number}], d);
    let _ = {tensor}1, Int>::arange(0..{number}, d);
    let _ = BatchNormConfig::new({number}).with_momentum({number}).with_epsilon({number});
    let _ = AdamConfig::new().with_epsilon({number}).with_beta_1({number});
    let _ = LinearConfig::new({number}, {number});
    println!("{{{number}}} {{0:{number}$}} {{:>{number}}} {{²}}", {number}, x);
"""


def source(number: str, style: str) -> str:
    """A function for each kind of tensor, in today's style or in that of the back end parameters."""
    generic, tensor, device = (
        ("", "Tensor<", "Device") if style == "0.22" else ("<B: Backend>", "Tensor<B, ", "B::Device")
    )
    call = tensor.replace("<", "::<")
    out = "use burn::{nn::{BatchNormConfig, LinearConfig}, optim::AdamConfig, prelude::*};\n"
    for kind in ("", ", Int"):
        name = kind.strip(", ").lower() or "float"
        out += f"""fn of_{name}{generic}(x: {tensor}2{kind}>, m: {tensor}2, Bool>, d: &{device}) {{
{operations(number, call, kind)}
}}
"""
    return out


PLACES = f"""
use burn::prelude::*;
const N: usize = {DIGITS};
pub struct Held(Tensor<2>, [f32; {DIGITS}]);
#[derive(Config, Debug)]
pub struct Net {{ #[config(default = {DIGITS})] a: usize, #[config(default = "{DIGITS}")] b: usize }}
fn places(x: Tensor<{DIGITS}>, held: Held, y: Tensor<2>, pair: (Tensor<2>, Tensor<2>)) -> [f32; {DIGITS}] {{
    let _ = (held.{DIGITS}, pair.{DIGITS}, y.clone().reshape([N, {DIGITS}]));
    let (a, ..) = Held {{ {DIGITS}: y.clone(), 1: [0.0; 2] }};
    for i in (0..{DIGITS}).step_by({DIGITS}) {{
        let _ = y.clone().slice([i..i + {DIGITS}]);
    }}
    match 3 {{ {DIGITS} => y, {DIGITS}..={DIGITS} => vec![y; {DIGITS}] }};
    [0.0; {DIGITS}]
}}
"""


@pytest.mark.parametrize("version", ["0.21.0", "0.22.1"])
@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number[:8])
def test_sources(number: str, version: str, tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text(source(number, version[:4]), encoding="utf-8")
    (tmp_path / "places.rs").write_text(PLACES)
    options = ("--select", "all", "--min-confidence", "low")
    answer = run(folder=tmp_path, burn=version, options=options)
    assert [each["message"] for each in answer.notes if each["kind"] == "rule-crashed"] == []
    assert answer.exit_code in (0, 1)


@pytest.mark.parametrize(
    "version", [f"0.{DIGITS}", f"0.22.{DIGITS}", f">=0.{DIGITS}, <1", f"=0.22.0-pre.{DIGITS}"]
)
def test_manifests(version: str, project: Path, burnlint: Any) -> None:
    (project / "Cargo.toml").write_text(
        f'[package]\nname = "net"\nversion = "0.1.{DIGITS}"\nedition = "2024"\n[dependencies]\nburn = "{version}"\n'
    )
    (project / "Cargo.lock").write_text(
        f'version = 4\n[[package]]\nname = "burn"\nversion = "{version.lstrip("=")}"\nsource = "registry+https://example.org"\n'
    )
    assert burnlint("check", "--select", "all", "--exit-zero", ".").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "--at", f"lib.rs:{DIGITS}"),
        ("explain", "--at", "lib.rs:²"),
        ("check", "--burn-version", f"0.{DIGITS}"),
        ("check", "--burn-version", "0.022"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_options(arguments: tuple[str, ...], project: Path, burnlint: Any) -> None:
    (project / "lib.rs").write_text("fn f() {}\n")
    answer = burnlint(*arguments)
    assert answer.code == 2
    assert "internal error" not in answer.err


def test_logs(burnlint: Any) -> None:
    text = f"error[E0308]: no\n --> src/main.rs:{DIGITS}:1\npanicked at src/main.rs:{DIGITS}:{DIGITS}:\n"
    answer = burnlint("why", text)
    assert "internal error" not in answer.err
