"""The three judgements on one package, with their figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from burnlint.burn import terms
from burnlint.burn.terms import Term
from burnlint.rust import hir
from burnlint.text import Text
from tools.soundness import canary, judge, rustc_types
from tools.soundness.cargo import Copy, Diagnostic
from tools.soundness.compare import OF_BACKEND, difference, unknown
from tools.soundness.edits import Annotation
from tools.soundness.package import Body, Package

_UNNAMEABLE = ("Closure(", "FnDef(", "Coroutine", "Alias(Opaque", "impl ")
"""Parts of types for which Rust has no spelling at a `let`."""

_TENSOR = "Tensor<"
_OF_BACKENDS = frozenset({"Device", "FloatElem", "IntElem", "BoolElem", "FloatTensorPrimitive"})


@dataclass
class Lets:
    """The un-annotated `let`s of a package, by what may be done with them. A plain binding is `let x` or `let
    mut x`."""

    plain: int = 0
    absent: int = 0
    """In code that rustc does not compile here: configured out, or in a target that is not built."""
    unnameable: int = 0
    """Closures, functions and hidden types, which nobody can write."""
    without: list[str] = field(default_factory=list)
    """Eligible, but burnlint cannot spell the type: place, name, rustc's type, burnlint's."""
    unspelled: int = 0
    """Of `without`, those whose type burnlint knows."""
    foreign: int = 0
    """Of types of other crates, which burnlint does not read (std and burn's apart): not eligible."""
    of_backend: int = 0
    """Of types that a back end decides up to burn 0.21 (its device, its gradients), which burnlint knows by what they
    are and not by the back end's own name: not eligible."""
    annotations: dict[Annotation, str] = field(default_factory=dict)
    """With rustc's type."""

    @property
    def eligible(self) -> int:
        """Those that a type could be written at."""
        return len(self.without) + len(self.annotations)

    @property
    def tensors(self) -> tuple[int, int]:
        """Of the eligible those with a tensor in rustc's type: annotated, all."""
        annotated = sum(_TENSOR in type for type in self.annotations.values())
        return annotated, annotated + sum(_TENSOR in line.split("\t")[2] for line in self.without)


@dataclass
class Types:
    """burnlint's terms beside rustc's types, of locals or of expressions."""

    agree: int = 0
    unknown: int = 0
    absent: int = 0
    """Not in what rustc prints: configured out, taken apart otherwise by rustc, or in a macro not understood."""
    differ: list[str] = field(default_factory=list)
    tensors: Counter[str] = field(default_factory=Counter)
    """Of those that are tensors for rustc: "known", "kind unknown", "rank unknown", "unknown"."""
    missing: list[str] = field(default_factory=list)
    """Tensors that are not known, with rustc's type and the cause."""


class Judgement:
    """What rustc says of a package. The copy must be one that compiles, targets that do not are left out."""

    def __init__(self, copy: Copy) -> None:
        self.copy = copy
        self.package = Package(copy.folder)
        self.files = {
            path.relative_to(self.package.folder).as_posix(): path.read_bytes() for path in self.package.files
        }
        self.broken: list[Diagnostic] = copy.check()
        """Errors before anything was changed."""

    @cached_property
    def _texts(self) -> Mapping[str, Text]:
        return {path: Text(path, content) for path, content in self.files.items()}

    @cached_property
    def _rustc(self) -> tuple[dict[tuple[str, str, int], str], dict[tuple[str, int, int], list[str]]]:
        """rustc's types: of bindings by file, name and start or end; of expressions by span. Offsets in
        bytes."""
        bindings: dict[tuple[str, str, int], str] = {}
        expressions: dict[tuple[str, int, int], list[str]] = {}
        for row in self.copy.types():
            text = self._texts.get(row.place.path)
            if text is None:
                continue
            start, end = offset(text, *row.place.start), offset(text, *row.place.end)
            if row.name:
                bindings.setdefault((row.place.path, row.name, -start), row.type)
                bindings.setdefault((row.place.path, row.name, end), row.type)
            else:
                expressions.setdefault((row.place.path, start, end), []).append(row.type)
        return bindings, expressions

    def _binding(self, body: Body, local: hir.Local) -> str | None:
        """rustc's type of a local."""
        bindings, _ = self._rustc
        return bindings.get((body.path, local.name, local.span[1])) or bindings.get(
            (body.path, local.name, -local.span[0])
        )

    @cached_property
    def lets(self) -> Lets:
        """The `let`s and their annotations."""
        found = Lets()
        for body in self.package.bodies:
            for let, bind in body.lets():
                found.plain += 1
                type = self._binding(body, bind.local)
                if type is None:
                    found.absent += 1
                elif any(part in type for part in _UNNAMEABLE):
                    found.unnameable += 1
                else:
                    spelled = body.types.annotation(bind.local)
                    term = body.types.local(bind.local)
                    if _of_backend(body, term):
                        found.of_backend += 1
                    elif spelled is None:
                        if _foreign(body, type):
                            found.foreign += 1
                            continue
                        found.unspelled += not unknown(term)
                        place = self._place(body, let.span[0])
                        found.without.append(f"{place}\t{bind.local.name}\t{type}\t{terms.show(term)}")
                    else:
                        annotation = Annotation(
                            body.path, bind.span[1], body.fn.span, bind.local.name, spelled
                        )
                        found.annotations[annotation] = type
        return found

    def place(self, annotation: Annotation) -> str:
        """`src/lib.rs:12 name: Tensor<2>`."""
        line = self._texts[annotation.path].line(annotation.at)
        return f"{annotation.path}:{line} {annotation.name}: {annotation.type}"

    def _place(self, body: Body, at: int) -> str:
        return f"{body.path}:{body.source.text.line(at)}"

    def _check(self, contents: Mapping[str, bytes]) -> list[Diagnostic]:
        for path, content in contents.items():
            self.copy.write(path, content)
        before = {(error.code, error.message) for error in self.broken}
        return [error for error in self.copy.check() if (error.code, error.message) not in before]

    def annotate(self) -> judge.Verdict:
        """Which annotations rustc takes."""
        verdict = judge.settle(self.files, list(self.lets.annotations), self._check)
        self._restore()
        return verdict

    def canary(self, accepted: list[Annotation], most: int | None) -> tuple[int, list[Annotation]]:
        """How many wrong annotations were tried, the first `most` of each function, and those that rustc takes."""
        tried: Counter[judge.Body] = Counter()
        wrong = []
        for each in accepted:
            tried[judge.body_of(each)] += 1
            if most is None or tried[judge.body_of(each)] <= most:
                wrong.append(canary.wrong(each))
        found = judge.singly(self.files, wrong, accepted, self._check)
        self._restore()
        return len(wrong), [each for each in wrong if found[each] is None]

    def _restore(self) -> None:
        for path, content in self.files.items():
            self.copy.write(path, content)

    def locals(self) -> Types:
        """burnlint's terms of all locals beside rustc's."""
        found = Types()
        for body in self.package.bodies:
            for local in body.hir.locals:
                type = self._binding(body, local)
                where = f"{self._place(body, local.span[0])} {local.name}"
                self._compare(found, body, where, body.types.local(local), [] if type is None else [type])
        return found

    def expressions(self) -> Types:
        """burnlint's terms of all expressions beside rustc's. rustc has several types where it adjusts one:
        one must agree."""
        found = Types()
        _, expressions = self._rustc
        for body in self.package.bodies:
            guessed = _guessed(body.hir)
            for e in body.hir.exprs:
                if e.id in guessed:
                    found.absent += 1
                    continue
                types = expressions.get((body.path, *e.span), [])
                text = body.source.text.decode(*e.span)
                where = f"{self._place(body, e.span[0])} {text if len(text) < 60 else text[:57] + '...'}"
                self._compare(found, body, where.replace("\n", " "), body.types.expr(e), types)
        return found

    def _compare(self, found: Types, body: Body, where: str, term: Term, types: list[str]) -> None:
        if not types:
            found.absent += 1
            return
        forms = [rustc_types.read(type) for type in dict.fromkeys(types)]
        # The last one is the expression's own, those before it are adjusted.
        if forms[-1].peeled.name == "Tensor":
            knowledge = _knowledge(term)
            found.tensors[knowledge] += 1
            if knowledge != "known":
                found.missing.append(f"{where}\t{types[-1]}\t{terms.show(term)}")
        if unknown(term):
            found.unknown += 1
            return
        differences = [difference(term, form, lambda term: _sorts(body, term)) for form in forms]
        if None in differences:
            found.agree += 1
        else:
            found.differ.append(f"{where}\t{terms.show(term)}\t{differences[-1]}\t{types[-1]}")


def _guessed(body: hir.Body) -> set[int]:
    """The names inside of macros that were not understood: they stand for the outer local, which the macro may shadow."""
    opaque = (
        e
        for e in body.exprs
        if isinstance(e, hir.Unknown) or (isinstance(e, hir.Macro) and e.form == "opaque")
    )
    return {arg.id for e in opaque for arg in e.args}


def _foreign(body: Body, type: str) -> bool:
    """Whether a type of rustc names a crate that is a dependency and not of burn."""
    roots = set(re.findall(r"(?<![\w:])(\w+)::", type)) - {"std", "core", "alloc"}
    outside = {name for name, crate in body.analysis.unit.externs.items() if isinstance(crate, str)}
    return any(root in outside and not root.startswith("burn") for root in roots)


def _of_backend(body: Body, term: Term) -> bool:
    while isinstance(term, terms.Ref):
        term = term.target
    named = isinstance(term, terms.Named | terms.Assoc) and term.name in {*_OF_BACKENDS, "Gradients"}
    return named and body.types._solver.resolver.old_style


def _knowledge(term: Term) -> str:
    while isinstance(term, terms.Ref):
        term = term.target
    if not isinstance(term, terms.Tensor):
        return "unknown"
    if isinstance(term.kind, terms.Unknown):
        return "kind unknown"
    return "rank unknown" if isinstance(term.rank, terms.Unknown) else "known"


def _sorts(body: Body, term: Term) -> Sequence[str] | None:
    if isinstance(term, terms.Named):
        if term.name in _OF_BACKENDS and body.types._solver.resolver.old_style:
            return OF_BACKEND
        known = body.analysis.api.type(term.name)
        return None if known is None else [generic.sort for generic in known.generics]
    assert isinstance(term, terms.Declared)
    return [sort for _, sort, _ in body.types._solver.resolver.generics_of(term.item)]


def offset(text: Text, line: int, column: int) -> int:
    """The byte at a line and column, both from 1, in code points; rustc counts a tab as one."""
    start, _ = text.line_span(line)
    end = text.content.find(b"\n", start)
    content = text.content[start : end if end >= 0 else len(text.content)]
    if content.isascii():
        return start + column - 1
    return start + len(content.decode("utf-8", "replace")[: column - 1].encode())


def write(path: Path, lines: list[str]) -> None:
    """One line each, for people and for a comparison of two runs."""
    path.write_text("".join(f"{line}\n" for line in lines))
