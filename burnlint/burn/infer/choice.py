"""Which of several signatures of one name is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from burnlint.burn.infer.templates import Sig, hole
from burnlint.rust.items import Fn


def choose(sigs: Sequence[Sig]) -> Sig | None:
    """One of several that fit: one inherent before those of traits; twins under cfg if they are alike; of
    several impls of a trait with arguments the result, if it is the same for all. None where more must be
    known, such as the kind."""
    first = sigs[0]
    if all(_alike(first, s) for s in sigs[1:]):
        return first
    inherent = [
        s for s in sigs if isinstance(s.origin, Fn) and getattr(s.origin.owner, "trait", None) is None
    ]
    if len(inherent) == 1 and all(isinstance(s.origin, Fn) for s in sigs):
        return inherent[0]
    if all(
        repr(s.result) == repr(first.result) and repr(s.receiver) == repr(first.receiver) for s in sigs[1:]
    ):
        params = tuple(hole("argument of one of several impls") for _ in first.params)
        return replace(first, params=params, bounds=(), open=frozenset())
    return None


def _alike(a: Sig, b: Sig) -> bool:
    return repr((a.params, a.result, a.receiver)) == repr((b.params, b.result, b.receiver))
