"""Stores of burn-store: how one is made and configured, and where a module is loaded from it or saved into it.

Source: burn-store 0.22.1, src/burnpack.rs, src/safetensors/store.rs, src/pytorch/store.rs: every setting is a
method that takes the store by value and gives it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.terms import Named
from burnlint.burn.texts import Written, written
from burnlint.burn.values_site import PAYLOAD
from burnlint.rust import hir
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Origin, Site
    from burnlint.burn.view import FileView

STORES = frozenset({"SafetensorsStore", "BurnpackStore", "PytorchStore"})

RECORD_FILES = frozenset(
    {
        "Module::save_file",
        "Module::load_file",
        "Module::try_load_file",
        "ModuleRecord::save",
        "ModuleRecord::load",
    }
)
"""Calls that write or read a record as a file; the path comes last."""

_LOADS = {"ModuleSnapshot::load_from": 1, "ModuleStore::apply_to": 0}
_SAVES = {"ModuleSnapshot::save_into": 1, "ModuleStore::collect_from": 0}
"""Calls that read or write a store, with the operand that it is."""
_OF_SNAPSHOT = {"load_from": "ModuleSnapshot::load_from", "save_into": "ModuleSnapshot::save_into"}
_KEEPS_SETTINGS = ("ModuleSnapshot", "ModuleStore")
"""Traits whose methods take a store by `&mut` and change nothing of its settings."""
_MAKES = ("from_file", "from_bytes", "from_static")
MAX_SETTINGS = 50


@dataclass(frozen=True)
class Settings:
    """The calls that configure a value, on every path, in order. Each takes it by value and gives it back."""

    settings: tuple[Expr, ...]

    def setter(self, *names: str) -> Expr | None:
        """The last call of a method with one of these names; None if there is none."""
        return next((each for each in reversed(self.settings) if each.name in names), None)

    def flag(self, name: str, default: bool | None = None) -> bool | None:
        """What a setting that takes a bool is set to, `default` where it is not called; None where that is
        decided at run time."""
        call = self.setter(name)
        if call is None:
            return default
        return call.operands[1].truth if len(call.operands) == 2 else None

    def adapters(self, setting: str) -> frozenset[str] | None:
        """The names in what an adapter setting is given, through bindings; None without the setting."""
        call = self.setter(setting)
        return _names_in(call.operands[1]) if call is not None and len(call.operands) == 2 else None


@dataclass(frozen=True)
class Store(Settings):
    """A store, on every path made and configured by these calls."""

    made: Expr
    """`SafetensorsStore::from_file(..)`."""

    @property
    def kind(self) -> str:
        """The name of its type."""
        return self.made.key.partition("::")[0]

    @property
    def path(self) -> Written | None:
        """What is known of the path of its file; None for a store in memory."""
        return written(self.made.operands[0]) if self.made.name == "from_file" else None


@dataclass(frozen=True)
class Record(Settings):
    """A `ModuleRecord`, with the last calls that configure it."""

    made: Expr | None
    """`ModuleRecord::load(..)`, if that is in sight."""

    @property
    def path(self) -> Written | None:
        """What is known of the path of the file that it was loaded from; None if nothing is."""
        made = self.made
        return written(made.operands[0]) if made is not None and made.key == "ModuleRecord::load" else None


@dataclass(frozen=True)
class StoreUse:
    """A call that loads a module from a store, or saves it into one."""

    call: Expr
    saves: bool
    store_operand: Expr
    module: Expr

    @property
    def store(self) -> Store | None:
        """The store; None where it is not known how it was made or configured."""
        return store_of(self.store_operand)

    @property
    def store_kind(self) -> str:
        """The name of the store's type; empty where it is not known or not of burn."""
        name = self.store_operand.type_name
        return name if name in STORES else ""


def uses(file: FileView, tests: bool = True) -> Iterator[StoreUse]:
    """The loads and saves of a file, in source order; without `tests` none in test code."""
    if not any(map(file.package_spells, sorted(STORES))):
        return
    for call in file.calls("load_from", "apply_to", "save_into", "collect_from", tests=tests):
        key = call.key or _of_unknown_module(call)
        at = _LOADS.get(key, _SAVES.get(key))
        if at is not None and len(call.operands) == 2:
            yield StoreUse(call, key in _SAVES, call.operands[at], call.operands[1 - at])


def _of_unknown_module(call: Expr) -> str:
    """The method of `ModuleSnapshot` that is called on a value of a type that is not known, if what it is
    given is a store of burn's."""
    if call.target is not None or not isinstance(call.expr, hir.MethodCall) or len(call.operands) != 2:
        return ""
    term = call.operands[1].term
    known = isinstance(term, Named) and term.name in STORES
    return _OF_SNAPSHOT.get(call.name, "") if known and call.operands[0].term is None else ""


