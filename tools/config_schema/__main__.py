"""`python -m tools.config_schema [--check]`: writes `burnlint/burn/data/config_schema.json`, or says whether it
is up to date."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from burnlint.burn.releases import releases
from burnlint.cargo.semver import Version
from tools.api.crates import FetchError, folders
from tools.config_schema.serde import Definitions

DATA = Path(__file__).parents[2] / "burnlint/burn/data/config_schema.json"
ROOTS = {
    "cubecl": ("cubecl-runtime", ("CubeClRuntimeConfig", "GlobalConfig")),
    "burn": ("burn-std", ("BurnConfig",)),
}
"""Who reads a file of which name, and the names that its type has had."""
BESIDE = ("cubecl-environment", "cubecl-common")
"""Crates of cubecl that hold parts of the configs."""


def beside(crate: str, version: Version) -> dict[str, str]:
    """The crates of cubecl that a release is built with."""
    found = {}
    release = releases().get(crate, version)
    for dependency in release.dependencies if release is not None else ():
        if dependency.name in BESIDE:
            newest = releases().newest(dependency.name, dependency.requirement)
            if newest is not None:
                found[dependency.name] = str(newest)
    return found


def read(kind: str) -> dict[str, Any]:
    """The schemas of a kind of file and the releases that have them. Raises FetchError."""
    crate, names = ROOTS[kind]
    schemas: list[Any] = []
    versions: dict[str, int] = {}
    for version in releases().versions(crate):
        sources = [
            folder / "src" for folder in folders({crate: str(version), **beside(crate, version)}).values()
        ]
        definitions = Definitions(sources)
        root = next((name for name in names if definitions.has(name)), None)
        if root is None:
            continue
        schema = definitions.schema(root)
        for rust in sorted(definitions.unknown):
            click.echo(
                f"{crate} {version}: `{rust}` may hold anything: it is no type that serde derives", err=True
            )
        if schema not in schemas:
            schemas.append(schema)
        versions[str(version)] = schemas.index(schema)
    return {"versions": versions, "schemas": schemas}


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the committed file differs.")
def main(check: bool) -> None:
    """Extract what cubecl.toml and burn.toml may hold from the released sources that read them."""
    try:
        content = json.dumps({kind: read(kind) for kind in ROOTS}, indent=1) + "\n"
    except FetchError as error:
        raise click.ClickException(str(error)) from error
    if not check:
        DATA.write_text(content, encoding="utf-8")
    elif not DATA.is_file() or DATA.read_text(encoding="utf-8") != content:
        click.echo(f"{DATA} is not what the sources give; run `python -m tools.config_schema`")
        sys.exit(1)


if __name__ == "__main__":
    main()
