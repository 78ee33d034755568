"""Environment variables that files of a project set: for every command of Cargo, in a workflow, an image, a shell.

Only what is written out counts: a value with an expansion (`${LEVEL:-0}`) is left out, and so is a variable that is
set for one command (`NAME=1 cargo run`), which says what it is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from burnlint.cargo.manifest import Manifest
from burnlint.text import Text

Span = tuple[int, int]


class Setting(NamedTuple):
    """A variable with its value. `span` is the value as written, quotes included; `entry` the name with it, `line`
    all of the lines that set it alone, None where they set more. Offsets in bytes."""

    name: str
    value: str
    span: Span
    entry: Span
    line: Span | None


_NAME = rb"[A-Za-z_]\w*"
_VALUE = rb"\"(?P<double>[^\"\n]*)\"|'(?P<single>[^'\n]*)'|(?P<plain>[^\s#\"'`;&|][^\s#;&|]*)?"
_ASSIGNED = {
    "dotenv": re.compile(rb"^[ \t]*(?:export[ \t]+)?(?P<name>%b)=(?:%b)" % (_NAME, _VALUE), re.MULTILINE),
    "shell": re.compile(rb"^[ \t]*export[ \t]+(?P<name>%b)=(?:%b)" % (_NAME, _VALUE), re.MULTILINE),
    "just": re.compile(rb"^export[ \t]+(?P<name>%b)[ \t]*:=[ \t]*(?:%b)" % (_NAME, _VALUE), re.MULTILINE),
    "make": re.compile(
        rb"^export[ \t]+(?P<name>%b)[ \t]*(?:[:?]{0,2}=)[ \t]*(?:%b)" % (_NAME, _VALUE), re.MULTILINE
    ),
}
_REST = re.compile(rb"[ \t]*(?:#[^\n]*)?\r?(?=\n|\Z)")
_DOCKER = re.compile(rb"^[ \t]*ENV[ \t]+(?P<rest>(?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE | re.IGNORECASE)
_PAIR = re.compile(rb"(?P<name>%b)=(?:%b)" % (_NAME, _VALUE))
_SINGLE = re.compile(rb"(?P<name>%b)[ \t]+(?P<plain>[^\n=]*?)[ \t]*\Z" % _NAME)
_YAML = re.compile(
    rb"^(?P<indent>[ ]*)(?:-[ ]+)?(?P<name>%b)[ \t]*:(?:[ \t]+(?:%b))?[ \t]*(?:#[^\n]*)?\r?$"
    % (_NAME, _VALUE.replace(rb"[^\s#;&|]*", rb"[^\n#]*?")),
    re.MULTILINE,
)
_BLOCK = re.compile(rb":[ \t]*[|>][-+\d]*[ \t]*(?:#[^\n]*)?\r?$")


def settings(text: Text, form: str) -> Iterator[Setting]:
    """The variables that a file sets, in order. `form` is how it is written (`shell`, `dockerfile` ..); a TOML file
    is read as Cargo's configuration."""
    if form == "toml":
        yield from _of_cargo(Manifest(text))
    elif form == "dockerfile":
        yield from _of_docker(text.content)
    elif form == "workflow":
        yield from _of_workflow(text.content)
    elif form in _ASSIGNED:
        for match in _ASSIGNED[form].finditer(text.content):
            if (found := _setting(match)) is not None:
                rest = _REST.match(text.content, match.end())
                yield found._replace(line=_line(text.content, match.start(), rest.end()) if rest else None)


def _of_cargo(config: Manifest) -> Iterator[Setting]:
    table = config.data.get("env") if config.problem is None else None
    for name, value in table.items() if isinstance(table, Mapping) else ():
        path = ("env", name, "value") if isinstance(value, Mapping) else ("env", name)
        at = config.at(*path)
        if isinstance(text := at.get(), str):
            start = config.at("env", name).key[0]
            end = config.at("env", name).value[1] if config.kind(("env", name)) != "table" else at.value[1]
            alone = config.kind(("env", name)) in (None, "inline") and config.kind(("env",)) == "table"
            line = _line(config.text.content, start, end) if alone else None
            yield Setting(name, text, at.value, (start, end), line)


def _of_docker(content: bytes) -> Iterator[Setting]:
    for match in _DOCKER.finditer(content):
        start, end = match.span("rest")
        pairs = list(_PAIR.finditer(content, start, end))
        if not pairs and (single := _SINGLE.match(content[start:end])) is not None:
            found = _setting(single)
            if found is not None:
                moved = [(a + start, b + start) for a, b in (found.span, found.entry)]
                yield found._replace(span=moved[0], entry=moved[1], line=_line(content, *match.span()))
        for pair in pairs:
            if (found := _setting(pair)) is not None:
                yield found._replace(line=_line(content, *match.span()) if len(pairs) == 1 else None)


def _of_workflow(content: bytes) -> Iterator[Setting]:
    """The entries right below a key `env:` or `variables:`, by indentation; text in block scalars is none."""
    for match in _YAML.finditer(content):
        indent = len(match["indent"])
        if (match["plain"] or b"").startswith((b"|", b">", b"&", b"*", b"!", b"{", b"[")):
            continue  # No plain scalar.
        found = _setting(match)
        if found is not None and _parent(content, match.start(), indent) in (b"env", b"variables"):
            yield found._replace(line=_line(content, *match.span()))


def _parent(content: bytes, offset: int, indent: int) -> bytes | None:
    """The key that a YAML line of this indentation stands below; None within a block scalar or flow style."""
    key: bytes | None = None
    for line in reversed(content[:offset].split(b"\n")[:-1]):
        depth = len(line) - len(line.lstrip(b" -"))  # The key of a list's item stands behind its dash.
        if not line.strip() or line.lstrip().startswith(b"#") or depth >= indent:
            continue
        if _BLOCK.search(line):
            return None
        if key is None:
            key = line.strip().lstrip(b"- ").partition(b":")[0]
        indent = depth
    return key


def _setting(match: re.Match[bytes]) -> Setting | None:
    groups = match.groupdict()
    kind = next((each for each in ("double", "single", "plain") if groups.get(each) is not None), None)
    if kind is None:
        return None
    value = groups[kind].rstrip()
    if b"$" in value and kind != "single":
        return None
    start, end = match.span(kind)
    span = (start, start + len(value)) if kind == "plain" else (start - 1, end + 1)
    name = match["name"].decode()
    return Setting(name, value.decode("utf-8", "replace"), span, (match.start("name"), span[1]), None)


def _line(content: bytes, start: int, end: int) -> Span:
    """Whole lines, with the break behind them."""
    begin = content.rfind(b"\n", 0, start) + 1
    stop = content.find(b"\n", end)
    return begin, len(content) if stop < 0 else stop + 1
