"""The tables about people's code agree with each other."""

from __future__ import annotations

import pytest
from support import codes

from tools.corpus import precision
from tools.corpus.__main__ import COUNTS, HERE, VERDICTS, projects


def test_the_table_of_precision_is_current() -> None:
    """`python -m tools.corpus.precision` writes it."""
    assert precision.PRECISION.read_text(encoding="utf-8") == precision.table()


@pytest.mark.parametrize(
    ("true", "all_", "expected"), [(10, 10, (0.722, 1.0)), (1, 2, (0.095, 0.905)), (0, 5, (0.0, 0.434))]
)
def test_wilsons_interval(true: int, all_: int, expected: tuple[float, float]) -> None:
    assert precision.interval(true, all_) == pytest.approx(expected, abs=0.001)


def test_a_finding_without_a_verdict_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [row for row in precision.rows(COUNTS) if row["rule"] == "flex-single-threaded"]
    monkeypatch.setattr(precision, "rows", lambda path: found if path == COUNTS else [])
    with pytest.raises(SystemExit, match="without a verdict"):
        precision.table()


def test_rows_name_projects_and_rules_that_are_known() -> None:
    commits = dict(projects())
    names = {code.name for code in codes()}
    for row in precision.rows(VERDICTS):
        assert commits[row["project"]].startswith(row["commit"]) and row["rule"] in names
        assert row["verdict"] in ("true", "false", "unclear") and row["reason"]


def test_what_was_known_to_be_wrong_is_found_or_has_a_reason() -> None:
    """Faults that people found by reading, before there were rules."""
    judged = {
        (r["project"], r["rule"], r["place"]) for r in precision.rows(VERDICTS) if r["verdict"] == "true"
    }
    known = precision.rows(HERE / "known.tsv")
    assert known
    for row in known:
        if row["found_by"] == "-":
            assert row["remark"] != "-", row
        else:
            assert (row["project"], row["found_by"], row["place"]) in judged, row
