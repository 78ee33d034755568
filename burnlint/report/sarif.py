"""SARIF 2.1.0, with every field that GitHub code scanning shows.

Paths are relative to the repository's root (`%SRCROOT%`), columns count UTF-16 code units. Suppressed and
baselined findings are left out, since GitHub would open alerts for them. The rules that were active are
listed, also those without a finding, so that alerts close when a finding is gone.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Any

import sarif_om as om  # type: ignore[import-untyped]

from burnlint import __version__
from burnlint.lint import page as pages
from burnlint.lint.finding import Confidence, Edit, Fix, Place, Severity
from burnlint.lint.page import Page, markdown, page_of, parse, plain, url
from burnlint.lint.registry import OWN
from burnlint.lint.result import Note, Reported, Result
from burnlint.lint.rule import LoadedRule
from burnlint.report import RenderOptions
from burnlint.report.linehash import line_hashes
from burnlint.report.places import encodable, file_uri, region_utf16, relative, uri_path
from burnlint.report.sarif_model import to_json
from burnlint.terminal import visible

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "burnlint/v1"
"""Key of burnlint's own fingerprint; GitHub reads `primaryLocationLineHash` only."""

_TEXT_LIMIT = 1024
"""GitHub's limit for descriptions, in characters."""
_PROBLEM: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "recommendation"}
_PRECISION: dict[Confidence, str] = {"high": "high", "medium": "medium", "low": "low"}


def render(result: Result, options: RenderOptions) -> str:
    """A log of one run, one line per result."""
    run = to_json(_Writer(result).run(options))
    results = ",".join("\n" + json.dumps(each) for each in run.pop("results"))
    head = json.dumps({"$schema": SCHEMA, "version": "2.1.0"})
    return f'{head[:-1]}, "runs": [\n{json.dumps(run)[:-1]}, "results": [{results}\n]}}\n]}}\n'


class _Writer:
    """One run: the indices that results and notifications refer to, and the line hashes of files with
    findings."""

    def __init__(self, result: Result) -> None:
        self.result = result
        rules = {rule.rule.code: rule for rule in (*result.rules, *(each.rule for each in result.findings))}
        self.rules = [rules[code] for code in sorted(rules)]
        self.rule_index = {rule.rule.code: index for index, rule in enumerate(self.rules)}
        self.notifications = sorted({note.code: note.kind for note in reversed(result.notes)}.items())
        self.notification_index = {code: index for index, (code, _) in enumerate(self.notifications)}
        self.hashes = self._line_hashes()

    def run(self, options: RenderOptions) -> Any:
        driver = om.ToolComponent(
            "burnlint",
            version=__version__,
            information_uri=pages.DOCS,
            semantic_version=__version__,
            short_description=_message(
                "Flags pitfalls in Rust projects that use the burn deep-learning framework."
            ),
            rules=[_rule(rule) for rule in self.rules],
            notifications=[_notification_kind(code, kind) for code, kind in self.notifications] or None,
        )
        return om.Run(
            om.Tool(driver),
            automation_details=om.RunAutomationDetails(id=f"{encodable(options.category).rstrip('/')}/")
            if options.category
            else None,
            column_kind="utf16CodeUnits",
            invocations=[
                om.Invocation(
                    not any(note.fatal for note in self.result.notes),
                    tool_execution_notifications=[self._notification(note) for note in self.result.notes]
                    or None,
                )
            ],
            original_uri_base_ids={
                "%SRCROOT%": om.ArtifactLocation(description=_message("The root of the repository."))
            },
            results=[self._result(reported) for reported in self.result.findings],
        )

    def _result(self, reported: Reported) -> Any:
        finding = reported.finding
        rule = reported.rule.rule
        prints = {FINGERPRINT: reported.fingerprint}
        line_hash = self._line_hash(finding.place)
        if line_hash:
            prints["primaryLocationLineHash"] = line_hash
        return om.Result(
            _message(message(reported)),
            rule_id=rule.code,
            rule_index=self.rule_index[rule.code],
            level=reported.severity,
            locations=[self._location(finding.place)],
            related_locations=[
                self._location(because.place, number, because.message)
                for number, because in enumerate(finding.because, start=1)
            ]
            or None,
            partial_fingerprints=prints,
            fixes=[self._fix(finding.fix)] if finding.fix else None,
            properties={"confidence": reported.confidence, "symptom": rule.symptom},
        )

    def _location(self, place: Place, number: int = -1, text: str | None = None) -> Any:
        return om.Location(
            id=number,
            physical_location=om.PhysicalLocation(
                artifact_location=self._artifact(place.path), region=self._region(place, snippet=True)
            ),
            message=None if text is None else _message(_sentence(visible(text))),
        )

    def _artifact(self, path: str) -> Any:
        below = relative(path, self.result.root)
        if below.startswith("../") or below == path:
            return om.ArtifactLocation(uri=file_uri(path))
        return om.ArtifactLocation(uri=uri_path(below), uri_base_id="%SRCROOT%")

    def _region(self, place: Place, snippet: bool = False) -> Any:
        text = self.result.texts.get(place.path)
        if text is None:
            return om.Region(byte_offset=place.start, byte_length=place.end - place.start)
        found = region_utf16(text, place.start, place.end)
        return om.Region(
            start_line=found.line,
            start_column=found.column,
            end_line=found.end_line,
            end_column=found.end_column,
            snippet=om.ArtifactContent(text=text.decode(place.start, place.end)) if snippet else None,
            source_language=_LANGUAGES.get(place.path.rpartition(".")[2]) if snippet else None,
        )

    def _fix(self, fix: Fix) -> Any:
        by_file: dict[str, list[Edit]] = {}
        for edit in fix.edits:
            by_file.setdefault(edit.place.path, []).append(edit)
        title = _sentence(visible(fix.title))
        return om.Fix(
            [
                om.ArtifactChange(self._artifact(path), [self._replacement(edit) for edit in edits])
                for path, edits in by_file.items()
            ],
            description=_message(title if fix.safe else f"Unsafe, check the outcome: {title}"),
            properties={"safe": fix.safe},
        )

    def _replacement(self, edit: Edit) -> Any:
        inserted = om.ArtifactContent(text=encodable(edit.text)) if edit.text else None
        return om.Replacement(self._region(edit.place), inserted_content=inserted)

    def _notification(self, note: Note) -> Any:
        location = None
        if note.path is not None:
            region = None if note.line is None else om.Region(start_line=note.line)
            physical = om.PhysicalLocation(artifact_location=self._artifact(note.path), region=region)
            location = om.Location(physical_location=physical)
        return om.Notification(
            _message(_sentence(visible(note.message))),
            descriptor=om.ReportingDescriptorReference(
                id=note.code, index=self.notification_index[note.code]
            ),
            level="error" if note.fatal else "note",
            locations=[location] if location else None,
        )

    def _line_hashes(self) -> dict[str, list[str]]:
        last: dict[str, int] = {}
        for reported in self.result.findings:
            place = reported.finding.place
            if text := self.result.texts.get(place.path):
                last[place.path] = max(last.get(place.path, 0), text.line(place.start))
        return {path: line_hashes(self.result.texts[path].content, line) for path, line in last.items()}

    def _line_hash(self, place: Place) -> str | None:
        hashes = self.hashes.get(place.path)
        if hashes is None:
            return None
        line = self.result.texts[place.path].line(place.start)
        return hashes[line - 1] if line <= len(hashes) else None


