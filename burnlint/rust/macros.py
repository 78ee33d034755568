"""What is known of macros: how their arguments read, whether they are borrowed, whether the call returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MacroForm:
    """How the arguments of a macro read.

    `form` is one of those of `hir.Macro`, or "array" (`vec![a, b]`, `vec![a; n]`). `before` counts the
    arguments before the format string, which a macro of form "format" may lack.
    """

    form: str
    borrows: bool = False
    diverges: bool = False
    before: int = 0


MacroTable = Mapping[str, MacroForm]
"""Forms by the last segment of the macro's path."""

_FORMAT = MacroForm("format", borrows=True)
_PANIC = MacroForm("format", borrows=True, diverges=True)
_ASSERT = MacroForm("format", borrows=True, before=1)
_COMPARE = MacroForm("format", borrows=True, before=2)
_BORROWED = MacroForm("exprs", borrows=True)
_MOVED = MacroForm("exprs")
_NONE = MacroForm("none", borrows=True)
_ARRAY = MacroForm("array")

MACROS: MacroTable = {
    # std
    **dict.fromkeys(("print", "println", "eprint", "eprintln", "format", "format_args"), _FORMAT),
    **dict.fromkeys(("panic", "todo", "unimplemented", "unreachable"), _PANIC),
    **dict.fromkeys(("write", "writeln"), _ASSERT),
    **dict.fromkeys(("assert", "debug_assert"), _ASSERT),
    **dict.fromkeys(("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), _COMPARE),
    "dbg": _MOVED,
    "vec": _ARRAY,
    "matches": MacroForm("matches", borrows=True),
    "assert_matches": MacroForm("matches", borrows=True),
    "addr_of": _BORROWED,
    "addr_of_mut": MacroForm("opaque"),
    "ready": _MOVED,
    "pin": _MOVED,
    **dict.fromkeys(
        (
            "cfg",
            "column",
            "compile_error",
            "concat",
            "env",
            "file",
            "include_bytes",
            "include_str",
            "line",
            "module_path",
            "option_env",
            "stringify",
        ),
        _NONE,
    ),
    # log, tracing
    **dict.fromkeys(("trace", "debug", "info", "warn", "error"), _FORMAT),
    **dict.fromkeys(("log", "event"), _ASSERT),
    **dict.fromkeys(("span", "trace_span", "debug_span", "info_span", "warn_span", "error_span"), _BORROWED),
    # anyhow, eyre
    **dict.fromkeys(("anyhow", "eyre"), _FORMAT),
    "bail": _PANIC,
    "ensure": _ASSERT,
    # approx, float_cmp, pretty_assertions, more_asserts
    **dict.fromkeys(
        (
            "assert_abs_diff_eq",
            "assert_abs_diff_ne",
            "assert_approx_eq",
            "assert_ge",
            "assert_gt",
            "assert_le",
            "assert_lt",
            "assert_relative_eq",
            "assert_relative_ne",
            "assert_ulps_eq",
            "assert_ulps_ne",
            "abs_diff_eq",
            "relative_eq",
            "ulps_eq",
        ),
        _BORROWED,
    ),
    # tokio, futures
    **dict.fromkeys(("join", "try_join"), _MOVED),
    # ndarray, smallvec, arrayvec
    "array": _ARRAY,
    "smallvec": _ARRAY,
    "s": MacroForm("slices"),
}
"""Macros of std and of crates that Rust programs use widely."""
