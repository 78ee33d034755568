"""Whether the parameters of a module exist already, or are still made on their first use.

Source: burn-core 0.22.1, src/module/param/base.rs; what initialises was run
(fixtures/autodiff/trained-module-to-device/proof.rs): loading, any forward, reading a weight, printing with
`{}`, `valid` and `train`, a clone that is alive. Counting parameters, asking for devices and `{:?}` do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Reach

_INITIALISES = frozenset(
    {
        "Module::load_record",
        "Module::load_file",
        "Module::valid",
        "AutodiffModule::valid",
        "Module::train",
        "AutodiffModule::train",
        "Module::quantize_weights",
        "Param::from_tensor",
        "Param::from_data",
        "Param::initialized",
        "Param::val",
        "Param::consume",
    }
)
_LEAVES_LAZY = frozenset(
    {"Module::num_params", "Module::devices", "Module::collect_devices", "Module::to_device", "Module::fork"}
)

State = Literal["initialised", "perhaps", "lazy", "unknown"]


def state_of(module: Expr) -> tuple[State, Expr | None]:
    """Whether a module is initialised where it stands, and the place that shows it.

    "perhaps": it came from outside of the function, or something may have used it. "unknown": burnlint does
    not see where it came from.
    """
    origins = module.origins()
    states = [_of_origin(module.at(origin), origin.kind) for origin in origins.items]
    if not states or not origins.certain:
        return "unknown", None
    for state, place in states:
        if state == "initialised":
            return ("initialised" if len(states) == 1 else "perhaps"), place
    history = module.history()
    for reach in history.earlier:
        place = _initialising(module, reach)
        if place is not None:
            return "initialised", place
    found = {state for state, _ in states}
    if "unknown" in found:
        return "unknown", None
    return ("perhaps" if "perhaps" in found else "lazy"), None


def _of_origin(value: Expr, kind: str) -> tuple[State, Expr | None]:
    if kind in ("param", "closure_param", "changed"):
        return "perhaps", None
    if kind == "new" and isinstance(value.expr, hir.StructLit):
        return _of_struct(value, value.expr)
    if kind != "operation":
        return "unknown", None
    if value.key in _INITIALISES or value.stepped_module is not None:
        return "initialised", value
    if value.key.endswith("Config::init") or value.key in _LEAVES_LAZY:
        return "lazy", None
    return "unknown", None


def _of_struct(value: Expr, literal: hir.StructLit) -> tuple[State, Expr | None]:
    """A module written as a struct is what its fields are."""
    worst: State = "lazy"
    for field in literal.fields:
        inner = value.inside(field.value)
        for origin in inner.origins().items:
            state, place = _of_origin(value.at(origin), origin.kind)
            if state == "initialised":
                return state, place
            if state == "unknown" and inner.is_module:
                worst = "unknown"
            elif state == "perhaps" and worst == "lazy":
                worst = "perhaps"
    return worst, None


def _initialising(module: Expr, reach: Reach) -> Expr | None:
    """The place where something that happened to a module made its parameters; None if it did not, or that
    is not known.
    """
    place = module.at(reach.site)
    if reach.kind == "shown":
        return place if _displays(place.text) else None
    if reach.kind == "cloned":
        return place if place.lives_beyond(module) else None
    if reach.kind == "part":
        read = place.reaches()
        return (
            place if any(place.at(r.site).key == "Param::val" for r in read if r.kind == "operand") else None
        )
    if reach.kind != "operand":
        return None
    if place.key in _INITIALISES:
        return place
    computes = place.is_tensor
    return place if computes and reach.index == 0 and place.key not in _LEAVES_LAZY else None


def _displays(macro: str) -> bool:
    """Whether a formatting macro shows something by `{}`, and nothing by `{:?}`."""
    return "{" in macro and "?}" not in macro
