"""How much burnlint knows of a project's code: `--statistics`.

A tensor expression is one whose type is known to be a tensor, or the receiver of a method that of all types
of burn and std only Tensor has. Solving every body takes several times as long as a lint run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.analysis import Analysis
from burnlint.burn.api import Api
from burnlint.burn.infer import BodyTypes, std
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.project import Project

MAX_CAUSES = 10
"""Causes of unknowns that are listed, the most frequent ones."""


def of_project(project: Project) -> dict[str, int | dict[str, int]]:
    """Counts over the Rust files of a run: tensor expressions, those of which kind, rank, mode and origin
    are known, and the causes of unknown kinds and ranks."""
    counts: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for analysis, types in solved(project):
        _count(analysis, types, counts, causes)
    keys = ("tensor_expressions", "known_kind", "known_rank", "known_mode", "known_origin")
    return {**{key: counts[key] for key in keys}, "unknown_because": dict(causes.most_common(MAX_CAUSES))}


def solved(project: Project) -> Iterator[tuple[Analysis, BodyTypes]]:
    """The types of every body of the Rust files of a run that may hold tensors."""
    for file in project.files:
        analysis = project.analysis(file.path) if file.kind == "rust" and file.versions else None
        source = project.source(file.path)
        if analysis is None or source is None or file.skipped is not None:
            continue
        for fn in source.items.functions:
            body = analysis.body(fn)
            if body is not None:
                yield analysis, analysis.types(body)


def _count(analysis: Analysis, types: BodyTypes, counts: Counter[str], causes: Counter[str]) -> None:
    only = only_of_tensor(analysis.api)
    receivers = {e.receiver.id for e in types.body.exprs if isinstance(e, hir.MethodCall) and e.name in only}
    frame = analysis.values.frame(types.body)
    for e in types.body.exprs:
        term = terms.peel_refs(types.expr(e))
        tensor = term if isinstance(term, terms.Tensor) and not isinstance(e, hir.Block) else None
        if tensor is None and not (isinstance(term, terms.Unknown) and e.id in receivers):
            continue
        counts["tensor_expressions"] += 1
        counts["known_kind"] += tensor is not None and not isinstance(tensor.kind, terms.Unknown)
        counts["known_rank"] += tensor is not None and not isinstance(tensor.rank, terms.Unknown)
        counts["known_mode"] += tensor is not None and bool(tensor.mode)
        counts["known_origin"] += analysis.values.origins(analysis.values.site(frame.body, e)).known
        cause = types.unknown_cause(e)
        if cause is not None:
            causes[cause] += 1


@lru_cache(maxsize=4)
def only_of_tensor(api: Api) -> frozenset[str]:
    """The names of methods that only Tensor has."""
    known = std.load()
    others = {name for each in known.types.values() for name in each.lines}
    return frozenset(
        name for name in api.methods("Tensor") if api.owners(name) == ("Tensor",) and name not in others
    )
