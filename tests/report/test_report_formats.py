"""What holds for every format."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from results import sample

import burnlint.report
from burnlint.lint.result import Result
from burnlint.report import FORMATS, RenderOptions, render


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", ["sample", "hostile", "clean"])
def test_is_encodable_and_ends_with_a_newline(name: str, kind: str, request: pytest.FixtureRequest) -> None:
    shown = render(name, request.getfixturevalue(kind), RenderOptions(colour=True, hyperlinks=True))
    assert shown.encode().endswith(b"\n")


@pytest.mark.parametrize("name", FORMATS)
def test_is_the_same_each_time(name: str) -> None:
    assert render(name, sample(), RenderOptions()) == render(name, sample(), RenderOptions())


@pytest.mark.parametrize("name", FORMATS)
def test_leaves_the_result_alone(name: str, sample: Result) -> None:
    before = repr(sample)
    render(name, sample, RenderOptions())
    assert repr(sample) == before


def test_every_format_has_a_module_and_the_other_way_round() -> None:
    folder = Path(burnlint.report.__file__).parent
    with_render = {
        path.stem for path in folder.glob("*.py") if "\ndef render(" in path.read_text(encoding="utf-8")
    }
    assert with_render - {"__init__"} == {name.replace("-", "_") for name in FORMATS}


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="yaml"):
        render("yaml", sample(), RenderOptions())


def test_heavy_imports_only_for_the_format_that_needs_them() -> None:
    program = (
        "import sys; import burnlint.report, burnlint.report.text; "
        "heavy = ('sarif_om', 'attr', 'json', 'xml', 'html', 'hashlib'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
