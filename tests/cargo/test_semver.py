"""Requirements mean what they mean to Cargo: `test_against_cargo.py` asks Cargo about every row."""

import pytest

from burnlint.cargo.semver import Requirement, Version, VersionError

MATCHES = [
    # requirement, versions that fit, versions that do not
    ("0.22", ["0.22.0", "0.22.1", "0.22.9"], ["0.21.9", "0.23.0", "1.22.0", "0.22.0-pre.1", "0.22.1-pre.1"]),
    ("^0.22.1", ["0.22.1", "0.22.5"], ["0.22.0", "0.23.0", "0.22.2-pre.1"]),
    ("0.22.0-pre.2", ["0.22.0-pre.2", "0.22.0-pre.10", "0.22.0", "0.22.1"], ["0.22.0-pre.1", "0.22.1-pre.1"]),
    ("=0.22.1", ["0.22.1"], ["0.22.0", "0.22.2", "0.22.1-pre.1"]),
    ("=0.22", ["0.22.0", "0.22.7"], ["0.23.0", "0.22.0-pre.1"]),
    ("=0.22.0-pre.2", ["0.22.0-pre.2"], ["0.22.0", "0.22.0-pre.3"]),
    ("~0.22", ["0.22.0", "0.22.9"], ["0.23.0", "0.21.0"]),
    ("~0.22.1", ["0.22.1", "0.22.9"], ["0.22.0", "0.23.0"]),
    ("~1", ["1.0.0", "1.9.3"], ["2.0.0", "0.9.0"]),
    ("^1", ["1.0.0", "1.99.0"], ["0.9.9", "2.0.0"]),
    ("1.2", ["1.2.0", "1.3.0"], ["1.1.9", "2.0.0"]),
    ("0", ["0.1.0", "0.22.1"], ["1.0.0"]),
    ("0.0", ["0.0.0", "0.0.7"], ["0.1.0"]),
    ("0.0.3", ["0.0.3"], ["0.0.2", "0.0.4"]),
    ("0.0.0", ["0.0.0"], ["0.0.1"]),
    ("*", ["0.1.0", "9.9.9"], ["0.1.0-pre.1"]),
    ("0.*", ["0.1.0", "0.22.1"], ["1.0.0", "0.1.0-pre.1"]),
    ("0.22.*", ["0.22.0", "0.22.1"], ["0.21.0", "0.23.0"]),
    ("0.x", ["0.1.0"], ["1.0.0"]),
    (">=0.21, <0.23", ["0.21.0", "0.22.1"], ["0.20.9", "0.23.0", "0.23.0-pre.1"]),
    (">=0.21.0", ["0.21.0", "0.22.1", "3.0.0"], ["0.20.1", "0.23.0-pre.1"]),
    (">=0.23.0-pre.1", ["0.23.0-pre.1", "0.23.0", "0.24.0"], ["0.24.0-pre.1", "0.22.1"]),
    (">0.22", ["0.23.0", "1.0.0"], ["0.22.0", "0.22.9"]),
    (">0.22.0", ["0.22.1"], ["0.22.0"]),
    (">=0.22", ["0.22.0", "0.23.0"], ["0.21.9"]),
    ("<0.22", ["0.21.9", "0.1.0"], ["0.22.0", "0.22.1"]),
    ("<=0.22", ["0.22.9", "0.21.0"], ["0.23.0"]),
    ("<=0.22.1", ["0.22.1", "0.22.0"], ["0.22.2"]),
    (">=0.*", ["0.0.1", "1.0.0"], []),
    (" 0.22 ", ["0.22.1"], []),
    ("0.22 , <0.22.1", ["0.22.0"], ["0.22.1"]),
    ("= 0.22.1", ["0.22.1"], ["0.22.0"]),
    ("0.22.1+build.5", ["0.22.1", "0.22.2"], ["0.22.0"]),
]  # fmt: skip

REFUSED = [
    "",
    "burn",
    "0.22.",
    "01.2",
    "0.22.1.1",
    "0.22-pre.1",
    "1.*.2",
    "*, 1",
    "1, *",
    "1,",
    ">>1",
    "0.22.1-01",
    "1 2",
    "v1",
]


@pytest.mark.parametrize(("text", "fitting", "others"), MATCHES, ids=[m[0] for m in MATCHES])
def test_requirement(text: str, fitting: list[str], others: list[str]) -> None:
    requirement = Requirement.parse(text)
    assert [v for v in fitting if not requirement.matches(Version.parse(v))] == []
    assert [v for v in others if requirement.matches(Version.parse(v))] == []


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(VersionError):
        Requirement.parse(text)


def test_order() -> None:
    ascending = ["0.9.0", "0.21.0", "0.22.0-pre.2", "0.22.0-pre.10", "0.22.0-pre.10.1", "0.22.0-rc", "0.22.0"]
    versions = [Version.parse(v) for v in ascending]
    assert sorted([*versions[3:], *versions[:3]]) == versions
    assert Version.parse("1.2.3+a") == Version.parse("1.2.3+b")


def test_pinned() -> None:
    assert Requirement.parse("=0.22.1").pinned == Version.parse("0.22.1")
    assert Requirement.parse("=0.22").pinned is None
    assert Requirement.parse("0.22.1").pinned is None
