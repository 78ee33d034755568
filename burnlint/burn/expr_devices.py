"""Questions about devices: which one something is on, what settles a device, what waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import devices, queueing
from burnlint.burn.devices import MadeDevice
from burnlint.burn.expr_training import TrainingQuestions
from burnlint.rust import hir
from burnlint.rust.cfg import Flag
from burnlint.rust.items import Impl
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_WASM = frozenset(
    {Flag("target_family", "wasm"), Flag("target_arch", "wasm32"), Flag("target_arch", "wasm64")}
)


class DeviceQuestions(TrainingQuestions):
    """Questions about devices: which one something is on, what settles a device, what waits for it."""

    @property
    def device(self) -> MadeDevice | None:
        """The call that makes the device of a device, tensor or module; None where it is not in sight."""
        return devices.device_of(self._self)

    def on_another_device(self, other: Expr) -> tuple[MadeDevice, MadeDevice] | None:
        """The calls that make the devices of the two values, if these are certainly different devices; else None."""
        return devices.meet(self._self, other)

    @property
    def is_given_device(self) -> bool:
        """Of a call whether what it is given was made with a device, as far as that is written in the function."""
        for operand in self.operands:
            origins = (self.at(each) for each in operand.origins().items)
            for value in (operand, *(o for o in origins if o.site.frame is self.site.frame)):
                if any(value.inside(e).is_device for e in descendants(value.expr)):
                    return True
        return False

    @property
    def moves_tensors(self) -> bool:
        """Whether a call in it gives a device to a function of the workspace."""
        calls = (self.inside(e) for e in descendants(self.expr) if isinstance(e, hir.Call | hir.MethodCall))
        return any(
            call.target is not None
            and call.target.fn is not None
            and any(each.is_device for each in call.operands)
            for call in calls
        )

    def lists_around(self) -> Iterator[Expr]:
        """The arrays and `vec![..]`s that it is an element of, or a part of one."""
        for each in self.around:
            if isinstance(each.expr, hir.Array):
                yield each
            elif not isinstance(each.expr, hir.Tuple | hir.Call | hir.Ref | hir.StructLit):
                return

    @property
    def given_back_to(self) -> list[Expr]:
        """Of a device, or the kind of one, the calls of the function around it that get it back, as it is or in a device
        that is made of it; outside of tests."""
        value = self._self
        while True:
            sink = value.flow.sink(value.expr)
            holder = sink.role.holder
            if sink.kind != "argument" or holder is None or not value.inside(holder).is_device:
                break
            value = value.inside(holder)
        if sink.kind != "returned" or isinstance(holder, hir.Closure):
            return []
        return [call for call in self.file.callers(self.fn) if not call.in_test]

    @property
    def reads_later(self) -> bool:
        """Whether its function may read a tensor after it."""
        order, body = self.flow.order, self.site.frame.body
        later = [e for e in body.exprs if e is not self.expr and order.may_follow(self.expr, e)]
        return queueing.work_in(self.file.analysis.values, body, later).waits is not False

    @property
    def is_handed_on(self) -> bool:
        """Whether a tensor, or what operations make of it, may be read elsewhere: it is returned or stored."""
        reaches = self.reaches(lambda site, _: self.at(site).is_tensor)
        return any(reach.kind in ("returned", "stored", "captured") for reach in reaches)

    @property
    def in_browser_code(self) -> bool:
        """Whether the function around it is only compiled for WebAssembly, or exported to JavaScript."""
        fn, owner = self.fn, self.fn.owner
        exported = fn.attribute("wasm_bindgen") or (
            isinstance(owner, Impl) and owner.attribute("wasm_bindgen")
        )
        return bool(exported) or fn.cfg.holds(lambda flag: False if flag in _WASM else None) is False

    @property
    def asks_for_browser(self) -> bool:
        """Whether something around it within its function asks if the program is compiled for WebAssembly: an attribute
        `cfg`, or a condition with `cfg!`."""
        if any(
            isinstance(each.expr, hir.Unknown) and each.expr.why == "cfg alternatives" for each in self.around
        ):
            return True
        return not (self.cfg_flags - self.fn.cfg.flags()).isdisjoint(_WASM) or any(
            "cfg!" in asked.text and "wasm" in asked.text for asked in self.asked_around()
        )

    @property
    def queued_before(self) -> list[Expr]:
        """The calls and operators before it that queue operations on a device, if nothing waits for these in between;
        empty where something may wait."""
        return queueing.queued_before(self._self)

    @property
    def asks_device(self) -> str:
        """What a call asks of a device (`sync`, `memory_cleanup`), or up to burn 0.21 of its backend; empty for any
        other call."""
        return devices.asked_of_device(self._self)

    @property
    def created_on(self) -> Expr | None:
        """Of a call that makes a tensor the device that it is given; None for any other call."""
        return devices.creation_device(self._self)

    def first_used(self) -> tuple[Expr, bool] | None:
        """Of a device the first call that makes a tensor on it before, with whether that has run on every path that
        gets here; None if none is in sight. What makes a module does not count: most of them make their tensors
        when they are first used."""
        return devices.first_used(self._self)

    @property
    def comes_again(self) -> bool:
        """Whether a path leads from it back to it: not where its loop is left behind it."""
        return self.flow.order.may_follow(self.expr, self.expr)
