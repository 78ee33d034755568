"""Paths of burn that stand behind a feature of its own, as the facts of its API say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from burnlint.lint.finding import Edit, Place
from burnlint.rust.items import Fn, Use
from burnlint.rust.types import Path
from burnlint.rust.written import written

if TYPE_CHECKING:
    from burnlint.burn.view import FileView


class Gated(NamedTuple):
    """A path of burn: where it is written, and the module on its way that the feature opens."""

    place: Place
    module: str


def gated(file: FileView, feature: str) -> Iterator[Gated]:
    """The paths from burn's root that need a feature of burn, in imports first; one per module."""
    seen: set[str] = set()
    for path in _paths(file):
        module = _module(file, path, feature)
        if module is not None and module not in seen:
            seen.add(module)
            yield Gated(Place(file.path, *path.span), module)


def _paths(file: FileView) -> Iterator[Path]:
    roots = [name for name, crate in file.analysis.unit.externs.items() if crate == "burn"]
    if not roots:
        return
    uses = [item for item in file.source.items.all if isinstance(item, Use)]
    yield from (use.path for use in uses if use.path.segments and use.path.segments[0].name in roots)
    spelled = re.compile(rb"\b(?:%b)\s*::" % b"|".join(re.escape(name.encode()) for name in roots))
    spans = [use.span for use in uses] + [span for span, _ in file.source.comments]
    places = (match.start() for match in spelled.finditer(file.source.content))
    if all(any(start <= place < end for start, end in spans) for place in places):
        return
    for each in written(file.source, lambda item: file.analysis.body(item) if isinstance(item, Fn) else None):
        if each.path.segments[0].name in roots and each.path.qself is None:
            yield each.path


def _module(file: FileView, path: Path, feature: str) -> str | None:
    """The first module of a path that the feature opens; None if the path does not need it."""
    condition = re.compile(rf'(?:^|\ball\([^)]*)feature = "{re.escape(feature)}"')
    names = [segment.name for segment in path.segments]
    for length in range(2, len(names) + 1):
        item = file.analysis.api.resolve_path("::".join(["burn", *names[1:length]]))
        if item is None:
            return None
        if any(crate == "burn" and condition.search(text) for crate, text in item.conditions):
            return "::".join(names[:length])
    return None


def with_feature(file: FileView, feature: str) -> list[Edit]:
    """The edits that add a feature to the entry of burn in the package's manifest; empty where it is not there."""
    package = file.package
    if package is None:
        return []
    manifest = file.manifest
    entry = next(
        (e for e in package.entries("burn") if e.at.file == manifest.path and e.kind == "normal"), None
    )
    if entry is None:
        return []
    changes = manifest.features_added(entry, [feature])
    return [Edit(Place(manifest.path, each.start, each.end), each.text) for each in changes]
