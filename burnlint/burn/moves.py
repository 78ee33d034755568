"""Tensors that are moved: used again afterwards, or out of what is only borrowed. rustc refuses both (E0382,
E0507); these are the places where burn's by-value API meets them. And tensors that are cloned where they could
be moved.

Only what certainly moves counts: an argument, an operand of an operator, the receiver of a method that takes
`self`, what is bound, stored, put into a literal or returned. A body with conditional compilation, an opaque
macro or a call that may never return is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.values import Site
from burnlint.rust import glance, hir, scalars
from burnlint.rust.flow_defs import place_of, root_of
from burnlint.rust.flow_roles import Role, roles_of
from burnlint.rust.items import Fn, Impl, Struct
from burnlint.rust.types import ArrayType, FnType, PathType, RefType, SliceType, TupleType, TypeExpr
from burnlint.rust.visit import descendants, locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_OPAQUE = (b"#[cfg", b"#![cfg", b"cfg!", b"exit(", b"abort(", b"unsafe")
"""Text of functions that are left alone: what the flow shows may not be what is compiled, or runs on."""

MAX_USES = 20
"""Uses behind a place that are compared with it: of more, one will follow."""
_NO_TENSORS = frozenset({"as_ref", "device", "dims", "dtype", "iter", "len", "shape", "to_data"})
"""Methods whose result is no tensor by value, whatever the receiver is."""


@dataclass(frozen=True)
class Moved:
    """A tensor that is `moved` there and `used` again afterwards (the same expression: in the next round of a
    loop). `into_closure`: by a closure, where that is made."""

    moved: Expr
    used: Expr
    into_closure: bool


def used_after_move(file: FileView) -> Iterator[Moved]:
    """The tensors that are moved and used again before they are set anew, each once."""
    for fn, body in _bodies(file, glance.may_use_again):
        uses = _uses(body)
        if not uses:
            continue
        roles = roles_of(body)
        taken = set(_taken(body))
        candidates = [
            e
            for e in _places(body, roles, uses)
            if (e.id in taken or _may_move(file, e, roles[e.id]))
            and _may_recur(body, e, uses)
            and not _is_declared_other(file, body, e)
        ]
        if not candidates or _is_left_alone(file, fn, body):
            continue
        flow = file.analysis.values.flow(body)
        frame = file.analysis.values.frame(body)
        reported: set[hir.Expr] = set()
        for e in candidates:
            if not _is_tensor(file, body, e) or _behind_reference(file, body, e):
                continue
            taker = flow.taken_by(e)
            if not (taker is not None and taker.moves) and not (
                _may_move(file, e, roles[e.id]) and _moves(file, body, e, roles[e.id])
            ):
                continue
            later = [read for read in flow.reads_after(e) if read not in reported]
            if later:
                reported.add(later[0])
                outside = later[0] is e or flow.taken_by(later[0]) is not taker
                yield Moved(
                    file.expr(Site(e, frame)), file.expr(Site(later[0], frame)), taker is not None and outside
                )


def moved_out_of_borrow(file: FileView) -> Iterator[Expr]:
    """The tensor fields that are moved out of what is only borrowed: of `&self`, `&mut self` or another
    reference."""
    for fn, body in _bodies(file, glance.may_read_field):
        if not body.of(hir.Field):
            continue
        roles = roles_of(body)
        fields = [
            e
            for e in _places(body, roles)
            if isinstance(e, hir.Field)
            and _may_move(file, e, roles[e.id])
            and not _is_declared_other(file, body, e)
        ]
        if not fields or _is_left_alone(file, fn, body):
            continue
        for e in fields:
            if (
                _behind_reference(file, body, e)
                and _is_tensor(file, body, e)
                and _moves(file, body, e, roles[e.id])
            ):
                yield file.expr(Site(e, file.analysis.values.frame(body)))


def clones_of_last_use(file: FileView) -> Iterator[Expr]:
    """The clones of owned tensors that nothing reads afterwards, and whose result an operation takes."""
    for fn, body in _bodies(file, lambda text: b"clone" in text):
        found = [
            e
            for e in body.of(hir.MethodCall)
            if e.name == "clone"
            and isinstance(e.receiver, hir.LocalRef)
            and not any(x.local is e.receiver.local and x.id > e.id for x in body.of(hir.LocalRef))
        ]
        if not found or _is_left_alone(file, fn, body):
            continue
        roles, flow = roles_of(body), file.analysis.values.flow(body)
        borrowed = set(_kept_borrows(file, body))
        for e in found:
            role = roles[e.id]
            if isinstance(e.receiver, hir.LocalRef) and e.receiver.local in borrowed:
                continue
            if role is None or not _may_move(file, e, role) or not _is_tensor(file, body, e.receiver):
                continue
            if _moves(file, body, e, role) and flow.is_last_read(e.receiver):
                yield file.expr(Site(e, file.analysis.values.frame(body)))


def _kept_borrows(file: FileView, body: hir.Body) -> Iterator[hir.Local]:
    """Locals that a `let` may go on borrowing: what it binds to a value made with `&x` is no tensor
    (redundant-tensor-clone/clean.rs, lent)."""
    for block in body.of(hir.Block):
        for statement in block.statements:
            if not isinstance(statement, hir.Let) or statement.init is None:
                continue
            lent = [
                each.operand.local
                for each in descendants(statement.init)
                if isinstance(each, hir.Ref) and isinstance(each.operand, hir.LocalRef)
            ]
            if lent and not isinstance(file.analysis.types(body).expr(statement.init), terms.Tensor):
                yield from lent


def _bodies(file: FileView, wanted: Callable[[bytes], bool]) -> Iterator[tuple[Fn, hir.Body]]:
    """The functions outside of tests whose text is wanted."""
    for fn in file.source.items.functions:
        body = (
            file.analysis.body(fn)
            if not fn.in_test and wanted(file.source.content[slice(*fn.span)])
            else None
        )
        if body is not None:
            yield fn, body


def _places(
    body: hir.Body, roles: list[Role | None], locals_: Container[hir.Local] | None = None
) -> Iterator[hir.Expr]:
    """The longest spelling of each place without `&` and `*`: locals (of these only, if given) and their
    fields."""
    for e in sorted((*body.of(hir.LocalRef), *body.of(hir.Field)), key=lambda each: each.id):
        role = roles[e.id]
        inner: hir.Expr = e
        while isinstance(inner, hir.Field):
            inner = inner.base
        if not isinstance(inner, hir.LocalRef) or role is None or role.kind == "base":
            continue
        if locals_ is None or inner.local in locals_:
            yield e


def _may_move(file: FileView, e: hir.Expr, role: Role | None) -> bool:
    """Whether the place's role moves its value, as far as that shows without types."""
    if role is None:
        return False
    holder = role.holder
    match role.kind:
        case "receiver":
            return isinstance(holder, hir.MethodCall) and _takes_self(file, holder.name)
        case "operand":
            return (isinstance(holder, hir.Binary) and holder.op in _ARITHMETIC) or isinstance(
                holder, hir.Unary
            )
        case "argument" | "field" | "result":
            return True
        case "item":
            return isinstance(holder, hir.Tuple | hir.Array)
        case "init":
            pattern = role.statement.pattern if role.statement is not None else None
            return isinstance(pattern, hir.Bind) and not pattern.local.by_ref and pattern.sub is None
        case "value":
            return isinstance(holder, hir.Assign) and not isinstance(holder.target, hir.Underscore)
    return False


