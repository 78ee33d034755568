"""Faults in training loops, data, weights and devices that stand in real code: P17 to P26, B5 to B8, B18 to
B26."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Operator, around
from tools.mutation.operators.tensors import cut, replaced
from tools.mutation.syntax import Call, text


def _steps(source: Source) -> Iterator[tuple[Call, Node]]:
    """The calls `optim.step(lr, model, grads)` and the statements that they are assigned in."""
    for each in source.named("step"):
        at = syntax.statement(each.node)
        if each.receiver is not None and len(each.arguments) == 3 and at is not None:
            yield each, at


def _kept(model: str) -> str:
    return model if model.endswith(".clone()") else f"{model}.clone()"


def dropped_step(source: Source) -> Iterator[Fault]:
    """P17: the updated module is dropped, the clone that the compiler suggests is thrown away."""
    for each, at in _steps(source):
        assert each.receiver is not None
        found = re.match(r"(?s)(?:let\s+(?:mut\s+)?)?([\w.*]+)\s*=\s*", text(at))
        if found is None or not text(at)[found.end() :].startswith(text(each.receiver)):
            continue
        model = each.argument(1)
        call = f"{text(each.receiver)}.step({each.argument(0)}, {_kept(model)}, {each.argument(2)})"
        place = text(at)[: found.end()]
        right = place + around(text(each.node)) + ";"
        yield Fault(source.path, syntax.span(at), around(call) + ";", right)


def shadowed_step(source: Source) -> Iterator[Fault]:
    """P17: a new binding in the loop's body takes the update and ends with the round."""
    for each, at in _steps(source):
        assert each.receiver is not None
        found = re.match(r"(?s)(\w+)\s*=\s*", text(at))
        if (
            found is None
            or syntax.enclosing(at, "for_expression", "while_expression", "loop_expression") is None
        ):
            continue
        call = (
            f"{text(each.receiver)}.step({each.argument(0)}, {_kept(each.argument(1))}, {each.argument(2)})"
        )
        right = f"{found[1]} = {around(text(each.node))};"
        yield Fault(source.path, syntax.span(at), f"let {found[1]} = {around(call)};", right)


def ignored_step(source: Source) -> Iterator[Fault]:
    """P17: the update is bound to a name that nothing reads."""
    for each, at in _steps(source):
        assert each.receiver is not None
        found = re.match(r"(?s)([\w.*]+)\s*=\s*", text(at))
        if found is not None:
            call = f"{text(each.receiver)}.step({each.argument(0)}, {_kept(each.argument(1))}, {each.argument(2)})"
            right = f"{found[0]}{around(text(each.node))};"
            yield Fault(source.path, syntax.span(at), f"let _ = {around(call)};", right)


def optimizer_in_loop(source: Source) -> Iterator[Fault]:
    """P19: an optimizer built anew in each round forgets its state."""
    for function in source.functions:
        for each in syntax.calls(function.body, "init"):
            at = syntax.statement(each.node)
            if at is None or at.type != "let_declaration" or each.receiver is None or each.arguments:
                continue
            found = re.match(r"let\s+mut\s+(\w+)", text(at))
            if found is None or "ptim" not in text(each.node) + found[1]:
                continue
            for loop in syntax.walk(function.body):
                body = loop.child_by_field_name("body") if loop.type == "for_expression" else None
                if body is None or body.start_byte < at.end_byte or f"{found[1]}.step(" not in text(body):
                    continue
                start = body.start_byte + 1
                yield Fault(
                    source.path,
                    (start, start),
                    f"\n let mut {found[1]} = {around(text(each.node))};\n",
                    "\n",
                )
                break


_UNWRAPPED = re.compile(r"(?s)\.map\((?:Result::unwrap|\|\w+\| \w+\.(?:unwrap\(\)|expect\([^)]*\)))\)$")


def _loaders(source: Source) -> Iterator[tuple[Call, str]]:
    """`loader.iter().map(Result::unwrap)`, with what stands before the map."""
    for each in source.named("map"):
        inner = syntax.call(each.receiver) if each.receiver is not None else None
        if inner is None or inner.receiver is None or not source.mentions(inner.node, "DataLoader"):
            continue
        if inner.name == "iter" and _UNWRAPPED.search(text(each.node)):
            yield each, text(inner.node)


_CHECKED = """

struct PlantedChecked<D>(D);
impl<I, D: burn::data::dataset::Dataset<I>> burn::data::dataset::Dataset<I> for PlantedChecked<D> {
    fn get(&self, index: usize) -> Result<I, burn::data::dataset::DatasetError> {
        std::fs::metadata("data").map_err(burn::data::dataset::DatasetError::new)?;
        self.0.get(index)
    }
    fn len(&self) -> usize {
        self.0.len()
    }
}
"""


def _may_fail(find: Callable[[Source], Iterator[Fault]]) -> Callable[[Source], Iterator[Fault]]:
    """The same with data sets that can fail, in fault and twin: those of the examples are in memory, and nothing
    is wrong with dropping errors that cannot be."""

    def found(source: Source) -> Iterator[Fault]:
        builds = [each.arguments[0] for each in source.named("build") if len(each.arguments) == 1]
        sets = [each for each in builds if source.mentions(each, "Dataset")]
        wrapped = tuple((*syntax.span(each), f"PlantedChecked({text(each)})") for each in sets)
        for fault in find(source) if wrapped else ():
            yield replace(fault, extra=fault.extra + wrapped, items=fault.items + _CHECKED)

    return found


def flattened_loader(source: Source) -> Iterator[Fault]:
    """P21: a loader returns the same error forever; flattening never ends."""
    for each, inner in _loaders(source):
        for wrong in (
            ".flatten()",
            ".filter_map(Result::ok)",
            ".filter_map(|item| item.ok())",
            ".flat_map(|item| item)",
        ):
            yield replaced(source, each.node, inner + wrong)


