"""Timed sections and benchmark closures: what is queued in them, and whether anything waits for the device.

All back ends but Flex and NdArray queue operations: a call returns before its result is there. A read of the
result waits, and so does `sync` (burn-cubecl 0.22.1, src/backend.rs; burn-fusion 0.22.1, src/client.rs); a
`flush` does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import ops, roles, terms
from burnlint.burn.calls import Target, operator_method
from burnlint.rust import hir
from burnlint.rust.items import Fn, Trait
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.values import Values
    from burnlint.burn.view import Expr, FileView

MAX_DEPTH = 8
"""Functions within functions that are looked into."""

_HOST = frozenset(
    {"dims", "shape", "device", "dtype", "num_dims", "is_require_grad", "is_tracked", "is_autodiff"}
)
"""Methods of a tensor that ask for nothing that the device computes."""
_READS_FIRST = frozenset(
    """
    all_close argsort argsort_descending argtopk argwhere is_close mask_select median median_with_indices nonzero one_hot
    one_hot_fill sort sort_descending sort_descending_with_indices sort_with_indices topk topk_with_indices
    """.split()  # noqa: SIM905
)
"""Operations that some back ends, or their checks, read a tensor for (burn-backend 0.22.1, src/backend/ops; burn-tensor
0.22.1, src/tensor/api): whether they wait is not known."""
_WAITS = frozenset({"Device::sync", "Backend::sync", "Device::profile", "Device::profile_with"})
_QUEUES = frozenset({"Tensor::backward", "GradientsParams::from_grads", "GradientsParams::new"})
_NEUTRAL_OWNERS = frozenset(
    """
    Duration Instant Iter Option Result String Vec slice str bool char f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize HashMap
    BTreeMap HashSet VecDeque Range Rc Arc Box Path PathBuf
    """.split()  # noqa: SIM905
)
"""Owners of std's functions, none of which knows of a device."""


@dataclass
class Work:
    """What a piece of code does to the device."""

    queued: list[hir.Expr]
    """The calls and operators in it that queue operations, or run functions that do."""
    waits: bool | None = False
    """Whether something in it waits for the device. None: not known."""

    def add(self, waits: bool | None) -> None:
        if waits is not False and self.waits is not True:
            self.waits = waits


def work_in(
    values: Values, body: hir.Body, exprs: Iterable[hir.Expr], seen: frozenset[Fn] = frozenset()
) -> Work:
    """What some expressions of a body do to the device."""
    work = Work([])
    facts = values.facts(body)
    for e in exprs:
        if isinstance(e, hir.Macro):
            # Showing a tensor reads it.
            if e.form == "opaque":
                work.add(None)
            elif any(_holds_tensor(facts.term(arg)) for arg in e.args) and e.path.name != "vec":
                work.add(True)
        elif isinstance(e, hir.Await) or (isinstance(e, hir.Unknown) and e.why != "cfg alternatives"):
            work.add(None)
        elif isinstance(e, hir.Binary | hir.Unary | hir.AssignOp):
            if operator_method(e) and isinstance(_plain(facts.term(e)), terms.Tensor):
                work.queued.append(e)
        elif isinstance(e, hir.Call | hir.MethodCall):
            queues, waits = _of_call(values, body, e, seen)
            work.add(waits)
            if queues:
                work.queued.append(e)
    return work


def _of_call(
    values: Values, body: hir.Body, e: hir.Call | hir.MethodCall, seen: frozenset[Fn]
) -> tuple[bool, bool | None]:
    """Whether a call queues operations, and whether it waits."""
    facts = values.facts(body)
    target = facts.target(e)
    if target is None:
        return False, None if _may_be_anything(
            e, facts.term(e.receiver) if isinstance(e, hir.MethodCall) else None
        ) else False
    if target.made is not None:
        return False, False
    if target.fn is not None:
        return _of_function(values, target.fn, seen)
    return _of_burn(target)


