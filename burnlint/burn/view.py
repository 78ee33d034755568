"""What a rule sees of a Rust file: its calls, and of each expression where it comes from and what becomes of
it.

These are the questions that a rule may ask. Whatever they answer holds; what is not known is None, empty or
"unknown", as each question says, and no rule may fire on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from burnlint.burn import (
    batch_sizes,
    batchers,
    devices,
    environment,
    evaluation,
    gated,
    generated,
    kernels,
    loader_errors,
    loaders,
    module_code,
    moves,
    optimizers,
    remaps,
    resumes,
    seeds,
    stores,
    tape,
    terms,
    timing,
    training,
    weight_files,
)
from burnlint.burn.accumulation import Accumulation, accumulations
from burnlint.burn.analysis import Analysis
from burnlint.burn.backends import EAGER
from burnlint.burn.calls import operands_as_written
from burnlint.burn.declarations import Declaration, declarations
from burnlint.burn.tape import Backward
from burnlint.burn.values import Site
from burnlint.cargo import files as paths
from burnlint.lint.finding import Edit, Place
from burnlint.rust import context, glance, hir, scalars
from burnlint.rust.items import Fn
from burnlint.rust.source import SourceFile

if TYPE_CHECKING:
    from burnlint.burn.carriers import Carrier
    from burnlint.burn.environment import Assignment
    from burnlint.burn.gated import Gated
    from burnlint.burn.generated import Generator
    from burnlint.burn.kernels import Access
    from burnlint.burn.loader_errors import Skipped
    from burnlint.burn.manifest import ManifestView
    from burnlint.burn.migration.file import FileMigration
    from burnlint.burn.migration.mappers import Mismatch
    from burnlint.burn.shape_macros import ShapeMacro
    from burnlint.burn.project import Project
    from burnlint.burn.remaps import Remap
    from burnlint.burn.stores import StoreUse
    from burnlint.burn.texts import Written
    from burnlint.burn.weight_files import Lacking
    from burnlint.cargo.model import Package
from burnlint.burn.expr_core import called_name
from burnlint.burn.expr_devices import DeviceQuestions


class FileView:
    """A Rust file. `versions` are those of burn that its package may be built with, ascending."""

    def __init__(self, project: Project, source: SourceFile) -> None:
        self._project = project
        self.source = source
        self.path = source.path
        self.versions = project.versions(source.path)
        self._calls: dict[Fn, dict[str, list[hir.Expr]]] = {}
        self._operators: dict[Fn, list[tuple[hir.Binary | hir.AssignOp, bool]]] = {}

    @cached_property
    def analysis(self) -> Analysis:
        """The code around the file."""
        found = self._project.analysis(self.path)
        assert found is not None, "no rule runs on a file without burn"
        return found

    @cached_property
    def migration(self) -> FileMigration:
        """The file as code of burn 0.21 on its way to a newer one."""
        from burnlint.burn.migration.file import file_migration

        return file_migration(self._project.migration(self.path), self.source)

    def mismatched_methods(self, *traits: str) -> Iterator[Mismatch]:
        """The methods in impls of these traits of burn with another number of parameters than the trait has."""
        from burnlint.burn.migration.mappers import mismatches

        return mismatches(self.analysis, self.source, frozenset(traits))

    def shape_macros(self) -> Iterator[ShapeMacro]:
        """The paths to burn's `assert_shape!`, in imports and calls."""
        from burnlint.burn.shape_macros import shape_macros

        return shape_macros(self.analysis, self.source)

    def calls(
        self, *names: str, near: re.Pattern[bytes] | None = None, tests: bool = True
    ) -> Iterator[Expr]:
        """The calls of methods and functions with these names, as methods or as paths, in source order; with
        `near` only those in functions whose text it matches, without `tests` none in test code. What a name resolves
        to is to be asked of each.

        `Config::new` spares the bodies of all functions that do not spell `Config::new`, or so by a name that
        an import gives it; in those that do, every call of `new` is given."""
        places = [place for name in names for each in self._spellings(name) for place in self.source.calls(each)]
        if not places:
            return
        wanted = dict.fromkeys(name.rpartition("::")[2] for name in names)
        for fn in self.source.items.functions_around(places):
            if near is not None and near.search(self.source.content, *fn.span) is None:
                continue
            if not tests and fn.in_test:
                continue
            body = self.analysis.body(fn)
            if body is None:
                continue
            by_name = self._calls_in(fn, body)
            found = [e for name in wanted for e in by_name.get(name, ())]
            found.sort(key=lambda e: e.id)
            for e in found:
                yield Expr(self, self.analysis.values.site(body, e))

    def _spellings(self, name: str) -> list[str]:
        """`Config::new`, and `C::new` where the file has `Config as C`."""
        owner, _, last = name.rpartition("::")
        if not owner:
            return [name]
        renamed = re.findall(rb"\b%b\s+as\s+(\w+)" % owner.encode(), self.source.content)
        return [name, *(f"{each.decode()}::{last}" for each in dict.fromkeys(renamed))]

    def statements(self, *names: str) -> Iterator[Expr]:
        """The calls with these names whose result a statement throws away, also behind `?` and `unwrap()`,
        outside of tests, in source order."""
        content = self.source.content
        places = [
            at for name in names for at in self.source.calls(name) if glance.may_start_statement(content, at)
        ]
        for fn in self.source.items.functions_around(places) if places else ():
            body = self.analysis.body(fn) if not fn.in_test else None
            if body is None:
                continue
            for e in body.exprs:
                if called_name(e) in names:
                    call = Expr(self, self.analysis.values.site(body, e))
                    if call.dropped == "dropped":
                        yield call

    def expr(self, site: Site) -> Expr:
        """What stands at a site, to ask about."""
        return Expr(self, site)

    def _calls_in(self, fn: Fn, body: hir.Body) -> dict[str, list[hir.Expr]]:
        """All calls in the body of a function, by name."""
        found = self._calls.get(fn)
        if found is None:
            found = self._calls[fn] = {}
            for e in body.exprs:
                if isinstance(e, hir.MethodCall):
                    found.setdefault(e.name, []).append(e)
                elif isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
                    found.setdefault(e.callee.path.name, []).append(e)
        return found

    def operators(
        self, *ops: str, near: re.Pattern[bytes] | None = None, tests: bool = True, both: bool = False
    ) -> Iterator[Expr]:
        """The binary operators of these kinds (`*` stands for `*=` too) of which an operand is a tensor, in
        source order. What is left out spares the types of its functions: with `near` all but those whose text
        it matches, without `tests` test code, with `both` operators of which one operand is no tensor."""
        content = self.source.content
        if near is not None and near.search(content) is None:
            return
        places = [at for at, op in self.source.operators if op in ops]
        for fn in self.source.items.functions_around(places) if places else ():
            if near is not None and near.search(content, *fn.span) is None:
                continue
            if not tests and fn.in_test:
                continue
            body = self.analysis.body(fn)
            if body is None:
                continue
            for e, half_plain in self._operators_in(fn, body):
                if e.op in ops and not (both and half_plain):
                    found = Expr(self, self.analysis.values.site(body, e))
                    of = all if both else any
                    if of(isinstance(each.term, terms.Tensor) for each in found.operands):
                        yield found

    def _operators_in(self, fn: Fn, body: hir.Body) -> list[tuple[hir.Binary | hir.AssignOp, bool]]:
        """The operators in the body of a function of which an operand may be no plain value, each with
        whether one is."""
        found = self._operators.get(fn)
        if found is None:
            found = self._operators[fn] = []
            plain = scalars.plain(body)
            for e in body.exprs:
                if isinstance(e, hir.Binary | hir.AssignOp):
                    left, right = operands_as_written(e)
                    if not (plain[left.id] and plain[right.id]):
                        found.append((e, plain[left.id] or plain[right.id]))
        return found

    def deriving(self, name: str) -> Iterator[Declaration]:
        """The structs and enums that derive burn's `Module`, `Config` or whatever the name is, in source
        order."""
        return (each for each in declarations(self) if each.derives_of_burn(name) is not None)

    def never_on(self, crate: str, feature: str) -> bool:
        """Whether no build of the file's package can turn a feature of a crate of burn's on, whatever
        features are asked for."""
        return self._project.ever_on(self.path, crate, feature) is False

    @cached_property
    def backends(self) -> frozenset[str]:
        """The back ends that some build with the file's package in it can have, by the names of their features
        (`wgpu`, `flex`); empty where none is in sight, as in a library that leaves them to its user."""
        return self._project.backends(self.path)

    @property
    def only_eager(self) -> bool:
        """Whether all back ends in sight have computed a result when the call for it returns."""
        return bool(self.backends) and self.backends <= EAGER

    device_spelling = devices.SPELT
    """Calls that make a device, as they are written."""

    @cached_property
    def spelt_devices(self) -> frozenset[str]:
        """The back ends whose devices the file makes by name, `default` among them."""
        calls = (match[0].partition(b"(")[0] for match in devices.SPELT.finditer(self.source.content))
        return frozenset(call.rpartition(b"::")[2].strip().decode() for call in calls)

    @cached_property
    def spells_two_devices(self) -> bool:
        """Whether the file holds two different calls that make a device."""
        return (
            len({re.sub(rb"\s", b"", match[0]) for match in devices.SPELT.finditer(self.source.content)}) > 1
        )

    def module_updates(self) -> Iterator[tuple[Carrier, Expr | None]]:
        """Where the updated module of an optimizer's step comes out: the step itself, and the calls of functions
        that return it; each with the module that it updates, None where that is not in sight."""
        for step in self.calls("step", "step_multi"):
            if step.stepped_module is not None:
                for carrier in step.carriers():
                    own = carrier.call is step
                    yield carrier, step.stepped_module if own else carrier.call.module_operand

    def used_after_move(self) -> Iterator[moves.Moved]:
        """The tensors that are moved and used again before they are set anew."""
        return moves.used_after_move(self)

    def moved_out_of_borrow(self) -> Iterator[Expr]:
        """The tensor fields that are moved out of what is only borrowed."""
        return moves.moved_out_of_borrow(self)

    def clones_of_last_use(self) -> Iterator[Expr]:
        """The clones of owned tensors that nothing reads afterwards."""
        return moves.clones_of_last_use(self)

    def constants_of_modules(self, near: str) -> Iterator[tuple[str, Expr]]:
        """The plain tensors that struct literals of modules put into fields, each with the field's name, if the
        file holds the word `near`."""
        return module_code.constants_of_modules(self, near)

    def unchecked_forwards(self) -> Iterator[tuple[Fn, Place]]:
        """The public `forward…` methods of modules that take several tensors and assert nothing, with the place of
        their name."""
        return module_code.unchecked_forwards(self)

    def accumulations(self) -> Iterator[Accumulation]:
        """Where a loop that trains carries a tensor on that is computed from itself and from parameters."""
        return accumulations(self)

    def store_uses(self) -> Iterator[StoreUse]:
        """The calls that load a module from a store of burn-store, or save it into one."""
        return stores.uses(self)

    def generators(self) -> Iterator[Generator]:
        """The runs of burn-onnx's code generator."""
        return generated.generators(self)

    def generated_models(self, made_by: str) -> Iterator[Expr]:
        """The calls `Model::default()` or `Model::new(..)` of a struct that only generated code may declare."""
        return generated.models(self, made_by)

    @property
    def includes_generated(self) -> bool:
        """Whether it includes code from the build folder."""
        return generated.includes_generated(self)

    @property
    def target_kinds(self) -> frozenset[str]:
        """The kinds of the package's targets ("lib", "bin", "build", "example", ..) whose modules it is among."""
        package = self._project.package(self.path)
        around = [crate.root for crate in self.analysis.unit.own if crate.has(self.source)]
        roots = {root.file.path for root in around if root is not None}
        return (
            frozenset(each.kind for each in package.targets if each.path in roots) if package else frozenset()
        )

    @property
    def is_build_script(self) -> bool | None:
        """Whether it is the build script of its package; of a file without a package it is not known (None)."""
        return self.target_kinds == {"build"} if self._project.package(self.path) is not None else None

    @property
    def has_build_script(self) -> bool:
        """Whether its package has one."""
        package = self._project.package(self.path)
        return package is not None and any(target.kind == "build" for target in package.targets)

    def record_files(self) -> Iterator[tuple[Expr, Written]]:
        """The calls that write or read a record of burn 0.22 as a file, with what is known of its path."""
        return stores.record_files(self)

    def environment_set(self, *variables: str) -> Iterator[Assignment]:
        """The calls of `std::env::set_var` for one of these variables whose value is known."""
        return environment.assignments(self, *variables)

    def remaps(self) -> Iterator[Remap]:
        """The renamings of keys that are written out."""
        return remaps.remaps(self)

    @property
    def generic_calls(self) -> Iterator[Expr]:
        """The calls of functions with a turbofish that is written out (`infer::<B>(..)`)."""
        names = sorted(set(re.findall(r"\b(\w+)::<", self.source.content.decode(errors="replace"))))
        return self.calls(*names) if names else iter(())

    def loader_errors(self, what: Literal["flattened", "passed over", "ended"]) -> Iterator[Skipped]:
        """Where the errors of a data loader's batches are dropped by an adaptor that asks on ("flattened"), where
        a loop goes on after one ("passed over"), and where the first one ends the batches ("ended")."""
        if self.package_spells("DataLoader"):
            find = {
                "flattened": loader_errors.flattened,
                "passed over": loader_errors.passed_over,
                "ended": loader_errors.ended,
            }
            yield from find[what](self)

    def shuffles_with_workers(self) -> Iterator[tuple[Expr, Expr]]:
        """The builds of loaders that shuffle and have two workers or more, with the setter of the workers."""
        return loaders.builds(self)

    def loaders_moved_again(self) -> Iterator[tuple[Expr, Expr]]:
        """The `to_device` and `slice` of a loader that visibly shuffles without workers and is used in another way
        too, with one of these uses."""
        return loaders.moved_again(self)

    def loaders_iterated_twice(self) -> Iterator[tuple[Expr, Expr]]:
        """The iterators of a loader with workers that start while another one of it is under way, with that one."""
        return loaders.iterated_twice(self)

    def batchers_on_another_device(self) -> Iterator[Expr]:
        """Of each `Batcher::batch` that leaves the loader's device unused the first device of its own that it puts a
        tensor on."""
        return batchers.on_another_device(self)

    def batch_sizes_assumed(self) -> Iterator[tuple[Expr, Expr]]:
        """The `reshape`s of a part of a loader's batch whose first size is what the loader was told as `batch_size`,
        with that setting."""
        return batch_sizes.assumed(self)

    def optimizer_loads_of_models(self) -> Iterator[tuple[Expr, Expr]]:
        """The loads of an optimizer's state from a file that holds a module; each with the call that shows it."""
        return resumes.of_another_file(self)

    def fresh_optimizers(self) -> Iterator[tuple[Expr, Expr]]:
        """The optimizers that are made in a function which speaks of resuming and loads the weights of a module,
        steps it, and loads no state; each with that load."""
        return resumes.fresh_optimizers(self)

    def unseeded_tests(self) -> Iterator[Expr]:
        """The first draw of random numbers of each test that compares tensors up to a tolerance, in files that seed
        nothing."""
        return seeds.unseeded_tests(self)

    def late_seeds(self) -> Iterator[tuple[Expr, Expr]]:
        """The calls that seed a device after something has drawn from it on every path, with the first such draw."""
        return seeds.late_seeds(self)

    def states_without_ids(self) -> Iterator[tuple[Expr, Expr]]:
        """The loads of an optimizer's state whose module is new and takes its weights from a file without the ids of
        parameters; each with that load of the weights."""
        return resumes.without_ids(self)

    def rebuilt_optimizers(self) -> Iterator[tuple[Expr, Expr, Expr]]:
        """The optimizers with a state that are made anew for each step of a module which goes from round to round:
        where one is made, the step, and the call in the loop."""
        return optimizers.rebuilt(self)

    def timed_sections(self) -> Iterator[timing.Section]:
        """The stretches of a function between a reading of the clock and the time taken since."""
        return timing.sections(self)

    def benchmarks(self) -> Iterator[timing.Section]:
        """The closures that a benchmark (criterion, divan, `test::Bencher`) runs again and again."""
        return timing.benchmarks(self)

    def passes(self) -> Iterator[Expr]:
        """The passes through a module, outside of tests."""
        return evaluation.passes(self)

    def backwards(self) -> Iterator[Backward]:
        """Each `backward` of the file, and each call of a function of the package that runs one of them on
        what it is given."""
        return tape.backwards(self.calls("backward"))

    @cached_property
    def trains(self) -> bool:
        """Whether the code around the file runs `backward` outside of tests."""
        return training.runs_backward(self)

    def unguarded_kernels(self) -> Iterator[Access]:
        """The kernels of cubecl that index a container by the position of a unit with nothing that may guard it."""
        return kernels.unguarded(self)

    def floored_cube_counts(self) -> Iterator[Expr]:
        """The divisions that give a number of cubes and may leave a rest."""
        return kernels.floored_counts(self)

    def gated(self, feature: str) -> Iterator[Gated]:
        """The paths of burn that stand behind a feature of its own, one per module."""
        return gated.gated(self, feature)

    def with_feature(self, feature: str) -> list[Edit]:
        """The edits that add a feature to the entry of burn in the package's manifest; empty where that is not
        there."""
        return gated.with_feature(self, feature)

    @property
    def package(self) -> Package | None:
        """The package that it belongs to."""
        return self._project.package(self.path)

    @property
    def manifest(self) -> ManifestView:
        """The manifest of its package. Raises AssertionError where it belongs to none."""
        assert self.package is not None
        return self._project.manifest_view(self.package.manifest.path)

    @property
    def roots(self) -> list[str]:
        """The folders that a relative path may be meant from when the program runs: that of the package, that
        of its workspace."""
        package = self._project.package(self.path)
        return list(dict.fromkeys([package.root, package.workspace.root])) if package is not None else []

    def read(self, path: str) -> bytes | None:
        """The content of another file of the project; None if it is not there or lies outside of it."""
        if not any(paths.inside(path, root) for root in self.roots):
            return None
        text = self._project.text(path)
        return text.content if text is not None else None

    def head(self, path: str, size: int) -> bytes | None:
        """The first bytes of another file of the project; None if it is not there or lies outside of it."""
        within = any(paths.inside(path, root) for root in self.roots)
        return self._project.reader.head(path, size) if within else None

    def weights_lacking(self) -> Iterator[Lacking]:
        """The loads from files of weights in the project that have nothing for some fields of the module."""
        return weight_files.lacking(self)

    def package_spells(self, word: str) -> bool:
        """Whether any file of the package, or of the workspace crates it uses, holds a word: a test of bytes."""
        unit = self.analysis.unit
        return any(
            file.spells(word)
            for file in dict.fromkeys(f for crate in (*unit.own, *unit.used) for f in crate.files())
        )

    def is_root_of_crate_with(self, *words: str) -> bool:
        """Whether it is the root file of a crate that holds one of these words: a test of bytes."""
        return any(
            crate.root is not None
            and crate.root.file is self.source
            and any(file.spells(word) for file in crate.files() for word in words)
            for crate in self.analysis.unit.own
        )

    def burn_at_least(self, version: str) -> bool:
        """Whether every version of burn that may be meant is at least that one (its pre-releases count)."""
        least = tuple(map(int, version.split(".")))
        return all(tuple(map(int, re.findall(r"\d+", each)[: len(least)])) >= least for each in self.versions)

    @cached_property
    def remarks(self) -> list[context.Remark]:
        """The comments of the file, those right below each other as one."""
        return context.remarks(self.source)

    def panic_tests(self) -> Iterator[tuple[Fn, Place]]:
        """The tests that pass on any panic (`#[should_panic]` without a text) and compute with tensors, each
        with the attribute's place."""
        for fn in self.source.items.functions:
            attribute = fn.attribute("should_panic") if fn.attribute_spans else None
            if attribute is None or attribute.arguments:
                continue
            body = self.analysis.body(fn)
            if body is None:
                continue
            types = self.analysis.types(body)
            if any(isinstance(types.expr(e), terms.Tensor) for e in body.exprs):
                yield fn, Place(self.path, *attribute.span)

    def around(self) -> Iterator[FileView]:
        """The files of the crates around this file, itself among them, those of packages without burn left out:
        nothing is known of them."""
        unit = self.analysis.unit
        for source in dict.fromkeys(file for crate in (*unit.own, *unit.used) for file in crate.files()):
            view = self if source is self.source else self._project.file_view(source)
            if view.versions:
                yield view

    def callers(self, fn: Fn) -> Iterator[Expr]:
        """The calls of a function of the workspace in the crates around this file."""
        for view in self.around():
            for call in view.calls(fn.name):
                if call.target is not None and call.target.fn is fn:
                    yield call


@dataclass(frozen=True)
class Expr(DeviceQuestions):
    """An expression, in the body that holds it.

    Its questions stand in expr_core, expr_values, expr_tensors, expr_training and expr_devices.
    """
