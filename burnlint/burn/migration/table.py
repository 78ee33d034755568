"""The hand-made half of what is known of the way to burn 0.22: `burnlint/burn/data/migration.toml`."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "migration.toml"


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """The tables of the file by name."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def feature_successor(crate: str, feature: str) -> tuple[str, bool] | None:
    """What takes the place of a Cargo feature of burn in 0.22 ("" for nothing), and whether the old one still builds;
    None where it stays as it is."""
    if crate not in ("burn", "burn-core"):
        return None
    for name, deprecated in (("features", False), ("deprecated-features", True)):
        if feature in table()[name]:
            return table()[name][feature], deprecated
    return None
