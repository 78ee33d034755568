"""When and how often a closure runs, as far as the call that takes it tells: once at most, many times, now
or later."""

from __future__ import annotations

from burnlint.rust import hir
from burnlint.rust.flow_roles import Role

LAZY = frozenset(
    {
        "map",
        "filter",
        "filter_map",
        "flat_map",
        "inspect",
        "take_while",
        "skip_while",
        "map_while",
        "scan",
        "map_with",
        "map_init",
        "flat_map_iter",
        "chunk_by",
    }
)
"""Adaptors that keep the closure until something consumes the result (for an iterator; `Option::map` runs it
at once)."""

ITERATES = frozenset(
    {
        "for_each",
        "try_for_each",
        "fold",
        "try_fold",
        "reduce",
        "all",
        "any",
        "position",
        "find",
        "find_map",
        "partition",
        "max_by",
        "max_by_key",
        "min_by",
        "min_by_key",
        "retain",
        "retain_mut",
        "sort_by",
        "sort_by_key",
        "sort_unstable_by",
        "sort_unstable_by_key",
        "sort_by_cached_key",
        "dedup_by",
        "dedup_by_key",
        "for_each_with",
    }
)
"""Methods that run the closure once for each element before they return."""

AT_ONCE = frozenset(
    {
        "map_or",
        "map_or_else",
        "unwrap_or_else",
        "and_then",
        "or_else",
        "is_some_and",
        "is_ok_and",
        "is_none_or",
        "ok_or_else",
        "map_err",
        "then",
        "get_or_insert_with",
        "or_insert_with",
        "or_insert_with_key",
        "and_modify",
        "take_if",
    }
)
"""Methods that run the closure at most once before they return."""

CONSUMERS = ITERATES | frozenset(
    {
        "collect",
        "sum",
        "product",
        "count",
        "last",
        "max",
        "min",
        "nth",
        "next",
        "next_back",
        "unzip",
        "collect_vec",
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_default",
    }
)
SOURCES = frozenset(
    {
        "iter",
        "iter_mut",
        "into_iter",
        "par_iter",
        "par_iter_mut",
        "into_par_iter",
        "par_bridge",
        "chars",
        "bytes",
        "lines",
        "split",
        "windows",
        "chunks",
        "chunks_exact",
        "drain",
        "keys",
        "values",
        "values_mut",
        "enumerate",
        "zip",
        "rev",
        "chain",
        "cycle",
        "skip",
        "take",
        "step_by",
        "peekable",
        "cloned",
        "copied",
        "flatten",
    }
)
"""Methods that only iterators have, or that make one."""


def runs(closure: hir.Closure, roles: list[Role | None]) -> tuple[bool | None, bool]:
    """How a closure runs: whether more than once (None: not known), and whether it is done when the
    expression around it is done."""
    role = roles[closure.id]
    if role is None or role.kind != "argument" or not isinstance(role.holder, hir.MethodCall):
        return None, False
    call = role.holder
    if call.name in ITERATES:
        return True, True
    if call.name in AT_ONCE:
        return False, True
    if call.name not in LAZY:
        return None, False
    repeats = _iterates(call) if call.name in ("map", "filter", "inspect") else True
    return repeats, _consumed(call, roles)


def _iterates(call: hir.MethodCall) -> bool | None:
    """Whether the receiver is visibly an iterator."""
    at: hir.Expr = call.receiver
    while isinstance(at, hir.MethodCall):
        if at.name in SOURCES or (at.name in LAZY and at.name not in ("map", "filter", "inspect")):
            return True
        at = at.receiver
    return True if isinstance(at, hir.Range) else None


def _consumed(call: hir.MethodCall, roles: list[Role | None]) -> bool:
    """Whether the chain of adaptors that starts with `call` is consumed within the same chain."""
    at: hir.Expr = call
    while True:
        role = roles[at.id]
        if role is None or role.kind != "receiver" or not isinstance(role.holder, hir.MethodCall):
            return False
        at = role.holder
        if at.name in CONSUMERS:
            return True
        if at.name not in LAZY and at.name not in SOURCES:
            return False
