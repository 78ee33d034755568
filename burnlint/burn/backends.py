"""Which back ends a build has, and which of them only queue the work that they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnlint.burn.features import BurnFeatures

# Features of burn-dispatch that bring a back end (its build.rs, 0.22.1).
DISPATCHED = frozenset(
    """
    cuda flex rocm ndarray tch cpu metal vulkan webgpu wgpu remote capture
    """.split()  # noqa: SIM905
)
# Crates that are a back end of their own up to burn 0.21.
_CRATES = {
    "burn-candle": "candle",
    "burn-cpu": "cpu",
    "burn-cuda": "cuda",
    "burn-cuda-jit": "cuda",
    "burn-flex": "flex",
    "burn-hip": "rocm",
    "burn-hip-jit": "rocm",
    "burn-ndarray": "ndarray",
    "burn-remote": "remote",
    "burn-rocm": "rocm",
    "burn-tch": "tch",
    "burn-wgpu": "wgpu",
}
WGPU = frozenset({"wgpu", "vulkan", "metal", "webgpu"})
"""Those that run on wgpu."""
EAGER = frozenset({"flex", "ndarray"})
"""Those that have computed the result when a call returns (burn-flex and burn-ndarray 0.22.1: `sync` does nothing)."""
WIDE_INTS = frozenset({"ndarray", "tch"})
"""Those whose default for Int is I64 (burn-ndarray 0.22.1, src/backend.rs; burn-tch 0.22.1, src/backend.rs)."""


def backends_in(features: BurnFeatures) -> frozenset[str]:
    """The back ends of a build by the names of their features (`wgpu`, `flex`)."""
    dispatched = (features.of("burn-dispatch") or frozenset()) & DISPATCHED
    return dispatched | {name for crate, name in _CRATES.items() if features.of(crate) is not None}
