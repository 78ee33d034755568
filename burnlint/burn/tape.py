"""What a `backward` walks through: the recorded operations that a tensor is computed by.

A `backward` consumes each recorded operation it walks through (run on 0.22.1:
fixtures/autodiff/backward-twice/proof.rs). Leaves (parameters, `require_grad`) may be shared. What the
output of a module records hangs on whether the module is trained; a module that is visibly trained counts,
and so does what lies above everything that may record, since a `backward` over no record panics by itself
(fixtures/autodiff/backward-on-untracked-model/proof.rs).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import ops, training
from burnlint.burn.calls import operator_method

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Origin, Site
    from burnlint.rust.flow import Definition, Scope

MAX_STEPS = 400
"""Operations that one walk may look at; what lies beyond is not seen."""
MAX_ROUNDS = 2
"""How many rounds of a loop back a walk goes: two show all that a loop repeats."""
MAX_CALLS = 8
"""Functions around a `backward` that are followed."""
PARAMETER = frozenset({"Param::val", "Param::into_value"})


class Key(NamedTuple):
    """An operation as run so many rounds of the loop ago."""

    site: Site
    rounds: int


@dataclass
class Tape:
    """The operations that a tensor is computed by, up to where the record is cut or starts."""

    operations: dict[Key, list[Key]] = field(default_factory=dict)
    """Each operation that records, with those that gave its operands."""
    leaves: set[Key] = field(default_factory=set)
    """Where a record certainly starts: parameters, `require_grad`, outputs of trained modules."""
    modules: list[Expr] = field(default_factory=list)
    """The modules whose outputs take part, as they stand in the calls."""
    sources: list[Origin] = field(default_factory=list)
    """Where values come from that no operation gives: parameters of the function, fields, constants."""
    others: list[Expr] = field(default_factory=list)
    """What else takes part, of which is not known whether it records: parameters of the function, opaque
    calls."""
    carried: list[Site] = field(default_factory=list)
    """The places read that hold a value of an earlier round."""
    possible: set[Site] = field(default_factory=set)
    """Where a record may start: beside the leaves, whatever is not known."""
    strays: dict[Key, set[Site]] = field(default_factory=dict)
    """Of operations, the operands of which is not known in which round they were computed."""
    complete: bool = True
    """Whether everything that takes part is seen."""
    unseen: bool = False
    """Whether something takes part of which not even earlier rounds of a loop show what it is."""
    records: bool = False
    """Whether something on it records: a `backward` runs on it, and does not panic for want of a record."""

    def recorded(self) -> set[Key]:
        """The operations that certainly record: a leaf lies beneath them, or whatever may be one."""
        found = {key for key in self.operations if key in self.leaves} | self._above_all()
        changed = True
        while changed:
            new = {
                key
                for key, operands in self.operations.items()
                if key not in found and any(each in found or each in self.leaves for each in operands)
            }
            found |= new
            changed = bool(new)
        return found

    def _above_all(self) -> set[Key]:
        """The operations above each place where the record may start, if there is one."""
        if not self.records or self.unseen or not self.possible:
            return set()
        above = set()
        for key in self.operations:
            beneath, todo = {key}, [key]
            while todo:
                new = [each for each in self.operations.get(todo.pop(), ()) if each not in beneath]
                beneath.update(new)
                todo += new
            sites = {each.site for each in beneath}.union(*(self.strays.get(each, ()) for each in beneath))
            if self.possible <= sites:
                above.add(key)
        return above

    def shared(self, other: Tape) -> list[Site]:
        """The recorded operations that both are computed by, those of the same round, in source order."""
        both = {key.site for key in self.recorded() if not key.rounds}
        both &= {key.site for key in other.recorded() if not key.rounds}
        return sorted(both, key=lambda site: site.order)

    def repeated(self) -> list[Site]:
        """The recorded operations that were walked through a round of the loop ago and are walked through
        again."""
        found = self.recorded()
        again = {key.site for key in found if key.rounds and Key(key.site, key.rounds - 1) in found}
        return sorted(again, key=lambda site: site.order)


@dataclass(frozen=True)
class Backward:
    """A call that runs `backward`, and the tensor that it starts from."""

    call: Expr
    root: Expr

    def runs_before(self, other: Backward) -> bool | None:
        """Whether it runs before another one of the same function: True on every path there, None on some;
        False never."""
        if self.call.fn is not other.call.fn or self.call.expr is other.call.expr:
            return False
        order = self.call.flow.order
        if not order.before(self.call.expr, other.call.expr):
            return False
        return order.on_every_path_before(self.call.expr, other.call.expr) or None

    @cached_property
    def records_nothing(self) -> bool:
        """Whether nothing is recorded for certain: the first call panics already, for another reason."""
        return self.root.tracking().must("untracked", "plain")

    @cached_property
    def tape(self) -> Tape:
        """The operations that it walks through."""
        return self._walked(tape_of(self.root))

    def _walked(self, tape: Tape) -> Tape:
        tape.records = not self.records_nothing
        return tape

    def passes_through(self, *keys: str) -> Iterator[Expr]:
        """The operations with these keys that it walks through or over, in source order."""
        for key in sorted(self.tape.operations, key=lambda key: key.site.order):
            made = self.root.at(key.site)
            if made.key in keys:
                yield made

    @property
    def carried(self) -> list[tuple[Expr, str]]:
        """Where a place still holds what an earlier round of the loop around it recorded and consumed, with
        the place's name; empty if the call walks through nothing a second time, or that is not known."""
        tape = self._walked(tape_of(self.root, self.call))
        return [(at, at.owner.text) for at in map(self.root.at, tape.carried)] if tape.repeated() else []

    @property
    def made_before_loop(self) -> list[Expr]:
        """The recorded operations that are run once before the loop around the call, and walked through in each
        round of it; empty if there are none, or that is not known."""
        loop = self.call.loop
        if loop is None or not self.call.flow.order.may_follow(self.call.expr, self.call.expr):
            return []
        if self.call.flow.is_conditional(self.call.expr, loop):
            return []
        found = [self.root.at(key.site) for key in self.tape.recorded() if not key.rounds]
        found = [each for each in found if _is_outside(each.site, loop, self.call)]
        return sorted(found, key=lambda each: each.site.order)

    @property
    def again_on_the_same(self) -> Scope | None:
        """The loop that runs it in each round on the same value; None if there is none, or that is not
        known."""
        loop = self.call.loop
        if loop is None or not self.root.fixed_in(loop):
            return None
        return loop if self.call.flow.order.may_follow(self.call.expr, self.call.expr) else None


