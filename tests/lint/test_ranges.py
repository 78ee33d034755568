"""Ranges of versions."""

from __future__ import annotations

import pytest

from burnlint.lint.ranges import holds, proven_on, version


@pytest.mark.parametrize(
    ("range_", "versions", "inside"),
    [
        (">=0.13", ["0.13.0", "0.22.1"], True),
        (">=0.13", ["0.12.9"], False),
        (">=0.13,<0.22", ["0.21.4"], True),
        (">=0.13,<0.22", ["0.21.4", "0.22.0"], False),
        ("==0.22.1", ["0.22.1"], True),
        ("==0.22.1", ["0.22.2"], False),
        (">0.21,<=0.22.1", ["0.22.1"], True),
        # A pre-release has the API of the release it previews.
        (">=0.22", ["0.22.0-pre.1"], True),
        ("<0.22", ["0.22.0-pre.1"], False),
        (">=0.100", ["0.22.0"], False),
    ],
)
def test_holds(range_: str, versions: list[str], inside: bool) -> None:
    assert holds(range_, tuple(versions)) is inside


@pytest.mark.parametrize(
    ("range_", "versions", "inside"),
    [
        (">=0.22", ["0.22.0-pre.1"], False),
        (">=0.22", ["0.22.0-pre.1", "0.22.0"], False),
        (">=0.13,<0.22", ["0.22.0-pre.1"], False),
        (">=0.22", ["0.23.0-pre.1"], True),
        (">=0.13,<0.22", ["0.21.0-pre.4"], True),
    ],
)
def test_a_pre_release_of_a_bound_is_on_neither_side(range_: str, versions: list[str], inside: bool) -> None:
    assert holds(range_, tuple(versions), previews=False) is inside


@pytest.mark.parametrize("text", ["", "x", "0.22.x", "^0.22", "0.22.1.4", "-1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no version"):
        version(text)


@pytest.mark.parametrize("text", ["", "0.22", "^0.22", ">=", ">=0.13 <0.22", ">=0.13,"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        holds(text, ("0.22.1",))


@pytest.mark.parametrize(
    ("proven", "versions", "holds"),
    [
        (["0.21.0", "0.22.1"], ["0.21.0"], True),
        (["0.21.0", "0.22.1"], ["0.21.0", "0.22.1"], True),
        (["0.21.0", "0.22.1"], ["0.22.0"], False),
        (["0.21.0", "0.22.1"], ["0.22.0", "0.22.1"], False),
        ([], ["0.22.1"], False),
        # A pre-release lies between one of the line before and the release that it became.
        (["0.21.0", "0.22.0", "0.22.1"], ["0.22.0-pre.1"], True),
        (["0.20.1", "0.21.0"], ["0.21.0-pre.1"], True),
        (["0.21.0", "0.22.1"], ["0.22.0-pre.1"], False),
        (["0.22.0", "0.22.1"], ["0.22.0-pre.1"], False),
        (["0.20.1", "0.22.0"], ["0.22.0-pre.1"], False),
        (["0.21.0", "0.22.0"], ["0.22.1-pre.1"], False),
        (["0.21.0", "0.22.0", "0.22.1"], ["0.23.0-pre.1"], False),
        (["0.21.0", "0.22.0"], ["0.22.0-pre.1", "0.22.1"], False),
        # A pre-release that was run on itself.
        (["0.23.0-pre.1"], ["0.23.0-pre.1"], True),
    ],
)
def test_proven_on(proven: list[str], versions: list[str], holds: bool) -> None:
    assert proven_on(tuple(proven), tuple(versions)) is holds
