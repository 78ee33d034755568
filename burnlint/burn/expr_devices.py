"""Questions about devices: which one something is on, what settles a device, what waits for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import devices, queueing
from burnlint.burn.autodiff import is_device
from burnlint.burn.calls import operands_as_written
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
_ASSERTS = frozenset({"assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"})
_ASKS = frozenset({"is_ok", "is_err", "is_ok_and", "is_err_and", "or_else"})
_SWALLOWS = frozenset({"ok", "unwrap_or", "unwrap_or_default", "unwrap_or_else"})


class DeviceQuestions(TrainingQuestions):
    """Questions about devices: which one something is on, what settles a device, what waits for it."""

    @property
    def items(self) -> list[Expr]:
        """The elements of an array or `vec![..]` that is written out; empty where it is not in sight."""
        origin = self.origins().must
        if origin is None or origin.steps or not isinstance(origin.expr, hir.Array):
            return []
        return [self.at(origin).inside(each) for each in origin.expr.items]

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
                if any(is_device(value.inside(e)) for e in descendants(value.expr)):
                    return True
        return False

    @property
    def moves_tensors(self) -> bool:
        """Whether a call in it gives a device to a function of the workspace."""
        calls = (self.inside(e) for e in descendants(self.expr) if isinstance(e, hir.Call | hir.MethodCall))
        return any(
            call.target is not None
            and call.target.fn is not None
            and any(is_device(each) for each in call.operands)
            for call in calls
        )

    @property
    def is_compared(self) -> bool:
        """Whether it is written as a side of `==` or `!=`."""
        for each in self.around:
            if not isinstance(each.expr, hir.Ref):
                return isinstance(each.expr, hir.Binary) and each.expr.op in ("==", "!=")
        return False

    def lists_around(self) -> Iterator[Expr]:
        """The arrays and `vec![..]`s that it is an element of, or a part of one."""
        for each in self.around:
            if isinstance(each.expr, hir.Array):
                yield each
            elif not isinstance(each.expr, hir.Tuple | hir.Call | hir.Ref | hir.StructLit):
                return

    def compared_with(self) -> Iterator[Expr]:
        """What the value is compared with for equality in its function: by `==`, `!=`, or an assertion of them."""
        for reach in self.reaches():
            if reach.use.frame is not self.site.frame:
                continue
            at = self.at(reach.site)
            e = at.expr
            sides = [e.left, e.right] if isinstance(e, hir.Binary) and e.op in ("==", "!=") else []
            if isinstance(e, hir.Macro) and e.path.name in _ASSERTS:
                sides = e.args[:2]
            if len(sides) == 2:
                mine = next((n for n, side in enumerate(sides) if reach.use.expr in descendants(side)), None)
                if mine is not None:
                    yield at.inside(sides[1 - mine])

    def batch_loop(self, loader: Expr) -> Expr | None:
        """The `for` loop around it that goes over the batches of a loader which is made in the same function; None if
        there is none."""
        for each in self.around:
            if isinstance(each.expr, hir.For):
                items = self.inside(each.expr.iterable)
                if items.name == "iter" and items.operands and items.operands[0].same_as(loader):
                    return each
        return None

    def precedes(self, other: Expr) -> bool:
        """Whether it runs before another expression of its function on some path, in the same round of the loops around
        both."""
        return self.site.frame is other.site.frame and self.flow.order.before(self.expr, other.expr) is True

    @property
    def operands_written(self) -> list[Expr]:
        """The operands of a call as they are written, also where it is not known what it runs."""
        return [self.inside(each) for each in operands_as_written(self.expr)]

    def spells_beside(self, *words: str) -> bool:
        """Whether the function around it spells one of the words."""
        text = self.source.content[slice(*self.fn.span)]
        return any(re.search(rf"\b{re.escape(word)}\b".encode(), text) for word in words)

    def spells(self, word: str) -> bool:
        """Whether its text holds a word."""
        return (
            re.search(rf"\b{re.escape(word)}\b".encode(), self.source.content[slice(*self.expr.span)])
            is not None
        )

    @property
    def error_tested(self) -> bool:
        """Whether something is decided by a `Result` being an error: by `match`, `if let`, `is_ok()`, `is_err()`, `or_else(..)`."""
        for reach in self.reaches():
            asked = self.at(reach.site).name
            if reach.kind == "tested" or (reach.kind == "operand" and reach.index == 0 and asked in _ASKS):
                return True
        return False

    @property
    def reads_later(self) -> bool:
        """Whether its function may read a tensor after it."""
        order, body = self.flow.order, self.site.frame.body
        later = [e for e in body.exprs if e is not self.expr and order.may_follow(self.expr, e)]
        return queueing.work_in(self.file.analysis.values, body, later).waits is not False

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
    def steps_with(self) -> list[Expr]:
        """The `backward`s and steps of an optimizer in the innermost loop around it, not in a loop within that, if they
        train what one round leaves to the next."""
        loop = self.loop
        if loop is None or loop.expr is None:
            return []
        order, found = self.flow.order, []
        for e in descendants(loop.expr):
            if (
                isinstance(e, hir.MethodCall)
                and e.name in ("backward", "step")
                and order.loops_of(e)[:1] == (loop,)
            ):
                call = self.inside(e)
                if call.key == "Tensor::backward" or call.stepped_module is not None:
                    found.append(call)
        trained = [call.stepped_module for call in found if call.stepped_module is not None] or [
            self.inside(e.receiver)
            for e in descendants(loop.expr)
            if isinstance(e, hir.MethodCall) and e.name.startswith("forward")
        ]
        return [] if trained and all(each.declared_in(loop) for each in trained) else found

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
    def error_ignored(self) -> bool:
        """Whether the error of a `Result` is thrown away unread: by a statement, `let _ =`, `drop(..)`, a name that
        nothing reads, or `.ok()` and the like whose own value is thrown away."""
        e: hir.Expr = self.expr
        while True:
            sink = self.flow.sink(e)
            holder = sink.role.holder
            if sink.kind == "receiver" and isinstance(holder, hir.MethodCall) and holder.name in _SWALLOWS:
                e = holder
                continue
            at = self.inside(e)
            if sink.kind in ("dropped", "ignored"):
                return True
            if sink.kind == "argument":
                return at.dropped == "ignored"
            return sink.kind == "bound" and not at.used
