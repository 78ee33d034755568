"""What a file may declare, told from its bytes alone, so that a file of which nobody asks more is never
parsed.

Everything here errs on one side: what the syntax tree holds is always among the answers; comments, strings
and macros may add to them. Whoever asks looks up in the items what is really there.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import TypeAlias

from burnlint.rust.prelude import PRIMITIVES

GENERIC = "<T>"
"""Stands for impls for a generic of their own (`impl<T: Bound> Trait for T`)."""
UNNAMED = "*"
"""Stands for impls for a type that has no name (`impl Trait for (A, B)`)."""
ANYTHING = ""
"""Stands for impls of which bytes alone do not tell what they are for."""

# Each pattern starts with a literal, which `re` finds ten times faster than a word boundary.
_OUTLINE_MODULE = re.compile(rb"mod(?<!\wmod)\b(?!\s+\w+\s*\{)")
"""The keyword `mod`, unless an inline module follows."""
_FILE_CONDITION = re.compile(rb"#\s*(?:!\s*(?:\[\s*(?:cfg\b|/)|/)|/[/*])")
_GAP = rb"(?:\s|/\*[^*]*\*/|//[^\n]*\n)"
_ALIAS = re.compile(rb"type(?<!\wtype)%b+(?:r#)?([\w\x80-\xff]+)%b*(?:[<=;:]|where\b)" % (_GAP, _GAP))
_ALIASED = re.compile(
    rb"type(?<!\wtype)%b+(?:r#)?([\w\x80-\xff]+)%b*(?:<[^=;]{0,200}>%b*)?=%b*(?:[\w:]*::)?(?:r#)?([\w\x80-\xff]+)"
    % (_GAP, _GAP, _GAP, _GAP)
)
_TRAIT = re.compile(rb"trait(?<!\wtrait)\b")
_USE = re.compile(rb"use(?<!\wuse)\b(?=([^;=()<>]*);)")
"""The keyword with what may be a declaration: in prose it may be followed by one."""
_BEFORE_USE = re.compile(rb"(?:.*[;{}\]])?\s*(?:pub(?:\s*\([^)]*\))?)?\s*")
"""What may stand on a line before a declaration."""
_RENAMING = re.compile(rb"([\w\x80-\xff]+)%b+as%b+(?:r#)?([\w\x80-\xff]+)" % (_GAP, _GAP))
_FUNCTION = re.compile(rb"fn(?<!\wfn)%b+(?:r#)?([\w\x80-\xff]+)" % _GAP)

_IMPL = re.compile(rb"impl(?<!\wimpl)\b(?=([^{]{0,2000}))")
"""The keyword with its header: all up to the next brace, in which the keyword may be again."""
_LONGEST = 2000
_BEFORE_TYPE = (b":", b"(", b",", b"&", b"<", b">", b"=", b"|", b"+")
"""Behind these, on the same line, `impl` starts a type."""
_WHERE = re.compile(rb"\bwhere\b")
_FOR = re.compile(rb"\bfor\b")
_BOUND_LIFETIMES = re.compile(rb"\bfor\s*<")
_ARGUMENTS = re.compile(rb"<[^<>]*>")
_ARRAY = re.compile(rb"\[[^\[\]]*\]")
_NAMED = re.compile(rb"(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)*(?:(?:[\w$]+\s*)?::\s*)*(?:r#|\$)?(\w+)")
_WORD = re.compile(rb"\w+")
_OPERATOR = re.compile(rb"[+%]|-(?!>)|[*/](?![*/])")
_ENDS_OPERAND = b"_)]}>?.\"'/" + string.ascii_letters.encode() + string.digits.encode()
"""What may end an operand, or a comment behind it."""
_STARTS_OTHER = re.compile(rb"\s*(?:let|return|break|fn|pub|use)\b")
_BETWEEN_WORDS = bytes(c if c >= 0x80 or chr(c).isalnum() or c == ord("_") else ord(" ") for c in range(256))


class AnyOf:
    """Patterns of which one is to be found. Each starts with a literal: one after the other is four times as fast as
    an alternation of them."""

    def __init__(self, *patterns: bytes) -> None:
        self._patterns = [re.compile(each) for each in patterns]

    def search(self, text: bytes, start: int = 0, end: int = sys.maxsize) -> re.Match[bytes] | None:
        """A place where one of them is, not the first of all."""
        return next((m for each in self._patterns if (m := each.search(text, start, end)) is not None), None)

    def finditer(self, text: bytes) -> Iterator[re.Match[bytes]]:
        """All places, those of one pattern after those of another."""
        return chain.from_iterable(each.finditer(text) for each in self._patterns)


Spelling: TypeAlias = "re.Pattern[bytes] | AnyOf"
"""What is looked for in the bytes of a file or function."""


def words(content: bytes) -> frozenset[bytes]:
    """The words of a text, names, keywords and numbers alike; a raw identifier is without its `r#`."""
    return frozenset(content.translate(_BETWEEN_WORDS).split())


def calls(content: bytes, name: str) -> list[int]:
    """Where a call of that name, or of a path that ends so (`Config::new`), may start: half of the places of
    a name are no calls but declarations, imports and prose."""
    return [match.start() for match in _spelled_call(name).finditer(content)]


def may_start_statement(content: bytes, place: int) -> bool:
    """Whether the statement around a call may consist of the chain that the call stands in: nothing is assigned,
    bound or returned, and the call is no argument of another one. A closure that a `let` binds, also out of a call
    that it is given to, may be called by such a statement."""
    start = (
        max(content.rfind(b";", 0, place), content.rfind(b"{", 0, place), content.rfind(b"}", 0, place)) + 1
    )
    before = content[start:place]
    if b"//" in before or b"/*" in before or b'"' in before:
        return True  # A comment or a text may hold anything.
    before = _BINDS_CLOSURE.sub(b"", before.rpartition(b"=>")[2]).lstrip(b" \t\r\n(")
    if b"=" in before or before.count(b"(") > before.count(b")") or before.count(b"[") > before.count(b"]"):
        return False
    return _STARTS_OTHER.match(before) is None


_BINDS_CLOSURE = re.compile(rb"\A\s*let\b[^=]*=[\s(]*(?:[\w:]+\([\s(]*)*(?:move\s*)?\|[^|]*\|")


LOOP = re.compile(rb"\b(?:for|while|loop)\b")
"""A keyword of loops; `for` stands elsewhere too."""
_BY_VALUE = re.compile(rb"\(\s*(?:mut\s+)?self\b")
_NAME = rb"[a-zA-Z_\x80-\xff][\w\x80-\xff]*+"
_USED = re.compile(
    rb"let\s+(?:mut\s+)?+%b|\{(%b)(?=:)|(?:\.\s*|::\s*|'|<)[\w\x80-\xff]+|\.\.|%b(?=<|\s*(?:\(|!(?!=)|:))|(%b)|\d\w*"
    % (_NAME, _NAME, _NAME, _NAME)
)
"""The names where a local may be read: no fields, no functions, none that a `let` binds; also in a text (`{x:?}`)."""
_NO_LOCAL = frozenset(
    b"""
    _ as async await const crate dyn else extern false fn for if impl in let loop match mod move mut pub ref return static
    struct super trait true type unsafe use where while
    Bool Box Device Err Float Int None Ok Option Result Self Some String Vec
    """.split()
) | {name.encode() for name in PRIMITIVES}
_FIELD = re.compile(rb"[\w)\]?]\s*\.\s*(?:[a-zA-Z_\x80-\xff][\w\x80-\xff]*(?![\w\x80-\xff])(?!\s*[(:])|\d)")


def may_use_again(function: bytes) -> bool:
    """Whether a function may read the same local twice, `self` only if it is taken by value, or in a loop."""
    if b"r#" in function:
        return True
    seen = set(_NO_LOCAL)
    if _BY_VALUE.search(function) is None:
        seen.add(b"self")
    loops = LOOP.search(function) is not None
    used = set()
    for match in _USED.finditer(function):
        read = match[match.lastindex] if match.lastindex else b"_"
        if read not in seen:
            if loops or read in used:
                return True
            used.add(read)
    return False


def may_read_field(function: bytes) -> bool:
    """Whether a function may read a field."""
    return _FIELD.search(function) is not None


@cache
def _spelled_call(name: str) -> re.Pattern[bytes]:
    # What stands before is looked at last, as `re` finds a pattern that starts with letters ten times faster.
    before = rb"(?<!\w%b)(?<!\bfn %b)" % ((re.escape(name.encode()),) * 2)
    behind = rb"\b(?=\s*(?:\(|::\s*[</]|/|\)[\s)]*\())"
    return re.compile(re.escape(name.encode()) + before + behind)


def operators(content: bytes) -> list[tuple[int, str]]:
    """Where `+ - * / %` may stand between two operands (also before `=`), in source order."""
    found = []
    for match in _OPERATOR.finditer(content):
        at = match.start()
        line = content.rfind(b"\n", 0, at) + 1
        before = content[line:at]
        if before.endswith(b"/") and not before.endswith(b"*/"):
            continue  # The second half of `//`.
        if b"//" in before and b'"' not in before:
            continue  # A comment; with a quote on the line it may be text, and the operator behind it.
        left = before.rstrip()
        # First on its line it may follow a comment that ends the line above.
        if not left or left[-1] in _ENDS_OPERAND or left[-1] >= 0x80:
            found.append((at, match.group().decode()))
    return found


def may_have_outline_modules(content: bytes) -> bool:
    """Whether a file may hold `mod name;`, which other files belong to."""
    return _OUTLINE_MODULE.search(content) is not None


def may_have_condition(content: bytes) -> bool:
    """Whether a file may hold `#![cfg(..)]`."""
    return _FILE_CONDITION.search(content) is not None


def trait_functions(content: bytes) -> frozenset[str]:
    """The names of the functions that its traits declare."""
    return _names(_FUNCTION, content) if _TRAIT.search(content) is not None else frozenset()


def aliases(content: bytes) -> frozenset[str]:
    """The names of type aliases and associated types."""
    return _names(_ALIAS, content)


def aliased(content: bytes) -> dict[str, str]:
    """What type aliases stand for, by its last name: `C` of `type C = a::Config<B>;`, with `Config`. Of two aliases
    with one name one counts."""
    return {
        alias.decode("utf-8", "replace"): name.decode("utf-8", "replace")
        for alias, name in (_ALIASED.findall(content) if b"type" in content else ())
    }


def renamings(content: bytes) -> dict[str, str]:
    """The names that imports give to what has another one: `C` of `use a::Config as C`, with `Config`. Of two
    imports that give the same name to different things one counts."""
    found: dict[str, str] = {}
    for use in _USE.finditer(content) if b" as " in content else ():
        before = content[content.rfind(b"\n", 0, use.start()) + 1 : use.start()]
        if b"//" in before or _BEFORE_USE.fullmatch(before) is None:
            continue  # Prose; a cast may follow.
        for name, alias in _RENAMING.findall(use[1]):
            if alias not in (b"_", name) and name != b"self":
                found[alias.decode("utf-8", "replace")] = name.decode("utf-8", "replace")
    return found


def _names(pattern: re.Pattern[bytes], content: bytes) -> frozenset[str]:
    return frozenset(name.decode("utf-8", "replace") for name in pattern.findall(content))


def impls(content: bytes) -> frozenset[str]:
    """The names of the types that impls are for, with the three marks above where names do not say it."""
    names: set[str] = set()
    for match in _IMPL.finditer(content):
        line = content.rfind(b"\n", 0, match.start()) + 1
        before = content[line : match.start()].rstrip()
        if not before.endswith(_BEFORE_TYPE):
            _read_header(match.group(1), names, in_comment=b"//" in before)
    return frozenset(names)


def _read_header(header: bytes, names: set[str], in_comment: bool) -> None:
    """Add what an impl with that header may be for."""
    ends = len(header) < _LONGEST
    header, *where = _WHERE.split(header, maxsplit=1)
    if in_comment:
        names.update(word.decode("ascii") for word in _WORD.findall(header))
        return
    plain = _BOUND_LIFETIMES.sub(b"<", header.replace(b"->", b""))
    while _ARGUMENTS.search(plain) is not None:
        plain = _ARGUMENTS.sub(b" ", plain)
    odd = b"/" in header or b'"' in header or b"<" in plain or b">" in plain or b";" in _ARRAY.sub(b"", plain)
    if odd or not header.isascii() or not (ends or where):
        names.add(ANYTHING)
        return
    target = _FOR.split(plain)[-1].strip()
    named = _NAMED.fullmatch(target)
    if named is None:
        names.update((UNNAMED, GENERIC))
        names.update(word.decode("ascii") for word in _WORD.findall(target))
        return
    name = named.group(1)
    names.add(name.decode("ascii"))
    if header.count(name) > 1:
        names.add(GENERIC)
