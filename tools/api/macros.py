"""Textual expansion of `macro_rules!` at item level, so that items which burn writes by macro are read like
others.

Matching is by token trees. A fragment that spans several tokens (`ty`, `expr`, `path`) reaches to the literal
token that follows it in the pattern, which is enough for item macros; what does not match is left and
counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<token>b?r\#*".*?"\#* | b?"(?:[^"\\]|\\.)*" | b?'(?:[^'\\]|\\.[^']*)' | '\w+ | (?:r\#)?\w+ | .)""",
    re.X | re.S,
)
_CLOSE = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """A token; `spaced` says whether white space stands before it."""

    text: str
    spaced: bool


@dataclass(frozen=True, slots=True)
class Group:
    """A delimited token tree."""

    open: str
    trees: tuple[Tree, ...]
    spaced: bool


Tree: TypeAlias = Leaf | Group


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name:fragment` in a pattern, `$name` in a body."""

    name: str
    fragment: str
    spaced: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """`$( ... ) separator *`."""

    parts: tuple[Part, ...]
    separator: str
    operator: str


@dataclass(frozen=True, slots=True)
class Delimited:
    """A delimited pattern."""

    open: str
    parts: tuple[Part, ...]
    spaced: bool


Part: TypeAlias = Leaf | Variable | Repeat | Delimited


@dataclass(slots=True)
class Bindings:
    """What the variables stand for: texts, and one Bindings per round of a repetition."""

    texts: dict[str, str] = field(default_factory=dict)
    rounds: list[tuple[frozenset[str], list[Bindings]]] = field(default_factory=list)

    def names(self) -> frozenset[str]:
        """All variables bound here or deeper."""
        return frozenset(self.texts).union(*(names for names, _ in self.rounds))


def trees(source: str) -> tuple[Tree, ...]:
    """The token trees of a text."""
    stack: list[tuple[str, bool, list[Tree]]] = [("", False, [])]
    spaced = False
    for found in _TOKEN.finditer(source):
        if found.lastgroup == "space":
            spaced = True
            continue
        token = found.group("token")
        if token in _CLOSE:
            stack.append((token, spaced, []))
        elif token in _CLOSE.values() and len(stack) > 1:
            opener, before, inside = stack.pop()
            stack[-1][2].append(Group(opener, tuple(inside), before))
        else:
            stack[-1][2].append(Leaf(token, spaced))
        spaced = False
    return tuple(stack[0][2])


def render(parts: tuple[Tree, ...]) -> str:
    """The text of token trees."""
    out = []
    for tree in parts:
        space = " " if tree.spaced else ""
        if isinstance(tree, Leaf):
            out.append(space + tree.text)
        else:
            out.append(space + tree.open + render(tree.trees) + " " + _CLOSE[tree.open])
    return "".join(out)


def _parts(items: tuple[Tree, ...], pattern: bool) -> tuple[Part, ...]:
    out: list[Part] = []
    at = 0
    while at < len(items):
        tree = items[at]
        following = items[at + 1] if at + 1 < len(items) else None
        if isinstance(tree, Leaf) and tree.text == "$" and isinstance(following, Group):
            at += 2
            separator = ""
            tail = items[at]
            assert isinstance(tail, Leaf)
            if tail.text not in "*+?":
                separator = tail.text
                at += 1
                tail = items[at]
                assert isinstance(tail, Leaf)
            out.append(Repeat(_parts(following.trees, pattern), separator, tail.text))
            at += 1
        elif isinstance(tree, Leaf) and tree.text == "$" and isinstance(following, Leaf):
            fragment = items[at + 3] if pattern and at + 3 < len(items) else None
            name = fragment.text if isinstance(fragment, Leaf) else ""
            out.append(Variable(following.text, name, tree.spaced))
            at += 4 if pattern else 2
        elif isinstance(tree, Group):
            out.append(Delimited(tree.open, _parts(tree.trees, pattern), tree.spaced))
            at += 1
        else:
            out.append(tree)
            at += 1
    return tuple(out)


def arms(definition: str) -> list[tuple[tuple[Part, ...], tuple[Part, ...]]]:
    """Pattern and body of every arm of a `macro_rules!` item."""
    body = trees(definition)[-1]
    if isinstance(body, Leaf):  # `macro_rules! m (...);`
        body = trees(definition)[-2]
    assert isinstance(body, Group)
    groups = [tree for tree in body.trees if isinstance(tree, Group)]
    return [
        (_parts(left.trees, True), _parts(right.trees, False))
        for left, right in zip(groups[::2], groups[1::2], strict=False)
    ]


def _match(
    parts: tuple[Part, ...], items: tuple[Tree, ...], at: int, bound: Bindings, stop: str
) -> int | None:
    """Where matching ends, None if the pattern does not fit; `stop` is the separator after it."""
    for index, part in enumerate(parts):
        after = parts[index + 1] if index + 1 < len(parts) else None
        follow = after.text if isinstance(after, Leaf) else stop if after is None else ""
        if isinstance(part, Leaf):
            here = items[at] if at < len(items) else None
            if not isinstance(here, Leaf) or here.text != part.text:
                return None
            at += 1
        elif isinstance(part, Delimited):
            here = items[at] if at < len(items) else None
            if not isinstance(here, Group) or here.open != part.open:
                return None
            if _match(part.parts, here.trees, 0, bound, "") != len(here.trees):
                return None
            at += 1
        elif isinstance(part, Variable):
            end = _fragment(part.fragment, items, at, follow)
            if end is None:
                return None
            bound.texts[part.name] = render(items[at:end])
            at = end
        else:
            at = _match_repeat(part, items, at, bound)
    return at


def _match_repeat(part: Repeat, items: tuple[Tree, ...], at: int, bound: Bindings) -> int:
    rounds: list[Bindings] = []
    while at < len(items):
        start = at
        if rounds and part.separator:
            here = items[at]
            if not isinstance(here, Leaf) or here.text != part.separator:
                break
            start += 1
        one = Bindings()
        end = _match(part.parts, items, start, one, part.separator)
        if end is None or end == at:
            break
        rounds.append(one)
        at = end
        if part.operator == "?":
            break
    bound.rounds.append((_variables(part.parts), rounds))
    return at


def _variables(parts: tuple[Part, ...]) -> frozenset[str]:
    names: set[str] = set()
    for part in parts:
        if isinstance(part, Variable):
            names.add(part.name)
        elif isinstance(part, Repeat | Delimited):
            names |= _variables(part.parts)
    return frozenset(names)


def _fragment(fragment: str, items: tuple[Tree, ...], at: int, follow: str) -> int | None:
    """The end of a fragment that begins at an index, None if there is none."""
    if fragment == "vis":
        here = items[at] if at < len(items) else None
        if not isinstance(here, Leaf) or here.text != "pub":
            return at
        follower = items[at + 1] if at + 1 < len(items) else None
        return at + 2 if isinstance(follower, Group) and follower.open == "(" else at + 1
    if at >= len(items):
        return None
    if fragment in ("ident", "lifetime", "tt", "block"):
        here = items[at]
        return (
            at + 1 if fragment != "ident" or (isinstance(here, Leaf) and re.match(r"\w", here.text)) else None
        )
    if fragment == "literal":
        here = items[at]
        return at + 2 if isinstance(here, Leaf) and here.text == "-" else at + 1
    if fragment == "item":
        return _item_end(items, at)
    return _span_end(items, at, follow)


def _item_end(items: tuple[Tree, ...], at: int) -> int:
    while at < len(items):
        here = items[at]
        at += 1
        if (isinstance(here, Group) and here.open == "{") or (isinstance(here, Leaf) and here.text == ";"):
            break
    return at


def _span_end(items: tuple[Tree, ...], at: int, follow: str) -> int | None:
    """The end of a type or expression: `,`, `;` or `follow` outside of angle brackets and `|a, b|`."""
    start, depth = at, 0
    head = items[at]
    if isinstance(head, Leaf) and head.text == "|":
        at += 1
        while at < len(items) and getattr(items[at], "text", "") != "|":
            at += 1
        at += 1
    while at < len(items):
        here = items[at]
        word = here.text if isinstance(here, Leaf) else ""
        if depth == 0 and at > start and word and (word in ",;" or word == follow[:1]):
            break
        before = items[at - 1] if at > start else None
        if word == "<":
            depth += 1
        elif word == ">" and not (isinstance(before, Leaf) and before.text in "-="):
            depth = max(0, depth - 1)
        at += 1
    return at if at > start else None


def _transcribe(parts: tuple[Part, ...], bound: Bindings, crate: str) -> str:
    out = []
    for part in parts:
        if isinstance(part, Leaf):
            out.append((" " if part.spaced else "") + part.text)
        elif isinstance(part, Delimited):
            inside = _transcribe(part.parts, bound, crate)
            out.append((" " if part.spaced else "") + part.open + inside + " " + _CLOSE[part.open])
        elif isinstance(part, Variable):
            known = {"crate": crate, **bound.texts}
            text = known.get(part.name, "$" + part.name)
            out.append((" " if part.spaced or text[:1] == " " else "") + text.strip())
        else:
            names = _variables(part.parts)
            rounds = next((r for bound_names, r in bound.rounds if bound_names & names), [])
            texts = []
            for one in rounds:
                inner = Bindings({**bound.texts, **one.texts}, [*one.rounds, *bound.rounds])
                texts.append(_transcribe(part.parts, inner, crate))
            # Without a separator the tokens keep their own spaces: `->` may come in as two of them.
            out.append(" " + (f" {part.separator} " if part.separator else "").join(texts))
    return "".join(out)


def expand(definition: str, arguments: str, crate: str) -> str | None:
    """The text that a call with these arguments (without delimiters) expands to; None if no arm fits.

    `crate` is the Rust name of the defining crate, written for `$crate`.
    """
    items = trees(arguments)
    for pattern, body in arms(definition):
        bound = Bindings()
        if _match(pattern, items, 0, bound, "") == len(items):
            return _transcribe(body, bound, crate)
    return None
