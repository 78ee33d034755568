"""Whether a value is on autodiff: a device, a tensor, a module.

Up to burn 0.21 the types say so (`Autodiff<B>`, `AutodiffBackend`). From 0.22 on a created value takes it
from its device, `valid()` and `inner()` leave autodiff, and moving a tensor or module never changes it (run
on 0.22.1: fixtures/autodiff/backward-without-autodiff-device/proof.rs). A module that is visibly trained is
on autodiff.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from burnlint.burn import ops, tape, terms, training
from burnlint.burn.terms import Named
from burnlint.rust import hir
from burnlint.rust.glance import AnyOf

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.terms import Term
    from burnlint.burn.values import Origin, Site

State = Literal["autodiff", "plain", "perhaps", "unknown"]
"""On every path, on no path, on some paths, not known."""

_ON = frozenset(
    {"Device::autodiff", "Tensor::autodiff", "Tensor::from_inner", "Module::train", "AutodiffModule::train"}
)
SPELT = AnyOf(
    rb"autodiff(?<!\wautodiff)\s*[()]",
    rb"Autodiff",
    rb"from_inner\b",
    rb"train(?<!\wtrain)\s*[()]",
    rb"backward(?<!\wbackward)\s*\(",
)
"""What is spelt where something is put on autodiff, by a call or by its type, or uses it, if nothing trains a module."""
_OFF = frozenset({"Module::valid", "AutodiffModule::valid", "Device::inner", "Device::without_autodiff"})
_AS_RECEIVER = frozenset(
    {
        "Device::gradient_checkpointing",
        "Module::fork",
        "Module::to_device",
        "Module::load_record",
        "Module::load_file",
        "Module::no_grad",
        "Module::freeze",
        "Module::unfreeze",
        "Module::set_require_grad",
        "Param::val",
        "Param::clone",
        "Tensor::to_device",
        "Tensor::device",
    }
)
MAX_DEPTH = 12
"""How far values are followed."""
MAX_CALLERS = 8
"""Callers of a function that are asked what they pass."""


@dataclass(slots=True)
class States:
    """What was found so far, by value and depth; what a cycle cut short is not kept, as it hangs on where it started."""

    found: dict[tuple[Site, int], State] = field(default_factory=dict)
    cut: bool = False


def state_of(value: Expr) -> State:
    """Whether a device, tensor or module is on autodiff."""
    return _state(value, frozenset(), 0)


def _state(value: Expr, seen: frozenset[Site], depth: int) -> State:
    mode = _mode(value.term)
    if mode:
        return "autodiff" if mode == "autodiff" else "plain"
    if depth > MAX_DEPTH:
        return "unknown"
    known, key = value.file.autodiff_states, (value.site, depth)
    if key in known.found:
        return known.found[key]
    if value.site in seen:
        known.cut = True
        return "unknown"
    cut_before, known.cut = known.cut, False
    found = _followed(value, seen | {value.site}, depth)
    if not known.cut:
        known.found[key] = found
    known.cut = known.cut or cut_before
    return found


def _followed(value: Expr, seen: frozenset[Site], depth: int) -> State:
    origins = value.origins()
    found = [_of_origin(value, origin, seen, depth) for origin in origins.items]
    if not origins.certain:
        found.append("unknown")
    if set(found) != {"autodiff"} and "plain" not in found and value.is_module and training.is_trained(value):
        # What is trained is on autodiff, unless it is seen to be built off it, which is a fault of its own.
        return "autodiff"
    return _joined(found)


def _mode(term: Term | None) -> str:
    """What a type says; of a `Param` or `Option` what its content says."""
    while isinstance(term, Named) and not term.mode and term.name in ("Param", "Option") and term.args:
        term = term.args[0]
    return term.mode if isinstance(term, terms.Tensor | Named | terms.Declared) else ""


def _joined(found: list[State]) -> State:
    kinds = set(found)
    if len(kinds) == 1:
        return found[0]
    return "perhaps" if kinds & {"autodiff", "perhaps"} else "unknown"


def _of_origin(value: Expr, origin: Origin, seen: frozenset[Site], depth: int) -> State:
    made = value.at(origin)
    if origin.kind == "param" and not origin.steps:
        return _given(made, origin.index, seen, depth)
    if origin.kind == "new" and isinstance(made.expr, hir.StructLit):
        fields = [made.inside(field.value) for field in made.expr.fields]
        known = [_state(each, seen, depth + 1) for each in fields if each.is_module or each.is_parameter]
        return _joined([each for each in known if each != "unknown"]) if known else "unknown"
    if origin.kind != "operation" or (origin.steps and not made.is_module):
        return "unknown"
    return _of_operation(made, seen, depth)


def _of_operation(made: Expr, seen: frozenset[Site], depth: int) -> State:
    key = made.key
    if key in _ON or made.stepped_module is not None:
        return "autodiff"
    if key in _OFF:
        return "plain"
    operands = made.operands
    if key in _AS_RECEIVER and operands:
        return _state(operands[0], seen, depth + 1)
    if made.is_device:
        made_new = key.startswith("Device::") and not any(each.is_device for each in operands)
        return "plain" if made_new else "unknown"
    if tape.is_tensor_operation(made):
        effect = tape.graph_effect(made)
        if effect == ops.LEAVES:
            return "plain"
        devices = [each for each in operands if each.is_device]
        if devices:
            return _state(devices[0], seen, depth + 1)
        tensors = [each for each in operands if each.is_tensor]
        found = [_state(each, seen, depth + 1) for each in tensors]
        return "autodiff" if "autodiff" in found else _joined(found) if found else "unknown"
    if key.endswith("Config::init") or key in (
        "Param::from_tensor",
        "Param::from_data",
        "Param::initialized",
    ):
        found = [_state(each, seen, depth + 1) for each in operands if each.is_device or each.is_tensor]
        return _joined(found) if found else "unknown"
    if tape.is_forward(made):
        found = [_state(each, seen, depth + 1) for each in operands if _decides(each)]
        return "autodiff" if "autodiff" in found else _joined(found)
    return "unknown"


def _decides(operand: Expr) -> bool:
    """Whether an operand of a pass can put its output on autodiff: burn's losses have no parameters."""
    if operand.is_module:
        return not operand.type_name.endswith("Loss")
    return operand.is_tensor


def _given(value: Expr, index: int, seen: frozenset[Site], depth: int) -> State:
    """What the callers of the function pass; "unknown" without one. Those in test code are none for other code:
    whoever uses a library passes something else."""
    fn = value.fn
    if value.site.frame.call is not None:
        return "unknown"
    at = index + 1 if fn.self_mode else index
    found: list[State] = []
    callers = (call for call in value.file.callers(fn) if fn.in_test or not call.in_test)
    for number, call in enumerate(callers):
        if number >= MAX_CALLERS or at >= len(call.operands):
            return "unknown"
        found.append(_state(call.operands[at], seen, depth + 1))
    return _joined(found) if found else "unknown"