def _is_outside(site: Site, loop: Scope, call: Expr) -> bool:
    """Whether something runs outside of a loop, itself or the call that runs it."""
    at: Site | None = site
    while at is not None and at.frame is not call.site.frame:
        at = at.frame.call
    return at is not None and all(each is not loop for each in call.flow.order.loops_of(at.expr))


def tape_of(root: Expr, backward: Expr | None = None, *, past_cuts: bool = False) -> Tape:
    """The tape of a tensor. With `backward`, a call in a loop, also what earlier rounds of that loop left in
    it: only where each round that hands a value on runs the `backward` too. With `past_cuts` also what it is
    computed by behind a leaf, `detach`, `inner` and the like: no tape then, but all that takes part."""
    tape = Tape()
    todo: list[tuple[Expr, int, Key | None]] = [(root, 0, None)]
    while todo:
        value, rounds, user = todo.pop()
        origins = value.origins()
        tape.complete = tape.complete and origins.known
        tape.unseen = tape.unseen or not origins.known
        for origin in origins.items:
            crossed = _crossed(root, origin, backward)
            if crossed is None or rounds + crossed > MAX_ROUNDS or len(tape.operations) > MAX_STEPS:
                tape.complete = False
                # What lies further back in the rounds is what nearer ones show.
                tape.unseen = tape.unseen or user is None or len(tape.operations) > MAX_STEPS
                if crossed is None and user is not None and not _is_fresh(value.at(origin), origin):
                    tape.possible.add(origin.site)
                    tape.strays.setdefault(user, set()).add(origin.site)
                continue
            key = Key(origin.site, rounds + crossed)
            tape.carried += [hop.site for hop in origin.hop or () if hop.kind == "carried"]
            if user is not None:
                tape.operations[user].append(key)
            if key not in tape.operations and (past_cuts or key not in tape.leaves):
                entered = _enter(tape, value.at(origin), origin, key, past_cuts)
                todo += [(each, key.rounds, key) for each in entered]
    return tape


