"""Devices: a type of each back end up to burn 0.21, one type with a constructor for each from 0.22 on.

What was trained on `Autodiff<..>` has to be on a device with autodiff now, so a device that a body makes gets
`.autodiff()` where that body names such a back end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.migration.before import Before
from burnlint.burn.migration.copies import is_device
from burnlint.burn.migration.naming import named
from burnlint.burn.migration.table import table
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust import types as rt
from burnlint.rust.items import Item
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration

DEVICE = "burn::tensor::Device"
KIND = "burn::tensor::DeviceKind"


@dataclass(frozen=True, slots=True)
class DeviceChange:
    """A device type, or a value of one: where, how it is written, what takes its place, and the edits."""

    place: Place
    text: str
    name: str
    successor: str
    edits: tuple[Edit, ...]
    autodiff: bool = False
    """Whether autodiff is what it lacks."""


def device_type(before: Before, path: rt.Path, item: Item, role: str) -> tuple[str, int] | None:
    """The device type of a back end that a path names or starts with, and how many segments follow it."""
    devices = table()["devices"]
    if path.qself is not None:
        return None
    full = before.outside(path, item, "value" if role == "value" else "type")
    _, key, rest = before.split(full)
    name = key.rpartition("::")[2]
    return (name, len(rest)) if name in devices and len(rest) < len(path.segments) else None


def devices(file: FileMigration) -> Iterator[DeviceChange]:
    """The device types and values of a file."""
    for path in file.paths:
        found = device_type(file.before, path.path, path.item, path.role)
        # Low-level code of 0.22 has these types too, without most of their constructors.
        if found is None:
            continue
        gone = found[1] and path.name not in ("default", "new") and found[0] == "WgpuDevice"
        if file.unit.names_backends or gone or file.unit.is_missing(path.path, path.item):
            yield _changed(file, path, *found)
    for body in file.unit.bodies(file.source) if file.unit.names_backends else ():
        yield from _defaults(file, body)


def trains(file: FileMigration, body: hir.Body) -> bool:
    """Whether a body names a back end with autodiff, other than as a parameter, in an argument that goes."""
    return any(
        path.body is body
        and file.before.parameter(path.path, path.item) is None
        and file.unit.goes(path)
        and file.before.is_autodiff(body, rt.PathType(path.path.span, path.path))
        for path in file.paths
    )


def _changed(file: FileMigration, written: Written, name: str, behind: int) -> DeviceChange:
    path = written.path
    device, imports = named(file.before, written.item, DEVICE)
    if not behind and written.role != "value":
        span = path.span
        text = file.text(span)
        return DeviceChange(
            Place(file.source.path, *span),
            text,
            name,
            device,
            (Edit(Place(file.source.path, *span), device), *imports),
        )
    form = table()["devices"][name].get(path.name if behind else "")
    call = file.call_of(written)
    span = call.span if call is not None else path.span
    place = Place(file.source.path, *span)
    text = file.text(span)
    wants = "*" in form if form is not None else False
    if form is None or written.role != "value" or wants != (call is not None and len(call.args) == 1):
        return DeviceChange(place, text, name, "", ())
    if wants and call is not None:
        argument = call.args[0].span
        form = form.replace("*", file.text(argument))
    made = form.replace("Device::", f"{device}::", 1)
    edits = list(imports)
    if "DeviceKind::" in made:
        kind, more = named(file.before, written.item, KIND)
        made = made.replace("DeviceKind::", f"{kind}::")
        edits += more
    if written.body is not None and trains(file, written.body):
        made += ".autodiff()"
    return DeviceChange(place, text, name, made, (Edit(place, made), *edits))


def _defaults(file: FileMigration, body: hir.Body) -> Iterator[DeviceChange]:
    """`let device = Default::default();` of a body that trains on it, or that asks it for something: a method needs
    its type."""
    types = file.unit.analysis.types(body)
    training = trains(file, body)
    assert isinstance(body.owner, Item)
    for e in body.exprs:
        for statement in e.statements if isinstance(e, hir.Block) else ():
            init = statement.init if isinstance(statement, hir.Let) else None
            if not isinstance(init, hir.Call) or init.args or not isinstance(init.callee, hir.PathExpr):
                continue
            assert isinstance(statement, hir.Let)
            if str(init.callee.path) != "Default::default":
                continue
            asked = statement.type is None and _is_asked(body, statement.pattern)
            if asked or (training and is_device(types.expr(init))):
                device, imports = named(file.before, body.owner, DEVICE)
                made = f"{device}::default()" + (".autodiff()" if training else "")
                place = Place(file.source.path, *init.span)
                edits = (Edit(place, made), *imports)
                yield DeviceChange(place, "Default::default()", "Device", made, edits, training)


def _is_asked(body: hir.Body, pattern: hir.Pattern) -> bool:
    """Whether a local is handed to what a back end's function was, or is now: `B::seed(&device, 42)`,
    `device.seed(42)`."""
    functions = table()["functions"]
    for e in body.exprs:
        asked: hir.Expr | None = None
        if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and e.args:
            if e.callee.path.name in functions:
                asked = e.args[0].operand if isinstance(e.args[0], hir.Ref) else e.args[0]
        elif isinstance(e, hir.MethodCall) and e.name in functions:
            asked = e.receiver
        if isinstance(asked, hir.LocalRef) and isinstance(pattern, hir.Bind) and asked.local is pattern.local:
            return True
    return False
