"""Generated files: complete, current, and told when they are not."""

from __future__ import annotations

import re
from pathlib import Path

from burnlint.lint import registry, why_data
from tools.generate.__main__ import ROOT, generated, proofs_table, rules_table, stale


def test_what_is_generated_is_current() -> None:
    assert stale(ROOT, generated(registry.load().rules, ROOT)) == []


def test_missing_changed_and_left_over_files_are_told(tmp_path: Path) -> None:
    rules = registry.load().rules
    (tmp_path / "README.md").write_text("before\n<!-- pitfalls -->\nold\n<!-- /pitfalls -->\nafter\n")
    wanted = generated(rules, tmp_path)
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert stale(tmp_path, generated(rules, tmp_path)) == []
    readme = (tmp_path / "README.md").read_text()
    assert readme.startswith("before\n<!-- pitfalls -->\n| | pitfall |")
    assert readme.endswith("|\n<!-- /pitfalls -->\nafter\n")
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


def test_every_pitfall_has_a_rule_and_every_proof_stands_in_the_table() -> None:
    rules = registry.load().rules
    rows = proofs_table(why_data.load(), rules).splitlines()[2:]
    assert len(rows) == 52
    assert [row.split("|")[1].strip() for row in rows if "](docs/rules/" not in row] == []
    linked = set(re.findall(r"\[(BL\d{3})\]\(fixtures/", "\n".join(rows)))
    proven = {
        each.rule.code
        for each in rules
        if each.rule.pitfalls and any((ROOT / "fixtures" / each.topic / each.rule.name).glob("proof*.rs"))
    }
    assert proven <= linked