_LANGUAGES = {"rs": "rust", "toml": "toml"}


def _notification_kind(code: str, kind: str) -> Any:
    """The descriptor of a note, from the page of the engine's own diagnostic where it has one."""
    try:
        page = parse(import_module(f"{OWN}.{kind.replace('-', '_')}").__doc__ or "", "text")
    except ImportError:
        page = parse(f"What burnlint has to say about its own work: {kind}.", "text")
    return om.ReportingDescriptor(code, name=pascal_case(kind), **_descriptions(page))


def _rule(loaded: LoadedRule) -> Any:
    rule = loaded.rule
    return om.ReportingDescriptor(
        rule.code,
        name=pascal_case(rule.name),
        help_uri=url(loaded),
        **_descriptions(page_of(loaded)),
        default_configuration=om.ReportingConfiguration(level=rule.severity),
        properties={
            "precision": _PRECISION[rule.confidence],
            "problem.severity": _PROBLEM[rule.severity],
            "tags": [rule.symptom, loaded.topic, *rule.pitfalls][:10],
        },
    )


def _descriptions(page: Page) -> dict[str, Any]:
    """Title; title and the prose of the section Why in one paragraph; the page as help."""
    why = page.section("Why")
    prose = [block.text.replace("**", "") for block in (why.blocks if why else ()) if not block.code]
    full = " ".join([_sentence(page.title), *prose])
    return {
        "short_description": _message(_cut(_sentence(page.title))),
        "full_description": _message(_cut(" ".join(full.split()))),
        "help": om.MultiformatMessageString(plain(page), markdown=markdown(page)),
    }


def message(reported: Reported) -> str:
    """The message as sentences; each piece of evidence a link to the related location of its number, as
    GitHub shows them."""
    finding = reported.finding
    sentences = [_sentence(_unlinked(visible(finding.message)))]
    sentences += [
        f"See [{_link_text(visible(because.message))}]({number})."
        for number, because in enumerate(finding.because, start=1)
    ]
    if finding.help:
        sentences.append(_sentence(f"Help: {_unlinked(visible(finding.help))}"))
    return " ".join(sentences)


def pascal_case(name: str) -> str:
    """`mask-where-torch-order` as `MaskWhereTorchOrder`; a word of one letter joins the next."""
    joined = re.sub(r"(?:(?<=-)|^)([a-z])-", r"\1", name)
    return "".join(word.capitalize() for word in joined.split("-"))


def _message(text: str) -> Any:
    return om.MultiformatMessageString(text)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _unlinked(text: str) -> str:
    """Text in which `[a](1)` is no link (SARIF 2.1.0, 3.11.6)."""
    return re.sub(r"\[(?=[^\[\]]*\]\()", r"\\[", text)


def _link_text(text: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", text)


def _cut(text: str) -> str:
    """The text within GitHub's limit, cut after a sentence where one ends in time."""
    if len(text) <= _TEXT_LIMIT:
        return text
    head = text[: _TEXT_LIMIT - 1]
    end = head.rfind(". ")
    return head[: end + 1] if end > 0 else f"{head}…"
