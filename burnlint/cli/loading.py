"""The one place where the command line meets the project model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnlint.lint.config import Config
from burnlint.lint.protocol import Project


def load(files: Sequence[str], config: Config, overlay: Mapping[str, bytes]) -> Project:
    """The project that holds these files (absolute paths); `overlay` stands in for what is on the disk."""
    from burnlint.burn.project import Options
    from burnlint.burn.project import Project as BurnProject

    options = Options(
        burn_version=config["burn-version"] or None,
        features=tuple(config["features"]),
        all_features=config["all-features"],
        default_features=config["default-features"],
        target=config["target"] or None,
        include_generated=config["include-generated"],
    )
    return BurnProject.load(files, options, overlay)


def newest_version() -> str:
    """The newest release of burn that burnlint knows."""
    from burnlint.burn.releases import releases

    return str([each for each in releases().versions("burn") if not each.pre][-1])


def statistics(project: Project) -> dict[str, int | dict[str, int]]:
    """How much is known of the code of a loaded project."""
    from burnlint.burn import statistics
    from burnlint.burn.project import Project as BurnProject

    return statistics.of_project(project) if isinstance(project, BurnProject) else {}


def remarks(project: Project) -> list[str]:
    """What of a loaded project lies outside of what burnlint knows."""
    from burnlint.burn import scope
    from burnlint.burn.project import Project as BurnProject

    return [*scope.remarks(project)] if isinstance(project, BurnProject) else []


def older_burn(project: Project) -> str | None:
    """The burn of a loaded project, where it is older than the one that advice is written for."""
    from burnlint.burn import scope
    from burnlint.burn.project import Project as BurnProject

    return scope.older(project) if isinstance(project, BurnProject) else None


def knowledge(path: str, line: int, words: tuple[str, ...] | None) -> list[str]:
    """What is known at a line of a file: of its expressions, or (with `words`) of the calls that a rule
    listens to.
    """
    from burnlint.burn import knowledge
    from burnlint.burn.project import Options
    from burnlint.burn.project import Project as BurnProject

    project = BurnProject.load([path], Options(), {})
    if words is not None:
        return knowledge.missing_at(project, path, line, words)
    return knowledge.at_line(project, path, line)


def suspects(
    project: Project, operation: str, shapes: Sequence[tuple[int, ...]]
) -> list[tuple[str, int, str]]:
    """The places (path, line, what is known) of a loaded project that may have run an operation that panicked
    inside burn."""
    from burnlint.burn import suspects
    from burnlint.burn.project import Project as BurnProject

    return suspects.of_operation(project, operation, shapes) if isinstance(project, BurnProject) else []
