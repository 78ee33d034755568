"""`python -m tools.features.llvm`: with which of burn's features cargo builds the crate that downloads LLVM.

Writes `tests/cargo/llvm_bundler.tsv`: burn's version, the feature beside the default ones, and what cargo resolves of
tracel-llvm-bundler (`none` if nothing, `refused` if burn lacks the feature). Needs the registry.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tools.features.effective import VERSIONS, tree

DATA = Path(__file__).parents[2] / "tests/cargo/llvm_bundler.tsv"
FEATURES = ("cpu", "cuda", "rocm", "wgpu", "vulkan", "flex")
CRATE = "tracel-llvm-bundler"


def cell(version: str, feature: str, root: Path) -> str:
    """What cargo resolves of the bundler, as a build dependency too."""
    lines = tree(version, True, [feature], root, "normal,build", "{p}")
    if lines is None:
        return "refused"
    releases = {line.split()[1].removeprefix("v") for line in lines if line.startswith(f"{CRATE} ")}
    return " ".join(sorted(releases)) or "none"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            (version, each, cell(version, each, Path(folder))) for version in VERSIONS for each in FEATURES
        ]
    DATA.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
