"""What code queues on a device, and whether anything in it waits for the device.

All back ends but Flex and NdArray queue operations: a call returns before its result is there. A read of the
result waits, and so does `sync` (burn-cubecl 0.22.1, src/backend.rs; burn-fusion 0.22.1, src/client.rs); a
`flush` does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from burnlint.burn import ops, roles, terms
from burnlint.burn.calls import Target, TypeFacts, operator_method
from burnlint.rust import hir
from burnlint.rust.items import Fn, Item, Trait
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Values

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
WAITS = frozenset({"Device::sync", "Backend::sync", "Device::profile", "Device::profile_with"})
"""Calls that return after all that was queued has run."""
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
_STEPS: WeakKeyDictionary[Values, dict[Item, list[_Step]]] = WeakKeyDictionary()


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
    wanted = {e.id for e in exprs}
    for step in _steps(values, body):
        if step.expr.id not in wanted:
            continue
        if step.closure is not None:
            inner = work_in(values, body, descendants(step.closure.body), seen)
            queues, waits = bool(inner.queued), inner.waits
        elif step.runs is not None:
            queues, waits = _of_function(values, step.runs, seen, work)
        else:
            queues, waits = step.queues, step.waits
        work.add(waits)
        if queues:
            work.queued.append(step.expr)
    return work


def may_wait(
    values: Values,
    body: hir.Body,
    exprs: Iterable[hir.Expr],
    seen: frozenset[Fn] = frozenset(),
    never: set[Fn] | None = None,
) -> bool:
    """Whether some expressions of a body may wait for the device, in what they run too: what `work_in` says of it,
    from no more functions than that takes. `never` are those that were found not to."""
    wanted = {e.id for e in exprs}
    never = set() if never is None else never
    steps = [step for step in _steps(values, body) if step.expr.id in wanted]
    if any(step.waits is not False for step in steps):
        return True
    for step in steps:
        if step.closure is not None:
            if may_wait(values, body, descendants(step.closure.body), seen, never):
                return True
        elif (fn := step.runs) is not None and fn not in never:
            looked_into = fn not in seen and len(seen) < MAX_DEPTH and not isinstance(fn.owner, Trait)
            inner = values.body(fn) if looked_into else None
            if inner is None or may_wait(values, inner, inner.exprs, seen | {fn}, never):
                return True
            never.add(fn)
    return False


@dataclass(slots=True)
class _Step:
    """An expression that matters to the device."""

    expr: hir.Expr
    queues: bool = False
    waits: bool | None = False
    runs: Fn | None = None
    """The function of the workspace that decides the two above."""
    closure: hir.Closure | None = None
    """The closure of the body that does."""

    @property
    def matters(self) -> bool:
        return self.queues or self.waits is not False or self.runs is not None or self.closure is not None


def _steps(values: Values, body: hir.Body) -> list[_Step]:
    """What matters to the device in a body; found once, as a body is looked at again wherever it is called from."""
    known = _STEPS.setdefault(values, {})
    found = known.get(body.owner)
    if found is None:
        facts = values.facts(body)
        steps = (_of_closure(values, body, e) or _step(facts, e) for e in body.exprs)
        found = known[body.owner] = [step for step in steps if step is not None and step.matters]
    return found


def _step(facts: TypeFacts, e: hir.Expr) -> _Step | None:
    if isinstance(e, hir.Call | hir.MethodCall):
        return _of_call(facts, e)
    if isinstance(e, hir.Macro):
        # Showing a tensor reads it.
        if e.form == "opaque":
            return _Step(e, waits=None)
        shows = any(_holds_tensor(facts.term(arg)) for arg in e.args) and e.path.name != "vec"
        return _Step(e, waits=shows)
    if isinstance(e, hir.Await) or (isinstance(e, hir.Unknown) and e.why != "cfg alternatives"):
        return _Step(e, waits=None)
    if isinstance(e, hir.Binary | hir.Unary | hir.AssignOp) and operator_method(e):
        return _Step(e, queues=isinstance(terms.peel_refs(facts.term(e)), terms.Tensor))
    return None


def _of_call(facts: TypeFacts, e: hir.Call | hir.MethodCall) -> _Step:
    """Whether a call queues operations, and whether it waits."""
    target = facts.target(e)
    if target is None:
        # A model that a tool has written is often out of sight. What it computes of a tensor is queued like any other.
        if isinstance(e, hir.MethodCall) and e.name == "forward" and _is_given_a_tensor(facts, e):
            return _Step(e, queues=True)
        if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and e.callee.path.name == "sync":
            return _Step(e, waits=True)
        receiver = facts.term(e.receiver) if isinstance(e, hir.MethodCall) else None
        return _Step(e, waits=None if _may_be_anything(e, receiver) else False)
    if target.made is not None:
        return _Step(e)
    if target.fn is not None:
        return _Step(e, runs=target.fn)
    return _Step(e, *_of_burn(target))


def _of_closure(values: Values, body: hir.Body, e: hir.Expr) -> _Step | None:
    """The call of a closure that a `let` of the body binds its name to; None for anything else."""
    if not isinstance(e, hir.Call) or not isinstance(e.callee, hir.LocalRef):
        return None
    made = values.flow(body).only_definition(e.callee.local)
    value = made.value if made is not None and made.kind == "let" and not made.steps else None
    return _Step(e, closure=value) if isinstance(value, hir.Closure) else None


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
    if target.key in WAITS:
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
