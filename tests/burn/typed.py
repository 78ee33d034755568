"""Sources with expected types beside the code, for tests of type inference.

A comment `//: TERM` says what the last local that its line binds is: a term as `burnlint.burn.terms.show`
writes it, then the mode if one is known (`//: Tensor<2,Float> autodiff`), or `?` for unknown with a part of
its cause (`//: ? another crate`). Inside of a term, `?` stands for any unknown part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from burnlint.burn.api import Api
from burnlint.burn.infer import BodyTypes, World
from burnlint.burn.macros import BURN_MACROS
from burnlint.burn.terms import Declared, Named, Ref, Tensor, Term, Unknown, show
from burnlint.rust.items import Fn
from burnlint.rust.lower import body_of
from burnlint.rust.modules import Crate
from burnlint.rust.source import SourceFile

NEW, OLD = "0.22.1", "0.21.0"
_EXPECTED = re.compile(rb"//: *(.+?) *$", re.MULTILINE)
_UNKNOWN = re.compile(r"\?\{[^}]*\}")


class Typed:
    """A crate of one or more files, solved under a version of burn."""

    def __init__(self, source: str | Mapping[str, str], version: str = NEW, **externs: Crate | str) -> None:
        texts = {"src/lib.rs": source} if isinstance(source, str) else source
        self.files = {path: SourceFile(path, text.encode()) for path, text in texts.items()}
        names: dict[str, Crate | str] = {"burn": "burn", "tch": "tch", "ndarray": "ndarray"}
        self.crate = Crate("demo", "src/lib.rs", self.files.get, {**names, **externs})
        crates = [self.crate, *(c for c in externs.values() if isinstance(c, Crate))]
        self.world = World(crates, Api.load(version))

    def functions(self) -> list[Fn]:
        """The functions with a body in all files."""
        return [fn for file in self.crate.files() for fn in file.items.functions]

    def types(self, name: str) -> BodyTypes:
        """The types of the function of that name."""
        fn = next(fn for fn in self.functions() if fn.name == name)
        return self.world.types_of(body_of(fn, BURN_MACROS))

    def local(self, function: str, name: str) -> Term:
        """The type of the last local of that name."""
        types = self.types(function)
        return types.local([local for local in types.body.locals if local.name == name][-1])

    def mistakes(self) -> list[str]:
        """Where a comment and the inference disagree, and contradictions."""
        found, met = [], 0
        for fn in self.functions():
            types = self.world.types_of(body_of(fn, BURN_MACROS))
            text = fn.file.text
            locals_by_line = {text.line(local.span[0]): local for local in types.body.locals}
            for match in _EXPECTED.finditer(fn.file.content, *fn.span):
                if any(inner is not fn and _inside(inner, fn, match.start()) for inner in self.functions()):
                    continue
                met += 1
                line = text.line(match.start())
                term = types.local(locals_by_line[line])
                expected = match[1].decode()
                if not _agrees(term, expected):
                    found.append(f"{fn.name}:{line}: expected {expected}, found {described(term)}")
            found += [
                f"{fn.name}: {show(a)} meets {show(b)} at {text.decode(*e.span)}"
                for e, a, b in types.contradictions
            ]
        assert met, "no expectation in the source"
        return found


def _inside(inner: Fn, outer: Fn, at: int) -> bool:
    return outer.span[0] < inner.span[0] <= at < inner.span[1]


def described(term: Term) -> str:
    """The term with its mode, or `?` and the cause."""
    if isinstance(term, Unknown):
        return f"? {term.why}"
    inner = term.target if isinstance(term, Ref) else term
    mode = inner.mode if isinstance(inner, Tensor | Named | Declared) else ""
    return " ".join(filter(None, [_UNKNOWN.sub("?", show(term)), mode]))


def _agrees(term: Term, expected: str) -> bool:
    if isinstance(term, Unknown):
        return expected.startswith("?") and expected[1:].strip() in term.why
    text = described(term)
    return text == expected or text.rpartition(" ")[0] == expected


def check(source: str | Mapping[str, str], version: str = NEW, **externs: Crate | str) -> None:
    """Fail where a source's expectations do not hold."""
    mistakes = Typed(source, version, **externs).mistakes()
    assert not mistakes, "\n" + "\n".join(mistakes)
