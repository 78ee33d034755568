"""One run, from what the command line says to a result: rules, configurations, files, project, engine."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

import click

from burnlint.cli import loading
from burnlint.cli.options import Given
from burnlint.cli.progress import Progress
from burnlint.lint import engine, registry, walk
from burnlint.lint.baseline import Baseline, BaselineError
from burnlint.lint.baseline import read as read_baseline
from burnlint.lint.changes import Changes
from burnlint.lint.config import DEFAULTS, Config, ConfigError, Configs, root_of
from burnlint.lint.gather import Means
from burnlint.lint.glob import Patterns
from burnlint.lint.keys import BY_NAME
from burnlint.lint.parts import Judge
from burnlint.lint.protocol import Project
from burnlint.lint.result import Result
from burnlint.lint.selection import UnknownWord
from burnlint.lint.settings import Settings

_Answer = TypeVar("_Answer")


class Failure(click.ClickException):
    """burnlint cannot do its work: exit code 2."""

    exit_code = 2


@dataclass
class Session:
    """Everything that one command line asks about. The properties are computed once and raise Failure."""

    given: Given
    changes: Changes | None = None
    seconds: dict[str, float] | None = None
    jobs: int | None = 1
    """Processes to use; None: as many as gain."""
    keep: bool = False
    """Whether the project is asked more about its code after the run."""
    cached: bool = False
    """Whether to take over what earlier runs found, and to keep what is found for later ones."""
    began: float = field(default_factory=time.monotonic)
    """When the run did, to tell a long one."""

    @cached_property
    def registry(self) -> registry.Registry:
        return rules_with(self.given.rules_path)

    @cached_property
    def cwd(self) -> str:
        try:
            return walk.absolute(".")
        except OSError as error:
            raise Failure(f"the working directory cannot be found ({error.strerror})") from error

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Absolute paths of the arguments; the working directory without any."""
        return tuple(walk.absolute(path) for path in self.given.paths) or (self.cwd,)

    @cached_property
    def configs(self) -> Configs:
        explicit = self.given.config
        return said(lambda: Configs(Path(explicit).absolute() if explicit else None))

    @cached_property
    def config_on_disk(self) -> Config:
        """The configuration of the run: that of the working directory; or of the folder that holds all paths, when one
        lies outside of it or they belong to a project below, of which the working directory says nothing."""
        common = _common(self.paths)
        here = said(lambda: self.configs.of(self.cwd, is_folder=True))
        inside = all(path == self.cwd or _is_below(path, self.cwd) for path in self.paths)
        if inside and (_says(here) or not _is_project_below(root_of(common), self.cwd)):
            return here
        found = said(lambda: self.configs.of(common, is_folder=Path(common).is_dir()))
        # Folders without a configuration share that of the first one that was asked about.
        return found if found.source != DEFAULTS else Config(root_of(common), DEFAULTS)

    @cached_property
    def config(self) -> Config:
        """The same, with what the command line says."""
        said_here = self.given.keys
        for name, value in said_here.items():
            why = BY_NAME[name].refuse(value)
            if why:
                raise click.UsageError(f"{name} {why}.")
        return self.config_on_disk.with_command_line(said_here)

    @cached_property
    def found(self) -> walk.Found:
        """The files to lint."""
        on_disk = self.config_on_disk
        patterns = (
            Patterns(on_disk.folder, tuple(on_disk["exclude"])),
            Patterns(self.cwd, self.given.exclude),
        )
        options = walk.Options(
            exclude=tuple(each for each in patterns if each.lines),
            respect_ignores=self.config["respect-gitignore"],
            force_exclude=self.config["force-exclude"],
        )
        if self.given.overlay:
            return walk.Found(sorted(self.given.overlay))
        return walk.walk(self.paths, options)

    @cached_property
    def settings(self) -> Settings:
        return Settings(self.registry, self.configs, self.given.layer)

    @cached_property
    def baseline_path(self) -> Path:
        if self.given.baseline is not None:
            return Path(self.cwd, self.given.baseline)
        return Path(self.config_on_disk.folder, self.config_on_disk["baseline"])

    @cached_property
    def baseline(self) -> Baseline | None:
        """The baseline, if one is to be used and is there."""
        if self.given.no_baseline:
            return None
        asked = self.given.baseline is not None
        if not asked and not self.baseline_path.exists():
            return None
        return said(lambda: read_baseline(self.baseline_path))

    def _means(self, overlay: Mapping[str, bytes]) -> Means:
        means = Means(self.jobs, partial(_judge, self.given, dict(overlay)), self.keep)
        # A content that stands for that of a file is not worth keeping, and a time is to be taken.
        if self.cached and not (overlay or self.given.overlay or self.keep or self.seconds is not None):
            from burnlint.lint.cache import Cache, default_folder

            folder = self.config["cache-dir"]
            means.cache = Cache(_within(self.config.folder, folder) if folder else default_folder())
        return means

    def project(self, overlay: Mapping[str, bytes]) -> Project:
        """What is linted, with these contents in place of those on the disk."""
        return loading.load(self.found.files, self.config, {**self.given.overlay, **overlay})

    def lint(self, overlay: Mapping[str, bytes], *, keep_suppressed: bool = False) -> tuple[Project, Result]:
        """Load and lint with these contents in place of those on the disk."""
        project = self.project(overlay)
        with Progress(sys.stderr, self.began) as progress:
            options = engine.Options(
                min_confidence=self.config["min-confidence"],
                baseline=self.baseline,
                changes=self.changes,
                seconds=self.seconds,
                keep_suppressed=keep_suppressed,
                means=replace(self._means(overlay), tick=progress.tick),
                notes=tuple(self.found.notes),
            )
            result = said(lambda: engine.run(project, self.registry, self.settings.of, options, self.cwd))
        return project, result