def ended_loader(source: Source) -> Iterator[Fault]:
    """P21: the first bad item ends the epoch without a word."""
    for each, inner in _loaders(source):
        for wrong in (
            ".map_while(Result::ok)",
            ".map_while(|item| item.ok())",
            ".take_while(Result::is_ok).map(Result::unwrap)",
        ):
            yield replaced(source, each.node, inner + wrong)


def logged_loader(source: Source) -> Iterator[Fault]:
    """P21: log the error and go on."""
    for each, inner in _loaders(source):
        loop = syntax.enclosing(each.node, "for_expression")
        body = loop.child_by_field_name("body") if loop is not None else None
        pattern = loop.child_by_field_name("pattern") if loop is not None else None
        value = loop.child_by_field_name("value") if loop is not None else None
        if loop is None or body is None or pattern is None or value is None:
            continue
        name = re.search(r"(\w+)\)?$", text(pattern))
        assert name is not None
        iterator = text(value).replace(text(each.node), inner)
        batch = name[1]
        for start in (
            f"let {batch} = match {batch} {{ Ok(item) => item, "
            f'Err(error) => {{ eprintln!("{{error:?}}"); continue; }} }};',
            f"let Ok({batch}) = {batch} else {{ continue }};",
            f"if {batch}.is_err() {{ continue; }}\n let {batch} = {batch}.unwrap();",
        ):
            head = f"for {text(pattern)} in "
            wrong = f"{head}{iterator} {{\n{start}\n{text(body)[1:]}"
            yield Fault(source.path, syntax.span(loop), wrong, text(loop))
            behind = re.sub(rf"(\bmatch |= |\bif ){batch}\b", r"\1planted", start)
            moved = f"{head}{iterator} {{\nlet planted = {batch};\n{behind}\n{text(body)[1:]}"
            yield Fault(source.path, syntax.span(loop), moved, text(loop), shape="alias")


def dropped_result(*names: str) -> Callable[[Source], Iterator[Fault]]:
    """B15, P19, P17: methods that return the changed value; the result is dropped, the old one kept."""

    def find(source: Source) -> Iterator[Fault]:
        for each in source.named(*names):
            at = syntax.statement(each.node)
            # A loader's `to_device` is no module's: another pitfall.
            if at is None or each.receiver is None or source.mentions(each.receiver, "DataLoader"):
                continue
            found = re.match(r"(?s)let\s+(mut\s+)?(\w+)\s*=\s*", text(at))
            rest = text(at)[found.end() :] if found is not None else ""
            receiver = text(each.receiver)
            ends = (text(each.node) + end for end in (";", "?;", ".unwrap();"))
            if found is None or rest not in ends:
                continue
            tail = rest[len(receiver) :]
            wrong = (
                f"let {found[1] or ''}{found[2]} = {receiver};\n {around(f'{found[2]}.clone(){tail[:-1]}')};"
            )
            yield Fault(source.path, syntax.span(at), wrong, f"{found[0]}{around(rest[:-1])};")

    return find


def dropped_adapter(source: Source) -> Iterator[Fault]:
    """B19: PyTorch's weights without the adapter."""
    for each in source.named("with_from_adapter"):
        if each.receiver is not None and "PyTorch" in text(each.node):
            yield cut(source, each)


def renamed_group(source: Source) -> Iterator[Fault]:
    """B18: `$1` runs into the word behind it."""
    for each in source.named("with_key_remapping", "with_remap_pattern", "add_pattern", "remap"):
        if len(each.arguments) == 2 and re.search(r"\$\{?1", each.argument(1)):
            wrong = re.sub(
                r"\$(?:\{(\d)\}|(\d))(?=[._\"]|\w)\.?",
                lambda m: f"${m[1] or m[2]}x",
                each.argument(1),
                count=1,
            )
            yield replaced(source, each.arguments[1], wrong)


def discrete_gpu(source: Source) -> Iterator[Fault]:
    """B7: a hard-coded GPU."""
    tensor = source.crates.tensor
    if source.crates.generic or not source.crates.facade:
        return
    for each in source.named("default"):
        if each.path == "Device::default" and source.type(each.node) is not None:
            yield replaced(source, each.node, f"Device::wgpu({tensor}::DeviceKind::DiscreteGpu(0))")
            yield replaced(source, each.node, f"Device::vulkan({tensor}::DeviceKind::DiscreteGpu(0))")


OPERATORS = [
    Operator("step-dropped", 7, ("P17",), dropped_step),
    Operator("step-shadowed", 7, ("P17",), shadowed_step),
    Operator("step-ignored", 7, ("P17",), ignored_step),
    Operator("optimizer-in-loop", 7, ("P19",), optimizer_in_loop),
    Operator("loader-flattened", 7, ("P21",), _may_fail(flattened_loader)),
    Operator("loader-ended", 7, ("P21",), _may_fail(ended_loader)),
    Operator("loader-logged", 7, ("P21",), _may_fail(logged_loader)),
    Operator(
        "load-dropped",
        7,
        ("P19", "P17"),
        dropped_result("load_record", "load_file", "try_load_file", "load_from", "from_bytes"),
    ),
    Operator(
        "module-result-dropped",
        7,
        ("P17", "B15", "P11", "B16"),
        dropped_result("no_grad", "fork", "valid", "freeze", "to_device", "train"),
    ),
    Operator("adapter-dropped", 7, ("B19",), dropped_adapter),
    Operator("remap-group", 7, ("B18",), renamed_group),
    Operator("discrete-gpu", 7, ("B7",), discrete_gpu),
]
