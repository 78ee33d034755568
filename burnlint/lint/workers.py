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
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeAlias

from burnlint.lint.parts import Judge, Piece

MAX_JOBS = 8
"""Processes that are started unasked."""
WORTH_FORKING = 600_000
"""Bytes of Rust for each process from which on a further one gains, where it begins as a copy of this one."""
WORTH_STARTING = 3_000_000
"""The same where it has to import everything again."""
_SLICES = 4
"""A group with more than this share of a process's work is cut."""

_Slice: TypeAlias = "list[tuple[int, Sequence[str]]]"
"""Work for one process at a time: numbers of groups, each with some of its paths."""

_judge: Judge | None = None
"""What a process asks; set before it is forked, or when it starts."""


def jobs_for(judge: Judge, asked: int | None, groups: Mapping[int, Sequence[str]]) -> int:
    """How many processes to use; asked for None, as many as gain."""
    if asked is not None:
        return asked
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    weight = sum(_weight(judge, path) for group in groups.values() for path in group)
    return max(1, min(cpus, MAX_JOBS, weight // (WORTH_FORKING if _forks() else WORTH_STARTING)))


def judge_in_processes(
    judge: Judge,
    again: Callable[[], Judge],
    jobs: int,
    groups: Mapping[int, Sequence[str]],
    traced: bool = False,
    count: Callable[[int], None] = lambda files: None,
) -> Iterator[Piece]:
    """What all groups gave, by pieces. `again` makes the judge anew, in a process that shares nothing with this
    one; `traced` has the pieces say what was read for them; `count` is told how many files were done."""
    global _judge
    for path in judge.files:
        judge.settings(path)  # What is wrong with a configuration is to be raised here.
    work = _slices(judge, groups, jobs)
    done = 0
    _judge = judge
    try:
        context = multiprocessing.get_context("fork" if _forks() else "spawn")
        start = (None if _forks() else again,)
        with ProcessPoolExecutor(min(jobs, len(work)) or 1, context, _begin, start) as pool:
            try:
                # Not `pool.map`, which cancels what is left before the processes are stopped below: an executor
                # whose processes end shows a traceback for each future that was cancelled (Python 3.11).
                for future in [pool.submit(_do, slice_, traced) for slice_ in work]:
                    yield from future.result()
                    count(sum(len(paths) for _, paths in work[done]))
                    done += 1
            except (KeyboardInterrupt, GeneratorExit):
                for process in multiprocessing.active_children():
                    process.terminate()  # Else what they have begun would be waited for.
                raise
    except (BrokenProcessPool, OSError, ImportError, NotImplementedError):
        # A process was killed, for want of memory as a rule; or the system has no processes or semaphores to give
        # (a container without /dev/shm). What is left is done here.
        for slice_ in work[done:]:
            yield from (judge.piece(at, paths, traced) for at, paths in slice_)
    finally:
        _judge = None


def _begin(again: Callable[[], Judge] | None) -> None:
    global _judge
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in what a shell runs in the background
        # To end without a word: whoever waits for this one has it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if again is not None:
        _judge = again()


def _end_with_parent() -> None:
    """Leave no work behind that nobody waits for, where the first process was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(work: _Slice, traced: bool) -> list[Piece]:
    assert _judge is not None, "set when the process began"
    pieces = [_judge.piece(at, paths, traced) for at, paths in work]
    return [*pieces, Piece(None, _judge.problems())]


def _forks() -> bool:
    """Whether a process can begin as a copy of this one. On macOS system libraries do not take that."""
    return sys.platform.startswith("linux")


def _weight(judge: Judge, path: str) -> int:
    file = judge.files[path]
    return len(file.text.content) if file.kind == "rust" and file.versions_below else 0


def _slices(judge: Judge, groups: Mapping[int, Sequence[str]], jobs: int) -> list[_Slice]:
    """The groups, large ones cut, those with most work first, those with next to none together."""
    weighed = {at: [(path, _weight(judge, path)) for path in group] for at, group in groups.items()}
    most = max(1, sum(weight for group in weighed.values() for _, weight in group) // (jobs * _SLICES))
    slices: list[tuple[int, int, list[str]]] = []
    rest: _Slice = []
    for at, group in weighed.items():
        total = sum(weight for _, weight in group)
        if not total:
            rest.append((at, [path for path, _ in group]))
            continue
        cuts = -(-total // most)
        filled = made = 0
        for path, weight in group:
            if made == 0 or filled * cuts >= total * made:
                slices.append((0, at, []))
                made += 1
            filled += weight
            slices[-1] = (slices[-1][0] + weight, at, [*slices[-1][2], path])
    slices.sort(key=lambda each: (-each[0], each[1:]))
    work: list[_Slice] = [[(at, paths)] for _, at, paths in slices]
    return [*work, rest] if rest else work
