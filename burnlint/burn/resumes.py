"""Resumed trainings: the state of an optimizer beside the weights that it belongs to.

Source: burn-store 0.22.1, src/applier.rs and burn-core 0.22.1, src/store/mod.rs: records and burnpack files hold the
ids of parameters, SafeTensors and PyTorch files do not; burn-optim keys its state by these ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import absence, optimizers, terms, texts
from burnlint.burn.module_types import Contents
from burnlint.burn.values import Site
from burnlint.rust import hir
from burnlint.rust.visit import locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

WITHOUT_IDS = frozenset({"SafetensorsStore", "PytorchStore"})
_LOADS_STATE = absence.names(*optimizers.LOADS)
_STATES = ("load", "load_record", "from_bytes")
_STATE = re.compile(rb"\b(?:load|load_record|from_bytes)\b")
_OF_MODULES = frozenset(
    {"Module::save_file", "Module::load_file", "Module::try_load_file", "ModuleRecord::save"}
)
_RESUMES = re.compile(rb"(?<!not )resum", re.IGNORECASE)
MAX_DEPTH = 6
"""How deep modules in modules are looked into."""
_WITH_IDS = absence.names(
    "Module::load_record",
    "Module::load_file",
    "Module::try_load_record",
    "Module::try_load_file",
    "BurnpackStore::from_file",
    "BurnpackStore::from_bytes",
)


def without_ids(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The loads of an optimizer's state in functions that load the weights of a module made there from a store
    without ids, and from nothing with ids; each with that load of the weights."""
    for weights in file.calls("load_from", near=_STATE, tests=False):
        if weights.key != "ModuleSnapshot::load_from" or len(weights.operands) != 2:
            continue
        if weights.operands[1].owner.type_name not in WITHOUT_IDS or not _is_new(weights.operands[0]):
            continue
        body = weights.site.frame.body
        if _is_given_a_module(file, body):
            continue  # The state may be of that one.
        for state in file.calls(*_STATES):
            if state.site.frame.body is body and state.key in optimizers.LOADS:
                if absence.absent(file.analysis.values, _WITH_IDS, body).absent is not False:
                    yield state, weights
                break


def _is_given_a_module(file: FileView, body: hir.Body) -> bool:
    """Whether a function is given another module that may have parameters."""
    analysis = file.analysis
    types = analysis.types(body)
    for local in (each for pattern, _ in body.params for each in locals_in(pattern)):
        term = types.local(local)
        term = term.target if isinstance(term, terms.Ref) else term
        if Contents(term, analysis.api, analysis.world.declared).holds("parameter"):
            return True
    return False


def _is_new(module: Expr, depth: int = 0) -> bool:
    """Whether a module is made in sight of nothing but what configurations' `init` gives: its ids are new."""
    pending = list(module.origins().items)
    for origin in pending:
        value = module.at(origin)
        if origin.kind == "changed" and origin.before is not None and len(pending) < optimizers.MAX_ORIGINS:
            pending += module.at(origin.before).origins().items
        elif origin.kind == "new" and isinstance(value.expr, hir.StructLit) and depth < MAX_DEPTH:
            parts = [value.inside(field.value) for field in value.expr.fields]
            if value.expr.base is not None or not all(_is_new(p, depth + 1) for p in parts if p.is_module):
                return False
        elif origin.kind != "operation" or not value.key.endswith(("Config::init", "::new")):
            return False
    return bool(pending)


def of_another_file(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The loads of an optimizer's state from a file that holds a module, by the same spelt-out path; each with
    the call that shows it."""
    if not any(map(file.source.spells, ("save_file", "load_file", "into_record"))):
        return
    for load in file.calls("load", tests=False):
        two = len(load.operands) == 2
        path = _path(load) if two and load.key == "ModuleOptimizer::load" else None
        if path is None or load.function_spells("rename(", "copy("):
            continue
        others = [
            (call, _path(call)) for call in file.calls("save_file", "load_file", "try_load_file", "save")
        ]
        same = [call for call, other in others if other == path]
        if any(call.key == "ModuleOptimizer::save" for call in same):
            continue
        shown = next((call for call in same if call.key in _OF_MODULES), None)
        if shown is not None:
            yield load, shown


def _path(call: Expr) -> str | None:
    """The path that a call is given, if all of it is spelt out."""
    return texts.whole(call.operands[1]) if len(call.operands) > 1 else None


def fresh_optimizers(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The optimizers that are made in a function which speaks of resuming and loads the weights of a module, steps
    it, and loads no state; each with that load."""
    seen = set()
    for weights in _resumed_weights(file):
        fn = weights.fn
        if fn in seen:
            continue
        body = weights.site.frame.body
        steps = [
            s
            for s in file.calls("step")
            if s.fn is fn and s.loop is not None and s.stepped_module is not None
        ]
        made = next((c for c in file.calls("init") if c.fn is fn and optimizers.makes_stateful(c)), None)
        if made is None:
            made = next((new for step in steps if (new := _made_by_a_helper(step)) is not None), None)
        if (
            steps
            and made is not None
            and absence.absent(file.analysis.values, _LOADS_STATE, body).absent is not False
        ):
            seen.add(fn)
            yield made, weights


def _made_by_a_helper(step: Expr) -> Expr | None:
    """The call of a function that makes the optimizer of a step anew, in the function of the step; None if it is none
    on some path, or made otherwise."""
    made: Expr | None = None
    seen: set[Site] = set()
    pending = list(step.operands[0].origins().items)
    for origin in pending:
        value = step.at(origin)
        if origin.kind == "changed" and origin.before is not None and value.stepped_module is not None:
            if origin.site not in seen:
                seen.add(origin.site)
                pending += step.at(origin.before).origins().items
        elif origin.kind == "operation" and not origin.steps and optimizers.makes_stateful(value):
            made = value
        else:
            return None
    while made is not None and made.fn is not step.fn:
        made = made.called_by
    return made


def _resumed_weights(file: FileView) -> Iterator[Expr]:
    """The calls in functions that speak of resuming which load the weights of a module, or run a function of the file
    that does."""
    if not file.source.holds(_RESUMES):
        return
    for weights in file.calls("load_file", "load_record", "try_load_file", "try_load_record", tests=False):
        fn = weights.fn
        if file.source.holds(_RESUMES, fn.span):
            if weights.key.startswith("Module::"):
                yield weights
            continue
        callers = [call for call in file.calls(fn.name, near=_RESUMES, tests=False) if call.fn is not fn]
        if callers and weights.key.startswith("Module::"):
            yield from (call for call in callers if call.target is not None and call.target.fn is fn)
