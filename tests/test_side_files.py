"""Side files as the engine and rules see them: for which packages, which versions, and with comments."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import run

MANIFEST = """\
[package]
name = "{name}"
version = "0.1.0"
edition = "2024"

[dependencies]
burn = {{ version = "={burn}", features = ["wgpu"] }}
"""
STALE = '[compilation]\ncache = "target"\n'
BACKTRACE = ("--select", "backtrace-disabled,unused-ignore,unknown-ignore")


def package(folder: Path, burn: str = "0.22.1", name: str = "example") -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(MANIFEST.format(name=name, burn=burn))
    (folder / "src/main.rs").write_text("fn main() {}\n")
    return folder


def found(folder: Path, *paths: str, options: tuple[str, ...] = ("--select", "topic:cargo")) -> list[str]:
    answer = run(paths or (".",), folder=folder, options=options)
    assert answer.notes == []
    return [f"{each.path}:{each.line} {each.name}" for each in answer.found]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", "export RUST_BACKTRACE=0 # burnlint: ignore[backtrace-disabled] -- wanted\n"),
        ("run.sh", "# burnlint: ignore[backtrace-disabled] -- wanted\nexport RUST_BACKTRACE=0\n"),
        (
            ".github/workflows/ci.yml",
            "env:\n  # burnlint: ignore[backtrace-disabled] -- wanted\n  RUST_BACKTRACE: 0\n",
        ),
        (
            ".cargo/config.toml",
            '[env]\n# burnlint: ignore[backtrace-disabled] -- wanted\nRUST_BACKTRACE = "0"\n',
        ),
    ],
)
def test_a_comment_suppresses(tmp_path: Path, name: str, text: str) -> None:
    package(tmp_path)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text)
    assert found(tmp_path, options=BACKTRACE) == []


def test_an_unused_comment_is_reported(tmp_path: Path) -> None:
    package(tmp_path)
    (tmp_path / "run.sh").write_text("# burnlint: ignore[backtrace-disabled]\nexport RUST_BACKTRACE=1\n")
    assert found(tmp_path, options=BACKTRACE) == ["run.sh:1 unused-ignore"]


def test_a_file_alone_knows_its_package(tmp_path: Path) -> None:
    package(tmp_path)
    (tmp_path / "cubecl.toml").write_text(STALE)
    assert found(tmp_path, "cubecl.toml") == ["cubecl.toml:2 cubecl-config-stale-key"]


def test_nothing_is_said_without_burn(tmp_path: Path) -> None:
    (tmp_path / "cubecl.toml").write_text(STALE)
    (tmp_path / "run.sh").write_text("export RUST_BACKTRACE=0\n")
    assert found(tmp_path) == []
    package(tmp_path / "one")
    manifest = (tmp_path / "one/Cargo.toml").read_text().partition("[dependencies]")[0]
    (tmp_path / "one/Cargo.toml").write_text(manifest)
    assert found(tmp_path) == []


def test_all_members_of_a_workspace_have_a_say_in_its_root(tmp_path: Path) -> None:
    """A member with cubecl 0.10 reads the file as it stands."""
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["old", "new"]\nresolver = "3"\n')
    package(tmp_path / "new", name="new")
    package(tmp_path / "old", "0.21.0", "old")
    for folder in (tmp_path, tmp_path / "new", tmp_path / "old"):
        (folder / "cubecl.toml").write_text(STALE)
    assert found(tmp_path) == ["new/cubecl.toml:2 cubecl-config-stale-key"]


def test_above_all_packages_stand_those_of_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/ci.yml").write_text("env:\n  RUST_BACKTRACE: 0\n")
    package(tmp_path / "rust/train")
    assert found(tmp_path) == [".github/workflows/ci.yml:2 backtrace-disabled"]


def test_the_lock_file_decides(tmp_path: Path) -> None:
    package(tmp_path)
    (tmp_path / "cubecl.toml").write_text(STALE)
    locked = '[[package]]\nname = "{}"\nversion = "{}"\nsource = "registry+https://example.com/index"\n'
    for version, expected in (("0.11.0", 1), ("0.11.0-pre.1", 0), ("0.99.0", 0)):
        lock = "version = 4\n" + locked.format("burn", "0.22.1") + locked.format("cubecl-runtime", version)
        (tmp_path / "Cargo.lock").write_text(lock)
        assert len(found(tmp_path)) == expected, version


def test_files_that_are_no_text(tmp_path: Path) -> None:
    package(tmp_path)
    (tmp_path / "cubecl.toml").write_bytes(b"\xff\xfe[autotune\n")
    (tmp_path / ".env").write_bytes(b"RUST_BACKTRACE=\xff\n")
    (tmp_path / "run.sh").write_bytes(b"")
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("cubecl", "confidence"),
    [
        ("0.11.3", "high"),
        # 0.11.0-pre.1 reads it as it is written: a commit that bears the next number may do so too.
        ("0.11.0-pre.2", "medium"),
        ("0.11.0-pre.3", "high"),
    ],
)
def test_a_pre_release_is_sure_of_what_the_versions_beside_it_agree_on(
    tmp_path: Path, cubecl: str, confidence: str
) -> None:
    package(tmp_path, burn="0.22.0-pre.4" if "pre" in cubecl else "0.22.1")
    (tmp_path / "cubecl.toml").write_text(STALE)
    source = 'source = "registry+https://example.org/index"\n'
    lock = f'[[package]]\nname = "cubecl-runtime"\nversion = "{cubecl}"\n{source}'
    (tmp_path / "Cargo.lock").write_text("version = 4\n\n" + lock)
    answer = run((".",), folder=tmp_path, options=("--select", "cubecl-config-stale-key"))
    assert [(each.name, each.confidence) for each in answer.found] == [
        ("cubecl-config-stale-key", confidence)
    ]


HOSTILE = {
    "empty": b"",
    "zeros": b"\0" * 50,
    "wide": "RUST_BACKTRACE=0\n".encode("utf-16"),
    "old line ends": b"RUST_BACKTRACE=0\rCUBECL_DEBUG_LOG=1\r",
    "deep lists": b"a = " + b"[" * 3000 + b"]" * 3000,
    "deep tables": b"[" + b".".join([b"autotune"] * 500) + b"]\n",
    "a long number": b"[env]\nA = 1\n[autotune]\nlevel = " + b"9" * 5000 + b"\n",
    "other types": b"[autotune]\nlevel = { a = 1 }\ncache = [1]\n[profiling]\nlogger = 1979-05-27\n[[streaming]]\n",
    "unknown keys": b'[autotunee]\nx = 1\n[profiling.logger]\nfoo.bar = [{ y = 1 }]\n"" = 1\n"\\u0000" = 2\n',
    "cargo": b"[env]\nRUST_BACKTRACE = { value = '0', relative = 3 }\nCUBECL_DEBUG_LOG = [1]\n\"\" = 'x'\n",
    "anchors": b"env: &a\n  RUST_BACKTRACE: 0\njobs: {b: {env: *a, ? [c]: d}}\n",
    "deep flow": b"env: " + b"{a: " * 3000,
    "tabs": b"env:\n\tRUST_BACKTRACE: 0\n\t\tCUBECL_DEBUG_LOG: 1\n",
    "continued": b"ENV A=1 " + b"\\\n" * 3000 + b"RUST_BACKTRACE=0\nENV\nENV =\nENV RUST_BACKTRACE\n",
    "quotes": b"export RUST_BACKTRACE=\"'\"'0\nCUBECL_DEBUG_LOG='\nexport =\n=\n",
    "blanks": b"RUST_BACKTRACE" + b" " * 20_000 + b"x\nenv:" + b" " * 20_000 + b"\n" + b"export " * 3000,
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_whatever_stands_in_a_side_file(tmp_path: Path, content: bytes) -> None:
    """No crash: that would be a note."""
    package(tmp_path)
    names = ("cubecl.toml", "burn.toml", "Dockerfile", ".env", "run.sh", "justfile", "Makefile")
    for name in (*names, ".github/workflows/ci.yml", ".cargo/config.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert run(folder=tmp_path).notes == []
