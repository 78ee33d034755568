"""Where burn's configs differ from PyTorch's optimizers when nothing is set: the defaults of both, and the
configs that are used with them.

burn's defaults are those of its API facts, version by version; PyTorch's are the table here, each as the
signature in PyTorch's documentation of the class has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Literal, NamedTuple

from burnlint.burn import terms
from burnlint.burn.api import Api
from burnlint.burn.calls import called_name

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Site
    from burnlint.burn.view import FileView

Use = Literal["built", "kept"]
"""What becomes of a config: an optimizer is built from it here, or another config takes it."""

DEFAULTS = {
    ("RmsPropConfig", "momentum"): ("torch.optim.RMSprop", "0"),
    ("RmsPropConfig", "epsilon"): ("torch.optim.RMSprop", "1e-8"),
    ("MomentumConfig", "dampening"): ("torch.optim.SGD", "0"),
    ("AdamConfig", "epsilon"): ("torch.optim.Adam", "1e-8"),
    ("AdamWConfig", "epsilon"): ("torch.optim.AdamW", "1e-8"),
    ("AdamWConfig", "weight_decay"): ("torch.optim.AdamW", "1e-2"),
    ("AdaGradConfig", "epsilon"): ("torch.optim.Adagrad", "1e-10"),
}
"""PyTorch's class and its default for a field of a config of burn."""

_BUILDS = frozenset({"init", "build"})
MAX_RETURNS = 2
"""Functions that a config is followed out of."""


class Difference(NamedTuple):
    """A config whose field is left at burn's default, which is not PyTorch's. Both values are as they are
    written."""

    call: Expr
    config: str
    field: str
    burn: str
    torch: str
    name: str
    """PyTorch's class."""
    certain: bool
    """Whether the optimizer is built from it in sight; else another config takes it, as the value that may
    be replaced."""


def differences(file: FileView, field: str, *configs: str) -> Iterator[Difference]:
    """The calls of `Config::new` whose field stays at a default that is not PyTorch's in any of the file's
    versions; those in test code are left out."""
    for config in configs:
        name, torch = DEFAULTS[config, field]
        burn = _default(file.versions, config, field)
        if burn is None or not all(Decimal(each) != Decimal(torch) for each in burn):
            continue
        for call in file.calls(f"{config}::new"):
            use = _left_alone(call, config, field) if call.key == f"{config}::new" else None
            if use is not None and not call.in_test:
                yield Difference(call, config, field, burn[-1], torch, name, use == "built")


def _default(versions: tuple[str, ...], config: str, field: str) -> list[str] | None:
    """burn's default in each of the versions, as its source writes it; None where one is not known."""
    found = []
    for version in versions:
        declared = Api.load(version).type(config)
        default = declared.fields[field].default if declared and field in declared.fields else None
        try:
            Decimal(default or "")
        except InvalidOperation:
            return None
        found.append(default or "")
    return found or None


def _left_alone(call: Expr, config: str, field: str, depth: int = 0) -> Use | None:
    """How a config is used whose field nothing sets on any way; None where something may set it, or the use
    is not seen."""
    found: set[Use] = set()
    for reach in call.reaches(_is_setter):
        if reach.kind in ("cloned", "shown", "tested", "dropped", "ignored") and not reach.changed:
            continue
        if reach.kind == "returned" and not reach.changed and depth < MAX_RETURNS:
            uses = {_left_alone(each, config, field, depth + 1) for each in call.file.callers(call.fn)}
            if not uses or None in uses:
                return None
            found.update(use for use in uses if use is not None)
            continue
        if reach.kind != "operand" or reach.changed:
            return None
        user = call.at(reach.site)
        owner, _, name = user.key.rpartition("::")
        if owner == config and reach.index == 0 and name == f"with_{field}":
            return None
        if (owner == config and reach.index == 0 and name.startswith("with_")) or reach.followed:
            continue
        if (owner == config and name in _BUILDS) or (owner.endswith("Config") and name.startswith("with_")):
            found.add("built")
        elif _makes_config(user):
            found.add("kept")
        else:
            return None
    if not found or _is_assigned(call, field):
        return None
    return "kept" if "kept" in found else "built"


def _is_assigned(call: Expr, field: str) -> bool:
    """Whether the field of a binding of the config is assigned."""
    locals_ = {each.place.local for each in call.file.analysis.values.bindings(call.site)}
    return any(d.place.local in locals_ and d.place.fields == (field,) for d in call.flow.definitions)


def _is_setter(site: Site, operand: int) -> bool:
    """Whether what a call gives is the config that it is called on."""
    return operand == 0 and called_name(site.expr).startswith("with_")


def _makes_config(call: Expr) -> bool:
    """Whether a call gives a config of the workspace."""
    term = call.term
    return isinstance(term, terms.Declared) and term.item.derives("Config")
