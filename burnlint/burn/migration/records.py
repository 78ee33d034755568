"""Saving and loading: recorders up to burn 0.21, paths alone from 0.22 on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.migration.naming import named
from burnlint.burn.migration.renames import RECORD
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Item, Struct
from burnlint.rust.lists import whole_lines
from burnlint.rust.types import Span
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration

_RECORDS = re.compile(rb"\b(?:save_file|load_file|record|load|with_file_checkpointer)\b")
"""The names of the calls that are looked at; a test of bytes."""
OPTIMIZER_RECORD = "burn::optim::OptimizerRecord"


@dataclass(frozen=True, slots=True)
class RecordCall:
    """A call that takes a recorder, or whose value is no `Result` any more: its name's place, its name, what to write,
    the edits (none: by hand), and the part of the file that goes with them."""

    place: Place
    name: str
    successor: str
    edits: tuple[Edit, ...]
    gone: tuple[Span, ...] = ()
    as_result: bool = False
    """Whether it is only what it gives that is taken for something else."""


def record_calls(file: FileMigration) -> Iterator[RecordCall]:
    """The calls of a file that save or load with a recorder."""
    if not _RECORDS.search(file.source.content):
        return
    for body in file.unit.bodies(file.source):
        for e in body.exprs:
            if isinstance(e, hir.MethodCall) and e.name in _CALLS:
                made = _CALLS[e.name](file, body, e)
                if made is not None:
                    yield made


def _save(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> RecordCall | None:
    if len(e.args) != 2 or not _is_of(file, body, e, "Module"):
        return None
    cut = e.args[0].span[1], e.args[1].span[1]
    return RecordCall(file.place(e.name_span), e.name, "save_file(path)", file.cut(cut), (cut,))


def _load(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> RecordCall | None:
    if len(e.args) == 1 and _is_taken_for_result(body, e) and _is_of(file, body, e, "Module"):
        place = file.place(e.name_span)
        return RecordCall(
            place, e.name, "try_load_file(path)", (Edit(place, "try_load_file"),), as_result=True
        )
    if len(e.args) != 3 or not _is_of(file, body, e, "Module"):
        return None
    cut = e.args[0].span[1], e.args[2].span[1]
    name = Edit(file.place(e.name_span), "try_load_file")
    return RecordCall(file.place(e.name_span), e.name, "try_load_file(path)", (name, *file.cut(cut)), (cut,))


def _is_taken_for_result(body: hir.Body, e: hir.MethodCall) -> bool:
    """Whether what a call gives has a method of `Result` called on it, or `?`."""
    at = body.parents[e.id]
    around = body.exprs[at] if at >= 0 else None
    if isinstance(around, hir.MethodCall):
        return around.receiver is e and around.name in _OF_RESULTS
    return isinstance(around, hir.Try)


_OF_RESULTS = frozenset(
    {"expect", "unwrap", "unwrap_or", "unwrap_or_else", "ok", "map_err", "is_ok", "is_err"}
)


def _checkpointer(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> RecordCall | None:
    if len(e.args) != 1:
        return None
    whole = file.place((e.name_span[0], e.span[1]))
    made = "with_default_checkpointers()"
    return RecordCall(file.place(e.name_span), e.name, made, (Edit(whole, made),), (e.args[0].span,))


def _record(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> RecordCall | None:
    """`recorder.record(model.into_record(), path)`."""
    if len(e.args) != 2 or not _is_of(file, body, e, "Recorder"):
        return None
    place = file.place(e.name_span)
    if _maker(body, e.args[0]) is None or _is_unit(e.args[1]):
        return RecordCall(place, e.name, "record.save(path)", ())
    made = f"{file.text(e.args[0].span)}.save({_path(file, e.args[1])})"
    gone = (e.receiver.span,)
    return RecordCall(place, e.name, made, (Edit(file.place(e.span), made),), gone)


def _path(file: FileMigration, e: hir.Expr) -> str:
    """A path as written, without a conversion: what takes it takes any path."""
    if isinstance(e, hir.MethodCall) and e.name == "into" and not e.args:
        e = e.receiver
    return file.text(e.span)


def _is_unit(e: hir.Expr) -> bool:
    """Whether it is `()`, for which a recorder of bytes gave the bytes."""
    return (isinstance(e, hir.Tuple) and not e.items) or (isinstance(e, hir.Literal) and e.kind == "unit")


def _maker(body: hir.Body, e: hir.Expr) -> hir.MethodCall | None:
    """The `into_record` or `to_record` that a value comes from, as far as its `let`."""
    if isinstance(e, hir.LocalRef):
        init = _let_of(body, e.local)
        if init is None or init.init is None:
            return None
        e = init.init
    return e if isinstance(e, hir.MethodCall) and e.name in ("into_record", "to_record") else None


def _load_record(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> RecordCall | None:
    """`recorder.load(path, &device)`."""
    if len(e.args) != 2 or not _is_of(file, body, e, "Recorder"):
        return None
    place = file.place(e.name_span)
    if "Bytes" in str(file.unit.analysis.types(body).expr(e.receiver)):
        return RecordCall(place, e.name, "ModuleRecord::from_bytes(bytes)", ())
    path = OPTIMIZER_RECORD if _is_for_optimizer(file, body, e) else RECORD
    assert isinstance(body.owner, Item)
    shown, imports = named(file.before, body.owner, path)
    made = f"{shown}::load({_path(file, e.args[0])})"
    gone = (e.receiver.span,)
    return RecordCall(place, e.name, made, (Edit(file.place(e.span), made), *imports), gone)


def _is_for_optimizer(file: FileMigration, body: hir.Body, load: hir.MethodCall) -> bool:
    """Whether what is loaded goes to an optimizer's `load_record`."""
    holders = {load.id}
    at = body.parents[load.id]
    while at >= 0 and isinstance(body.exprs[at], hir.MethodCall | hir.Try | hir.Await):
        holders.add(at)
        at = body.parents[at]
    local = next(
        (
            statement.pattern.local
            for block in body.exprs
            if isinstance(block, hir.Block)
            for statement in block.statements
            if isinstance(statement, hir.Let)
            and statement.init is not None
            and statement.init.id in holders
            and isinstance(statement.pattern, hir.Bind)
        ),
        None,
    )
    for e in body.exprs:
        if isinstance(e, hir.MethodCall) and e.name == "load_record" and len(e.args) == 1:
            arg = e.args[0]
            if arg.id in holders or (isinstance(arg, hir.LocalRef) and arg.local is local):
                callee = file.unit.analysis.types(body).callee(e)
                owner = callee.signature.owner if callee is not None and callee.signature is not None else ""
                return owner.startswith("Optimizer")
    return False


