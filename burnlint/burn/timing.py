"""Timed sections and benchmark closures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import ops, queueing, synced
from burnlint.burn.calls import called_name, operator_method
from burnlint.burn.queueing import Work
from burnlint.burn.summaries import calls_in
from burnlint.lint.finding import Edit
from burnlint.rust import hir
from burnlint.rust.items import Fn, Trait
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView


@dataclass(frozen=True)
class Section:
    """A stretch of code that is timed: from `Instant::now()` to where the time is taken, or a benchmark's closure."""

    start: Expr
    """Where the time starts; of a benchmark the closure."""
    end: Expr
    """Where the time is taken; of a benchmark the call that runs the closure."""
    inside: list[hir.Expr]

    @cached_property
    def work(self) -> Work:
        """What it does to the device, with what it runs of the workspace."""
        return queueing.work_in(self.end.file.analysis.values, self.end.site.frame.body, self.inside)

    @property
    def queued(self) -> list[Expr]:
        """The calls and operators that queue operations."""
        return [self.end.inside(e) for e in self.work.queued]

    @property
    def only_queues(self) -> bool:
        """Whether it queues work and certainly does not wait for it."""
        # Most wait early on, and what else they run need not be looked into.
        if queueing.may_wait(self.end.file.analysis.values, self.end.site.frame.body, self.inside):
            return False
        return bool(self.work.queued) and self.work.waits is False

    @property
    def waits(self) -> bool:
        """Whether something in it certainly waits for the device."""
        return self.work.waits is True

    @property
    def synced(self) -> list[Edit | None]:
        """Edits that make it wait for its device: before it starts and before the time is taken, of a benchmark before
        its closure ends; [None] where what to write is not certain."""
        return synced.closure_edits(self) if isinstance(self.start.expr, hir.Closure) else synced.edits(self)

    @property
    def first_run(self) -> Expr | None:
        """The first pass through a model in it, by itself or by a function that it calls, in no loop within, if its
        function has not run one before; None if there is none."""
        for call in self.queued:
            if call.loop is self.start.loop and (call.name.startswith("forward") or _runs_a_pass(call)):
                return None if self._may_have_passed else call
        return None

    @property
    def _may_have_passed(self) -> bool:
        """Whether its function may run a pass through a model before it starts."""
        order, body = self.end.flow.order, self.end.site.frame.body
        before = [e for e in body.exprs if order.before(e, self.start.expr)]
        if any(called_name(e).startswith("forward") for e in before):
            return True
        values = self.end.file.analysis.values
        for _, fn in calls_in(before, values.facts(body)).local:
            reached, is_all = values.summaries.reachable(fn)
            bodies = [inner for each in reached if (inner := values.body(each)) is not None]
            if not is_all or any(
                called_name(e).startswith("forward") for inner in bodies for e in inner.exprs
            ):
                return True
        return False

    def thrown_away(self) -> Iterator[Expr]:
        """The element-wise results in it that are dropped at once, before a `sync` that follows in it: a fusing back
        end computes none of them."""
        order = self.end.flow.order
        syncs = [
            e for e in self.inside if isinstance(e, hir.Call | hir.MethodCall) and _waits(self.end.inside(e))
        ]
        for e in self.inside:
            value = self.end.inside(e)
            if not value.is_tensor or not _is_thrown_away(value):
                continue
            if any(order.before(e, sync) for sync in syncs) and _is_elementwise(value):
                yield value


def _runs_a_pass(call: Expr, seen: set[Fn] | None = None) -> bool:
    """Whether a call runs a function that on every path passes something through a model, in no loop. `seen` are those
    that were found not to."""
    fn = call.target.fn if call.target is not None else None
    seen = set() if seen is None else seen
    if fn is None or fn in seen or isinstance(fn.owner, Trait):
        return False
    seen.add(fn)
    values = call.file.analysis.values
    body = values.body(fn)
    if body is None:
        return False
    calls = (call.file.expr(values.site(body, e)) for e in body.exprs if called_name(e))
    certain = (each for each in calls if each.loop is None and not each.may_be_left_out)
    return any(each.name.startswith("forward") or _runs_a_pass(each, seen) for each in certain)


def _waits(call: Expr) -> bool:
    """Whether a call waits for the device; up to burn 0.21 it is the backend that does (`B::sync(&device)`)."""
    return call.key in queueing.WAITS or call.asks_device == "sync"


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
            yield Section(start, end, inside)


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
            yield Section(run.inside(closure), run, list(descendants(closure.body)))


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
MAX_BINDINGS = 4
"""Names that a time is followed through."""
_QUEUED = re.compile(r"queu|dispatch|submi|schedul|issu")
_EAGER = re.compile(rb"\bNdArray|\bndarray\b|\bflex\b|\bFlex\b")
_QUEUEING = re.compile(
    rb"\b(?:Wgpu|WgpuDevice|Cuda|CudaDevice|CudaJit|Rocm|RocmDevice|Hip|Vulkan|Metal|WebGpu|LibTorch|LibTorchDevice|Candle)\b"
    rb"|\bDevice::(?:wgpu|cuda|rocm|vulkan|metal|webgpu|libtorch\w*)\("
)


def _is_eager(place: Expr) -> bool:
    """Whether the function around a place spells a back end that computes at once, or its file does and spells no
    other, as with `type B = NdArray;`."""
    source = place.source
    if not source.holds(_EAGER):
        return False
    return not source.holds(_QUEUEING) or source.holds(_EAGER, place.fn.span)


def _is_compared(taken: Expr, bindings: int = MAX_BINDINGS) -> bool:
    """Whether the time is only compared with a limit, or with the time of the last message, or taken from one that
    is left; also where what is computed from it is bound to a name, or the name says that the work is only
    queued."""
    if _is_limited(taken):
        return True
    made = _binding(taken)
    if made is None or not isinstance(made.pattern, hir.Bind) or not bindings:
        return False
    uses = [taken.inside(e) for e in taken.flow.uses_of(made.pattern.local)]
    if _QUEUED.search(made.pattern.local.name) is not None:
        return True
    return bool(uses) and all(_is_compared(use, bindings - 1) for use in uses)


def _binding(value: Expr) -> hir.Let | None:
    """The innermost `let` whose right side holds an expression."""
    start, end = value.expr.span
    around = [
        let
        for block in value.site.frame.body.of(hir.Block)
        for let in block.statements
        if isinstance(let, hir.Let) and let.init is not None
        if let.init.span[0] <= start and end <= let.init.span[1]
    ]
    return min(around, key=lambda let: let.span[1] - let.span[0], default=None)


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
