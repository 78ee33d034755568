"""SARIF against the official schema, GitHub's limits and rules, and GitHub's own fingerprint algorithm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
import sarif_om as om
from results import HOSTILE_NAMES, Build, make_rule

from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
from burnlint.lint.result import Note, Result
from burnlint.report import RenderOptions, render
from burnlint.report.linehash import line_hashes
from burnlint.report.sarif import message, pascal_case
from burnlint.report.sarif_model import to_json
from tools.validate_sarif import github_findings, multitool, schema_errors


def log(result: Result, **options: Any) -> Any:
    return json.loads(render("sarif", result, RenderOptions(**options)))


def run(result: Result, **options: Any) -> Any:
    return log(result, **options)["runs"][0]


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_valid_by_the_official_schema(name: str, request: pytest.FixtureRequest) -> None:
    assert schema_errors(log(request.getfixturevalue(name), category="burn")) == []


def test_the_schema_check_can_fail(sample: Result) -> None:
    broken = log(sample)
    broken["runs"][0]["results"][0]["surprise"] = 1
    assert schema_errors(broken)


@pytest.mark.parametrize("name", ["sample", "hostile", "clean"])
def test_nothing_to_say_by_the_rules_of_github(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    binary = multitool(install=False)
    if binary is None:
        pytest.skip("the SARIF multitool is not installed (python -m tools.validate_sarif installs it)")
    path = tmp_path / "out.sarif"
    path.write_text(
        render("sarif", request.getfixturevalue(name), RenderOptions(category="burn")), encoding="utf-8"
    )
    assert list(github_findings(binary, path)) == []


def test_the_rules_of_github_can_fail(sample: Result, tmp_path: Path) -> None:
    binary = multitool(install=False)
    if binary is None:
        pytest.skip("the SARIF multitool is not installed (python -m tools.validate_sarif installs it)")
    broken = log(sample)
    del broken["runs"][0]["tool"]["driver"]["rules"][0]["help"]
    broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] = (
        "file:///x/y.rs"
    )
    path = tmp_path / "out.sarif"
    path.write_text(json.dumps(broken), encoding="utf-8")
    said = " ".join(github_findings(binary, path))
    assert "GH2012" in said and "GH1006" in said


def test_rule_metadata_is_what_github_shows(sample: Result) -> None:
    rules = run(sample)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["BL113", "BL201", "BL705"]
    rule = rules[1]
    assert rule["name"] == "BackwardOnUnreducedLoss"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {
        "precision": "high",
        "problem.severity": "error",
        "tags": ["silent", "autodiff", "P12"],
    }
    assert rule["shortDescription"]["text"].endswith("number of elements.")
    assert (
        rule["fullDescription"]["text"].endswith("Adam hardly notices.")
        and "**" not in rule["fullDescription"]["text"]
    )
    assert "```rust\nlet grads = loss.backward();\n```" in rule["help"]["markdown"]
    assert "# use burn" not in rule["help"]["markdown"] + rule["help"]["text"]
    assert rules[2]["defaultConfiguration"] == {"level": "warning"}
    assert rules[0]["properties"]["problem.severity"] == "recommendation"
    assert "security-severity" not in json.dumps(rules)


def test_limits_of_github() -> None:
    build = Build()
    rule = make_rule(pitfalls=tuple(f"P{number}" for number in range(30)))
    object.__setattr__(rule, "page", "Title\n\n## Why\n" + "A sentence of words. " * 200)
    build.add(Finding(build.place(build.file("a.rs", "x"), "x"), "m"), rule)
    written = run(build.result)["tool"]["driver"]["rules"][0]
    assert len(written["properties"]["tags"]) == 10
    assert 900 < len(written["fullDescription"]["text"]) <= 1024
    assert written["fullDescription"]["text"].endswith("words.")


def test_rules_without_findings_are_listed_and_results_is_there(clean: Result) -> None:
    written = run(clean)
    assert [rule["id"] for rule in written["tool"]["driver"]["rules"]] == ["BL201"]
    assert written["results"] == []
    assert written["invocations"] == [{"executionSuccessful": True}]


def test_result(sample: Result) -> None:
    written = run(sample)
    result = written["results"][0]
    assert (result["ruleId"], written["tool"]["driver"]["rules"][result["ruleIndex"]]["id"]) == (
        "BL201",
        "BL201",
    )
    assert result["level"] == "error"
    assert result["message"]["text"] == (
        "`loss` keeps one value per element, so `backward` sums them and the gradients grow. "
        "See [`SmoothL1Loss::forward` does not reduce](1). See [this is where the batch axis comes from](2). "
        "Help: reduce it first: `loss.mean().backward()`."
    )
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "src/train.rs", "uriBaseId": "%SRCROOT%"}
    assert physical["region"] == {
        "startLine": 6,
        "startColumn": 22,
        "endLine": 6,
        "endColumn": 30,
        "snippet": {"text": "backward"},
        "sourceLanguage": "rust",
    }
    related = result["relatedLocations"]
    assert [(each["id"], each["physicalLocation"]["artifactLocation"]["uri"]) for each in related] == [
        (1, "src/train.rs"),
        (2, "src/model.rs"),
    ]
    assert result["partialFingerprints"] == {
        "burnlint/v1": "0" * 32,
        "primaryLocationLineHash": line_hashes(sample.texts["/repo/src/train.rs"].content)[5],
    }
    assert written["columnKind"] == "utf16CodeUnits"
    assert written["results"][1]["properties"] == {"confidence": "medium", "symptom": "slow"}


def test_a_lowered_level_is_written_also_when_it_is_the_default() -> None:
    """A missing level means the rule's: a warning of an error rule must be explicit."""
    build = Build()
    build.add(Finding(build.place(build.file("a.rs", "x"), "x"), "m", severity="warning"))
    assert run(build.result)["results"][0]["level"] == "warning"


