"""What only evaluates: passes through a module whose outputs go to the host.

What may reach a `backward`, a return value or a place out of sight is not known to only evaluate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import absence, ops, tape, terms, training
from burnlint.burn.calls import Target
from burnlint.burn.values import Origin
from burnlint.rust import glance, hir
from burnlint.rust.flow import Step

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Reach, Site
    from burnlint.burn.view import FileView
    from burnlint.rust.flow import Scope

_ENDS = frozenset({"dropped", "ignored", "shown", "tested", "cloned", "iterated"})
_TRAINS = frozenset({"Tensor::backward", *training.TAKES_GRADIENTS, *training.TAKES_MODULE})


@dataclass(frozen=True)
class Use:
    """What an output is used for: only read on the host; `flag` is the index of the `bool` parameter under
    which alone it is trained on (None: it never is)."""

    flag: int | None


def passes(file: FileView, in_loops: bool) -> Iterator[Expr]:
    """The passes through a module in a file, or only those within a loop: calls named `forward…` of a module, outside
    of tests."""
    for call in _forwards(file, glance.LOOP if in_loops else None):
        in_loop = any(isinstance(each.expr, hir.For | hir.While | hir.Loop) for each in call.around)
        if (in_loop or not in_loops) and _is_pass(call):
            yield call


def _forwards(file: FileView, near: re.Pattern[bytes] | None = None) -> Iterator[Expr]:
    names = sorted(word.decode(errors="replace") for word in file.source.words if word.startswith(b"forward"))
    return file.calls(*names, near=near, tests=False)


def _is_pass(call: Expr) -> bool:
    return bool(call.operands) and call.operands[0].is_module


def host_use(output: Expr) -> Use | None:
    """What an output is used for if it only goes through tensor operations and losses until it is read as
    data, shown or thrown away; None if it is used for anything else, or that is not known."""
    if output.flow.sink_inside(output.expr).role.kind == "root":
        return None  # The function returns it: seen without types.
    flags: set[int] = set()

    def through(site: Site, operand: int) -> bool:
        call = output.at(site)
        return call.is_tensor and (tape.is_tensor_operation(call) or tape.is_forward(call))

    def ends(reach: Reach) -> bool:
        if reach.kind in _ENDS:
            return True
        if reach.kind != "operand":
            return False
        call = output.at(reach.site)
        if call.key == "Tensor::backward":
            flag = _flag_around(call) if call.site.frame is output.site.frame else None
            flags.update(() if flag is None else (flag,))
            return flag is not None
        if through(reach.site, reach.index):
            return True
        signature = call.signature
        if signature is None:
            return reach.followed
        return signature.owner == "Tensor" and ops.elements(signature) == ops.HOST

    values = output.file.analysis.values
    parts: list[tuple[Step, ...]] = [()]
    if isinstance(output.term, terms.Tuple):
        parts = [(Step("field", str(number)),) for number in range(len(output.term.items))]
    origins = [Origin("operation", output.site, part) for part in parts]
    reaches = [reach for origin in origins for reach in values.reaches_of(origin, through)]
    if not reaches or not all(map(ends, reaches)) or len(flags) > 1:
        return None
    return Use(flags.pop() if flags else None)


def _flag_around(call: Expr) -> int | None:
    """The `bool` parameter that a call stands under: `if training { .. }`."""
    flow = call.flow
    at: hir.Expr | None = call.expr
    inner: hir.Expr | None = None
    while at is not None:
        if isinstance(at, hir.If) and at.then is inner:
            for d in flow.parameters:
                if d.kind == "param" and not d.steps and at.condition in flow.uses(d):
                    return d.index
        parent = call.site.frame.body.parents[at.id]
        inner, at = at, call.site.frame.body.exprs[parent] if parent >= 0 else None
    return None


def trains(target: Target) -> bool:
    """Whether a function of burn is part of training."""
    return target.key in _TRAINS or target.key.endswith("::step")


def loop_without_training(call: Expr) -> Scope | None:
    """The innermost loop around a call if nothing that is seen in it trains; None if something does, or there is none."""
    loop = call.loop
    if loop is None or loop.kind == "closure":
        return None
    found = absence.absent(call.file.analysis.values, trains, call.site.frame.body, loop.expr)
    return loop if found.absent is not False else None


_PLAIN = frozenset(
    [
        "f32",
        "f64",
        "i8",
        "i16",
        "i32",
        "i64",
        "u8",
        "u16",
        "u32",
        "u64",
        "isize",
        "usize",
        "bool",
        "char",
        "str",
        "String",
        "Vec",
        "Option",
        "Result",
    ]
)
_STAY = frozenset({"operand", "cloned", "dropped", "ignored", "shown", "part"})


def _runs_model(target: Target) -> bool:
    signature = target.signature
    return (
        signature is not None
        and bool(signature.self_mode)
        and signature.name.startswith("forward")
        and any(isinstance(param.term, terms.Tensor) for param in signature.params)
        and not signature.owner.endswith("Loss")
    )


def only_predicts(call: Expr) -> bool:
    """Whether a call of a function of the workspace runs a model and trains nothing that is seen, and takes
    and gives no tensor or module."""
    values = call.file.analysis.values
    body = values.callee_body(call.target)
    takes = [each for each in call.operands if each.is_module or each.is_tensor]
    if body is None or not all(_is_plain(each.term) for each in takes) or not _is_plain(call.term):
        return False
    runs = absence.absent(values, _runs_model, body).absent is False
    return runs and absence.absent(values, trains, body).absent is not False


def _is_plain(term: terms.Term | None) -> bool:
    """Whether a type holds no tensor, module or gradient."""
    match term:
        case terms.Ref(target=inner):
            return _is_plain(inner)
        case terms.Tuple(items=items):
            return all(map(_is_plain, items))
        case terms.Named(name=name, args=args):
            return name in _PLAIN and all(map(_is_plain, args))
    return False


def predictions(device: Expr) -> list[Expr]:
    """The passes of the function around through a model on a device that is made there, if nothing trains and
    neither the models nor their outputs leave the function; else empty."""
    values = device.file.analysis.values
    body = device.site.frame.body
    if absence.absent(values, trains, body).absent is False:
        return []
    found = []
    for output in _forwards(device.file):
        if output.site.frame.body is not body or not _is_pass(output):
            continue
        model, use = output.operands[0], output.host_use
        if model.autodiff() != "autodiff":
            continue
        if use is None or use.flag is not None or not _stays(model):
            return []
        found.append(output)
    return found


def _stays(model: Expr) -> bool:
    """Whether a module is only used in calls that are seen, and kept nowhere."""
    reaches = [reach for origin in model.origins().items for reach in model.reaches_of(origin)]
    for reach in reaches:
        signature = model.at(reach.site).signature
        if reach.kind not in _STAY or (reach.kind == "operand" and signature is None and not reach.followed):
            return False
    return bool(reaches)
