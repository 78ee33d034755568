"""Which lines of a project may have run an operation that panicked inside burn: `burnlint why`.

The panic's text has the operation's name and shapes. A call whose operand is known to have another rank, or
another size at some dimension, is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.project import Project
    from burnlint.burn.view import FileView

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "remainder": "%"}
_OTHER_NAMES = {
    "squeeze": ("squeeze_dim", "squeeze_dims", "select_dim"),
    "unsqueeze": ("unsqueeze_dim", "unsqueeze_dims"),
    "notequal": ("not_equal",),
    "cat": ("concat",),
    "range_assign": ("slice_assign",),
}
"""Methods whose checks carry another operation's name (burn-tensor 0.22.1, src/tensor/api/check.rs)."""

Suspect = tuple[str, int, str]
"""Path, line, what is known of the operand there."""


def of_operation(project: Project, name: str, shapes: Sequence[tuple[int, ...]]) -> list[Suspect]:
    """The calls that may have run the operation of a panic's text (`Slice Assign`), those whose operand's rank
    is known to fit before those of which nothing is known, each in order of files and lines.
    """
    method = "_".join(name.lower().split())
    found: list[tuple[bool, str, int, str]] = []
    for file in project.files:
        if file.kind != "rust" or not file.versions or file.skipped is not None:
            continue
        source = project.source(file.path)
        if source is None:
            continue
        view = project.file_view(source)
        for call in _calls(view, method):
            known = _fits(call, shapes)
            if known is not None:
                place = call.name_place
                text = project.text(place.path)
                if text is not None:
                    found.append((not known, place.path, text.line(place.start), _said(call, known)))
    return [(path, line, message) for _, path, line, message in sorted(set(found))]


def _calls(view: FileView, method: str) -> Iterator[Expr]:
    for call in view.calls(method, *_OTHER_NAMES.get(method, ())):
        if call.key.startswith("Tensor::") or (not call.key and call.target is None):
            yield call
    if method in _OPERATORS:
        yield from view.operators(_OPERATORS[method])


def _fits(call: Expr, shapes: Sequence[tuple[int, ...]]) -> bool | None:
    """Whether the operand is known to be of the text's rank; None if it cannot be the one of the text."""
    operands = call.operands
    if not operands:
        return False
    receiver = operands[0]
    if receiver.term is not None and not receiver.is_tensor:
        # `Tensor::cat` takes its tensors in a `Vec`.
        return False if call.key.startswith("Tensor::") else None
    rank, shape = receiver.rank, receiver.shape()
    if not shapes or rank is None:
        return False
    if rank != len(shapes[0]):
        return None
    if shape is not None:
        for known, said in zip(shape, shapes[0], strict=False):
            if isinstance(known, int) and known != said:
                return None
    return True


def _said(call: Expr, known: bool) -> str:
    what = f"`{call.name}`" if call.name else "this operator"
    if not known:
        return f"{what} is the operation of the panic"
    return f"{what} is the operation of the panic, on a tensor of rank {call.operands[0].rank}"
