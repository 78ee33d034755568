"""Questions about modules, gradients and training: what trains, what is recorded, whether parameters exist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import (
    autodiff,
    builders,
    checkpointing,
    collected,
    evaluation,
    gradients,
    layouts,
    laziness,
    losses,
    optimizers,
    roles,
    tape,
    terms,
    training,
)
from burnlint.burn.calls import called_name
from burnlint.burn.config_files import LoadedFile, loaded_file
from burnlint.burn.expr_tensors import TensorQuestions
from burnlint.burn.module_types import Contents
from burnlint.burn.tape import Tape
from burnlint.burn.training import Optimizers
from burnlint.burn.values import Tracking
from burnlint.lint.finding import Edit
from burnlint.rust import hir
from burnlint.rust.flow import Scope
from burnlint.rust.types import PathType
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr


class TrainingQuestions(TensorQuestions):
    """Questions about modules, gradients and training: what trains, what is recorded, whether parameters exist."""

    @property
    def mode(self) -> str:
        """Of a tensor or module "autodiff", "plain", or "" where it is not known."""
        return getattr(self.term, "mode", "")

    @property
    def was_moved(self) -> bool:
        """Of a module whether it may have been moved to a device before, on any way that it came by."""
        return any(
            self.at(origin).key in training.KEEPS_MODULE
            or origin.kind in ("param", "closure_param", "changed")
            for origin in self.origins().items
        )

    @property
    def contents(self) -> Contents:
        """What a module of its type consists of."""
        analysis = self.file.analysis
        return Contents(self.term, analysis.api, analysis.world.declared)

    @property
    def is_module(self) -> bool:
        """Whether its type is known to be a module: of burn, or derived in the workspace."""
        return roles.is_module(self.term, self.file.analysis.api)

    @property
    def may_be_moved_module(self) -> bool:
        """Whether it may be a module by value: of such a type, of a generic one, or of one that is not
        known."""
        term = self.file.analysis.types(self.site.frame.body).expr(self.expr)
        return isinstance(term, terms.Unknown | terms.Generic) or (
            not isinstance(term, terms.Ref) and self.is_module
        )

    @property
    def is_device(self) -> bool:
        """Whether its type is known to be a device of burn."""
        return roles.is_device(self.term)

    @property
    def is_parameter(self) -> bool:
        """Whether its type is known to be a `Param`."""
        return roles.is_parameter(self.term)

    @property
    def loss_input(self) -> Expr | None:
        """Of a call that computes a cross entropy (`burnlint.burn.losses`) what it computes it from; None for any other."""
        return losses.input_of(self._self)

    @property
    def takes_logits(self) -> bool | None:
        """Of such a call whether it squashes its input itself; None where its configuration is not in sight."""
        return losses.takes_logits(self._self)

    @property
    def scale(self) -> tuple[losses.Scale, Expr] | None:
        """Whether a tensor visibly holds "probabilities", "log-probabilities" or the "raw" output of a layer, with
        the call that gave them; None where that is not in sight."""
        return losses.scale_of(self._self)

    @property
    def built(self) -> builders.Built | None:
        """Of a configuration or builder the chain that it is (`XConfig::new().with_a(..)`); None where it is not
        in sight."""
        return builders.built(self._self)

    @property
    def clipping(self) -> Expr | None:
        """Of an optimizer's configuration the clipping that it visibly sets; None if it sets none, or that is not
        known."""
        return optimizers.clipping_of(self._self)

    @property
    def takes_algorithm(self) -> bool:
        """Whether a call makes an optimizer of modules of what `build()` gives (`ModuleOptimizer::from(..)`)."""
        return optimizers.takes_algorithm(self._self)

    @property
    def loaded_before(self) -> Expr | None:
        """Of an optimizer the load that its state comes from on every path; None if there is none in sight."""
        return optimizers.loaded_before(self._self)

    @property
    def is_loaded_into(self) -> bool:
        """Of a call that gives an optimizer whether a state may be loaded into that one later."""
        return optimizers.loaded_into(self._self)

    @property
    def col_layout(self) -> tuple[Expr, bool] | None:
        """Of a module the call that sets the layout of a Linear in it to Col, and whether it is certainly one
        of this value's; None if there is none in sight."""
        return layouts.col_layout(self._self)

    def loaded_file(self) -> LoadedFile | None:
        """Of a call `Training::load("config.json")` the file and the fields that it lacks; None if it is not
        known."""
        return loaded_file(self._self)

    @property
    def module_operand(self) -> Expr | None:
        """The first operand that is a module of the type that the call gives, alone or first in a tuple; None if there is
        none."""
        result = self.term
        if isinstance(result, terms.Tuple) and result.items:
            result = result.items[0]
        return next((each for each in self.operands if each.is_module and each.term == result), None)

    @property
    def stepped_module(self) -> Expr | None:
        """Of an optimizer's step the module that it takes by value and returns updated; None for any other
        call.
        """
        if len(self.operands) != 4:
            return None
        operands = self.operands
        at = roles.stepped_module(self.target, [each.term for each in operands])
        if at is None or (self.target is None and not operands[at].may_be_moved_module):
            return None
        return operands[at]

    @property
    def host_use(self) -> evaluation.Use | None:
        """What an output is used for, if only for what the host reads (`burnlint.burn.evaluation`); else
        None."""
        return evaluation.host_use(self._self)

    @property
    def backends_given(self) -> list[tuple[str, str]]:
        """Of a call of a function of the workspace the bound of each generic that a turbofish fills, with
        what that backend is ("autodiff", "plain", "")."""
        target = self.target
        if target is None or target.fn is None or not isinstance(self.expr, hir.Call):
            return []
        types = self.file.analysis.types(self.site.frame.body)
        callee = self.expr.callee
        written = callee.path.segments[-1].args if isinstance(callee, hir.PathExpr) else ()
        generics = target.fn.generics.params
        return [
            (target.fn.file.own_name(param.bounds[0].path.name), types.backend_mode(each))
            for param, each in zip(generics, written, strict=False)
            if len(param.bounds) == 1 and isinstance(param.bounds[0], PathType)
        ]

    @property
    def only_predicts(self) -> bool:
        """Whether a call of a function of the workspace runs a model and trains nothing, as far as is seen,
        and takes and gives no tensor or module."""
        return evaluation.only_predicts(self._self)

    @property
    def predictions(self) -> list[Expr]:
        """Of a device the passes of this function through a model on it, if nothing here trains and nothing
        of it leaves the function; else empty."""
        return evaluation.predictions(self._self)

    @property
    def loop_without_training(self) -> Scope | None:
        """The innermost loop around it if nothing that is seen in it trains; None if something does, or there is no loop."""
        return evaluation.loop_without_training(self._self)

    @property
    def is_trained(self) -> bool:
        """Of a module whether it is visibly trained somewhere; False: not known."""
        return training.is_trained(self._self)

    def given_to(self, index: int) -> Iterator[tuple[Expr, Expr]]:
        """The calls of the function around it with what they pass for a parameter (-1 for self)."""
        for call in self.file.callers(self.fn):
            at = index + 1 if self.fn.self_mode else index
            if at < len(call.operands):
                yield call, call.operands[at]

    @property
    def parameter(self) -> int | None:
        """The index of the parameter that it is (-1 for self) on some path, or a part of it; None if it is
        none."""
        own = [o for o in self.origins().items if o.kind == "param" and o.site.frame is self.site.frame]
        return own[0].index if own else None

    @property
    def detached(self) -> Expr | None:
        """The last `detach` among the operations that it went through; None if there is none in sight."""
        return next((each for each in self.derived_by() if each.key == "Tensor::detach"), None)

    @property
    def requires_grad(self) -> bool:
        """Whether it is a call that makes a tensor require a gradient."""
        if self.key == "Tensor::require_grad":
            return True
        args = self.operands[1:]
        return self.key == "Tensor::set_require_grad" and bool(args) and args[0].truth is True

    @property
    def parameters_read(self) -> list[Expr]:
        """The parameters whose values a tensor is computed from (`p` of `p.val()`), as far as it is
        recorded."""
        causes = {
            cause for key in self.tape.leaves for cause in self.at(key.site).tracking().causes("parameter")
        }
        reads = [self.at(cause) for cause in sorted(causes, key=lambda site: site.order)]
        return [read.operands[0] for read in reads if read.key in tape.PARAMETER]

    @property
    def tape(self) -> Tape:
        """The recorded operations that a tensor is computed by."""
        return tape.tape_of(self._self)

    @property
    def no_grad_copy(self) -> Expr | None:
        """Of a module the `no_grad()` that it comes from on every path, as it is or moved; else None."""
        made = self.operation
        while made is not None and made.key in training.KEEPS_MODULE:
            made = made.operands[0].operation
        return made if made is not None and made.key == "Module::no_grad" else None

    @property
    def devices_behind(self) -> list[Expr]:
        """The calls that make the devices of what a tensor is computed from, as far as they are in sight, in
        source order."""
        found = {
            device.operation.site: device.operation
            for key in self.all_that_takes_part.operations
            for device in self.at(key.site).operands
            if device.is_device and device.operation is not None
        }
        return [found[site] for site in sorted(found, key=lambda site: site.order)]

    @property
    def asks_gradient_on_autodiff(self) -> bool:
        """Whether a call takes a gradient, which burn up to 0.21 keeps on the inner back end, as one of the autodiff back
        end."""
        return gradients.asks_on_autodiff(self._self)

    @property
    def inner_backend_asked(self) -> Edit | None:
        """Of such a call the edit that asks for the inner back end instead."""
        return gradients.on_inner_backend(self._self)

    @property
    def missing_gradient(self) -> gradients.MissingGradient | None:
        """Of `x.grad(&gradients)` why it is certainly `None`, as far as that is in sight."""
        return gradients.missing_gradient(self._self)

    @property
    def is_new_data(self) -> bool:
        """Whether a tensor is computed from nothing but what constructors make (`ones`, `from_data`)."""
        return gradients.is_new_data(self._self)

    @property
    def unrelated_loss(self) -> Expr | None:
        """Of a call that collects gradients for a module what made its parameters anew, if the loss certainly
        hangs on none of them; None: it may."""
        return collected.unrelated_loss(self._self)

    @property
    def other_module(self) -> tuple[Expr, Expr] | None:
        """Of an optimizer's step the other module that its gradients were collected for, and where; None if it
        may share parameters with the one that is stepped."""
        return collected.other_module(self._self)

    def run_in(self, other: Expr) -> Expr:
        """What runs it in the body of another expression: the call there, or it itself where it stands there."""
        at = self.site
        while at.frame is not other.site.frame and at.frame.call is not None:
            at = at.frame.call
        return self.at(at)

    @property
    def checkpointing(self) -> str | None:
        """ "Balanced" or "Disabled" of what is certainly on autodiff with or without gradient checkpointing;
        None where that is not known."""
        return checkpointing.strategy(self._self)

    def computed_by(self, *keys: str) -> list[Expr]:
        """The operations with these keys that a tensor is computed by, in source order."""
        sites = sorted((key.site for key in self.all_that_takes_part.operations), key=lambda site: site.order)
        return [made for made in map(self.at, sites) if made.key in keys]

    @property
    def leaves_beneath(self) -> list[Expr]:
        """The leaves that a tensor is computed from, as they are made."""
        return [self.at(key.site) for key in sorted(self.tape.leaves, key=lambda key: key.site.order)]

    @property
    def all_that_takes_part(self) -> Tape:
        """All that a tensor is computed by, also behind what cuts the record (`detach`, `inner`, `int`)."""
        return tape.tape_of(self._self, past_cuts=True)

    def autodiff(self) -> autodiff.State:
        """Of a device, tensor or module whether it is on autodiff: "autodiff", "plain", "perhaps",
        "unknown"."""
        return autodiff.state_of(self._self)

    def tracking(self) -> Tracking:
        """What autodiff knows of a tensor."""
        return self.file.analysis.values.tracking(self.site)

    def optimizers(self) -> Optimizers | None:
        """Of a `backward` the optimizers that its gradients reach; None if they are collected for no module
        in sight.
        """
        return training.optimizers_of(self._self)

    @property
    def comes_from_step(self) -> bool:
        """Whether it is on some path what an optimizer's step gave, as it came from there."""
        return any(
            origin.kind == "operation" and not origin.steps and self.at(origin).stepped_module is not None
            for origin in self.origins().items
        )

    def valid_since_step(self, use: Expr) -> bool:
        """Whether, of the place of a module that an optimizer stepped, `valid()` was called between the last step and
        a use in the same function."""
        made = [self.at(each).run_in(use) for each in self.origins().items if each.kind == "operation"]
        steps = [each for each in made if each.fn is use.fn]
        return any(
            copy.precedes(use) and all(step.precedes(copy) for step in steps)
            for copy in self.file.calls("valid")
            if copy.fn is use.fn and copy.operands and copy.operands[0].owner.spelling == self.spelling
        )

    def batch_loop(self, loader: Expr) -> Expr | None:
        """The `for` loop around it that goes over the batches of a loader which is made in the same function; None if
        there is none."""
        for each in self.around:
            if isinstance(each.expr, hir.For):
                items = self.inside(each.expr.iterable)
                if items.name == "iter" and items.operands and items.operands[0].same_as(loader):
                    return each
        return None

    @property
    def steps_with(self) -> list[Expr]:
        """The `backward`s and steps of an optimizer in the innermost loop around it, not in a loop within that, if they
        train what one round leaves to the next."""
        loop = self.loop
        if loop is None or loop.expr is None:
            return []
        order, found = self.flow.order, []
        for e in descendants(loop.expr):
            if called_name(e) in ("backward", "step") and order.loops_of(e)[:1] == (loop,):
                call = self.inside(e)
                if call.key == "Tensor::backward" or call.stepped_module is not None:
                    found.append(call)
        trained = [call.stepped_module for call in found if call.stepped_module is not None] or [
            call.operands[0]
            for e in descendants(loop.expr)
            if called_name(e).startswith("forward") and (call := self.inside(e)).operands
        ]
        return [] if trained and all(each.declared_in(loop) for each in trained) else found

    def later_trainings(self) -> Iterator[Expr]:
        """Of a place with a module the calls of the same function that train what it holds, or held before,
        after it is read here."""
        return training.later_trainings(self._self)

    def trainings(self) -> Iterator[Expr]:
        """Of a module, or a parameter that becomes a part of one, the calls that train it afterwards."""
        return training.trainings_of(self._self)

    @property
    def is_only_passed_through(self) -> bool:
        """Of a new parameter, whether it, or a module made of it, is neither kept nor trained: a gradient goes
        through it to what it is computed from, as with tied weights."""
        return training.is_only_passed_through(self._self)

    @property
    def outlives_backward(self) -> bool:
        """Of a new parameter, whether a `backward` in a loop may run on it in more rounds than that in which it
        was made."""
        return training.outlives_backward(self._self)

    def laziness(self) -> tuple[laziness.State, Expr | None]:
        """Of a module whether its parameters exist already: "initialised" with the place that shows it,
        "lazy", "perhaps" (it came from outside of the function), "unknown"."""
        return laziness.state_of(self._self)
