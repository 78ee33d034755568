"""The file system as the Cargo model sees it: absolute paths with `/`, each file read once, unreadable
files as absent.

Paths are strings here, not `pathlib.Path`, whose `resolve` follows links and whose import costs start-up
time.
"""

# ruff: noqa: PTH100, PTH112, PTH113, PTH123

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from fnmatch import translate
from hashlib import blake2b

from burnlint.text import Text


def absolute(path: str | os.PathLike[str]) -> str:
    """`path` as an absolute path with `/` separators and without `.` and `..`; symlinks are kept as they
    are."""
    return os.path.normpath(os.path.abspath(path)).replace("\\", "/")


def join(directory: str, relative: str) -> str:
    """`relative`, as a manifest in `directory` writes it, as an absolute path."""
    return posixpath.normpath(posixpath.join(directory, relative.replace("\\", "/")))


def parent(path: str) -> str:
    return posixpath.dirname(path)


def inside(path: str, directory: str) -> bool:
    """Whether `path` is `directory` or below it, by whole path components."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def is_pattern(text: str) -> bool:
    """Whether a workspace member is written as a glob."""
    return any(c in text for c in "*?[")


def _digest(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()


class Files:
    """Reads files, keeps what it read. `overlay` holds contents that stand for those on disk (an editor's
    buffer)."""

    def __init__(self, overlay: Mapping[str, bytes] | None = None) -> None:
        self._overlay = dict(overlay or {})
        self._texts: dict[str, Text | None] = {}
        self._listings: dict[str, list[os.DirEntry[str]]] = {}
        self._digests: dict[str, str] = {}
        self.asked: dict[tuple[str, str], None] = {}
        """What was asked so far, and of which path, in order (`answer`)."""

    def answer(self, asked: str, path: str) -> str:
        """A digest of what is answered to `text`, `is_file`, `is_dir`, `entries`, `folders` or `head N` of a path."""
        if asked == "text":
            return self.digest(path)
        if asked in ("is_file", "is_dir"):
            return str(getattr(self, asked)(path))
        if asked.startswith("head "):
            head = self.head(path, int(asked.removeprefix("head ")))
            return "" if head is None else _digest(head)
        if asked == "entries":
            names = [f"{each.name}/{each.is_dir(follow_symlinks=False)}" for each in self.entries(path)]
        else:
            names = sorted(self._folders(path))
        return _digest("\n".join(names).encode("utf-8", "surrogatepass"))

    def digest(self, path: str) -> str:
        """A digest of the content of a file; empty where there is none that can be read."""
        found = self._digests.get(path)
        if found is None:
            text = self.text(path)
            found = "" if text is None else _digest(text.content)
            self._digests[path] = found
        return found

    def text(self, path: str) -> Text | None:
        """The content of a file, `None` where there is none that can be read."""
        if path not in self._texts:
            self.asked["text", path] = None
            content = self._overlay.get(path)
            if content is None:
                try:
                    with open(path, "rb") as file:
                        content = file.read()
                except (OSError, ValueError):
                    content = None
            self._texts[path] = None if content is None else Text(path, content)
        return self._texts[path]

    def head(self, path: str, size: int) -> bytes | None:
        """The first bytes of a file, `None` where there is none that can be read."""
        self.asked[f"head {size}", path] = None
        content = self._overlay.get(path)
        if content is not None:
            return content[:size]
        try:
            with open(path, "rb") as file:
                return file.read(size)
        except (OSError, ValueError):
            return None

    def is_file(self, path: str) -> bool:
        self.asked["is_file", path] = None
        return path in self._overlay or os.path.isfile(path)

    def is_dir(self, path: str) -> bool:
        self.asked["is_dir", path] = None
        return os.path.isdir(path)

    def glob(self, root: str, pattern: str) -> list[str]:
        """The folders below `root` that a pattern such as `crates/*` or `**/demo-?` names, sorted.

        As in the crate `glob`, which Cargo uses, `*` matches names that start with a dot; links are not
        followed by `**`.
        """
        level = {root}
        for part in pattern.replace("\\", "/").split("/"):
            if part == "**":
                level = {below for directory in level for below in self._all_below(directory)}
            elif is_pattern(part):
                matches = re.compile(translate(part)).match
                level = {p for d in level for p in self._folders(d) if matches(posixpath.basename(p))}
            else:
                level = {path for d in level if self.is_dir(path := join(d, part))}
        return sorted(level)

    def below(self, directory: str, suffix: str) -> list[str]:
        """The files below a folder whose name ends so, by path; hidden folders are left out, links are not
        followed."""
        found, pending = [], [directory]
        while pending:
            current = pending.pop()
            for entry in self.entries(current):
                path = f"{current}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                elif entry.name.endswith(suffix):
                    found.append(path)
        return sorted(found)

    def _folders(self, directory: str, *, links: bool = True) -> list[str]:
        self.asked["folders", directory] = None
        try:
            with os.scandir(directory) as found:
                return [f"{directory}/{e.name}" for e in found if e.is_dir(follow_symlinks=links)]
        except OSError:
            return []

    def _all_below(self, directory: str) -> list[str]:
        found = [directory]
        for current in found:
            found.extend(self._folders(current, links=False))
        return found

    def entries(self, directory: str) -> list[os.DirEntry[str]]:
        """Entries of a folder by name, those that start with a dot left out; empty where it cannot be
        read."""
        if directory not in self._listings:
            self.asked["entries", directory] = None
            try:
                with os.scandir(directory) as found:
                    entries = sorted((e for e in found if not e.name.startswith(".")), key=lambda e: e.name)
            except OSError:
                entries = []
            self._listings[directory] = entries
        return self._listings[directory]
