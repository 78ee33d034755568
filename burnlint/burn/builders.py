"""What a configuration or builder was told on its way: the setters of its chain, and the defaults of burn's
configurations.

Only a value that is one chain on every path counts: `XConfig::new(..).with_a(..).with_b(..)`, through
bindings and functions in sight. A configuration that is loaded, given from outside or whose fields are
assigned is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

MAX_SETTERS = 40
"""Setters that one chain may have."""


@dataclass(frozen=True)
class Built:
    """A chain: what made it (`AdamConfig::new()`) and the setters after that, the last one first."""

    maker: Expr
    setters: tuple[Expr, ...]

    @property
    def owner(self) -> str:
        """The type of burn's that it makes: `AdamConfig`."""
        return self.maker.key.partition("::")[0]

    def setter(self, *names: str) -> Expr | None:
        """The last setter with one of these names; None if there is none."""
        return next((each for each in self.setters if each.name in names), None)

    def flag(self, field: str) -> bool | None:
        """The value of a `bool` field as set or by default; None where it is not in sight."""
        setter = self.setter(f"with_{field}")
        if setter is not None:
            return setter.operands[1].truth if len(setter.operands) == 2 else None
        config = self.maker.file.analysis.api.type(self.owner)
        default = config.fields[field].default if config is not None and field in config.fields else None
        return {"true": True, "false": False}.get(default or "")


def built(value: Expr) -> Built | None:
    """The chain that a configuration or builder is; None if it is something else, or not known."""
    setters: list[Expr] = []
    call = value.operation
    while call is not None and len(setters) < MAX_SETTERS:
        owner, _, name = call.key.partition("::")
        if not name:
            return None
        if call.target is None or not call.target.self_mode:
            same = all(setter.key.partition("::")[0] == owner for setter in setters)
            return Built(call, tuple(setters)) if name in ("new", "default") and same else None
        setters.append(call)
        call = call.operands[0].operation
    return None
