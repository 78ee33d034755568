"""Which files beside Rust and manifests are looked at, by name, and how each is written."""

from __future__ import annotations

import re
from typing import Literal

Format = Literal["toml", "workflow", "dockerfile", "dotenv", "shell", "just", "make", "wgsl"]

_FORMATS: tuple[tuple[Format, re.Pattern[str]], ...] = (
    ("toml", re.compile(r"(?:^|/)(?:[cC]ube(?:cl|CL)\.toml|[bB]urn\.toml|\.cargo/config(?:\.toml)?)$")),
    ("workflow", re.compile(r"(?:^|/)(?:\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml)$")),
    ("dockerfile", re.compile(r"(?:^|/)(?:(?:Dockerfile|Containerfile)(?:\.[^/]+)?|[^/]+\.[dD]ockerfile)$")),
    ("dotenv", re.compile(r"(?:^|/)\.env(?:rc|\.(?!example$|sample$|template$|dist$)[^/]+)?$")),
    ("shell", re.compile(r"\.(?:sh|bash|zsh)$")),
    ("just", re.compile(r"(?:^|/)(?:\.?[jJ]ustfile|[^/]+\.just)$")),
    ("make", re.compile(r"(?:^|/)(?:GNUmakefile|[mM]akefile|[^/]+\.mk)$")),
    ("wgsl", re.compile(r"\.wgsl$")),
)


def side_format(path: str) -> Format | None:
    """How a side file is written; None for a file that is none. Examples of `.env` files are documents."""
    return next((name for name, pattern in _FORMATS if pattern.search(path)), None)
