"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from burnlint.lint.write import WriteError, write


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write(path, b"new", expected=b"old")
    assert path.read_bytes() == b"new"
    assert os.name == "nt" or path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    write(tmp_path / "a", b"x")
    (tmp_path / "b").write_bytes(b"x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="Windows counts the folders too")
def test_a_name_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'a' * 252}.rs"
    path.write_bytes(b"old")
    write(path, b"new", expected=b"old")
    assert path.read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    path.chmod(0o750)
    write(path, b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 2345, 0o750)


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_a_symbolic_link_keeps_pointing_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_file_that_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"changed")
    with pytest.raises(WriteError, match="changed while burnlint looked at it"):
        write(path, b"new", expected=b"old")
    assert path.read_bytes() == b"changed"


@pytest.mark.parametrize("failing", ["fsync", "fdopen"])
def test_a_full_disk_loses_nothing(failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"old")

    def full(*args: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(WriteError, match="cannot be written \\(No space left on device\\)"):
        write(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.rs"
    path.write_bytes(b"old")

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="No such file"):
        write(tmp_path / "no" / "a.rs", b"x")
