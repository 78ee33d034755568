"""What a loop does with the errors that the batches of a data loader may be.

Source: burn-core 0.22.1, src/data/dataloader/{batch,multithread}.rs: without workers a loader gives the same
error on every call, for it advances after success only; with workers the worker that failed is done for this
epoch. Up to burn 0.21 a batch is no `Result`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeGuard

from burnlint.burn import terms
from burnlint.burn.loaders import SAME_ITEMS, Loader, batches_of, loader_of
from burnlint.burn.values_site import Site
from burnlint.rust import hir
from burnlint.rust.visit import descendants, locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_BOUNDS = frozenset(
    {"take", "take_while", "map_while", "next", "nth", "find", "find_map", "any", "all", "position", "zip"}
)
"""Adaptors after which the iterator may not be asked again."""
_HARMLESS = frozenset({"to_string", "clone", "push", "len", "as_str", "kind", "source"})
"""Methods that neither end the program nor panic."""
_LOOKS = re.compile(rb"\b(?:Ok|is_err)\b")
MAX_RETURNS = 2
"""Functions that an iterator is followed out of."""
_TAKES_APART = re.compile(rb"\bOk\b|\bis_err\b")
"""What a loop spells that takes an item apart."""
_COMPARES = frozenset({"==", "!=", "<", "<=", ">", ">="})
_LEAVES = (hir.Break, hir.Return, hir.Try)


@dataclass(frozen=True)
class Skipped:
    """A place where a failing batch is passed over, and the loader that it comes from."""

    place: Expr
    loader: Loader

    @property
    def goes_round(self) -> Expr | None:
        """The `continue` by which a branch goes on with the next round; None if it has none."""
        inside = descendants(self.place.expr) if isinstance(self.place.expr, hir.Block | hir.Continue) else ()
        found = next((e for e in inside if isinstance(e, hir.Continue) and e.label is None), None)
        return self.place.inside(found) if found is not None else None


def flattened(file: FileView) -> Iterator[Skipped]:
    """Where an adaptor drops the errors of a loader's batches and asks on: `flatten()`,
    `filter_map(Result::ok)`."""
    for call in file.calls("flatten", "filter_map", "flat_map"):
        e = call.expr
        if not isinstance(e, hir.MethodCall) or not _drops_errors(e):
            continue
        loaders = (batches_of(run.inside(e.receiver)) for run in _endless(call))
        seen = [loader_of(loader) for loader in loaders if loader is not None]
        if seen:
            yield Skipped(
                call, min(seen, key=lambda loader: (loader.fails is not True, loader.fails is not None))
            )


def ended(file: FileView) -> Iterator[Skipped]:
    """Where the first error ends the batches of a loader without a word: `map_while(Result::ok)`,
    `while let Some(Ok(batch)) = it.next()`."""
    for call in file.calls("map_while", "take_while", "next"):
        e = call.expr
        if not isinstance(e, hir.MethodCall):
            continue
        if e.name == "next":
            asks = _asked_to_the_end(call)
            if asks is None or not _is_some_ok(asks[1]):
                continue
        elif len(e.args) != 1 or not (
            _gives_ok(e.args[0]) or (e.name == "take_while" and _asks_ok(e.args[0]))
        ):
            continue
        loader = batches_of(call.inside(e.receiver))
        if loader is not None and not _is_counted(call):
            yield Skipped(call, loader_of(loader))


def _is_counted(call: Expr) -> bool:
    """Whether somebody looks at how far the batches went: their number, or what a loop counts up, is compared."""
    at = call.expr
    while True:
        sink = call.flow.sink(at)
        holder = sink.role.holder
        if isinstance(holder, hir.MethodCall) and sink.kind == "receiver":
            if holder.name in ("count", "len"):
                value = call.inside(holder)
                return value.is_compared or any(True for _ in value.compared_with())
            at = holder
            continue
        loop = call.flow.sink(holder).role.holder if isinstance(holder, hir.LetCond) else holder
        return isinstance(loop, hir.For | hir.While) and _compares_after(call, loop)


def _compares_after(call: Expr, loop: hir.For | hir.While) -> bool:
    """Whether what a loop counts up is compared or asserted behind it."""
    counted = {
        e.target.local
        for e in descendants(loop.body)
        if isinstance(e, hir.AssignOp) and isinstance(e.target, hir.LocalRef)
    }
    for e in call.site.frame.body.exprs:
        looks = (isinstance(e, hir.Binary) and e.op in _COMPARES) or (
            isinstance(e, hir.Macro) and "assert" in e.path.name
        )
        reads = {each.local for each in descendants(e) if isinstance(each, hir.LocalRef)} if looks else set()
        if e.span[0] >= loop.span[1] and not counted.isdisjoint(reads):
            return True
    return False


def _drops_errors(e: hir.MethodCall) -> bool:
    if e.name == "flatten":
        return not e.args
    if len(e.args) != 1:
        return False
    closure = e.args[0]
    same = (
        isinstance(closure, hir.Closure)
        and isinstance(closure.body, hir.LocalRef)
        and len(closure.params) == 1
        and closure.body.local in locals_in(closure.params[0][0])
    )
    return same if e.name == "flat_map" else _gives_ok(closure)


def _gives_ok(e: hir.Expr) -> bool:
    """`Result::ok`, `|b| b.ok()`."""
    if isinstance(e, hir.PathExpr):
        return [segment.name for segment in e.path.segments[-2:]] == ["Result", "ok"]
    body = e.body if isinstance(e, hir.Closure) else None
    return isinstance(body, hir.MethodCall) and body.name == "ok" and isinstance(body.receiver, hir.LocalRef)


def _asks_ok(e: hir.Expr) -> bool:
    """`Result::is_ok`, `|b| b.is_ok()`."""
    if isinstance(e, hir.PathExpr):
        return [segment.name for segment in e.path.segments[-2:]] == ["Result", "is_ok"]
    body = e.body if isinstance(e, hir.Closure) else None
    return (
        isinstance(body, hir.MethodCall) and body.name == "is_ok" and isinstance(body.receiver, hir.LocalRef)
    )


def _endless(call: Expr, depth: int = 0) -> Iterator[Expr]:
    """An adaptor as each caller runs it who asks on until the end: a loop, or a consumer such as `count()`. What becomes
    of the iterator must be in sight, and no later adaptor may stop asking."""
    at = _where_used(call)
    while at is not None:
        sink = at.flow.sink(at.expr)
        holder = sink.role.holder
        if sink.kind == "receiver" and isinstance(holder, hir.MethodCall):
            given = at.inside(holder)
            if holder.name in _BOUNDS and (holder.name != "next" or _asked_to_the_end(given) is None):
                return
            if not isinstance(given.term, terms.Named) or given.type_name != "Iter":
                yield call
                return
            at = _where_used(given)
            continue
        if sink.kind == "returned" and depth < MAX_RETURNS:
            yield from (
                _as_run_by(run, outer, call)
                for outer in _calls_that_return(at)
                for run in _endless(outer, depth + 1)
            )
        elif sink.kind == "iterable":
            yield call
        return


def _where_used(value: Expr) -> Expr | None:
    """What has a value where it is used in its function; None if it goes by a name that is used twice."""
    at = value.outermost
    while (name := at.only_name) is not None:
        uses = at.flow.uses_of(name)
        if len(uses) != 1:
            return None
        at = at.inside(uses[0]).outermost
    return at


def _calls_that_return(value: Expr) -> Iterator[Expr]:
    """The calls of the closure or function around a value that return it, outside of tests."""
    closure = value.flow.sink(value.expr).role.holder
    if isinstance(closure, hir.Closure):
        yield from value.inside(closure).closure_calls
        return
    for call in value.file.callers(value.fn):
        if not call.in_test:
            yield call


def _as_run_by(run: Expr, outer: Expr, call: Expr) -> Expr:
    """A call as what a call outside of it comes to runs it: of a closure the same."""
    if outer.target is None or outer.target.fn is not call.fn:
        return call
    return call.at(Site(call.expr, run.site.frame.enter(outer.expr, call.site.frame.body)))


def _is_some_ok(pattern: hir.Pattern) -> bool:
    inner = _inside_some(pattern)
    return inner is not None and _is_variant(inner, "Ok")


def _is_variant(pattern: hir.Pattern | None, name: str) -> TypeGuard[hir.TupleStructPat]:
    return isinstance(pattern, hir.TupleStructPat) and pattern.path.name == name and len(pattern.items) == 1


def _asked_to_the_end(call: Expr) -> tuple[hir.While, hir.Pattern] | None:
    """Of the call in `while let pattern = call` the loop and the pattern."""
    condition = call.flow.sink(call.expr).role.holder
    if not isinstance(condition, hir.LetCond):
        return None
    loop = call.flow.sink(condition).role.holder
    if not isinstance(loop, hir.While) or loop.condition is not condition:
        return None
    return loop, condition.pattern


def passed_over(file: FileView) -> Iterator[Skipped]:
    """Where a loop over a loader's batches goes on with the next round after an error."""
    for call in file.calls("iter", "next"):
        e = call.expr
        if not isinstance(e, hir.MethodCall) or e.args:
            continue
        for run, at, loop, item in _loops_over(call):
            if not at.source.holds(_TAKES_APART, loop.span):
                continue
            place = _goes_on(at, loop, item)
            loader = batches_of(run if e.name == "iter" else run.inside(e.receiver)) if place else None
            if place is not None and loader is not None:
                yield Skipped(place, loader_of(loader))


