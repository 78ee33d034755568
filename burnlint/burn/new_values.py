"""Calls that give a parameter another value: `Param::map`, `from_mapped_value`, `initialized`.

`map` is a name that std has for much else: what cannot be a parameter's by the way it is written is never typed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_OF_STD = frozenset(
    """
    as_deref as_mut as_ref bytes chain chars checked_sub chunks copied drain enumerate extension file_name filter
    filter_map find first flat_map get get_mut into_iter iter iter_mut join keys last lines lock max min next ok or parse
    pop position recv remove rev rfind rsplit skip split split_whitespace strip_prefix strip_suffix take to_str trim values
    windows zip
    """.split()  # noqa: SIM905
)
"""Methods of std's iterators, options, collections and strings that give no parameter."""
_NO_TENSOR = (hir.Literal, hir.Cast, hir.Tuple, hir.StructLit, hir.Macro)


def new_values(file: FileView) -> Iterator[tuple[Expr, list[Expr]]]:
    """In code with autodiff the calls that give a parameter another value, tests aside, each with what this may be;
    empty where that is not in sight."""
    if not file.spells_autodiff:
        return
    for call in file.calls("initialized", "from_mapped_value", "map", tests=False):
        operands = call.operands
        if call.name == "map" and not _may_map_parameter(call.expr, operands):
            continue
        if call.key == "Param::map":
            yield call, operands[1].results
        elif call.key in ("Param::initialized", "Param::from_mapped_value"):
            yield call, [operands[1]]


def _may_map_parameter(call: hir.Expr, operands: list[Expr]) -> bool:
    mapper = operands[1].expr if len(operands) == 2 else None
    if not isinstance(mapper, hir.Closure) or len(mapper.params) != 1 or isinstance(mapper.body, _NO_TENSOR):
        return False
    receiver = call.receiver if isinstance(call, hir.MethodCall) else None
    of_std = isinstance(receiver, hir.MethodCall) and receiver.name in _OF_STD
    return not of_std and not isinstance(receiver, hir.Range)
