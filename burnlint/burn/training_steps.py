"""What a training step waits for: values that are read back from the device in each round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.view import Expr, FileView

_READS = (
    "into_scalar",
    "try_into_scalar",
    "into_data",
    "try_into_data",
    "to_data",
    "try_to_data",
    "into_data_as",
    "to_data_as",
)


def readbacks(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The reads of a tensor by the host in every round of the loop that steps an optimizer, with that step."""
    for read in file.calls(*_READS):
        loop = read.loop
        if (
            loop is None
            or read.in_test
            or read.key != f"Tensor::{read.name}"
            or _is_conditional(read, loop.expr)
        ):
            continue
        for step in file.calls("step", "step_multi"):
            if step.fn is read.fn and step.loop is loop and step.stepped_module is not None:
                yield read, step
                break


def _is_conditional(call: Expr, loop: hir.Expr) -> bool:
    """Whether only some rounds of a loop evaluate a call, or the loop goes by what it gives."""
    body = call.site.frame.body
    at = call.expr
    while at is not loop:
        parent = body.parents[at.id]
        if parent < 0 or isinstance(body.exprs[parent], hir.If | hir.Match):
            return True
        at = body.exprs[parent]
    return False


def unseeded_tests(file: FileView) -> Iterator[Expr]:
    """The first draw of random numbers of each test that compares tensors up to a tolerance, in files that seed
    nothing."""
    if file.source.spells("seed("):
        return
    seen = set()
    compares = {call.fn for call in file.calls("assert_approx_eq")}
    for call in file.calls("random"):
        if call.key == "Tensor::random" and call.in_test and call.fn in compares and call.fn not in seen:
            seen.add(call.fn)
            yield call
