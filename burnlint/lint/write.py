"""Writing files: whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


class WriteError(Exception):
    """A file that was not written; it is as it was. The message has its path."""


def write(path: Path, content: bytes, *, expected: bytes | None = None) -> None:
    """Replace a file in one step, keeping its mode and owner; a symbolic link keeps pointing to it. What is no regular
    file (a pipe, `/dev/null`) is written to.

    With `expected` the file must still hold these bytes. Raises WriteError.
    """
    import tempfile

    target = path.resolve()
    temporary: str | None = None
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            path.write_bytes(content)
            return
        if expected is not None and target.read_bytes() != expected:
            raise WriteError(f"{path}: changed while burnlint looked at it; it was left alone")
        # Not named after the file, whose name may be as long as the system allows.
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".burnlint-")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_owner(target, temporary)
        Path(temporary).chmod(_mode(target))
        Path(temporary).replace(target)
        temporary = None
    except OSError as error:
        raise WriteError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _keep_owner(target: Path, temporary: str) -> None:
    """Give the new file to the old one's owner, where that is another (root in a container, a shared folder) and the
    system lets us."""
    if not hasattr(os, "chown"):  # Windows
        return
    with suppress(OSError):
        old, new = target.stat(), Path(temporary).stat()
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
            os.chown(temporary, old.st_uid, old.st_gid)


def _mode(target: Path) -> int:
    """The mode of the file that is replaced, or the one a new file gets."""
    try:
        return target.stat().st_mode & 0o7777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