def store_of(expr: Expr) -> Store | None:
    """How the store that an expression stands for was made and configured; None where that is not known, or
    differs by path."""
    settings, made = _followed(expr, STORES)
    owner, _, name = made.key.partition("::") if made is not None else ("", "", "")
    return Store(settings, made) if made is not None and owner in STORES and name in _MAKES else None


def record_of(expr: Expr) -> Record:
    """How a `ModuleRecord` was configured, as far as that is in sight: the last calls are."""
    return Record(*_followed(expr, frozenset({"ModuleRecord"})))


def _followed(expr: Expr, owners: frozenset[str]) -> tuple[tuple[Expr, ...], Expr | None]:
    """The settings of a value of one of these types, and the call that made it if that is in sight."""
    settings: list[Expr] = []
    while len(settings) < MAX_SETTINGS:
        origin = _made_by(expr)
        if origin is None or origin.steps not in ((), (PAYLOAD,)):
            break
        call = expr.at(origin)
        if origin.carried and not _made_outside(call, expr):
            break
        owner = call.key.partition("::")[0]
        if origin.kind != "operation" or owner not in owners:
            break
        if call.target is not None and call.target.self_mode == "self":
            settings.append(call)
            expr = call.operands[0]
        else:
            return tuple(reversed(settings)), call
    return tuple(reversed(settings)), None


def _made_outside(made: Expr, expr: Expr) -> bool:
    """Whether a value is made outside of a loop or closure that another expression of the function stands in."""
    order = expr.flow.order
    around, inside = order.loops_of(made.expr), order.loops_of(expr.expr)
    return (
        made.site.frame is expr.site.frame
        and len(around) < len(inside)
        and inside[len(inside) - len(around) :] == around
    )


def _made_by(expr: Expr) -> Origin | None:
    """Where a value comes from on every path, whatever loads and saves it went through before, as in an earlier round
    of a loop or run of a closure."""
    made: dict[Site, Origin] = {}
    seen: set[Site] = set()
    pending = [expr]
    while pending:
        at = pending.pop()
        origins = at.origins()
        if not origins.known or len(seen) >= MAX_SETTINGS:
            return None
        for origin in origins.items:
            keeps = at.at(origin).key.partition("::")[0] in _KEEPS_SETTINGS
            if origin.kind != "changed" or origin.before is None or not keeps:
                made[origin.site] = made.get(origin.site, origin) if not origin.carried else origin
            elif origin.site not in seen:
                seen.add(origin.site)
                pending.append(at.at(origin.before))
    return next(iter(made.values())) if len(made) == 1 else None


def _names_in(expr: Expr) -> frozenset[str]:
    """The names of the paths in an expression, and those in what its bindings and the functions that it calls give on
    every path, as they are where imports have them from."""
    found: set[str] = set()
    pending, seen = [expr], 0
    while pending and seen < MAX_SETTINGS:
        at = pending.pop()
        seen += 1
        held: set[hir.Expr] = set()
        for e in descendants(at.expr):
            if isinstance(e, hir.Field):
                held.add(e.base)
            if e in held:
                continue  # What else it holds is not meant.
            if isinstance(e, hir.PathExpr):
                found.update(at.source.own_name(segment.name) for segment in e.path.segments)
            elif isinstance(e, hir.StructLit):
                found.add(at.source.own_name(e.path.name))
            elif isinstance(e, hir.LocalRef | hir.Field):
                inner = at.inside(e)
                found.add(inner.type_name)
                origin = inner.origins().must
                if origin is not None and origin.expr is not e:
                    pending.append(inner.at(origin))
            elif isinstance(e, hir.Call | hir.MethodCall) and at.inside(e).runs_in_sight:
                origin = at.inside(e).origins().must
                if origin is not None and origin.expr is not e:
                    pending.append(at.at(origin))
    return frozenset(found - {""})


def record_files(file: FileView, tests: bool = True) -> Iterator[tuple[Expr, Written]]:
    """The calls that write or read a record of burn 0.22 as a file, with what is known of its path; without `tests`
    none in test code."""
    names = ["save_file", "load_file", "try_load_file"]
    if file.source.mentions("ModuleRecord") or file.source.mentions("into_record"):
        names += ["save", "load"]
    for call in file.calls(*names, tests=tests):
        # Up to burn 0.21 a recorder and a device come after the path.
        as_in_022 = call.key in RECORD_FILES and len(call.operands) == 2 - (call.key == "ModuleRecord::load")
        path = call.operands[-1].written if as_in_022 else None
        if path is not None:
            yield call, path
