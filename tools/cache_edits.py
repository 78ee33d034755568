"""`python -m tools.cache_edits [--sequences N] [--seed S]`: random edits of a small workspace, after each of which a
run with the cache must print what a run without one prints, byte for byte.

Exits 1 at the first difference, with the seed and the edits that led to it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from burnlint import cli

EDITS = 6
"""Edits of one sequence."""

MANIFESTS = {
    "Cargo.toml": [
        '[workspace]\nresolver = "3"\nmembers = ["alpha", "beta"]\n',
        '[workspace]\nresolver = "3"\nmembers = ["*"]\n',
        '[workspace]\nresolver = "3"\nmembers = ["alpha"]\n',
        "[workspace\n",
    ],
    "alpha/Cargo.toml": [
        '[package]\nname = "alpha"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n',
        '[package]\nname = "alpha"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "0.21"\n',
        '[package]\nname = "alpha"\nversion = "0.1.0"\n[dependencies]\nburn = "0.22"\n[lib]\npath = "src/other.rs"\n',
    ],
    "beta/Cargo.toml": [
        '[package]\nname = "beta"\nversion = "0.1.0"\nedition = "2024"\n'
        '[dependencies]\nburn = "=0.22.1"\nalpha = { path = "../alpha" }\n',
        '[package]\nname = "beta"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n',
        '[package]\nname = "beta"\nversion = "0.1.0"\nedition = "2024"\n'
        '[dependencies]\nalpha = { path = "../alpha" }\nndarray = "0.16"\n',
    ],
    "Cargo.lock": [
        'version = 4\n[[package]]\nname = "burn"\nversion = "0.22.0"\n'
        'source = "registry+https://example.org/index"\n'
        '[[package]]\nname = "alpha"\nversion = "0.1.0"\ndependencies = ["burn"]\n'
        '[[package]]\nname = "beta"\nversion = "0.1.0"\ndependencies = ["burn", "alpha"]\n',
        "version = 4\n",
    ],
    "burnlint.toml": [
        'select = ["all"]\n',
        'ignore = ["int-tensor-float-scalar"]\n',
        'severity = { int-tensor-float-scalar = "note" }\nmin-confidence = "low"\n',
        '[per-file-ignores]\n"beta/**" = ["topic:tensor"]\n',
    ],
    "beta/burnlint.toml": ['ignore = ["backward-on-unreduced-loss"]\n', "require-reason = true\n"],
    ".gitignore": ["beta/src/extra.rs\n", "\n"],
}
_HEAD = "use burn::tensor::{Int, Tensor};\n"
SOURCES = {
    "alpha/src/lib.rs": [
        "pub mod make;\npub use make::count;\n",
        "mod make;\npub use make::*;\nmod absent;\n",
        '#[path = "../../shared.rs"]\npub mod make;\npub use make::count;\n',
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { x.int() }\n",
        "pub mod make {\n",
    ],
    "alpha/src/make.rs": [
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { x.int() }\n",
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1> { x }\n",
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { x.int() * 0.5 }\n",
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { @@ }\n",
    ],
    "alpha/src/make/mod.rs": [_HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1> { x }\n"],
    "alpha/src/other.rs": [_HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { x.int() }\n"],
    "shared.rs": [
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<1, Int> { x.int() }\n",
        _HEAD + "pub fn count(x: Tensor<1>) -> Tensor<2> { x.unsqueeze() }\n",
    ],
    "beta/src/lib.rs": [
        _HEAD + "mod extra;\npub fn half(x: Tensor<1>) -> Tensor<1, Int> { alpha::count(x) * 0.5 }\n",
        _HEAD + "pub fn half(x: Tensor<1>) -> Tensor<1, Int> {\n"
        "    // burnlint: ignore[int-tensor-float-scalar] -- meant\n    alpha::count(x) * 0.5\n}\n",
        _HEAD + "pub fn sum(x: Tensor<2>) -> Tensor<2> { x.clone() + alpha::count(x.squeeze()) }\n",
        _HEAD
        + "pub fn train(x: Tensor<2>) { let loss = x.require_grad().powi_scalar(2); loss.backward(); }\n",
    ],
    "beta/src/extra.rs": [
        "use crate::half;\nuse burn::tensor::Tensor;\npub fn f(x: Tensor<1>) { half(x).backward(); }\n",
        "pub fn f() {}\n",
    ],
    "beta/src/main.rs": ["fn main() { let _ = beta::half; }\n", "mod extra;\nfn main() {}\n"],
    "stray.rs": [_HEAD + "fn f(x: Tensor<1, Int>) -> Tensor<1, Int> { x * 0.5 }\n"],
}
FILES = MANIFESTS | SOURCES


class Workspace:
    """A workspace on the disk, and the random edits that were made to it."""

    def __init__(self, root: Path, seed: str) -> None:
        self.root = root
        self.done: list[str] = []
        self._random = random.Random(seed)
        for name in FILES:
            if self._random.random() < 0.75:
                self._write(name)

    def edit(self) -> None:
        """One random change."""
        edits: list[Callable[[str], None]] = [
            self._write,
            self._write,
            self._append,
            self._remove,
            self._touch,
        ]
        self._random.choice(edits)(self._random.choice(list(FILES)))

    def _write(self, name: str) -> None:
        at = self._random.randrange(len(FILES[name]))
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[name][at])
        self.done.append(f"write {name} {at}")

    def _append(self, name: str) -> None:
        path = self.root / name
        if path.is_file():
            path.write_text(path.read_text() + ("\n# more\n" if path.suffix != ".rs" else "\n// more\n"))
            self.done.append(f"append {name}")

    def _remove(self, name: str) -> None:
        path = self.root / name
        if path.is_file():
            path.unlink()
            self.done.append(f"remove {name}")
            with contextlib.suppress(OSError):
                path.parent.rmdir()

    def _touch(self, name: str) -> None:
        path = self.root / name
        if path.is_file():
            path.touch()


def report(root: Path, *options: str) -> tuple[int, bytes]:
    """Exit code and JSON report of `burnlint check` in a folder."""
    held = io.BytesIO()
    out = io.TextIOWrapper(held, encoding="utf-8")
    err = io.StringIO()
    with contextlib.chdir(root), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(["check", ".", "--output", "json", "--min-confidence", "low", *options])
    out.flush()
    return code, held.getvalue() + err.getvalue().encode()


def run_sequence(seed: str, edits: int = EDITS) -> str | None:
    """What differed in one sequence of edits; None where nothing did."""
    folder = Path(tempfile.mkdtemp(prefix="burnlint-edits-"))
    before = os.environ.get("BURNLINT_CACHE_DIR")
    os.environ["BURNLINT_CACHE_DIR"] = str(folder / "cache")
    try:
        root = folder / "workspace"
        root.mkdir()
        workspace = Workspace(root, seed)
        for _ in range(edits):
            if report(root) != report(root, "--no-cache"):
                return f"seed {seed}: {'; '.join(workspace.done)}"
            workspace.edit()
        return None
    finally:
        if before is None:
            del os.environ["BURNLINT_CACHE_DIR"]
        else:
            os.environ["BURNLINT_CACHE_DIR"] = before
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--seed", default="0")
    arguments = parser.parse_args()
    began = time.monotonic()
    for at in range(arguments.sequences):
        differs = run_sequence(f"{arguments.seed}-{at}")
        if differs is not None:
            print(differs)
            sys.exit(1)
    seconds = time.monotonic() - began
    print(
        f"{arguments.sequences} sequences of {EDITS} edits, seed {arguments.seed}: no difference ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main()
