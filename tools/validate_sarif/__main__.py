"""`python -m tools.validate_sarif FILE…`: exit 1 on any error or warning; without node the rules of GitHub
are skipped, loudly."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tools.validate_sarif import github_findings, multitool, schema_errors


def main(paths: list[str]) -> int:
    if not paths:
        print("usage: python -m tools.validate_sarif FILE…", file=sys.stderr)
        return 2
    binary = multitool(install=True)
    if binary is None:
        print(
            "SKIPPED: no node (npm) or no multitool for this platform: the rules of GitHub are NOT checked",
            file=sys.stderr,
        )
    failed = False
    for path in map(Path, paths):
        problems = schema_errors(json.loads(path.read_text(encoding="utf-8")))
        problems += github_findings(binary, path) if binary else []
        for problem in problems:
            print(f"{path}: {problem}")
        print(f"{path}: {len(problems)} problem(s)")
        failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
