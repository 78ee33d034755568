"""`python -m tools.fuzz --inputs 1000000 --seed 1`: hostile inputs for everything that reads.

Each input is made from its number, the seed and its target alone: `--replay rust:1234` makes it again. The
work is done in a child process, which is started anew when it dies or hangs, from the input after. The exit
code is 1 where something failed.
"""

from __future__ import annotations

import argparse
import collections
import gc
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from random import Random

from tools.fuzz.targets import TARGETS, Workshop

HANG = 60.0
"""Seconds after which an input that is not done counts as a hang."""
_BEAT = struct.Struct("<q")


def main() -> int:
    options = _options()
    if options.replay:
        target, _, number = options.replay.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                TARGETS[target][0](Random(f"{options.seed}:{target}:{number}"), Workshop(options.corpus))
            finally:
                for path in Path().rglob("*"):
                    if path.is_file():
                        print(f"==> {path}", path.read_text("utf-8", "replace"), sep="\n")
        return 0
    return _parent(options) if options.child is None else _child(options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, help="stop after this time, whatever is left")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--target", choices=TARGETS, action="append", help="only these")
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="folders of more Rust files")
    parser.add_argument("--replay", metavar="TARGET:NUMBER", help="run one input again and print it")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--beat", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _plan(options: argparse.Namespace) -> list[str]:
    """The targets of a hundred inputs in a row."""
    return [name for name, (_, share) in TARGETS.items() for _ in range(share) if _wanted(name, options)]


def _wanted(name: str, options: argparse.Namespace) -> bool:
    return not options.target or name in options.target


def _child(options: argparse.Namespace) -> int:
    """Inputs from number `child` on; a line of JSON for each failure."""
    warnings.simplefilter("ignore")
    shop, plan = Workshop(tuple(options.corpus)), _plan(options)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, options.beat.open("r+b", buffering=0) as beat:
        os.chdir(folder)
        for number in range(options.child, options.inputs):
            beat.seek(0)
            beat.write(_BEAT.pack(number))
            target = plan[number % len(plan)]
            try:
                TARGETS[target][0](Random(f"{options.seed}:{target}:{number}"), shop)
            except Exception as error:
                frames = traceback.extract_tb(error.__traceback__)
                at = [f"{Path(each.filename).name}:{each.lineno}" for each in frames[-3:]]
                failed = {
                    "input": f"{target}:{number}",
                    "error": f"{type(error).__name__}: {error}"[:300],
                    "at": at,
                }
                print(json.dumps(failed), flush=True)
            if number % 200 == 199:
                gc.collect()
            if options.seconds is not None and time.monotonic() - began > options.seconds:
                break
        beat.seek(0)
        beat.write(_BEAT.pack(-1 - number))
    return 0


def _parent(options: argparse.Namespace) -> int:
    began, failures, start = time.monotonic(), [], 0
    with tempfile.NamedTemporaryFile() as beat:
        while start < options.inputs:
            beat.seek(0)
            beat.write(_BEAT.pack(start))
            beat.flush()
            done, found = _run_child(options, start, Path(beat.name))
            failures += found
            start = done + 1
            if options.seconds is not None and time.monotonic() - began > options.seconds:
                break
    took = time.monotonic() - began
    counts = collections.Counter(_plan(options)[number % len(_plan(options))] for number in range(start))
    print(f"{start} inputs in {took / 3600:.2f} h, seed {options.seed}: {len(failures)} failed")
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return int(bool(failures))


def _run_child(options: argparse.Namespace, start: int, beat: Path) -> tuple[int, list[str]]:
    """One child from input `start` on: the last input that it looked at, and what failed."""
    arguments = [*sys.argv[1:], "--child", str(start), "--beat", str(beat)]
    child = subprocess.Popen(
        [sys.executable, "-m", "tools.fuzz", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    os.set_blocking(child.stdout.fileno(), False)  # type: ignore[union-attr]
    failures: list[str] = []
    last, since = start, time.monotonic()
    while True:
        ended = child.poll()
        for line in child.stdout or ():
            print(line, end="", flush=True)
            failures.append(line)
        number = _BEAT.unpack(beat.read_bytes())[0]
        if ended is not None:
            if number < 0:
                return -1 - number, failures
            failures.append(f"input {number}: the process ended with {ended}")
            print(failures[-1], flush=True)
            return number, failures
        if number != last:
            last, since = number, time.monotonic()
        elif time.monotonic() - since > HANG:
            child.kill()
            child.wait()
            failures.append(f"input {number}: hangs")
            print(failures[-1], flush=True)
            return number, failures
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
