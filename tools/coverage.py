"""How much burnlint knows of real code: `python -m tools.coverage FOLDER... [--unknown FILE]`.

Every body below each folder is solved; that takes some minutes for a repository of burn's size. Counted are receivers
of methods that of all types of burn and std only Tensor has, those that are known to be something else left out:
how many are known to be a tensor with its kind, and with its rank. Receivers of methods that rules hang on are counted
apart, whatever type they have. Where two known types meet and differ, in code that compiles, the inference is wrong.
Left out and counted are files of packages without burn or with one before 0.13, and files that no target of a package
includes: nothing says that they compile.
`--unknown` writes one line for each receiver that is not known and each contradiction.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from burnlint.burn import terms
from burnlint.burn.infer import BodyTypes
from burnlint.burn.project import Options, Project
from burnlint.burn.statistics import only_of_tensor
from burnlint.burn.terms import Term
from burnlint.cargo.semver import Version
from burnlint.lint import walk
from burnlint.rust import hir

OLDEST = Version(0, 13, 0)
METHODS = ("backward", "step", "argmax", "mask_where", "to_device", "detach")
MOST_CAUSES = 10
MOST_STEPS = 30
MADE = "name not resolved (macro)"
FOREIGN = "name not resolved (glob)"


@dataclass
class Coverage:
    """Counts of one folder, or of several together."""

    receivers: Counter[str] = field(default_factory=Counter)
    """Of methods that only Tensor has: "all" that are a tensor or unknown, "kind" and "rank" known."""
    others: int = 0
    """Receivers of such methods that are known to be no tensor."""
    made: int = 0
    """Receivers of such methods whose type only a macro call at the side of items declares: code made while building."""
    foreign: int = 0
    """Receivers of such methods whose type is named in the code and comes, by a glob, from a crate that is not read."""
    methods: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in METHODS})
    """By method: "all", "typed" (the type is known), of these "tensor", "kind" and "rank"."""
    causes: Counter[str] = field(default_factory=Counter)
    """Why a receiver's type, rank or kind is unknown: the first cause on the way to it."""
    met: int = 0
    """How often two known types met."""
    contradictions: int = 0
    files: int = 0
    without_burn: int = 0
    """Rust files of packages without burn, or with one that is too old."""
    stray: int = 0
    """Rust files that no target includes, or without a manifest."""
    expressions: Counter[str] = field(default_factory=Counter)
    """Tensors: "all", "kind" and "rank" known. An unknown receiver of a method that only Tensor has is one."""
    lines: list[str] = field(default_factory=list)
    """One for each receiver that is not known, and each contradiction."""

    def add(self, other: Coverage) -> None:
        """Put the counts of another folder on top."""
        self.receivers.update(other.receivers)
        self.expressions.update(other.expressions)
        self.causes.update(other.causes)
        for name, counts in other.methods.items():
            self.methods[name].update(counts)
        self.others += other.others
        self.made += other.made
        self.foreign += other.foreign
        self.met += other.met
        self.contradictions += other.contradictions
        self.files += other.files
        self.without_burn += other.without_burn
        self.stray += other.stray
        self.lines += other.lines


def of_folder(folder: str) -> Coverage:
    """The counts of the files that a lint run would look at."""
    found = Coverage()
    files = walk.walk([folder], walk.Options()).files
    project = Project.load(files, Options(), {})
    for group in project.groups:
        for path in group:
            _count_file(project, path, found)
    return found


def _count_file(project: Project, path: str, found: Coverage) -> None:
    source = project.source(path)
    analysis = project.analysis(path) if project.versions(path) else None
    if source is None or not path.endswith(".rs"):
        return
    if analysis is None or max(map(Version.parse, project.versions(path))) < OLDEST:
        found.without_burn += 1
        return
    package, root = project.package(path), analysis.unit.own[0].root
    targets = {target.path for target in package.targets} if package is not None else set()
    if package is None or (root is not None and root.file is source and path not in targets):
        found.stray += 1
        return
    found.files += 1
    only = only_of_tensor(analysis.api)
    for fn in source.items.functions:
        body = analysis.body(fn)
        if body is None:
            continue
        types = analysis.types(body)
        found.met += types.meetings
        for e, a, b in types.contradictions:
            found.contradictions += 1
            found.lines.append(_line(path, types, e, f"{terms.show(a)} meets {terms.show(b)}"))
        for e in body.exprs:
            if isinstance(e, hir.MethodCall):
                _count_call(path, types, e, only, found)
            knowledge = _knowledge(terms.peel_refs(types.expr(e)))
            if "tensor" in knowledge and not isinstance(e, hir.Block):
                found.expressions.update(["all", *knowledge])


