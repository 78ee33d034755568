"""Batchers: on which device `Batcher::batch` puts its tensors.

Source: burn-core 0.22.1, src/data/dataloader/batcher.rs: the loader hands its device to each call (from burn 0.18 on).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn.calls import called_name
from burnlint.rust import hir
from burnlint.rust.flow_defs import root_of
from burnlint.rust.items import Fn, Impl

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView


def on_another_device(file: FileView) -> Iterator[Expr]:
    """Of each `batch` that leaves the loader's device unused the first device of its own that it puts a tensor
    on: the default one, or one that the batcher keeps."""
    for fn in file.source.items.functions:
        if fn.name != "batch" or not _is_batcher(file, fn) or fn.in_test or len(fn.params) != 2:
            continue
        body = file.analysis.body(fn)
        if body is None or len(body.params) != 2 or not isinstance(body.params[1][0], hir.Bind | hir.Wild):
            continue
        given = body.params[1][0]
        flow = file.analysis.values.flow(body)
        if isinstance(given, hir.Bind) and flow.uses_of(given.local):
            continue
        for e in body.exprs:
            role = flow.roles[e.id]
            if (
                role is None
                or role.kind != "argument"
                or not isinstance(role.holder, hir.Call | hir.MethodCall)
            ):
                continue
            device = file.expr(file.analysis.values.site(body, e))
            takes = file.expr(file.analysis.values.site(body, role.holder))
            if takes.key.startswith("Tensor::") and device.is_device and _is_own(device):
                yield device
                break


def _is_batcher(file: FileView, fn: Fn) -> bool:
    """Whether a function stands in an impl of burn's trait, which may be imported by another name."""
    owner = fn.owner
    return (
        isinstance(owner, Impl)
        and owner.trait is not None
        and file.analysis.world.resolver.trait_head(owner.trait, owner) == "Batcher"
    )


def _is_own(device: Expr) -> bool:
    """Whether a device is the default one, or a field of the batcher."""
    root = root_of(device.owner.expr)
    if root is not None and root is not device.owner.expr:
        return root.local is device.site.frame.body.self_local
    origin = device.origins().must
    return origin is not None and called_name(origin.expr) == "default"
