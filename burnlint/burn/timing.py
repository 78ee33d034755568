"""Timed sections and benchmark closures: what is queued in them, and whether anything waits for the device.

All back ends but Flex and NdArray queue operations: a call returns before its result is there. A read of the
result waits, and so does `sync` (burn-cubecl 0.22.1, src/backend.rs; burn-fusion 0.22.1, src/client.rs); a
`flush` does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from burnlint.burn import ops, roles, terms
from burnlint.burn.calls import Target, TypeFacts, operator_method
from burnlint.rust import hir
from burnlint.rust.items import Fn, Trait
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Values
    from burnlint.burn.view import FileView

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
_HARMLESS = frozenset({"black_box", "drop"})
"""Functions of std that are not in the tables of types."""
_HARMLESS_METHODS = frozenset(
    {"as_str", "err", "expect", "is_err", "is_ok", "len", "ok", "to_string", "unwrap"}
)
"""Methods that std's types have, of a receiver that is nothing of burn or the program."""
_QUEUES = frozenset({"Tensor::backward", "GradientsParams::from_grads", "GradientsParams::new"})
_NEUTRAL_OWNERS = frozenset(
    """
    Duration Instant Iter Option Result String Vec slice str bool char f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize HashMap
    BTreeMap HashSet VecDeque Range Rc Arc Box Path PathBuf
    """.split()  # noqa: SIM905
)
"""Types of std, whose methods know of no device."""


_KNOWN: WeakKeyDictionary[Values, dict[Fn, Work]] = WeakKeyDictionary()
"""What functions were found to do."""


@dataclass
class Work:
    """What a piece of code does to the device."""

    queued: list[hir.Expr]
    """The calls and operators in it that queue operations, or run functions that do."""
    waits: bool | None = False
    """Whether something in it waits for the device. None: not known."""
    entered: frozenset[Fn] = frozenset()
    """The functions that were looked into for it."""
    height: int = 0
    """How many of them are within each other."""
    cut: bool = False
    """Whether a function was left out, as it is being looked at or lies too deep."""

    def add(self, waits: bool | None) -> None:
        if waits is not False and self.waits is not True:
            self.waits = waits


def queued_before(call: Expr) -> list[Expr]:
    """The calls and operators before a call, in its round of the loops around it, that queue operations which nothing
    certainly waits for in between; empty where something may wait."""
    order, body = call.flow.order, call.site.frame.body
    values = call.file.analysis.values
    before = [e for e in body.exprs if order.before(e, call.expr)]
    found = work_in(values, body, before).queued
    if not found:
        return []
    later = [e for e in before if order.before(found[-1], e)]
    return [call.inside(e) for e in found] if work_in(values, body, later).waits is False else []


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
            if operator_method(e) and isinstance(terms.peel_refs(facts.term(e)), terms.Tensor):
                work.queued.append(e)
        elif isinstance(e, hir.Call | hir.MethodCall):
            queues, waits = _of_call(values, body, e, seen, work)
            work.add(waits)
            if queues:
                work.queued.append(e)
    return work


def _of_call(
    values: Values, body: hir.Body, e: hir.Call | hir.MethodCall, seen: frozenset[Fn], work: Work
) -> tuple[bool, bool | None]:
    """Whether a call queues operations, and whether it waits."""
    facts = values.facts(body)
    target = facts.target(e)
    if target is None:
        # A model that a tool has written is often out of sight. What it computes of a tensor is queued like any other.
        if isinstance(e, hir.MethodCall) and e.name == "forward" and _is_given_a_tensor(facts, e):
            return True, False
        if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and e.callee.path.name == "sync":
            return False, True
        receiver = facts.term(e.receiver) if isinstance(e, hir.MethodCall) else None
        return False, None if _may_be_anything(e, receiver) else False
    if target.made is not None:
        return False, False
    if target.fn is not None:
        return _of_function(values, target.fn, seen, work)
    return _of_burn(target)


