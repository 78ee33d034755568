"""What autodiff knows of a tensor: a leaf, recorded, cut off, or not on autodiff at all, by the operations it
is derived by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from burnlint.burn import ops
from burnlint.burn.calls import Target, operator_method
from burnlint.burn.terms import Tensor
from burnlint.burn.values_fold import Fold, Step
from burnlint.burn.values_origins import Origin
from burnlint.burn.values_site import Site, World, term_of
from burnlint.rust import flow_defs, hir

MAX_CASES = 16


class Track(NamedTuple):
    """What a tensor may be. `state`:

    - "parameter": the value of a `Param`, a leaf that requires a gradient wherever the parameter trains;
    - "leaf": made to require a gradient by `cause` (`require_grad`);
    - "tracked": computed from the parameter or leaf `cause`; no leaf itself;
    - "untracked": no gradient passes (`detach` of a computed value, indices, comparisons, constants), but
    perhaps on autodiff;
    - "plain": taken off autodiff by `cause` (`inner`);
    - "given": what `cause` gives (a parameter of the function, the output of a module), of which nothing is
    known;
    - "unknown".
    """

    state: str
    cause: Site | None


@dataclass(slots=True, frozen=True)
class Tracking:
    """All cases of a value: several where paths differ."""

    cases: frozenset[Track]

    def must(self, *states: str) -> bool:
        """Whether on every path it is one of the states."""
        return {case.state for case in self.cases} <= set(states)

    def may(self, *states: str) -> bool:
        """Whether on some path it is one of the states."""
        return any(case.state in states for case in self.cases)

    def causes(self, *states: str) -> list[Site]:
        """The causes of the cases of these states, in source order."""
        found = {case.cause for case in self.cases if case.state in states and case.cause is not None}
        return sorted(found, key=lambda site: site.order)


def _one(state: str, cause: Site | None = None) -> Tracking:
    return Tracking(frozenset({Track(state, cause)}))


UNKNOWN = _one("unknown")
UNTRACKED = _one("untracked")
_RANK = {"untracked": 0, "plain": 1, "given": 2, "unknown": 3, "leaf": 4, "parameter": 5, "tracked": 6}


def tracking(world: World, site: Site) -> Tracking:
    """What autodiff knows of a tensor.

    Source: proofs run on burn 0.22.1 and 0.21.0: `val()` is a leaf, and so is `val().detach()`; what is
    computed from a leaf is tracked; `detach()` of that is untracked.
    """
    fold: Fold[Tracking] = Fold(
        world,
        operands=lambda origin, target: _operands(world, origin, target),
        step=lambda step: _step(world, step),
        leaf=lambda origin: _leaf(world, origin),
        join=_join,
        unknown=UNKNOWN,
    )
    return fold.of(site)


def _join(a: Tracking, b: Tracking) -> Tracking:
    cases = a.cases | b.cases
    return Tracking(cases) if len(cases) <= MAX_CASES else UNKNOWN


def _is_tensor_operation(world: World, origin: Origin, target: Target | None) -> bool:
    if target is not None and target.signature is not None:
        return target.signature.owner == "Tensor" or ops.elements(target.signature) == ops.EACH
    return bool(operator_method(origin.expr)) and isinstance(term_of(world, origin.site), Tensor)


def _operands(world: World, origin: Origin, target: Target | None) -> list[Site]:
    if not _is_tensor_operation(world, origin, target):
        return []
    operands = [Site(e, origin.site.frame) for e in world.facts(origin.site.frame.body).operands(origin.expr)]
    return [s for n, s in enumerate(operands) if n == 0 or isinstance(term_of(world, s), Tensor)]


def _leaf(world: World, origin: Origin) -> Tracking:
    if origin.kind == "literal":
        return UNTRACKED
    if origin.kind == "closure_param" and _maps_parameter(world, origin.site):
        return _one("parameter", origin.site)
    return _one("given", origin.site) if origin.kind in ("param", "closure_param") else UNKNOWN


def _maps_parameter(world: World, closure: Site) -> bool:
    """Whether a closure is what `Param::map` runs on the value."""
    role = world.flow(closure.frame.body).roles[closure.expr.id]
    if role is None or role.holder is None:
        return False
    target = world.facts(closure.frame.body).target(role.holder)
    return target is not None and target.key == "Param::map"


def _step(world: World, step: Step[Tracking]) -> Tracking:
    origin, target = step.origin, step.target
    taken = (
        target is not None
        and target.key == "Param::consume"
        and origin.steps[:1] == (flow_defs.Step("field", "1"),)
    )
    if taken or (target is not None and target.key in ("Param::val", "Param::into_value")):
        return _one("parameter", origin.site)
    if not _is_tensor_operation(world, origin, target):
        return _one("given", origin.site)
    effect = (
        ops.graph(target.signature) if target is not None and target.signature is not None else ops.TRACKS
    )
    if effect == ops.CUTS:
        return UNTRACKED
    if effect == ops.LEAVES:
        return _one("plain", origin.site)
    if effect == ops.REQUIRES:
        return _required(step)
    facts = [fact for fact in step.facts if fact is not None]
    if not facts:
        return UNKNOWN
    if effect == ops.DETACHES:
        return Tracking(frozenset(_detached(case) for case in facts[0].cases))
    cases = facts[0].cases
    for fact in facts[1:]:
        cases = frozenset(_stronger(a, b) for a in cases for b in fact.cases)
        if len(cases) > MAX_CASES:
            return UNKNOWN
    name = target.signature.name if target is not None and target.signature is not None else ""
    return Tracking(frozenset(_derived(case, name) for case in cases))


def _required(step: Step[Tracking]) -> Tracking:
    e = step.origin.expr
    args = e.args if isinstance(e, hir.Call | hir.MethodCall) else []
    flag = (
        args[-1]
        if args and step.target is not None and step.target.key.endswith("set_require_grad")
        else None
    )
    if flag is None:
        return _one("leaf", step.origin.site)
    if isinstance(flag, hir.Literal) and flag.kind == "bool":
        return _one("leaf", step.origin.site) if flag.text == "true" else UNTRACKED
    return UNKNOWN


def _detached(case: Track) -> Track:
    """A leaf that is detached is a leaf again; of what is given it is not known whether it is one."""
    if case.state == "tracked":
        return Track("untracked", None)
    return case if case.state != "given" else Track("unknown", None)


def _derived(case: Track, name: str) -> Track:
    """The result of an operation on what decides of its operands."""
    if name == "autodiff":
        return Track("untracked", None) if case.state == "plain" else case
    if case.state not in ("leaf", "parameter"):
        return case
    # A cast to the type that the tensor has already gives the leaf itself.
    return Track("unknown", None) if name == "cast" else Track("tracked", case.cause)


def _stronger(a: Track, b: Track) -> Track:
    """What decides of two operands: one that records makes the result record."""
    return max(a, b, key=_strength)


def _strength(case: Track) -> tuple[object, ...]:
    return _RANK[case.state], case.cause.order if case.cause is not None else ()