def _taken(body: hir.Body) -> Iterator[int]:
    """The ids of what stands in closures with `move`."""
    for e in body.of(hir.Closure):
        if e.moves:
            yield from (each.id for each in descendants(e.body))


def _takes_self(file: FileView, name: str) -> bool:
    signatures = file.analysis.api.method("Tensor", name)
    return bool(signatures) and all(each.self_mode == "self" for each in signatures)


def _may_recur(body: hir.Body, e: hir.Expr, uses: dict[hir.Local, list[int]]) -> bool:
    """Whether the local may be used again behind a place, or a loop may come back to it, as far as that shows
    without the flow: `x = f(x)` sets it anew, `return` ends all, and of two branches only one runs."""
    root = root_of(e)
    assert root is not None
    way: dict[int, hir.Expr] = {}
    """The expressions around the place, by id, each with what of it holds the place."""
    child, recurs, end = e, False, len(body.exprs)
    while (at := body.parents[child.id]) >= 0:
        around = body.exprs[at]
        if isinstance(around, hir.Closure) or (isinstance(around, hir.Block) and around.kind == "async"):
            return recurs or uses[root.local][-1] > e.id or _in_loop(body, around, root.local)
        if isinstance(around, hir.Return) or (
            isinstance(around, hir.Assign)
            and isinstance(around.target, hir.LocalRef)
            and around.target.local is root.local
            and child is around.value
            and not _leaves_loop(body, child)
        ):
            end = min(end, around.id)
        elif end == len(body.exprs) and _comes_back(around, root.local):
            recurs = True
        way[at] = child
        child = around
    later = [each for each in uses[root.local] if e.id < each < end]
    return recurs or len(later) > MAX_USES or any(_may_follow(body, each, way) for each in later)


