"""Patterns of gitignore's form, by git's own rules (a test compares with git).

Libraries for this match a file through the folders above it. git does not: it asks about each folder on the
way down, and so does `burnlint.lint.ignores`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-\\/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_NEVER = "(?!)"


@dataclass(frozen=True)
class Pattern:
    """One line: `regex` matches the name alone, or the whole path below the pattern's folder if `whole`."""

    regex: re.Pattern[str]
    whole: bool
    keeps: bool
    folders_only: bool


@dataclass(frozen=True)
class Patterns:
    """Lines of an ignore file, relative to its folder (absolute, `/`)."""

    folder: str
    lines: tuple[str, ...]

    @cached_property
    def _patterns(self) -> list[Pattern]:
        """The last line first, since the last match decides."""
        patterns = (_pattern(line) for line in self.lines)
        return [each for each in patterns if each is not None][::-1]

    def decide(self, path: str, *, is_folder: bool) -> bool | None:
        """True to leave out a path, False to keep it, None without a say. Of what lies in a folder that is
        left out nobody should ask."""
        start = self.folder.rstrip("/") + "/"
        if not path.startswith(start):
            return None
        below = path[len(start) :]
        name = below.rpartition("/")[2]
        for each in self._patterns:
            if (is_folder or not each.folders_only) and each.regex.fullmatch(below if each.whole else name):
                return not each.keeps
        return None

    def cover(self, path: str) -> bool:
        """Whether a file is left out, or one of the folders that it lies in."""
        start = len(self.folder.rstrip("/")) + 1
        at = path.find("/", start)
        while at >= 0:
            if self.decide(path[:at], is_folder=True):
                return True
            at = path.find("/", at + 1)
        return bool(self.decide(path, is_folder=False))


def _pattern(line: str) -> Pattern | None:
    """Read a line; None for one that holds no pattern."""
    text = _without_trailing_spaces(line.removesuffix("\r"))
    if text.startswith("#"):
        return None
    keeps = text.startswith("!")
    text = text[1:] if keeps else text
    folders_only = text.endswith("/") and not text.endswith("\\/")
    text = text.removesuffix("/") if folders_only else text
    whole = "/" in text
    text = text.removeprefix("/")
    if not text:
        return None
    return Pattern(re.compile(_regex(text, whole), re.DOTALL), whole, keeps, folders_only)


def _without_trailing_spaces(line: str) -> str:
    end = len(line)
    while end and line[end - 1] == " ":
        escapes = len(line[: end - 1]) - len(line[: end - 1].rstrip("\\"))
        if escapes % 2:
            break
        end -= 1
    return line[:end]


_STAR = object()
"""A run of `*` among the pieces of a component; alone and doubled it stands for any number of folders."""


def _regex(text: str, whole: bool) -> str:
    """The regular expression. It takes linear time for each `*`: a piece after one is taken where it comes
    first (an atomic group), since taking it later could only leave less for the rest.

    git compares the part before the first wildcard apart, so that `b**/` begins with `**/` to it.
    """
    literal = re.split(r"[*?\[\\]", text, maxsplit=1)[0] if whole else ""
    out = [re.escape(literal)]
    groups = _groups(_components(text[len(literal) :]), whole)
    for at, group in enumerate(groups):
        last = at == len(groups) - 1
        body = "/".join(map(_component, group))
        if at == 0:
            out.append(body if last else f"{body}/" if group else "")
        elif last:
            out.append(f"(?:[^/]*/)*{body}" if group else ".*")
        else:
            out.append(f"(?>(?:[^/]*/)*?{body}/)" if group else "")
    return "".join(out)


def _groups(components: list[list[object]], whole: bool) -> list[list[list[object]]]:
    """The runs of components between those that are `**`."""
    groups: list[list[list[object]]] = [[]]
    for component in components:
        if whole and component == [_STAR, _STAR]:
            groups.append([])
        else:
            groups[-1].append(component)
    return groups


def _component(pieces: list[object]) -> str:
    """A component, up to the next `/` or the end. Pieces between stars have a fixed length."""
    runs: list[str] = [""]
    for piece in pieces:
        if piece is not _STAR:
            runs[-1] += str(piece)
        elif runs[-1] or len(runs) == 1:
            runs.append("")
    first, *rest = runs
    if not rest:
        return first
    inner = "".join(f"(?>[^/]*?{run})" for run in rest[:-1])
    return f"{first}{inner}[^/]*{rest[-1]}(?=/|\\Z)"


def _components(text: str) -> list[list[object]]:
    """Lists of regular expressions of one character each, and of stars."""
    out: list[list[object]] = [[]]
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "/":
            out.append([])
            at += 1
        elif sign == "*":
            end = at + len(text[at:]) - len(text[at:].lstrip("*"))
            out[-1] += [_STAR] * min(end - at, 2)
            at = end
        elif sign == "?":
            out[-1].append("[^/]")
            at += 1
        elif sign == "[":
            piece, at = _class(text, at)
            out[-1].append(piece)
        elif sign == "\\":
            out[-1].append(re.escape(text[at + 1]) if at + 1 < len(text) else _NEVER)
            at += 2
        else:
            out[-1].append(re.escape(sign))
            at += 1
    return out


def _class(text: str, start: int) -> tuple[str, int]:
    """The regular expression of `[…]` at `start`, and where it ends. An open class matches nothing."""
    at = start + 1
    negated = text[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    first = at
    while at < len(text) and (text[at] != "]" or at == first):
        named = re.compile(r"\[:(\w+):\]").match(text, at)
        if named is not None:
            members.append(_CLASSES.get(named[1], ""))
            at = named.end()
            continue
        low, at = _member(text, at)
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in ("]", ""):
            high, at = _member(text, at + 1)
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            members.append(re.escape(low))
    if at >= len(text):
        return _NEVER, len(text)
    inside = "".join(members)
    if negated:
        return f"[^/{inside}]", at + 1
    return f"(?!/)[{inside}]" if inside else _NEVER, at + 1


def _member(text: str, at: int) -> tuple[str, int]:
    if text[at] == "\\" and at + 1 < len(text):
        return text[at + 1], at + 2
    return text[at], at + 1
