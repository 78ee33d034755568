"""Faults with a small context of their own, set at the start of real functions.

For operators whose place is rare in correct code. A `Snippet` is written against burn 0.22 with short names
(`Tensor`, `Linear`, `AdamConfig`), which become paths in the host's own spelling. `{x}` stands for a parameter
of the host, `{device}` for a device that the host has.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from tools.mutation.base import Source
from tools.mutation.fault import Fault, Free
from tools.mutation.syntax import Function, text

_HOMES = {
    "tensor": "Tensor Int Bool Gradients Device DType Distribution TensorData IntDType FloatDType activation DeviceConfig "
    "DeviceKind",
    "module": "Param ParamId ParamGroup Module",
    "nn": "Linear LinearConfig Embedding EmbeddingConfig BatchNormConfig BatchNorm LinearLayout loss DropoutConfig",
    "optim": "AdamConfig AdamWConfig SgdConfig RmsPropConfig GradientsParams ModuleOptimizer momentum decay",
    "clipping": "GradientClippingConfig",
    "store": "SafetensorsStore BurnpackStore PytorchStore ModuleSnapshot PyTorchToBurnAdapter ModuleRecord",
    "data": "DataLoader DataLoaderBuilder DataLoaderIterator Batcher Dataset DatasetError InMemDataset",
}
_NAMES = {name: home for home, names in _HOMES.items() for name in names.split()}
_SHORT = re.compile(
    "(?<![:\\w.])("
    + "|".join(name if name[0].isupper() else rf"{name}(?=::)" for name in _NAMES)
    + r")\b(?!\s*:\s*[^:])"
)
_GPU = re.compile(r"\bDevice::(?:wgpu|webgpu|vulkan|metal)\b")
_DATA = {
    "DataLoader": "dataloader::DataLoader",
    "DataLoaderBuilder": "dataloader::DataLoaderBuilder",
    "DataLoaderIterator": "dataloader::DataLoaderIterator",
    "Batcher": "dataloader::batcher::Batcher",
    "Dataset": "dataset::Dataset",
    "DatasetError": "dataset::DatasetError",
    "InMemDataset": "dataset::InMemDataset",
}


@dataclass(frozen=True, slots=True)
class Snippet:
    """Statements with a fault and the same without. `needs` are types of the host's parameters by
    placeholder; `free` and `type` are those of the marked expression (`&T`, `&mut T` are handed on so, of `clone T` the
    twin hands on a clone); `old`: holds for burn 0.21 too; `only`
    is a pattern for the host's path."""

    wrong: str
    right: str
    needs: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    right_type: str = ""
    free: Mapping[str, str] | None = None
    items: str = ""
    old: bool = False
    only: str = ""


def transplanted(sources: Iterable[Source], snippets: Iterable[Snippet], most: int) -> Iterator[Fault]:
    """The snippets in real functions, in turns, each in another one."""
    hosts = [(source, function) for source in sources for function in source.functions]
    hosts = _spread(hosts)
    found = [_placed(snippet, hosts) for snippet in snippets]
    count = 0
    for round in zip_longest(*found):
        for fault in round:
            if fault is not None and count < most:
                count += 1
                yield fault


def _spread(hosts: list[tuple[Source, Function]]) -> list[tuple[Source, Function]]:
    """The functions in another order: neighbours stand in different files."""
    by_file: dict[str, list[tuple[Source, Function]]] = {}
    for source, function in hosts:
        by_file.setdefault(source.path, []).append((source, function))
    return [host for round in zip_longest(*by_file.values()) for host in round if host is not None]


def _placed(snippet: Snippet, hosts: list[tuple[Source, Function]]) -> Iterator[Fault]:
    # Another start for each snippet, the same in each run.
    start = zlib.crc32(snippet.wrong.encode()) % max(len(hosts), 1)
    for source, function in hosts[start:] + hosts[:start]:
        fault = _in(snippet, source, function)
        if fault is not None:
            yield fault


