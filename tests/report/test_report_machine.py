"""GitLab, Checkstyle, JUnit and cargo's messages, each read back by a reader where there is one."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import jsonschema_rs
import junitparser
import pytest
from results import HOSTILE_NAMES, HOSTILE_TEXT

from burnlint.lint.result import Result
from burnlint.report import RenderOptions, render
from burnlint.terminal import visible


def rendered(name: str, result: Result) -> str:
    return render(name, result, RenderOptions())


def gitlab(result: Result) -> Any:
    return json.loads(rendered("gitlab", result))


def test_gitlab(sample: Result) -> None:
    sample.cwd = "/repo/src"
    issue = gitlab(sample)[0]
    assert issue == {
        "type": "issue",
        "check_name": "BL201 backward-on-unreduced-loss",
        "description": "`loss` keeps one value per element, so `backward` sums them and the gradients grow "
        "(help: reduce it first: `loss.mean().backward()`)",
        "categories": ["Bug Risk"],
        "severity": "major",
        "fingerprint": "0" * 32,
        "location": {
            "path": "src/train.rs",
            "positions": {"begin": {"line": 6, "column": 22}, "end": {"line": 6, "column": 30}},
        },
    }
    assert [each["severity"] for each in gitlab(sample)] == ["major", "minor", "info"]


def _at_least(minimum: int) -> Any:
    return {"type": "integer", "minimum": minimum}


_TEXT = {"type": "string", "minLength": 1}
_POSITION = {
    "type": "object",
    "required": ["line"],
    "properties": {"line": _at_least(1), "column": _at_least(1)},
}
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": _TEXT,
            "check_name": _TEXT,
            "fingerprint": _TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path"],
                "properties": {
                    "path": {"type": "string", "pattern": "^(?!/|[.]/)"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": _at_least(1)}},
                    "positions": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": _POSITION, "end": _POSITION},
                    },
                },
                "anyOf": [{"required": ["lines"]}, {"required": ["positions"]}],
            },
        },
    },
}
"""What GitLab's documentation, "Code Quality", asks of a report, and the schema its parser applies
(app/validators/json_schemas/codeclimate.json), which is laxer. The parser stops at the first issue that fails, and
of those with one fingerprint it keeps the last."""


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_gitlab_takes_all_of_it(name: str, request: pytest.FixtureRequest) -> None:
    result = request.getfixturevalue(name)
    issues = gitlab(result)
    jsonschema_rs.Draft202012Validator(GITLAB).validate(issues)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == len(result.findings)


def test_gitlab_gets_paths_as_they_are(hostile: Result) -> None:
    paths = [issue["location"]["path"] for issue in gitlab(hostile)]
    assert paths == [name.replace("\udcff", "\ufffd") for name in HOSTILE_NAMES]


@pytest.mark.parametrize(
    "broken",
    [
        {"severity": "warning"},
        {"fingerprint": ""},
        {"location": {"path": "./a.rs", "lines": {"begin": 1}}},
        {"location": {"path": "a.rs"}},
        {"location": {"path": "a.rs", "positions": {"begin": {"line": 0}}}},
    ],
)
def test_gitlab_schema_refuses_what_gitlab_does(broken: Any, sample: Result) -> None:
    issues = gitlab(sample)
    issues[1] |= broken
    assert not jsonschema_rs.Draft202012Validator(GITLAB).is_valid(issues)


def test_checkstyle(sample: Result) -> None:
    root = ElementTree.fromstring(rendered("checkstyle", sample))
    assert root.tag == "checkstyle"
    errors = [(each.get("name"), dict(error.attrib)) for each in root for error in each]
    assert [(path, error["line"], error["severity"], error["source"]) for path, error in errors] == [
        (".", "1", "error", "burnlint.BL002.rule-crashed"),
        ("Cargo.toml", "2", "warning", "burnlint.BL705.cube-without-fusion-autotune"),
        ("src/broken.rs", "7", "info", "burnlint.BL001.parse-error"),
        ("src/train.rs", "6", "error", "burnlint.BL201.backward-on-unreduced-loss"),
        ("src/train.rs", "5", "info", "burnlint.BL113.redundant-tensor-clone"),
    ]
    assert errors[3][1]["column"] == "22"


def test_checkstyle_survives_hostile_files(hostile: Result, clean: Result) -> None:
    root = ElementTree.fromstring(rendered("checkstyle", hostile).encode())
    assert sorted(str(each.get("name")) for each in root) == sorted(map(visible, HOSTILE_NAMES))
    assert {error.get("message") for error in root.iter("error")} == {
        visible(HOSTILE_TEXT),
        visible(f"{HOSTILE_TEXT} (help: {HOSTILE_TEXT})"),
    }
    assert len(ElementTree.fromstring(rendered("checkstyle", clean))) == 0


def test_junit(sample: Result) -> None:
    suites = junitparser.JUnitXml.fromstring(rendered("junit", sample))
    assert (suites.tests, suites.failures, suites.errors) == (4, 3, 1)
    assert [suite.name for suite in suites] == ["Cargo.toml", "burnlint", "src/train.rs"]
    case = next(iter(list(suites)[2]))
    assert (case.classname, case.name) == ("src/train.rs", "BL201 backward-on-unreduced-loss at 6:22")
    failure = case.result[0]
    assert isinstance(failure, junitparser.Failure)
    assert failure.message.startswith("`loss` keeps one value")
    assert failure.text.split("\n")[1:] == [
        "src/train.rs:4:16: `SmoothL1Loss::forward` does not reduce",
        "src/model.rs:2:40: this is where the batch axis comes from",
        "help: reduce it first: `loss.mean().backward()`",
    ]
    written = [(suite.tests, suite.failures, suite.errors) for suite in suites]
    suites.update_statistics()
    assert written == [(suite.tests, suite.failures, suite.errors) for suite in suites]


def test_junit_of_a_clean_run_is_one_test_that_passed(clean: Result) -> None:
    suites = junitparser.JUnitXml.fromstring(rendered("junit", clean))
    assert (suites.tests, suites.failures, suites.errors) == (1, 0, 0)
    assert [case.is_passed for suite in suites for case in suite] == [True]


def test_junit_survives_hostile_files(hostile: Result) -> None:
    suites = junitparser.JUnitXml.fromstring(rendered("junit", hostile).encode())
    assert sorted(suite.name for suite in suites) == sorted(map(visible, HOSTILE_NAMES))
    assert {case.result[0].message for suite in suites for case in suite} == {visible(HOSTILE_TEXT)}


COUNTS = {"tests", "failures", "errors", "time"}
XUNIT = {
    "testsuites": ({"name"} | COUNTS, {"testsuite"}),
    "testsuite": ({"name", "skipped"} | COUNTS, {"testcase"}),
    "testcase": ({"classname", "name", "time"}, {"failure", "error"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
}
"""Attributes and children of each element that Jenkins' xUnit plugin allows (its junit-10.xsd) and burnlint needs. It
refuses a whole report for one that it does not know."""


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_junit_has_only_what_jenkins_allows(name: str, request: pytest.FixtureRequest) -> None:
    root = ElementTree.fromstring(rendered("junit", request.getfixturevalue(name)).encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = XUNIT[element.tag]
        assert set(element.attrib) <= attributes, element.tag
        assert {child.tag for child in element} <= children


SPAN = {
    "file_name": str,
    "byte_start": int,
    "byte_end": int,
    "line_start": int,
    "line_end": int,
    "column_start": int,
    "column_end": int,
    "is_primary": bool,
    "text": list,
    "label": (str, type(None)),
    "suggested_replacement": (str, type(None)),
    "suggestion_applicability": (str, type(None)),
    "expansion": type(None),
}
DIAGNOSTIC = {
    "message": str,
    "level": str,
    "code": (dict, type(None)),
    "spans": list,
    "children": list,
    "rendered": (str, type(None)),
}


def check_diagnostic(diagnostic: Any) -> None:
    """The fields of the rustc book, "JSON Output", and no other."""
    check(diagnostic, DIAGNOSTIC)
    assert diagnostic["level"] in ("error", "warning", "note", "help")
    for span in diagnostic["spans"]:
        check(span, SPAN)
        for line in span["text"]:
            check(line, {"text": str, "highlight_start": int, "highlight_end": int})
    for child in diagnostic["children"]:
        check_diagnostic(child)


def check(value: Any, fields: Any) -> None:
    assert set(value) == set(fields)
    assert [name for name, kind in fields.items() if not isinstance(value[name], kind)] == []


def cargo_lines(result: Result) -> list[Any]:
    return [json.loads(line) for line in rendered("cargo-json", result).splitlines()]


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_cargo_json_has_the_fields_of_rustc(name: str, request: pytest.FixtureRequest) -> None:
    result = request.getfixturevalue(name)
    *messages, end = cargo_lines(result)
    assert end == {"reason": "build-finished", "success": name == "clean"}
    assert len(messages) == len(result.findings) + len(result.notes)
    for message in messages:
        assert message["reason"] == "compiler-message"
        assert message["message"].pop("$message_type") == "diagnostic"
        check_diagnostic(message["message"])


def test_cargo_json(sample: Result) -> None:
    first, second, _, parse_error, crash, _ = cargo_lines(sample)
    diagnostic = first["message"]
    assert (diagnostic["level"], diagnostic["code"]) == ("error", {"code": "BL201", "explanation": None})
    assert [(span["file_name"], span["is_primary"], span["label"]) for span in diagnostic["spans"]] == [
        ("/repo/src/train.rs", True, None),
        ("/repo/src/train.rs", False, "`SmoothL1Loss::forward` does not reduce"),
        ("/repo/src/model.rs", False, "this is where the batch axis comes from"),
    ]
    help_, fix = diagnostic["children"]
    assert help_["message"] == "reduce it first: `loss.mean().backward()`"
    assert [(span["suggested_replacement"], span["suggestion_applicability"]) for span in fix["spans"]] == [
        ("mean().", "MaybeIncorrect")
    ]
    assert second["message"]["children"][0]["spans"][0]["suggestion_applicability"] == "MachineApplicable"
    assert diagnostic["rendered"].startswith("error[BL201]: backward-on-unreduced-loss: `loss`")
    assert "6 |     let grads = loss.backward();\n" in diagnostic["rendered"]
    span = parse_error["message"]["spans"][0]
    assert (span["file_name"], span["line_start"], span["column_start"]) == ("/repo/src/broken.rs", 7, 1)
    assert (crash["message"]["level"], crash["message"]["spans"]) == ("error", [])


def test_cargo_json_shows_nothing_raw(hostile: Result) -> None:
    for line in cargo_lines(hostile)[:-1]:
        shown = (line["message"]["rendered"] or "") + line["message"]["message"]
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