def _enter(tape: Tape, made: Expr, origin: Origin, key: Key, past_cuts: bool) -> list[Expr]:
    """Put what gives a value on the tape; the operands to go on with."""
    if origin.kind == "literal":
        return []
    if origin.kind != "operation":
        tape.sources.append(origin)
        tape.others.append(made)
        tape.possible.add(key.site)
        return []
    if made.key in PARAMETER:
        tape.leaves.add(key)
        tape.possible.add(key.site)
        return []
    if is_tensor_operation(made):
        effect = graph_effect(made)
        # What is detached from a leaf is a leaf that requires a gradient again.
        if effect == ops.REQUIRES or (effect == ops.DETACHES and made.tracking().must("leaf", "parameter")):
            tape.leaves.add(key)
            tape.possible.add(key.site)
        if effect != ops.TRACKS and not past_cuts:
            return []
        tape.operations[key] = []
        return [each for each in made.operands if each.is_tensor]
    if is_forward(made):
        module = made.operands[0]
        tape.operations[key] = []
        tape.modules.append(module)
        tape.possible.add(key.site)
        if training.is_trained(module):
            tape.leaves.add(key)
        return [each for each in made.operands[1:] if each.is_tensor]
    tape.others.append(made)
    tape.possible.add(key.site)
    return []


def _is_fresh(made: Expr, origin: Origin) -> bool:
    """Whether a value is a tensor made of none: nothing records it."""
    if origin.kind == "literal":
        return True
    if origin.kind != "operation" or not is_tensor_operation(made) or graph_effect(made) != ops.TRACKS:
        return False
    return not _tensors(made) and made.key not in PARAMETER


def is_tensor_operation(made: Expr) -> bool:
    """Whether an operation is one of burn on tensors: a method, an operator, a function."""
    signature = made.signature
    if signature is not None:
        return signature.owner == "Tensor" or (not signature.owner and bool(_tensors(made)))
    return bool(operator_method(made.expr)) and made.is_tensor


def graph_effect(made: Expr) -> str:
    """What a tensor operation does to the record (`burnlint.burn.ops`)."""
    signature = made.signature
    return ops.graph(signature) if signature is not None else ops.TRACKS


def is_forward(made: Expr) -> bool:
    """Whether an operation is one of a module of burn that gives a tensor."""
    target = made.target
    if target is None or target.signature is None or not made.operands:
        return False
    return made.operands[0].is_module and bool(_tensors(made)) and not made.key.startswith("Module::")


def _tensors(made: Expr) -> list[Expr]:
    return [each for each in made.operands if each.is_tensor]


def _crossed(root: Expr, origin: Origin, backward: Expr | None) -> int | None:
    """How many rounds of the loop of `backward` lie between a value and where it comes from; None if it comes
    out of another loop's round, or out of one in which the `backward` need not have run."""
    count, bound = 0, None
    for hop in origin.hop or ():
        if hop.kind == "carried":
            loop = backward.loop if backward is not None else None
            if backward is None or loop is None or bound is None or hop.site.frame is not root.site.frame:
                return None
            flow = root.flow
            taken = [d for d in flow.reaching(hop.site.expr).carried if d.span == bound.span]
            if not taken or not all(_with(backward, loop, d, hop.site) for d in taken):
                return None
            count += 1
        bound = hop
    return count


def _with(backward: Expr, loop: Scope, d: Definition, use: Site) -> bool:
    """Whether each round of the loop that hands on what a definition gives runs the `backward`."""
    flow = backward.flow
    common = flow.scope(d)
    around = flow.order.loops_of(use.expr)
    while common is not None and common not in around:
        common = common.outer
    if common is not loop or d.expr is None:
        return False
    order = flow.order
    return bool(
        order.on_every_path_before(backward.expr, d.expr) or order.on_every_path_after(d.expr, backward.expr)
    )


def backwards(calls: Iterator[Expr]) -> Iterator[Backward]:
    """Each `backward` with its root, and each call of a function of the package that runs one on what it is
    given, with that argument."""
    pending = [(call, call.operands[0]) for call in calls if call.key == "Tensor::backward"]
    seen = set()
    while pending:
        call, root = pending.pop(0)
        yield Backward(call, root)
        origin = root.origins().must
        if origin is None or origin.kind != "param" or origin.steps or (call.fn, origin.index) in seen:
            continue
        seen.add((call.fn, origin.index))
        at = origin.index + 1 if call.fn.self_mode else origin.index
        if len(seen) <= MAX_CALLS:
            callers = [each for each in call.file.callers(call.fn) if at < len(each.operands)]
            pending += [(each, each.operands[at]) for each in callers]
