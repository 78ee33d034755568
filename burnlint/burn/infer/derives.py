"""Methods that derives make on types of the workspace: `Config`, `Module`, `new`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.templates import Sig
from burnlint.rust.items import Enum, FieldDef, Struct
from burnlint.rust.types import PathType

if TYPE_CHECKING:
    from burnlint.burn.infer.lookup import Lookup

DERIVED_TRAITS = {"Module": ("Module", "AutodiffModule"), "Config": ("Config",), "Record": ("Record",)}
"""Derive -> traits of burn that it implements (burn-derive: `AutodiffModule` up to 0.21)."""


def derived(lookup: Lookup, item: Struct | Enum, name: str) -> tuple[Sig, ...]:
    """The method of that name that the item's derives make, if any."""
    if not item.attribute_spans:
        return ()
    if isinstance(item, Struct):
        made = _constructor(lookup, item, name)
        if made is not None:
            return (made,)
    for derive, traits in DERIVED_TRAITS.items():
        if item.derives(derive):
            for trait in traits:
                found = lookup.trait_members(trait, name)
                if found:
                    return found
    return ()


def _filled_by_new(field: FieldDef) -> bool:
    """Whether `derive(new)` asks for no value (crate derive-new: `#[new(default)]`, `#[new(value = ..)]`,
    PhantomData)."""
    if field.attribute("new") is not None:
        return True
    return isinstance(field.type, PathType) and field.type.path.name == "PhantomData"


def _constructor(lookup: Lookup, item: Struct, name: str) -> Sig | None:
    """`new` and `with_*` of a config, `new` of `derive(new)` (burn-derive, src/config/analyzer_struct.rs)."""
    is_config = item.derives("Config")
    if name == "new" and (is_config or item.derives("new")):
        fields = lookup.fields(item)
        left_out = (
            fields.optional if is_config else frozenset(f.name for f in item.fields if _filled_by_new(f))
        )
        params = [t for n, t in fields.types.items() if n not in left_out]
        return Sig(name, fields.owner, "", (), fields.names, tuple(params), fields.owner, origin=item)
    if name == "parse" and item.derives("Parser"):
        # Crate clap: reads the program's arguments.
        fields = lookup.fields(item)
        return Sig(name, fields.owner, "", (), fields.names, (), fields.owner)
    if is_config and name.startswith("with_"):
        fields = lookup.fields(item)
        at = name.removeprefix("with_")
        if at in fields.optional:
            return Sig(
                name, fields.owner, "self", (), fields.names, (fields.types[at],), fields.owner, origin=item
            )
    return None
