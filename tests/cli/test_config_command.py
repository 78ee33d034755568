"""Configurations: which holds, where values come from, what is wrong with them; `burnlint config`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from burnlint.lint.keys import KEYS, NO_KEYS, schema

Files = Callable[[Mapping[str, str]], None]


def found(run: Any) -> list[tuple[str, str]]:
    return [(each["path"], each["name"]) for each in json.loads(run.out)["findings"]]


def test_the_closest_configuration_holds_alone(burnlint: Any, files: Files) -> None:
    files(
        {
            "burnlint.toml": 'ignore = ["first-rule"]',
            "a.rs": "foo; bar;",
            "near/burnlint.toml": 'ignore = ["second-rule"]',
            "near/b.rs": "foo; bar;",
            "member/Cargo.toml": '[package]\nname = "x"\n[package.metadata.burnlint]\nselect = ["BL801"]\n',
            "member/src/c.rs": "foo; bar; baz;",
            "space/Cargo.toml": "[workspace]\n[workspace.metadata.burnlint]\nselect = []\n",
            "space/in/Cargo.toml": "[package]\n",
            "space/in/d.rs": "foo; bar; baz;",
        }
    )
    run = burnlint("--output", "json")
    assert found(run) == [
        ("a.rs", "second-rule"),
        ("member/src/c.rs", "third-rule"),
        ("near/b.rs", "first-rule"),
    ]


def test_what_is_extended_comes_first(burnlint: Any, files: Files) -> None:
    files(
        {
            "base.toml": 'ignore = ["first-rule"]\nfail-on = "error"\n',
            "burnlint.toml": 'extend = "base.toml"\nignore = []\n',
            "a.rs": "foo;",
        }
    )
    run = burnlint("--output", "json")
    assert (run.code, found(run)) == (0, [("a.rs", "first-rule")])


def test_the_command_line_goes_over_the_configuration(burnlint: Any, files: Files) -> None:
    files({"burnlint.toml": 'ignore = ["first-rule"]\nfail-on = "never"\n', "a.rs": "foo;"})
    assert found(burnlint("--output", "json")) == []
    run = burnlint("--output", "json", "--select", "first-rule", "--fail-on", "warning")
    assert (run.code, found(run)) == (1, [("a.rs", "first-rule")])


def test_per_file_ignores_severities_and_confidences(burnlint: Any, files: Files) -> None:
    files(
        {
            "burnlint.toml": (
                '[per-file-ignores]\n"examples/" = ["BL1"]\n"*_test.rs" = ["first-rule"]\n'
                '[severity]\nBL1 = "note"\nsecond-rule = "error"\n[confidence]\nnoted-rule = "low"\n'
            ),
            "examples/a.rs": "foo; bar; hint;",
            "b_test.rs": "foo; bar; hint;",
            "c.rs": "foo; bar; hint;",
        }
    )
    run = burnlint("--output", "json")
    shown = [(each["path"], each["name"], each["severity"]) for each in json.loads(run.out)["findings"]]
    assert shown == [
        ("b_test.rs", "second-rule", "error"),
        ("c.rs", "first-rule", "note"),
        ("c.rs", "second-rule", "error"),
    ]


def test_excludes_of_the_configuration_are_relative_to_it(
    burnlint: Any, files: Files, project: Path, monkeypatch: Any
) -> None:
    files({"burnlint.toml": 'exclude = ["/sub/old"]', "sub/old/a.rs": "foo;", "sub/new/b.rs": "foo;"})
    monkeypatch.chdir(project / "sub")
    assert found(burnlint("--output", "json")) == [("new/b.rs", "first-rule")]


def test_a_manifest_in_toml_1_1_is_read(burnlint: Any, files: Files) -> None:
    files({"Cargo.toml": '[package.metadata]\nburnlint = {\n  ignore = ["first-rule"],\n}\n', "a.rs": "foo;"})
    assert found(burnlint("--output", "json")) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('ignroe = ["x"]', "burnlint.toml:1: unknown key `ignroe`; did you mean `ignore`?"),
        ("\n\nfail_on = 'error'", "burnlint.toml:3: unknown key `fail_on`; did you mean `fail-on`?"),
        ("qqq = 1", "unknown key `qqq`; `burnlint config` lists the keys"),
        ('ignore = "first-rule"', 'burnlint.toml:1: `ignore` must be a list of texts, as `["first-rule"]`'),
        ("ignore = 1", "burnlint.toml:1: `ignore` must be a list of texts\n"),
        (
            "[burnlint]\nignore = []",
            "burnlint.toml:1: unknown key `burnlint`; the keys stand outside of tables",
        ),
        ("[lint]\nignore = []", "burnlint.toml:1: unknown key `lint`; the keys stand outside of tables"),
        ("min_confidence = 1", "unknown key `min_confidence`; did you mean `min-confidence`?"),
        ('rules-path = "lint"', "unknown key `rules-path`; only the command line says --rules-path"),
        ("exit-zero = true", "unknown key `exit-zero`; only the command line says --exit-zero"),
        ('fail-on = "fatal"', "`fail-on` must be one of note, warning, error, never, not `fatal`"),
        ('burn-version = "^0.22"', "`burn-version` cannot be `^0.22`: write a version as 0.22.1"),
        ("require-reason = 1", "`require-reason` must be true or false"),
        (
            '[severity]\nfirst-rule = "bad"',
            'burnlint.toml:2: `severity` "first-rule" must be one of note, warning, error',
        ),
        (
            'severity.second-rule = "note"\nseverity.first-rule = "bad"',
            'burnlint.toml:2: `severity` "first-rule" must be one of note, warning, error',
        ),
        ('severity = { first-rule = "bad" }', "burnlint.toml:1: `severity` "),
        ("severity = 1", "`severity` must be a table"),
        (
            '\nignore = ["first-ruel"]',
            "burnlint.toml:2: in `ignore`: `first-ruel` selects no rule; did you mean `first-rule`?",
        ),
        (
            '[per-file-ignores]\n"x" = ["nothing"]',
            "burnlint.toml:2: in `per-file-ignores`: `nothing` selects no rule",
        ),
        (
            '[per-file-ignores]\n"a/" = ["all"]\n"b/" = "all"',
            'burnlint.toml:3: `per-file-ignores` "b/" must be a list',
        ),
        (
            '[severity]\n"first-rule" = "note"\nnothing = "note"',
            "burnlint.toml:3: in `severity`: `nothing` selects",
        ),
        ("ignore = [", "is no valid TOML"),
        ('extend = "nowhere.toml"', "burnlint.toml:1: in `nowhere.toml`"),
        ('extend = "burnlint.toml"', "extends itself"),
        ("extend = 1", "`extend` must be a path"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_a_way_out(
    content: str, words: str, burnlint: Any, files: Files
) -> None:
    files({"burnlint.toml": content, "a.rs": "foo;"})
    run = burnlint()
    assert (run.code, run.out) == (2, "")
    assert words in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_configuration_in_another_encoding(encoding: str, burnlint: Any, project: Path) -> None:
    (project / "burnlint.toml").write_bytes('# é\nignore = ["first-rule"]\n'.encode(encoding))
    (project / "a.rs").write_text("foo;")
    run = burnlint()
    assert (run.code, "burnlint.toml: is not UTF-8" in run.err) == (2, True)


def test_a_manifest_beside_may_be_extended(burnlint: Any, files: Files) -> None:
    """The manifest is meant, not the configuration of its folder, which is the one that extends it."""
    files({"burnlint.toml": 'extend = "Cargo.toml"', "a.rs": "foo;"})
    files({"Cargo.toml": '[workspace.metadata.burnlint]\nignore = ["first-rule"]\n'})
    assert burnlint().code == 0
    files({"Cargo.toml": '[workspace.metadata.burnlint]\nextend = "burnlint.toml"\n'})
    run = burnlint()
    assert (run.code, "extends itself" in run.err) == (2, True)


def test_a_wrong_table_in_a_manifest_is_told_with_its_line(burnlint: Any, files: Files) -> None:
    files({"Cargo.toml": '[package]\nignroe = 1\n[package.metadata.burnlint]\nignroe = ["x"]\n'})
    assert "Cargo.toml:4: unknown key `ignroe`" in burnlint().err


def test_config_says_where_each_value_comes_from(burnlint: Any, files: Files) -> None:
    files(
        {
            "base.toml": 'fail-on = "error"',
            "burnlint.toml": '# mine\nextend = "base.toml"\nignore = ["BL101"]\n',
        }
    )
    run = burnlint("config")
    lines = {line.split(" = ")[0].strip(): line.split(" = ", 1)[1] for line in run.out.splitlines()}
    assert set(lines) == {key.name for key in KEYS}
    assert run.err.startswith("burnlint: configuration: ") and run.err.endswith("/burnlint.toml\n")
    assert lines["ignore"].startswith('["BL101"]') and lines["ignore"].endswith("burnlint.toml:3")
    assert lines["fail-on"].startswith('"error"') and lines["fail-on"].endswith("base.toml:1")
    assert lines["select"].endswith("# default")
    values = json.loads(burnlint("config", "--output", "json").out)["values"]
    assert values["ignore"]["value"] == ["BL101"]


def test_config_init_writes_every_default_and_it_changes_nothing(
    burnlint: Any, files: Files, project: Path
) -> None:
    files({"a.rs": "foo;"})
    before = burnlint("config", "--output", "json")
    assert burnlint("config", "init").code == 0
    text = (project / "burnlint.toml").read_text()
    assert all(f"# {key.name} = " in text or f"# [{key.name}]" in text for key in KEYS)
    after = burnlint("config", "--output", "json")
    assert json.loads(after.out)["values"] == json.loads(before.out)["values"]
    # The commented keys are valid once they are not comments any more.
    lines = [
        line.removeprefix("# ") if " = " in line or line.startswith("# [") else line
        for line in text.splitlines()
    ]
    (project / "burnlint.toml").write_text("\n".join(lines).replace("rule-name", "first-rule"))
    assert burnlint("config").code == 0
    assert burnlint("config", "init").code == 2


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        (
            {
                "ignore": ["x"],
                "fail-on": "never",
                "severity": {"a": "note"},
                "per-file-ignores": {"x": ["y"]},
            },
            True,
        ),
        ({"extend": "x"}, True),
        ({"extend": ["x"]}, True),
        ({}, True),
        ({"burn-version": "0.22"}, True),
        ({"burn-version": "0.22.1"}, True),
        ({"burn-version": "x"}, False),
        ({"ignroe": []}, False),
        ({"ignore": "x"}, False),
        ({"fail-on": "fatal"}, False),
        ({"severity": {"a": "bad"}}, False),
        ({"require-reason": "yes"}, False),
    ],
)
def test_the_schema_agrees_with_the_reader(document: Any, valid: bool, burnlint: Any, project: Path) -> None:
    from tomlkit import dumps

    assert jsonschema_rs.is_valid(schema(), document) is valid
    if "extend" not in document:
        (project / "burnlint.toml").write_text(dumps(document))
        run = burnlint("config")
        assert (run.code == 0) is valid


def test_the_schema_is_a_schema_and_every_default_is_valid(burnlint: Any) -> None:
    jsonschema_rs.meta.validate(schema())
    assert jsonschema_rs.is_valid(schema(), {key.name: key.default for key in KEYS})
    assert json.loads(burnlint("config", "schema").out) == schema()


def test_what_only_the_command_line_says_is_known() -> None:
    """Every option of `burnlint check` is a key of the configuration, or known to be none."""
    from burnlint.cli.check import command

    options = {
        name.removeprefix("--") for param in command.params for name in param.opts if name.startswith("--")
    }
    assert options - {key.name for key in KEYS} == NO_KEYS
