"""What ignore files and exclude patterns leave out, by git's rules.

The patterns are pathspec's; which file's pattern decides, is ours: the deepest `.gitignore` that has a say,
then the repository's `.git/info/exclude`. What lies in an excluded folder stays excluded. git's per-user
excludes lie outside of the project and are not read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Patterns:
    """Patterns of gitignore's form, relative to a folder (absolute, `/`)."""

    folder: str
    lines: tuple[str, ...]

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines(self.lines)

    def decide(self, path: str, is_folder: bool) -> bool | None:
        """True to leave out, False to keep, None without a say."""
        start = self.folder.rstrip("/") + "/"
        if not self.lines or not path.startswith(start):
            return None
        return self._spec.check_file(path[len(start) :] + ("/" if is_folder else "")).include


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
        lines = _lines(f"{folder}/.gitignore")
        if Path(folder, ".git").is_dir():
            lines = (*_lines(f"{folder}/.git/info/exclude"), *lines)
        self._by_folder[folder] = Patterns(folder, lines) if lines else None

    def excludes(self, path: str, *, is_folder: bool) -> bool:
        """Whether a path inside folders that are not excluded is excluded itself."""
        for patterns in self.exclude:
            if patterns.decide(path, is_folder):
                return True
        if not self.respect_files:
            return False
        folder = path
        repository = self._repository(path.rpartition("/")[0] or "/")
        while folder != repository and (parent := folder.rpartition("/")[0] or "/") != folder:
            folder = parent
            patterns_of_folder = self._by_folder.get(folder)
            if patterns_of_folder is not None:
                verdict = patterns_of_folder.decide(path, is_folder)
                if verdict is not None:
                    return verdict
        return False

    def excludes_explicit(self, path: str) -> bool:
        """Whether a file, or a folder it lies in, is excluded: for files that were named outright."""
        folders = self._up_to_repository(path.rpartition("/")[0] or "/")
        for folder in reversed(folders):
            self.read(folder)
        for folder in reversed(folders[:-1]):
            if self.excludes(folder, is_folder=True) or _is_target(folder):
                return True
        return self.excludes(path, is_folder=False)

    def _up_to_repository(self, folder: str) -> list[str]:
        """The folder and those above it up to the repository's root; the folder alone outside of a
        repository."""
        repository = self._repository(folder)
        if repository is None:
            return [folder]
        out = [folder]
        while out[-1] != repository:
            out.append(out[-1].rpartition("/")[0] or "/")
        return out

    def _repository(self, folder: str) -> str | None:
        if folder not in self._repositories:
            if Path(folder, ".git").exists():
                self._repositories[folder] = folder
            else:
                parent = folder.rpartition("/")[0] or "/"
                self._repositories[folder] = None if parent == folder else self._repository(parent)
        return self._repositories[folder]


def _is_target(folder: str) -> bool:
    parent, _, name = folder.rpartition("/")
    tagged = Path(folder, "CACHEDIR.TAG").exists()
    return tagged or (name == "target" and Path(parent, "Cargo.toml").exists())


def _lines(path: str) -> tuple[str, ...]:
    try:
        lines = Path(path).read_bytes().decode("utf-8-sig", "surrogateescape").split("\n")
    except OSError:
        return ()
    return tuple(line.rstrip("\r") for line in lines if line.strip() and not line.startswith("#"))