def _loops_over(
    call: Expr, *, numbered: bool = False, depth: int = 0
) -> Iterator[tuple[Expr, Expr, hir.For | hir.While, hir.Local]]:
    """The loops that a call gives the items of (through adaptors that keep them or number them, and out of the closure
    or function around it): the call as it is run for that, the one in the function around the loop, the loop, and the
    name of an item."""
    if call.name == "next" and depth == 0:
        asks = _asked_to_the_end(call)
        given = _inside_some(asks[1]) if asks is not None else None
        if asks is not None and isinstance(given, hir.Bind):
            yield call, call, asks[0], given.local
        return
    at = _where_used(call)
    while at is not None:
        sink = at.flow.sink(at.expr)
        holder = sink.role.holder
        if sink.kind == "receiver" and isinstance(holder, hir.MethodCall):
            if holder.name not in SAME_ITEMS and holder.name != "enumerate":
                return
            numbered = numbered or holder.name == "enumerate"
            at = _where_used(at.inside(holder))
            continue
        if isinstance(holder, hir.For) and sink.kind == "iterable":
            pattern: hir.Pattern | None = holder.pattern
            if numbered:
                pair = isinstance(pattern, hir.TuplePat) and len(pattern.items) == 2
                pattern = pattern.items[1] if pair and isinstance(pattern, hir.TuplePat) else None
            if isinstance(pattern, hir.Bind):
                yield call, call, holder, pattern.local
        elif sink.kind == "returned" and depth < MAX_RETURNS:
            for outer in _calls_that_return(at):
                for run, inner, loop, item in _loops_over(outer, numbered=numbered, depth=depth + 1):
                    yield _as_run_by(run, outer, call), inner, loop, item
        return