def _leaves_loop(body: hir.Body, e: hir.Expr) -> bool:
    """Whether `break` or `continue` may leave an expression before its value is there."""
    start, end = e.span
    return any(start <= each.span[0] < end for each in (*body.of(hir.Break), *body.of(hir.Continue)))


def _in_loop(body: hir.Body, e: hir.Expr, local: hir.Local) -> bool:
    at = body.parents[e.id]
    while at >= 0:
        if _comes_back(body.exprs[at], local):
            return True
        at = body.parents[at]
    return False


def _comes_back(e: hir.Expr, local: hir.Local) -> bool:
    """Whether it is a loop that a local is declared outside of."""
    return isinstance(e, hir.Loop | hir.While | hir.For) and e.span[0] > local.span[0]


def _may_follow(body: hir.Body, use: int, way: dict[int, hir.Expr]) -> bool:
    """Whether a use is not in another branch than a place that it stands behind."""
    child = body.exprs[use]
    while (at := body.parents[child.id]) not in way:
        if at < 0:
            return True
        child = body.exprs[at]
    around, other = body.exprs[at], way[at]
    if isinstance(around, hir.If):
        return child is around.condition or other is around.condition
    if isinstance(around, hir.Match):
        return not {child.id, other.id} <= {arm.body.id for arm in around.arms}
    return True


def _uses(body: hir.Body) -> dict[hir.Local, list[int]]:
    """The ids of the uses of each local that may hold a tensor, as far as that shows without types, and that is
    used twice or may be in a loop. What only sets it is no use."""
    uses: dict[hir.Local, list[int]] = {}
    set_anew = {e.target.id for e in body.of(hir.Assign)}
    for e in body.of(hir.LocalRef):
        if e.id not in set_anew:
            uses.setdefault(e.local, []).append(e.id)
    loops = bool(body.of(hir.Loop) or body.of(hir.While) or body.of(hir.For))
    again = {local: ids for local, ids in uses.items() if loops or len(ids) > 1}
    if not again:
        return {}
    plain = scalars.plain(body)
    lent = set(_lent(body))
    return {
        local: ids
        for local, ids in again.items()
        if local not in lent and not any(plain[each] for each in ids)
    }


