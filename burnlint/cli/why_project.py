"""Where in a project the pitfalls fire that explain a log."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from burnlint.cli import loading
from burnlint.cli.options import Given
from burnlint.cli.output import tell
from burnlint.cli.session import Failure, Session
from burnlint.lint import why, why_log
from burnlint.lint.protocol import Project
from burnlint.lint.registry import Registry
from burnlint.lint.rule import LoadedRule
from burnlint.lint.why_data import Knowledge
from burnlint.lint.why_shapes import operation
from burnlint.report.places import relative

MAX_PLACES = 20
BEFORE, AFTER = 15, 3
"""Lines of code around a place that may show what it is about."""
NAMED = "the text names this line"


class Spot(NamedTuple):
    """A line of the project. `path` is relative to the working directory where that is shorter to read."""

    path: str
    line: int
    message: str


@dataclass(slots=True)
class Located:
    """A pitfall with what speaks for it. `said` is the log's own line; `rules` are names of rules about it,
    those that fire in the project first."""

    pitfall: str
    said: str = ""
    rules: list[str] = field(default_factory=list)
    places: list[Spot] = field(default_factory=list)


def locate(log: str, knowledge: Knowledge, rules: Registry, code: Code | None) -> list[Located]:
    """The pitfalls that explain a log, likeliest first, and where they fire in the project (None: there is
    none)."""
    messages = why_log.messages(log)
    excerpt = code.excerpt if code is not None else why.nothing_there
    found = why.hits(messages, knowledge, rules, excerpt)
    if code is not None:
        found = [each for each in found if not code.is_foreign(messages[each.message])]
    sites: list[why.Site] = []
    bearing: list[LoadedRule] = []
    if code is not None:
        suspicious = [at for at in why.suspicious(messages, found) if code.named(messages[at])]
        if found or suspicious:
            bearing = why.wanted(found, messages, rules)
            sites = code.sites(bearing)
    answers = why.answers(messages, found, sites, code.place_of if code is not None else _nowhere)
    return [_located(answer, messages, rules, code) for answer in answers]


def without_log(pitfalls: Sequence[str], rules: Registry, code: Code | None) -> list[Located]:
    """These pitfalls in this order, and where they fire in the project."""
    bearing = [each for each in why.rules_of(rules) if set(pitfalls).intersection(each.rule.pitfalls)]
    sites = code.sites(bearing) if code is not None and bearing else []
    found = []
    for pitfall in pitfalls:
        mine = [site for site in sites if pitfall in site.rule.rule.pitfalls]
        answer = why.Answer(pitfall, [], sorted(mine, key=lambda site: (site.path, site.line)))
        found.append(_located(answer, [], rules, code))
    return found


def _nowhere(path: str, line: int) -> None:
    return None


def _located(
    answer: why.Answer, messages: list[why_log.Message], rules: Registry, code: Code | None
) -> Located:
    fires = list(dict.fromkeys(site.rule.rule.name for site in answer.sites))
    about = [
        each.rule
        for each in why.rules_of(rules)
        if answer.pitfall in each.rule.pitfalls and not each.rule.preview
    ]
    about.sort(key=lambda rule: rule.pitfalls.index(answer.pitfall))
    names = list(dict.fromkeys([*fires, *(rule.name for rule in about)]))
    spots = [Spot(site.path, site.line, site.message) for site in answer.sites]
    if code is not None:
        said = [messages[at] for at in dict.fromkeys(hit.message for hit in answer.hits)]
        taken = {(spot.path, spot.line) for spot in spots}
        named = [each for message in said for each in code.named(message)[:1]]
        own = [Spot(*each, NAMED) for each in dict.fromkeys(named) if each not in taken]
        at_named = [spot for spot in spots if (spot.path, spot.line) in named]
        elsewhere = [spot for spot in spots if spot not in at_named]
        suspects = [] if named else [each for each in code.suspects(said) if each[:2] not in taken]
        spots = [*at_named, *own, *suspects, *elsewhere]
    return Located(answer.pitfall, answer.said, names, spots[:MAX_PLACES])


class Code:
    """The project of a folder. Where its configuration is broken or it cannot be read, that is said once and
    the answers do without it."""

    def __init__(self, folder: str) -> None:
        self.session = Session(Given((folder,)))

    @classmethod
    def of(cls, folder: str | None) -> Code | None:
        """None if there is no project: no Cargo.toml in the folder, above it, or right below it."""
        if folder is None:
            return None
        here = Path(folder).absolute()
        if any((each / "Cargo.toml").is_file() for each in (here, *here.parents)):
            return cls(folder)
        return cls(folder) if any(here.glob("*/Cargo.toml")) else None

    @cached_property
    def files(self) -> list[str]:
        try:
            return list(self.session.found.files)
        except Failure as error:
            tell(f"burnlint: {error.message}; the project is left out")
            return []

    def place_of(self, path: str, line: int) -> tuple[str, int] | None:
        """The place of the project that a log names."""
        found = self._resolve(path)
        return None if found is None else (relative(found, self.session.cwd), line)

    def named(self, message: why_log.Message) -> list[tuple[str, int]]:
        """The places of the project that a message names."""
        return [place for place in (self.place_of(*each) for each in message.places) if place is not None]

    def is_foreign(self, message: why_log.Message) -> bool:
        """Whether it is what rustc says of code in a package that does not use burn."""
        places = [self._resolve(path) for path, _ in message.places[:1]] if message.code is not None else []
        if not places or places[0] is None or self.project is None:
            return False
        return all(not each.versions for each in self.project.files if each.path == places[0])

    def excerpt(self, path: str, line: int) -> str:
        """The code around a place of the project."""
        found = self._resolve(path)
        if found is None:
            return ""
        try:
            lines = Path(found).read_bytes().decode("utf-8", "replace").splitlines()
        except OSError:
            return ""
        return "\n".join(lines[max(0, line - 1 - BEFORE) : line + AFTER])

    def sites(self, rules: Iterable[LoadedRule]) -> list[why.Site]:
        """What these rules find, of whatever group and confidence."""
        names = tuple(each.rule.name for each in rules)
        if not names or not self.files:
            return []
        self.session.given = Given(
            self.session.given.paths, select=names, min_confidence="low", no_baseline=True
        )
        self.session.__dict__.pop("config", None)
        try:
            _, result = self.session.lint({})
        except Failure as error:
            tell(f"burnlint: {error.message}; the project is left out")
            return []
        out = []
        for reported in result.findings:
            place = reported.finding.place
            line = result.texts[place.path].line(place.start)
            path = relative(place.path, self.session.cwd)
            out.append(why.Site(reported.rule, path, line, reported.finding.message, reported.finding.help))
        return out

    def suspects(self, messages: Iterable[why_log.Message]) -> list[Spot]:
        """The lines that may have run the operations of panics whose place is not the project's."""
        out: list[Spot] = []
        for message in messages:
            found = operation(message.text)
            if found is not None and self.project is not None:
                for path, line, said in loading.suspects(self.project, found.name, found.shapes):
                    out.append(Spot(relative(path, self.session.cwd), line, said))
        return list(dict.fromkeys(out))

    @cached_property
    def project(self) -> Project | None:
        """What is linted there; None where its configuration is broken."""
        try:
            return loading.load(self.files, self.session.config, {})
        except Failure:
            return None

    @property
    def older_burn(self) -> str | None:
        """The burn that the project has, where that is older than the one that the answers are written for."""
        return loading.older_burn(self.project) if self.project is not None else None

    def _resolve(self, written: str) -> str | None:
        """The file of the project that a path in a log means: as it is, or by its end, since logs are written
        relative to a workspace's root, or come from another machine."""
        path = written.replace(os.sep, "/").replace("\\", "/").removeprefix("./")
        if path in self._known:
            return path
        joined = f"{self.session.cwd.rstrip('/')}/{path}"
        if joined in self._known:
            return joined
        if "/registry/src/" in path or path.startswith("/rustc/"):
            return None
        ends = [each for each in self.files if each.endswith(f"/{path.lstrip('/')}")]
        return ends[0] if len(ends) == 1 else None

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.files)
