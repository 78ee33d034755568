"""Suppression comments: reading them, what they cover, and which of them are of no use.

`// burnlint: ignore[name, …] -- reason` at the end of a line covers that line; on a line of its own it covers
the next line and the statement, item or manifest entry that starts there. `ignore-file[…]` covers the file.
In TOML the marker is `#`. A doc comment is documentation and never suppresses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from burnlint.lint.finding import Edit, Finding, Place
from burnlint.lint.protocol import LintFile, Span
from burnlint.lint.registry import Registry
from burnlint.lint.selection import suggest

MARKER = b"burnlint"

_COMMENT = re.compile(r"(?://(?![/!])|/\*(?![*!])|#)\s*burnlint(?::|[ -]+(?=ignore(?:-file)?\s*[\[(:]))")
_WITHIN = re.compile(r"\s((?://|#)\s*burnlint:)")
"""Where a comment of a line holds another one."""
_DIRECTIVE = re.compile(r"\s*(?P<what>ignore-file|ignore)\s*\[(?P<names>[^\[\]]*)\](?P<after>.*)", re.DOTALL)
_NAME = re.compile(r"[^\s,]+")
_MANY = 20
"""From so many unknown names on they are told together in one comment, and without suggestions in one file:
each suggestion is a comparison with the names of all rules."""
_READ = 200
"""Characters of a comment that cannot be read in which names of rules are looked for."""
_FORM = "write `burnlint: ignore[rule-name] -- reason`"
_WORDS = ("ignore", "ignore-file")


@dataclass(slots=True)
class Named:
    """One name of a comment: its text and place, the rule's code if it names one, and whether it suppressed
    something."""

    text: str
    start: int
    end: int
    code: str | None
    used: bool = False


@dataclass(slots=True)
class Suppression:
    """One comment `[start, end)`. `why` says what is wrong with a comment that cannot be read."""

    start: int
    end: int
    whole_file: bool
    names: list[Named]
    reason: str
    covers: list[Span] = field(default_factory=list)
    own_line: bool = False
    why: str | None = None

    def suppresses(self, code: str, places: Iterable[Span]) -> bool:
        """Whether a finding of the rule `code` is suppressed, where any of `places` (the finding's starts and
        ends, as spans of a byte) is covered; marks the name as used."""
        for name in self.names:
            if name.code == code and (self.whole_file or any(self._covers(place) for place in places)):
                name.used = True
                return True
        return False

    def _covers(self, place: Span) -> bool:
        return any(start <= place[0] < end or start <= place[1] < end for start, end in self.covers)


def read(file: LintFile, registry: Registry) -> list[Suppression]:
    """Every suppression comment of a file, in order. Costs a byte test where there is none."""
    if MARKER not in file.text.content:
        return []
    out = []
    for start, end in file.comments:
        if MARKER in file.text.content[start:end]:
            text = file.text.content[start:end].decode("utf-8", "surrogateescape")
            head = _COMMENT.match(text)
            if head is not None:
                out.append(_suppression(file, registry, start, end, text, head.end()))
            elif re.match(r"//(?![/!])|#", text):
                out += _within(registry, start, end, text)
    return out


def _within(registry: Registry, start: int, end: int, text: str) -> Iterator[Suppression]:
    """What would suppress something if it were not the end of another comment."""
    inner = _WITHIN.search(text)
    directive = _DIRECTIVE.fullmatch(text, inner.end()) if inner is not None else None
    if inner is None or directive is None:
        return
    if any(registry.find(name) is not None for name in _NAME.findall(directive["names"])):
        why = (
            "this suppression stands within another comment, and is not read; give it a line of its own above"
        )
        yield Suppression(start + _size(text[: inner.start(1)]), end, False, [], "", why=why)


def _suppression(
    file: LintFile, registry: Registry, start: int, end: int, text: str, begin: int
) -> Suppression:
    """Read the comment `text` at `[start, end)`, whose directive begins at the index `begin`."""
    stop = len(text) - 2 if text.startswith("/*") and text.endswith("*/") else len(text)
    directive = _DIRECTIVE.fullmatch(text, begin, stop) if text[begin - 1] == ":" else None
    if directive is None:
        why = f"this is no suppression that burnlint knows; {_meant(text[begin:stop], registry)}"
        return Suppression(start, end, False, [], "", why=why)
    names: list[Named] = []
    at, index = start, 0
    for part in _NAME.finditer(text, *directive.span("names")):
        at, index = at + _size(text[index : part.start()]), part.start()
        loaded = registry.find(part[0])
        names.append(Named(part[0], at, at + _size(part[0]), loaded.rule.code if loaded else None))
    after = directive["after"].strip()
    reason = after.removeprefix("--").strip() if after.startswith("--") else ""
    suppression = Suppression(start, end, directive["what"] == "ignore-file", names, reason)
    if not names:
        suppression.why = f"this suppression names no rule; {_FORM}"
    elif after and not after.startswith("--"):
        suppression.why = f"what follows the names is not read; {_FORM}"
        suppression.names = []
    first, last = file.text.line_start(start), file.text.line_span(file.text.line(end))[1]
    suppression.own_line = not (file.text.content[first:start] + file.text.content[end:last]).strip(
        b"\xef\xbb\xbf \t\r"
    )
    if not suppression.whole_file:
        suppression.covers = list(_covers(file, suppression))
    return suppression


def _meant(directive: str, registry: Registry) -> str:
    """What to write for a directive that cannot be read, with the rules that it names."""
    words = re.findall(r"[\w-]+", directive.partition("--")[0][:_READ])
    names = [word for word in words if registry.find(word) is not None]
    if not names:
        return _FORM
    what = suggest(words[0], _WORDS) or "ignore"
    return f"did you mean `burnlint: {what}[{', '.join(names)}]`?"


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _covers(file: LintFile, suppression: Suppression) -> Iterator[Span]:
    text = file.text
    if not suppression.own_line:
        yield text.line_start(suppression.start), text.line_span(text.line(suppression.end))[1]
        return
    line = text.line(suppression.end)
    if line < text.line_count():
        start, end = text.line_span(line + 1)
        yield start, end + 1
    covered = file.covered_after(suppression.end)
    if covered is not None:
        yield text.line_start(covered[0]), covered[1]


def invalid(
    file: LintFile, suppressions: Iterable[Suppression], registry: Registry, require_reason: bool
) -> Iterator[Finding]:
    """Findings of `unknown-ignore`: comments that cannot be read, names that are no rule, missing reasons."""
    told = 0
    for each in suppressions:
        whole = Place(file.path, each.start, each.end)
        unknown = [name for name in each.names if name.code is None]
        if each.why is not None:
            yield Finding(whole, each.why)
        elif len(unknown) > _MANY:
            yield Finding(whole, f"`{unknown[0].text}` and {len(unknown) - 1:,} more names here are no rules")
        else:
            for name in unknown:
                yield _unknown(file, name, _names_of(registry) if told < _MANY else ())
                told += 1
        if require_reason and each.why is None and not each.reason:
            help_ = "write it after `--`: `ignore[name] -- reason`"
            yield Finding(whole, "this suppression gives no reason", help_)


def _names_of(registry: Registry) -> Iterator[str]:
    """What a suppression may name."""
    for each in registry.rules:
        if each.rule.group != "engine":
            yield from (each.rule.name, each.rule.code, *each.rule.aliases)


def _unknown(file: LintFile, name: Named, candidates: Iterable[str]) -> Finding:
    # The beginning of a code means several rules elsewhere; none of them is likelier than another.
    alike = [each for each in candidates if each.islower() or len(each) <= len(name.text)]
    meant = suggest(name.text, alike)
    place = Place(file.path, name.start, name.end)
    told = f"`{name.text}` is no rule, so nothing is suppressed"
    if meant is None:
        return Finding(place, told, "`burnlint rules` lists the names; `ignore[…]` takes names or codes")
    found = Finding(place, f"{told}; did you mean `{meant}`?", f"write `{meant}`")
    return found.with_fix(f"write `{meant}`", Edit(place, meant), safe=False)


def unused(file: LintFile, suppressions: Iterable[Suppression], ran: Collection[str]) -> Iterator[Finding]:
    """Findings of `unused-ignore`, among the rules in `ran` (codes), with a safe fix."""
    for each in suppressions:
        idle = [name for name in each.names if not name.used and name.code in ran]
        if not idle:
            continue
        called = " and ".join(f"`{name.text}`" for name in idle)
        left = [name for name in each.names if name.used or name.code not in ran]
        place = (
            Place(file.path, idle[0].start, idle[-1].end) if left else Place(file.path, each.start, each.end)
        )
        finding = Finding(
            place, f"{called} has nothing to suppress {'in this file' if each.whole_file else 'here'}"
        )
        yield finding.with_fix("remove the unused suppression", *_removal(file, each, left), safe=True)


def _removal(file: LintFile, suppression: Suppression, left: list[Named]) -> Iterator[Edit]:
    """Edits that leave only the names `left`, or remove the comment: with its line if it is alone there."""
    content = file.text.content
    if left:
        first, last = suppression.names[0].start, suppression.names[-1].end
        yield Edit(Place(file.path, first, last), ", ".join(name.text for name in left))
        return
    start, end = suppression.start, suppression.end
    line_end = content.find(b"\n", end)
    line_end = len(content) if line_end < 0 else line_end + 1
    if suppression.own_line:
        start, end = file.text.line_start(start), line_end
        if start == 0 and content.startswith(b"\xef\xbb\xbf"):
            start = 3
    else:
        while start > 0 and content[start - 1 : start] in (b" ", b"\t"):
            start -= 1
    # Between tokens that would grow together, the comment was the blank.
    beside = (content[start - 1 : start] if start else b"", content[end : end + 1])
    blank = not suppression.own_line and all(each.strip() for each in beside)
    yield Edit(Place(file.path, start, end), " " if blank else "")