def _within(root: str, folder: str) -> Path:
    """A folder below that of a configuration, which somebody else may have written. Raises Failure."""
    path = walk.absolute(str(Path(root, folder)))
    if not path.startswith(f"{walk.absolute(root).rstrip('/')}/"):
        raise Failure(f"cache-dir: {folder} leaves {root}; BURNLINT_CACHE_DIR may name any folder")
    return Path(path)


def rules_with(folders: tuple[str, ...]) -> registry.Registry:
    """burnlint's rules and those of the folders. Raises click.BadParameter."""
    if not folders:
        return registry.load()
    from burnlint.lint.local import NoFolder, with_local

    try:
        return with_local(registry.load(), folders)
    except NoFolder as error:
        raise click.BadParameter(f"{error}.", param_hint="--rules-path") from error


def _judge(given: Given, overlay: Mapping[str, bytes]) -> Judge:
    """What judges the files of a run, made in a process that has only the command line."""
    session = Session(given)
    return Judge(session.project(overlay), session.registry, session.settings.of)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/")


def _is_project_below(root: str, folder: str) -> bool:
    """Whether `root`, as `root_of` finds it, is that of a project inside of a folder."""
    return _is_below(root, folder) and any(Path(root, mark).exists() for mark in (".git", "Cargo.toml"))


def _says(config: Config) -> bool:
    """Whether somebody wrote a configuration or a baseline there."""
    return config.source != DEFAULTS or Path(config.folder, config["baseline"]).exists()


def _common(paths: tuple[str, ...]) -> str:
    """The folder that holds all paths; the first path where nothing does (drives of Windows)."""
    try:
        return os.path.commonpath(paths).replace(os.sep, "/")
    except ValueError:
        return paths[0]


def unknown(error: UnknownWord) -> click.UsageError:
    """What is said of a word that selects no rule."""
    text = str(error)
    return click.UsageError(text if text.endswith("?") else f"{text}.")


def said(answer: Callable[[], _Answer]) -> _Answer:
    """The answer, with what may be wrong in a user's files turned into a failure of the command."""
    try:
        return answer()
    except (ConfigError, BaselineError) as error:
        raise Failure(str(error)) from error
    except UnknownWord as error:
        raise unknown(error) from error
