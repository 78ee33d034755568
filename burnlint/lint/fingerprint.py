"""The one identity of a finding, for baselines, SARIF, GitLab and JSON.

It is made of the rule's code, the file's path below the root, the path of the enclosing item, the tokens of
the statement that holds the place (for other files than Rust: of its lines), and the number of the finding
among equal ones in that item. So it survives moved lines, reformatting and comments. The statement belongs to
it because a place is often a mere method name: with `a.backward()` mended and `b.backward()` added, the new
finding must not pass for the old one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from burnlint.text import Text

_RUST = re.compile(
    rb"""(?P<blank>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
    |b?r(?P<hashes>\#*)".*?(?:"(?P=hashes)|\Z)      # raw string
    |b?"(?:\\.|[^"\\])*(?:"|\Z)
    |b?'(?:\\.[^']*|[^'\\])[\x80-\xbf]*'            # char, not lifetime
    |[\w\x80-\xff]+
    |(?P<edge>[;{}])
    |.""",
    re.DOTALL | re.VERBOSE,
)
_OTHER = re.compile(
    rb"""(?P<blank>[^\S\n]+|\#[^\n]*)
    |"(?:\\.|[^"\\\n])*"
    |'[^'\n]*'
    |[\w\x80-\xff]+
    |(?P<edge>\n)
    |.""",
    re.DOTALL | re.VERBOSE,
)
_CLOSING = (b")", b"]", b"}")


@dataclass(slots=True)
class _Tokens:
    """A file's tokens without blanks and comments; `edges` are the indices of those that end a statement (a
    line)."""

    starts: list[int]
    texts: list[bytes]
    edges: list[int]

    @classmethod
    def of(cls, text: Text) -> _Tokens:
        tokens = cls([], [], [])
        for match in (_RUST if text.path.endswith(".rs") else _OTHER).finditer(text.content):
            if match.lastgroup == "blank":
                continue
            if match.lastgroup == "edge":
                tokens.edges.append(len(tokens.starts))
            tokens.starts.append(match.start())
            tokens.texts.append(match.group())
        return tokens

    def around(self, start: int, end: int) -> Iterator[bytes]:
        """The tokens between the edges next to a byte span; a comma before a closing bracket is left out,
        since formatting adds and removes it."""
        first = bisect_right(self.starts, start) - 1
        last = max(bisect_left(self.starts, end), first + 1)
        before, after = bisect_left(self.edges, first), bisect_left(self.edges, last)
        low = self.edges[before - 1] + 1 if before else 0
        high = self.edges[after] if after < len(self.edges) else len(self.texts)
        for index in range(low, high):
            if self.texts[index] != b"," or self.texts[index + 1 : index + 2] not in [
                [each] for each in _CLOSING
            ]:
                yield self.texts[index]


def is_inside_token(text: Text, offset: int) -> bool:
    """Whether a byte offset of a Rust file lies inside a string (or another token) and not between two."""
    tokens = _Tokens.of(text)
    at = bisect_right(tokens.starts, offset) - 1
    return at >= 0 and tokens.starts[at] < offset < tokens.starts[at] + len(tokens.texts[at])


class Fingerprints:
    """Hands out the fingerprints of one run. Findings of a file are to be asked for in the order of their
    places.

    `root` is the absolute path of the repository, from which paths are spelled.
    """

    def __init__(self, root: str) -> None:
        self._base = root.rstrip("/") + "/"
        self._seen: Counter[bytes] = Counter()
        self._tokens: dict[str, _Tokens] = {}

    def next(self, code: str, item: str, text: Text, start: int, end: int) -> str:
        """The fingerprint of the next finding: 32 hexadecimal digits. `item` is the path of the item (or
        manifest table) that holds the byte span `[start, end)` of `text`."""
        tokens = self._tokens.get(text.path)
        if tokens is None:
            tokens = self._tokens[text.path] = _Tokens.of(text)
        names = (code, text.path.removeprefix(self._base), item)
        parts = [*(name.encode("utf-8", "surrogatepass") for name in names), *tokens.around(start, end)]
        identity = sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts))
        ordinal = self._seen[identity.digest()]
        self._seen[identity.digest()] += 1
        identity.update(b"#%d" % ordinal)
        return identity.hexdigest()[:32]
