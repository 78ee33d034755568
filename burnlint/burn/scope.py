"""What of a project lies outside of what burnlint knows or writes for: why a run without findings may say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from burnlint.burn.project import Project
from burnlint.burn.releases import releases
from burnlint.burn.versions import RELEASED
from burnlint.cargo.semver import Version
from burnlint.lint.sidefiles import side_format


def remarks(project: Project) -> Iterator[str]:
    """One sentence for each reason, without a full stop: no code, no burn, a burn that rules are not about, a feature
    that nothing declares."""
    yield from _undeclared(project)
    code = [path for path in project.lint_paths if side_format(path) is None]
    if not project.lint_paths:
        yield "no Rust file and no Cargo.toml to look at (`--show-files` lists what is)"
    elif code and not any(project.versions_below(path) for path in project.lint_paths):
        yield "no package of these files depends on burn, and the rules are about nothing else"
    yield from _unknown({version for path in code for version in project.versions(path)[-1:]})


def older(project: Project) -> str | None:
    """The burn of a project, where that is older than the line of the newest release: what is written for that line
    may not be there."""
    found = [Version.parse(version) for path in project.lint_paths for version in project.versions(path)[-1:]]
    newest = max(version for version in releases().versions("burn") if not version.pre)
    return str(max(found)) if found and max(found).line < newest.line else None


def _undeclared(project: Project) -> Iterator[str]:
    declared = {name for package in project.cargo.packages.values() for name in package.features}
    for name in project.options.features:
        if "/" not in name and name not in declared and project.cargo.packages:
            yield f"no package of these files has the feature `{name}`"


def _unknown(newest: set[str]) -> Iterator[str]:
    """About the newest versions that packages may be built with."""
    first, last = Version.parse(RELEASED[0]), releases().versions("burn")[-1]
    for version in sorted(map(Version.parse, newest)):
        if version.line < first.line:
            yield f"burn {version} is older than {first}, the first that the rules are about: hardly one of them runs"
        elif version.line > last.line:
            yield f"burn {version} is later than {last}, the latest that burnlint knows, and is taken for that"