def _of_function(values: Values, fn: Fn, seen: frozenset[Fn]) -> tuple[bool, bool | None]:
    body = None if isinstance(fn.owner, Trait) or fn in seen or len(seen) >= MAX_DEPTH else values.body(fn)
    if body is None:
        return False, None
    inner = work_in(values, body, body.exprs, seen | {fn})
    return bool(inner.queued), inner.waits


def _of_burn(target: Target) -> tuple[bool, bool | None]:
    signature = target.signature
    if signature is None:
        return False, False
    owner, name = signature.owner, signature.name
    if target.key in _WAITS:
        return False, True
    if target.key in _QUEUES:
        return True, False
    if owner == "Tensor":
        if name in _READS_FIRST:
            return True, None
        if ops.elements(signature) == ops.HOST:
            return False, name not in _HOST
        return True, False
    if owner in _NEUTRAL_OWNERS or name in ("clone", "default"):
        return False, False
    if name.startswith("forward") or (
        not owner and any(isinstance(p.term, terms.Tensor) for p in signature.params)
    ):
        return True, False
    if name in ("step", "step_multi") and roles.stepped_module(target, [None] * 4) is not None:
        return True, False
    if name == "init" and owner.endswith("Config"):
        return False, False
    if owner == "Device" and name != "memory_cleanup":
        return False, False
    return False, None


def _may_be_anything(e: hir.Call | hir.MethodCall, receiver: terms.Term | None) -> bool:
    """Whether a call that is not resolved may run what waits for a device."""
    if isinstance(e, hir.Call):
        return not (isinstance(e.callee, hir.PathExpr) and e.callee.path.name[:1].isupper())
    receiver = _plain(receiver)
    if e.name == "clone" and not e.args:
        return False
    if isinstance(receiver, terms.Named):
        return receiver.name not in _NEUTRAL_OWNERS
    return not isinstance(receiver, terms.Array | terms.Slice | terms.Tuple)


def _plain(term: terms.Term | None) -> terms.Term | None:
    while isinstance(term, terms.Ref):
        term = term.target
    return term


def _holds_tensor(term: terms.Term | None) -> bool:
    term = _plain(term)
    if isinstance(term, terms.Named) and term.args:
        return any(map(_holds_tensor, term.args))
    return isinstance(term, terms.Tensor)


@dataclass(frozen=True)
class Section:
    """A timed section: from `Instant::now()` to where the time is taken."""

    start: Expr
    end: Expr
    queued: list[Expr]
    waits: bool | None


def sections(file: FileView) -> Iterator[Section]:
    """The timed sections of a file within one function each, outside of tests."""
    for taken in file.calls("elapsed", "duration_since"):
        if taken.in_test or not taken.operands or _is_compared(taken):
            continue
        if taken.name == "elapsed":
            start, end = taken.operands[0].operation, taken
        else:
            start, end = taken.operands[-1].operation, taken.operands[0].operation or taken
        if start is None or start.name != "now" or start.site.frame is not taken.site.frame or start is end:
            continue
        order = taken.flow.order
        body = taken.site.frame.body
        between = [e for e in body.exprs if order.before(start.expr, e) and order.before(e, end.expr)]
        if len(taken.operands) > 1 and end is taken:
            continue
        work = work_in(taken.file.analysis.values, body, between)
        yield Section(start, end, [taken.inside(e) for e in work.queued], work.waits)


def _is_compared(taken: Expr) -> bool:
    """Whether the time is only compared with a limit, or with the time of the last message."""
    for each in taken.around:
        if isinstance(each.expr, hir.MethodCall):
            continue
        return isinstance(each.expr, hir.Binary) and each.expr.op in ("<", ">", "<=", ">=")
    return False


def work_of(closure: Expr) -> Work:
    """What a closure that is written here does to the device."""
    assert isinstance(closure.expr, hir.Closure)
    values = closure.file.analysis.values
    return work_in(values, closure.site.frame.body, descendants(closure.expr.body))
