"""Types of expressions: what a body's expressions, locals and calls are, in burn's terms, or why that is not
known.

`World` holds crates and the facts of one version of burn; `World.types_of(body)` gives a `BodyTypes`.
"""

from burnlint.burn.infer.answers import BodyTypes, Callee
from burnlint.burn.infer.world import Shared, World

__all__ = ["BodyTypes", "Callee", "Shared", "World"]
