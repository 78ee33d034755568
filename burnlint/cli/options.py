"""The options that several commands share, and what they say together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import click

from burnlint.cli.complete import rule_words
from burnlint.lint.finding import CONFIDENCES
from burnlint.lint.selection import Layer

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(slots=True, frozen=True)
class Given:
    """What the command line says about what to lint and how. None: it does not say."""

    paths: tuple[str, ...] = ()
    config: str | None = None
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force_exclude: bool | None = None
    no_ignore: bool = False
    include_generated: bool | None = None
    min_confidence: str | None = None
    burn_version: str | None = None
    features: tuple[str, ...] | None = None
    all_features: bool | None = None
    no_default_features: bool = False
    target: str | None = None
    baseline: str | None = None
    no_baseline: bool = False
    stdin_filename: str | None = None
    rules_path: tuple[str, ...] = ()
    overlay: dict[str, bytes] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        """Its words about rules."""
        return Layer(self.select, self.extend_select, self.ignore)

    @property
    def keys(self) -> dict[str, Any]:
        """What it says about keys of the configuration."""
        said = {
            "select": self.select,
            "extend-select": self.extend_select or None,
            "ignore": self.ignore or None,
            "min-confidence": self.min_confidence,
            "exclude": self.exclude or None,
            "force-exclude": self.force_exclude,
            "respect-gitignore": False if self.no_ignore else None,
            "include-generated": self.include_generated,
            "baseline": self.baseline,
            "burn-version": self.burn_version,
            "features": self.features,
            "all-features": self.all_features,
            "default-features": False if self.no_default_features else None,
            "target": self.target,
        }
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in said.items()
            if value is not None
        }

    @classmethod
    def take(cls, options: dict[str, Any]) -> Given:
        """Take one's own options out of those that click hands over."""
        names = {each.name for each in fields(cls)} & options.keys()
        return cls(**{name: options.pop(name) for name in names})


def _words(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """Words of a repeatable option, each holding one or several with commas between."""
    words = tuple(word.strip() for each in value for word in each.split(",") if word.strip())
    return words if words or param.name not in ("select", "features") else None


def _flag(ctx: click.Context, param: click.Parameter, value: bool) -> bool | None:
    return True if value else None


local_rules = click.option(
    "--rules-path",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(),
    help="Run the rules of this folder besides. They are Python code: name only what you trust.",
)

_LINTING = (
    click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path()),
    click.option(
        "--select",
        multiple=True,
        metavar="RULES",
        callback=_words,
        shell_complete=rule_words,
        help="Run these rules only: names, codes, code prefixes, pitfalls (P5), "
        "symptom:…, topic:…, group:…, all.",
    ),
    click.option(
        "--extend-select",
        multiple=True,
        metavar="RULES",
        callback=_words,
        shell_complete=rule_words,
        help="Run these rules besides.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="RULES",
        callback=_words,
        shell_complete=rule_words,
        help="Do not run these rules.",
    ),
    click.option(
        "--min-confidence",
        type=click.Choice(CONFIDENCES),
        help="Lowest confidence to show [default: medium].",
    ),
    click.option(
        "--config", metavar="FILE", type=click.Path(), help="Use this configuration for everything."
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave out files and folders (pattern of gitignore's form, from here).",
    ),
    click.option(
        "--force-exclude",
        is_flag=True,
        callback=_flag,
        help="Leave excluded files out even when named outright.",
    ),
    click.option("--no-ignore", is_flag=True, help="Do not read .gitignore files."),
    click.option("--include-generated", is_flag=True, callback=_flag, help="Look at generated files too."),
    local_rules,
    click.option("--burn-version", metavar="VERSION", help="The burn version, whatever manifests say."),
    click.option(
        "--features",
        multiple=True,
        metavar="FEATURES",
        callback=_words,
        help="Features of the packages that are on besides the default ones.",
    ),
    click.option("--all-features", is_flag=True, callback=_flag, help="Take all features as on."),
    click.option("--no-default-features", is_flag=True, help="Take the default features as off."),
    click.option("--target", metavar="TRIPLE", help="Target triple that platform tables are read for."),
    click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(),
        help="File of accepted findings [default: burnlint-baseline.txt].",
    ),
    click.option("--no-baseline", is_flag=True, help="Show accepted findings too."),
)


def linting(function: _Function) -> _Function:
    """The options of every command that lints."""
    for option in reversed(_LINTING):
        function = option(function)
    return function
