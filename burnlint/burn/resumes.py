"""Resumed trainings: the state of an optimizer beside the weights that it belongs to.

Source: burn-store 0.22.1, src/applier.rs and burn-core 0.22.1, src/store/mod.rs: records and burnpack files hold the
ids of parameters, SafeTensors and PyTorch files do not; burn-optim keys its state by these ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import absence, optimizers
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.view import Expr, FileView

WITHOUT_IDS = frozenset({"SafetensorsStore", "PytorchStore"})
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
    for weights in file.calls("load_from"):
        if weights.key != "ModuleSnapshot::load_from" or weights.in_test or len(weights.operands) != 2:
            continue
        if weights.operands[1].owner.type_name not in WITHOUT_IDS or not _is_new(weights.operands[0]):
            continue
        body = weights.site.frame.body
        for state in file.calls("load", "load_record", "from_bytes"):
            if state.site.frame.body is body and state.key in optimizers.LOADS:
                if absence.absent(file.analysis.values, _WITH_IDS, body).absent is not False:
                    yield state, weights
                break


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
