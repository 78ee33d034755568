"""Numbers that are spelt with decimal digits."""

from __future__ import annotations

MOST = len(str(2**128 - 1))
"""Digits of the largest integer that Rust has; rustc refuses literals beyond, and Python's `int` those of thousands of
digits."""


def number(text: str) -> int | None:
    """The number that a text of digits is, `_` between them allowed; None for any other text, and for one with more
    digits than an integer of Rust has."""
    digits = text.replace("_", "")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= MOST else None
