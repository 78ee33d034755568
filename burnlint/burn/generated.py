"""Code that burn-onnx writes: where a package generates it, and where it uses the models in it.

Source: burn-onnx 0.22.0, src/import/model_gen.rs and src/import/burn/graph.rs: `run_from_script` writes modules below
`$OUT_DIR`, each with a struct `Model`. Up to 0.20 the generator was burn-import's; from 0.21.0 on that crate is
burn-onnx under another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.versions import versions_of
from burnlint.cargo.semver import Version
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir, resolution
from burnlint.rust.lists import whole_lines

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

RUNS = ("run_from_script", "run_from_cli")
STRATEGIES = ("load_strategy", "embed_states")
INCLUDES = re.compile(rb"include!\s*[(\[{]\s*concat!\s*\(\s*env!\s*\(\s*\"OUT_DIR\"")
_CRATES = {"burn_onnx": "burn-onnx", "burn_import": "burn-import"}
_WITH_STRATEGIES = Version(0, 21, 0)
"""The first version without `embed_states`: 0.21.0-pre.1 still has it."""
_MAX_STEPS = 50


@dataclass(frozen=True)
class Generator:
    """A run of `burn_onnx::ModelGen`."""

    call: Expr
    """`run_from_script()` or `run_from_cli()`."""

    @property
    def reads_from_disk(self) -> bool:
        """Whether the generated `Model::default()` certainly reads the weights from where they were written: the
        file asks for no other strategy."""
        return all(_says_file(each) for each in self.call.file.calls(*STRATEGIES))


def generators(file: FileView) -> Iterator[Generator]:
    """The runs of burn-onnx's generator in a file."""
    if not file.source.mentions("ModelGen"):
        return
    for call in file.calls(*RUNS):
        if _generator(call)[:1] == ("burn_onnx",):
            yield Generator(call)


@dataclass(frozen=True)
class EmbedStates:
    """A call of `embed_states`, which the generator does not have, and the edits that say the same today (none: by
    hand)."""

    call: Expr
    crate: str
    edits: tuple[Edit, ...]


def embed_states(file: FileView) -> Iterator[EmbedStates]:
    """The calls of `embed_states` of a generator that has load strategies instead."""
    if not file.source.mentions("embed_states"):
        return
    statements = {each.site for each in file.statements("embed_states")}
    for call in file.calls("embed_states"):
        path = _generator(call)
        crate = _CRATES[path[0]] if path else ""
        if crate and _has_strategies(file, crate):
            entries = file.package.entries(crate) if file.package is not None else ()
            renamed = any(entry.key != crate for entry in entries)
            edits = () if renamed else _with_strategy(call, "::".join(path[:-2]), call.site in statements)
            yield EmbedStates(call, crate, edits)


def _has_strategies(file: FileView, crate: str) -> bool:
    """Whether every version of the generator's crate that may be meant has strategies. Where no manifest names the
    crate, it is taken for the one that goes with burn: burn-onnx of 0.21 does not build with burn 0.22."""
    versions = versions_of(file.package, crate) if file.package is not None else None
    if versions is not None:
        return versions.every(lambda version: version >= _WITH_STRATEGIES)
    known = [Version.parse(each) for each in file.versions]
    return bool(known) and min(known) >= Version(0, 22, 0)


def _with_strategy(call: Expr, path: str, alone: bool) -> tuple[Edit, ...]:
    """Edits that ask for the strategy that a call of `embed_states` asks for; `path` leads to the strategies. `alone`
    says that the call is a statement."""
    e = call.expr
    if not isinstance(e, hir.MethodCall) or len(e.args) != 1:
        return ()
    start = call.source.content.rindex(b".", e.receiver.span[1], call.name_place.start)
    embedded, given = f"{path}::LoadStrategy::Embedded", call.inside(e.args[0]).text
    if given == "true":
        strategy = embedded
    elif given != "false":
        strategy = f"if {given} {{ {embedded} }} else {{ {path}::LoadStrategy::File }}"
    elif alone and not isinstance(e.receiver, hir.MethodCall):
        end = call.source.content.index(b";", e.span[1]) + 1
        return (Edit(Place(call.source.path, *whole_lines(call.source.content, (e.span[0], end))), ""),)
    else:
        around = call.source.content.rfind(b"\n", e.receiver.span[1], start)
        return (Edit(Place(call.source.path, around if around >= 0 else start, e.span[1]), ""),)
    return (Edit(Place(call.source.path, call.name_place.start, e.span[1]), f"load_strategy({strategy})"),)


def includes_generated(file: FileView) -> bool:
    """Whether the file includes code from the build folder."""
    return file.source.mentions("OUT_DIR") and INCLUDES.search(file.source.content) is not None


def models(file: FileView, made_by: str) -> Iterator[Expr]:
    """The calls `Model::default()` or `Model::new(..)` (as `made_by` says) of a struct that no code of the
    package declares: one that an included file may bring."""
    if not file.source.mentions("Model"):
        return
    for call in file.calls(made_by):
        callee = call.expr.callee if isinstance(call.expr, hir.Call) else None
        if not isinstance(callee, hir.PathExpr) or call.target is not None:
            continue
        segments = callee.path.segments
        if len(segments) < 2 or segments[-2].name != "Model":
            continue
        found = file.analysis.world.resolver.resolve(callee.path, call.fn, "value")
        if isinstance(found, resolution.Unresolved) and found.why == "macro":
            yield call


def _generator(call: Expr) -> tuple[str, ...]:
    """The path by which the receiver of a call was made (`burn_onnx::ModelGen::new`), through its setters and
    statements; empty if it is no `ModelGen`."""
    at = call.operands[0] if call.operands else None
    for _ in range(_MAX_STEPS):
        origin = at.origins().must if at is not None else None
        if at is None or origin is None or origin.carried or origin.steps:
            return ()
        made = at.at(origin)
        if origin.kind == "changed":
            at = at.at(origin.before) if origin.before is not None else None
        elif origin.kind == "operation" and isinstance(made.expr, hir.MethodCall):
            at = made.operands[0]
        else:
            return _made_by(made) if origin.kind == "operation" else ()
    return ()


def _made_by(call: Expr) -> tuple[str, ...]:
    callee = call.expr.callee if isinstance(call.expr, hir.Call) else None
    if not isinstance(callee, hir.PathExpr):
        return ()
    found = call.file.analysis.world.resolver.resolve(callee.path, call.fn, "value")
    path = found.path if isinstance(found, resolution.Extern) else ()
    known = path[:1] in (("burn_onnx",), ("burn_import",))
    return path if known and path[-2:] in (("ModelGen", "new"), ("ModelGen", "default")) else ()


def _says_file(call: Expr) -> bool:
    """Whether a call asks for the strategy that is there anyway."""
    return call.name == "load_strategy" and call.operands[-1].text.rpartition("::")[2] == "File"
