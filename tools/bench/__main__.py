"""`python -m tools.bench PATH [--rounds N] [--times] [--others] [--clippy PACKAGE] [-- OPTIONS]`: whole burnlint
processes against the bare parse of the same files.

The floor is a fresh process that reads every `.rs` file burnlint looks at and parses it with tree-sitter. All is
measured on a copy, in turns, and the best of N rounds counts, by processor seconds; on one CPU where the system
allows that, but for the row that says otherwise. A row per measure: processor seconds, ratio to the floor, wall
seconds, peak memory of one process. Ratios between other rows follow below them. `every body solved` is what the
semantic core costs at worst: the types of all functions, without rules.

`--times` adds 8 copies of the project in one run, `--others` ast-grep and semgrep with one pattern where they are
installed, `--clippy` a package that cargo can build offline: cargo clippy and burnlint after its files were touched.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.bench import others, site
from tools.bench.process import CPUS, Took, timed

PARSE = """
import sys
from tree_sitter import Language, Parser
import tree_sitter_rust
parser = Parser(Language(tree_sitter_rust.language()))
for line in sys.stdin:
    with open(line.rstrip("\\n"), "rb") as handle:
        parser.parse(handle.read())
"""
IMPORTS = """
import burnlint.cli.check, burnlint.lint.cache, burnlint.lint.registry, burnlint.report.json, burnlint.burn.project
import burnlint.burn.analysis, tree_sitter, tree_sitter_rust
burnlint.lint.registry.load()
"""
SOLVE = """
import gc
gc.disable()  # as the command line does
from burnlint.burn.project import Options, Project
from burnlint.burn.statistics import solved
from burnlint.lint import walk
for analysis, types in solved(Project.load(walk.walk(["."], walk.Options()).files, Options(), {})):
    pass
"""
BURNLINT = (sys.executable, "-m", "burnlint", "check", "--exit-zero", "--output", "json")
FLOOR = "read and bare parse"


@dataclass(frozen=True)
class Measure:
    """A process to time, and what comes before it in each round and is not timed."""

    name: str
    command: Sequence[str]
    folder: Path
    stdin: str = ""
    warm: Sequence[str] = ()
    """A command that fills the cache."""
    change: bool = False
    """Whether a file is to be changed."""
    touch: Path | None = None
    """The package whose sources are to be touched."""
    all_cpus: bool = False
    codes: Collection[int] = (0,)


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="burnlint-bench-") as name:
        below = Path(name)
        laid = site.lay(options.path.resolve(), below)
        measures = [*_own(laid, options), *_others(laid, options, below)]
        environment = {"BURNLINT_CACHE_DIR": str(below / "cache")}
        best: dict[str, Took] = {}
        for at in range(-1, options.rounds):  # the first time compiles modules, and does not count
            for each in measures:
                if each.change:
                    laid.change()
                if each.warm:
                    timed(each.warm, each.folder, each.stdin, environment)
                if each.touch is not None:
                    others.touch_sources(each.touch)
                took = timed(
                    each.command,
                    each.folder,
                    each.stdin,
                    environment,
                    all_cpus=each.all_cpus,
                    codes=each.codes,
                )
                if at >= 0:
                    best[each.name] = min(best.get(each.name, took), took)
        print(f"{len(laid.files)} Rust files, {laid.size / 1e6:.2f} MB, best of {options.rounds}, one CPU")
        _print(best, laid)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--times", action="store_true", help=f"{site.TIMES} copies of the project too")
    parser.add_argument("--others", action="store_true", help="ast-grep and semgrep too")
    parser.add_argument(
        "--clippy", type=Path, metavar="PACKAGE", help="cargo clippy too, on a package that is built"
    )
    parser.add_argument("options", nargs="*", help="options for burnlint, after --")
    return parser.parse_args()


def _own(laid: site.Site, options: argparse.Namespace) -> list[Measure]:
    run = [*BURNLINT, *options.options]
    alone = [*run, "--jobs", "1"]
    cold = [*alone, "--no-cache"]
    measures = [
        Measure(FLOOR, [sys.executable, "-c", PARSE], laid.one, "\n".join(laid.files)),
        Measure("every body solved", [sys.executable, "-c", SOLVE], laid.one),
        Measure("cold", [*cold, "."], laid.one),
        Measure("cold, --select all", [*cold, "--select", "all", "."], laid.one),
        Measure(f"cold, processes on {len(CPUS)} CPUs", [*run, "--no-cache", "."], laid.one, all_cpus=True),
        Measure("nothing changed", [*alone, "."], laid.one, warm=[*alone, "."]),
        Measure("Python and imports", [sys.executable, "-c", IMPORTS], laid.one),
        Measure(
            "parse of one package", [sys.executable, "-c", PARSE], laid.one, "\n".join(laid.around_changed)
        ),
        Measure("one file changed, warm", [*alone, laid.changed], laid.one, change=True),
        Measure("one file changed, cold", [*cold, laid.changed], laid.one),
    ]
    if options.times:
        measures.append(Measure(f"cold, {site.TIMES} copies", [*cold, "."], laid.many))
    return measures


def _others(laid: site.Site, options: argparse.Namespace, below: Path) -> list[Measure]:
    measures = []
    if options.others:
        one_rule = [*BURNLINT, "--jobs", "1", "--no-cache", "--select", others.RULE, "."]
        measures.append(Measure("cold, one rule", one_rule, laid.one))
        for name, command in (
            ("ast-grep, one pattern", others.ast_grep()),
            ("semgrep, one pattern", others.semgrep(below)),
        ):
            if command is None:
                print(f"{name}: not installed", file=sys.stderr)
            else:
                measures.append(Measure(name, command, laid.one, codes=(0, 1)))
    if options.clippy is not None:
        package, command = options.clippy.resolve(), others.clippy()
        if command is None:
            print("cargo clippy: not installed", file=sys.stderr)
            return measures
        measures += [
            Measure("package: cargo clippy", command, package, touch=package),
            Measure("package: cold", [*BURNLINT, "--jobs", "1", "--no-cache", "."], package),
        ]
    return measures


def _print(best: dict[str, Took], laid: site.Site) -> None:
    floor = best[FLOOR].cpu
    for name, took in best.items():
        ratio, memory = took.cpu / floor, took.memory / 1024
        print(f"{name:28} {took.cpu:8.3f} s {ratio:6.2f} x  wall {took.wall:8.3f} s {memory:6.0f} MB")
    cpu = {name: took.cpu for name, took in best.items()}
    imports = cpu["Python and imports"]
    print(f"one file changed: {laid.changed}, of a package of {len(laid.around_changed)} files")
    print(f"  warm: {cpu['one file changed, warm'] / imports:.2f} x Python and imports")
    allowed = 3 * imports + 2 * cpu["parse of one package"]
    share = cpu["one file changed, cold"] / allowed
    print(f"  cold: {share:.2f} x (3 x Python and imports + 2 x the parse of its package)")
    many = cpu.get(f"cold, {site.TIMES} copies")
    if many is not None:
        print(f"{site.TIMES} copies: {many / cpu['cold']:.2f} x the time of one")
    package = cpu.get("package: cargo clippy")
    if package is not None:
        print(f"cargo clippy: {package / cpu['package: cold']:.1f} x burnlint on the same package")


if __name__ == "__main__":
    main()
