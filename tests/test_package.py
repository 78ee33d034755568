"""What is installed is all there is: packages and data files, which pyproject.toml lists by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
FOLDERS = {"burnlint": ROOT / "burnlint", "burnlint.rules": ROOT / "rules"}


def packages() -> dict[str, Path]:
    """Every package of the checkout by the name it is imported by."""
    found = {}
    for name, folder in FOLDERS.items():
        for init in folder.rglob("__init__.py"):
            below = init.parent.relative_to(folder)
            found[".".join([name, *below.parts])] = init.parent
    return found


def test_every_package_is_installed() -> None:
    assert sorted(SETUPTOOLS["packages"]) == sorted(packages())


def test_every_module_lies_in_a_package() -> None:
    inside = set(packages().values())
    stray = [
        path for folder in FOLDERS.values() for path in folder.rglob("*.py") if path.parent not in inside
    ]
    assert stray == []


def test_every_data_file_is_installed() -> None:
    installed: set[Path] = set()
    for name, patterns in SETUPTOOLS["package-data"].items():
        folder = packages()[name]
        for pattern in patterns:
            installed.update(path for path in folder.glob(pattern) if path.is_file())
            if pattern.endswith("**"):
                installed.update(path for path in folder.glob(f"{pattern}/*") if path.is_file())
    data = {
        path
        for path in (ROOT / "burnlint").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert data - installed == set()
