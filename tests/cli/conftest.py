"""The command line over files on the disk, with rules and a project model made for tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "lint"))

from fake_project import FakeProject, registry, word_rule

from burnlint.lint.config import Config
from burnlint.lint.registry import Registry


@dataclass(slots=True, frozen=True)
class Run:
    """What a command line did."""

    code: int
    out: str
    err: str


Burnlint = Callable[..., Run]


class DiskProject(FakeProject):
    """The fake project over files on the disk."""

    def __init__(self, paths: Sequence[str], root: str, overlay: Mapping[str, bytes], config: Config) -> None:
        self.config = config
        super().__init__(
            {path: overlay.get(path) if path in overlay else Path(path).read_bytes() for path in paths}
        )
        self.root = root


def rules() -> Registry:
    """`foo` has a safe fix, `bar` an unsafe one, `baz` is an error of an opt-in group."""
    return registry(
        word_rule("BL101", "first-rule", "foo", "FOO", pitfalls=("P5",)),
        word_rule("BL102", "second-rule", "bar", "BAR", safe=False),
        word_rule("BL801", "third-rule", "baz", topic="parity", group="parity", severity="error"),
        word_rule("BL103", "noted-rule", "hint", severity="note"),
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository's root as the working directory, with the project model replaced by the fake one."""
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    for variable in ("NO_COLOR", "FORCE_COLOR", "BURNLINT_TRACEBACK"):
        monkeypatch.delenv(variable, raising=False)

    def load(files: Sequence[str], config: Config, overlay: Mapping[str, bytes]) -> DiskProject:
        return DiskProject(files, root.as_posix(), overlay, config)

    monkeypatch.setattr("burnlint.cli.loading.load", load)
    monkeypatch.setattr("burnlint.lint.registry.load", rules)
    return root


@pytest.fixture
def burnlint(project: Path, capfd: pytest.CaptureFixture[str]) -> Burnlint:
    """Run a command line in `project`."""
    from burnlint.cli import run

    def call(*argv: str) -> Run:
        capfd.readouterr()
        code = run(argv)
        captured = capfd.readouterr()
        return Run(code, captured.out, captured.err)

    return call


@pytest.fixture
def files(project: Path) -> Callable[[Mapping[str, str]], None]:
    """Write files below the project's root."""

    def write(contents: Mapping[str, str]) -> None:
        for name, content in contents.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())

    return write
