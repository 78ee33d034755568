"""What git says of lines: which changed since a commit (`--since REF`), and when a line was written."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_BLAMED = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class ChangesError(Exception):
    """git could not say; the message is its own."""


@dataclass(slots=True)
class Changes:
    """Changed lines by absolute path: ranges `[first, last]`, or None for a file that is new as a whole."""

    lines: dict[str, list[tuple[int, int]] | None] = field(default_factory=dict)

    def touch(self, path: str, first: int, last: int) -> bool:
        """Whether one of the lines `first` to `last` of a file changed."""
        if path not in self.lines:
            return False
        ranges = self.lines[path]
        return ranges is None or any(start <= last and first <= end for start, end in ranges)


def since(ref: str, folder: str) -> Changes:
    """What changed in the working tree of the repository around `folder` since it left `ref` (their merge
    base), untracked files included. Raises ChangesError."""
    root = Path(_git(folder, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n"))
    base = _git(
        folder,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{ref}^{{commit}}",
        why=f"no commit is called `{ref}`",
    )
    start = base.decode().strip()
    # Histories without a common ancestor (a shallow clone) are compared with the commit itself.
    with suppress(ChangesError):
        start = _git(folder, "merge-base", start, "HEAD").decode().strip()
    changes = Changes()
    options = ("--no-color", "--no-ext-diff", "--no-renames", "--ignore-submodules", "--diff-filter=AM")
    names = _names(_git(str(root), "diff", *options, "--name-only", "-z", start))
    diff = _git(str(root), "diff", *options, "--no-textconv", "--unified=0", start)
    # One section for each name, in the same order: names in the sections' heads may be quoted.
    for name, section in zip(names, _SECTION.split(diff)[1:], strict=True):
        changes.lines[(root / name).as_posix()] = [_range(match) for match in _HUNK.finditer(section)]
    for name in _names(_git(str(root), "ls-files", "--others", "--exclude-standard", "-z")):
        changes.lines[(root / name).as_posix()] = None
    return changes


def written(path: str, lines: Collection[int]) -> dict[int, date]:
    """The day on which each of these lines of a file was committed; without those that are not. Raises
    ChangesError."""
    if not lines:
        return {}
    folder, _, name = path.rpartition("/")
    ranges = [f"-L{line},{line}" for line in sorted(lines)]
    days: dict[int, date] = {}
    commits: dict[bytes, date | None] = {}
    number, commit = 0, b""
    for row in _git(folder or "/", "blame", "--porcelain", *ranges, "--", name).split(b"\n"):
        head = _BLAMED.match(row)
        if head:
            commit, number = head[1], int(head[2])
        elif row.startswith(b"committer-time "):
            day = datetime.fromtimestamp(int(row.split()[1]), UTC).date()
            commits[commit] = None if set(commit) == {ord("0")} else day
        elif row.startswith(b"\t") and (when := commits.get(commit)) is not None:
            days[number] = when
    return days


def _names(listed: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]


def _range(match: re.Match[bytes]) -> tuple[int, int]:
    first, count = int(match[1]), int(match[2] or 1)
    return first, first + count - 1


def _git(folder: str, *arguments: str, why: str = "") -> bytes:
    import subprocess

    try:
        run = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise ChangesError(f"git cannot be run ({error.strerror})") from error
    if run.returncode != 0:
        said = run.stderr.decode("utf-8", "replace").strip()
        raise ChangesError(why or said or f"git {arguments[0]} failed")
    return run.stdout
