"""Faults in kernels of cubecl: B26 of the pitfalls.

Kernels of burn itself mostly write through views, which check by themselves. So beside the real guards there are
small kernels that are set into the real files that hold kernels.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Operator
from tools.mutation.syntax import text

_INDEXES = re.compile(r"\w\[[^\]]*(?:ABSOLUTE_POS|pos\b|index\b|idx\b)")

_GUARD = "    if ABSOLUTE_POS >= output.len() {\n        terminate!();\n    }\n"
_KERNELS = [
    (
        "direct",
        "#[cube(launch_unchecked)]\nfn scale<F: Float>(input: &Tensor<F>, output: &mut Tensor<F>) {\n{guard}"
        "    output[ABSOLUTE_POS] = input[ABSOLUTE_POS] * input[ABSOLUTE_POS];\n}\n",
    ),
    (
        "direct",
        "#[cube(launch)]\nfn add<F: Float>(input: &Tensor<F>, other: &Tensor<F>, output: &mut Tensor<F>) {\n{guard}"
        "    let sum = input[ABSOLUTE_POS] + other[ABSOLUTE_POS];\n    output[ABSOLUTE_POS] = sum;\n}\n",
    ),
    (
        "direct",
        "#[cube(launch_unchecked)]\nfn relu<F: Float>(input: &Tensor<F>, output: &mut Tensor<F>) {\n{guard}"
        "    let value = input[ABSOLUTE_POS];\n    if value < F::new(0.0) {\n        output[ABSOLUTE_POS] = F::new(0.0);\n"
        "    } else {\n        output[ABSOLUTE_POS] = value;\n    }\n}\n",
    ),
    (
        "alias",
        "#[cube(launch_unchecked)]\nfn scale<F: Float>(input: &Tensor<F>, output: &mut Tensor<F>) {\n{guard}"
        "    let place = ABSOLUTE_POS;\n    output[place] = input[place] * input[place];\n}\n",
    ),
    (
        "arithmetic",
        "#[cube(launch)]\nfn pairs<F: Float>(input: &Tensor<F>, output: &mut Tensor<F>) {\n{guard}"
        "    let first = ABSOLUTE_POS * 2;\n    let second = first + 1;\n"
        "    output[ABSOLUTE_POS] = input[first] + input[second];\n}\n",
    ),
    (
        "function",
        "#[cube]\nfn store<F: Float>(output: &mut Tensor<F>, place: usize, value: F) {\n    output[place] = value;\n}\n\n"
        "#[cube(launch_unchecked)]\nfn fill<F: Float>(output: &mut Tensor<F>) {\n{guard}"
        "    store::<F>(output, ABSOLUTE_POS, F::new(1.0));\n}\n",
    ),
]


def removed_guard(source: Source) -> Iterator[Fault]:
    """The early end is left out, or the condition around the work."""
    for function in source.functions:
        if "cube(launch" not in syntax.attributes(function.node) or not _INDEXES.search(text(function.body)):
            continue
        for node in function.body.named_children:
            inner = node.named_children[0] if node.type == "expression_statement" else node
            body = inner.child_by_field_name("consequence") if inner.type == "if_expression" else None
            if body is None or inner.child_by_field_name("alternative") is not None:
                continue
            if "terminate!" in text(body):
                yield Fault(source.path, syntax.span(node), "", text(node))
                yield from _behind_a_name(source, function, node)
            elif "len()" in text(inner) and "[" in text(body):
                yield Fault(source.path, syntax.span(node), text(body), text(node))
    if b"cube(launch" in source.content:
        yield from _set_in(source)


def _behind_a_name(source: Source, function: syntax.Function, guard: Node) -> Iterator[Fault]:
    """The same with the position under a name of its own."""
    name = f"planted_{guard.start_byte}"
    uses = [
        (each.start_byte, each.end_byte, name)
        for each in syntax.walk(function.body)
        if each.type == "identifier" and text(each) == "ABSOLUTE_POS"
    ]
    outside = [use for use in uses if not guard.start_byte <= use[0] < guard.end_byte]
    if uses:
        start = (function.start, function.start, f"\n    let {name} = ABSOLUTE_POS;\n")
        right = text(guard).replace("ABSOLUTE_POS", name)
        yield Fault(source.path, syntax.span(guard), "", right, extra=(start, *outside), shape="alias")


def _set_in(source: Source) -> Iterator[Fault]:
    """A kernel of each kind, in a module of its own at the end of the file."""
    end = len(source.content)
    first = zlib.crc32(source.path.encode())
    for number in (first % 3, 3 + first % 3):
        shape, kernel = _KERNELS[number]
        wrong, right = (
            f"\n\n#[allow(dead_code)]\nmod planted_{number} {{\nuse cubecl::{{cube, prelude::*}};\n\n"
            f"{kernel.replace('{guard}', guard)}}}\n"
            for guard in ("", _GUARD)
        )
        yield Fault(
            source.path,
            (end, end),
            "",
            "",
            wrong_items=wrong,
            right_items=right,
            shape=shape,
            transplanted=True,
        )


OPERATORS = [Operator("guard-dropped", 7, ("B26",), removed_guard)]
