"""`python -m tools.corpus.precision [--check]`: how many of each rule's findings in people's code are true.

From counts.tsv (what is found today) and verdicts.tsv (what each finding was judged to be) it writes precision.tsv, a
row for each rule of the default group: its findings, those at confidence high, the true ones, and the bounds of the
share of true ones with 95 % confidence (Wilson's interval). `unproven` stands where nothing was found. The last row is
the sum. Two findings of a rule on one line have one verdict.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from math import sqrt
from pathlib import Path

from burnlint.lint.registry import OWN_TOPIC, load
from tools.corpus.__main__ import COUNTS, HERE, VERDICTS

PRECISION = HERE / "precision.tsv"
Z = 1.96
"""The quantile of the normal distribution for 95 %."""


def interval(true: int, all_: int) -> tuple[float, float]:
    """Wilson's interval of a share.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    share, square = true / all_, Z * Z
    middle, spread = (
        share + square / (2 * all_),
        Z * sqrt(share * (1 - share) / all_ + square / (4 * all_**2)),
    )
    return max(0.0, (middle - spread) / (1 + square / all_)), min(
        1.0, (middle + spread) / (1 + square / all_)
    )


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle, delimiter="\t"))


def table() -> str:
    """The text of precision.tsv. Raises SystemExit where a finding has no verdict."""
    found: Counter[tuple[str, str]] = Counter()
    high: Counter[str] = Counter()
    for row in rows(COUNTS):
        found[row["project"], row["rule"]] += int(row["count"])
        high[row["rule"]] += int(row["count"]) * (row["confidence"] == "high")
    verdicts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows(VERDICTS):
        verdicts[row["project"], row["rule"]][row["verdict"]] += 1
    findings: Counter[str] = Counter()
    unclear: Counter[str] = Counter()
    for (project, rule), number in found.items():
        judged = verdicts[project, rule]
        if not judged["true"] + judged["unclear"]:
            raise SystemExit(f"{project}: findings of {rule} without a verdict")
        findings[rule] += number
        # What was false is mended, and so may be what was unclear: it counts as far as the true ones leave room.
        unclear[rule] += min(judged["unclear"], max(0, number - judged["true"]))
    names = [r.rule.name for r in load().rules if r.rule.group == "default" and r.topic != OWN_TOPIC]
    lines = ["rule\tfindings\thigh\ttrue\tfrom\tto"]
    for name in [*names, *sorted(set(findings) - set(names))]:
        lines.append(_line(name, findings[name], high[name], findings[name] - unclear[name]))
    total = findings.total()
    lines.append(_line("all rules", total, high.total(), total - unclear.total()))
    return "\n".join(lines) + "\n"


def _line(name: str, findings: int, high: int, true: int) -> str:
    if not findings:
        return f"{name}\t0\t0\t0\tunproven\tunproven"
    bounds = "\t".join(f"{100 * bound:.0f} %" for bound in interval(true, findings))
    return f"{name}\t{findings}\t{high}\t{true}\t{bounds}"


def main() -> int:
    """The exit status: 1 if `--check` finds the file out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.corpus.precision")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args()
    text = table()
    if options.check:
        return int(PRECISION.read_text(encoding="utf-8") != text)
    PRECISION.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
