"""`python -m tools.mutation FOLDER... --work W --target T [--most N] [--operators A,B] [--compile ROUNDS]
[--write] [--missed FILE]`: recall by mutation over these packages (see the package's docstring)."""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
from pathlib import Path

from tools.mutation import plan
from tools.mutation.base import Base
from tools.mutation.compile import compile_all
from tools.mutation.fault import unmarked
from tools.mutation.measure import measure
from tools.mutation.plan import Mutant
from tools.mutation.report import counted, rows, table

RESULTS = Path(__file__).parent / "results.tsv"


def main(arguments: list[str]) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument(
        "--untyped",
        type=Path,
        nargs="*",
        default=[],
        help="further folders, where rustc is not asked for types",
    )
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "burnlint-mutation")
    parser.add_argument("--target", type=Path, help="Cargo's target folder")
    parser.add_argument(
        "--most", type=int, default=24, help="direct mutants per operator (and as many others)"
    )
    parser.add_argument("--operators", default="", help="only these, with commas between")
    parser.add_argument(
        "--compile", type=int, default=0, metavar="ROUNDS", help="let cargo check the mutants"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="store the table")
    parser.add_argument("--missed", type=Path, help="write what was not found to this file")
    options = parser.parse_args(arguments)
    target = (options.target or options.work / "target").resolve()
    typed = [Base.load(folder, options.work, target) for folder in options.folders]
    bases = typed + [Base.load(folder, options.work, target, typed=False) for folder in options.untyped]
    names = [name for name in options.operators.split(",") if name]
    kept = options.work / "compiled.pickle"
    # Some will not compile: they are replaced by further ones.
    spare = options.most * 6 // 5 if options.compile or kept.is_file() else options.most
    mutants = plan.mutants(bases, spare, spare, names)
    _remember(mutants, kept)
    if options.compile:

        def done() -> None:
            # A run may be ended before it is through.
            kept.write_bytes(pickle.dumps(_states(kept) | {_key(each): _state(each) for each in mutants}))

        for base in bases:
            compile_all(base, mutants, options.most, options.compile, done)
    measured = measure(bases, counted(mutants, options.most), options.jobs)
    text = table(rows(measured, options.most))
    print(text, end="")
    if options.write:
        RESULTS.write_text(text, encoding="utf-8")
    if options.missed is not None:
        options.missed.write_text("\n".join(map(_shown, measured)), encoding="utf-8")
    return 0


def _key(mutant: Mutant) -> tuple[str, str, str, str]:
    fault = mutant.fault
    first = mutant.first
    return mutant.name, mutant.base, f"{fault.path}:{fault.span}", first


def _state(mutant: Mutant) -> tuple[bool | None, str, int]:
    return mutant.compiles, mutant.detail, len(mutant.candidates)


def _states(kept: Path) -> dict[tuple[str, str, str, str], tuple[bool | None, str, int]]:
    """What cargo said in earlier runs."""
    return pickle.loads(kept.read_bytes()) if kept.is_file() else {}


def _remember(mutants: list[Mutant], kept: Path) -> None:
    """What cargo said in an earlier run of the same mutants."""
    states = _states(kept)
    for each in mutants:
        state = states.get(_key(each))
        if state is not None:
            each.compiles, each.detail, left = state
            del each.candidates[: len(each.candidates) - left]


def _shown(mutant: Mutant) -> str:
    if mutant.found and not mutant.twin:
        return ""
    fault = mutant.fault
    origin = "transplanted" if fault.transplanted else "real"
    return (
        f"===== {mutant.name} {fault.shape} {origin} {mutant.base}/{fault.path} compiles={mutant.compiles} "
        f"found={mutant.found} twin={mutant.twin} {mutant.detail}\n"
        f"{unmarked(fault.wrong)}{fault.items}{fault.wrong_items}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