def _of_function(values: Values, fn: Fn, seen: frozenset[Fn], work: Work) -> tuple[bool, bool | None]:
    known = _KNOWN.setdefault(values, {})
    inner = known.get(fn)
    # The answer does not hang on what was asked before: only what would be looked at again as it was is taken over.
    if inner is None or len(seen) + inner.height >= MAX_DEPTH or not inner.entered.isdisjoint(seen):
        if fn in seen or len(seen) >= MAX_DEPTH:
            work.cut = True
            return False, None
        body = None if isinstance(fn.owner, Trait) else values.body(fn)
        if body is None:
            return False, None
        inner = work_in(values, body, body.exprs, seen | {fn})
        inner.entered |= {fn}
        if not inner.cut:
            known[fn] = inner
    work.cut = work.cut or inner.cut
    work.entered |= inner.entered
    work.height = max(work.height, inner.height + 1)
    return bool(inner.queued), inner.waits


def _of_burn(target: Target) -> tuple[bool, bool | None]:
    signature = target.signature
    if signature is None:
        return False, False
    owner, name = signature.owner, signature.name
    if not signature.crate:
        # Of std, which knows of no device.
        return False, False
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
    if name in ("clone", "default"):
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


def _is_given_a_tensor(facts: TypeFacts, e: hir.MethodCall) -> bool:
    return any(_holds_tensor(facts.term(each)) for arg in e.args for each in descendants(arg))


def _may_be_anything(e: hir.Call | hir.MethodCall, receiver: terms.Term | None) -> bool:
    """Whether a call that is not resolved may run what waits for a device."""
    if isinstance(e, hir.Call):
        name = e.callee.path.name if isinstance(e.callee, hir.PathExpr) else ""
        return not name[:1].isupper() and name not in _HARMLESS
    receiver = terms.peel_refs(receiver)
    if e.name == "clone" or (
        e.name in _HARMLESS_METHODS
        and not isinstance(receiver, terms.Tensor | terms.Declared | terms.Generic)
    ):
        return bool(e.args)
    if isinstance(receiver, terms.Named):
        return receiver.name not in _NEUTRAL_OWNERS
    return not isinstance(receiver, terms.Array | terms.Slice | terms.Tuple)


def _holds_tensor(term: terms.Term | None) -> bool:
    term = terms.peel_refs(term)
    if isinstance(term, terms.Named) and term.args:
        return any(map(_holds_tensor, term.args))
    return isinstance(term, terms.Tensor)


@dataclass(frozen=True)
class Section:
    """A stretch of code that is timed: from `Instant::now()` to where the time is taken, or a benchmark's closure."""

    start: Expr
    """Where the time starts; of a benchmark the closure."""
    end: Expr
    """Where the time is taken; of a benchmark the call that runs the closure."""
    inside: list[hir.Expr]
    work: Work

    @property
    def queued(self) -> list[Expr]:
        """The calls and operators that queue operations."""
        return [self.end.inside(e) for e in self.work.queued]

    @property
    def only_queues(self) -> bool:
        """Whether it queues work and certainly does not wait for it."""
        return bool(self.work.queued) and self.work.waits is False

    @property
    def waits(self) -> bool:
        """Whether something in it certainly waits for the device."""
        return self.work.waits is True

    @property
    def first_run(self) -> Expr | None:
        """A pass through a model in it, in no loop within it, that its function has not run before; None if there is
        none."""
        order = self.end.flow.order
        for call in self.queued:
            if call.name.startswith("forward") and call.loop is self.start.loop:
                others = self.end.file.calls(call.name)
                if not any(
                    o.site.frame is call.site.frame and order.before(o.expr, self.start.expr) for o in others
                ):
                    return call
        return None

    def thrown_away(self) -> Iterator[Expr]:
        """The element-wise results in it that are dropped at once, before a `sync` that follows in it: a fusing back
        end computes none of them."""
        order = self.end.flow.order
        syncs = [
            e
            for e in self.inside
            if isinstance(e, hir.Call | hir.MethodCall) and self.end.inside(e).key in _WAITS
        ]
        for e in self.inside:
            value = self.end.inside(e)
            if not isinstance(value.term, terms.Tensor) or not _is_thrown_away(value):
                continue
            if any(order.before(e, sync) for sync in syncs) and _is_elementwise(value):
                yield value


def sections(file: FileView) -> Iterator[Section]:
    """The timed sections of a file within one function each, outside of tests."""
    for taken in file.calls("elapsed", "duration_since", tests=False):
        if not taken.operands or _is_compared(taken):
            continue
        if taken.name == "elapsed":
            start, end = taken.operands[0].operation, taken
        elif (later := taken.operands[0].operation) is not None:
            start, end = taken.operands[-1].operation, later
        else:
            continue
        if start is None or start.name != "now" or start.site.frame is not taken.site.frame or start is end:
            continue
        if not _is_eager(taken):
            order = taken.flow.order
            exprs = taken.site.frame.body.exprs
            inside = [e for e in exprs if order.before(start.expr, e) and order.before(e, end.expr)]
            yield _section(start, end, inside)


