"""Files of weights in the project that a module is loaded from, and the fields that they have nothing for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import stores, terms
from burnlint.burn.module_types import Contents
from burnlint.burn.weights import MAX_HEAD, tensor_names
from burnlint.cargo import files as paths
from burnlint.lint.finding import Place
from burnlint.rust.items import Struct

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.stores import Store
    from burnlint.burn.view import FileView

_CHANGES_NAMES = (
    *(
        "with_key_remapping",
        "with_remap_pattern",
        "remap",
        "filter",
        "with_filter",
        "with_regex",
        "with_regexes",
    ),
    *("with_full_path", "with_full_paths", "with_predicate", "with_predicates", "allow_partial", "match_all"),
)
"""Settings of a store after which the names of its file are not those that the module is asked for."""


class Lacking(NamedTuple):
    """A load from a file of the project that has no tensor for some fields of the module."""

    call: Expr
    named: Expr
    """Where the path stands."""
    path: str
    """As the code writes it."""
    module: str
    fields: tuple[tuple[str, Place], ...]


def lacking(file: FileView) -> Iterator[Lacking]:
    """The loads of a file, outside of tests, that fail by what their files hold, of those whose path is written out."""
    for call, module, path, named in _loads(file):
        names = _names(file, path)
        item = module.term.item if isinstance(module.term, terms.Declared) else None
        if names is None or not isinstance(item, Struct) or not item.derives("Module"):
            continue
        heads = {name.partition(".")[0] for name in names}
        missing = tuple(each for each in _sure_fields(file, item) if each[0] not in heads)
        if missing:
            yield Lacking(call, named, path, item.name, missing)


def _loads(file: FileView) -> Iterator[tuple[Expr, Expr, str, Expr]]:
    """Call, module and path of the loads that ask for every tensor under its own name."""
    for use in stores.uses(file, tests=False):
        store = use.store if not use.saves else None
        path = store.path if store is not None else None
        if store is not None and path is not None and path.whole and _keeps_names(store):
            yield use.call, use.module, path.end, store.made.operands[0]
    for call, path in stores.record_files(file, tests=False):
        if call.name in ("load_file", "try_load_file") and path.whole:
            yield call, call.operands[0], path.end, call.operands[1]
    for call in file.calls("load_record", "try_load_record", tests=False):
        if call.key.startswith("Module::") and len(call.operands) == 2:
            record = call.operands[1].record
            path, made = record.path, record.made
            if (
                path is not None
                and made is not None
                and path.whole
                and record.setter("allow_partial") is None
            ):
                yield call, call.operands[0], path.end, made.operands[0]


def _keeps_names(store: Store) -> bool:
    adapters = store.adapters("with_from_adapter")
    return store.setter(*_CHANGES_NAMES) is None and (
        adapters is None or adapters == {"PyTorchToBurnAdapter"}
    )


def _names(file: FileView, path: str) -> frozenset[str] | None:
    """The names of the tensors in a file of the project, which burnpack may find by a name without its
    extension."""
    for folder in file.roots:
        for candidate in (path, f"{path}.bpk"):
            head = file.head(paths.join(folder, candidate), MAX_HEAD)
            if head is not None:
                return tensor_names(head)
    return None


def _sure_fields(file: FileView, item: Struct) -> Iterator[tuple[str, Place]]:
    """The fields of a module that certainly have parameters."""
    analysis = file.analysis
    types = analysis.world.declared.fields(item)
    for field in item.fields:
        term = types.get(field.name)
        conditional = any(field.attribute(name) is not None for name in ("cfg", "cfg_attr", "module"))
        listed = isinstance(term, terms.Named) and term.name in ("Option", "Vec")
        if term is None or conditional or listed or isinstance(term, terms.Array):
            continue
        if Contents(term, analysis.api, analysis.world.declared).holds("parameter") is True:
            yield field.name, Place(field.file.path, *field.name_span)
