"""Which device a device, tensor or module is on, as far as code shows the constructor (burn 0.22 on)."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import ops, tape
from burnlint.burn.backends import WGPU
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_COMPARES = re.compile(rb"\bdevice\([^()]*\)\s*[!=]=|[!=]=\s*[&*]?[\w.:]+\bdevice\([^()]*\)")
MAX_STEPS = 60
"""Operations that one walk back to a device goes over."""

CONSTRUCTORS = frozenset(
    """
    cpu cuda flex libtorch libtorch_cuda libtorch_mps libtorch_vulkan metal ndarray rocm vulkan webgpu wgpu
    """.split()  # noqa: SIM905
)
"""Functions of `Device` that name a back end (burn-tensor 0.22.1, src/device.rs)."""
SPELT = re.compile(
    rb"\bDevice::(?:%b|default)\s*\((?:[^()]|\([^()]*\))*\)|\bDefault::default\s*\(\)"
    % b"|".join(sorted(each.encode() for each in CONSTRUCTORS))
)
"""A call that makes a device, as written."""
# Source: burn-tensor 0.22.1, src/device.rs: the same hardware, with or without a record for gradients.
_SAME_DEVICE = frozenset(
    {
        "Device::autodiff",
        "Device::gradient_checkpointing",
        "Device::inner",
        "Device::without_autodiff",
        "Device::with_autodiff_context_from",
    }
)
_MOVES = frozenset({"Tensor::to_device", "Module::to_device", "Module::fork"})
_KEEPS = frozenset(
    {"Module::load_record", "Module::load_file", "Module::no_grad", "Module::valid", "Param::val"}
)
# Source: burn-dispatch 0.22.1, src/device.rs (`Default for DispatchDevice`): the order in which a default is chosen.
_ORDER = ("cuda", "metal", "rocm", "vulkan", "webgpu", "wgpu", "cpu", "tch", "flex", "remote", "ndarray")


@dataclass(frozen=True)
class MadeDevice:
    """The call that makes a device: `Device::default()`, `Device::cuda(0)`."""

    call: Expr
    name: str
    """`default`, `cuda`."""

    @property
    def argument(self) -> int | str | None:
        """A number, or the name of a kind (`DefaultDevice`); None where it is not in sight, or there is none."""
        if not self.call.operands:
            return None
        given = self.call.operands[0]
        number = given.number()
        if number is not None:
            return number
        origin = given.origins().must
        if origin is None or origin.steps:
            return None
        made = given.at(origin)
        if isinstance(made.expr, hir.PathExpr):
            return made.source.own_name(made.expr.path.name)
        kind = made.operands[0].number() if isinstance(made.expr, hir.Call) and made.operands else None
        return f"{made.name}({kind})" if kind is not None else None

    def differs(self, other: MadeDevice, backends: Set[str]) -> bool:
        """Whether the two are certainly different devices where the program may have these back ends. False is no
        claim that they are the same."""
        if self.name == other.name:
            one, two = self.argument, other.argument
            return one is not None and two is not None and one != two
        if "default" not in (self.name, other.name):
            return True
        named = other if self.name == "default" else self
        return named.is_never_default(backends)

    def is_never_default(self, backends: Set[str]) -> bool:
        """Whether `Device::default()` is another device than this one."""
        # On wgpu the default is the device that chooses its API itself, these pin one.
        if self.name in WGPU - {"wgpu"}:
            return True
        if self.name == "wgpu":
            return bool(backends & {"cuda"}) or self.argument not in (None, "DefaultDevice")
        if self.name in ("cuda", "rocm") and isinstance(self.argument, int) and self.argument > 0:
            return True
        if self.name not in _ORDER:
            return False
        return bool(backends & set(_ORDER[: _ORDER.index(self.name)]))


def device_of(value: Expr) -> MadeDevice | None:
    """The device of a device, tensor or module; None where it is not in sight on every path."""
    for _ in range(MAX_STEPS):
        origins = value.origins()
        # A step of an optimizer gives the module on the device that it was on.
        items = [o for o in origins.items if o.kind != "operation" or value.at(o).stepped_module is None]
        if len(items) != 1 or not origins.certain:
            return None
        origin = items[0]
        stepped = len(origins.items) > 1
        if origin.kind != "operation" or origin.steps or (origin.carried and not stepped):
            return None
        made = value.at(origin)
        before = _before(made)
        if before is None:
            return _made(made)
        value = before
    return None


def _made(call: Expr) -> MadeDevice | None:
    if call.name == "default" and not call.operands and call.is_device:
        return MadeDevice(call, "default")
    owner, _, name = call.key.rpartition("::")
    return MadeDevice(call, name) if owner == "Device" and name in CONSTRUCTORS else None


def _before(made: Expr) -> Expr | None:
    """What has the same device as what an operation gives; None if that is not known."""
    key, operands = made.key, made.operands
    if not operands:
        return None
    if key in _SAME_DEVICE or key in _KEEPS or key == "Tensor::device":
        return operands[0]
    if key in _MOVES:
        return operands[1]
    if key.endswith("Config::init"):
        return operands[-1] if operands[-1].is_device else None
    if not tape.is_tensor_operation(made):
        return None
    created = creation_device(made)
    return created if created is not None else operands[0] if operands[0].is_tensor else None


def creation_device(call: Expr) -> Expr | None:
    """The device that a call makes a tensor on; None for any other call."""
    signature = call.signature
    if (
        signature is None
        or signature.owner != "Tensor"
        or signature.self_mode
        or ops.elements(signature) != ops.NEW
    ):
        return None
    options = call.operands[-1] if call.operands else None
    if options is None:
        return None
    origin = options.origins().must
    if origin is not None and isinstance(origin.expr, hir.Tuple) and not origin.steps and origin.expr.items:
        options = options.at(origin).inside(origin.expr.items[0])
    return options if options.is_device else None


def first_used(device: Expr) -> tuple[Expr, bool] | None:
    """The first call that makes a tensor on a device before it stands here, with whether that has run on every path; None
    if none is in sight."""
    order = device.flow.order
    found: list[tuple[Expr, bool]] = []
    pending = [(device.at(reach.site), reach.kind) for reach in device.history().earlier]
    seen: set[Expr] = set()
    while pending:
        call, kind = pending.pop()
        if kind != "operand" or call in seen:
            continue
        seen.add(call)
        near = call.site.frame is device.site.frame
        if near and not order.before(call.expr, device.expr):
            continue
        if call.created_on is not None:
            found.append((call, near and order.on_every_path_before(call.expr, device.expr) is True))
        elif call.key in _SAME_DEVICE:
            pending.extend((device.at(reach.site), reach.kind) for reach in call.reaches())
    return min(found, key=lambda each: (not each[1], each[0].site.order), default=None)


def meet(one: Expr, other: Expr) -> tuple[MadeDevice, MadeDevice] | None:
    """The devices of two values if they are certainly different ones; else None, also where the function compares
    devices."""
    if one.source.holds(_COMPARES, one.fn.span):
        return None
    left = device_of(one)
    right = device_of(other) if left is not None else None
    if left is None or right is None or not left.differs(right, one.file.backends):
        return None
    return left, right


def asked_of_device(call: Expr) -> str:
    """What a call asks of a device (`sync`, `memory_cleanup`): of a device, or up to burn 0.21 of its backend
    (`B::sync(&device)`); empty for any other call."""
    owner, _, name = call.key.rpartition("::")
    if owner:
        return name if owner in ("Device", "Backend") else ""
    e = call.expr
    if call.target is not None or not isinstance(e, hir.Call) or not isinstance(e.callee, hir.PathExpr):
        return ""
    # The types know no functions of a backend.
    path = e.callee.path
    return path.name if len(path.segments) > 1 and any(call.inside(each).is_device for each in e.args) else ""
