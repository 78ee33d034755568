"""What git says of lines: which changed since a commit (`--since REF`), and when a line was written."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path

_OF_HOOKS = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX")
_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_RAW = re.compile(rb":[^\0]* ([A-Z])\0([^\0]+)\0")
_BINARY = re.compile(rb"^Binary files ", re.MULTILINE)
_BLAMED = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+)")
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class ChangesError(Exception):
    """git could not say; the message is its own."""


@dataclass(slots=True)
class Changes:
    """Changed lines by absolute path: ranges `[first, last]`, or None for a file that is new as a whole; of the
    repository at `root`."""

    lines: dict[str, list[tuple[int, int]] | None] = field(default_factory=dict)
    root: str = ""

    def touch(self, path: str, first: int, last: int) -> bool:
        """Whether one of the lines `first` to `last` of a file changed."""
        if path not in self.lines:
            return False
        ranges = self.lines[path]
        return ranges is None or any(start <= last and first <= end for start, end in ranges)


def since(ref: str, folder: str) -> Changes:
    """What changed in the working tree of the repository around `folder` since it left `ref` (their merge
    base), untracked files included. Raises ChangesError."""
    above = (Path(folder), *Path(folder).parents)
    # Where there is one, git may have other reasons, such as another owner.
    none = "" if any((each / ".git").exists() for each in above) else f"{folder} lies in no repository of git"
    top = _git(folder, "rev-parse", "--show-toplevel", why=none)
    root = Path(top.decode("utf-8", "surrogateescape").rstrip("\n"))
    unknown = f"no commit is called `{ref}`: fetch it (in CI check out the whole history), or name another"
    base = _git(
        folder,
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{ref}^{{commit}}",
        why=unknown,
    )
    start = base.decode().strip()
    if start.startswith("^"):
        raise ChangesError(unknown)
    # Histories without a common ancestor (a shallow clone) are compared with the commit itself.
    with suppress(ChangesError):
        start = _git(folder, "merge-base", start, "HEAD").decode().strip()
    changes = Changes(root=root.as_posix())
    # Else a user's settings would show lines of context between hunks, and colours.
    shown = ("--no-color", "--no-ext-diff", "--no-textconv", "--unified=0", "--inter-hunk-context=0")
    chosen = ("--no-renames", "--ignore-submodules", "--diff-filter=AMT")
    # Without it, what was only touched is listed and has no section.
    refreshed = ("-c", "diff.autoRefreshIndex=true")
    diff = _git(str(root), *refreshed, "diff", *shown, *chosen, "--raw", "-z", "--patch", start)
    for name, ranges in _sections(diff):
        changes.lines[(root / name).as_posix()] = ranges
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


def _sections(diff: bytes) -> Iterator[tuple[str, list[tuple[int, int]] | None]]:
    """Names and changed lines of what `git diff --raw -z --patch` says: one line for each name, then one section for each
    in the same order (names in the heads of sections may be quoted), two for what was a link and is a file."""
    listed, at = [], 0
    while head := _RAW.match(diff, at):
        listed.append((head[1], head[2].decode("utf-8", "surrogateescape")))
        at = head.end()
    sections = _SECTION.split(diff[at + 1 :])[1:]
    counts = [2 if status == b"T" else 1 for status, _ in listed]
    known = len(sections) == sum(counts)  # else every line of these files counts as changed
    left = iter(sections)
    for (status, name), count in zip(listed, counts, strict=True):
        section = b"".join(islice(left, count))
        # An attribute may call sources binary; asked for the text of all that is, git would print weights too.
        as_a_whole = status == b"T" or not known or _BINARY.search(section)
        yield name, None if as_a_whole else [_range(match) for match in _HUNK.finditer(section)]


def _names(listed: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]


def _range(match: re.Match[bytes]) -> tuple[int, int]:
    first, count = int(match[1]), int(match[2] or 1)
    return first, first + count - 1


def _git(folder: str, *arguments: str, why: str = "") -> bytes:
    import subprocess

    try:
        run = subprocess.run(
            ["git", *arguments], cwd=folder, env=_environment(folder), capture_output=True, check=False
        )
    except OSError as error:
        raise ChangesError(f"git cannot be run ({error.strerror})") from error
    if run.returncode != 0:
        said = run.stderr.decode("utf-8", "replace").strip()
        raise ChangesError(why or said or f"git {arguments[0]} failed")
    return run.stdout


def _environment(folder: str) -> dict[str, str] | None:
    """What git is to know, None for all that we do. It gives the hooks of a linked work tree GIT_DIR, and with that it
    takes any folder that it is called in for the root of the tree."""
    if "GIT_DIR" not in os.environ or "GIT_WORK_TREE" in os.environ:
        return None
    here = Path(folder)
    if not any((each / ".git").exists() for each in (here, *here.parents)):
        return None
    return {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
