"""Faults in gradients, training graphs and parameters: P10 to P14, P16, B11 to B13, B15, B16."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Operator, around
from tools.mutation.operators.tensors import cut, replaced
from tools.mutation.spell import Unspelled, spelled
from tools.mutation.syntax import text

_TRAINS = re.compile(r"\.backward\(\)|GradientsParams|\bTrainOutput\b")


def _trains(source: Source, node: Node) -> bool:
    function = source.function(node)
    return function is not None and _TRAINS.search(text(function.body)) is not None


def dropped_mean(source: Source) -> Iterator[Fault]:
    """P12: the loss that `backward` starts from is left unreduced."""
    for each in source.named("mean"):
        if each.receiver is None or not _trains(source, each.node):
            continue
        form = source.type(each.receiver)
        ranks = [a.text for a in form.args if a.head == "const"] if form is not None else []
        if ranks and ranks != ["1"]:
            yield cut(source, each, type=type_of(source, each.receiver))
    for each in source.named("forward"):
        reduces = len(each.arguments) == 3 and each.argument(2).endswith("Reduction::Mean")
        if reduces and each.receiver is not None and _trains(source, each.node):
            wrong = f"{text(each.receiver)}.forward_no_reduction({each.argument(0)}, {each.argument(1)})"
            yield replaced(source, each.node, wrong, type=type_of(source, each.arguments[0]))


def type_of(source: Source, node: Node) -> str:
    """rustc's type of a node as source; empty if it cannot be written."""
    form = source.type(node)
    try:
        return spelled(form) if form is not None else ""
    except Unspelled:
        return ""


def dropped_valid(source: Source) -> Iterator[Fault]:
    """P11, B16: the validation runs on the model that trains."""
    for each in source.named("valid"):
        if each.receiver is not None and not each.arguments:
            yield replaced(source, each.node, f"{text(each.receiver)}.clone()")


def moved_not_forked(source: Source) -> Iterator[Fault]:
    """B15: the parameters become outputs of the move."""
    for each in source.named("fork"):
        if each.receiver is not None and source.type(each.node) == source.type(each.receiver):
            yield replaced(source, each.node, f"{text(each.receiver)}.to_device({each.argument(0)})")


def dropped_inner(source: Source) -> Iterator[Fault]:
    """P10, P14: arithmetic on a parameter's value stays in the graph."""
    for each in source.named("inner", "detach"):
        if each.receiver is not None and not each.arguments and source.is_tensor(each.receiver):
            yield cut(source, each)


def second_backward(source: Source) -> Iterator[Fault]:
    """B12: the graph is consumed by the first."""
    for each in source.named("backward"):
        receiver = each.receiver
        if receiver is None or not re.fullmatch(r"[\w.]+", text(receiver)) or not source.is_tensor(receiver):
            continue
        at = syntax.statement(each.node)
        if at is not None:
            first = f"let _first = {text(receiver)}.backward();\n"
            whole = text(at).replace(text(each.node), around(text(each.node)), 1)
            yield Fault(source.path, syntax.span(at), first + whole, whole)


def late_require_grad(source: Source) -> Iterator[Fault]:
    """B11: an operation after `require_grad` makes another tensor, whose gradient is not kept."""
    for each in source.named("require_grad"):
        receiver = each.receiver
        if receiver is not None and source.is_tensor(receiver, "Float"):
            inner = text(receiver)
            yield replaced(source, each.node, f"({inner}.require_grad() * 1.0)")
            operation = syntax.call(receiver)
            if (
                operation is not None
                and operation.receiver is not None
                and source.is_tensor(operation.receiver)
            ):
                yield replaced(
                    source, each.node, operation.with_receiver(f"{text(operation.receiver)}.require_grad()")
                )


def late_batchnorm(source: Source) -> Iterator[Fault]:
    """P16: TensorFlow's momentum, the weight of the old average."""
    for each in source.named("new"):
        if each.path.endswith("BatchNormConfig::new"):
            above = each.node.parent
            init = syntax.call(above.parent) if above is not None and above.parent is not None else None
            if init is None or init.name != "with_momentum":
                yield replaced(source, each.node, f"{text(each.node)}.with_momentum(0.9)")


def state_carried(source: Source) -> Iterator[Fault]:
    """B12: the state of a loop keeps the graph of all rounds before."""
    for each in source.named("detach"):
        if each.receiver is not None and syntax.enclosing(each.node, "for_expression", "while_expression"):
            yield cut(source, each)


def softmax_before_loss(source: Source) -> Iterator[Fault]:
    """Cross entropy takes logits; it gets probabilities."""
    for each in source.named("forward"):
        if each.receiver is None or len(each.arguments) != 2:
            continue
        form = source.type(each.receiver)
        if form is None or form.name != "CrossEntropyLoss":
            continue
        logits = each.arguments[0]
        if "log" in text(logits) and "softmax" in text(logits):
            continue
        at = next((t for t in source.types(logits) if t.name == "Tensor"), None)
        if at is not None:
            wrong = f"{source.crates.tensor}::activation::softmax({text(logits)}, 1)"
            yield replaced(source, logits, wrong)


OPERATORS = [
    Operator("mean-dropped", 6, ("P12",), dropped_mean),
    Operator("valid-dropped", 6, ("P11", "B16", "B13"), dropped_valid),
    Operator("moved-not-forked", 6, ("B15",), moved_not_forked),
    Operator("inner-dropped", 6, ("P10", "P14", "B12"), dropped_inner),
    Operator("second-backward", 6, ("B12",), second_backward),
    Operator("late-require-grad", 6, ("B11", "P14"), late_require_grad),
    Operator("batchnorm-decay", 6, ("P16",), late_batchnorm),
    Operator("state-carried", 6, ("B12", "P10"), state_carried),
    Operator("softmax-before-loss", 6, ("-",), softmax_before_loss),
]
