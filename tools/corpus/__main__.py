"""`python -m tools.corpus ROOT [--write | --diff] [--select RULES] [--show]`: counts of findings per project
and rule.

`--write` stores them in counts.tsv (then `python -m tools.corpus.precision` has to count again), `--diff` compares
with it (exit 1 on a difference), `--show` prints every finding that `verdicts.tsv` has not judged, as a row to judge.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
COUNTS = HERE / "counts.tsv"
VERDICTS = HERE / "verdicts.tsv"

Key = tuple[str, str, str]
"""Project, rule, confidence."""


def projects() -> list[tuple[str, str]]:
    """Repository and commit of every project of the list."""
    with (HERE / "projects.tsv").open(encoding="utf-8") as handle:
        return [(row["repo"], row["commit"]) for row in csv.DictReader(handle, delimiter="\t")]


def lint(folder: Path, select: str | None) -> dict[str, Any]:
    """The JSON report of one project; stops with what burnlint printed if it could not do its work."""
    command = [sys.executable, "-m", "burnlint", "check", "--output", "json", "--exit-zero", "."]
    if select:
        command += ["--select", select]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode != 0 or not run.stdout:
        raise SystemExit(f"burnlint failed in {folder} (exit {run.returncode}):\n{run.stderr[-3000:]}")
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def judged() -> set[tuple[str, str, str]]:
    """(project, rule, place) of every judged finding; one that was judged false and comes back is to be looked at."""
    if not VERDICTS.exists():
        return set()
    with VERDICTS.open(encoding="utf-8") as handle:
        rows = csv.DictReader(handle, delimiter="\t")
        return {(r["project"], r["rule"], r["place"]) for r in rows if r["verdict"] != "false"}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--select")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--diff", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    counts: Counter[Key] = Counter()
    notes: Counter[str] = Counter()
    missing, seen = [], judged()
    for repo, commit in projects():
        folder = options.root / repo.replace("/", "+")
        if not folder.is_dir():
            missing.append(repo)
            continue
        report = lint(folder, options.select)
        notes.update(note["kind"] for note in report["notes"])
        for finding in report["findings"]:
            counts[repo, finding["name"], finding["confidence"]] += 1
            place = f"{finding['path']}:{finding['line']}"
            if options.show and (repo, finding["name"], place) not in seen:
                print(
                    repo,
                    commit[:10],
                    finding["name"],
                    place,
                    finding["confidence"],
                    finding["message"],
                    sep="\t",
                )
    lines = ["project\trule\tconfidence\tcount"]
    lines += ["\t".join((*key, str(count))) for key, count in sorted(counts.items())]
    text = "\n".join(lines) + "\n"
    print(f"{sum(counts.values())} findings; notes: {dict(notes)}; not on this machine: {missing or 'none'}")
    if options.write:
        COUNTS.write_text(text, encoding="utf-8")
    if options.diff:
        before = set(COUNTS.read_text(encoding="utf-8").splitlines()) if COUNTS.exists() else set()
        after = set(text.splitlines())
        for line in sorted(before - after):
            print("-", line)
        for line in sorted(after - before):
            print("+", line)
        return 1 if before != after else 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
