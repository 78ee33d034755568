"""Copies of what burnlint looks at below a folder, to be edited and multiplied."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

TIMES = 8
"""How many copies the large one has."""
BESIDE = ("Cargo.lock", "burnlint.toml", ".gitignore")
"""What is read and not linted."""


@dataclass(frozen=True)
class Site:
    """`one` holds the copy, `many` several of it side by side."""

    one: Path
    many: Path
    files: tuple[str, ...]
    """The Rust files of `one`, relative."""
    changed: str
    """The file that a commit changes: of those with tensors, whose rules have work, that of the middle size."""

    @property
    def size(self) -> int:
        """Bytes of Rust in `one`."""
        return sum((self.one / name).stat().st_size for name in self.files)

    @property
    def around_changed(self) -> list[str]:
        """The Rust files of the package of the changed file."""
        folders = [each for each in Path(self.changed).parents if (self.one / each / "Cargo.toml").is_file()]
        package = folders[0] if folders else Path()
        return [name for name in self.files if Path(name).is_relative_to(package)]

    def change(self) -> None:
        """Edit the changed file, so that nothing that is known of it holds."""
        with (self.one / self.changed).open("a") as file:
            file.write("// changed\n")


def lay(source: Path, below: Path) -> Site:
    """Copy what is looked at in `source` to `below`. Raises SystemExit where that is no Rust."""
    listed = subprocess.run(
        [sys.executable, "-m", "burnlint", "check", "--show-files", "."],
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    rust = [name for name in listed if name.endswith(".rs")]
    if not rust:
        raise SystemExit(f"{source}: no Rust files to measure on")
    beside = [
        str(path.relative_to(source))
        for folder in {Path(name).parent for name in listed} | {Path()}
        for name in BESIDE
        if (path := source / folder / name).is_file()
    ]
    one, many = below / "one", below / "many"
    for name in (*listed, *beside):
        (one / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, one / name)
    for at in range(TIMES):
        shutil.copytree(one, many / f"copy{at}")
    with_tensors = [name for name in rust if b"Tensor" in (one / name).read_bytes()]
    by_size = sorted(with_tensors or rust, key=lambda name: ((one / name).stat().st_size, name))
    return Site(one, many, tuple(rust), by_size[len(by_size) // 2])
