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
