"""What ignore files and exclude patterns leave out, by git's rules.

The deepest `.gitignore` that has a say decides, then the repository's `.git/info/exclude`. What lies in an
excluded folder stays excluded. git's per-user excludes lie outside of the project and are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from burnlint.lint.glob import Patterns


@dataclass
class Ignores:
    """All patterns of one run, read as folders are entered."""

    exclude: tuple[Patterns, ...] = ()
    respect_files: bool = True
    _by_folder: dict[str, Patterns | None] = field(default_factory=dict)
    _repositories: dict[str, str | None] = field(default_factory=dict)

    def enter_root(self, folder: str) -> None:
        """Read the ignore files above a folder that is going to be walked, up to its repository's root."""
        for each in self._up_to_repository(folder)[1:]:
            self.read(each)

    def read(self, folder: str) -> None:
        """Read the `.gitignore` of a folder, and `.git/info/exclude` of a repository's root, once."""
        if not self.respect_files or folder in self._by_folder:
            return
        lines = (*_lines(Path(folder, ".git", "info", "exclude")), *_lines(Path(folder, ".gitignore")))
        self._by_folder[folder] = Patterns(folder, lines) if lines else None

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path inside folders that are not excluded is excluded itself."""
        if any(patterns.decide(path, is_folder=is_folder) for patterns in self.exclude):
            return True
        if not self.respect_files:
            return False
        folder = path
        repository = self._repository(_parent(path))
        while folder != repository and (parent := _parent(folder)) != folder:
            folder = parent
            patterns = self._by_folder.get(folder)
            verdict = patterns.decide(path, is_folder=is_folder) if patterns is not None else None
            if verdict is not None:
                return verdict
        return False

    def excludes_explicit(self, path: str) -> bool:
        """Whether a file, or a folder it lies in, is excluded: for files that were named outright."""
        if any(patterns.cover(path) for patterns in self.exclude):
            return True
        folders = self._up_to_repository(_parent(path))
        for folder in reversed(folders):
            self.read(folder)
        if any(self.excludes(folder, is_folder=True) for folder in folders[:-1]):
            return True
        return any(_is_target(folder) for folder in folders) or self.excludes(path, is_folder=False)

    def _up_to_repository(self, folder: str) -> list[str]:
        """The folder and those above it up to the repository's root; the folder alone outside of one."""
        repository = self._repository(folder)
        out = [folder]
        while repository is not None and out[-1] != repository:
            out.append(_parent(out[-1]))
        return out

    def _repository(self, folder: str) -> str | None:
        if folder not in self._repositories:
            if Path(folder, ".git").exists():
                self._repositories[folder] = folder
            else:
                parent = _parent(folder)
                self._repositories[folder] = None if parent == folder else self._repository(parent)
        return self._repositories[folder]


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def _is_target(folder: str) -> bool:
    parent, _, name = folder.rpartition("/")
    tagged = Path(folder, "CACHEDIR.TAG").exists()
    return tagged or (name == "target" and Path(parent, "Cargo.toml").exists())


def _lines(path: Path) -> tuple[str, ...]:
    try:
        content = path.read_bytes()
    except OSError:
        return ()
    return tuple(content.decode("utf-8-sig", "surrogateescape").split("\n"))
