"""`python -m tools.soundness annotate|canary|types|all FOLDER [--work W] [--target T] [-j N] [--most N] [-- CARGO
ARGUMENTS]`.

Judges the inference on one Cargo package that compiles. The package is copied to W (default: a folder beside
the target folder); details go to files there. Exit 1 if rustc refuses an annotation, takes a canary or has
another type than burnlint."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tools.soundness.cargo import CargoError, Copy
from tools.soundness.judge import Verdict
from tools.soundness.report import Judgement, Types, write


def main(arguments: list[str]) -> int:
    """The exit status."""
    cargo = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, cargo = arguments[:at], arguments[at + 1 :]
    parser = argparse.ArgumentParser(prog="python -m tools.soundness")
    parser.add_argument("command", choices=("annotate", "canary", "types", "all"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "burnlint-soundness")
    parser.add_argument("--target", type=Path, help="Cargo's target folder")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument(
        "--most", type=int, help="canaries tried in each function (default: all; each costs a run)"
    )
    options = parser.parse_args(arguments)
    work = options.work / options.folder.resolve().name
    target = options.target or options.work / "target"
    try:
        copy = Copy.of(
            options.folder, work / "copy", target.resolve(), cargo or ["--all-targets"], options.jobs
        )
        return run(options.command, Judgement(copy), work, options.most)
    except CargoError as error:
        print(error, file=sys.stderr)
        return 2


def run(command: str, judgement: Judgement, work: Path, most: int | None) -> int:
    """The judgements asked for, with their figures on the standard output; the exit status."""
    started = time.monotonic()
    show_lets(judgement, work)
    bad = 0
    if command != "types":
        verdict = judgement.annotate()
        bad += show_verdict(judgement, verdict, work)
        if command != "annotate":
            tried, taken = judgement.canary(verdict.accepted, most)
            print(f"  canary: {tried} wrong annotations, {tried - len(taken)} rejected")
            bad += show("taken", map(judgement.place, taken), work / "canary.tsv")
    if command in ("types", "all"):
        bad += show_types("locals", judgement.locals(), work)
        bad += show_types("expressions", judgement.expressions(), work)
    print(f"  {judgement.copy.runs} runs of cargo check, {time.monotonic() - started:.0f} s")
    return 1 if bad else 0


def show_lets(judgement: Judgement, work: Path) -> None:
    """What there is to judge, and what is left out."""
    package = judgement.package
    versions = sorted({v for file in package.files for v in package.project.versions(file.as_posix())})
    print(f"{work.name}: burn {', '.join(versions) or 'none'}; {len(package.bodies)} functions")
    if package.cube:
        print(f"  left out: {package.cube} functions of CubeCL code")
    for error in judgement.broken[:10]:
        print(f"  does not compile as it is: {error.code} {error.message}")
    lets = judgement.lets
    if judgement.copy.incomplete:
        print(f"  rustc did not print all types of {judgement.copy.incomplete} targets")
    print(
        f"  un-annotated lets with a plain binding: {lets.plain}, of which {lets.absent} not compiled, "
        f"{lets.unnameable} with a type nobody can write, {lets.foreign} of types of other crates, "
        f"{lets.of_backend} of types that a back end decides"
    )
    share = 100 * len(lets.annotations) / lets.eligible if lets.eligible else 100
    print(
        f"  eligible {lets.eligible}, annotated {len(lets.annotations)} ({share:.1f} %); "
        f"with a tensor in it {lets.tensors[0]} of {lets.tensors[1]}"
    )
    print(f"  not annotated {len(lets.without)}: {lets.unspelled} known but not spelled")
    write(work / "without.tsv", lets.without)


def show_verdict(judgement: Judgement, verdict: Verdict, work: Path) -> int:
    """What rustc says of the annotations; the number of those it does not take."""
    misspelled = sum(each.tool for each in verdict.rejected)
    print(
        f"  accepted {len(verdict.accepted)}, rejected {len(verdict.rejected) - misspelled}, "
        f"misspelled {misspelled}, errors elsewhere {len(verdict.stray)}"
    )
    lines = []
    for each in verdict.rejected:
        labels = "; ".join(label.text for label in each.error.labels if label.text)
        type = judgement.lets.annotations[each.annotation]
        place = judgement.place(each.annotation)
        lines.append(f"{place}\t{each.error.code}\t{each.error.message}\t{labels}\t{type}")
    lines += [f"elsewhere\t{error.code}\t{error.message}\t{error.labels[:1]}" for error in verdict.stray]
    return show("rejected", lines, work / "rejected.tsv")


def show_types(what: str, types: Types, work: Path) -> int:
    """The figures of a comparison; the number of differences."""
    tensors = ", ".join(f"{count} {name}" for name, count in types.tensors.most_common())
    print(
        f"  {what}: {types.agree} agree, {len(types.differ)} differ, {types.unknown} unknown, "
        f"{types.absent} not in THIR; tensors {types.tensors.total()}: {tensors}"
    )
    write(work / f"{what}-unknown.tsv", types.missing)
    return show("differs", types.differ, work / f"{what}.tsv")


def show(label: str, lines: Iterable[str], path: Path) -> int:
    """Writes lines to a file, prints the first of them, and gives their number."""
    all = list(lines)
    write(path, all)
    print("".join(f"    {label}: {line}\n" for line in all[:25]), end="")
    return len(all)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