def test_fix(sample: Result) -> None:
    fixes = [result.get("fixes") for result in run(sample)["results"]]
    assert fixes[0] == [
        {
            "artifactChanges": [
                {
                    "artifactLocation": {"uri": "src/train.rs", "uriBaseId": "%SRCROOT%"},
                    "replacements": [
                        {
                            "deletedRegion": {
                                "startLine": 6,
                                "startColumn": 22,
                                "endLine": 6,
                                "endColumn": 22,
                            },
                            "insertedContent": {"text": "mean()."},
                        }
                    ],
                }
            ],
            "description": {"text": "Unsafe, check the outcome: insert `.mean()`."},
            "properties": {"safe": False},
        }
    ]
    assert fixes[1][0]["properties"] == {"safe": True}
    assert fixes[2] is None


def test_fix_in_a_file_that_was_not_handed_over(build: Build) -> None:
    place = build.place(build.file("a.rs", "x"), "x")
    build.add(Finding(place, "m", fix=Fix("t", (Edit(Place("/repo/b.rs", 3, 5), "y"),), safe=True)))
    assert schema_errors(log(build.result)) == []
    change = run(build.result)["results"][0]["fixes"][0]["artifactChanges"][0]
    assert change["replacements"][0]["deletedRegion"] == {"byteOffset": 3, "byteLength": 2}


def test_columns_are_utf16_and_do_not_count_the_bom(build: Build) -> None:
    path = build.file("a.rs", '\ufefflet é = "🔥"; x\r\n')
    build.add(Finding(build.place(path, "x"), "m"))
    region = run(build.result)["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (15, 16)


def test_paths_are_relative_to_the_root_and_survive_encoding(hostile: Result) -> None:
    hostile.cwd = "/repo/somewhere"
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run(hostile)["results"]]
    assert [unquote_to_bytes(uri) for uri in uris] == [
        name.encode("utf-8", "surrogateescape") for name in HOSTILE_NAMES
    ]
    assert all(":" not in uri and uri.isascii() for uri in uris)


