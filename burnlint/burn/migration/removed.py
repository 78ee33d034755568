"""What burn 0.22 lost, or has with other types, where the table says in words what to do instead: items, functions,
methods, the fields of `TensorData`, and what the options of convolutions and the renderer of a training take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.migration.table import table
from burnlint.burn.migration.unit import mentions
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust.items import Struct, Trait, Use
from burnlint.rust.lists import without_import
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration


@dataclass(frozen=True, slots=True)
class Removed:
    """Something that burn lost: where, how it is named, what to do instead, and the edits (none: by hand).
    `takes` says what a call takes today where it is its types that changed."""

    place: Place
    name: str
    help: str
    edits: tuple[Edit, ...] = ()
    takes: str = ""


def removed(file: FileMigration) -> Iterator[Removed]:
    """What a file names that burn does not have any more, or that takes other types."""
    if file.unit.current or not _has_words(file.source.content):
        return
    for each in file.source.items.all:
        if isinstance(each, Use) and each.name != "*":
            yield from _import(file, each)
    for path in file.unit.paths(file.source):
        yield from _path(file, path)
    for body in file.unit.bodies(file.source):
        for e in body.exprs:
            if isinstance(e, hir.MethodCall):
                yield from _method(file, body, e)
            elif isinstance(e, hir.Field) and e.name in _FIELDS:
                yield from _field(file, body, e)
            elif isinstance(e, hir.StructLit):
                yield from _literal(file, body, e)


@lru_cache(maxsize=1)
def _words() -> re.Pattern[bytes]:
    """What a file has one of where there is anything to say; a test of bytes."""
    functions = table()["removed-functions"]
    names = {key.rpartition("::")[2] for key in (*table()["removed"], *table()["removed-methods"])}
    names |= {key.split("::")[-2] for key in functions}
    return re.compile(rf"\b(?:{'|'.join(sorted(names))}|from_inner|renderer|ConvOptions)\b".encode())


_DATA_FIELD = re.compile(rb"\.(?:shape|dtype|bytes)\b(?!\s*\()")


def _has_words(content: bytes) -> bool:
    if _words().search(content):
        return True
    names_data = any(word in content for word in (b"TensorData", b"into_data", b"to_data"))
    return names_data and _DATA_FIELD.search(content) is not None


def _import(file: FileMigration, use: Use) -> Iterator[Removed]:
    full = "::".join(file.before.outside(use.path, use))
    if _is_lost(file, full):
        edits = file.cut(*without_import(use)) if _is_unused(file, use) else ()
        yield Removed(file.place(use.name_span), use.path.name, table()["removed"][full], edits)


def _is_unused(file: FileMigration, use: Use) -> bool:
    start, end = use.name_span
    return all(start <= at < end for at in mentions(file.source, use.name))


def _is_lost(file: FileMigration, full: str) -> bool:
    return full in table()["removed"] and file.before.new.resolve_path(full) is None


def _path(file: FileMigration, path: Written) -> Iterator[Removed]:
    full = file.before.outside(path.path, path.item)
    head = "::".join(full)
    if path.role in ("value", "pattern") and len(path.path.segments) > 1:
        owner, name = "::".join(full[:-1]), path.name
        gone = table()["removed-functions"].get(head)
        if gone is not None and not file.before.new.method(full[-2], name):
            yield _function(file, path, gone)
            return
        if name == "new" and full[-2:-1] == ("ConvOptions",):
            yield from _symmetric(file, path)
        if name == "from_inner" and _is_module(file, path):
            yield _from_inner(file, path)
        head = head if _is_lost(file, head) else owner
    if _is_lost(file, head):
        yield Removed(file.place(path.path.span), head.rpartition("::")[2], table()["removed"][head])


def _function(file: FileMigration, path: Written, gone: dict[str, str]) -> Removed:
    start, end = path.path.span
    name = Place(file.source.path, file.source.content.rindex(b"::", start, end) + 2, end)
    call = file.call_of(path)
    edits = (Edit(name, gone["write"]),) if call is not None and not call.args else ()
    return Removed(
        file.place(path.path.span), f"{path.path.segments[-2].name}::{path.name}", gone["help"], edits
    )


def _is_module(file: FileMigration, path: Written) -> bool:
    """Whether `M::from_inner` is about a module: a parameter that is bound to be one, or a type that derives it. Not
    where a trait of the workspace may give it one of that name."""
    if len(path.path.segments) != 2 or _has_trait_with(file, "from_inner"):
        return False
    generic = file.before.generic(path.path, path.item)
    if generic is not None:
        keys = [file.before.key(bound.path, generic[0]) for bound in file.before.bounds(*generic[:2])]
        return any(key in ("Module", "AutodiffModule") for key in keys)
    of = replace(path.path, segments=path.path.segments[:1])
    found = getattr(file.before.resolve(of, path.item), "definitions", ())
    return any(
        isinstance(each, Struct) and each.derives("Module") and file.before.method(each, "from_inner") is None
        for each in found
    )


def _has_trait_with(file: FileMigration, name: str) -> bool:
    return any(
        fn.name == name
        for each in file.unit.files
        for item in each.items.all
        if isinstance(item, Trait)
        for fn in item.fns
    )


def _from_inner(file: FileMigration, path: Written) -> Removed:
    call = file.call_of(path)
    edits: tuple[Edit, ...] = ()
    if call is not None and len(call.args) == 1 and _is_receiver(call.args[0]):
        edits = (Edit(file.place(call.span), f"{file.text(call.args[0].span)}.train()"),)
    return Removed(file.place(path.path.span), file.text(path.path.span), "write `inner.train()`", edits)


def _is_receiver(e: hir.Expr) -> bool:
    """Whether a method can be called on what is written as it is."""
    return isinstance(e, hir.LocalRef | hir.PathExpr | hir.Call | hir.MethodCall | hir.Field | hir.Index)


def _method(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> Iterator[Removed]:
    gone = [key for key in table()["removed-methods"] if key.endswith(f"::{e.name}")]
    if gone:
        owner = _owner(file, body, e)
        key = f"{owner}::{e.name}"
        if key in gone and not file.before.new.method(owner, e.name):
            yield Removed(file.place(e.name_span), key, table()["removed-methods"][key])
    elif e.name == "renderer" and len(e.args) == 1 and _owner(file, body, e) == "SupervisedTraining":
        yield from _renderer(file, body, e.args[0])


def _owner(file: FileMigration, body: hir.Body, e: hir.MethodCall) -> str:
    callee = file.unit.analysis.types(body).callee(e)
    signature = callee.signature if callee is not None else None
    return signature.owner if signature is not None else ""


def _renderer(file: FileMigration, body: hir.Body, given: hir.Expr) -> Iterator[Removed]:
    """A renderer that is in no box: known to be a value of another type, or of a parameter's."""
    term = file.unit.analysis.types(body).expr(given)
    bare = isinstance(term, terms.Generic) or (isinstance(term, terms.Named) and term.name != "Box")
    if bare:
        made = f"Box::new({file.text(given.span)})"
        edits = (Edit(file.place(given.span), made),)
        yield Removed(file.place(given.span), "renderer", f"write `{made}`", edits, "a boxed renderer")