def _inside_some(pattern: hir.Pattern) -> hir.Pattern | None:
    return pattern.items[0] if _is_variant(pattern, "Some") else None


def _goes_on(call: Expr, loop: hir.For | hir.While, item: hir.Local) -> Expr | None:
    """Where a round takes an item apart and passes over its error; None if an error may end the loop, or
    what happens to it is not known."""
    if not call.source.holds(_LOOKS, loop.body.span):
        return None
    uses = _uses_of(call, item)
    asked = _asks_first(call, loop, uses)
    if asked is not None:
        return call.inside(asked)
    if len(uses) != 1:
        return None
    use = uses[0].expr
    holder = call.flow.sink(use).role.holder
    fine: hir.Expr | None = None
    failing: hir.Expr | None = None
    match holder:
        case hir.Match(arms=[first, second]) if call.flow.sink(use).kind == "scrutinee":
            arms = {_variant(each.pattern): each for each in (first, second) if each.guard is None}
            ok, err = arms.get("Ok"), arms.get("Err") or arms.get("_")
            if ok is not None and err is not None:
                fine, failing = ok.body, err.body
        case hir.LetCond() if _variant(holder.pattern) == "Ok":
            test = call.flow.sink(holder).role.holder
            if isinstance(test, hir.If) and test.condition is holder:
                fine, failing, holder = test.then, test.otherwise, test
    if holder is None or fine is None:
        let = _let_else(loop, use)
        if let is None or let.otherwise is None:
            return None
        fine, failing = None, let.otherwise
        return call.inside(failing) if not _leaves(failing, loop) and not _before(loop, use) else None
    if failing is not None and _leaves(failing, loop):
        return None
    goes_round = failing is not None and any(isinstance(e, hir.Continue) for e in descendants(failing))
    inside = set(descendants(fine)) | (set(descendants(failing)) if failing is not None else set())
    for e in descendants(loop.body):
        later = e.span[0] >= holder.span[1]
        if _is_exit(e, loop) and e not in inside and not (later and goes_round):
            return None
    return call.inside(failing if failing is not None else holder)


