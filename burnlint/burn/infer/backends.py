"""What a backend type says of the mode, up to burn 0.21."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import AUTODIFF, PLAIN, UNKNOWN
from burnlint.rust import types as rt
from burnlint.rust.items import Impl, TypeAlias

if TYPE_CHECKING:
    from burnlint.burn.infer.convert import Converter, Scope

MAX_ALIASES = 16
"""Aliases of aliases followed; more is a cycle."""


def mode_of(converter: Converter, expr: rt.TypeExpr, scope: Scope) -> str:
    """The mode that a backend argument stands for: `autodiff`, `plain`, a generic's name, "" for `_`, or
    `unknown`."""
    if isinstance(expr, rt.InferType):
        return ""
    if not isinstance(expr, rt.PathType):
        return UNKNOWN
    path = expr.path
    last = path.segments[-1].name
    if last == "InnerBackend" and (path.qself is not None or len(path.segments) == 2):
        return PLAIN
    if path.qself is not None:
        return UNKNOWN
    info = scope.generics.get(path.segments[0].name)
    if info is not None:
        return (info.mode or info.name) if len(path.segments) == 1 else UNKNOWN
    if path.segments[0].name == "Self":
        if len(path.segments) == 2 and isinstance(scope.owner, Impl):
            for alias in scope.owner.types:
                if alias.name == last and alias.target is not None:
                    return mode_of(converter, alias.target, converter.scope(scope.owner))
        return UNKNOWN
    heads = converter.resolver.type_heads(path, scope.item)
    if isinstance(heads, str):
        return UNKNOWN
    modes = set()
    for head in heads:
        if isinstance(head, TypeAlias):
            if head.target is None or converter.depth >= MAX_ALIASES:
                return UNKNOWN
            converter.depth += 1
            modes.add(mode_of(converter, head.target, converter.scope(head)))
            converter.depth -= 1
        else:
            modes.add(converter.resolver.backend_mode(head))
    mode = modes.pop() if len(modes) == 1 else UNKNOWN
    # A generic of an alias (`type Ad<B> = Autodiff<B>`) means nothing here.
    return mode if mode in (AUTODIFF, PLAIN) else UNKNOWN
