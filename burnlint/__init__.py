"""burnlint: a static analyzer for Rust projects that use the burn deep-learning framework.

What rules import stands here; each name is loaded when it is first used.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from burnlint.burn.view import Expr, FileView
    from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
    from burnlint.lint.rule import Rule

__all__ = ["Because", "Edit", "Expr", "FileView", "Finding", "Fix", "Place", "Rule", "__version__"]

_HOMES = {
    "Because": "burnlint.lint.finding",
    "Edit": "burnlint.lint.finding",
    "Expr": "burnlint.burn.view",
    "FileView": "burnlint.burn.view",
    "Finding": "burnlint.lint.finding",
    "Fix": "burnlint.lint.finding",
    "Place": "burnlint.lint.finding",
    "Rule": "burnlint.lint.rule",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
