"""What a rule sees of an expression: its type, where it comes from and what becomes of it.

Whatever a question answers holds; what is not known is None, empty or "unknown", as each question says, and no
rule may fire on it. Of those that ask whether something is so, yes is known and no claims nothing; of those that ask
whether it may be so, no is known.
"""

from __future__ import annotations

from burnlint.burn.expr_devices import DeviceQuestions


class Expr(DeviceQuestions):
    """An expression, in the body that holds it.

    Its questions stand in expr_core, expr_around, expr_edits, expr_values, expr_results, expr_tensors, expr_training and
    expr_devices.
    """
