"""What cubecl.toml and burn.toml may hold, version by version."""

from __future__ import annotations

import tomllib

import pytest

from burnlint.burn import config_schema
from burnlint.cargo.semver import Version


def faults(
    text: str, version: str = "0.11.3", reader: config_schema.Reader = "cubecl"
) -> list[tuple[str, bool, bool]]:
    schema = config_schema.schema(reader, Version.parse(version))
    assert schema is not None
    found = config_schema.faults(tomllib.loads(text), schema)
    return [(".".join(each.path), each.unknown, each.fatal) for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        'autotune = { level = "full", bench = { speed_factor = 2 } }',
        'environment.path = { directory = "/x" }',
        'environment = { path = "global", records = { level = "off" } }',
        "streaming.max_streams = 255",
        'profiling.logger = { file = "/x", append = false, log = "trace", level = "minimal" }',
    ],
)
def test_what_is_read(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('autotune.cache = "target"', ("autotune.cache", True, False)),
        ('compilation.cache = "target"', ("compilation.cache", False, True)),
        ('memory.pools = "x"', ("memory.pools", True, True)),
        ("memory.cuda.x = 1", ("memory.cuda.x", True, True)),
        ('autotune.level = "Full"', ("autotune.level", False, True)),
        ("streaming.max_streams = 256", ("streaming.max_streams", False, True)),
        ("streaming.max_streams = -1", ("streaming.max_streams", False, True)),
        ("streaming.max_streams = true", ("streaming.max_streams", False, True)),
        ('environment.path = { file = "/x" }', ("environment.path", False, True)),
        ("environment.path = { directory = 1 }", ("environment.path.directory", False, True)),
        ('profiling = "full"', ("profiling", False, True)),
        ("autotune.disable_cache = 1", ("autotune.disable_cache", False, True)),
    ],
)
def test_what_is_not(text: str, expected: tuple[str, bool, bool]) -> None:
    assert faults(text) == [expected]


def test_versions_differ() -> None:
    assert faults('autotune.cache = "target"', "0.10.0") == []
    assert faults('compilation.cache = { file = "/x" }', "0.10.0") == []
    assert faults('memory.pools = "x"', "0.10.0") == [("memory.pools", True, False)]
    assert faults("fusion.max_graph_size = 4", "0.22.1", "burn") == []


def test_a_patch_without_a_schema_of_its_own_has_that_of_the_one_before() -> None:
    known = config_schema.schema("cubecl", Version.parse("0.11.3"))
    assert config_schema.schema("cubecl", Version.parse("0.11.9")) == known
    assert config_schema.schema("cubecl", Version.parse("0.99.0")) is None
    assert config_schema.schema("cubecl", Version.parse("0.1.0")) is None


def test_what_another_version_admits() -> None:
    old = config_schema.schema("cubecl", Version.parse("0.10.0"))
    assert config_schema.admits("target", old, ("compilation", "cache"))
    assert not config_schema.admits(True, old, ("compilation", "cache"))
    assert not config_schema.admits({}, old, ("throughput",))
