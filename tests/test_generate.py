"""Generated files: complete, current, and told when they are not."""

from __future__ import annotations

from pathlib import Path

from burnlint.lint import registry
from tools.generate.__main__ import ROOT, generated, rules_table, stale


def test_what_is_generated_is_current() -> None:
    assert stale(ROOT, generated(registry.load().rules, ROOT)) == []


def test_missing_changed_and_left_over_files_are_told(tmp_path: Path) -> None:
    rules = registry.load().rules
    (tmp_path / "README.md").write_text("before\n<!-- rules -->\nold\n<!-- /rules -->\nafter\n")
    wanted = generated(rules, tmp_path)
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert stale(tmp_path, generated(rules, tmp_path)) == []
    readme = (tmp_path / "README.md").read_text()
    assert readme.startswith("before\n<!-- rules -->\n| rule |")
    assert readme.endswith("|\n<!-- /rules -->\nafter\n")
    (tmp_path / "docs/rules/unused-ignore.md").write_text("x")
    (tmp_path / "docs/rules/unknown-ignore.md").unlink()
    (tmp_path / "docs/rules/gone-rule.md").write_text("x")
    assert stale(tmp_path, generated(rules, tmp_path)) == [
        "docs/rules/unknown-ignore.md is missing",
        "docs/rules/unused-ignore.md is stale",
        "docs/rules/gone-rule.md belongs to no rule",
    ]


def test_every_rule_has_a_row_and_a_page() -> None:
    rules = registry.load().rules
    table = rules_table(rules)
    assert all(f"[{each.rule.name}]({each.rule.name}.md) `{each.rule.code}`" in table for each in rules)
    assert table.count("\n") == len(rules) + 2