_FIELDS = frozenset({"shape", "dtype", "bytes"})
"""The fields of `TensorData` that are methods today."""


def _field(file: FileMigration, body: hir.Body, e: hir.Field) -> Iterator[Removed]:
    term = terms.peel_refs(file.unit.analysis.types(body).expr(e.base))
    if not isinstance(term, terms.Named) or term.name != "TensorData":
        return
    if not file.before.new.method("TensorData", e.name):
        return
    at = body.parents[e.id]
    around = body.exprs[at] if at >= 0 else None
    if isinstance(around, hir.Call) and around.callee is e:
        return
    if isinstance(around, hir.Assign | hir.AssignOp) and around.target is e:
        edits: tuple[Edit, ...] = ()
    elif e.name == "dtype" or _borrows(around, e):
        edits = (Edit(Place(file.source.path, e.span[1], e.span[1]), "()"),)
    else:
        edits = ()
    yield Removed(file.place(e.name_span), f"TensorData.{e.name}", f"write `{e.name}()`", edits)


def _borrows(around: hir.Expr | None, e: hir.Expr) -> bool:
    """Whether a value is only looked at where it stands, which works with a reference to it too."""
    if isinstance(around, hir.Macro):
        return around.form == "format"
    if isinstance(around, hir.MethodCall):
        return around.receiver is e
    return isinstance(around, hir.Index | hir.Field) and around.base is e


def _literal(file: FileMigration, body: hir.Body, e: hir.StructLit) -> Iterator[Removed]:
    """`ConvOptions { padding: [1, 1], .. }`."""
    if e.path.name != "ConvOptions" or body.owner is None:
        return
    if file.before.key(e.path, body.owner) != "ConvOptions":
        return
    for field in e.fields:
        value = field.value
        if field.name != "padding" or not isinstance(value, hir.Array | hir.Repeat):
            continue
        items = value.items if isinstance(value, hir.Array) else [value.item]
        if items and all(isinstance(item, hir.Literal) and item.kind == "int" for item in items):
            edits = tuple(
                Edit(file.place(item.span), f"({item.text}, {item.text})")
                for item in items
                if isinstance(item, hir.Literal)
            )
            help = "write what is added before and after in each dimension: `[(1, 1), (1, 1)]`"
            yield Removed(file.place(value.span), "ConvOptions.padding", help, edits, "pairs of numbers")


def _symmetric(file: FileMigration, path: Written) -> Iterator[Removed]:
    """`ConvOptions::new([1, 1], [(1, 1), (1, 1)], ..)`, with the pairs that its field holds."""
    call = file.call_of(path)
    given = call.args[1] if call is not None and len(call.args) == 4 else None
    if not isinstance(given, hir.Array) or not given.items:
        return
    pairs = [item.items for item in given.items if isinstance(item, hir.Tuple) and len(item.items) == 2]
    if len(pairs) != len(given.items):
        return
    sides = [(file.text(first.span), file.text(second.span)) for first, second in pairs]
    place = file.place(given.span)
    if all(first == second for first, second in sides):
        made = f"[{', '.join(first for first, _ in sides)}]"
        yield Removed(place, "ConvOptions::new", f"write `{made}`", (Edit(place, made),), "plain numbers")
    else:
        start, end = path.path.span
        name = Place(file.source.path, file.source.content.rindex(b"::", start, end) + 2, end)
        made = "new_with_padding"
        yield Removed(place, "ConvOptions::new", f"write `{made}`", (Edit(name, made),), "plain numbers")
