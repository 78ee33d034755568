"""From the paths of the command line to the files to lint.

Folders are walked without following symbolic links. Ignore files, cargo's target folders and `exclude` leave
files out; a file that is named outright is always taken, unless `--force-exclude` asks otherwise (pre-commit
names every file).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from burnlint.lint.glob import Patterns
from burnlint.lint.ignores import Ignores
from burnlint.lint.protocol import FileKind, ProjectNote
from burnlint.lint.sidefiles import side_format

MAX_SIZE = 2 * 1024 * 1024
"""Bytes. Larger files are skipped with a note."""

_NEVER = frozenset({".git", ".hg", ".jj", ".svn", "node_modules", ".venv", "__pycache__"})


def kind_of(path: str) -> FileKind | None:
    """What a file is by its name; None when it is nothing to lint."""
    if path.endswith(".rs"):
        return "rust"
    if path.rpartition("/")[2] == "Cargo.toml":
        return "manifest"
    return "side" if side_format(path) is not None else None


@dataclass(slots=True, frozen=True)
class Options:
    """`exclude` holds the patterns of the configuration and of the command line."""

    exclude: tuple[Patterns, ...] = ()
    respect_ignores: bool = True
    force_exclude: bool = False
    max_size: int = MAX_SIZE
    kind_of: Callable[[str], FileKind | None] = kind_of


@dataclass(slots=True)
class Found:
    """Absolute paths with `/`, sorted, each once; and what was left out although it was asked for."""

    files: list[str] = field(default_factory=list)
    notes: list[ProjectNote] = field(default_factory=list)

    def skip(self, path: str, why: str, *, fatal: bool = False) -> None:
        self.notes.append(ProjectNote("file-skipped", path, None, why, fatal))


def walk(paths: Sequence[str], options: Options) -> Found:
    """Find the files. Never raises for what stands on the disk."""
    found, seen = Found(), set()
    ignores = Ignores(options.exclude, options.respect_ignores)
    for given in paths:
        for path in _under(given, options, ignores, found):
            seen.add(path)
    found.files = sorted(seen)
    found.notes = sorted(set(found.notes))
    return found


def absolute(path: str) -> str:
    """A path as burnlint spells it: absolute, symbolic links resolved, `/` as separator."""
    return os.path.realpath(path).replace(os.sep, "/")


def _under(given: str, options: Options, ignores: Ignores, found: Found) -> Iterable[str]:
    path = absolute(given)
    try:
        mode = Path(path).stat()
    except (OSError, ValueError) as error:
        found.skip(path, f"cannot be read ({getattr(error, 'strerror', None) or error})", fatal=True)
        return
    if stat.S_ISDIR(mode.st_mode):
        ignores.enter_root(path)
        yield from _walk_folder(path, options, ignores, found)
    elif not stat.S_ISREG(mode.st_mode):
        found.skip(path, "is no regular file")
    elif options.kind_of(path) is None:
        found.skip(path, "is neither Rust, a Cargo manifest, nor another file that rules read")
    elif mode.st_size > options.max_size:
        found.skip(path, _too_large(mode.st_size, options))
    elif not (options.force_exclude and ignores.excludes_explicit(path)):
        yield path


def _walk_folder(root: str, options: Options, ignores: Ignores, found: Found) -> Iterable[str]:
    pending = [root]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                names = {entry.name: entry for entry in entries}
        except OSError as error:
            found.skip(folder, f"cannot be listed ({error.strerror})", fatal=True)
            continue
        if folder != root and "CACHEDIR.TAG" in names:
            continue
        if ".gitignore" in names or ".git" in names:
            ignores.read(folder)
        for name, entry in names.items():
            path = f"{folder.rstrip('/')}/{name}"
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                built = name == "target" and "Cargo.toml" in names
                if name not in _NEVER and not built and not ignores.excludes(path, is_folder=True):
                    pending.append(path)
            elif options.kind_of(path) is not None and entry.is_file(follow_symlinks=False):
                if ignores.excludes(path, is_folder=False):
                    continue
                try:
                    size = entry.stat(follow_symlinks=False).st_size
                except OSError as error:
                    found.skip(path, f"cannot be read ({error.strerror})", fatal=True)
                    continue
                if size > options.max_size:
                    found.skip(path, _too_large(size, options))
                else:
                    yield path


def _too_large(size: int, options: Options) -> str:
    return f"is larger than {options.max_size / 2**20:g} MiB ({size:,} bytes)"
