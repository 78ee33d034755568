"""What the answers about some files hang on: all that was read for them, absent files included.

A cache of findings asks. `cargo_state` is known before a rule runs; what belongs to a group of files is known
after the rules looked at them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from burnlint.lint.protocol import Input

if TYPE_CHECKING:
    from burnlint.burn.project import Project
    from burnlint.cargo.files import Files


Question = tuple[str, str]


def cargo_state(project: Project) -> tuple[str, frozenset[Question]]:
    """A digest of all that is read to know packages, their targets, lock files and versions of burn, and what was
    asked for it.

    To be made before any rule runs, so that the same is read each time.
    """
    for path in project.lint_paths:
        project.versions(path)
        project.may_hold_tensors(path)
        project.versions_below(path)
    made = blake2b(digest_size=20)
    asked_first = _beside_sources(project.reader)
    for asked, path in asked_first:
        made.update(f"{asked} {path} {project.reader.answer(asked, path)}\n".encode("utf-8", "surrogatepass"))
    return made.hexdigest(), frozenset(asked_first)


def of_files(project: Project, paths: Sequence[str]) -> list[Input] | None:
    """What was read for files of one package, or for files that are no Rust; None where a file around them does
    not parse, which is told file by file and not by group."""
    reader = project.reader
    asked = dict.fromkeys(("text", path) for path in paths)
    sources = [project.source(path) for path in paths if path.endswith(".rs")]
    package = project.package(paths[0]) if paths and paths[0].endswith(".rs") else None
    if package is None:
        # Rules for manifests look at programs, those for files beside them at all packages.
        asked.update(reader.asked)
    else:
        for analysis in project.analyses_of(package.root):
            unit = analysis.unit
            sources += unit.files()
            for crate in (*unit.own, *unit.used):
                asked.update(dict.fromkeys(("text", path) for path in crate.asked))
        asked.update(dict.fromkeys(("text", path) for path in project.absent_roots))
        asked.update(dict.fromkeys(_beside_sources(reader)))
    if any(source is not None and source.known_errors for source in sources):
        return None
    _, known = project.cargo_state
    return [
        Input(question, path, reader.answer(question, path))
        for question, path in asked
        if (question, path) not in known
    ]


def _beside_sources(reader: Files) -> list[Question]:
    """What was asked of anything but the text of Rust files."""
    return [each for each in reader.asked if each[0] != "text" or not each[1].endswith(".rs")]
