"""The code of a unit on its way to burn 0.22: what all of its files say together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from burnlint.burn.analysis import Analysis
from burnlint.burn.api import Api
from burnlint.burn.macros import BURN_MACROS
from burnlint.burn.migration.arguments import of_path
from burnlint.burn.migration.before import Before, Takes
from burnlint.burn.migration.devices import device_type
from burnlint.burn.migration.parameters import Key, Parameter, fate, parameters
from burnlint.burn.migration.table import table
from burnlint.rust import hir
from burnlint.rust.cfg import ALWAYS
from burnlint.rust.items import Const, Enum, Fn, Impl, Item, Struct, Trait, TypeAlias, Use
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile
from burnlint.rust.types import Path, PathType, Span, nested
from burnlint.rust.written import Written, written

_OLD_STYLE = re.compile(
    rb"\bTensor(?:::)?<\s*([A-Za-z_]\w*)\s*,|[<,]\s*B\s*[,>]|\bB::[A-Za-z]|Recorder\b|\bburn::(?:backend|record)\b"
    rb"|\b(?:Autodiff)?Backend\b|\b(?:AutodiffModule|OptimizerAdaptor|BasicOps|ValidStep|SimpleOptimizer)\b|\bTrainStep<"
    rb"|\bsave_file\(|\bload_file\(|\bwith_file_checkpointer\("
    rb"|\bfn get\(&self, \w+: usize\) -> Option<|\bderive\([^)]*\bRecord\b"
)
"""What code of burn 0.21 has somewhere; a test of bytes. `Tensor<D, Int>` is new if `D` is a number."""


_LOW_LEVEL = re.compile(
    rb"\bburn(?:::|_)backend\b[^;]*\b(?:Autodiff)?Backend\b|\bburn_(?:cubecl|backend|ndarray|fusion)::"
)
"""What low-level code of 0.22 has, which takes back ends as parameters too."""

_OF_BOTH = re.compile(rb"(?:Autodiff)?Backend|[<,]\s*B\s*[,>]|B::[A-Za-z]|burn::backend")
"""The signs of old code that low-level code has too."""


_FEATURE = re.compile(r'feature = "([^"]+)"')


class UnitMigration:
    """All that is read of a unit's old code, each thing once. `analysis` is under the old burn; `current` says
    that the unit has no old code, as it stands in a checkout of burn, or follows a branch of it and asks for no version;
    `ever_on`, of a crate of burn's and its feature, whether some build of the package has it, None where nobody knows."""

    def __init__(
        self,
        analysis: Analysis,
        new: Api,
        current: bool = False,
        ever_on: Callable[[str, str], bool | None] = lambda crate, feature: None,
    ) -> None:
        self._ever_on = ever_on
        self.current = current
        self.analysis = analysis
        self.before = Before(analysis, new)
        self._paths: dict[SourceFile, list[Written]] = {}
        self._calls: dict[Written, Takes] = {}
        self.views: dict[SourceFile, object] = {}
        """For `burnlint.burn.migration.file`."""
        self._vanishing: dict[SourceFile, list[Span]] = {}

    @cached_property
    def own(self) -> list[SourceFile]:
        """The files of the unit's own crates."""
        return list(dict.fromkeys(file for crate in self.analysis.unit.own for file in crate.files()))

    @cached_property
    def _own(self) -> frozenset[SourceFile]:
        return frozenset(self.own)

    @cached_property
    def files(self) -> list[SourceFile]:
        """Those of the crates it uses too."""
        unit = self.analysis.unit
        return list(dict.fromkeys(file for crate in (*unit.own, *unit.used) for file in crate.files()))

    @cached_property
    def is_old(self) -> bool:
        """Whether anything in the unit looks like code for an older burn."""
        return not self.current and any(_looks_old(file.content) for file in self.files)

    @cached_property
    def names_backends(self) -> bool:
        """Whether code of the unit names back ends as types of tensors, or takes them as parameters: it is old then,
        and no low-level code of burn 0.22, which has such types too."""
        if any(each.sort == "backend" for each in self.parameters.values()):
            return True
        return any(
            each.key == "Tensor"
            for file in self.own
            for path in self.paths(file)
            for each in of_path(self.before, file.content, path, self.leaves)
        )

    def body(self, item: Item) -> hir.Body | None:
        if isinstance(item, Fn):
            return self.analysis.body(item)
        return body_of(item, BURN_MACROS) if isinstance(item, Const) and item.value is not None else None

    def bodies(self, file: SourceFile) -> Iterator[hir.Body]:
        """The bodies of the functions of a file."""
        for fn in file.items.functions:
            body = self.analysis.body(fn)
            if body is not None:
                yield body

    def paths(self, file: SourceFile) -> list[Written]:
        """The paths that a file writes."""
        found = self._paths.get(file)
        if found is None:
            found = self._paths[file] = list(written(file, self.body))
            for each in found:
                if each.call is not None and each.body is not None and isinstance(each.body.owner, Fn):
                    takes = self.before.called(each.body, each.call)
                    if takes is not None:
                        self._calls[each] = takes
        return found

    @cached_property
    def parameters(self) -> Mapping[Key, Parameter]:
        """The back end parameters of all files."""
        paths = [path for file in self.files for path in self.paths(file)]
        items = [item for file in self.files for item in file.items.all]
        known = {**table()["types"], **table()["functions"], "InnerBackend": None}
        return parameters(self.before, items, paths, self._calls, known)

    def idle_with(self, parameter: Parameter) -> list[Parameter]:
        """The parameters that nothing names once one for an optimizer is gone."""
        key = parameter.item, parameter.name
        return [each for each in self.parameters.values() if each.sort == "idle" and key in each.needs]

    def leaves(self, item: Item) -> frozenset[int]:
        """The numbers of the parameters that an item of another package loses: the arguments for them go with it."""
        if item.file in self._own:
            return frozenset()
        removable = {name for (of, name), each in self.parameters.items() if of is item and each.removable}
        assert isinstance(item, Fn | Impl | Trait | TypeAlias | Struct | Enum)
        return frozenset(at for at, param in enumerate(item.generics.params) if param.name in removable)

    def goes(self, path: Written) -> bool:
        """Whether a path stands in an argument that goes: of burn's, or for a parameter that does."""
        goes, needs = fate(self.before, path, self._calls)
        return goes or (needs is not None and needs in self.parameters and self.parameters[needs].removable)

    def vanishing(self, file: SourceFile) -> list[Span]:
        """The parts of a file that name what will not be named there any more, once what has edits is edited."""
        found = self._vanishing.get(file)
        if found is None:
            found = [head_of(path.path) for path in self.paths(file) if self._vanishes(path)]
            self._vanishing[file] = found
        return found

    def _vanishes(self, path: Written) -> bool:
        """Whether a path is in an argument that goes, in the bound of a parameter that does, in an alias that
        does, or has a successor."""
        if self.goes(path) or path.item in self.free_aliases:
            return True
        if path.constrained:
            return True
        if path.role == "bound" and path.outer is None:
            return any(
                bound.span == path.path.span
                for (item, name), each in self.parameters.items()
                if item is path.item and each.removable
                for param in item.generics.params
                if param.name == name
                for bound in param.bounds
            )
        at = path if path.path.qself is not None or path.outer is None else path.outer
        return self.has_successor(at)

    def has_successor(self, path: Written) -> bool:
        """Whether something takes the place of an associated item."""
        name = path.path.name
        if device_type(self.before, path.path, path.item, path.role) is not None:
            return True
        if len(path.path.segments) < 2:
            return False
        names = {segment.name for segment in path.path.segments[1:]}
        return name in table()["functions"] or not names.isdisjoint(table()["types"])

    @cached_property
    def aliases(self) -> list[TypeAlias]:
        """The aliases of back ends that the unit declares."""
        return [
            item
            for file in self.own
            for item in file.items.all
            if isinstance(item, TypeAlias)
            and item.owner is None
            and isinstance(item.target, PathType)
            and self.before.is_backend(item.target.path, item)
        ]

    def is_missing(self, path: Path, item: Item) -> bool:
        """Whether a path into burn leads nowhere in the new one: what it names is gone, or behind a feature that no
        build of the package has. What stands under a condition of its own is not meant."""
        full = self.before.outside(path, item)
        if full[:1] != ("burn",) or item.cfg != ALWAYS:
            return False
        _, key, rest = self.before.split(full)
        found = self.before.new.resolve_path("::".join(full[: len(full) - len(rest)])) if key else None
        if not key or found is None:
            return bool(key)
        features = ((crate, _FEATURE.fullmatch(condition)) for crate, condition in found.conditions)
        return any(
            feature is not None and self._ever_on(crate, feature[1]) is False for crate, feature in features
        )

    def is_broken(self, alias: TypeAlias) -> bool:
        """Whether an alias of a back end does not compile whoever uses it: it names one that is missing, or gives one
        the types of its elements."""
        for each in nested(alias.target) if alias.target is not None else ():
            if not isinstance(each, PathType):
                continue
            if self.is_missing(each.path, alias):
                return True
            now = self.before.new.type(self.before.key(each.path, alias))
            if now is not None and len(each.path.segments[-1].args) > len(now.generics):
                return True
        return False

    @cached_property
    def free_aliases(self) -> frozenset[TypeAlias]:
        """Those that nothing will name: the greatest set in which each is only named by arguments that go, by
        imports, and by another of the set."""
        free = set(self.aliases)
        while True:
            kept = {alias for alias in free if self._only_vanishing(alias, free)}
            if kept == free:
                return frozenset(free)
            free = kept

    def _only_vanishing(self, alias: TypeAlias, free: set[TypeAlias]) -> bool:
        inside = alias.scope or (alias.parent if not alias.public else None)
        crates = [
            crate for crate in self.analysis.unit.own if crate.has(alias.file)
        ] or self.analysis.unit.own
        seen = self.own if alias.public else [file for crate in crates for file in crate.files()]
        for file in dict.fromkeys(seen) if inside is None else [alias.file]:
            handled = {use.name_span for use in file.items.all if isinstance(use, Use)}
            handled |= {each.span for each in free if each.file is file}
            handled |= {
                head_of(each.path) for each in self.paths(file) if self.goes(each) or self.has_successor(each)
            }
            for at in mentions(file, alias.name):
                if inside is not None and not inside.span[0] <= at < inside.span[1]:
                    continue
                if not any(start <= at < end for start, end in handled):
                    return False
        return True


def _looks_old(content: bytes) -> bool:
    low_level = _LOW_LEVEL.search(content) is not None
    for match in _OLD_STYLE.finditer(content):
        if low_level and _OF_BOTH.fullmatch(match.group()):
            continue
        rank = match.group(1)
        line = content.rfind(b"\n", 0, match.start()) + 1
        if b"//" in content[line : match.start()]:
            continue
        if rank is None or re.search(rb"\bconst\s+%b\b" % rank, content) is None:
            return True
    return False


def head_of(path: Path) -> Span:
    """A path up to its first generic argument."""
    first = next((arg.span[0] for segment in path.segments for arg in segment.args), path.span[1])
    return path.span[0], path.span[1] if path.qself is not None else first


def mentions(file: SourceFile, name: str) -> list[int]:
    """Where a name stands in a file, line comments left out."""
    found = []
    for match in re.finditer(rb"\b%b\b" % re.escape(name.encode()), file.content):
        line = file.content.rfind(b"\n", 0, match.start()) + 1
        if b"//" not in file.content[line : match.start()]:
            found.append(match.start())
    return found
