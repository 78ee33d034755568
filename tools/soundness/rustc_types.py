"""Types as rustc prints them in THIR, read into a small tree.

`&'{erased} mut burn_tensor::Tensor<B/#0, 2_usize, burn_tensor::Int>` is
`Form("&mut", [Form("burn_tensor::Tensor", [Form("B", generic), Form("2", const), ...])])`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"'\{erased\}|'\^?\w+|\d+_\w+|->|::|[\w]+|/#\d+|\S")


@dataclass(frozen=True, slots=True)
class Form:
    """A type: `head` is a path, or one of `&`, `&mut`, `()`, `[]`, `[;]`, `*`, `!`, `?` for what is not taken
    apart (closures, functions, `dyn`, aliases), `const` for a number and `generic` for a parameter, both with
    their text in `text`."""

    head: str
    args: tuple[Form, ...] = ()
    text: str = ""

    @property
    def name(self) -> str:
        """The last segment of a path."""
        return self.head.rpartition("::")[2]

    @property
    def peeled(self) -> Form:
        """Without references around it."""
        form = self
        while form.head in ("&", "&mut"):
            form = form.args[0]
        return form


_OPAQUE = (
    "Alias",
    "Closure",
    "FnDef",
    "Coroutine",
    "CoroutineClosure",
    "Binder",
    "UnevaluatedConst",
    "Adt",
    "impl",
    "dyn",
)


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def many(self, close: str) -> tuple[Form, ...]:
        found = []
        while self.peek() and not self.take(close):
            if self.peek().startswith("'"):
                self.at += 1
            else:
                found.append(self.form())
            self.take(",")
        return tuple(found)

    def form(self) -> Form:
        token = self.next()
        if token == "&":
            if self.peek().startswith("'"):
                self.at += 1
            mutable = self.take("mut")
            return Form("&mut" if mutable else "&", (self.form(),))
        if token == "(":
            return Form("()", self.many(")"))
        if token == "[":
            element = self.form()
            made = Form("[;]", (element, self.form())) if self.take(";") else Form("[]", (element,))
            self.take("]")
            return made
        if token == "*":
            self.at += 1
            return Form("*", (self.form(),))
        if token == "!":
            return Form("!")
        if token in _OPAQUE:
            return self._skipped(token)
        number = re.fullmatch(r"(\d+)_\w+", token)
        if number is not None:
            return Form("const", (), number[1])
        if self.peek().startswith("/#"):
            self.at += 1
            return Form("generic", (), token)
        if not re.fullmatch(r"\w+", token):
            return self._skipped(token)
        path = token
        while self.take("::"):
            path += "::" + self.next()
        return Form(path, self.many(">") if self.take("<") else ())

    def _skipped(self, token: str) -> Form:
        """Steps over what is not taken apart: up to the comma or bracket that ends it."""
        start, depth = self.at, 0
        while self.peek():
            if self.peek() in "([{<":
                depth += 1
            elif self.peek() in ")]}>" and self.peek() != "->":
                if depth == 0:
                    break
                depth -= 1
            elif self.peek() == "," and depth == 0:
                break
            self.at += 1
        return Form("?", (), " ".join([token, *self.tokens[start : self.at]]))


def read(text: str) -> Form:
    """The tree of a type."""
    return _Reader(text).form()
