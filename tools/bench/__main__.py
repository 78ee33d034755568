"""`python -m tools.bench PATH [--rounds N] [-- OPTIONS]`: time of whole burnlint processes as a ratio to the
bare parse.

The floor is a fresh process that reads every `.rs` file burnlint looks at and parses it with tree-sitter.
All run pinned to one CPU where the system allows it, in turns, and the best of N rounds counts: burnlint cold
(without its cache, in one process), and again with nothing changed (from a cache of its own). Prints a row per
measure: processor seconds (user and system, which other programs on the machine disturb least), ratio to the
floor, wall seconds, peak memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FLOOR = """
import sys
from tree_sitter import Language, Parser
import tree_sitter_rust
parser = Parser(Language(tree_sitter_rust.language()))
for line in sys.stdin:
    with open(line.rstrip("\\n"), "rb") as handle:
        parser.parse(handle.read())
"""


def one_cpu() -> None:
    """Pin this process and its children to one CPU (Linux; elsewhere nothing)."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def timed(command: list[str], cwd: Path, stdin: str = "") -> tuple[float, float, int]:
    """Processor seconds, wall seconds and peak resident KiB of one process, whose exit code must be 0."""
    start = time.perf_counter()
    # As a user has it: modules are compiled once, in the first round.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        command,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(stdin)
        process.stdin.close()
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("options", nargs="*", help="options for burnlint, after --")
    arguments = parser.parse_args()
    one_cpu()
    root = arguments.path.resolve()
    burnlint = [sys.executable, "-m", "burnlint", "check", "--exit-zero", "--output", "json"]
    listed = subprocess.run(
        [*burnlint[:4], "--show-files", "."], cwd=root, capture_output=True, text=True, check=True
    )
    files = [name for name in listed.stdout.splitlines() if name.endswith(".rs")]
    size = sum((root / name).stat().st_size for name in files)
    measures = {
        "floor: read and bare parse": ([sys.executable, "-c", FLOOR], "\n".join(files)),
        "burnlint, cold": ([*burnlint, "--no-cache", "--jobs", "1", *arguments.options, "."], ""),
        "burnlint, nothing changed": ([*burnlint, "--jobs", "1", *arguments.options, "."], ""),
        "burnlint --version": ([sys.executable, "-m", "burnlint", "--version"], ""),
    }
    best: dict[str, tuple[float, float, int]] = {}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["BURNLINT_CACHE_DIR"] = cache
        timed(measures["burnlint, nothing changed"][0], root)  # fills the cache
        for _ in range(arguments.rounds):
            for name, (command, stdin) in measures.items():
                result = timed(command, root, stdin)
                best[name] = min(best.get(name, result), result)
    floor = best["floor: read and bare parse"][0]
    print(f"{len(files)} Rust files, {size / 1e6:.2f} MB, best of {arguments.rounds}, one CPU")
    for name, (seconds, wall, memory) in best.items():
        print(
            f"{name:30} {seconds:7.3f} s {seconds / floor:6.2f} x  wall {wall:7.3f} s {memory / 1024:6.0f} MB"
        )


if __name__ == "__main__":
    main()
