"""The file that holds burn's API facts: a line per item, "KEY<TAB>JSON", in order of the keys' bytes.

Lines are found by bisection and decoded one by one, so that neither the size of the file nor what a run does
not ask for costs much. `tools/api/merge.py` writes the file and says what the keys are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data" / "api.txt"


@lru_cache(maxsize=1)
def _data() -> bytes:
    return DATA.read_bytes()


def _place(key: bytes) -> int:
    """Where the first line starts whose key is not below `key`; the lines are in order of their keys."""
    data = _data()
    low, high = 0, len(data)
    while low < high:
        start = data.rfind(b"\n", low, (low + high) // 2) + 1 or low
        if data[start : data.index(b"\t", start)] < key:
            low = data.index(b"\n", start) + 1
        else:
            high = start
    return low


def line(key: str) -> Any:
    """The decoded JSON of the line "KEY<TAB>JSON"; None without one."""
    data, wanted = _data(), key.encode() + b"\t"
    start = _place(wanted[:-1])
    if not data.startswith(wanted, start):
        return None
    return json.loads(data[start + len(wanted) : data.index(b"\n", start)])


def lines(prefix: str) -> Iterator[tuple[str, Any]]:
    """The rest of the key and the decoded JSON of every line whose key begins with a prefix."""
    data, wanted = _data(), prefix.encode()
    start = _place(wanted)
    while data.startswith(wanted, start):
        end = data.index(b"\n", start)
        key, _, text = data[start:end].partition(b"\t")
        yield key[len(wanted) :].decode(), json.loads(text)
        start = end + 1


@lru_cache(maxsize=1)
def header() -> Any:
    return line("V")
