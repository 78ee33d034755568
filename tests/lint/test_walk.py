"""Which files are linted, by git's own answer where git has one."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from burnlint.lint.glob import Patterns
from burnlint.lint.walk import Found, Options, walk

Tree = Callable[..., Path]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Write files (with their texts, or empty) below a folder."""

    def write(*names: str, **texts: str) -> Path:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        return tmp_path

    return write


def names(found: Found, root: Path) -> list[str]:
    return [Path(path).relative_to(root.resolve()).as_posix() for path in found.files]


def found(root: Path, *paths: str, **options: object) -> list[str]:
    given = [str(root / path) for path in paths or (".",)]
    return names(walk(given, Options(**options)), root)  # type: ignore[arg-type]


def test_what_rules_read_is_found_once_and_in_order(tree: Tree) -> None:
    root = tree(
        "b.rs", "a/Cargo.toml", "a/x.rs", "a/other.toml", "c.txt", ".cargo/config.toml", ".hidden/d.rs"
    )
    assert found(root, ".", "a", "a/x.rs", "b.rs") == [
        *(".cargo/config.toml", ".hidden/d.rs", "a/Cargo.toml", "a/x.rs", "b.rs")
    ]


def test_cargos_target_folders_are_left_out_and_source_folders_of_that_name_are_not(tree: Tree) -> None:
    root = tree("Cargo.toml", "target/x.rs", "src/target/mod.rs", "out/CACHEDIR.TAG", "out/y.rs", ".git/z.rs")
    assert found(root) == ["Cargo.toml", "src/target/mod.rs"]


def test_what_is_named_outright_is_always_taken(tree: Tree) -> None:
    root = tree("Cargo.toml", "target/x.rs", "old/a.rs", ".git/HEAD")
    (root / ".gitignore").write_text("/old\n")
    assert found(root, "target/x.rs", "old/a.rs") == ["old/a.rs", "target/x.rs"]
    assert found(root, "old") == ["old/a.rs"]
    exclude = (Patterns(root.resolve().as_posix(), ("a.rs",)),)
    assert found(root, "old/a.rs", exclude=exclude) == ["old/a.rs"]
    assert found(root, "old/a.rs", "target/x.rs", "Cargo.toml", force_exclude=True) == ["Cargo.toml"]
    assert found(root, "old/a.rs", exclude=exclude, force_exclude=True, respect_ignores=False) == []


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_symbolic_links_are_not_followed_while_walking(tree: Tree) -> None:
    root = tree("src/a.rs")
    (root / "src" / "loop").symlink_to(root)
    (root / "src" / "b.rs").symlink_to(root / "src" / "a.rs")
    (root / "link.rs").symlink_to(root / "src" / "a.rs")
    assert found(root) == ["src/a.rs"]
    assert found(root, "link.rs", "src/loop") == ["src/a.rs"]


def test_what_cannot_be_taken_is_told(tree: Tree) -> None:
    root = tree("a.rs", "b.txt")
    (root / "big.rs").write_bytes(b"x" * 101)
    result = walk(
        [str(root), str(root / "nowhere"), str(root / "b.txt"), str(root / "big.rs")], Options(max_size=100)
    )
    assert names(result, root) == ["a.rs"]
    told = {Path(note.path or "").name: (note.message.split(" (")[0], note.fatal) for note in result.notes}
    assert told["nowhere"] == ("cannot be read", True)
    assert told["b.txt"] == ("is neither Rust, a Cargo manifest, nor another file that rules read", False)
    assert told["big.rs"][0].startswith("is larger than")
    assert not told["big.rs"][1]
    assert len(result.notes) == 3


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is unreadable here")
def test_a_folder_that_cannot_be_listed_is_told(tree: Tree) -> None:
    root = tree("a.rs", "closed/b.rs")
    (root / "closed").chmod(0)
    result = walk([str(root)], Options())
    (root / "closed").chmod(0o700)
    assert names(result, root) == ["a.rs"]
    assert [note.fatal for note in result.notes] == [True]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_not_read(tree: Tree) -> None:
    root = tree("a.rs")
    os.mkfifo(root / "b.rs")
    assert found(root) == ["a.rs"]
    assert found(root, "b.rs") == []


def test_very_deep_folders(tree: Tree) -> None:
    root = tree("a.rs")
    here = os.open(root, os.O_RDONLY)
    try:
        for _ in range(300):
            os.mkdir("d", dir_fd=here)
            deeper = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = deeper
        os.close(os.open("x.rs", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    assert len(found(root)) == 2


def git_says(root: Path) -> list[str]:
    """The files that git neither tracks nor ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard", "*.rs"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout
    return sorted(os.fsdecode(name) for name in listed.split(b"\0") if name)


PIECES = (
    *(
        "a",
        "b",
        "c",
        "/",
        "*",
        "**",
        "?",
        "[",
        "]",
        "!",
        "-",
        "^",
        "\\",
        " ",
        "#",
        ".rs",
        "*.rs",
        "/**/",
        "**/",
        "/**",
    ),
    *(
        "[ab]",
        "[!a]",
        "[a-b]",
        "[:alpha:]",
        "[[:upper:]]",
        "a/",
        "!*/",
        "x.rs",
        "keep.rs",
        "k\\ eep.rs",
        "!keep.rs",
    ),
)
FOLDERS = ("", "a/", "b/", "a/b/", "a/b/c/", "c/", "b/c/", "c/a/")
NAMES = ("a.rs", "x.rs", "ax.rs", "A.rs", "keep.rs", "!x.rs", "#a.rs", "[a].rs", " .rs")


@pytest.mark.parametrize("seed", range(60))
def test_ignore_files_mean_what_they_mean_to_git(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    rng = random.Random(seed)
    root = tmp_path / "work"
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            (root / folder / name).touch()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)

    def lines() -> bytes:
        return (
            rng.choice(["\n", "\r\n"])
            .join("".join(rng.choices(PIECES, k=rng.randint(1, 4))) for _ in range(3))
            .encode()
        )

    for folder in rng.sample(FOLDERS, 3):
        (root / folder / ".gitignore").write_bytes(lines())
    (root / ".git/info/exclude").write_bytes(lines())
    assert found(root) == git_says(root)


def test_ignore_files_hold_without_a_repository_too(tree: Tree) -> None:
    root = tree("a.rs", "sub/b.rs", "sub/c.rs")
    (root / "sub/.gitignore").write_text("b.rs\n")
    assert found(root) == ["a.rs", "sub/c.rs"]


def test_a_repository_inside_is_its_own(tree: Tree) -> None:
    root = tree("a.rs", "sub/a.rs", ".git/HEAD", "sub/.git/HEAD")
    (root / ".gitignore").write_text("a.rs\n")
    assert found(root) == ["sub/a.rs"]
