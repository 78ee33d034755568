"""What a rule sees of a Rust file.

Whatever a question answers holds; what is not known is None, empty or "unknown", as each question says, and no
rule may fire on it. Of those that ask whether something is so, yes is known and no claims nothing; of those that ask
whether it may be so, no is known.
"""

from __future__ import annotations

from burnlint.burn.view_devices import DevicesInFile


class FileView(DevicesInFile):
    """A Rust file. `versions` are those of burn that its package may be built with, ascending.

    Its questions stand in view_core, view_package, view_code, view_weights, view_training and view_devices; what is
    asked of one expression in `burnlint.burn.expr`.
    """
