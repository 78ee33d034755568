"""Schedules of the learning rate: `step` gave a number up to burn 0.21; what a config makes gives one for each group of
parameters from 0.22 on (`ModuleLearningRate`), whose first is `base()`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration


def learning_rates(file: FileMigration) -> Iterator[tuple[Place, tuple[Edit, ...]]]:
    """The steps of schedules whose result is not handed to an optimizer as it is, each with the edit for it."""
    if b"cheduler" not in file.source.content:
        return
    for body in file.unit.bodies(file.source):
        for e in body.exprs:
            if not isinstance(e, hir.MethodCall) or e.name != "step" or e.args:
                continue
            term = terms.peel_refs(file.unit.analysis.types(body).expr(e.receiver))
            if not isinstance(term, terms.Named) or not term.name.endswith("LrScheduler"):
                continue
            around = body.exprs[body.parents[e.id]] if body.parents[e.id] >= 0 else None
            if isinstance(around, hir.MethodCall) and _takes_rates(file, body, around, e):
                continue
            end = Place(file.source.path, e.span[1], e.span[1])
            yield file.place((e.name_span[0], e.span[1])), (Edit(end, ".base()"),)


def _takes_rates(file: FileMigration, body: hir.Body, around: hir.MethodCall, e: hir.Expr) -> bool:
    """Whether a call reads one rate of it, or is an optimizer's step with it."""
    if around.name in ("base", "lr_from_param"):
        return True
    callee = file.unit.analysis.types(body).callee(around)
    owner = callee.signature.owner if callee is not None and callee.signature is not None else ""
    return owner == "Optimizer" and around.args[:1] == [e]
