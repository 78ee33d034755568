"""Rules of a team, from a folder that the command line names: one file each, as in burnlint itself.

They are code that runs, so no configuration file can name such a folder: who lints a project that somebody
else wrote never runs what that project brings along.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from burnlint.lint.registry import LOCAL_CODE, LOCAL_TOPIC, Broken, Registry, build, loaded_rule, unusable
from burnlint.lint.rule import LoadedRule


class NoFolder(Exception):
    """A folder of rules that is none."""


def with_local(registry: Registry, folders: Sequence[str]) -> Registry:
    """A registry with the rules of these folders besides. Raises NoFolder."""
    found = [each for folder in folders for each in of_folder(folder)]
    rules = [each for each in found if isinstance(each, LoadedRule)]
    broken = [each for each in found if isinstance(each, Broken)]
    return build([*registry.rules, *rules], [*registry.broken, *broken])


def of_folder(folder: str) -> Iterator[LoadedRule | Broken]:
    """The rules of one folder: its Python files, without those below it. Raises NoFolder."""
    root = Path(folder)
    if not root.is_dir():
        raise NoFolder(f"{folder}: no such folder")
    for path in sorted(root.glob("*.py")):
        if not path.name.startswith("_"):
            yield _rule(path)


def _rule(path: Path) -> LoadedRule | Broken:
    try:
        module = _module(path)
    except Exception as error:
        return Broken(str(path), f"cannot be imported ({type(error).__name__}: {error})")
    rule = loaded_rule(module, LOCAL_TOPIC)
    if isinstance(rule, Broken):
        return Broken(str(path), rule.why)
    if not LOCAL_CODE.fullmatch(rule.rule.code):
        return Broken(
            str(path), f"has the code {rule.rule.code}: take letters of your own and three digits, as TEAM001"
        )
    wrong = next(unusable(rule.rule), None)
    return rule if wrong is None else Broken(str(path), f"cannot run ({wrong})")


def _module(path: Path) -> ModuleType:
    name = f"burnlint_local.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, "a .py file always has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
