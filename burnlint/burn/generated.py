"""Code that burn-onnx writes: where a package generates it, and where it uses the models in it.

Source: burn-onnx 0.22.0, src/import/model_gen.rs and src/import/burn/graph.rs: `run_from_script` writes modules below
`$OUT_DIR`, each with a struct `Model`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.rust import hir, resolution

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

RUNS = ("run_from_script", "run_from_cli")
STRATEGIES = ("load_strategy", "embed_states")
INCLUDES = re.compile(rb"include!\s*[(\[{]\s*concat!\s*\(\s*env!\s*\(\s*\"OUT_DIR\"")
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
        if _is_generator(call):
            yield Generator(call)


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


def _is_generator(call: Expr) -> bool:
    """Whether the receiver of a run is a `ModelGen` of burn-onnx, through its setters and statements."""
    at = call.operands[0] if call.operands else None
    for _ in range(_MAX_STEPS):
        origin = at.origins().must if at is not None else None
        if at is None or origin is None or origin.carried or origin.steps:
            return False
        made = at.at(origin)
        if origin.kind == "changed":
            at = at.at(origin.before) if origin.before is not None else None
        elif origin.kind == "operation" and isinstance(made.expr, hir.MethodCall):
            at = made.operands[0]
        else:
            return origin.kind == "operation" and _is_new(made)
    return False


def _is_new(call: Expr) -> bool:
    callee = call.expr.callee if isinstance(call.expr, hir.Call) else None
    if not isinstance(callee, hir.PathExpr):
        return False
    found = call.file.analysis.world.resolver.resolve(callee.path, call.fn, "value")
    path = found.path if isinstance(found, resolution.Extern) else ()
    return path[:1] == ("burn_onnx",) and path[-2:] in (("ModelGen", "new"), ("ModelGen", "default"))


def _says_file(call: Expr) -> bool:
    """Whether a call asks for the strategy that is there anyway."""
    return call.name == "load_strategy" and call.operands[-1].text.rpartition("::")[2] == "File"