def _count_call(
    path: str, types: BodyTypes, call: hir.MethodCall, only: frozenset[str], found: Coverage
) -> None:
    term = terms.peel_refs(types.expr(call.receiver))
    knowledge = _knowledge(term)
    cause = _first_cause(types, call.receiver)
    if call.name in METHODS:
        found.methods[call.name].update(["all", *knowledge])
    if cause is not None and (call.name in METHODS or call.name in only):
        found.lines.append(_line(path, types, call.receiver, f".{call.name}\t{cause}"))
    if call.name not in only:
        return
    if "typed" in knowledge and "tensor" not in knowledge:
        found.others += 1
        return
    if cause == MADE:
        found.made += 1
        return
    if cause == FOREIGN:
        found.foreign += 1
        return
    found.receivers.update(["all", *knowledge])
    if not knowledge:
        found.expressions["all"] += 1
    if cause is not None:
        found.causes[cause] += 1


def _first_cause(types: BodyTypes, e: hir.Expr) -> str | None:
    """Why the type of an expression is not known: what burnlint lost on the way there, back through operands and locals."""
    cause = types.unknown_cause(e)
    for _ in range(MOST_STEPS):
        unknown = [each for each in _before(types.body, e) if types.unknown_cause(each) is not None]
        if not unknown:
            break
        e = unknown[0]
        cause = types.unknown_cause(e)
    return cause


def _before(body: hir.Body, e: hir.Expr) -> list[hir.Expr]:
    """The expressions that the type of another follows from."""
    match e:
        case hir.MethodCall():
            return [e.receiver]
        case hir.Field() | hir.Index():
            return [e.base]
        case hir.Ref() | hir.Deref() | hir.Unary() | hir.Try() | hir.Await():
            return [e.operand]
        case hir.Binary():
            return [e.left, e.right]
        case hir.Block(tail=hir.Expr() as tail):
            return [tail]
        case hir.LocalRef():
            bound = _bound_to(body, e.local)
            return [] if bound is None else [bound]
    return []


def _bound_to(body: hir.Body, local: hir.Local) -> hir.Expr | None:
    """What a pattern takes a local out of."""
    for e in body.exprs:
        bindings: list[tuple[hir.Pattern, hir.Expr | None]] = []
        if isinstance(e, hir.Block):
            bindings = [(s.pattern, s.init) for s in e.statements if isinstance(s, hir.Let)]
        elif isinstance(e, hir.For):
            bindings = [(e.pattern, e.iterable)]
        elif isinstance(e, hir.LetCond):
            bindings = [(e.pattern, e.value)]
        elif isinstance(e, hir.Match):
            bindings = [(arm.pattern, e.scrutinee) for arm in e.arms]
        for pattern, value in bindings:
            if pattern.span[0] <= local.span[0] and local.span[1] <= pattern.span[1]:
                return value
    return None


def _knowledge(term: Term) -> list[str]:
    if isinstance(term, terms.Unknown):
        return []
    if not isinstance(term, terms.Tensor):
        return ["typed"]
    kind = [] if isinstance(term.kind, terms.Unknown) else ["kind"]
    rank = [] if isinstance(term.rank, terms.Unknown) else ["rank"]
    return ["typed", "tensor", *kind, *rank]


def _line(path: str, types: BodyTypes, e: hir.Expr, what: str) -> str:
    text = types.body.owner.file.text
    code = " ".join(text.decode(*e.span).split())
    return f"{path}:{text.line(e.span[0])}\t{code[:80]}\t{what}"


def _share(part: int, all: int) -> str:
    return f"{part} of {all}" + (f" ({100 * part / all:.2f} %)" if all else "")


def report(name: str, found: Coverage) -> Iterator[str]:
    """The counts of a folder as lines."""
    count = found.receivers["all"]
    yield f"{name}: {found.files} files with burn, {found.without_burn} without or before {OLDEST}, {found.stray} in no target"
    yield f"  receivers of Tensor's own methods: kind {_share(found.receivers['kind'], count)}, " + (
        f"rank {_share(found.receivers['rank'], count)}"
    )
    yield f"  left out of these: {found.others} known to be no tensor, {found.made} made while building, " + (
        f"{found.foreign} of types by globs of other crates"
    )
    count = found.expressions["all"]
    yield f"  tensor expressions: kind {_share(found.expressions['kind'], count)}, " + (
        f"rank {_share(found.expressions['rank'], count)}"
    )
    yield f"  contradictions: {_share(found.contradictions, found.met)} meetings of known types"
    for method, counts in found.methods.items():
        yield (
            f"  .{method}(: type {_share(counts['typed'], counts['all'])}; of {counts['tensor']} tensors "
            + (f"kind {counts['kind']}, rank {counts['rank']}")
        )
    for cause, times in found.causes.most_common(MOST_CAUSES):
        yield f"  unknown because: {times} {cause}"


def main(arguments: Iterable[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--unknown", type=Path)
    options = parser.parse_args(list(arguments))
    together = Coverage()
    with_burn = 0
    for folder in options.folders:
        found = of_folder(folder)
        with_burn += found.files > 0
        together.add(found)
        print("\n".join(report(folder, found)), flush=True)
    if len(options.folders) > 1:
        print("\n".join(report(f"together ({with_burn} folders with burn)", together)))
    if options.unknown is not None:
        options.unknown.write_text("".join(f"{line}\n" for line in together.lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
