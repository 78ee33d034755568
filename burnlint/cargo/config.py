"""Cargo's own configuration as far as it stands in the project: `.cargo/config.toml` from a folder
upwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnlint.cargo.files import Files, join, parent
from burnlint.cargo.manifest import At, Manifest

_NAMES = (".cargo/config.toml", ".cargo/config")


def config_files(files: Files, directory: str) -> list[Manifest]:
    """The configuration files that Cargo reads for `directory`, nearest first; those above the repository
    are not looked at."""
    found = []
    while True:
        text = next((t for name in _NAMES if (t := files.text(join(directory, name))) is not None), None)
        if text is not None and (config := Manifest(text)).problem is None:
            found.append(config)
        if files.is_dir(join(directory, ".git")) or parent(directory) == directory:
            return found
        directory = parent(directory)


def offline_settings(configs: list[Manifest]) -> Iterator[At]:
    """Where the configuration says that a build has no network: `net.offline`, or registries replaced by a
    folder."""
    for config in configs:
        if config.get(("net", "offline")) is True:
            yield config.at("net", "offline")
        sources = config.data.get("source")
        for name, source in sources.items() if isinstance(sources, Mapping) else ():
            if isinstance(source, Mapping) and "directory" in source:
                yield config.at("source", name, "directory")