def benchmarks(file: FileView) -> Iterator[Section]:
    """The closures that a benchmark of criterion, divan or `test::Bencher` runs again and again."""
    if _BENCH.search(file.source.content) is None:
        return
    for run in file.calls(*_RUNS):
        e = run.expr
        if not isinstance(e, hir.MethodCall) or len(e.args) <= _RUNS[e.name]:
            continue
        closure = e.args[_RUNS[e.name]]
        if isinstance(closure, hir.Closure) and not _is_eager(run):
            yield _section(run.inside(closure), run, list(descendants(closure.body)))


def _section(start: Expr, end: Expr, inside: list[hir.Expr]) -> Section:
    return Section(start, end, inside, work_in(end.file.analysis.values, end.site.frame.body, inside))


_BENCH = re.compile(rb"\b(?:criterion|divan|test::Bencher|test::bench)\b")
_RUNS = {
    "iter": 0,
    "iter_with_large_drop": 0,
    "iter_batched": 1,
    "iter_batched_ref": 1,
    "bench": 0,
    "bench_local": 0,
    "bench_values": 0,
    "bench_refs": 0,
    "bench_local_values": 0,
    "bench_local_refs": 0,
}
"""Methods that run a closure again and again, with the closure's place among the arguments (criterion 0.5, divan 0.1)."""
_LEFT = frozenset({"checked_sub", "saturating_sub"})
_QUEUED = re.compile(r"queu|dispatch|submi|schedul|issu")
_EAGER = re.compile(rb"\bNdArray|\bndarray\b|\bflex\b|\bFlex\b")
_QUEUEING = re.compile(
    rb"\b(?:Wgpu|WgpuDevice|Cuda|CudaDevice|CudaJit|Rocm|RocmDevice|Hip|Vulkan|Metal|WebGpu|LibTorch|LibTorchDevice|Candle)\b"
)


def _is_eager(place: Expr) -> bool:
    """Whether the function around a place spells a back end that computes at once, or its file does and spells no
    other, as with `type B = NdArray;`."""
    content = place.source.content
    if _EAGER.search(content) is None:
        return False
    return _QUEUEING.search(content) is None or _EAGER.search(content, *place.fn.span) is not None


def _is_compared(taken: Expr) -> bool:
    """Whether the time is only compared with a limit, or with the time of the last message, or taken from one that
    is left; also where it is bound to a name, or the name says that the work is only queued."""
    if _is_limited(taken):
        return True
    made = taken.flow.sink(taken.expr).role.statement
    if not isinstance(made, hir.Let) or made.init is not taken.expr or not isinstance(made.pattern, hir.Bind):
        return False
    uses = [taken.inside(e) for e in taken.flow.uses_of(made.pattern.local)]
    return _QUEUED.search(made.pattern.local.name) is not None or (bool(uses) and all(map(_is_limited, uses)))


def _is_limited(time: Expr) -> bool:
    child = time.expr
    for each in time.around:
        if isinstance(each.expr, hir.MethodCall):
            if each.name in _LEFT and child in each.expr.args:
                return True
            child = each.expr
            continue
        return isinstance(each.expr, hir.Binary) and each.expr.op in ("<", ">", "<=", ">=")
    return False


def _is_thrown_away(value: Expr) -> bool:
    """Whether a value is dropped at the end of its statement, also out of `black_box`."""
    if value.dropped is not None:
        return True
    around = next(value.around, None)
    while around is not None and isinstance(around.expr, hir.Ref):
        around = next(around.around, None)
    return around is not None and around.name == "black_box" and around.dropped is not None


def _is_elementwise(value: Expr) -> bool:
    """Whether a value is computed by element-wise operations only, in its own expression."""
    found = False
    for e in descendants(value.expr):
        each = value.inside(e)
        if isinstance(e, hir.Binary | hir.Unary):
            found = found or bool(operator_method(e))
        elif isinstance(e, hir.Call | hir.MethodCall):
            signature = each.signature
            if signature is not None and ops.elements(signature) == ops.EACH:
                found = True
            elif each.name != "clone":
                return False
    return found
