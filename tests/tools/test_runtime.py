"""The claims that `tools.runtime` writes into programs."""

from __future__ import annotations

from pathlib import Path

from tools.runtime import instrumented

SOURCE = """
use burn::tensor::{Device, Tensor};
fn f(device: &Device, given: Tensor<2>) {
    let leaf = Tensor::<2>::ones([2, 2], device).require_grad();
    let tracked = leaf.clone() * 2.0;
    let one = tracked.mean();
    let nothing_known = given.exp();
}
"""


def test_claims_stand_behind_their_lets(tmp_path: Path) -> None:
    path = tmp_path / "proof.rs"
    path.write_text(SOURCE)
    text, number = instrumented(path, "0.22.1")
    lines = text.decode().splitlines()
    assert number == 7
    assert 'if leaf.dims()[0] == 2 && leaf.dims()[1] == 2 { "holds" }' in lines[3]
    assert 'if leaf.is_require_grad() { "holds" }' in lines[3]
    assert 'if tracked.is_tracked() && !tracked.is_require_grad() { "holds" }' in lines[4]
    assert "one.dims().iter().product::<usize>() == 1" in lines[5]
    assert lines[6].endswith("given.exp();")