def _lent(body: hir.Body) -> Iterator[hir.Local]:
    """Locals that are visibly references, closures, or what no method gives as a tensor."""
    if body.self_local is not None and _self_mode(body) != "self":
        yield body.self_local
    for pattern, type_ in body.params:
        if isinstance(type_, RefType):
            yield from locals_in(pattern)
    for e in body.of(hir.For):
        if isinstance(e.iterable, hir.Range):
            yield from locals_in(e.pattern)
    for block in body.of(hir.Block):
        for statement in block.statements:
            if not isinstance(statement, hir.Let) or statement.init is None:
                continue
            init = statement.init
            named = isinstance(init, hir.MethodCall) and init.name in _NO_TENSORS
            if named or isinstance(init, hir.Ref | hir.Closure):
                yield from locals_in(statement.pattern)


def _is_declared_other(file: FileView, body: hir.Body, e: hir.Expr) -> bool:
    """Whether a field of `self` is certainly no tensor, by the type that a struct of the file declares for it."""
    impl = body.owner.owner if isinstance(body.owner, Fn) else None
    if not isinstance(impl, Impl) or not isinstance(impl.self_type, PathType):
        return False
    if (
        not (isinstance(e, hir.Field) and isinstance(e.base, hir.LocalRef))
        or e.base.local is not body.self_local
    ):
        return False
    name = str(impl.self_type.path)
    structs = [each for each in file.source.items.items if isinstance(each, Struct) and each.name == name]
    declared = [(each, field.type) for each in structs for field in each.fields if field.name == e.name]
    return bool(declared) and not any(_may_be_tensor(file, each, written) for each, written in declared)


def _may_be_tensor(file: FileView, struct: Struct, written: TypeExpr) -> bool:
    """Whether a type may be a tensor as far as its name tells, which may be another one for it."""
    if not isinstance(written, PathType):
        return not isinstance(written, RefType | TupleType | ArrayType | SliceType | FnType)
    if written.path.qself is not None:
        return True
    names = {segment.name for segment in written.path.segments}
    others = file.analysis.aliases | {param.name for param in struct.generics.params} | {"Tensor", "Self"}
    return not names.isdisjoint(others)


def _self_mode(body: hir.Body) -> str:
    return body.owner.self_mode if isinstance(body.owner, Fn) else ""


def _is_left_alone(file: FileView, fn: Fn, body: hir.Body) -> bool:
    start, end = fn.span
    text = file.source.content[start:end]
    if any(word in text for word in _OPAQUE) or _may_not_return(file, text):
        return True
    return bool(body.of(hir.Unknown)) or any(e.form == "opaque" for e in body.of(hir.Macro))


def _may_not_return(file: FileView, text: bytes) -> bool:
    """Whether a function may call one that never returns: nothing follows that (clean_never_returns.rs)."""
    if not file.package_spells("-> !"):
        return False
    names = file.analysis.diverging
    return names is None or any(re.search(rb"\b%s\b" % name, text) for name in names)


def _is_tensor(file: FileView, body: hir.Body, e: hir.Expr) -> bool:
    """Whether a place holds a tensor by value."""
    root = root_of(e)
    term = file.analysis.types(body).expr(e)
    return root is not None and not root.local.by_ref and isinstance(term, terms.Tensor)


def _moves(file: FileView, body: hir.Body, e: hir.Expr, role: Role | None) -> bool:
    """Whether the holder certainly takes the value: of a method call, whether it takes `self`."""
    assert role is not None
    holder = role.holder
    if role.kind != "receiver":
        return True
    target = file.analysis.values.facts(body).target(holder) if holder is not None else None
    return target is not None and target.key.startswith("Tensor::") and target.self_mode == "self"


def _behind_reference(file: FileView, body: hir.Body, e: hir.Expr) -> bool:
    """Whether a field lies in what its function only borrows."""
    root, found = root_of(e), place_of(e)
    if root is None or found is None or not isinstance(e, hir.Field):
        return False
    return isinstance(file.analysis.types(body).local(root.local), terms.Ref)
