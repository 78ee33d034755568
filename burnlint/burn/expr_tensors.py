"""Questions about tensors: rank, kind, dtype, shape, reduction, signs, and the numbers that meet them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from burnlint.burn import numbers, terms
from burnlint.burn.expr_results import ResultQuestions
from burnlint.burn.shapes import Size, Sizes, Span
from burnlint.burn.values import Reduction
from burnlint.burn.values_batch import may_be_one
from burnlint.burn.values_dtype import dtype
from burnlint.burn.values_sign import negative
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr


# Source: burn-tensor 0.22.1, src/tensor/api/base.rs: the data as it is stored.
_DATA_READS = frozenset(
    f"Tensor::{name}"
    for name in ("to_data", "into_data", "try_to_data", "try_into_data", "to_data_async", "into_data_async")
)
_COMPARES = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SLICES = frozenset({"Tensor::slice", "Tensor::slice_assign", "Tensor::slice_fill"})


class TensorQuestions(ResultQuestions):
    """Questions about tensors: rank, kind, dtype, shape, reduction, signs, and the numbers that meet them."""

    def reduction(self) -> Reduction:
        """How far a tensor has been reduced on its way."""
        return self.file.analysis.values.reduction(self.site)

    def shape(self) -> Sizes | None:
        """The shape of a tensor as far as it is visible: for each dimension an int, a `Symbol` (a size
        without a number in sight; the same symbol is the same size), or None. None for all of it if the rank
        is not known."""
        return self.file.analysis.values.shape(self.site)

    def number(self) -> int | None:
        """The integer that a host expression is on every path; None if it is not in sight."""
        found = self.file.analysis.values.number(self.site)
        return found if isinstance(found, int) else None

    def spans(self) -> list[Span | None] | None:
        """The entries of what a `slice` is given, one for each dimension (None: not understood); None if it
        is not written out."""
        return self.file.analysis.values.spans(self.site)

    @property
    def may_be_one_row(self) -> bool:
        """Whether the first dimension of a tensor has visibly been made one on some path. False is no claim
        that there are more."""
        return may_be_one(self.file.analysis.values, self.site)

    def slice_entries(self) -> Iterator[tuple[int, Span]]:
        """Of a `slice`, `slice_dim`, `slice_fill` or `slice_assign` the dimensions and what is taken of them,
        as far as it is written out."""
        one = self.key == "Tensor::slice_dim"
        operands = self.operands if one or self.key in _SLICES else []
        found = operands[-1 if one else 1].spans() if len(operands) > 1 else None
        first = operands[1].number() if one else 0
        for n, span in enumerate(found or ()):
            rank = operands[0].rank
            if span is not None and first is not None and (first >= 0 or rank is not None):
                yield first + n if first >= 0 else first + (rank or 0), span

    @property
    def windows(self) -> list[tuple[str, str]]:
        """Of a `slice` the windows among its ranges (`i..i + w`), each with where it starts and how long it is, as
        written. One element is no window."""
        arg = self.operands[-1].expr if self.key in _SLICES | {"Tensor::slice_dim"} else None
        ranges = (
            arg.args if isinstance(arg, hir.Macro) else arg.items if isinstance(arg, hir.Array) else [arg]
        )
        found = []
        for each in ranges:
            if isinstance(each, hir.Range) and each.low is not None and isinstance(each.high, hir.Binary):
                low, high = self.inside(each.low), self.inside(each.high.left)
                width = self.inside(each.high.right)
                if each.high.op == "+" and low.text == high.text and width.number() is None:
                    found.append((low.text, width.text))
        return found

    @property
    def squeeze_may_take_more(self) -> bool:
        """Of a `squeeze()` whether the dimensions that are known to be 1 are those that its result is short
        of, and another one may be 1 as well: nothing in the function compares it with anything."""
        shape, rank = self.operands[0].shape(), self.rank
        if shape is None or rank is None or len(shape) - rank != shape.count(1):
            return False
        unknown = [size for size in shape if not isinstance(size, int)]
        return bool(unknown) and not any(
            size is not None and self._is_compared_size(size) for size in unknown
        )

    def _is_compared_size(self, size: Size) -> bool:
        """Whether the function around it compares a size with anything: `assert!(width > 1)`."""
        values = self.file.analysis.values
        return any(
            values.number(self.inside(side).site) == size
            for e in self.site.frame.body.of(hir.Binary)
            if e.op in _COMPARES
            for side in (e.left, e.right)
        )

    def named_squeeze(self, dims: list[int]) -> str:
        """A call that drops these dimensions only, with the rank that it gives as far as it is known."""
        turbofish = f"::<{self.rank}>" if self.rank is not None else ""
        if len(dims) == 1:
            return f"squeeze_dim{turbofish}({dims[0]})"
        return f"squeeze_dims{turbofish}(&[{', '.join(map(str, dims))}])"

    @property
    def element_rank(self) -> int | None:
        """Of a `Vec` or array of tensors their rank; None where it is not known."""
        term = self.term
        element = term.element if isinstance(term, terms.Array | terms.Slice) else None
        if isinstance(term, terms.Named) and term.name == "Vec" and term.args:
            element = term.args[0]
        rank = element.rank if isinstance(element, terms.Tensor) else None
        return rank.value if isinstance(rank, terms.Const) and isinstance(rank.value, int) else None

    def dtype(self) -> str:
        """The dtype of a tensor where it is spelt out on every path (`F64`), "default" for that of the device, or ""."""
        return dtype(self.file.analysis.values, self.site)

    @property
    def read_from(self) -> Expr | None:
        """Of host data the tensor that it was read from, with its elements as they are stored; None if that is not
        known, or something may have changed or converted it."""
        read = self.source_call
        return read.operands[0] if read is not None and read.key in _DATA_READS else None

    @property
    def element_type(self) -> str:
        """Of a `Vec` or slice, also in a `Result`, the name of its elements' type (`i64`); empty where it is not
        known."""
        term = self.term
        if isinstance(term, terms.Named) and term.name == "Result" and term.args:
            term = term.args[0]
        term = terms.peel_refs(term)
        if isinstance(term, terms.Named) and term.name == "Vec" and term.args:
            term = term.args[0]
        elif isinstance(term, terms.Slice):
            term = term.element
        else:
            return ""
        return term.name if isinstance(term, terms.Named) else ""

    def negative(self) -> str:
        """Whether elements of a tensor can be negative: "never", "unknown", "difference" (of what nothing
        orders in sight), or "shown" (a negative number is written down, or a sign is turned)."""
        return negative(self.file.analysis.values, self.site)

    @property
    def is_without_rest(self) -> bool:
        """Whether a remainder has been taken off a tensor: `a - a % d`."""
        operation = self.operation
        if operation is None or len(operation.operands) != 2:
            return False
        taken = operation.operands[1].operation
        return taken is not None and taken.is_remainder

    def same_number(self, other: Expr) -> bool:
        """Whether two host expressions are known to be the same number."""
        values = self.file.analysis.values
        one = values.number(self.site)
        return self.same_as(other) is True or (one is not None and one == values.number(other.site))

    @property
    def truth(self) -> bool | None:
        """The `bool` that a host expression is on every path, spelt out here or where it is bound. None: not known."""
        origin = self.origins().must
        if origin is None or origin.kind != "literal" or not isinstance(origin.expr, hir.Literal):
            return None
        return {"true": True, "false": False}.get(origin.expr.text)

    @property
    def written_number(self) -> Decimal | None:
        """The number that is spelt out here, without a sign; None where it is something else."""
        e = self.expr
        if not isinstance(e, hir.Literal) or e.kind not in ("int", "float"):
            return None
        text = e.text.removesuffix(e.suffix).replace("_", "")
        return Decimal(text) if re.fullmatch(r"\d+\.?\d*(?:[eE][+-]?\d+)?", text) else None

    @property
    def is_tensor(self) -> bool:
        """Whether its type is known to be a tensor."""
        return isinstance(self.term, terms.Tensor)

    @property
    def rank(self) -> int | None:
        """The rank of a tensor; None if it is no tensor or its rank is not known."""
        term = self.term
        rank = term.rank if isinstance(term, terms.Tensor) else None
        return rank.value if isinstance(rank, terms.Const) and isinstance(rank.value, int) else None

    @property
    def kind(self) -> str | None:
        """ "Float", "Int" or "Bool" of a tensor; None if it is no tensor or its kind is not known."""
        term = self.term
        kind = term.kind if isinstance(term, terms.Tensor) else None
        return kind.name if isinstance(kind, terms.Named) else None

    @property
    def spelt_number(self) -> float | None:
        """The number that a host expression is on every path, spelt out here or where it is bound. None: not
        known, or converted to another type on the way."""
        return numbers.spelt(self.site, self.file.analysis.values)

    def written_numbers(self) -> list[float]:
        """Numbers that are spelt out and are elements of a tensor: as its data, its filling, or under a mask."""
        return numbers.written(self.site, self.file.analysis.values)

    def rank_at_least(self, rank: int) -> bool:
        """Whether it is known to be a tensor of that rank or a higher one."""
        term = self.term
        return (
            isinstance(term, terms.Tensor)
            and isinstance(term.rank, terms.Const)
            and isinstance(term.rank.value, int)
            and term.rank.value >= rank
        )

    @property
    def is_division(self) -> bool:
        """Whether it is `x / y`."""
        return self.operator == "/"

    @property
    def is_remainder(self) -> bool:
        """Whether it is the remainder of a division of tensors."""
        return self.operator == "%" or self.key in ("Tensor::remainder", "Tensor::remainder_scalar")

    @property
    def is_product(self) -> bool:
        """Whether it is the product of two tensors, element by element."""
        both = len(self.operands) == 2 and all(each.rank_at_least(1) for each in self.operands)
        return (self.operator == "*" or self.key == "Tensor::mul") and both

    @property
    def divides(self) -> bool:
        """Whether it is `x / y` or `x % y`."""
        return self.operator in ("/", "%")

    @property
    def test_behind(self) -> tuple[Expr | None, bool]:
        """Of a mask the operation that it is, behind `!` and `bool_not()`, None where that is not in sight; with
        whether it is negated."""
        operation, negated = self.operation, False
        while operation is not None and operation.negates is not None:
            operation, negated = operation.negates.operation, not negated
        return operation, negated

    @property
    def negates(self) -> Expr | None:
        """Of `!x` and `x.bool_not()` the `x`; None for anything else."""
        operator = isinstance(self.expr, hir.Unary) and self.expr.op == "!"
        return self.operands[0] if operator or self.key == "Tensor::bool_not" else None

    @property
    def is_constant(self) -> bool:
        """Whether the value depends on no data: a number that is spelt out, a constant, a tensor filled with
        one (`zeros_like`, `full`)."""
        return all(case.state in ("constant", "literal") for case in self.reduction().cases)
