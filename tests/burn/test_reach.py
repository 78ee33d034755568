"""Packages that name only crates below burn's tensors: which rules are judged there, and under which burn."""

from pathlib import Path

import pytest

from burnlint.burn.project import Options, Project

KERNEL = """use cubecl::prelude::*;

#[cube(launch)]
fn scale(output: &mut [f32]) {
    output[ABSOLUTE_POS] = 1.0;
}
"""


def project(folder: Path, dependencies: str) -> tuple[Project, str]:
    """A package with these dependencies, and the path of its library."""
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text(
        f'[package]\nname = "kernels"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\n{dependencies}\n'
    )
    library = folder / "src/lib.rs"
    library.write_text(KERNEL)
    return Project.load([library.as_posix()], Options(), {}), library.as_posix()


@pytest.mark.parametrize(
    ("dependencies", "burn", "below"),
    [
        ('cubecl = "0.11"', (), ("0.22.0", "0.22.1")),
        ('cubecl = "=0.11.0-pre.2"', (), ("0.22.0", "0.22.1")),
        ('cubecl = "0.10"', (), ("0.21.0",)),
        ('serde = "1"', (), ()),
        ('burn-cubecl = "=0.22.1"', ("0.22.1",), ("0.22.1",)),
        ('burn = "=0.22.1"\ncubecl = "0.11"', ("0.22.1",), ("0.22.1",)),
    ],
)
def test_versions(tmp_path: Path, dependencies: str, burn: tuple[str, ...], below: tuple[str, ...]) -> None:
    made, library = project(tmp_path, dependencies)
    assert made.versions(library) == burn
    assert made.versions_below(library) == below


@pytest.mark.parametrize("dependencies", ['cubecl = "0.11"', 'burn-cubecl = "=0.22.1"\ncubecl = "0.11"'])
def test_kernels_are_seen_below_tensors(tmp_path: Path, dependencies: str) -> None:
    made, library = project(tmp_path, dependencies)
    assert not made.may_hold_tensors(library)
    source = made.source(library)
    assert source is not None
    assert [access.container for access in made.file_view(source).unguarded_kernels()] == ["output"]
