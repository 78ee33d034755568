"""The names of the tensors in a file of weights, read off its head: SafeTensors and burnpack.

Source: the SafeTensors format (a little-endian u64 and that many bytes of JSON); burn-pack 0.22.1, src/base.rs
("NRUB", a u16 and a u32 for the size of what follows, then CBOR), whose writer is ciborium: lengths are definite.
"""

from __future__ import annotations

import json
import struct

MAX_HEAD = 1 << 20
"""Bytes of a file that are looked at; one with a larger head is not judged."""

_BURNPACK = b"NRUB"
_MAX_NESTED = 16


def tensor_names(head: bytes) -> frozenset[str] | None:
    """The names of the tensors of a file that starts so; None if it is of another format, or its head is not
    all there."""
    try:
        return _of_burnpack(head) if head.startswith(_BURNPACK) else _of_safetensors(head)
    except (ValueError, IndexError, KeyError, RecursionError, struct.error):
        return None


def _of_safetensors(head: bytes) -> frozenset[str] | None:
    (size,) = struct.unpack_from("<Q", head)
    if size > len(head) - 8:
        return None
    content = json.loads(head[8 : 8 + size])
    return frozenset(content) - {"__metadata__"} if isinstance(content, dict) else None


def _of_burnpack(head: bytes) -> frozenset[str] | None:
    version, size = struct.unpack_from("<HI", head, len(_BURNPACK))
    start = len(_BURNPACK) + 6
    if version != 1 or size > len(head) - start:
        return None
    content = _Cbor(head[start : start + size]).value(0)
    tensors = content["tensors"] if isinstance(content, dict) else None
    return frozenset(map(str, tensors)) if isinstance(tensors, dict) else None


class _Cbor:
    """The part of CBOR that burnpack's index uses. Raises ValueError for anything else."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def value(self, depth: int) -> object:
        if depth > _MAX_NESTED:
            raise ValueError("nested too deep")
        sort, number = self._head()
        if sort in (0, 1):
            return number if sort == 0 else -1 - number
        if sort in (2, 3):
            raw = self._take(number)
            return raw.decode() if sort == 3 else raw
        if sort == 4:
            return [self.value(depth + 1) for _ in range(number)]
        if sort == 5:
            return {str(self.value(depth + 1)): self.value(depth + 1) for _ in range(number)}
        if sort == 7:
            return None  # A bool, null or float, none of which names a tensor.
        raise ValueError("a tag")

    def _head(self) -> tuple[int, int]:
        """The major type of the next value and its number."""
        (first,) = self._take(1)
        sort, short = first >> 5, first & 31
        if short < 24:
            return sort, short
        if short > 27:
            raise ValueError("an indefinite length")
        return sort, int.from_bytes(self._take(1 << (short - 24)), "big")

    def _take(self, count: int) -> bytes:
        found = self._content[self._at : self._at + count]
        if len(found) != count:
            raise ValueError("too short")
        self._at += count
        return found