def _in(snippet: Snippet, source: Source, function: Function) -> Fault | None:
    if not source.crates.tensor or (source.crates.generic and not snippet.old):
        return None
    if not source.compiled(function):
        return None
    if snippet.only and not re.search(snippet.only, source.path):
        return None
    names = {"n": str(function.start)}
    for placeholder, wanted in snippet.needs.items():
        name = next((n for n, t in function.parameters if _fits(t, wanted) and n not in names.values()), None)
        if name is None:
            return None
        names[placeholder] = name
    device = _device(function)
    if "{device}" in snippet.wrong + snippet.right or "{on}" in snippet.wrong + snippet.right:
        if not device:
            return None
        names |= {"device": device, "on": device.removeprefix("&")}
    texts = []
    for part in (snippet.wrong, snippet.right, snippet.items, snippet.type, snippet.right_type):
        made = _long(_filled(part, names), source)
        if made is None:
            return None
        texts.append(made)
    wrong, right, items, type, right_type = texts
    free = None
    if snippet.free is not None:
        free = {}
        for name, spelled in snippet.free.items():
            by = "&mut " if spelled.startswith("&mut ") else "&" if spelled.startswith("&") else ""
            cloned = spelled.startswith("clone ")
            made = _long(spelled.removeprefix("&mut ").removeprefix("&").removeprefix("clone "), source)
            if made is None:
                return None
            free[_filled(name, names)] = Free(made, by, cloned)
    at = function.start
    return Fault(
        source.path,
        (at, at),
        f"\n{{\n{wrong}\n}}\n",
        f"\n{{\n{right}\n}}\n",
        type=type,
        right_type=right_type or type,
        free=free,
        items=f"\n{items}\n" if items else "",
        transplanted=True,
    )


def _filled(source: str, names: Mapping[str, str]) -> str:
    for placeholder, name in names.items():
        source = source.replace(f"{{{placeholder}}}", name)
    return source


def _fits(type: str, wanted: str) -> bool:
    plain = re.sub(r"\w+::", "", type.removeprefix("&mut ").removeprefix("&").strip())
    return plain in (wanted, wanted.replace("Tensor<", "Tensor<B, "))


def _device(function: Function) -> str:
    """An expression for a device that the function has; none where it is visibly one without autodiff."""
    if ".autodiff()" in text(function.body):
        return ""
    for name, type in function.parameters:
        if re.fullmatch(r"&\s*(?:\w+::)*Device(?:<B>)?", type):
            return name
        if re.fullmatch(r"(?:\w+::)*Device(?:<B>)?", type):
            return f"&{name}"
    for name, type in function.parameters:
        if re.fullmatch(r"&?(?:\w+::)*Tensor<.*>", type):
            return f"&{name}.device()"
    return ""


def _long(source: str, host: Source) -> str | None:
    """The short names as the host's package spells them; None where it has no such crate."""
    crates = host.crates
    homes = {"tensor": crates.tensor, "module": crates.module, "nn": crates.nn, "optim": crates.optim}
    missing = _GPU.search(source) is not None and not crates.facade

    def path(found: re.Match[str]) -> str:
        nonlocal missing
        name = found[1]
        home = _NAMES[name]
        if home in homes:
            missing = missing or not homes[home]
            return f"{homes[home]}::{name}"
        if home == "data":
            missing = missing or not crates.data
            return f"{crates.data}::{_DATA[name]}"
        missing = missing or not crates.facade
        return f"burn::grad_clipping::{name}" if home == "clipping" else f"burn::store::{name}"

    made = _SHORT.sub(path, source).replace("burn::tensor::s!", f"{crates.tensor}::s!")
    if crates.generic:
        made = re.sub(r"\bTensor(::)?<(?=[\dD])", r"Tensor\1<B, ", made)
    return None if missing else made