def test_a_file_outside_the_root_is_a_file_uri(build: Build) -> None:
    build.result.root = "/repo/inner"
    build.add(Finding(build.place(build.file("a b.rs", "x"), "x"), "m"))
    artifact = run(build.result)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "file:///repo/a%20b.rs"}


def test_notes_are_notifications(sample: Result) -> None:
    written = run(sample)
    invocation = written["invocations"][0]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert (first["descriptor"], first["level"]) == ({"id": "BL001", "index": 0}, "note")
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert (second["descriptor"], second["level"]) == ({"id": "BL002", "index": 1}, "error")
    kinds = written["tool"]["driver"]["notifications"]
    assert [(each["id"], each["name"]) for each in kinds] == [
        ("BL001", "ParseError"),
        ("BL002", "RuleCrashed"),
    ]
    assert (
        "does not parse" in kinds[0]["shortDescription"]["text"] and "## Why" in kinds[0]["help"]["markdown"]
    )


def test_a_note_that_has_no_page(build: Build) -> None:
    build.result.notes += [
        Note("BL003", "odd-thing", None, None, "m"),
        Note("BL003", "file-skipped", None, None, "n"),
    ]
    assert schema_errors(log(build.result)) == []
    kinds = run(build.result)["tool"]["driver"]["notifications"]
    assert [(each["id"], each["name"]) for each in kinds] == [("BL003", "OddThing")]


def test_category_only_where_asked_for(clean: Result) -> None:
    assert "automationDetails" not in run(clean)
    assert run(clean, category="burn")["automationDetails"] == {"id": "burn/"}


def test_brackets_of_the_users_code_are_no_links(build: Build) -> None:
    place = build.place(build.file("a.rs", "x"), "x")
    reported = build.add(Finding(place, "`w[0](1)` and `v[1]`", because=(Because(place, "`a[0]` is here"),)))
    assert message(reported) == r"`w\[0](1)` and `v[1]`. See [`a\[0\]` is here](1)."


@pytest.mark.parametrize(
    ("name", "pascal"),
    [
        ("mask-where-torch-order", "MaskWhereTorchOrder"),
        ("clone-of-a-tensor", "CloneOfAtensor"),
        ("use-f64", "UseF64"),
    ],
)
def test_pascal_case(name: str, pascal: str) -> None:
    assert pascal_case(name) == pascal


def test_only_sarif_values_are_written() -> None:
    with pytest.raises(TypeError):
        to_json(om.Result({"text": {1, 2}}))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "fn main() {\n    let g = loss.backward();\n}\n",
            ["451b81ab71a1e81e:1", "8b7cc89a7c41e77b:1", "32dce9ccfdbc9d3e:1", "c129715d7a2bc9a3:1"],
        ),
        (
            'let é = "🔥";\nlet é = "🔥";\n',
            ["6af1e83b2514236f:1", "f72832ea70e18815:1", "c129715d7a2bc9a3:1"],
        ),
        (
            'let é = "🔥";\r\n\tlet é\t= "🔥";\r',
            ["6af1e83b2514236f:1", "f72832ea70e18815:1", "c129715d7a2bc9a3:1"],
        ),
        ("", ["c129715d7a2bc9a3:1"]),
        (
            "a\r\n \r \nb",
            ["5e40531c7cbeff04:1", "fe63cb8286b0b2c5:1", "cc4c43d77869440f:1", "8ee5a81e681643c1:1"],
        ),
    ],
)
def test_line_hash(content: str, expected: list[str]) -> None:
    """Values of the multitool's own implementation (`rewrite --insert RollingHashPartialFingerprints`)."""
    assert line_hashes(content.encode()) == expected
    assert line_hashes(content.encode(), 1) == expected[:1]


def test_line_hash_counts_equal_lines() -> None:
    assert line_hashes(b"x;\n" * 120)[3] == "5ce70cc0634d5465:4"
