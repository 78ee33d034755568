"""`python -m tools.cache_edits [--sequences N] [--seed S]`: random edits of a small workspace, after each of which a
run with the cache must print what a run without one prints, byte for byte.

Exits 1 at the first difference, with the seed and the edits that led to it.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
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
"""Edits of one sequence; a look at the workspace comes before the first and after each."""
LOOKS = (
    (".",),
    (".", "--select", "all"),
    ("beta",),
    ("beta/src",),
    (".", "--burn-version", "0.21.0"),
    (".", "--all-features"),
)
"""Arguments of a run; a workspace is looked at with the same ones more often than not, as an entry of other arguments
cannot be stale."""
SOURCES_SHARE = 0.7
"""The share of edits that fall on Rust files: what hangs on those is what an entry must name."""

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
WORDS = (
    (", Int>", ">"),
    ("* 0.5", "* 2"),
    ("half", "count"),
    ("pub fn", "fn"),
    ("pub use", "use"),
    ("backward", "detach"),
    ("int()", "clone()"),
    ("make", "extra"),
    ("0.22", "0.21"),
)
"""Words that an edit puts in each other's place."""
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
        self._arguments = self._random.choice(LOOKS)
        for name in FILES:
            if self._random.random() < 0.85:
                self._write(name, at=0 if self._random.random() < 0.6 else None)

    def edit(self) -> None:
        """One random change."""
        edits: list[Callable[[str], None]] = [
            self._write,
            self._write,
            self._write,
            self._append,
            self._remove,
            self._touch,
            self._move,
            self._link,
            self._same_size,
            self._word,
            self._word,
            self._word,
        ]
        names = SOURCES if self._random.random() < SOURCES_SHARE else MANIFESTS
        self._random.choice(edits)(self._random.choice(list(names)))

    def look(self) -> str | None:
        """A run with the cache and one without, with arguments by chance: None, or those where they differ."""
        if self._random.random() < 0.2:
            self._arguments = self._random.choice(LOOKS)
        self.done.append(f"look {' '.join(self._arguments)}")
        same = report(self.root, *self._arguments) == report(self.root, *self._arguments, "--no-cache")
        return None if same else "; ".join(self.done)

    def _write(self, name: str, at: int | None = None) -> None:
        at = self._random.randrange(len(FILES[name])) if at is None else at
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(FILES[name][at])
        self.done.append(f"write {name} {at}")

    def _append(self, name: str) -> None:
        path = self.root / name
        if path.is_file():
            path.write_text(path.read_text() + ("\n# more\n" if path.suffix != ".rs" else "\n// more\n"))
            self.done.append(f"append {name}")

    def _remove(self, name: str) -> None:
        path = self.root / name
        if path.is_file() or path.is_symlink():
            path.unlink()
            self.done.append(f"remove {name}")
            with contextlib.suppress(OSError):
                path.parent.rmdir()

    def _touch(self, name: str) -> None:
        path = self.root / name
        if path.is_file():
            path.touch()

    def _move(self, name: str) -> None:
        """Put the file in the place of another one."""
        alike = [each for each in FILES if each[-5:] == name[-5:]]
        path, onto = self.root / name, self.root / self._random.choice(alike)
        if path.is_file() and path != onto:
            onto.parent.mkdir(parents=True, exist_ok=True)
            path.replace(onto)
            self.done.append(f"move {name} {onto.relative_to(self.root)}")

    def _link(self, name: str) -> None:
        """Make the file a link to another name, which may hold nothing, or be the file itself."""
        alike = [each for each in FILES if each[-5:] == name[-5:]]
        path, to = self.root / name, self.root / self._random.choice(alike)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(to)
        self.done.append(f"link {name} {to.relative_to(self.root)}")

    def _word(self, name: str) -> None:
        """Put a word in the place of another, where the file has one."""
        path = self.root / name
        text = path.read_text() if path.is_file() else ""
        pairs = [pair for pair in (*WORDS, *((new, old) for old, new in WORDS)) if pair[0] in text]
        if pairs:
            old, new = self._random.choice(pairs)
            path.write_text(text.replace(old, new))
            self.done.append(f"replace {name} {old} {new}")

    def _same_size(self, name: str) -> None:
        """Change a digit, and leave size and time as they were."""
        path = self.root / name
        if path.is_file():
            before, text = path.stat(), path.read_text()
            path.write_text(text.replace("1", "2") if "1" in text else text.replace("2", "1"))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            self.done.append(f"digits {name}")


def report(root: Path, *arguments: str) -> tuple[int, bytes]:
    """Exit code and JSON report of `burnlint check` in a folder."""
    held = io.BytesIO()
    out = io.TextIOWrapper(held, encoding="utf-8")
    err = io.StringIO()
    with contextlib.chdir(root), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(["check", *arguments, "--output", "json", "--min-confidence", "low"])
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
        differs = workspace.look()
        for _ in range(edits):
            if differs is not None:
                break
            workspace.edit()
            differs = workspace.look()
        return differs and f"seed {seed}: {differs}"
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
    gc.disable()  # As in the command itself.
    for at in range(arguments.sequences):
        if at % 20 == 0:
            gc.collect()
        if at % 500 == 499:
            print(f"{at + 1} sequences, {time.monotonic() - began:.0f} s", file=sys.stderr)
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
