"""The JSON output against its schema, and the schema against the code."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, get_args

import jsonschema_rs
import pytest

from burnlint.lint.finding import CONFIDENCES, SEVERITIES
from burnlint.lint.result import Result
from burnlint.lint.rule import Group, Symptom
from burnlint.report import RenderOptions, render

SCHEMA = json.loads((files("burnlint.report") / "burnlint.schema.json").read_text(encoding="utf-8"))


def document(result: Result) -> Any:
    return json.loads(render("json", result, RenderOptions()))


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_valid_by_its_schema(name: str, request: pytest.FixtureRequest) -> None:
    jsonschema_rs.validator_for(SCHEMA).validate(document(request.getfixturevalue(name)))


def test_schema_is_a_schema() -> None:
    jsonschema_rs.meta.validate(SCHEMA)


def test_schema_refuses_what_is_not_promised(sample: Result) -> None:
    """Each field taken away, and each object with a field more, is refused: the schema is as strict as the
    promise."""
    validator = jsonschema_rs.validator_for(SCHEMA)
    whole = document(sample)
    objects = [
        whole,
        whole["tool"],
        whole["summary"],
        whole["notes"][0],
        whole["findings"][0],
        whole["findings"][0]["because"][0],
        whole["findings"][0]["fix"],
        whole["findings"][0]["fix"]["edits"][0],
    ]
    for each in objects:
        for key in list(each):
            value = each.pop(key)
            assert not validator.is_valid(whole), f"valid without {key}"
            each[key] = value
        each["surprise"] = 1
        assert not validator.is_valid(whole)
        del each["surprise"]
    assert validator.is_valid(whole)


def test_schema_knows_the_same_words_as_the_code() -> None:
    finding = SCHEMA["$defs"]["finding"]["properties"]
    assert set(finding["symptom"]["enum"]) == set(get_args(Symptom))
    assert set(finding["group"]["enum"]) == set(get_args(Group))
    assert set(finding["severity"]["enum"]) == set(SEVERITIES)
    assert set(finding["confidence"]["enum"]) == set(CONFIDENCES)


def test_a_finding(sample: Result) -> None:
    found = document(sample)["findings"][0]
    assert {
        key: found[key]
        for key in ("code", "name", "severity", "confidence", "symptom", "topic", "group", "pitfalls")
    } == {
        "code": "BL201",
        "name": "backward-on-unreduced-loss",
        "severity": "error",
        "confidence": "high",
        "symptom": "silent",
        "topic": "autodiff",
        "group": "default",
        "pitfalls": ["P12"],
    }
    assert (found["path"], found["line"], found["column"], found["end_line"], found["end_column"]) == (
        "src/train.rs",
        6,
        22,
        6,
        30,
    )
    assert [(each["path"], each["line"]) for each in found["because"]] == [
        ("src/train.rs", 4),
        ("src/model.rs", 2),
    ]
    text = sample.texts["/repo/src/train.rs"].content
    edit = found["fix"]["edits"][0]
    assert text[edit["end"] :].startswith(b"backward")
    assert (found["fix"]["safe"], edit["path"], edit["text"]) == (False, "src/train.rs", "mean().")


def test_notes_and_summary(sample: Result) -> None:
    sample.summary.types = {
        "tensor_expressions": 8,
        "known_kind": 7,
        "known_rank": 6,
        "known_origin": 5,
        "causes": {"macro": 1},
    }
    whole = document(sample)
    assert whole["notes"] == [
        {
            "kind": "parse-error",
            "path": "src/broken.rs",
            "line": 7,
            "message": "the line does not parse; the rest is linted",
        },
        {
            "kind": "rule-crashed",
            "path": None,
            "line": None,
            "message": "backward-on-unreduced-loss raised ValueError",
        },
    ]
    assert whole["summary"] == {
        "files": 12,
        "errors": 1,
        "warnings": 1,
        "notes": 1,
        "suppressed": 2,
        "baselined": 1,
        "types": sample.summary.types,
    }
    jsonschema_rs.validator_for(SCHEMA).validate(whole)


def test_paths_from_another_working_directory(sample: Result) -> None:
    sample.cwd = "/repo/src"
    paths = [found["path"] for found in document(sample)["findings"]]
    assert paths == ["train.rs", "../Cargo.toml", "train.rs"]


def test_columns_count_code_points(build: Any) -> None:
    from burnlint.lint.finding import Finding

    path = build.file("a.rs", '\ufefflet é = "🔥"; x\n')
    build.add(Finding(build.place(path, "x"), "m"))
    found = document(build.result)["findings"][0]
    assert (found["column"], found["end_column"]) == (14, 15)


def test_is_ascii(hostile: Result) -> None:
    assert render("json", hostile, RenderOptions()).isascii()
