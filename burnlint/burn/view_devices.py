"""Questions about devices in a file: which ones it makes, what it times, its kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import devices, kernels, launches, timing
from burnlint.burn.view_training import LoopQuestions

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.kernels import Access


class DevicesInFile(LoopQuestions):
    """Questions about devices in a file: which ones it makes, what it times, its kernels."""

    device_spelling = devices.SPELT
    """Calls that make a device, as they are written."""

    @cached_property
    def spelt_devices(self) -> frozenset[str]:
        """The back ends whose devices the file makes by name, `default` among them."""
        calls = (call.partition(b"(")[0] for call in self._spelt)
        return frozenset(call.rpartition(b"::")[2].strip().decode() for call in calls)

    @cached_property
    def makes_device(self) -> re.Pattern[bytes]:
        """What a function spells that makes a device, itself or by a function of the file."""
        makers = {
            re.escape(fn.name.encode())
            for fn in self.source.items.functions
            if fn.result is not None and self.source.holds(devices.SPELT, fn.span)
        }
        called = b"|".join(rb"\b%b\s*\(" % each for each in sorted(makers))
        return re.compile(devices.SPELT.pattern + b"|" + called) if makers else devices.SPELT

    @cached_property
    def _spelt(self) -> list[bytes]:
        return devices.SPELT.findall(self.source.under_own_names)

    @cached_property
    def spells_two_devices(self) -> bool:
        """Whether the file holds two different calls that make a device."""
        return len({re.sub(rb"\s", b"", call) for call in self._spelt}) > 1

    def timed_sections(self) -> Iterator[timing.Section]:
        """The stretches of a function between a reading of the clock and the time taken since."""
        return timing.sections(self._self)

    def benchmarks(self) -> Iterator[timing.Section]:
        """The closures that a benchmark (criterion, divan, `test::Bencher`) runs again and again."""
        return timing.benchmarks(self._self)

    def unguarded_kernels(self) -> Iterator[Access]:
        """The kernels of cubecl that index a container by the position of a unit with nothing that may guard it."""
        return kernels.unguarded(self._self)

    def floored_cube_counts(self) -> Iterator[Expr]:
        """The divisions that give a number of cubes and may leave a rest."""
        return launches.floored_counts(self._self)
