"""Data loaders: how they were built, moved and iterated.

Source: burn-core 0.22.1, src/data/dataloader/{builder,batch,multithread}.rs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import builders, terms
from burnlint.burn.calls import called_name
from burnlint.rust import hir
from burnlint.rust.items import Enum, Struct
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.terms import Term
    from burnlint.burn.view import FileView

SAME_ITEMS = frozenset({"by_ref", "skip", "inspect", "peekable", "fuse", "step_by", "into_iter"})
"""Adaptors of `Iterator` that give the same items, as many as there are."""
_INFALLIBLE = frozenset({"InMemDataset", "FakeDataset", "MnistDataset"})
"""Datasets that never fail. Source: burn-dataset 0.22.1, src/dataset/{in_memory,fake}.rs, src/vision/mnist.rs."""
_FALLIBLE = frozenset(
    """
    AgNewsDataset CifarDataset DataframeDataset ImageFolderDataset SpeechCommandsDataset SqliteDataset TextFolderDataset
    """.split()  # noqa: SIM905
)
"""Datasets that read files when they are asked. Source: burn-dataset 0.22.1, src/{audio,dataset,nlp,vision}."""
_POINTERS = frozenset({"Arc", "Box", "Rc"})
_WRAPPERS = frozenset(
    """
    ComposedDataset MapperDataset PartialDataset SamplerDataset SelectionDataset ShuffledDataset WindowsDataset
    """.split()  # noqa: SIM905
)
"""Datasets that fail if the one in their first argument does. Source: burn-dataset 0.22.1, src/transform."""
MAX_DATASETS = 8
"""Datasets within datasets that are looked into."""
_FORKS = frozenset({"DataLoader::to_device", "DataLoader::slice"})
"""What gives a loader with a generator of its own, and moves that of the first one on."""
_DRAWS = _FORKS | {"DataLoader::iter"}
_WORKERS = re.compile(rb"num_workers")
_LOADERS = re.compile(rb"[Ll]oader")
MAX_LINKS = 20
"""Links of a chain of adaptors that are gone back over."""


@dataclass(frozen=True)
class Loader:
    """What is in sight of how a loader was built."""

    workers: int | None
    """None: not known."""
    fails: bool | None
    """Whether its dataset may give errors. None: it is not in sight."""
    shuffled: bool = False
    batch_size: Expr | None = None


UNSEEN = Loader(None, None)


def loader_of(value: Expr) -> Loader:
    """What is in sight of how a loader was built."""
    made = value.operation
    if made is None or made.key != "DataLoaderBuilder::build" or len(made.operands) != 2:
        return UNSEEN
    chain = builders.built(made.operands[0])
    if chain is None:
        return Loader(None, _fails(value.file, made.operands[1].term))
    workers, size = chain.setter("num_workers"), chain.setter("batch_size")
    return Loader(
        0 if workers is None else workers.operands[1].number(),
        _fails(value.file, made.operands[1].term),
        chain.setter("shuffle") is not None,
        size.operands[1] if size is not None else None,
    )


def _fails(file: FileView, dataset: Term | None, depth: int = 0) -> bool | None:
    while isinstance(dataset, terms.Ref) or (
        isinstance(dataset, terms.Named) and dataset.name in _WRAPPERS | _POINTERS and dataset.args
    ):
        dataset = dataset.target if isinstance(dataset, terms.Ref) else dataset.args[0]
    if dataset is None or isinstance(dataset, terms.Generic | terms.Unknown):
        return None
    if isinstance(dataset, terms.Declared) and isinstance(dataset.item, Struct | Enum):
        return _get_fails(file, dataset.item, depth)
    name = dataset.name if isinstance(dataset, terms.Named) else ""
    return True if name in _FALLIBLE else False if name in _INFALLIBLE else None


def _get_fails(file: FileView, dataset: Struct | Enum, depth: int) -> bool | None:
    """Whether the `get` of a dataset of the workspace may give an error; None where it is not in sight."""
    world = file.analysis.world
    impls = world.impls_of(dataset)
    get = next(
        (
            fn
            for impl in impls
            if impl.trait is not None and world.resolver.trait_head(impl.trait, impl) == "Dataset"
            for fn in impl.fns
            if fn.name == "get"
        ),
        None,
    )
    body = file.analysis.body(get) if get is not None else None
    if body is None or depth > MAX_DATASETS:
        return None
    if body.of(hir.Try):
        return True
    for e in file.analysis.values.flow(body).returned:
        if isinstance(e, hir.Call) and called_name(e) == "Ok":
            continue
        if not isinstance(e, hir.MethodCall) or e.name != "get":
            return True
        inner = file.expr(file.analysis.values.site(body, e.receiver)).term
        if (fails := _fails(file, inner, depth + 1)) is not False:
            return fails
    return False


def batches_of(items: Expr, same_items: frozenset[str] = SAME_ITEMS) -> Expr | None:
    """The loader whose batches an iterator gives, or the iterator itself where that is out of sight; None for
    any other iterator, and where a part of them is left out by number."""
    at = items.owner
    for _ in range(MAX_LINKS):
        e = at.expr
        if isinstance(e, hir.MethodCall) and e.name == "iter":
            return at.operands[0] if at.key == "DataLoader::iter" else None
        if isinstance(e, hir.MethodCall) and e.name in same_items:
            if e.name == "inspect" and any(
                isinstance(each, hir.Macro) and each.diverges for each in descendants(e)
            ):
                return None
            at = at.inside(e.receiver).owner
            continue
        value = at.bound_to
        if value is not None:
            at = value.owner
            continue
        made = at.operation
        if made is not None and made.key == "DataLoader::iter":
            return made.operands[0]
        return at if _is_iterator(at.term) else None
    return None


def _is_iterator(term: Term | None) -> bool:
    """Whether a type is the iterator of a loader."""
    if isinstance(term, terms.Named) and term.name == "Box" and term.args:
        term = term.args[0]
    if not isinstance(term, terms.Dyn | terms.Impl):
        return False
    return any(isinstance(each, terms.Named) and each.name == "DataLoaderIterator" for each in term.bounds)


def shuffled_with_workers(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The loaders that shuffle and have two workers or more, with the setter of the workers."""
    for call in file.calls("build", near=_WORKERS):
        if call.arity > 2 or call.key != "DataLoaderBuilder::build":
            continue
        chain = builders.built(call.operands[0])
        workers = chain.setter("num_workers") if chain is not None and chain.setter("shuffle") else None
        if workers is not None and len(workers.operands) == 2 and (workers.operands[1].number() or 0) > 1:
            yield call, workers


