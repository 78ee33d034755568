"""Which versions of burn a file is read for."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnlint.burn.project import Options, Project


@pytest.mark.parametrize(
    ("code", "old"),
    [
        ("fn f<B: Backend>(x: Tensor<B, 2>) {}", True),
        ("fn f(x: Tensor<MyBackend, 2, Int>) {}", True),
        ("fn f<B: Backend, const D: usize>(x: Tensor<B, D>) {}", True),
        ("fn f<const D: usize>(x: Tensor<D, Int>, y: Tensor<D, Bool>) {}", False),
        ("fn f<const D: usize, K: Basic>(x: Tensor<D, K>) {}", False),
        ("fn f(x: Tensor<2>) { let backend = wgpu::Backend::Metal; }", False),
    ],
)
def test_the_style_tells_the_version_of_a_git_dependency(code: str, old: bool, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    manifest = '[package]\nname = "demo"\nversion = "0.1.0"\n[dependencies]\nburn = { git = "https://example.org/burn" }\n'
    (tmp_path / "Cargo.toml").write_text(manifest)
    path = tmp_path / "src" / "lib.rs"
    path.write_text(f"use burn::prelude::*;\n{code}\n")
    project = Project.load([path.as_posix()], Options(), {})
    newest = project.versions(path.as_posix())[-1]
    assert newest.startswith("0.21.") == old
