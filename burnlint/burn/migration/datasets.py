"""Datasets: `get` gave an `Option` up to burn 0.21, and gives a `Result` from 0.22 on; so do the items of a loader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.migration.naming import named
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust import types as rt
from burnlint.rust.items import Fn, Impl

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration

ERROR = "burn::data::dataset::DatasetError"
_NO_ITEM = '::new(std::io::Error::other("no item at this index"))'
_BOTH = frozenset(
    {
        "map",
        "and_then",
        "unwrap",
        "expect",
        "cloned",
        "copied",
        "inspect",
        "unwrap_or_default",
        "unwrap_or_else",
    }
)
"""Methods that `Option` and `Result` share, but for `unwrap_or_else`, whose closure takes the error."""


@dataclass(frozen=True, slots=True)
class DatasetChange:
    """Where an `Option` of a dataset is meant: what is written, what to write, the edits (none: by hand)."""

    place: Place
    what: str
    help: str
    edits: tuple[Edit, ...]


def datasets(file: FileMigration) -> Iterator[DatasetChange]:
    """The implementations of `Dataset` of a file, and what it does with the items of datasets and loaders."""
    for impl in file.source.items.impls if file.unit.is_old else ():
        if impl.trait is not None and file.before.key(impl.trait, impl) == "Dataset":
            get = next((fn for fn in impl.fns if fn.name == "get"), None)
            if get is not None and _is_option(get.result):
                yield _get(file, impl, get)
    for body in file.unit.bodies(file.source):
        for e in body.exprs:
            yield from _use(file, body, e)


def _is_option(type: rt.TypeExpr | None) -> bool:
    return (
        isinstance(type, rt.PathType) and type.path.name == "Option" and len(type.path.segments[-1].args) == 1
    )


def _get(file: FileMigration, impl: Impl, get: Fn) -> DatasetChange:
    assert isinstance(get.result, rt.PathType)
    place = file.place(get.result.span)
    item = file.text(get.result.path.segments[-1].args[0].span)
    error, imports = named(file.before, get, ERROR)
    head = Edit(place, f"Result<{item}, {error}>")
    body = file.unit.body(get)
    edits = _results(file, body, error) if body is not None else None
    help = f"write `Result<{item}, {error}>`, and panic where the index is out of range"
    return DatasetChange(place, "get", help, () if edits is None else (head, *edits, *imports))


def _results(file: FileMigration, body: hir.Body, error: str) -> list[Edit] | None:
    """The edits that turn every value that a body gives from an `Option` into a `Result`; None where one of them is
    not understood."""
    values: list[hir.Expr] = [body.root]
    for e in body.exprs:
        if isinstance(e, hir.Return):
            if e.value is None:
                return None
            values.append(e.value)
        if isinstance(e, hir.Closure):
            return None if _returns(body) else _leaves(file, body, values, error)
    return _leaves(file, body, values, error)


def _returns(body: hir.Body) -> bool:
    return any(isinstance(e, hir.Return | hir.Try) for e in body.exprs)


def _leaves(file: FileMigration, body: hir.Body, values: list[hir.Expr], error: str) -> list[Edit] | None:
    edits: list[Edit] = []
    for e in body.exprs:
        if isinstance(e, hir.Try) and not _is_item(file, body, e.operand):
            # `self.items.get(index)?`
            edits.append(_ok_or(file, e.operand, error))
    stack = list(values)
    while stack:
        e = stack.pop()
        if isinstance(e, hir.Block):
            if e.tail is not None:
                stack.append(e.tail)
            elif not e.statements:
                return None
        elif isinstance(e, hir.If):
            stack += [e.then, *([e.otherwise] if e.otherwise is not None else [])]
        elif isinstance(e, hir.Match):
            stack += [arm.body for arm in e.arms]
        elif isinstance(e, hir.Return):
            continue
        elif isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and str(e.callee.path) == "Some":
            edits.append(Edit(file.place(e.callee.span), "Ok"))
        elif isinstance(e, hir.PathExpr) and str(e.path) == "None":
            edits.append(Edit(file.place(e.span), f"Err({error}{_NO_ITEM})"))
        elif _is_item(file, body, e):
            continue
        elif isinstance(e, hir.MethodCall | hir.Call | hir.LocalRef | hir.Field):
            edits.append(_ok_or(file, e, error))
        else:
            return None
    return edits


def _ok_or(file: FileMigration, e: hir.Expr, error: str) -> Edit:
    end = Place(file.source.path, e.span[1], e.span[1])
    return Edit(end, f".ok_or_else(|| {error}{_NO_ITEM})")


def _is_item(
    file: FileMigration, body: hir.Body, e: hir.Expr, through: frozenset[str] = _BOTH - {"cloned", "copied"}
) -> bool:
    """Whether a value is the `Option` that a dataset of burn's traits gave, or what methods of both, those `through`
    which it is sought, made of it."""
    while isinstance(e, hir.MethodCall) and e.name in through:
        e = e.receiver
    if not isinstance(e, hir.MethodCall) or e.name != "get":
        return False
    callee = file.unit.analysis.types(body).callee(e)
    if callee is None:
        return False
    if callee.signature is not None:
        return callee.signature.owner == "Dataset" or (
            callee.signature.crate == "burn-dataset" and callee.signature.name == "get"
        )
    owner = callee.fn.owner if callee.fn is not None else None
    return (
        isinstance(owner, Impl)
        and owner.trait is not None
        and file.before.key(owner.trait, owner) == "Dataset"
    )


def _use(file: FileMigration, body: hir.Body, e: hir.Expr) -> Iterator[DatasetChange]:
    """`if let Some(item) = dataset.get(0)`, a `match` on it, `ok_or` of it, `?` outside of datasets, and loops over
    loaders."""
    if isinstance(e, hir.LetCond) and _is_item(file, body, e.value, _WRAPPED):
        yield from _pattern(file, e.pattern)
    elif isinstance(e, hir.Block):
        for statement in e.statements:
            init = statement.init if isinstance(statement, hir.Let) else None
            if init is not None and _is_item(file, body, init, _WRAPPED):
                assert isinstance(statement, hir.Let)
                yield from _pattern(file, statement.pattern)
    elif isinstance(e, hir.Match) and _is_item(file, body, e.scrutinee, _WRAPPED):
        if not any(_of_pattern(file, arm.pattern) for arm in e.arms):
            return
        edits: list[Edit] = []
        for arm in e.arms:
            made = _of_pattern(file, arm.pattern)
            if made is None and not isinstance(arm.pattern, hir.Wild):
                edits = []
                break
            edits += [made] if made is not None else []
        yield DatasetChange(
            file.place(e.scrutinee.span),
            file.spelling(e.scrutinee.span),
            "match `Ok` and `Err`",
            tuple(edits),
        )
    elif (
        isinstance(e, hir.MethodCall)
        and e.name in _MAKE_RESULTS
        and _is_item(file, body, e.receiver, _WRAPPED)
    ):
        error = _of_no_item(file, e)
        place = file.place((e.name_span[0], e.span[1]))
        yield DatasetChange(
            place,
            file.spelling((e.name_span[0], e.span[1])),
            "write `map_err`",
            (Edit(place, f"map_err({error})"),) if error else (),
        )
    elif isinstance(e, hir.MethodCall) and e.name == "iter" and not e.args and _is_loader(file, body, e):
        if not _takes_bare_items(body, e, file.unit.names_backends):
            return
        place = file.place((e.name_span[0], e.span[1]))
        end = Place(file.source.path, e.span[1], e.span[1])
        yield DatasetChange(
            place,
            file.spelling(e.span),
            "unwrap its items, or handle the error of each",
            (Edit(end, ".map(Result::unwrap)"),),
        )


_MAKE_RESULTS = frozenset({"ok_or", "ok_or_else"})
_WRAPPED = frozenset({"map", "and_then", "inspect"})
"""Methods of `Option` and `Result` that give what they are called on: no item that is an `Option` itself."""
_ADAPTERS = frozenset({"enumerate", "take", "skip", "step_by", "zip", "by_ref", "fuse"})
_OF_RESULTS = frozenset(
    {
        "expect",
        "unwrap",
        "ok",
        "err",
        "is_ok",
        "is_err",
        "unwrap_or_else",
        "unwrap_or_default",
        "map_err",
        "and_then",
    }
)


def _of_no_item(file: FileMigration, e: hir.MethodCall) -> str:
    """What gives the error of `ok_or(error)` and `ok_or_else(make)` for whatever error there is; empty where that is
    not seen."""
    if len(e.args) != 1:
        return ""
    [given] = e.args
    if e.name == "ok_or":
        return f"|_| {file.text(given.span)}"
    if isinstance(given, hir.Closure):
        written = file.text(given.span)
        head, bars, rest = written.partition("||")
        return f"{head}|_|{rest}" if bars and not given.params else ""
    return f"|_| {file.text(given.span)}()" if isinstance(given, hir.PathExpr) else ""


def _takes_bare_items(body: hir.Body, e: hir.Expr, old: bool) -> bool:
    """Whether the loop or closure that runs over an iterator takes its items for no results: reads a field of them,
    or, in code that is `old` for sure, hands them on."""
    at = body.parents[e.id]
    around = body.exprs[at] if at >= 0 else None
    while isinstance(around, hir.MethodCall) and around.receiver is e and around.name in _ADAPTERS:
        e = around
        at = body.parents[e.id]
        around = body.exprs[at] if at >= 0 else None
    pattern: hir.Pattern | None = None
    if isinstance(around, hir.For) and around.iterable is e:
        pattern = around.pattern
    elif isinstance(around, hir.MethodCall) and around.receiver is e and around.args:
        closure = around.args[-1]
        if isinstance(closure, hir.Closure) and closure.params:
            pattern = closure.params[-1][0]
    if isinstance(pattern, hir.TuplePat) and pattern.items:
        pattern = pattern.items[-1]
    if not isinstance(pattern, hir.Bind):
        return isinstance(pattern, hir.StructPat)
    uses = [u for u in body.exprs if isinstance(u, hir.LocalRef) and u.local is pattern.local]
    if any(_handles_result(body, use) for use in uses):
        return False
    return bool(uses) if old else any(_reads_field(body, use) for use in uses)


def _reads_field(body: hir.Body, use: hir.Expr) -> bool:
    return isinstance(body.exprs[body.parents[use.id]], hir.Field)


def _handles_result(body: hir.Body, use: hir.Expr) -> bool:
    around = body.exprs[body.parents[use.id]]
    if isinstance(around, hir.MethodCall):
        return around.receiver is use and around.name in _OF_RESULTS
    return isinstance(around, hir.Try | hir.Match | hir.LetCond)


def _pattern(file: FileMigration, pattern: hir.Pattern) -> Iterator[DatasetChange]:
    made = _of_pattern(file, pattern)
    if made is not None:
        yield DatasetChange(
            made.place, file.spelling((made.place.start, made.place.end)), "write `Ok`", (made,)
        )


def _of_pattern(file: FileMigration, pattern: hir.Pattern) -> Edit | None:
    if isinstance(pattern, hir.TupleStructPat) and str(pattern.path) == "Some":
        return Edit(file.place(pattern.path.span), "Ok")
    if isinstance(pattern, hir.PathPat) and str(pattern.path) == "None":
        return Edit(file.place(pattern.path.span), "Err(_)")
    return None


def _is_loader(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> bool:
    """Whether `iter` is a data loader's."""
    callee = file.unit.analysis.types(body).callee(e)
    if callee is not None and callee.signature is not None:
        return callee.signature.owner == "DataLoader"
    term = terms.peel_refs(file.unit.analysis.types(body).expr(e.receiver))
    return isinstance(term, terms.Named) and term.name == "Arc" and "DataLoader" in str(term)
