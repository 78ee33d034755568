"""Other tools on the same files, with a rule that is as near as their languages come to one of burnlint's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

RULE = "backward-on-unreduced-loss"
"""burnlint's rule that the patterns stand for; they find every call of the method, whatever reduced it."""
PATTERN = "$LOSS.backward()"
SEMGREP = f"""
rules:
  - {{id: backward, languages: [rust], severity: WARNING, message: backward, pattern: {PATTERN}}}
"""


def ast_grep() -> list[str] | None:
    """The command, run in the folder; None where it is not installed. Its exit code is 1 where it finds nothing."""
    found = shutil.which("ast-grep")
    return found and [found, "run", "--pattern", PATTERN, "--lang", "rust", "--threads", "1", "."]  # type: ignore[return-value]


def semgrep(folder: Path) -> list[str] | None:
    """The same, with a file for its rule in `folder`."""
    found = shutil.which("semgrep")
    if found is None:
        return None
    config = folder / "semgrep.yml"
    config.write_text(SEMGREP)
    options = ("--metrics", "off", "--disable-version-check", "--no-git-ignore", "--jobs", "1", "--quiet")
    return [found, "scan", *options, "--config", str(config), "."]


def clippy() -> list[str] | None:
    """Clippy over a package whose dependencies are built."""
    found = shutil.which("cargo")
    return None if found is None else [found, "clippy", "--offline", "--quiet"]


def touch_sources(package: Path) -> None:
    """Let cargo check the package itself anew."""
    for path in (package / "src").rglob("*.rs"):
        os.utime(path)