def _is_of(file: FileMigration, body: hir.Body, e: hir.MethodCall, owner: str) -> bool:
    """Whether a method is one of a trait or type of burn's old facts."""
    callee = file.unit.analysis.types(body).callee(e)
    if callee is None:
        if owner == "Module":
            return any(
                _is_recorder(file, body, arg.operand if isinstance(arg, hir.Ref) else arg)
                for arg in e.args[1:2]
            )
        term = file.unit.analysis.types(body).expr(e.receiver)
        return (
            isinstance(term, terms.Unknown) and owner == "Recorder" and _is_recorder(file, body, e.receiver)
        )
    return callee.signature is not None and callee.signature.owner == owner


def _is_recorder(file: FileMigration, body: hir.Body, e: hir.Expr) -> bool:
    """Whether a value is made as a recorder (`CompactRecorder::new()`), there or at its `let`."""
    if isinstance(e, hir.LocalRef):
        let = _let_of(body, e.local)
        if let is None or let.init is None:
            return False
        e = let.init
    assert isinstance(body.owner, Item)
    if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
        full = file.before.outside(e.callee.path, body.owner, "value")
        return full[:2] == ("burn", "record")
    return False


_CALLS = {
    "save_file": _save,
    "load_file": _load,
    "with_file_checkpointer": _checkpointer,
    "record": _record,
    "load": _load_record,
}


@dataclass(frozen=True, slots=True)
class RecorderUse:
    """A recorder or record type: its place, how it is written, what to write ("" for nothing), the edits."""

    place: Place
    text: str
    successor: str
    edits: tuple[Edit, ...]


