"""Which way imports run, and how long modules are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ALLOWED = {
    "text": set(),
    "terminal": {"text"},
    "cargo": {"text"},
    "rust": {"text"},
    "lint": {"text", "terminal"},
    "burn": {"text", "cargo", "rust", "lint"},
    "report": {"text", "terminal", "lint"},
    "server": {"text", "lint", "report"},
    "cli": {"text", "terminal", "lint", "report", "burn", "server"},
}
"""The parts of burnlint that each part may import, beside itself. `burn` knows of `lint` what a finding is
and what the engine asks.
"""
BURN_KNOWS_OF_LINT = {
    "burnlint.lint.finding",
    "burnlint.lint.protocol",
    "burnlint.lint.rule",
    "burnlint.lint.sidefiles",
}
PUBLIC = {"burnlint"}
"""What rules may import."""
MAX_LINES = 420
"""A longer module does more than one thing."""
CATALOGUES = {"burnlint/burn/terms.py", "burnlint/rust/hir.py"}
"""One small class for each kind of term or expression."""


def modules(folder: str) -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield str(path.relative_to(ROOT)), path


def imported(path: Path) -> set[str]:
    """The modules that a file imports, for types too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name for name in names if name.split(".")[0] == "burnlint"}


@pytest.mark.parametrize(
    ("name", "path"), list(modules("burnlint")), ids=lambda each: str(each).rpartition("burnlint/")[2]
)
def test_imports_run_one_way(name: str, path: Path) -> None:
    part = Path(name).parts[1].removesuffix(".py")
    for target in imported(path):
        if target == "burnlint" or part in ("__init__", "__main__"):
            continue
        to = target.split(".")[1]
        assert to == part or to in ALLOWED[part], f"{name} imports {target}"
        if part == "burn" and to == "lint":
            assert target in BURN_KNOWS_OF_LINT, f"{name} imports {target}"
        if part == "cli" and to == "burn":
            assert name.endswith("cli/loading.py"), f"{name} imports {target}"


@pytest.mark.parametrize(
    ("name", "path"), list(modules("rules")), ids=lambda each: str(each).rpartition("rules/")[2]
)
def test_rules_import_public_names_only(name: str, path: Path) -> None:
    assert imported(path) <= PUBLIC, f"{name} imports {sorted(imported(path) - PUBLIC)}"


def test_modules_do_one_thing() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules("burnlint")}
    assert not {name for name, lines in lengths.items() if lines > MAX_LINES} - CATALOGUES


def test_the_engine_names_no_rule() -> None:
    names = [row.split("\t")[1] for row in (ROOT / "rules" / "codes.tsv").read_text().splitlines()[1:]]
    own = {"parse-error", "rule-crashed", "file-skipped", "unused-ignore", "unknown-ignore"}
    for name, path in modules("burnlint"):
        text = path.read_text(encoding="utf-8")
        if "lint/own/" in name:
            continue
        found = [rule for rule in names if rule not in own and f'"{rule}"' in text]
        assert not found, f"{name} names {found}"
