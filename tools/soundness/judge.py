"""The judgement: annotations go into a copy, and what rustc says of them is laid at the right one's door.

Nothing here knows of Cargo: `Check` says which errors a set of annotations gives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tools.soundness.cargo import Diagnostic
from tools.soundness.edits import Annotation, Edited

Files: TypeAlias = Mapping[str, bytes]
"""The original content of the files, by path."""
Check: TypeAlias = Callable[[Mapping[str, bytes]], list[Diagnostic]]
"""Puts these contents in the files and gives the errors of the whole package."""

TOOL = frozenset({"E0412", "E0425", "E0432", "E0433", "E0573", "E0603", "E0616"})
"""Names that do not resolve or may not be named: the annotation is spelled wrongly, whatever the type is."""
Body: TypeAlias = tuple[str, tuple[int, int]]


@dataclass(frozen=True)
class Rejection:
    """An annotation that rustc does not take, with what it says."""

    annotation: Annotation
    error: Diagnostic

    @property
    def tool(self) -> bool:
        """Whether it is the spelling's fault instead of the inference's."""
        return self.error.code in TOOL


@dataclass
class Verdict:
    accepted: list[Annotation] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    stray: list[Diagnostic] = field(default_factory=list)
    """Errors of the last round at no annotation and in no function that has one."""


def body_of(annotation: Annotation) -> Body:
    """The function around an annotation."""
    return annotation.path, annotation.body


def blame(error: Diagnostic, edited: Mapping[str, Edited]) -> Annotation | None:
    """The annotation that an error names: its primary place first, then places such as "expected due to
    this"."""
    for label in sorted(error.labels, key=lambda label: not label.primary):
        file = edited.get(label.path)
        if file is not None and (found := file.annotations(label.start, label.end)):
            return found[0] if len(found) == 1 else None
    return None


def enclosing(error: Diagnostic, edited: Mapping[str, Edited], bodies: Iterable[Body]) -> Body | None:
    """The innermost of some functions that an error lies in."""
    found: list[Body] = []
    for label in error.labels:
        if label.primary:
            file = edited.get(label.path)
            at = file.original(label.start) if file is not None else label.start
            found += [(path, span) for path, span in bodies if path == label.path and span[0] <= at < span[1]]
    return min(found, key=lambda body: body[1][1] - body[1][0], default=None)


def write(files: Files, annotations: Iterable[Annotation]) -> dict[str, Edited]:
    """All files with annotations in them."""
    by_path: dict[str, list[Annotation]] = defaultdict(list)
    for each in annotations:
        by_path[each.path].append(each)
    return {path: Edited(content, by_path[path]) for path, content in files.items()}


def settle(files: Files, annotations: Sequence[Annotation], check: Check) -> Verdict:
    """Which annotations rustc takes.

    All go in at once; what an error names goes out, and so on until no error is left, since errors hide
    others. Of a function with an error that names no annotation, every annotation is tried alone. At the end
    each that went out is tried once more by itself among those that stayed: it may have been named for
    another's fault."""
    verdict = Verdict()
    active = dict.fromkeys(annotations)
    out: dict[Annotation, Diagnostic] = {}
    while True:
        edited = write(files, active)
        errors = check({path: each.content for path, each in edited.items()})
        bodies = list(dict.fromkeys(map(body_of, active)))
        gone: dict[Annotation, Diagnostic] = {}
        unnamed: dict[Body, Diagnostic] = {}
        verdict.stray = []
        for error in errors:
            named = blame(error, edited)
            if named is not None:
                gone.setdefault(named, error)
                continue
            body = enclosing(error, edited, bodies)
            if body is None:
                verdict.stray.append(error)
            else:
                unnamed.setdefault(body, error)
        # Errors that name no annotation of a function may follow from one that another error names: that one
        # goes first.
        for body in {body_of(each) for each in gone}:
            unnamed.pop(body, None)
        gone.update({each: unnamed[body_of(each)] for each in active if body_of(each) in unnamed})
        if not gone:
            break
        for each, error in gone.items():
            del active[each]
            out[each] = error
    retried = singly(files, list(out), list(active), check)
    for each, error in out.items():
        found = retried[each]
        if found is None:
            active[each] = None
        else:
            verdict.rejected.append(Rejection(each, found if found.labels else error))
    verdict.accepted = list(active)
    if len(verdict.rejected) < len(out):
        verdict.stray += check({path: each.content for path, each in write(files, active).items()})
    return verdict


def singly(
    files: Files, candidates: Sequence[Annotation], others: Sequence[Annotation], check: Check
) -> dict[Annotation, Diagnostic | None]:
    """The first error in its function that each candidate alone causes, None if there is none; `others` stay
    in.

    A function is a world of its own for rustc's check, so that one candidate of every function is tried in
    each round. An error may keep Cargo from a target that needs the one at fault: who caused none is tried
    again until a round has no errors."""
    waiting: dict[Body, list[Annotation]] = defaultdict(list)
    for each in candidates:
        waiting[body_of(each)].append(each)
    found: dict[Annotation, Diagnostic | None] = dict.fromkeys(candidates)
    while any(waiting.values()):
        trial = {body: queue.pop(0) for body, queue in waiting.items() if queue}
        while trial:
            places = {(each.path, each.at) for each in trial.values()}
            kept = [each for each in others if (each.path, each.at) not in places]
            edited = write(files, [*kept, *trial.values()])
            hits: dict[Body, Diagnostic] = {}
            for error in check({path: each.content for path, each in edited.items()}):
                body = enclosing(error, edited, trial)
                if body is not None:
                    hits.setdefault(body, error)
            if not hits:
                break
            for body, error in hits.items():
                found[trial.pop(body)] = error
    return found
