"""What of the sources users can name: modules reachable from the crates they depend on, and short paths."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from tools.api.modules import Binding, Module, Sources

# Crates that user code names; `burn` comes first, so its paths are preferred.
ROOTS = (
    "burn",
    "burn_core",
    "burn_tensor",
    "burn_nn",
    "burn_optim",
    "burn_train",
    "burn_dataset",
    "burn_store",
    "burn_autodiff",
    "burn_vision",
    "burn_linalg",
    "burn_signal",
    "burn_rl",
    "burn_derive",
    "burn_collective",
    "burn_remote",
    "burn_router",
    "burn_ndarray",
    "burn_wgpu",
    "burn_cuda",
    "burn_hip",
    "burn_rocm",
    "burn_cpu",
    "burn_tch",
    "burn_candle",
    "burn_flex",
)
# Engine rooms: their names exist for users, what is behind them is not described.
_INTERNAL_CRATES = frozenset(
    {
        "burn_cubecl",
        "burn_cubecl_fusion",
        "burn_jit",
        "burn_fusion",
        "burn_ir",
        "burn_communication",
        "burn_capture",
        "burn_backend_extension",
        "burn_pack",
        "burn_einsum",
    }
)
_INTERNAL_MODULES = re.compile(
    r"^burn_(tensor|std)::(tests|bridge)\b|^burn_train::renderer::tui\b"
    r"|^burn_(ndarray|tch|candle|flex|wgpu|cuda|dispatch|autodiff)::\w*(ops|kernel|template|simd)\b"
)
# What a back end has to implement: hundreds of functions on primitives that no user calls.
_BACKEND_OPS = re.compile(r"^burn_(tensor|backend)(::tensor|::backend)?::(ops|repr)\b")
# Backends: names and variants, but no methods except those of devices.
BACKENDS = frozenset(
    {
        "burn_ndarray",
        "burn_wgpu",
        "burn_cuda",
        "burn_hip",
        "burn_rocm",
        "burn_cpu",
        "burn_tch",
        "burn_candle",
        "burn_flex",
        "burn_dispatch",
        "burn_router",
        "burn_remote",
        "burn_collective",
    }
)


def is_internal(path: tuple[str, ...]) -> bool:
    """Whether a definition or module belongs to the inside of burn."""
    return path[0] in _INTERNAL_CRATES or _INTERNAL_MODULES.match("::".join(path)) is not None


def is_backend_ops(path: str) -> bool:
    """Whether a trait is of those that back ends implement."""
    return _BACKEND_OPS.match(path) is not None


@dataclass(slots=True)
class Surface:
    """The public surface: reachable modules by path, and the public paths of every definition, best first."""

    modules: dict[str, Module] = field(default_factory=dict)
    paths: dict[str, list[str]] = field(default_factory=dict)

    def path(self, definition: str) -> str:
        """The preferred public path of a definition; the path of the definition itself if it has none."""
        return self.paths.get(definition, [definition])[0]


def surface(sources: Sources) -> Surface:
    """Walk the exports breadth first from every root."""
    found = Surface()
    paths: dict[str, list[str]] = {}
    for root in ROOTS:
        if (root,) in sources.modules:
            _walk(sources, root, found, paths)
    rank = {root: at for at, root in enumerate(ROOTS)}
    found.paths = {
        definition: sorted(many, key=lambda p: (rank[p.split("::")[0]], p.count("::"), p))
        for definition, many in paths.items()
    }
    return found


def _walk(sources: Sources, root: str, found: Surface, paths: dict[str, list[str]]) -> None:
    start: tuple[str, ...] = (root,)
    queue = deque([(start, root)])
    seen = {start}
    while queue:
        path, shown = queue.popleft()
        module = sources.modules[path]
        found.modules.setdefault("::".join(path), module)
        for _, name, binding in exports(module):
            public = f"{shown}::{name}"
            if binding.sort != "mod":
                paths.setdefault("::".join(binding.path), []).append(public)
            elif (
                binding.path not in seen and binding.path in sources.modules and not is_internal(binding.path)
            ):
                seen.add(binding.path)
                queue.append((binding.path, public))


def exports(module: Module) -> list[tuple[str, str, Binding]]:
    """Namespace, name and binding of everything a module exports, in order of names."""
    found = [
        (namespace, name, binding)
        for namespace, names in module.names.items()
        for name, binding in names.items()
        if binding.public
    ]
    return sorted(found, key=lambda export: (export[1], export[0]))
