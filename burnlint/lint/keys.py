"""The keys of a configuration, as data: reading, checking, `config init`, documentation and JSON schema all
come from this table."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from burnlint.lint.finding import CONFIDENCES, SEVERITIES

Shape = Literal["bool", "text", "texts", "table", "tables"]
"""`table` maps words to texts, `tables` maps globs to lists of texts."""


@dataclass(slots=True, frozen=True)
class Key:
    """One key. `choices` are the texts it takes, all of them match `pattern`, whose form is told by `form`. `by_file` is
    True where the closest configuration of each file decides, and otherwise that of the whole run."""

    name: str
    shape: Shape
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    by_file: bool = False
    pattern: str = ""
    form: str = ""

    def refuse(self, value: object) -> str | None:
        """What is wrong with a value, or None."""
        if self.shape == "bool":
            return None if isinstance(value, bool) else "must be true or false"
        if self.shape == "text":
            return self._refuse_text(value)
        if self.shape == "texts":
            return _refuse_texts(value)
        if not isinstance(value, dict):
            return "must be a table"
        for word, each in value.items():
            why = self._refuse_text(each) if self.shape == "table" else _refuse_texts(each)
            if why:
                return f'"{word}" {why}'
        return None

    def _refuse_text(self, value: object) -> str | None:
        if not isinstance(value, str):
            return "must be a text"
        if self.choices and value not in self.choices:
            return f"must be one of {', '.join(self.choices)}, not `{value}`"
        if self.pattern and not re.fullmatch(self.pattern, value):
            return f"cannot be `{value}`: write {self.form}"
        return None


def _refuse_texts(value: object) -> str | None:
    good = isinstance(value, list) and all(isinstance(each, str) for each in value)
    meant = f", as `{json.dumps([value], ensure_ascii=False)}`" if isinstance(value, str) else ""
    return None if good else f"must be a list of texts{meant}"


KEYS: tuple[Key, ...] = (
    Key(
        "select",
        "texts",
        ["group:default", "group:migration"],
        "Rules to run: names, codes, code prefixes, pitfalls, `symptom:…`, `topic:…`, `group:…`, `all`.",
        by_file=True,
    ),
    Key("extend-select", "texts", [], "Rules to run besides.", by_file=True),
    Key("ignore", "texts", [], "Rules not to run.", by_file=True),
    Key(
        "per-file-ignores",
        "tables",
        {},
        "Rules not to run in files that match a pattern of gitignore's form.",
        by_file=True,
    ),
    Key("severity", "table", {}, "Severities by rule.", SEVERITIES, by_file=True),
    Key("confidence", "table", {}, "Confidences by rule.", CONFIDENCES, by_file=True),
    Key("require-reason", "bool", False, "Whether a suppression must give a reason.", by_file=True),
    Key("min-confidence", "text", "medium", "The lowest confidence that is shown.", CONFIDENCES),
    Key(
        "fail-on",
        "text",
        "warning",
        "The lowest severity that makes the exit code 1.",
        (*SEVERITIES, "never"),
    ),
    Key("exclude", "texts", [], "Files and folders to leave out: patterns of gitignore's form."),
    Key("force-exclude", "bool", False, "Leave excluded files out even when they are named outright."),
    Key("respect-gitignore", "bool", True, "Whether ignore files leave files out."),
    Key("include-generated", "bool", False, "Whether to look at generated files."),
    Key(
        "baseline",
        "text",
        "burnlint-baseline.txt",
        "The file of accepted findings; nothing happens when it does not exist.",
    ),
    Key(
        "cache-dir",
        "text",
        "",
        "The folder of the cache, below the folder of this file; by default the user's cache folder.",
    ),
    Key(
        "burn-version",
        "text",
        "",
        "The burn version, whatever manifests say: `0.22.1`.",
        pattern=r"((0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){1,2})?",
        form="a version as 0.22.1",
    ),
    Key("features", "texts", [], "Features of the linted packages that are on besides the default ones."),
    Key("all-features", "bool", False, "Whether all features are on."),
    Key("default-features", "bool", True, "Whether the default features are on."),
    Key("target", "text", "", "The target triple that platform tables are read for."),
)
"""`extend` comes besides: a path (or several) of configurations that this one starts from."""

BY_NAME = {key.name: key for key in KEYS}
NO_KEYS = frozenset(
    """
    add-ignore color config diff exit-zero fix jobs no-baseline no-cache no-default-features no-ignore output rules-path
    sarif-category show-files since statistics stdin-filename timing unsafe-fixes
    """.split()  # noqa: SIM905
)
"""What only the command line says: what a run does, and which code of others it runs."""


def schema() -> dict[str, Any]:
    """The JSON schema of `burnlint.toml`."""
    properties: dict[str, Any] = {
        "extend": {
            "description": "Configurations that this one starts from, relative to it.",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
        }
    }
    for key in KEYS:
        properties[key.name] = {"description": key.help, "default": key.default, **_type(key)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "burnlint.toml",
        "description": "Configuration of burnlint; [package.metadata.burnlint] takes the same keys.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _type(key: Key) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"}
    if key.choices:
        text["enum"] = list(key.choices)
    if key.pattern:
        text["pattern"] = f"^{key.pattern}$"
    texts = {"type": "array", "items": {"type": "string"}}
    shapes: dict[Shape, dict[str, Any]] = {
        "bool": {"type": "boolean"},
        "text": text,
        "texts": texts,
        "table": {"type": "object", "additionalProperties": text},
        "tables": {"type": "object", "additionalProperties": texts},
    }
    return shapes[key.shape]
