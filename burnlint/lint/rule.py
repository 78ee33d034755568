"""What a rule declares about itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from burnlint.lint.finding import Confidence, Severity

Symptom = Literal[
    "silent", "panic", "compile", "build", "slow", "memory", "hang", "error", "diagnosis", "measurement"
]
Group = Literal["default", "pedantic", "parity", "migration", "engine"]


@dataclass(slots=True, frozen=True)
class Rule:
    """The declaration `RULE` of a rule module.

    `burn` is the range of burn versions in which the claim holds; `proven` the versions on which it was run
    (outside of them the engine caps the confidence at medium). `listens` names the methods, functions, items
    and macros a Rust rule looks at: a file that holds none of these words is not parsed for it. `messages`
    are regular expressions for compile errors, panics and logs that the pitfall produces (`burnlint why`).
    `supersedes` names rules that say less about the same place. `below_tensors`: the claim is about crates that burn's
    tensors stand on, and is judged in packages that name no others too.
    """

    code: str
    name: str
    symptom: Symptom
    severity: Severity
    confidence: Confidence
    pitfalls: tuple[str, ...] = ()
    group: Group = "default"
    burn: str = ">=0.13"
    proven: tuple[str, ...] = ("0.22.1",)
    listens: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    preview: bool = False
    below_tensors: bool = False


Check = Callable[[Any], Any]


@dataclass(slots=True, frozen=True)
class LoadedRule:
    """A rule with what discovery found: its topic (folder), page (docstring) and entry points."""

    rule: Rule
    topic: str
    page: str
    module: ModuleType
    check: Check | None
    """Over a Rust file (`burnlint.burn.view.FileView`)."""
    check_manifest: Check | None
    check_project: Check | None
    check_text: Check | None

    @property
    def title(self) -> str:
        """The page's first sentence, which may take more than one line."""
        return " ".join(self.page.strip().partition("\n\n")[0].split())
