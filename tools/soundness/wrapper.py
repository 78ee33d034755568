"""What Cargo runs in place of rustc for the packages of the workspace (`RUSTC_WORKSPACE_WRAPPER`).

It runs rustc as asked. Where `SOUNDNESS_THIR` names a folder, it then lets rustc print the THIR of the same
target and writes its rows (`tools.soundness.thir`) there, one file a target.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.soundness.thir import INCOMPLETE, compact

OUT = "SOUNDNESS_THIR"


def main(command: Sequence[str]) -> int:
    """Rustc's exit status."""
    status = subprocess.run(command, check=False).returncode
    out = os.environ.get(OUT)
    if status or not out or "--crate-name" not in command or "-" in command:
        return status
    # `-Z` flags need a nightly, or a stable rustc that is told to act as one; the check is the same.
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    printed = [*command, "-Zunpretty=thir-tree", "-Awarnings"]
    with (Path(out) / f"{os.getpid()}.rows").open("w", encoding="utf-8") as rows:
        rows.write(f"{Path.cwd()}\n")
        run = subprocess.Popen(
            printed, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert run.stdout is not None
        rows.writelines(f"{row}\n" for row in compact(run.stdout))
        if run.wait():
            rows.write(INCOMPLETE)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
