"""Questions about training loops: passes and gradients, optimizers and what resumes them, seeds, data loaders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from burnlint.burn import (
    accumulation,
    autodiff,
    batch_sizes,
    batchers,
    evaluation,
    loader_errors,
    loaders,
    new_values,
    optimizers,
    resumes,
    seeds,
    tape,
    training,
)
from burnlint.burn.view_weights import WeightQuestions

if TYPE_CHECKING:
    from burnlint.burn.accumulation import Accumulation
    from burnlint.burn.carriers import Carrier
    from burnlint.burn.expr import Expr
    from burnlint.burn.loader_errors import Skipped
    from burnlint.burn.tape import Backward


class LoopQuestions(WeightQuestions):
    """Questions about training loops: passes and gradients, optimizers and what resumes them, seeds, data loaders."""

    training_spelling = training.SPELT_NEAR
    """What a function spells that trains a module itself or by a helper that is called `train_step` or the like."""

    @cached_property
    def spells_training(self) -> bool:
        """Whether the code around the file, tests aside, spells what trains a module: a test of bytes."""
        return self.analysis.holds(training.SPELT)

    @cached_property
    def spells_autodiff(self) -> bool:
        """Whether the code around the file, tests aside, spells what puts a device, tensor or module on autodiff, runs
        `backward` or trains a module: a test of bytes."""
        return self.spells_training or self.analysis.holds(autodiff.SPELT)

    @cached_property
    def trains(self) -> bool:
        """Whether the code around the file runs `backward` outside of tests."""
        return training.runs_backward(self._self)

    @property
    def freezes_modules(self) -> bool:
        """Whether anything in the crates around it freezes a module, other than a copy for one `forward`."""
        return training.freezes_modules(self._self)

    @cached_property
    def autodiff_states(self) -> autodiff.States:
        """What values are known to be on autodiff."""
        return autodiff.States()

    def passes(self, in_loops: bool = False) -> Iterator[Expr]:
        """The passes through a module, or only those within a loop, outside of tests."""
        return evaluation.passes(self._self, in_loops)

    @cached_property
    def backwards(self) -> list[Backward]:
        """Each `backward` of the file, and each call of a function of the package that runs one of them on
        what it is given; outside of tests."""
        found = tape.backwards(self.calls("backward", tests=False))
        return [each for each in found if not each.call.in_test]

    @cached_property
    def new_values(self) -> list[tuple[Expr, list[Expr]]]:
        """In code with autodiff the calls that give a parameter another value, tests aside, each with what this may be;
        empty where that is not in sight."""
        return list(new_values.new_values(self._self))

    def accumulations(self) -> Iterator[Accumulation]:
        """Where a loop that trains carries a tensor on that is computed from itself and from parameters."""
        return accumulation.accumulations(self._self)

    def module_updates(self) -> Iterator[tuple[Carrier, Expr | None]]:
        """Where the updated module of an optimizer's step comes out: the step itself, and the calls of functions
        that return it; each with the module that it updates, None where that is not in sight."""
        for step in self.calls("step", "step_multi"):
            if step.stepped_module is not None:
                for carrier in step.carriers():
                    own = carrier.call is step
                    given = None if own else carrier.call.module_operand or carrier.given(2)
                    yield carrier, step.stepped_module if own else given

    def rebuilt_optimizers(self) -> Iterator[tuple[Expr, Expr, Expr]]:
        """The optimizers with a state that are made anew for each step of a module which goes from round to round:
        where one is made, the step, and the call in the loop."""
        return optimizers.rebuilt(self._self)

    def fresh_optimizers(self) -> Iterator[tuple[Expr, Expr]]:
        """The optimizers that are made in a function which speaks of resuming and loads the weights of a module,
        steps it, and loads no state; each with that load."""
        return resumes.fresh_optimizers(self._self)

    def states_without_param_ids(self) -> Iterator[tuple[Expr, Expr]]:
        """The loads of an optimizer's state whose module is new and takes its weights from a file without the ids of
        parameters; each with that load of the weights."""
        return resumes.without_ids(self._self)

    def optimizer_loads_of_modules(self) -> Iterator[tuple[Expr, Expr]]:
        """The loads of an optimizer's state from a file that holds a module; each with the call that shows it."""
        return resumes.of_another_file(self._self)

    def unseeded_tests(self) -> Iterator[Expr]:
        """The first draw of random numbers of each test that compares tensors up to a tolerance, in files that seed
        nothing."""
        return seeds.unseeded_tests(self._self)

    def late_seeds(self) -> Iterator[tuple[Expr, Expr]]:
        """The calls that seed a device after something has drawn from it on every path, with the first such draw."""
        return seeds.late_seeds(self._self)

    def loader_errors(self, what: Literal["flattened", "passed over", "ended"]) -> Iterator[Skipped]:
        """Where the errors of a data loader's batches are dropped by an adaptor that asks on ("flattened"), where
        a loop goes on after one ("passed over"), and where the first one ends the batches ("ended")."""
        if self.package_spells("DataLoader"):
            find = {
                "flattened": loader_errors.flattened,
                "passed over": loader_errors.passed_over,
                "ended": loader_errors.ended,
            }
            yield from find[what](self._self)

    def shuffles_with_workers(self) -> Iterator[tuple[Expr, Expr]]:
        """The builds of loaders that shuffle and have two workers or more, with the setter of the workers."""
        return loaders.shuffled_with_workers(self._self)

    def forked_loaders(self) -> Iterator[tuple[Expr, Expr]]:
        """The `to_device` and `slice` of a loader that visibly shuffles without workers and is used in another way
        too, with one of these uses."""
        return loaders.forked(self._self)

    def overlapping_iterators(self) -> Iterator[tuple[Expr, Expr]]:
        """The iterators of a loader with workers that start while another one of it is under way, with that one."""
        return loaders.overlapping(self._self)

    def batchers_on_another_device(self) -> Iterator[Expr]:
        """Of each `Batcher::batch` that leaves the loader's device unused the first device of its own that it puts a
        tensor on."""
        return batchers.on_another_device(self._self)

    def assumed_batch_sizes(self) -> Iterator[tuple[Expr, Expr]]:
        """The `reshape`s of a part of a loader's batch whose first size is what the loader was told as `batch_size`,
        with that setting."""
        return batch_sizes.assumed(self._self)
