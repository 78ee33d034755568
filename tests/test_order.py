"""Findings do not depend on what else runs: which rules, which files, and in what order."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from support import FIXTURES, Found, run
from test_fixtures import exact_versions, single_files

from burnlint.lint.registry import load

EVERYTHING = ("--select", "all", "--min-confidence", "low")
NEWEST = next(iter(exact_versions()))
FILES = [path for path, version in single_files() if version == NEWEST]


def keys(found: list[Found]) -> Counter[tuple[str, int, str, str, str]]:
    return Counter((each.path, each.line, each.name, each.confidence, each.message) for each in found)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All fixtures of the newest burn, each a file of its own."""
    folder = tmp_path_factory.mktemp("fixtures")
    for path in FILES:
        copy = folder / path.relative_to(FIXTURES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return folder


@pytest.fixture(scope="module")
def together(package: Path) -> Counter[tuple[str, int, str, str, str]]:
    return keys(run(folder=package, burn=exact_versions()[NEWEST], options=EVERYTHING).found)


def test_each_rule_alone(package: Path, together: Counter[tuple[str, int, str, str, str]]) -> None:
    """A rule finds alone what it finds among all others."""
    names = [each.rule.name for each in load().rules]
    random.Random(1).shuffle(names)
    for name in names:
        # Only files that the rule says something of, and its own fixtures: the others cost time.
        mine = {path for path, _, rule, *_ in together if rule == name}
        mine |= {path.relative_to(FIXTURES).as_posix() for path in FILES if name in path.parts}
        if not mine:
            continue
        options = ("--select", name, "--min-confidence", "low")
        alone = run(sorted(mine), folder=package, burn=exact_versions()[NEWEST], options=options)
        expected = Counter({key: count for key, count in together.items() if key[2] == name})
        assert keys(alone.found) == expected, name


@pytest.mark.parametrize("seed", [1, 2])
def test_any_order_of_files(
    package: Path, together: Counter[tuple[str, int, str, str, str]], seed: int
) -> None:
    names = [path.relative_to(FIXTURES).as_posix() for path in FILES]
    random.Random(seed).shuffle(names)
    assert (
        keys(run(names, folder=package, burn=exact_versions()[NEWEST], options=EVERYTHING).found) == together
    )


def test_the_order_of_the_output(package: Path) -> None:
    """Findings come by file and place."""
    found = run(folder=package, burn=exact_versions()[NEWEST], options=EVERYTHING).document["findings"]
    places = [(each["path"], each["line"], each["column"]) for each in found]
    assert places == sorted(places)


def test_one_file_alone(package: Path, together: Counter[tuple[str, int, str, str, str]]) -> None:
    """What a file is told does not depend on its neighbours."""
    for path in random.Random(3).sample(FILES, 12):
        name = path.relative_to(FIXTURES).as_posix()
        alone = run([name], folder=package, burn=exact_versions()[NEWEST], options=EVERYTHING)
        assert keys(alone.found) == Counter({k: n for k, n in together.items() if k[0] == name}), name
