"""Questions about weights in files: stores, records, key remappings, generated models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import generated, remaps, stores, weight_files
from burnlint.burn.view_code import CodeQuestions

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.generated import EmbedStates, Generator
    from burnlint.burn.remaps import Remap
    from burnlint.burn.stores import StoreUse
    from burnlint.burn.texts import Written
    from burnlint.burn.weight_files import Lacking


class WeightQuestions(CodeQuestions):
    """Questions about weights in files: stores, records, key remappings, generated models."""

    def store_uses(self, tests: bool = True) -> Iterator[StoreUse]:
        """The calls that load a module from a store of burn-store, or save it into one; without `tests` none in test
        code."""
        return stores.uses(self._self, tests)

    def record_files(self, tests: bool = True) -> Iterator[tuple[Expr, Written]]:
        """The calls that write or read a record of burn 0.22 as a file, with what is known of its path; without `tests`
        none in test code."""
        return stores.record_files(self._self, tests)

    def remaps(self) -> Iterator[Remap]:
        """The renamings of keys that are written out."""
        return remaps.remaps(self._self)

    def weights_lacking(self) -> Iterator[Lacking]:
        """The loads from files of weights in the project that have nothing for some fields of the module."""
        return weight_files.lacking(self._self)

    def generators(self) -> Iterator[Generator]:
        """The runs of burn-onnx's code generator."""
        return generated.generators(self._self)

    def embed_states(self) -> Iterator[EmbedStates]:
        """The calls of `embed_states` of a generator that has load strategies instead."""
        return generated.embed_states(self._self)

    def generated_models(self, made_by: str) -> Iterator[Expr]:
        """The calls `Model::default()` or `Model::new(..)` of a struct that only generated code may declare."""
        return generated.models(self._self, made_by)

    @property
    def includes_generated(self) -> bool:
        """Whether it includes code from the build folder."""
        return generated.includes_generated(self._self)
