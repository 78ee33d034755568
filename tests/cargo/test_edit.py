"""Additions to manifests: the data is what was asked for, and every other byte stays."""

from __future__ import annotations

import tomllib
from itertools import pairwise

import pytest

from burnlint.cargo.edit import (
    Replacement,
    add_entry_beside,
    add_features,
    append_strings,
    remove_element,
)
from burnlint.cargo.manifest import Manifest
from burnlint.text import Text


def manifest(content: str) -> Manifest:
    found = Manifest(Text("/Cargo.toml", content.encode()))
    assert found.problem is None
    return found


def applied(content: str, changes: list[Replacement]) -> str:
    data = content.encode()
    for change in sorted(changes, key=lambda c: c.start, reverse=True):
        data = data[: change.start] + change.text.encode() + data[change.end :]
    return data.decode()


ENTRIES = [
    ('burn = "0.22"', 'burn = { version = "0.22", features = ["a", "b"] }'),
    ('burn = { version = "0.22" }', 'burn = { version = "0.22", features = ["a", "b"] }'),
    ('burn = { version = "0.22", features = [] }', 'burn = { version = "0.22", features = ["a", "b"] }'),
    ('burn = { features = ["x"], optional = true } # c',
     'burn = { features = ["x", "a", "b"], optional = true } # c'),
    ('burn.version = "0.22"\nserde = "1"', 'burn.version = "0.22"\nburn.features = ["a", "b"]\nserde = "1"'),
    ("burn.workspace = true", 'burn.workspace = true\nburn.features = ["a", "b"]'),
    ('burn = { path = "é🔥" }', 'burn = { path = "é🔥", features = ["a", "b"] }'),
    (
        '[dependencies.burn]\n  version = "0.22" # why\n\n[features]\n',
        '[dependencies.burn]\n  version = "0.22" # why\n  features = ["a", "b"]\n\n[features]\n',
    ),
    (
        '[dependencies.burn]\nfeatures = [\n  "x", # one\n  "y" # two, last\n  # end\n]\n',
        '[dependencies.burn]\nfeatures = [\n  "x", # one\n  "y", # two, last\n  "a",\n  "b"\n  # end\n]\n',
    ),
    (
        '[dependencies.burn]\nfeatures = [\n\t"x",\n\t"y",\n]\n',
        '[dependencies.burn]\nfeatures = [\n\t"x",\n\t"y",\n\t"a",\n\t"b",\n]\n',
    ),
    (
        '[dependencies.burn]\nfeatures = [\n  "x", "y",\n]\n',
        '[dependencies.burn]\nfeatures = [\n  "x", "y",\n  "a",\n  "b",\n]\n',
    ),
    (
        '[dependencies.burn]\nfeatures = ["x",\n            "y"]\n',
        '[dependencies.burn]\nfeatures = ["x",\n            "y", "a", "b"]\n',
    ),
    (
        '[dependencies.burn]\nfeatures = [\n  "y"\n  , # odd\n]\n',
        '[dependencies.burn]\nfeatures = [\n  "y"\n  , # odd\n  "a",\n  "b",\n]\n',
    ),
    (
        'burn = {\n  version = "0.22",\n  optional = true\n}',
        'burn = {\n  version = "0.22",\n  optional = true,\n  features = ["a", "b"]\n}',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), ENTRIES, ids=[str(i) for i in range(len(ENTRIES))])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_add_features(before: str, after: str, newline: str, bom: str) -> None:
    head = "" if before.startswith("[") else "[dependencies]\n"
    written = manifest(bom + (head + before).replace("\n", newline))
    changes = add_features(written, ("dependencies", "burn"), ["a", "b"])
    # The engine gives what is inserted the line ending of the file.
    changes = [Replacement(c.start, c.end, c.text.replace("\n", newline)) for c in changes]
    assert applied(bom + (head + before).replace("\n", newline), changes) == bom + (head + after).replace(
        "\n", newline
    )


def test_append_strings_keeps_every_other_value() -> None:
    content = '[features]\ngpu = ["burn/wgpu"]\nother = [ "x" ]\n'
    changed = applied(content, append_strings(manifest(content), ("features", "gpu"), ["burn/fusion"]))
    assert tomllib.loads(changed)["features"] == {"gpu": ["burn/wgpu", "burn/fusion"], "other": ["x"]}


def test_edits_do_not_touch_each_other() -> None:
    for before, _ in ENTRIES:
        head = "" if before.startswith("[") else "[dependencies]\n"
        changes = add_features(manifest(head + before), ("dependencies", "burn"), ["a"])
        ordered = sorted(changes, key=lambda c: c.start)
        assert all(a.end < b.start for a, b in pairwise(ordered))


REMOVALS = [
    ('["a", "b", "c"]', 0, '["b", "c"]'),
    ('["a", "b", "c"]', 1, '["a", "c"]'),
    ('["a", "b", "c"]', 2, '["a", "b"]'),
    ('["a"]', 0, "[]"),
    ('[\n  "a", # one\n  "b", # two\n  # end\n]', 0, '[\n  "b", # two\n  # end\n]'),
    ('[\n  "a", # one\n  "b" # two\n]', 1, '[\n  "a", # one\n]'),
    ('[\n  "a", "b",\n  "c",\n]', 1, '[\n  "a", "c",\n]'),
    ('["a",\n "b"]', 1, '["a"]'),
]


@pytest.mark.parametrize(("before", "index", "after"), REMOVALS)
def test_remove_element(before: str, index: int, after: str) -> None:
    content = f"[features]\nx = {before}\ny = []\n"
    changed = applied(content, [remove_element(manifest(content), ("features", "x"), index)])
    assert changed == f"[features]\nx = {after}\ny = []\n"
    tomllib.loads(changed)


NEIGHBOURS = [
    (
        '[dependencies]\nburn = "1" # why\nserde = "1"\n',
        '[dependencies]\nburn = "1" # why\nnew = "=2"\nserde = "1"\n',
    ),
    ('[dependencies]\n burn.version = "1"\n burn.optional = true\n', None),
    (
        '[dependencies]\nburn = {\n  version = "1"\n}\n',
        '[dependencies]\nburn = {\n  version = "1"\n}\nnew = "=2"\n',
    ),
    (
        '[dependencies.burn]\nversion = "1"\nfeatures = [\n  "x",\n]\n\n[lib]\n',
        '[dependencies.burn]\nversion = "1"\nfeatures = [\n  "x",\n]\n\n'
        '[dependencies.new]\nversion = "=2"\n\n[lib]\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), NEIGHBOURS, ids=["plain", "dotted", "inline", "table"])
def test_add_entry_beside(before: str, after: str | None) -> None:
    written = manifest(before)
    changed = applied(before, [add_entry_beside(written, ("dependencies", "burn"), "new", "=2")])
    assert after is None or changed == after
    entry = manifest(changed).get(("dependencies", "new"))
    assert entry in ("=2", {"version": "=2"})
    assert manifest(changed).get(("dependencies", "burn")) == written.get(("dependencies", "burn"))
