"""Manifests: exact places, and faults that say where."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnlint.cargo.manifest import Manifest
from burnlint.text import Text

CONTENT = """\
[package]
name = "café" # é🔥
[dependencies]
burn = { version = "0.22", features = [ "a",
   # comment, "not an element"
   "b" ] }
serde.version = "1"
serde.features = ["derive"]
"quoted-dep" = "1"
  indented = "2"
[dependencies.table]
version = '''
1'''
[target.'cfg(target_os = "macos")'.dependencies]
burn = { version = "0.21" }
[[bin]]
name = "first"
[dependencies.table.metadata]
z = 1
[profile.dev.package."*"]
opt-level = 1
[[bin]]
name = "second"
"""

PLACES = [
    (("package", "name"), "name", '"café"'),
    (("dependencies", "burn", "version"), "version", '"0.22"'),
    (("dependencies", "burn", "features", 0), '"a"', '"a"'),
    (("dependencies", "burn", "features", 1), '"b"', '"b"'),
    (("dependencies", "serde", "version"), "version", '"1"'),
    (("dependencies", "serde", "features", 0), '"derive"', '"derive"'),
    (("dependencies", "quoted-dep"), '"quoted-dep"', '"1"'),
    (("dependencies", "indented"), "indented", '"2"'),
    (("dependencies", "table"), "table", "table"),
    (("dependencies", "table", "version"), "version", "'''\n1'''"),
    (("target", 'cfg(target_os = "macos")', "dependencies", "burn"), "burn", '{ version = "0.21" }'),
    (("bin", 0, "name"), "name", '"first"'),
    (("bin", 1, "name"), "name", '"second"'),
    (("profile", "dev", "package", "*", "opt-level"), "opt-level", "1"),
    (("dependencies", "burn", "absent"), "burn", None),
    (("absent",), "", ""),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_places(newline: str, bom: str) -> None:
    text = Text("/Cargo.toml", (bom + CONTENT.replace("\n", newline)).encode())
    manifest = Manifest(text)
    assert manifest.problem is None
    assert manifest.data == tomllib.loads(CONTENT)
    for path, key, value in PLACES:
        assert text.decode(*manifest.at(*path).key) == key.replace("\n", newline), path
        if value is not None:
            assert text.decode(*manifest.at(*path).value) == value.replace("\n", newline), path


def test_kinds() -> None:
    manifest = Manifest(Text("/Cargo.toml", CONTENT.encode()))
    kinds = {key: manifest.kind(("dependencies", key)) for key in ("burn", "serde", "quoted-dep", "table")}
    assert kinds == {"burn": "inline", "serde": "dotted", "quoted-dep": None, "table": "table"}


def test_toml_1_1() -> None:
    """Cargo takes inline tables over several lines, and trailing commas in them."""
    text = Text(
        "/Cargo.toml", b'[dependencies]\nburn = {\n  version = "0.22", # why\n  features = ["flex"],\n}\n'
    )
    manifest = Manifest(text)
    assert manifest.problem is None
    assert manifest.get(("dependencies", "burn")) == {"version": "0.22", "features": ["flex"]}
    assert text.decode(*manifest.at("dependencies", "burn", "features", 0).value) == '"flex"'


@pytest.mark.parametrize(
    ("content", "line", "column", "words"),
    [
        (b"[package\nname = 1\n", 1, 9, "Expected"),
        (b'[package]\nname = "\xc3\xa9" x\n', 2, 12, "Expected"),
        (b"\xef\xbb\xbfa = 1\r\nb = = 2\r\n", 2, 5, "Invalid value"),
        (b"\xef\xbb\xbf= 2\n", 1, 1, "Invalid"),
        (b"a = 1\na = 2\n", 2, None, "is no valid TOML ("),
        (b"a = [1, 2\n", 2, None, ""),
        (b"a = 1\n\xff\n", 2, 1, "not UTF-8"),
        (b"a = 1\0\n", 1, None, ""),
        (b"a = " + b"[" * 5000 + b"]" * 5000, None, None, "nested"),
        (b"a = 1\rb = 2", 1, None, ""),
        (b"a = " + b"9" * 5000, None, None, "too long"),
    ],
)
def test_faults(content: bytes, line: int | None, column: int | None, words: str) -> None:
    text = Text("/Cargo.toml", content)
    problem = Manifest(text).problem
    assert problem is not None
    assert words in problem.message
    if line is None:
        return
    assert problem.span is not None
    assert text.line(problem.span[0]) == line
    if column is not None:
        assert text.column(problem.span[0]) == column


@given(st.binary(max_size=200))
def test_never_raises(content: bytes) -> None:
    manifest = Manifest(Text("/Cargo.toml", content))
    assert manifest.data == {} or manifest.problem is None
    manifest.key_span(("package", "name"))


@given(st.text(st.sampled_from("[]{}=\"#.,abc\n\t 1é🔥'\\"), max_size=60))
def test_places_of_whatever_parses(content: str) -> None:
    text = Text("/Cargo.toml", content.encode())
    manifest = Manifest(text)
    if manifest.problem is not None:
        return
    pending: list[tuple[tuple[str | int, ...], object]] = [((k,), v) for k, v in manifest.data.items()]
    while pending:
        path, value = pending.pop()
        start, end = manifest.value_span(path)
        assert 0 <= start <= end <= len(text.content)
        if isinstance(value, str | int) and not isinstance(value, bool):
            assert tomllib.loads(f"x = {text.decode(start, end)}")["x"] == value
        if isinstance(value, dict):
            pending.extend(((*path, k), v) for k, v in value.items())
        if isinstance(value, list):
            pending.extend(((*path, i), v) for i, v in enumerate(value))


def test_this_project_needs_what_tomlkit_keeps_private() -> None:
    """`Spans` reads tomlkit's parser from within: this fails when a new version of it no longer allows
    that."""
    fixtures = Path(__file__).parents[2] / "fixtures"
    manifests = sorted(fixtures.rglob("Cargo.toml"))
    assert manifests
    for path in manifests:
        text = Text(str(path), path.read_bytes())
        manifest = Manifest(text)
        name = manifest.get(("package", "name"))
        if isinstance(name, str):
            assert text.decode(*manifest.at("package", "name").value).strip("\"'") == name
