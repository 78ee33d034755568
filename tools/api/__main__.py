"""Command line of the extraction: `python -m tools.api --help`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from burnlint.burn.api import order
from burnlint.burn.api_data import DATA
from tools.api.crates import FetchError, resolve
from tools.api.merge import merge
from tools.api.table import dump
from tools.api.version import Reading, read_version

TABLES = Path(__file__).parent / "tables"


def _table_path(version: str) -> Path:
    return TABLES / f"{version}.json"


def _load(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def _write(path: Path, text: str) -> None:
    """Replace a file whole, so that a reader or an interruption never sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


@click.group()
def main() -> None:
    """Extract burn's public API from the sources of its released crates."""


@main.command()
@click.argument("versions", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if a committed table differs.")
@click.option(
    "--resolve", "fresh", is_flag=True, help="Ask cargo for the crates again, also if the table names them."
)
@click.option("--stats", is_flag=True, help="Print counts, and what could not be taken.")
def extract(versions: tuple[str, ...], check: bool, fresh: bool, stats: bool) -> None:
    """Make the tables of VERSIONS of burn (all numbers, as in 0.22.1) from their crates.

    The crates are those that the committed table names, so that a run repeats itself byte for byte; for a new
    version, those that cargo resolves.
    """
    differ = []
    for version in versions:
        path = _table_path(version)
        try:
            crates = _load(path)["crates"] if path.is_file() and not fresh else resolve(version)
            reading = read_version(version, crates)
        except FetchError as error:
            raise click.ClickException(str(error)) from error
        text = dump(reading.table)
        if stats:
            _print_stats(reading)
        if check and (not path.is_file() or path.read_text("utf-8") != text):
            differ.append(version)
            click.echo(
                f"{version}: {path} is not what the crates give; run `python -m tools.api extract {version}`"
            )
        elif not check:
            _write(path, text)
    if differ:
        sys.exit(1)


@main.command("merge")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the committed file differs.")
def merge_tables(check: bool) -> None:
    """Merge all tables into the file that burnlint ships."""
    paths = sorted(TABLES.glob("*.json"), key=lambda path: order(path.stem))
    text = merge([_load(path) for path in paths])
    if not check:
        _write(DATA, text)
    elif not DATA.is_file() or DATA.read_text("utf-8") != text:
        click.echo(f"{DATA} is not what the tables give; run `python -m tools.api merge`")
        sys.exit(1)


def _print_stats(reading: Reading) -> None:
    table = reading.table
    counts = {
        "lines": reading.lines,
        "types": len(table["types"]),
        "methods of types": sum(len(i.get("methods", {})) for i in table["types"].values()),
        "methods of Tensor": len(table["types"]["Tensor"]["methods"]),
        "traits": len(table["traits"]),
        "methods of traits": sum(len(i.get("methods", {})) for i in table["traits"].values()),
        "aliases": len(table["aliases"]),
        "functions": len(table["functions"]),
        "impls": sum(map(len, table["impls"].values())),
        "exported names": sum(map(len, table["modules"].values())),
    }
    click.echo(f"{table['version']}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    for why, count in table["gaps"].items():
        click.echo(f"  gap: {why}: {count}")
    for signature in reading.open:
        click.echo(f"  not reduced: {signature}")
    for call in reading.unexpanded:
        click.echo(f"  macro call not expanded: {call}")


if __name__ == "__main__":
    main()
