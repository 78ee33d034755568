"""`--add-ignore`: a suppression comment over every finding, in memory.

The comment goes on a line of its own above the line where the finding starts. That line may begin inside a
string, where the comment would be text: there none is written; and every comment is tried, and taken back where it
does not work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from burnlint.lint.edits import apply
from burnlint.lint.finding import Edit, Fix, Place
from burnlint.lint.fingerprint import is_inside_token
from burnlint.lint.fix import Lint, Outcome
from burnlint.lint.protocol import Project
from burnlint.lint.result import Reported
from burnlint.text import Text

_SLASHES = (".rs", ".wgsl")


def add_ignores(lint: Lint, reason: str) -> Outcome:
    """Suppress every finding that is shown. Writes nothing."""
    project, result = lint({})
    outcome = Outcome(result)
    wanted = []
    for each in result.findings:
        if may_stand_above(_text(project, each.finding.place.path), each.finding.place.start):
            wanted.append(each)
        else:
            outcome.refused.append((each, "its line begins inside a string"))
    while wanted:
        contents = _insert(project, wanted, reason)
        outcome.result = lint(contents)[1]
        useless = _useless(project, wanted, contents, outcome.result.findings)
        if not useless:
            outcome.contents = contents
            outcome.before = {path: _text(project, path).content for path in contents}
            outcome.applied = len(wanted)
            break
        outcome.refused += [(each, "a comment above its line does not suppress it") for each in useless]
        wanted = [each for each in wanted if each not in useless]
    return outcome


def _useless(
    project: Project, wanted: list[Reported], contents: Mapping[str, bytes], left: Iterable[Reported]
) -> list[Reported]:
    """The findings that are still there, and those of files that would not parse any more."""
    there = {each.fingerprint for each in left}
    broken = {
        path
        for path, content in contents.items()
        if not project.parses(path, content) and project.parses(path, _text(project, path).content)
    }
    return [each for each in wanted if each.fingerprint in there or each.finding.place.path in broken]


def _insert(project: Project, findings: Iterable[Reported], reason: str) -> dict[str, bytes]:
    """The changed files. Findings on one line share a comment."""
    names: dict[tuple[str, int], list[str]] = defaultdict(list)
    for each in findings:
        place = each.finding.place
        at = names[place.path, _text(project, place.path).line_start(place.start)]
        if each.rule.rule.name not in at:
            at.append(each.rule.rule.name)
    fixes, contents = [], {}
    for (path, start), called in sorted(names.items()):
        text = _text(project, path)
        contents[path] = text.content
        fixes.append(ignore_above(text, start, called, reason))
    return apply(contents, fixes)


def may_stand_above(text: Text, offset: int) -> bool:
    """Whether a comment above the line of a byte offset is one."""
    return not (text.path.endswith(".rs") and is_inside_token(text, text.line_start(offset)))


def ignore_above(text: Text, offset: int, names: Iterable[str], reason: str) -> Fix:
    """The suppression of rules by a comment above the line of a byte offset."""
    start = text.line_start(offset)
    line = text.line_text(text.line(start))
    indent = line[: len(line) - len(line.lstrip())]
    marker = "//" if text.path.endswith(_SLASHES) else "#"
    called = ", ".join(names)
    comment = f"{indent}{marker} burnlint: ignore[{called}] -- {' '.join(reason.split())}\n"
    at = 3 if start == 0 and text.content.startswith(b"\xef\xbb\xbf") else start
    return Fix(f"ignore {called} here", (Edit(Place(text.path, at, at), comment),), safe=True)


def _text(project: Project, path: str) -> Text:
    text = project.text(path)
    assert text is not None, "the engine refuses findings in unknown files"
    return text
