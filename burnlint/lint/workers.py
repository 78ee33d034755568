"""Judging the parts of a run in several processes; threads would not do, as the interpreter's lock is held while
a file is parsed.

The unit of work is a group of files that share most of what is to be known (a package), or a slice of a large
one; each process has the whole project before it. What comes out does not hang on how many processes there
are: each file's findings are its own.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from burnlint.lint.parts import Judge, Part

MAX_JOBS = 8
"""Processes that are started unasked."""
WORTH_FORKING = 600_000
"""Bytes of Rust for each process from which on a further one gains, where it begins as a copy of this one."""
WORTH_STARTING = 3_000_000
"""The same where it has to import everything again."""
_SLICES = 4
"""A group with more than this share of a process's work is cut."""

_judge: Judge | None = None
"""What a process asks; set before it is forked, or when it starts."""


def jobs_for(judge: Judge, asked: int | None) -> int:
    """How many processes to use; None: as many as gain."""
    if asked is not None:
        return asked
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    weight = sum(_weight(judge, path) for path in judge.files)
    return max(1, min(cpus, MAX_JOBS, weight // (WORTH_FORKING if _forks() else WORTH_STARTING)))


def judge_in_processes(
    judge: Judge, again: Callable[[], Judge], jobs: int, groups: Sequence[Sequence[str]]
) -> Part:
    """What all groups gave. `again` makes the judge anew, in a process that shares nothing with this one."""
    global _judge
    for path in judge.files:
        judge.settings(path)  # What is wrong with a configuration is to be raised here.
    work = _slices(judge, groups, jobs)
    whole, done = Part(), 0
    _judge = judge
    try:
        context = multiprocessing.get_context("fork" if _forks() else "spawn")
        with ProcessPoolExecutor(
            min(jobs, len(work)), context, _begin, (None if _forks() else again,)
        ) as pool:
            for part in pool.map(_do, work):
                whole.add(part)
                done += 1
    except BrokenProcessPool:
        # A process was killed, for want of memory as a rule. What is left is done here.
        for paths in work[done:]:
            whole.add(judge.judge(paths))
    finally:
        _judge = None
    return whole


def _begin(again: Callable[[], Judge] | None) -> None:
    global _judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The process that waits for this one handles it.
    if again is not None:
        _judge = again()


def _do(paths: Sequence[str]) -> Part:
    assert _judge is not None, "set when the process began"
    part = _judge.judge(paths)
    part.add(_judge.problems())
    return part


def _forks() -> bool:
    """Whether a process can begin as a copy of this one. On macOS system libraries do not take that."""
    return sys.platform.startswith("linux")


def _weight(judge: Judge, path: str) -> int:
    file = judge.files[path]
    return len(file.text.content) if file.kind == "rust" and file.versions else 0


def _slices(judge: Judge, groups: Sequence[Sequence[str]], jobs: int) -> list[list[str]]:
    """The groups, large ones cut, those with most work first, those with next to none as one."""
    weighed = [[(path, _weight(judge, path)) for path in group] for group in groups]
    most = max(1, sum(weight for group in weighed for _, weight in group) // (jobs * _SLICES))
    slices: list[tuple[int, list[str]]] = []
    rest: list[str] = []
    for group in weighed:
        total = sum(weight for _, weight in group)
        if not total:
            rest += [path for path, _ in group]
            continue
        share = total / -(-total // most)
        filled, at = 0.0, -1
        for path, weight in group:
            if at < 0 or filled >= share * (at + 1):
                slices.append((0, []))
                at += 1
            filled += weight
            slices[-1] = (slices[-1][0] + weight, [*slices[-1][1], path])
    slices.sort(key=lambda each: (-each[0], each[1]))
    return [paths for _, paths in slices] + ([rest] if rest else [])
