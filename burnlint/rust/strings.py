"""What a string literal stands for."""

from __future__ import annotations

import re

_LITERAL = re.compile(r'(?P<raw>r(?P<hashes>#*))?"(?P<text>.*)"(?(raw)(?P=hashes))', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-7][0-9a-fA-F])|u\{([0-9a-fA-F_]{1,8})\}|\r?\n\s*|(.))", re.DOTALL)
_SINGLE = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", '"': '"', "'": "'"}


def value(literal: str) -> str | None:
    """The text of a string literal, raw or not; None for byte and C strings and for escapes that Rust does
    not have."""
    found = _LITERAL.fullmatch(literal)
    if found is None:
        return None
    return found["text"] if found["raw"] else unescaped(found["text"])


def raw(text: str, like: str) -> str | None:
    """A raw string literal of a text, with the `#` of another literal if that is raw; None where it would end early, or
    hold what is better escaped."""
    found = _LITERAL.fullmatch(like)
    hashes = (found["hashes"] or "") if found is not None else ""
    return f'r{hashes}"{text}"{hashes}' if text.isprintable() and f'"{hashes}' not in text else None


def unescaped(text: str) -> str | None:
    """What stands between the quotes of a literal that is not raw, with its escapes replaced; None for
    escapes that Rust does not have."""
    valid = True

    def replaced(match: re.Match[str]) -> str:
        nonlocal valid
        code = match[1] or match[2]
        if code:
            point = int(code.replace("_", "") or "110000", 16)
            valid = valid and point < 0x110000
            return chr(point) if point < 0x110000 else ""
        if match[3] is None:
            return ""
        valid = valid and match[3] in _SINGLE
        return _SINGLE.get(match[3], "")

    text = _ESCAPE.sub(replaced, text)
    return text if valid else None
