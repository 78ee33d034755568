"""Faults in computations on tensors: P1 to P9, P20, B8, B10 of the pitfalls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Free, Operator, around
from tools.mutation.spell import generics, spelled
from tools.mutation.syntax import Call, text


def replaced(source: Source, node: Node, wrong: str, *, type: str = "") -> Fault:
    """An expression of the file that becomes another one."""
    return Fault(source.path, syntax.span(node), around(wrong), around(text(node)), type=type)


def cut(source: Source, call: Call, *, type: str = "") -> Fault:
    """A method call that is left out of its chain."""
    assert call.receiver is not None
    return replaced(source, call.node, text(call.receiver), type=type)


def dropping(
    *names: str, when: Callable[[Source, Call], bool] | None = None
) -> Callable[[Source], Iterator[Fault]]:
    """Leaves out calls of these methods."""

    def find(source: Source) -> Iterator[Fault]:
        for each in source.named(*names):
            if each.receiver is not None and (when is None or when(source, each)):
                yield cut(source, each)

    return find


def swap_mask_where(source: Source) -> Iterator[Fault]:
    """P8: `a.mask_where(m, b)` takes b where m is true; written in the order of torch.where."""
    for each in source.named("mask_where"):
        if each.receiver is not None and len(each.arguments) == 2:
            receiver = text(each.receiver)
            wrong = f"{each.argument(1)}.mask_where({each.argument(0)}, {receiver})"
            yield replaced(source, each.node, wrong)


def float_scalar_on_int(source: Source) -> Iterator[Fault]:
    """P3: a float scalar meets an Int tensor."""
    for node in syntax.walk(source.root):
        if node.type != "binary_expression" or syntax.tested(node):
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or text(operator) not in "+-*/":
            continue
        if source.is_tensor(left, "Int") and not source.is_tensor(right):
            yield replaced(source, node, f"{text(left)} {text(operator)} 0.5")
    for each in source.named(
        "mul_scalar",
        "add_scalar",
        "sub_scalar",
        "greater_equal_scalar",
        "lower_scalar",
        "greater_equal_elem",
        "lower_elem",
    ):
        if each.receiver is not None and source.is_tensor(each.receiver, "Int"):
            yield replaced(source, each.node, f"{text(each.receiver)}.{each.name}(0.5)")


def int_mean(source: Source) -> Iterator[Fault]:
    """P2: the mean of an Int tensor, divided in integers."""
    for each in source.named("mean", "mean_dim"):
        inner = syntax.call(each.receiver) if each.receiver is not None else None
        if inner is None or inner.receiver is None:
            continue
        if inner.name == "float" and source.is_tensor(inner.receiver, "Int"):
            wrong = f"{text(inner.receiver)}.{each.name}({each.argument(0)}).float()"
            yield replaced(source, each.node, wrong)


def unsqueeze_in_front(source: Source) -> Iterator[Fault]:
    """P5: `unsqueeze_dim(1)` becomes `unsqueeze()`, which prepends."""
    for each in source.named("unsqueeze_dim"):
        if each.receiver is not None and each.argument(0) in ("1", "-1"):
            turbofish = re.search(r"unsqueeze_dim(::<[^>]*>)?", each.tail)
            assert turbofish is not None
            yield replaced(source, each.node, f"{text(each.receiver)}.unsqueeze{turbofish[1] or ''}()")


def squeeze_all(source: Source) -> Iterator[Fault]:
    """P7: `squeeze_dim(d)` becomes `squeeze()`, which drops every dim of size 1."""
    for each in source.named("squeeze_dim"):
        if each.receiver is not None:
            turbofish = re.search(r"squeeze_dim(::<[^>]*>)?", each.tail)
            assert turbofish is not None
            yield replaced(source, each.node, f"{text(each.receiver)}.squeeze{turbofish[1] or ''}()")


def empty_slice(source: Source) -> Iterator[Fault]:
    """B10: a range whose ends are swapped is empty, and `slice` takes it."""
    for each in source.named("slice", "slice_dim", "slice_assign", "slice_fill"):
        if each.receiver is None or not each.arguments or not source.is_tensor(each.receiver):
            continue
        at = 1 if each.name == "slice_dim" else 0
        given = each.argument(at)
        swapped = re.sub(
            r"(?<![\w.)])(\d+)\.\.(\d+)(?![\w.(])",
            lambda m: f"{m[2]}..{m[1]}" if int(m[1]) < int(m[2]) else m[0],
            given,
            count=1,
        )
        if swapped != given:
            argument = each.arguments[at]
            start = argument.start_byte - each.node.start_byte
            end = argument.end_byte - each.node.start_byte
            whole = text(each.node).encode()
            wrong = (whole[:start] + swapped.encode() + whole[end:]).decode()
            yield replaced(source, each.node, wrong)


def dropped_clone(source: Source) -> Iterator[Fault]:
    """P9: a tensor that is used again is moved (E0382)."""
    for each in source.named("clone"):
        receiver = each.receiver
        if receiver is None or receiver.type != "identifier" or not source.is_tensor(receiver):
            continue
        if any("&" in form.head for form in source.types(receiver)[-1:]):
            continue
        function = source.function(each.node)
        if function is None:
            continue
        rest = source.content[each.node.end_byte : function.body.end_byte].decode()
        if re.search(rf"\b{text(receiver)}\b", rest):
            form = source.type(receiver)
            assert form is not None
            free = {text(receiver): Free(spelled(form), cloned=True)} if not generics(form) else None
            moved = spelled(form) if free else ""
            yield replace(cut(source, each), free=free, type=moved, right_type=moved)


def operand_by_reference(source: Source) -> Iterator[Fault]:
    """P6, P9: operators take tensors by value (E0277, E0369)."""
    for node in syntax.walk(source.root):
        if node.type != "binary_expression" or syntax.tested(node):
            continue
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or text(operator) not in "+-*/":
            continue
        if source.is_tensor(left) and source.is_tensor(right):
            plain = text(right).removesuffix(".clone()")
            if re.fullmatch(r"[\w.]+", plain):
                yield replaced(source, node, f"{text(left)} {text(operator)} &{plain}")


def dropped_unsqueeze(source: Source) -> Iterator[Fault]:
    """P6: the operand keeps its lower rank (E0277)."""
    for each in source.named("unsqueeze", "unsqueeze_dim", "unsqueeze_dims"):
        above = each.node.parent
        if above is not None and above.type == "binary_expression" and each.receiver is not None:
            inner = text(above).encode()
            start, end = each.node.start_byte - above.start_byte, each.node.end_byte - above.start_byte
            wrong = inner[:start] + text(each.receiver).encode() + inner[end:]
            if source.is_tensor(above):
                yield replaced(source, above, wrong.decode())


def dropped_float(source: Source) -> Iterator[Fault]:
    """P6: an Int or Bool tensor where a Float one belongs (E0277)."""
    for each in source.named("float", "int"):
        above = each.node.parent
        while above is not None and above.type == "parenthesized_expression":
            above = above.parent
        if above is not None and above.type == "binary_expression" and each.receiver is not None:
            other = above.child_by_field_name("left")
            if other is not None and syntax.span(other) == syntax.span(each.node):
                other = above.child_by_field_name("right")
            if other is not None and source.is_tensor(other):
                inner = text(above).encode()
                start, end = each.node.start_byte - above.start_byte, each.node.end_byte - above.start_byte
                wrong = inner[:start] + text(each.receiver).encode() + inner[end:]
                yield replaced(source, above, wrong.decode())


def dropped_val(source: Source) -> Iterator[Fault]:
    """P6, P9: a `Param` as an operand (E0277, E0507)."""
    for each in source.named("val"):
        above = each.node.parent
        if above is not None and above.type == "binary_expression" and each.receiver is not None:
            inner = text(above).encode()
            start, end = each.node.start_byte - above.start_byte, each.node.end_byte - above.start_byte
            wrong = inner[:start] + text(each.receiver).encode() + inner[end:]
            yield replaced(source, above, wrong.decode())


_CREATED = ("zeros", "ones", "full", "random", "from_data", "empty", "eye")
"""Constructors that take a dtype beside the device."""


def other_dtype(source: Source) -> Iterator[Fault]:
    """P4: an operand is made as F64; the other is made in the same function, and keeps what the device gives."""
    dtype = f"{source.crates.tensor}::DType::F64"
    for each in source.named(*_CREATED):
        if not _creates(source, each) or not _meets_another(source, each):
            continue
        device = each.argument(len(each.arguments) - 1)
        whole = text(each.node).encode()
        last = each.arguments[-1]
        start, end = last.start_byte - each.node.start_byte, last.end_byte - each.node.start_byte
        wrong = whole[:start] + f"({device}, {dtype})".encode() + whole[end:]
        yield replaced(source, each.node, wrong.decode())


def _creates(source: Source, call: Call) -> bool:
    if call.receiver is not None or call.path.partition("::")[0] != "Tensor" or not call.arguments:
        return False
    device = call.argument(len(call.arguments) - 1)
    return re.fullmatch(r"&?[\w.]*device[\w()]*", device) is not None and source.is_tensor(call.node, "Float")


def _meets_another(source: Source, call: Call) -> bool:
    """Whether it is an operand beside another tensor that is created there, both by name or as they are."""
    function = source.function(call.node)
    if function is None:
        return False
    mine, others = {text(call.node)}, set()
    for each in syntax.calls(function.body, *_CREATED, "from_floats"):
        found = {text(each.node)}
        at = each.node.parent
        pattern = (
            at.child_by_field_name("pattern") if at is not None and at.type == "let_declaration" else None
        )
        found |= {text(pattern).removeprefix("mut ")} if pattern is not None else set()
        if each.node == call.node:
            mine |= found
        elif _creates(source, each):
            others |= found
    for node in syntax.walk(function.body):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sides = [[left], [right]] if node.type == "binary_expression" else []
        method = syntax.call(node)
        if method is not None and method.receiver is not None:
            sides = [[method.receiver], list(method.arguments)]
        plain = [{_copied(side) for side in each if side is not None} for each in sides]
        if plain and any(a & mine and b & others for a, b in (plain, plain[::-1])):
            return True
    return False


def _copied(node: Node) -> str:
    return text(node).removesuffix(".clone()")


OPERATORS = [
    Operator("swap-mask-where", 6, ("P8",), swap_mask_where),
    Operator("float-scalar-on-int", 6, ("P3",), float_scalar_on_int),
    Operator("int-mean", 6, ("P2",), int_mean),
    Operator("unsqueeze-in-front", 6, ("P5",), unsqueeze_in_front),
    Operator("squeeze-all", 6, ("P7",), squeeze_all),
    Operator("empty-slice", 6, ("B10", "P7"), empty_slice),
    Operator("clone-dropped", 6, ("P9", "P6"), dropped_clone, error="E0382"),
    Operator("operand-by-reference", 6, ("P6", "P9"), operand_by_reference, error="E0277"),
    Operator("unsqueeze-dropped", 6, ("P6",), dropped_unsqueeze, error="E0277"),
    Operator("float-dropped", 6, ("P6",), dropped_float, error="E0277"),
    Operator("val-dropped", 6, ("P6", "P9"), dropped_val, error="E0277"),
    Operator("other-dtype", 6, ("P4",), other_dtype),
]
