"""Whether something never happens in a scope: yes, no, or unknown with the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from burnlint.burn.calls import Target
from burnlint.burn.summaries import Calls, calls_in
from burnlint.burn.values import Values
from burnlint.rust import hir
from burnlint.rust.items import Fn, Trait
from burnlint.rust.visit import descendants

What = Callable[[Target], bool]
"""Which functions of burn are meant."""


@dataclass(slots=True, frozen=True)
class Absence:
    """The answer. `absent` is True (it never happens), False (it is there, at `found`), or None: unknown,
    because of `reasons`."""

    absent: bool | None
    found: tuple[hir.Body, hir.Expr] | None = None
    reasons: tuple[str, ...] = ()


def absent(values: Values, what: What, body: hir.Body, inside: hir.Expr | None = None) -> Absence:
    """Whether no call that `what` names is made by a body, or by an expression `inside` of it, or by
    functions that these may run.

    Unknown if the scope holds a call that does not resolve, an unknown macro or broken code. What a function
    of another crate does inside of itself counts only if it is of burn and `what` names it.
    """
    own = (
        values.summaries.calls(body) if inside is None else calls_in(descendants(inside), values.facts(body))
    )
    reasons: dict[str, None] = {}
    seen: dict[Fn, None] = {}
    scopes: list[tuple[hir.Body, Calls]] = [(body, own)]
    while scopes:
        at, calls = scopes.pop()
        for e, target in calls.burn:
            if what(target):
                return Absence(False, (at, e))
        reasons.update((reason, None) for _, reason in calls.unknown)
        for fn in _new(calls, seen):
            if isinstance(fn.owner, Trait):
                reasons[f"the trait method {fn.name}"] = None
                continue
            inner = values.body(fn)
            if inner is None:
                reasons[f"the function {fn.name} without a body"] = None
            else:
                scopes.append((inner, values.summaries.calls(inner)))
    return Absence(None, None, tuple(reasons)) if reasons else Absence(True)


def _new(calls: Calls, seen: dict[Fn, None]) -> Iterable[Fn]:
    for _, fn in calls.local:
        if fn not in seen:
            seen[fn] = None
            yield fn


def names(*keys: str) -> What:
    """The functions of burn with these keys (`Tensor::backward`)."""
    wanted = frozenset(keys)
    return lambda target: target.key in wanted