def forked(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The `to_device` and `slice` of a loader that visibly shuffles without workers and is used in another way
    too, with one of these uses."""
    for call in file.calls("to_device", "slice", near=_LOADERS):
        if call.key not in _FORKS or call.in_test:
            continue
        seen, made = loader_of(call.operands[0]), call.operands[0].operation
        if not seen.shuffled or seen.workers != 0 or made is None:
            continue
        for other in file.calls("to_device", "slice", "iter"):
            if other.fn is call.fn and other.expr is not call.expr and other.key in _DRAWS:
                again = other.operands[0].operation
                if again is not None and again.site == made.site and _both_may_run(call, other):
                    yield call, other
                    break


def _both_may_run(one: Expr, other: Expr) -> bool:
    """Whether two calls of a function may run in one call of it."""
    order = one.flow.order
    return order.may_follow(one.expr, other.expr) or order.may_follow(other.expr, one.expr)


def overlapping(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The iterators of a loader that visibly has workers which start while another one of it is under way, with
    that one."""
    calls = [c for c in file.calls("iter") if isinstance(c.expr, hir.MethodCall) and not c.expr.args]
    for second in calls:
        first = next((c for c in calls if c is not second and _surrounds(c, second)), None)
        if first is None or first.key != "DataLoader::iter" or second.key != "DataLoader::iter":
            continue
        workers = loader_of(first.operands[0]).workers
        if workers and first.operands[0].same_as(second.operands[0]) and not second.in_test:
            yield second, first


def _surrounds(first: Expr, second: Expr) -> bool:
    """Whether an iterator is under way where another one starts: in the body of its loop, or zipped to it."""
    if first.fn is not second.fn:
        return False
    at = first.expr
    while True:
        sink = first.flow.sink(at)
        holder = sink.role.holder
        if isinstance(holder, hir.For) and sink.kind == "iterable":
            start, end = holder.body.span
            return start <= second.expr.span[0] < end
        if not isinstance(holder, hir.MethodCall) or sink.kind != "receiver":
            return False
        if holder.name == "zip" and any(second.expr in set(descendants(arg)) for arg in holder.args):
            return True
        at = holder