def recorders(file: FileMigration) -> Iterator[RecorderUse]:
    """The recorders, precision settings and record types of a file that no call's edits take along."""
    gone = [span for call in file.record_calls for span in call.gone if call.edits]
    lets = list(_lets(file, gone))
    yield from lets
    taken = [*gone, *((edit.place.start, edit.place.end) for let in lets for edit in let.edits)]
    for path in file.paths:
        span = path.path.span
        if any(start <= span[0] and span[1] <= end for start, end in taken) or _in_recorder(file, path):
            continue
        if _is_record_type(file, path):
            shown, imports = named(file.before, path.item, RECORD)
            yield RecorderUse(
                file.place(span), file.spelling(span), RECORD, (Edit(file.place(span), shown), *imports)
            )
        elif _is_of_record(file, path):
            yield RecorderUse(file.place(span), file.spelling(span), "", ())


def _is_of_record(file: FileMigration, path: Written) -> bool:
    namespace: rn.Namespace = "value" if path.role == "value" else "type"
    return file.before.outside(path.path, path.item, namespace)[:2] == ("burn", "record")


def _in_recorder(file: FileMigration, path: Written) -> bool:
    """Whether a path is an argument of one that is said already."""
    outer = path.outer
    while outer is not None:
        if _is_of_record(file, outer) or _is_record_type(file, outer):
            return True
        outer = outer.outer
    return False


def _is_record_type(file: FileMigration, path: Written) -> bool:
    """`LinearRecord<B>` of burn's, and what the derive made: `ModelRecord<B>` for a module `Model`."""
    name = path.name
    if path.role == "value" or not name.endswith("Record") or name == "Record":
        return False
    key = file.before.key(path.path, path.item)
    if key:
        return (
            key.endswith("Record") and file.before.new.type(key) is None and key.rpartition("::")[2] == name
        )
    return derived_record(file, path.path, path.item)


def derived_record(file: FileMigration, path: rt.Path, item: Item) -> bool:
    """Whether a path is to the record type that the derive of 0.21 made for a module of the workspace."""
    last = path.segments[-1]
    if not last.name.endswith("Record") or not isinstance(file.before.resolve(path, item), rn.Unresolved):
        return False
    of = rt.Path((*path.segments[:-1], rt.Segment(last.name.removesuffix("Record"))), path.span)
    module = file.before.resolve(of, item)
    return isinstance(module, rn.Local) and any(
        isinstance(each, Struct) and each.derives("Module") for each in module.definitions
    )


def _lets(file: FileMigration, gone: list[Span]) -> Iterator[RecorderUse]:
    """`let recorder = CompactRecorder::new();` where all uses go."""
    for body in file.unit.bodies(file.source) if file.unit.is_old else ():
        for e in body.exprs:
            for statement in e.statements if isinstance(e, hir.Block) else ():
                if not isinstance(statement, hir.Let) or not isinstance(statement.pattern, hir.Bind):
                    continue
                init = statement.init
                if init is None or isinstance(init, hir.LocalRef) or not _is_recorder(file, body, init):
                    continue
                local = statement.pattern.local
                uses = [u.span for u in body.exprs if isinstance(u, hir.LocalRef) and u.local is local]
                free = all(any(a <= s and t <= b for a, b in gone) for s, t in uses)
                whole = whole_lines(file.source.content, statement.span)
                if free:
                    yield RecorderUse(file.place(init.span), file.spelling(init.span), "", file.cut(whole))


def _let_of(body: hir.Body, local: hir.Local) -> hir.Let | None:
    for e in body.exprs:
        for statement in e.statements if isinstance(e, hir.Block) else ():
            pattern = statement.pattern if isinstance(statement, hir.Let) else None
            if isinstance(pattern, hir.Bind) and pattern.local is local:
                assert isinstance(statement, hir.Let)
                return statement
    return None


def derived(file: FileMigration) -> Iterator[Place]:
    """`#[derive(Record)]`, which is gone."""
    for item in file.source.items.all if b"Record" in file.source.content else ():
        for attribute in item.attributes if item.attribute_spans else ():
            if attribute.name == "derive" and item.derives("Record"):
                text = file.source.content[attribute.span[0] : attribute.span[1]]
                at = text.find(b"Record")
                if at >= 0 and _is_burns(file, item):
                    yield file.place((attribute.span[0] + at, attribute.span[0] + at + 6))


def _is_burns(file: FileMigration, item: Item) -> bool:
    """Whether the derive `Record` is burn's, or nobody's: then rustc does not find it."""
    record = rt.Path((rt.Segment("Record"),), item.name_span)
    found = file.before.resolve(record, item)
    if isinstance(found, rn.Unresolved):
        return found.why == "not found" and b"macro_use" not in file.source.content
    return bool(file.before.outside(record, item))
