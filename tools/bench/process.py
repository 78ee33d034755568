"""Time and memory of whole processes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

CPUS = frozenset(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else frozenset()
"""What this process was given; empty where the system does not say."""


class Took(NamedTuple):
    """Of one process and those that it waited for: processor seconds (user and system, which other programs on the
    machine disturb least), wall seconds, and the peak memory of the largest in KiB."""

    cpu: float
    wall: float
    memory: int


def timed(
    command: Sequence[str],
    folder: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    *,
    all_cpus: bool = False,
    codes: Collection[int] = (0,),
) -> Took:
    """Run a process, on one CPU where the system allows that. Raises SystemExit unless it ends with one of
    `codes`."""
    if CPUS:
        os.sched_setaffinity(0, CPUS if all_cpus else {max(CPUS)})
    # As a user has it: modules are compiled once, in the first round.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**inherited, **(environment or {})},
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(stdin)
        process.stdin.close()
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors[-2000:]}")
    return Took(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss)
