"""`python -m tools.features.effective`: what cargo itself resolves for sets of burn's features, as a
test's expectation.

Writes `tests/cargo/effective_features.tsv`. Needs the registry: `cargo tree` downloads the manifests of
everything it resolves.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

DATA = Path(__file__).parents[2] / "tests/cargo/effective_features.tsv"
VERSIONS = ("0.18.0", "0.19.1", "0.20.0", "0.20.1", "0.21.0", "0.22.0", "0.22.1", "0.23.0-pre.1")
CRATES = frozenset(
    {
        "burn",
        "burn-core",
        "burn-flex",
        "burn-ndarray",
        "burn-wgpu",
        "burn-cuda",
        "burn-rocm",
        "burn-cpu",
        "burn-cubecl",
        "burn-optim",
        "burn-train",
        "cubecl-runtime",
    }
)
WITH_DEFAULTS = ("", "wgpu", "flex", "ndarray", "cuda", "rocm", "cpu", "vulkan", "tch", "remote", "train")
WITHOUT_DEFAULTS = (
    *(
        "",
        "wgpu",
        "flex",
        "ndarray",
        "cuda",
        "rocm",
        "std wgpu",
        "std vulkan",
        "std flex",
        "std ndarray",
        "std cuda",
    ),
    *(
        "std rocm",
        "std cpu",
        "std train",
        "std flex train",
        "std ndarray train",
        "std wgpu train",
        "std wgpu vision",
    ),
    *("std flex vision", "std wgpu fusion autotune", "std wgpu fusion", "std wgpu autotune"),
    *("std cuda fusion autotune", "std flex simd", "std flex rayon", "std flex simd rayon"),
    *("std ndarray simd rayon", "std wgpu fusion autotune persistence", "default wgpu"),
)


def tree(
    version: str, default: bool, features: list[str], root: Path, edges: str, form: str
) -> list[str] | None:
    """The lines of `cargo tree` for a package of this one entry on Linux; None if burn lacks one of the features."""
    (root / "src").mkdir(exist_ok=True)
    (root / "src/main.rs").write_text("fn main() {}\n")
    on = str(default).lower()
    entry = f'burn = {{ version = "={version}", default-features = {on}, features = {json.dumps(features)} }}'
    head = '[package]\nname = "probe"\nversion = "0.0.0"\nedition = "2021"\n'
    (root / "Cargo.toml").write_text(f"{head}[workspace]\n[dependencies]\n{entry}\n")
    command = ["cargo", "tree", "--edges", edges, "--prefix", "none", "--format", form]
    done = subprocess.run(
        [*command, "--target", "x86_64-unknown-linux-gnu"],
        cwd=root,
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.returncode:
        return done.stdout.splitlines()
    if "does not have that feature" not in done.stderr:
        raise RuntimeError(done.stderr)
    return None


def cells(version: str, default: bool, features: list[str], root: Path) -> list[str]:
    """`crate version: features` for the crates of interest, or the one cell `refused`."""
    lines = tree(version, default, features, root, "normal", "{p}|{f}|")
    if lines is None:
        return ["refused"]
    found = set()
    for line in lines:
        package, features_on, *_ = line.split("|")
        name, release, *_ = package.split()
        if name in CRATES:
            on = " ".join(sorted(filter(None, features_on.split(","))))
            found.add(f"{name} {release.removeprefix('v')}: {on}")
    return sorted(found)


def main() -> None:
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for version in VERSIONS:
            for default, rows in ((True, WITH_DEFAULTS), (False, WITHOUT_DEFAULTS)):
                for row in rows:
                    found = cells(version, default, row.split(), Path(folder))
                    lines.append("\t".join([version, "default" if default else "none", row, *found]) + "\n")
    DATA.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
