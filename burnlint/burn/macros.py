"""How burn's own macros read their arguments."""

from __future__ import annotations

from burnlint.rust.macros import MacroForm, MacroTable

BURN_MACROS: MacroTable = {
    # Source: burn-tensor src/tensor/api/check.rs: `assert_shape!(tensor, [batch, _, 3])` borrows the tensor; a pattern follows.
    "assert_shape": MacroForm("matches", borrows=True),
}
"""Beside those of std and of widely used crates (`burnlint.rust.macros`)."""
