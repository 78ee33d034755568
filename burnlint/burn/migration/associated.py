"""Associated types and functions of back ends (`B::Device`, `<B as Backend>::seed(..)`) and their successors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.migration.naming import named
from burnlint.burn.migration.table import table
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration


@dataclass(frozen=True, slots=True)
class Associated:
    """`B::Device`: its place, how it is written, the name behind the back end, what takes its place ("" if
    nothing is known to), and the edits for it."""

    place: Place
    text: str
    name: str
    successor: str
    edits: tuple[Edit, ...]


def associated(file: FileMigration, written: Written) -> Iterator[Associated]:
    """What a path asks of a back end, if it does."""
    path = written.path
    at = _behind_backend(file, written)
    if at is None:
        yield from _of_alias(file, written)
        return
    name = path.segments[at].name
    if name == "InnerBackend":
        return
    content = file.source.content
    span = path.span[0], _end_of(content, path, at)
    place = Place(file.source.path, *span)
    text = file.text(span)
    if name in table()["types"] and (written.role != "value" or at + 1 < len(path.segments)):
        shown, imports = named(file.before, written.item, table()["types"][name]["path"])
        replaced = _device_made(file, written, at, shown) or (Edit(place, shown),)
        yield Associated(place, text, name, shown, (*replaced, *imports))
    else:
        yield Associated(place, text, name, *_function(file, written, name))


def _behind_backend(file: FileMigration, written: Written) -> int | None:
    """The number of the segment behind the back end: 1 in `B::Device`, and in `<B as Backend>::Device`."""
    path = written.path
    if len(path.segments) < 2:
        return None
    if path.qself is not None:
        of = path.qself
        if not isinstance(of, rt.PathType) or not file.before.is_backend(of.path, written.item):
            return None
        # The trait may be a path of its own.
        known = table()["types"].keys() | table()["functions"].keys() | {"InnerBackend"}
        names = [segment.name for segment in path.segments]
        return next((at for at, name in enumerate(names) if at and name in known), len(names) - 1)
    if file.before.parameter(path, written.item) is not None:
        return 1 if path.segments[1].name != "InnerBackend" or len(path.segments) == 2 else None
    if _is_left_behind(file, written):
        return 1
    first = rt.Path(path.segments[:1], path.span)
    if path.segments[0].name[:1].isupper() and file.before.is_backend(first, written.item):
        return 1
    return None


def _is_left_behind(file: FileMigration, written: Written) -> bool:
    """Whether a path starts with a back end parameter that is not declared (any more), or has lost its bound."""
    path = written.path
    name = path.segments[1].name
    if name not in table()["types"] and name not in table()["functions"]:
        return False
    generic = file.before.generic(path, written.item)
    if generic is not None:
        return not any(each.bounds for each in generic[0].generics.params if each.name == generic[1])
    found = file.before.resolve(rt.Path(path.segments[:1], path.span), written.item)
    return re.fullmatch(r"[A-Z]\d?", path.segments[0].name) is not None and (
        isinstance(found, rn.Unresolved) and found.why == "not found"
    )


def _of_alias(file: FileMigration, written: Written) -> Iterator[Associated]:
    """`FloatElem<B>`: the alias of an associated type."""
    path = written.path
    if path.name not in table()["aliases"] or not path.segments[-1].args:
        return
    key = file.before.key(path, written.item)
    if key in table()["aliases"]:
        place = Place(file.source.path, *path.span)
        text = file.text(path.span)
        successor = table()["aliases"][key]["path"]
        yield Associated(place, text, key, successor, (Edit(place, successor),))


def _function(file: FileMigration, written: Written, name: str) -> tuple[str, tuple[Edit, ...]]:
    """The method of the device that took the place of a function, and the edit for its call."""
    known = table()["functions"].get(name)
    call = file.call_of(written)
    if known is None or call is None or len(call.args) != known["arguments"]:
        return (f"a device's `{known['method']}`" if known is not None else ""), ()
    device, *others = call.args
    receiver = device.operand if isinstance(device, hir.Ref) else device
    text = file.text(receiver.span)
    if not isinstance(receiver, hir.LocalRef | hir.Field | hir.MethodCall | hir.Call):
        text = f"({text})"
    rest = file.text((others[0].span[0], others[-1].span[1])) if others else ""
    made = f"{text}.{known['method']}({rest})"
    return f"`{made}`", (Edit(Place(file.source.path, *call.span), made),)


def _device_made(file: FileMigration, written: Written, at: int, shown: str) -> tuple[Edit, ...] | None:
    """The edit for `B::Device::default()` where `B` is on autodiff, as the device has to be then."""
    path, call = written.path, file.call_of(written)
    if path.segments[at].name != "Device" or call is None or written.body is None:
        return None
    backend = path.qself or rt.PathType(path.span, rt.Path(path.segments[:1], path.span))
    rest = file.text((_end_of(file.source.content, path, at), call.span[1]))
    if not file.before.is_autodiff(written.body, backend):
        return None
    return (Edit(Place(file.source.path, *call.span), f"{shown}{rest}.autodiff()"),)


def _end_of(content: bytes, path: rt.Path, at: int) -> int:
    """Where a segment of a path ends; those behind it have no arguments."""
    end = path.span[1]
    for _ in path.segments[at + 1 :]:
        end = content.rfind(b"::", path.span[0], end)
    return len(content[:end].rstrip())
