"""Names that Rust gives without an import: the standard prelude, primitive types, macros of std."""

from __future__ import annotations

_WORDS = "bool char str f16 f32 f64 f128 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize"
PRIMITIVES = frozenset(_WORDS.split())
STD_CRATES = frozenset({"std", "core", "alloc", "proc_macro", "test"})

_PRELUDE = {
    "borrow": "ToOwned",
    "boxed": "Box",
    "clone": "Clone",
    "cmp": "Eq Ord PartialEq PartialOrd",
    "convert": "AsMut AsRef From Into TryFrom TryInto",
    "default": "Default",
    "iter": "DoubleEndedIterator ExactSizeIterator Extend FromIterator IntoIterator Iterator",
    "marker": "Copy Send Sized Sync Unpin",
    "mem": "align_of align_of_val drop size_of size_of_val",
    "ops": "AsyncFn AsyncFnMut AsyncFnOnce Drop Fn FnMut FnOnce",
    "option": "Option",
    "result": "Result",
    "string": "String ToString",
    "vec": "Vec",
}
PRELUDE: dict[str, tuple[str, ...]] = {
    **{name: ("std", module, name) for module, names in _PRELUDE.items() for name in names.split()},
    "Some": ("std", "option", "Option", "Some"),
    "None": ("std", "option", "Option", "None"),
    "Ok": ("std", "result", "Result", "Ok"),
    "Err": ("std", "result", "Result", "Err"),
}
"""What the names of the prelude stand for, by way of std also where core or alloc has it."""
PRELUDE_2024: dict[str, tuple[str, ...]] = {
    "Future": ("std", "future", "Future"),
    "IntoFuture": ("std", "future", "IntoFuture"),
}
"""What the edition of 2024 adds."""

_MACROS = """
assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne
env eprint eprintln file format format_args include include_bytes include_str line matches module_path
option_env panic print println stringify thread_local todo try unimplemented unreachable vec write writeln
"""
MACROS = frozenset(_MACROS.split())
