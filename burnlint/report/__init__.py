"""Outputs: one module per format over one `Result`, imported only when that format is asked for.

Each module has `render(result, options) -> str` and does no I/O. What it returns can always be encoded as
UTF-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnlint.lint.result import Result

FORMATS: tuple[str, ...] = (
    "text",
    "concise",
    "json",
    "sarif",
    "github",
    "gitlab",
    "checkstyle",
    "junit",
    "markdown",
    "html",
    "cargo-json",
)
"""Names of the formats, as `--output` takes them; the module has `_` for `-`."""


@dataclass(slots=True, frozen=True)
class RenderOptions:
    """How to render. Only the formats for people look at `colour`, `width` (terminal cells) and `hyperlinks`
    (OSC 8)."""

    colour: bool = False
    width: int = 100
    hyperlinks: bool = False
    category: str | None = None
    """SARIF's `automationDetails.id`, which GitHub reads as the category of the upload."""


def render(name: str, result: Result, options: RenderOptions) -> str:
    """The result in the format `name`, one of `FORMATS` (ValueError otherwise)."""
    if name not in FORMATS:
        raise ValueError(f"unknown output format {name!r}")
    module = import_module(f"burnlint.report.{name.replace('-', '_')}")
    rendered: str = module.render(result, options)
    return rendered
