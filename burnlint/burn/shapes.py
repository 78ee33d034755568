"""Sizes of tensors and how operations change them: arithmetic on shapes, without code in sight.

A size is an int, a `Symbol` (a number that is not known, but is one and the same wherever the symbol stands),
or None. The operations follow burn-tensor 0.22.1, src/tensor/api/{base,numeric,orderable}.rs, and burn-std
0.22.1, src/tensor/slice.rs; each gives None where the rank of the result is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(slots=True, frozen=True)
class Symbol:
    """A number that is not known: `key` says which, `offset` what is added to it."""

    key: object
    offset: int = 0


Size: TypeAlias = int | Symbol | None
Sizes: TypeAlias = tuple[Size, ...]


@dataclass(slots=True, frozen=True)
class Span:
    """One entry of a slice: `low..high` (None: an end that is not known), or an index, which keeps a size of 1."""

    low: Size = 0
    high: Size = None
    open: bool = False
    """Whether there is no upper end."""
    index: bool = False
    step: int = 1

    def width(self, size: Size) -> Size:
        """How many elements it takes of a dimension; both ends are clamped to it."""
        if self.index:
            return 1 if not isinstance(size, int) or _clamped(self.low, size) != size else 0
        if self.step != 1:
            return None
        if isinstance(size, int):
            low = _clamped(self.low, size)
            high = size if self.open else _clamped(self.high, size)
            return max(high - low, 0) if low is not None and high is not None else None
        if self.open:
            return size if self.low == 0 else 1 if self.low == -1 else None
        width = minus(self.high, self.low)
        # A dimension that is not known may cut a longer window.
        return width if width == 1 and not _wraps(self.low, self.high) else 0 if self.empty else None

    def beyond(self, size: int) -> bool:
        """Whether it names elements that a dimension of that size does not have."""
        if isinstance(self.low, int) and not -size <= self.low < max(size, 1):
            return True
        return isinstance(self.high, int) and not self.open and not -size <= self.high <= size

    @property
    def may_be_beyond(self) -> bool:
        """Whether there are sizes of which it names elements that are not there."""
        return any(isinstance(end, int) and end != 0 for end in (self.low, None if self.open else self.high))

    @property
    def empty(self) -> bool:
        """Whether it takes nothing of any dimension."""
        if self.index or self.open or _wraps(self.low, self.high):
            return False
        width = minus(self.high, self.low)
        return isinstance(width, int) and width <= 0


def _wraps(low: Size, high: Size) -> bool:
    """Whether just one end counts from the back, so that the width depends on the dimension."""
    return isinstance(low, int) and isinstance(high, int) and (low < 0) != (high < 0)


def _clamped(at: Size, size: int) -> int | None:
    if not isinstance(at, int):
        return None
    return min(max(at + size if at < 0 else at, 0), size)


def plus(a: Size, b: Size) -> Size:
    """The sum."""
    if isinstance(a, Symbol) and isinstance(b, int):
        return replace(a, offset=a.offset + b)
    if isinstance(a, int) and isinstance(b, Symbol):
        return plus(b, a)
    return a + b if isinstance(a, int) and isinstance(b, int) else None


def minus(a: Size, b: Size) -> Size:
    """The difference."""
    if isinstance(a, Symbol) and isinstance(b, Symbol):
        return a.offset - b.offset if a.key == b.key else None
    return plus(a, -b) if isinstance(b, int) else None


def times(a: Size, b: Size) -> Size:
    """The product."""
    if a == 1 or b == 0:
        return b
    if b == 1 or a == 0:
        return a
    return a * b if isinstance(a, int) and isinstance(b, int) else None


def product(sizes: Sequence[Size]) -> Size:
    """The number of elements."""
    total: Size = 1
    for size in sizes:
        total = times(total, size)
    return total


def joined(a: Sizes, b: Sizes) -> Sizes | None:
    """What holds of both."""
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True)) if len(a) == len(b) else None


def broadcast(shapes: Sequence[Sizes]) -> Sizes | None:
    """The shape of operands of one rank that meet element by element: a size of 1 stretches.

    Sizes that cannot meet are None.
    """
    if not shapes or len({len(shape) for shape in shapes}) != 1:
        return None
    return tuple(_meet(sizes) for sizes in zip(*shapes, strict=True))


def _meet(sizes: Sequence[Size]) -> Size:
    others = {size for size in sizes if size != 1}
    if len(others) <= 1:
        return next(iter(others), 1)
    numbers = {size for size in others if isinstance(size, int)}
    return next(iter(numbers)) if len(numbers) == 1 else None


def axis(dim: Size, rank: int) -> int | None:
    """The index of a dimension, which may count from the back; None if it is not known or out of range."""
    if not isinstance(dim, int):
        return None
    dim = dim + rank if dim < 0 else dim
    return dim if 0 <= dim < rank else None


def with_size(shape: Sizes, dim: Size, size: Size) -> Sizes:
    """The shape with one dimension set; if it is not known which, all that may be set are unknown."""
    at = axis(dim, len(shape))
    if at is None:
        return tuple(each if each == size else None for each in shape)
    return (*shape[:at], size, *shape[at + 1 :])


def without(shape: Sizes, dim: Size) -> Sizes:
    """The shape without a dimension."""
    at = axis(dim, len(shape))
    return (None,) * (len(shape) - 1) if at is None else (*shape[:at], *shape[at + 1 :])


def inserted(shape: Sizes, dim: Size, size: Size = 1) -> Sizes:
    """The shape with a dimension put in."""
    at = axis(dim, len(shape) + 1)
    return (None,) * (len(shape) + 1) if at is None else (*shape[:at], size, *shape[at:])


def reshaped(shape: Sizes | None, wanted: Sizes) -> Sizes:
    """`reshape`: -1 stands for what is left over, 0 keeps the dimension of that place."""
    out = [
        (shape[n] if shape is not None and n < len(shape) else None) if size == 0 else size
        for n, size in enumerate(wanted)
    ]
    if -1 in out:
        at = out.index(-1)
        out[at] = None
        total, rest = product(shape) if shape is not None else None, product([*out[:at], *out[at + 1 :]])
        if isinstance(total, int) and isinstance(rest, int) and rest > 0:
            out[at] = total // rest if total % rest == 0 else None
        elif rest == 1:
            out[at] = total
    return tuple(size if not isinstance(size, int) or size >= 0 else None for size in out)


def flattened(shape: Sizes, start: Size, end: Size) -> Sizes | None:
    """`flatten`: the dimensions from start to end (included) become one."""
    low, high = axis(start, len(shape)), axis(end, len(shape))
    if low is None or high is None or high < low:
        return None
    return (*shape[:low], product(shape[low : high + 1]), *shape[high + 1 :])


def squeezed(shape: Sizes, rank: int | None) -> Sizes | None:
    """`squeeze` of all dimensions of size 1, if as many are known to be 1 as the result has fewer."""
    kept = tuple(size for size in shape if size != 1)
    if rank is None:
        return kept if all(isinstance(size, int) for size in shape) and kept else None
    return kept if len(kept) == rank else (None,) * rank


def unsqueezed(shape: Sizes, dims: Sequence[Size], rank: int | None) -> Sizes | None:
    """`unsqueeze_dims`."""
    total = len(shape) + len(dims) if rank is None else rank
    places = {axis(dim, total) for dim in dims}
    if None in places or len(places) != total - len(shape):
        return (None,) * total
    rest = iter(shape)
    return tuple(1 if n in places else next(rest) for n in range(total))


def swapped(shape: Sizes, a: Size, b: Size) -> Sizes:
    """`swap_dims`."""
    one, other = axis(a, len(shape)), axis(b, len(shape))
    if one is None or other is None:
        return (None,) * len(shape)
    out = list(shape)
    out[one], out[other] = out[other], out[one]
    return tuple(out)


def permuted(shape: Sizes, axes: Sizes) -> Sizes:
    """`permute`."""
    places = [axis(each, len(shape)) for each in axes]
    if len(places) != len(shape) or None in places:
        return (None,) * len(shape)
    return tuple(shape[at] for at in places if at is not None)


def common(shapes: Sequence[Sizes]) -> Sizes | None:
    """What is known of shapes that are the same."""
    if not shapes or len({len(shape) for shape in shapes}) != 1:
        return None
    return tuple(_same(sizes) for sizes in zip(*shapes, strict=True))


def concatenated(shapes: Sequence[Sizes], dim: Size) -> Sizes | None:
    """`cat`: the sizes along the dimension add up, the others are the same for all."""
    same = common(shapes)
    at = axis(dim, len(same)) if same is not None else None
    if same is None or at is None:
        return None if same is None else (None,) * len(same)
    total: Size = 0
    for shape in shapes:
        total = plus(total, shape[at])
    return with_size(same, at, total)


def _same(sizes: Sequence[Size]) -> Size:
    numbers = {size for size in sizes if isinstance(size, int)}
    known = {size for size in sizes if size is not None}
    return (
        next(iter(numbers))
        if len(numbers) == 1
        else next(iter(known))
        if len(known) == 1 and not numbers
        else None
    )


def matmul(a: Sizes, b: Sizes) -> Sizes | None:
    """`matmul`: [.., m, k] with [.., k, n]."""
    if len(a) != len(b) or len(a) < 2:
        return None
    batch = broadcast([a[:-2], b[:-2]]) if len(a) > 2 else ()
    return None if batch is None else (*batch, a[-2], b[-1])


def sliced(shape: Sizes, spans: Sequence[Span | None]) -> Sizes:
    """`slice`: the rank stays, dimensions that are not named stay whole. An entry of None is not known."""
    return tuple(
        size if n >= len(spans) else None if (span := spans[n]) is None else span.width(size)
        for n, size in enumerate(shape)
    )


def expanded(shape: Sizes, wanted: Sizes) -> Sizes:
    """`expand`: -1 keeps a dimension; new dimensions come first."""
    lead = len(wanted) - len(shape)
    return tuple(
        (shape[n - lead] if n >= lead else None)
        if size == -1
        else size
        if isinstance(size, Symbol | int)
        else None
        for n, size in enumerate(wanted)
    )


def reduced(shape: Sizes, dims: Sequence[Size]) -> Sizes:
    """A reduction that keeps the dimensions with size 1."""
    for dim in dims:
        shape = with_size(shape, dim, 1)
    return shape
