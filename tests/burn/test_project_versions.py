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


@pytest.mark.parametrize(
    ("dependency", "code", "later"),
    [
        ('burn = { git = "https://example.org/burn" }', "fn f(x: burn::tensor::Tensor<2>) {}", True),
        ('burn = { git = "https://example.org/burn" }', "fn f<B: Backend>(x: Tensor<B, 2>) {}", False),
        ('burn = { git = "https://example.org/burn", tag = "v0.22.0" }', "fn f(x: Tensor<2>) {}", False),
        ('burn = "0.22"', "fn f(x: Tensor<2>) {}", False),
        ('serde = "1"', "fn f() {}", False),
    ],
)
def test_a_later_version_may_be_meant(tmp_path: Path, dependency: str, code: str, later: bool) -> None:
    """Where neither manifest nor lock says the version, and the source has today's style, which may go on."""
    (tmp_path / "Cargo.toml").write_text(
        f'[package]\nname = "demo"\nversion = "0.1.0"\n[dependencies]\n{dependency}\n'
    )
    (tmp_path / "src").mkdir()
    library = tmp_path / "src/lib.rs"
    library.write_text(code)
    project = Project.load([library.as_posix()], Options(), {})
    assert project.may_be_later(library.as_posix()) is later
