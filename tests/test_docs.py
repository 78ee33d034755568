"""The documents: command lines that burnlint takes, YAML that can be read, links that lead somewhere."""

from __future__ import annotations

import pydoc
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from burnlint.cli import run
from burnlint.lint.keys import KEYS

ROOT = Path(__file__).parent.parent
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """(document, code) of every fenced block of a language."""
    for path in DOCUMENTS:
        for match in re.finditer(rf"^```{language}\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
            yield path.name, match[1]


def command_lines() -> Iterator[tuple[str, str]]:
    for document, code in blocks("sh"):
        for line in code.splitlines():
            if line.startswith("burnlint"):
                yield document, line
    for path in DOCUMENTS:
        for match in re.finditer(r"`(burnlint [^`\n]*)`", path.read_text()):
            if not re.search(r"[A-Z]{3,}|\[|…|src/`", match[1]) and "server" not in match[1]:
                yield path.name, match[1]


@pytest.mark.parametrize(("document", "line"), sorted(set(command_lines())))
def test_command_lines_of_the_documents_are_taken(
    document: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # The help is shown once the options before it have been understood; what takes the output is not burnlint's.
    assert run([*shlex.split(line.partition(" | ")[0])[1:], "--help"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(("document", "code"), list(blocks("yaml")))
def test_yaml_of_the_documents_can_be_read(document: str, code: str) -> None:
    loaded = yaml.safe_load(code)
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    for repository in loaded.get("repos", []):
        assert {hook["id"] for hook in repository["hooks"]} <= hooks
    for job in loaded.get("jobs", {}).values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("burnlint/"):
                assert step.get("with", {}).keys() <= inputs.keys()


def test_names_for_pydoc_show_what_is_meant() -> None:
    # `burnlint.FileView` is `Any` at run time (burnlint/__init__.py), and pydoc would show the page of that.
    for document in ("CONTRIBUTING.md", "docs/adopting.md"):
        names = re.findall(
            r"`(?:python -m pydoc )?(burnlint\.[\w.]*[A-Z]\w+)`", (ROOT / document).read_text()
        )
        assert len(names) >= 3
        for name in names:
            shown = pydoc.locate(name)
            assert isinstance(shown, type) and shown.__name__ == name.rpartition(".")[2], name
            assert shown.__module__.startswith("burnlint."), name


def test_every_key_of_the_configuration_is_documented() -> None:
    text = (ROOT / "docs" / "adopting.md").read_text()
    assert all(f"| `{key.name}` |" in text for key in KEYS)


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*DOCUMENTS, *(ROOT / "docs" / "rules").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"
