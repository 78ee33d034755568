"""One file on its way to burn 0.22: what in it is gone, each with the edits that carry it over.

Rules ask these questions; an answer without edits is left to people.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from burnlint.burn import terms
from burnlint.burn.expr_core import on_one_line
from burnlint.burn.migration import arguments
from burnlint.burn.migration.arguments import Surplus
from burnlint.burn.migration.associated import Associated, associated
from burnlint.burn.migration.before import TRAITS
from burnlint.burn.migration.copies import copies
from burnlint.burn.migration.datasets import DatasetChange, datasets
from burnlint.burn.migration.devices import DeviceChange, device_type, devices
from burnlint.burn.migration.naming import named
from burnlint.burn.migration.parameters import Parameter
from burnlint.burn.migration.records import (
    OPTIMIZER_RECORD,
    RecordCall,
    RecorderUse,
    derived,
    derived_record,
    record_calls,
    recorders,
)
from burnlint.burn.migration.removed import Removed, removed
from burnlint.burn.migration.renames import OPTIMIZER, Renamed, renamed
from burnlint.burn.migration.scalars import ScalarRead, scalar_reads
from burnlint.burn.migration.schedules import learning_rates
from burnlint.burn.migration.table import table
from burnlint.burn.migration.unit import UnitMigration, mentions
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust import types as rt
from burnlint.rust.items import Item, MacroRules, TypeAlias, Use
from burnlint.rust.lists import whole_lines, without_arguments, without_import, without_parameter
from burnlint.rust.source import SourceFile
from burnlint.rust.types import Span
from burnlint.rust.written import Written

_NAMES_DATASETS = re.compile(rb"(?i)dataset|loader")
_BURN_PATH = re.compile(rb"\bburn(?:::\w+)+")


@dataclass(frozen=True, slots=True)
class Gone:
    """Something that burn no longer has: where, how it is written, its key in the old facts, and the edits that
    do without it (none: by hand)."""

    place: Place
    name: str
    key: str = ""
    edits: tuple[Edit, ...] = ()


class FileMigration:
    """The old code of one file."""

    def __init__(self, unit: UnitMigration, source: SourceFile) -> None:
        self.unit = unit
        self.before = unit.before
        self.source = source

    def place(self, span: Span) -> Place:
        return Place(self.source.path, *span)

    def cut(self, *spans: Span) -> tuple[Edit, ...]:
        """Edits that delete spans."""
        return tuple(Edit(self.place(span), "") for span in spans)

    @cached_property
    def paths(self) -> list[Written]:
        return self.unit.paths(self.source) if self.unit.is_old else []

    @cached_property
    def surplus(self) -> list[Surplus]:
        """The lists of generic arguments that hold too many, in source order; not those inside of another
        argument that goes."""
        found: dict[Span, Surplus] = {}
        for path in self.paths:
            if path.path.segments[-1].args or len(path.path.segments) > 1:
                for each in arguments.of_path(self.before, self.source.content, path, self.unit.leaves):
                    found[each.span] = each
        if self.unit.is_old:
            for body in self.unit.bodies(self.source):
                for e in body.exprs:
                    if isinstance(e, hir.MethodCall):
                        made = arguments.of_call(self.before, self.source.content, body, e, self.unit.leaves)
                        if made is not None:
                            found[made.span] = made
        cuts = sorted(cut for each in found.values() for cut in each.cuts)
        return [each for each in found.values() if not _inside_another(each.cuts[0], cuts)]

    def makes_optimizer(self, surplus: Surplus) -> bool:
        """Whether a call makes an optimizer."""
        owner, _, name = surplus.key.partition("::")
        made = self.before.new.method(owner, name) if name else ()
        result = made[0].result if made else None
        return isinstance(result, terms.Named) and result.name == "ModuleOptimizer"

    def parameters(self) -> Iterator[tuple[Parameter, Place, tuple[Edit, ...]]]:
        """The back end parameters that the file declares: each with its place and, where nothing holds it, the
        edits that take it and all arguments for it out of the unit."""
        if not self.unit.is_old:
            return
        for parameter in self.unit.parameters.values():
            item = parameter.item
            if item.file is not self.source or parameter.sort == "idle":
                continue
            declared = without_parameter(item, parameter.name)
            if declared:
                edits: tuple[Edit, ...] = ()
                if parameter.removable:
                    idle = [each for each in self.unit.idle_with(parameter) if each.removable]
                    gone = without_parameter(item, *(each.name for each in (parameter, *idle)))
                    uses = self._uses(parameter, *idle)
                    edits = _outermost(self.cut(*gone) + self._replaced(parameter) + uses)
                yield parameter, self._declared(parameter, declared[0]), edits

    def _replaced(self, parameter: Parameter) -> tuple[Edit, ...]:
        """Edits that put the one optimizer in the place of a parameter for one, and nothing in that of a marker."""
        edits = [Edit(Place(each.item.file.path, *each.path.span), "()") for each in parameter.markers]
        for each in parameter.replaced:
            successor = OPTIMIZER if len(each.path.segments) == 1 else OPTIMIZER_RECORD
            shown, imports = named(self.before, each.item, successor)
            edits += [Edit(Place(each.item.file.path, *each.path.span), shown), *imports]
        return tuple(dict.fromkeys(edits))

    def _declared(self, parameter: Parameter, whole: Span) -> Place:
        found = re.search(rb"\b%b\b" % parameter.name.encode(), self.source.content[whole[0] : whole[1]])
        start = whole[0] + (found.start() if found else 0)
        return Place(self.source.path, start, start + len(parameter.name))

    def _uses(self, *gone: Parameter) -> tuple[Edit, ...]:
        """Edits that take the arguments for parameters of one item out of the unit."""
        edits: dict[Edit, None] = {}
        for file in self.unit.own:
            view = file_migration(self.unit, file)
            for args in view.arguments_of.get(gone[0].item, ()):
                for span in _without(file.content, args, gone):
                    if not any(
                        each not in gone and a <= span[0] and span[1] <= b for each, (a, b) in view.taken
                    ):
                        edits[Edit(Place(file.path, *span), "")] = None
        return tuple(edits)

    @cached_property
    def taken(self) -> list[tuple[Parameter | None, Span]]:
        """What other edits of the file delete or replace as a whole: arguments of burn's, renamed types, and
        parameters that go (then with that parameter)."""
        found: list[tuple[Parameter | None, Span]] = [
            (None, cut) for each in self.surplus for cut in each.cuts
        ]
        replaced = (edit.place for each in renamed(self) for edit in each.edits)
        found += [(None, (place.start, place.end)) for place in replaced if place.end > place.start]
        for parameter in self.unit.parameters.values():
            if parameter.removable and parameter.item.file is self.source:
                found += [(parameter, cut) for cut in without_parameter(parameter.item, parameter.name)]
        return found

    @cached_property
    def arguments_of(self) -> dict[Item, list[tuple[rt.TypeExpr, ...]]]:
        """The lists of generic arguments that are for an item of the workspace."""
        found: dict[Item, list[tuple[rt.TypeExpr, ...]]] = defaultdict(list)
        for path in self.paths:
            for at, takes in self.before.takes(path).items():
                if takes.item is not None and path.path.segments[at].args:
                    found[takes.item].append(path.path.segments[at].args)
        for body in self.unit.bodies(self.source):
            for e in body.exprs:
                if isinstance(e, hir.MethodCall) and e.generics:
                    called = self.before.called(body, e)
                    if called is not None and called.item is not None:
                        found[called.item].append(tuple(e.generics))
        return found

    @staticmethod
    def call_of(written: Written) -> hir.Call | None:
        """The call of a path."""
        body, e = written.body, written.expr
        if body is None or not isinstance(e, hir.PathExpr) or written.outer is not None:
            return None
        around = body.parents[e.id]
        call = body.exprs[around] if around >= 0 else None
        return call if isinstance(call, hir.Call) and call.callee is e else None

    def indent(self, offset: int) -> str:
        """The white space that the line of an offset starts with."""
        line = self.source.content.rfind(b"\n", 0, offset) + 1
        return (
            self.source.content[line:offset].decode() if not self.source.content[line:offset].strip() else ""
        )

    def text(self, span: Span) -> str:
        """What is written there."""
        return self.source.text.decode(*span)

    def spelling(self, span: Span) -> str:
        """What is written there, on one line and without comments."""
        return on_one_line(self.text(span))

    @cached_property
    def record_calls(self) -> list[RecordCall]:
        """The calls that save or load with a recorder."""
        return list(record_calls(self)) if self.unit.is_old else []

    def recorders(self) -> Iterator[RecorderUse]:
        """The recorders and record types that are named elsewhere."""
        return recorders(self) if self.unit.is_old else iter(())

    def derived_records(self) -> Iterator[Place]:
        """Where `Record` is derived."""
        return derived(self) if self.unit.is_old else iter(())

    def record_imports(self) -> Iterator[Gone]:
        """The imports of recorders and record types; with edits where nothing of the file will need them."""
        vanishing = [span for call in self.record_calls for span in call.gone if call.edits]
        vanishing += [(e.place.start, e.place.end) for each in self.recorders() for e in each.edits]
        for use in self.uses:
            full = "::".join(self.before.outside(use.path, use))
            if full:
                lost = self.before.new.resolve_path(full) is None and full not in table()["renames"]
                lost = lost and (full.startswith("burn::record::") or full.endswith("Record"))
            else:
                lost = derived_record(self, use.path, use)
            if not lost:
                continue
            free = all(
                any(start <= at < end for start, end in (use.name_span, *vanishing))
                for at in mentions(self.source, use.name)
            )
            edits = self.cut(*without_import(use)) if free else ()
            yield Gone(self.place(use.name_span), full or use.name, "", edits)

    def datasets(self) -> Iterator[DatasetChange]:
        """Where a dataset or a loader gives an `Option`, or bare items."""
        asked = self.unit.is_old or (not self.unit.current and _NAMES_DATASETS.search(self.source.content))
        return datasets(self) if asked else iter(())

    def scalar_reads(self) -> Iterator[ScalarRead]:
        """The scalars that are read without a type."""
        return scalar_reads(self)

    def learning_rates(self) -> Iterator[tuple[Place, tuple[Edit, ...]]]:
        """The steps of schedules that are taken for a number."""
        return learning_rates(self) if self.unit.is_old else iter(())

    def renamed(self) -> Iterator[Renamed]:
        """The names that burn does not have any more, but for back ends and recorders."""
        return renamed(self)

    def removed(self) -> Iterator[Removed]:
        """What burn lost without a like, and what takes other types."""
        return removed(self)

    def devices(self) -> Iterator[DeviceChange]:
        """The device types of back ends, their values, and the devices that need autodiff."""
        return devices(self) if self.unit.is_old else iter(())

    def copied_devices(self) -> Iterator[tuple[Place, Edit]]:
        """Where a device is handed on by value though it is used again."""
        return copies(self) if self.unit.names_backends else iter(())

    def device_imports(self) -> Iterator[Gone]:
        """The imports of device types."""
        for use in self.uses:
            found = device_type(self.before, use.path, use, "type")
            lost = self._is_leftover(use) or self.unit.is_missing(use.path, use)
            if found is not None and not found[1] and lost:
                yield from self._import(use)

    def associated(self) -> Iterator[Associated]:
        """The associated types and functions of back ends (`B::Device`, `B::seed(..)`)."""
        for path in self.paths:
            if not self.unit.goes(path):
                yield from associated(self, path)

    def backend_traits(self) -> Iterator[Gone]:
        """The imports of the traits for back ends from where they were."""
        for use in self.uses:
            full = self.before.outside(use.path, use)
            _, key, rest = self.before.split(full)
            if key in TRAITS and not rest and self.before.new.resolve_path("::".join(full)) is None:
                yield from self._import(use)

    def backend_imports(self) -> Iterator[Gone]:
        """The imports of back ends, in old code or unused."""
        for use in self.uses:
            _, key, rest = self.before.split(self.before.outside(use.path, use))
            if key in self.before.backends and not rest and self._is_leftover(use):
                yield from self._import(use)

    def _import(self, use: Use) -> Iterator[Gone]:
        """An import; with edits where nothing of the file will need it."""
        edits = self.cut(*without_import(use)) if self._is_free(use.name, use.name_span) else ()
        full = self.before.outside(use.path, use)
        yield Gone(self.place(use.name_span), "::".join(full) or use.name, "", edits)

    def _is_leftover(self, use: Use) -> bool:
        """Whether the unit is old code, or nothing in the file says the name of an import."""
        if self.unit.names_backends:
            return True
        dead = [each.span for each in self.unit.aliases if each.file is self.source and self._is_dead(each)]
        parts = [use.name_span, *dead]
        return all(any(start <= at < end for start, end in parts) for at in mentions(self.source, use.name))

    def _is_dead(self, alias: TypeAlias) -> bool:
        """Whether nothing names an alias of the package's own, as after its uses went."""
        start, end = alias.span
        return not alias.public and all(start <= at < end for at in mentions(self.source, alias.name))

    @cached_property
    def uses(self) -> list[Use]:
        """The imports of the file, but for globs."""
        if not self.unit.is_old:
            return []
        return [each for each in self.source.items.all if isinstance(each, Use) and each.name != "*"]

    def _is_free(self, name: str, declared: Span) -> bool:
        """Whether all that names something in the file, but for its own declaration, vanishes."""
        parts = [declared, *self.unit.vanishing(self.source)]
        return all(any(start <= at < end for start, end in parts) for at in mentions(self.source, name))

    def in_macros(self, prefix: str) -> Iterator[Gone]:
        """The paths below one of the old burn that a `macro_rules!` of the file writes."""
        for item in self.source.items.all if self.unit.is_old else ():
            if not isinstance(item, MacroRules):
                continue
            for found in _BURN_PATH.finditer(self.source.content, *item.span):
                full = found.group().decode()
                sort, key, _ = self.before.split(tuple(full.split("::")))
                if full.startswith(f"{prefix}::") and sort:
                    yield Gone(self.place(found.span()), full, key)

    def aliases(self) -> Iterator[Gone]:
        """The aliases of back ends that the file declares; with edits where nothing will name them."""
        for item in self.unit.aliases if self.unit.is_old else ():
            left = self.unit.names_backends or self._is_dead(item) or self.unit.is_broken(item)
            if item.file is self.source and left:
                start = min([item.span[0], *(span[0] for span in item.attribute_spans)])
                whole = whole_lines(self.source.content, (start, item.span[1]))
                free = item in self.unit.free_aliases
                yield Gone(self.place(item.name_span), item.name, "", self.cut(whole) if free else ())

    def leftover_imports(self) -> Iterator[Gone]:
        """Imports of aliases of back ends that nothing of the file will need."""
        for use in self.uses:
            own = not self.before.outside(use.path, use)
            if own and self.before.is_backend(use.path, use) and self._is_leftover(use):
                yield from (each for each in self._import(use) if each.edits)


def file_migration(unit: UnitMigration, source: SourceFile) -> FileMigration:
    """The view of a file, the same one each time."""
    found = unit.views.get(source)
    if not isinstance(found, FileMigration):
        found = unit.views[source] = FileMigration(unit, source)
    return found


def _without(content: bytes, args: tuple[rt.TypeExpr, ...], gone: tuple[Parameter, ...]) -> list[Span]:
    names = [each.name for each in gone[0].item.generics.params]
    numbers = {names.index(each.name) for each in gone}
    return without_arguments(content, args, {at for at in numbers if at < len(args)})


def _inside_another(span: Span, spans: list[Span]) -> bool:
    return any(a <= span[0] and span[1] <= b and (a, b) != span for a, b in spans)


def _outermost(edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """Edits without those inside of a deletion."""
    cuts = [edit for edit in edits if not edit.text]
    kept = []
    for edit in dict.fromkeys(edits):
        inside = any(
            other != edit
            and other.place.path == edit.place.path
            and other.place.start <= edit.place.start
            and edit.place.end <= other.place.end
            for other in cuts
        )
        if not inside:
            kept.append(edit)
    return tuple(kept)
