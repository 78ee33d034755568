"""The findings of all files of a run: from the cache, from this process, from several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.lint.parts import Judge, Part, Piece
from burnlint.lint.protocol import Input

if TYPE_CHECKING:
    from burnlint.lint.cache import Cache


Tick = Callable[[int, int], None]
"""`tick(done, files)`: how many of the files of a run are done."""


@dataclass(slots=True)
class Means:
    """How the files of a run are judged."""

    jobs: int | None = 1
    """Processes to use; None: as many as gain."""
    again: Callable[[], Judge] | None = None
    """Makes the judge anew, in a process of its own; without it there is one process."""
    keep: bool = False
    """Whether the project is to be asked more about its code after the run."""
    cache: Cache | None = None
    """What earlier runs found."""
    tick: Tick = lambda done, files: None
    """Is told how far the run is, again and again."""


class _Count:
    """The files that are done."""

    def __init__(self, files: int, tick: Tick) -> None:
        self._done, self._files, self._tick = 0, files, tick

    def add(self, files: int = 1) -> None:
        self._done += files
        self._tick(self._done, self._files)


def gather(judge: Judge, means: Means) -> Part:
    """What the rules for single files find in all of them."""
    groups = dict(enumerate(judge.project.groups))
    count = _Count(sum(map(len, groups.values())), means.tick)
    whole = Part()
    if means.cache is None:
        for piece in _judged(judge, means, groups, count):
            whole.add(piece.part)
    else:
        _with_cache(judge, means, means.cache, groups, count, whole)
    return whole


def _with_cache(
    judge: Judge,
    means: Means,
    cache: Cache,
    groups: Mapping[int, Sequence[str]],
    count: _Count,
    whole: Part,
) -> None:
    from burnlint.lint.cache import code_digest, digest

    code = code_digest(judge.registry)
    keys = {
        at: digest(code, judge.project.state(group), *judge.settings_of(group))
        for at, group in groups.items()
    }
    left = dict(groups)
    for at, key in keys.items():
        entry = cache.get(key)
        if entry is not None and judge.project.still(entry[1]):
            whole.add(entry[0])
            count.add(len(left.pop(at)))
    made: dict[int, tuple[Part, set[Input] | None]] = {}
    for piece in _judged(judge, means, left, count):
        whole.add(piece.part)
        if piece.group is not None:
            part, inputs = made.setdefault(piece.group, (Part(), set()))
            part.add(piece.part)
            both = None if inputs is None or piece.inputs is None else inputs | set(piece.inputs)
            made[piece.group] = part, both
    for at, (part, inputs) in made.items():
        if inputs is not None and part.is_lasting:
            cache.put(keys[at], part, sorted(inputs))


def _judged(
    judge: Judge, means: Means, groups: Mapping[int, Sequence[str]], count: _Count
) -> Iterator[Piece]:
    traced = means.cache is not None
    if means.again is not None and means.jobs != 1:
        from burnlint.lint import workers

        jobs = workers.jobs_for(judge, means.jobs, groups)
        if jobs > 1:
            yield from workers.judge_in_processes(judge, means.again, jobs, groups, traced, count.add)
            return
    for at, group in groups.items():
        yield judge.piece(at, group, traced, count.add)
        if not means.keep:
            judge.project.finish(group)
