"""Finding and reading configurations.

A folder's configuration is its `burnlint.toml`, else `[package.metadata.burnlint]`, else
`[workspace.metadata.burnlint]` of its `Cargo.toml`; the closest one above a file holds, alone: nothing is
merged but what `extend` names. The search ends at the root of the repository. Each value knows where it comes
from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from burnlint.lint.keys import BY_NAME, KEYS, NO_KEYS
from burnlint.lint.selection import suggest

FILE = "burnlint.toml"
DEFAULTS = "defaults"
"""The source of a configuration that nobody wrote."""
_TABLES = (("package", "metadata", "burnlint"), ("workspace", "metadata", "burnlint"))


class ConfigError(Exception):
    """A configuration that cannot be used; the message has its path and, where known, its line."""


@dataclass(slots=True, frozen=True)
class Value:
    """A value and where it comes from: `default`, `command line`, or `path:line`. `entry` tells the
    place of an entry of a table."""

    value: Any
    source: str
    entry: Callable[[str], str] | None = None


@dataclass(frozen=True)
class Config:
    """A resolved configuration. Relative paths in it are relative to `folder`."""

    folder: str
    source: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        """The value of a key, which must exist."""
        return self.all[name].value

    def is_set(self, name: str) -> bool:
        """Whether a configuration or the command line says something."""
        return name in self.values

    @cached_property
    def all(self) -> dict[str, Value]:
        """Every key, in the order of the table."""
        return {key.name: self.values.get(key.name) or Value(key.default, "default") for key in KEYS}

    def with_command_line(self, given: Mapping[str, Any]) -> Config:
        """With the values that the command line gives."""
        said = {name: Value(value, "command line") for name, value in given.items()}
        return Config(self.folder, self.source, {**self.values, **said})


class Configs:
    """The configurations of one run, each read once: the same object for every file that it holds for."""

    def __init__(self, explicit: Path | None = None) -> None:
        """`explicit` is the file of `--config`, which then holds for everything. Raises ConfigError."""
        self._by_folder: dict[str, Config] = {}
        self._defaults: dict[str, Config] = {}
        self._explicit = read(explicit) if explicit is not None else None

    def of(self, path: str, *, is_folder: bool = False) -> Config:
        """The configuration that holds for a file or folder (absolute, `/`). Raises ConfigError."""
        if self._explicit is not None:
            return self._explicit
        folder = path if is_folder else path.rpartition("/")[0] or "/"
        if folder not in self._by_folder:
            self._search(folder)
        return self._by_folder[folder]

    def _search(self, folder: str) -> None:
        passed: list[str] = []
        found: Config | None = None
        here = folder
        while found is None and here not in self._by_folder:
            passed.append(here)
            found = in_folder(Path(here))
            parent = here.rpartition("/")[0] or "/"
            if parent == here or Path(here, ".git").exists():
                break
            here = parent
        found = found or self._by_folder.get(here) or self._default(folder)
        self._by_folder.update(dict.fromkeys(passed, found))

    def _default(self, folder: str) -> Config:
        root = root_of(folder)
        return self._defaults.setdefault(root, Config(root, DEFAULTS))


def root_of(folder: str) -> str:
    """The root of the repository that a folder lies in; without one the outermost folder above it with a
    manifest; else the folder itself."""
    above = [Path(folder), *Path(folder).parents]
    repository = next((each for each in above if (each / ".git").exists()), None)
    manifests = [each for each in above if (each / "Cargo.toml").exists()]
    return (repository or (manifests[-1] if manifests else Path(folder))).as_posix()


def in_folder(folder: Path) -> Config | None:
    """The configuration that a folder itself holds. Raises ConfigError."""
    file = folder / FILE
    if file.is_file():
        return read(file)
    manifest = folder / "Cargo.toml"
    return _in_manifest(manifest, ()) if manifest.is_file() else None


def _in_manifest(manifest: Path, above: tuple[Path, ...]) -> Config | None:
    content = _bytes(manifest)
    if b"burnlint" not in content:
        return None
    data = _toml(manifest, content)
    for table in _TABLES:
        found: Any = data
        for part in table:
            found = found.get(part) if isinstance(found, dict) else None
        if found is not None:
            return _resolve(manifest, content, found, ".".join(table), above)
    return None


def read(path: Path) -> Config:
    """Read a `burnlint.toml`, or a manifest with a table for burnlint. Raises ConfigError."""
    return _read(path, ())


def _read(path: Path, above: tuple[Path, ...]) -> Config:
    if path.name == "Cargo.toml":
        found = _in_manifest(path, above)
        if found is None:
            raise ConfigError(
                f"{path}: has neither [package.metadata.burnlint] nor [workspace.metadata.burnlint]"
            )
        return found
    content = _bytes(path)
    return _resolve(path, content, _toml(path, content), "", above)


def _resolve(path: Path, content: bytes, table: object, title: str, above: tuple[Path, ...]) -> Config:
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: [{title}] must be a table")
    where = _Places(path, content, title)
    values: dict[str, Value] = {}
    for base in _extended(path, table, where, (*above, path)):
        values.update(base.values)
    for name, value in table.items():
        if name == "extend":
            continue
        key = BY_NAME.get(name)
        if key is None:
            raise ConfigError(f"{where.of(name)}: unknown key `{name}`; {_meant(name, value)}")
        why = key.refuse(value)
        if why:
            entries = value.items() if isinstance(value, dict) else ()
            wrong = next((word for word, each in entries if key.refuse({word: each})), None)
            at = where.of(name) if wrong is None else where.of_entry(name, wrong)
            raise ConfigError(f"{at}: `{name}` {why}")
        values[name] = Value(value, where.of(name), partial(where.of_entry, name))
    return Config(path.parent.as_posix(), str(path), values)


def _meant(name: str, value: object) -> str:
    """The way out for a key that is none."""
    meant = suggest(name, [*BY_NAME, "extend"])
    if meant:
        return f"did you mean `{meant}`?"
    if name in NO_KEYS:
        return f"only the command line says --{name}"
    if isinstance(value, dict):
        return "the keys stand outside of tables (`burnlint config` lists them)"
    return "`burnlint config` lists the keys"


def _extended(path: Path, table: dict[str, Any], where: _Places, above: tuple[Path, ...]) -> Iterator[Config]:
    extend = table.get("extend", [])
    names = [extend] if isinstance(extend, str) else extend
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise ConfigError(f"{where.of('extend')}: `extend` must be a path or a list of paths")
    for name in names:
        base = (path.parent / name).resolve()
        if base in above:
            raise ConfigError(f"{where.of('extend')}: `{name}` extends itself in the end")
        try:
            yield _read(base, above)
        except ConfigError as error:
            raise ConfigError(f"{where.of('extend')}: in `{name}`: {error}") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error


def _toml(path: Path, content: bytes) -> dict[str, Any]:
    """Parse TOML: with the standard library, and what that rejects (TOML 1.1, which Cargo takes) with
    tomlkit."""
    import tomllib

    try:
        # Of a manifest that Cargo refuses the project itself tells, with the byte.
        text = content.decode("utf-8-sig", "replace" if path.name == "Cargo.toml" else "strict")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8") from error
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path}: is nested too deeply") from error
    except tomllib.TOMLDecodeError:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            return tomlkit.parse(text).unwrap()
        except TOMLKitError as error:
            line = getattr(error, "line", None)
            raise ConfigError(f"{path}{f':{line}' if line else ''}: is no valid TOML ({error})") from error
    except ValueError as error:
        # Python reads no integer of more than some thousand digits.
        raise ConfigError(f"{path}: holds a number that is too long") from error


@dataclass(frozen=True)
class _Places:
    """Where the keys of one table stand."""

    path: Path
    content: bytes
    title: str

    @cached_property
    def _lines(self) -> list[str]:
        return [line.strip() for line in self.content.decode("utf-8", "replace").split("\n")]

    def of(self, key: str) -> str:
        """`path:line` of a key; `path` alone where it cannot be told."""
        at = self._line(key)
        return str(self.path) if at is None else f"{self.path}:{at + 1}"

    def of_entry(self, key: str, word: str) -> str:
        """The same of an entry of the table `key`; of the table where the entry cannot be told."""
        at = self._line(key)
        spelled = rf"(?:\"{re.escape(word)}\"|'{re.escape(word)}'|{re.escape(word)})\s*[.=]"
        dotted = re.compile(rf"[\"']?{re.escape(key)}[\"']?\s*\.\s*{spelled}")
        own = re.compile(spelled)
        for number in range(at if at is not None else len(self._lines), len(self._lines)):
            line = self._lines[number]
            if dotted.match(line) or (number != at and own.match(line)):
                return f"{self.path}:{number + 1}"
            if number != at and line.startswith("["):
                break
        return self.of(key)

    def _line(self, key: str) -> int | None:
        lines = self._lines
        title = re.escape(self.title)
        tables = [at for at, line in enumerate(lines) if re.match(rf"\[\s*{title}\s*[.\]]", line)]
        prefix = rf"(?:{title}\.)?" if self.title else ""
        wanted = re.compile(rf"[\"']?{re.escape(key)}[\"']?\s*[.=]|\[\s*{prefix}{re.escape(key)}\s*\]")
        start = tables[0] if self.title and tables else 0
        return next((at for at in range(start, len(lines)) if wanted.match(lines[at])), None)