def _uses_of(call: Expr, item: hir.Local) -> list[Expr]:
    """What has the value of an item where it is used, also of one that goes by other names."""
    while True:
        uses = [call.inside(use).outermost for use in call.flow.uses_of(item)]
        name = uses[0].only_name if len(uses) == 1 else None
        if name is None:
            return uses
        item = name


def _asks_first(call: Expr, loop: hir.For | hir.While, uses: list[Expr]) -> hir.Expr | None:
    """What a round does for an item that is an error, if it asks `item.is_err()` first and goes on; else None."""
    if not uses:
        return None
    first = uses[0].expr
    asks = call.flow.sink(first).role.holder
    if not isinstance(asks, hir.MethodCall) or asks.name != "is_err":
        return None
    branch = call.flow.sink(asks).role.holder
    if not isinstance(branch, hir.If) or branch.condition is not asks or branch.otherwise is not None:
        return None
    goes_round = any(isinstance(e, hir.Continue) for e in descendants(branch.then))
    stays = goes_round and not _leaves(branch.then, loop) and not _before(loop, first)
    return branch.then if stays else None


def _variant(pattern: hir.Pattern) -> str:
    if isinstance(pattern, hir.Wild):
        return "_"
    return pattern.path.name if isinstance(pattern, hir.TupleStructPat) else ""


def _let_else(loop: hir.For | hir.While, use: hir.Expr) -> hir.Let | None:
    """`let Ok(batch) = item else { .. }` at the top of a loop's body."""
    for statement in loop.body.statements:
        if isinstance(statement, hir.Let) and statement.init is use and _variant(statement.pattern) == "Ok":
            return statement
    return None


def _before(loop: hir.For | hir.While, use: hir.Expr) -> bool:
    """Whether a round may leave the loop before an item is taken apart."""
    return any(_is_exit(e, loop) and e.span[1] <= use.span[0] for e in descendants(loop.body))


def _is_exit(e: hir.Expr, loop: hir.For | hir.While) -> bool:
    """Whether it may leave the loop: also by going on with the next round of one around it."""
    return isinstance(e, _LEAVES) or (isinstance(e, hir.Continue) and e.label not in (None, loop.label))


def _leaves(branch: hir.Expr, loop: hir.For | hir.While) -> bool:
    """Whether a branch may leave the loop, or runs what may."""
    for e in descendants(branch):
        if isinstance(e, (hir.Closure, hir.Unknown)) or _is_exit(e, loop):
            return True
        if isinstance(e, hir.Macro) and (e.diverges or e.form != "format"):
            return True
        if isinstance(e, hir.Call) or (isinstance(e, hir.MethodCall) and e.name not in _HARMLESS):
            return True
    return False
