"""Files beside Rust and manifests: configurations of cubecl and burn, what sets environment variables, WGSL."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from burnlint.burn import config_schema, wgsl
from burnlint.burn.config_schema import Fault, Key, Reader
from burnlint.burn.releases import releases
from burnlint.cargo import context, environment
from burnlint.cargo import files as paths
from burnlint.cargo.manifest import At, Manifest
from burnlint.cargo.model import Package
from burnlint.cargo.semver import Version
from burnlint.lint.finding import Place
from burnlint.lint.protocol import FileKind, ParseProblem, Span
from burnlint.lint.sidefiles import side_format
from burnlint.text import Text

if TYPE_CHECKING:
    from burnlint.burn.project import Project
    from burnlint.lint.rule import LoadedRule

_HASH = re.compile(rb"(?:^|(?<=[ \t]))#[^\r\n]*", re.MULTILINE)
_SLASHES = re.compile(rb"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_LINE = re.compile(rb"[^\n]*\n?")
_BURN_TOML = Version.parse("0.21.0-pre.1")
"""From here on burn.toml is read (burn-std 0.21.0, cubecl-runtime 0.10.0; not by cubecl-runtime 0.9.0)."""
_SKIPS = Version.parse("0.11.0-pre.2")
"""From here on cubecl leaves a configuration with a fault out; before, it panics (`RuntimeConfig::from_file_path` in
cubecl-environment 0.11.3, cubecl-common 0.10.0)."""


class SideFile:
    """A side file as the engine sees it."""

    kind: FileKind = "side"
    skipped: str | None = None
    problems: Sequence[ParseProblem] = ()

    def __init__(self, project: Project, path: str) -> None:
        self.project = project
        self.path = path

    @property
    def text(self) -> Text:
        text = self.project.text(self.path)
        assert text is not None, "only made for files that can be read"
        return text

    @cached_property
    def versions(self) -> tuple[str, ...]:
        """The versions of burn of all packages that the file is there for."""
        return self._of_packages(self.project.versions)

    @cached_property
    def versions_below(self) -> tuple[str, ...]:
        """The same, with those that go with the cubecl of packages that name no burn."""
        return self._of_packages(self.project.versions_below)

    @cached_property
    def may_be_later(self) -> bool:
        return any(
            self.project.may_be_later(each.manifest.path) for each in packages_of(self.project, self.path)
        )

    def _of_packages(self, versions: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
        if self.project.options.burn_version is not None:
            return versions(self.path)
        found = {
            v for package in packages_of(self.project, self.path) for v in versions(package.manifest.path)
        }
        return tuple(map(str, sorted(map(Version.parse, found))))

    def mentions(self, words: Collection[str]) -> bool:
        return any(word.encode() in self.text.content for word in words)

    @property
    def comments(self) -> Sequence[Span]:
        form = side_format(self.path)
        if form == "toml":
            return context.comment_spans(self.text)
        pattern = _SLASHES if form == "wgsl" else _HASH
        return [match.span() for match in pattern.finditer(self.text.content)]

    def covered_after(self, offset: int) -> Span | None:
        """The entry of a TOML file, or the line, that starts next."""
        if side_format(self.path) == "toml":
            return context.entry_after(self.text, offset)
        content = self.text.content
        start = content.find(b"\n", offset) + 1
        while 0 < start < len(content):
            match = _LINE.match(content, start)
            assert match is not None
            line = match.group().strip()
            if line and not line.startswith((b"#", b"//")):
                return start + len(match.group()) - len(match.group().lstrip()), start + len(
                    match.group().rstrip()
                )
            start = match.end()
        return None

    def item_path(self, offset: int) -> str:
        return context.table_at(self.text, offset) if side_format(self.path) == "toml" else ""

    def view(self, rule: LoadedRule) -> object:
        return SideView(self)


def packages_of(project: Project, path: str) -> list[Package]:
    """The packages that a side file is there for: the one whose folder it stands in, or all of the workspace in
    whose root it stands; above all of them those of the project."""
    folder = paths.parent(path)
    while True:
        package = project.cargo.packages.get(folder)
        workspace = project.virtual(paths.join(folder, "Cargo.toml"))
        if package is not None:
            return list(package.workspace.members) if package.workspace.root == folder else [package]
        if workspace is not None:
            return list(workspace.members)
        if paths.parent(folder) == folder or folder == project.root:
            below = (w for w in project.cargo.workspaces if paths.inside(w.root, folder))
            return [package for workspace in below for package in workspace.members]
        folder = paths.parent(folder)


def _versions(project: Project, package: Package) -> tuple[str, ...]:
    return project.versions(package.manifest.path)


class Setting(NamedTuple):
    """An environment variable that a file sets (`burnlint.cargo.environment.Setting`), with places in the file."""

    name: str
    value: str
    place: Place
    """The value, quotes included."""
    entry: Place
    line: Place | None
    """The lines that set it alone, to take them out; None where they set more."""


class ConfigFault(NamedTuple):
    """A place in a configuration that no version of its reader in question reads as it is written."""

    fault: Fault
    at: At
    place: Place
    reader: Reader
    versions: tuple[Version, ...]
    """The versions of cubecl that are meant, or of burn where its own configuration is."""
    read_by: Version | None
    """The newest older version that reads it as it is written."""
    read_from: Version | None
    """The oldest newer version that reads it."""
    certain: bool
    """Whether there is no doubt: it is one too in the versions beside each pre-release among those in question."""

    @property
    def key(self) -> str:
        """Its path as TOML writes it."""
        return ".".join(self.fault.path)

    @property
    def written(self) -> str:
        """The value as written."""
        return self.at.manifest.text.decode(*self.at.value)


class SideView:
    """What a rule sees of a side file."""

    def __init__(self, file: SideFile) -> None:
        self.file = file
        self.path = file.path
        self.name = file.path.rpartition("/")[2]
        self.form = side_format(file.path)
        self.text = file.text
        self.versions = file.versions

    @cached_property
    def toml(self) -> Manifest:
        """A TOML file as data, with places; `problem` says where it is none."""
        return Manifest(self.text)

    @cached_property
    def settings(self) -> Sequence[Setting]:
        """The environment variables that it sets."""
        if self.form is None or self.reads is not None:
            return ()
        return [
            Setting(
                each.name,
                each.value,
                Place(self.path, *each.span),
                Place(self.path, *each.entry),
                Place(self.path, *each.line) if each.line is not None else None,
            )
            for each in environment.settings(self.text, self.form)
        ]

    @property
    def reads(self) -> Reader | None:
        """Whose configuration the file is; None if it is none."""
        if self.form != "toml" or "/.cargo/" in self.path:
            return None
        return "burn" if self.name.lower() == "burn.toml" else "cubecl"

    @property
    def is_too_new(self) -> bool:
        """Whether it is a burn.toml, and every version of burn in question is from before there was one."""
        return self.reads == "burn" and all(Version.parse(each) < _BURN_TOML for each in self.versions)

    @property
    def packages(self) -> list[Package]:
        """The packages with burn that it is there for."""
        found = packages_of(self.file.project, self.path)
        return [package for package in found if _versions(self.file.project, package)]

    def unguarded_accesses(self) -> Iterator[wgsl.Access]:
        """Of a WGSL file the buffers that an entry point indexes by the invocation with nothing that may guard it."""
        return wgsl.unguarded(self.text) if self.form == "wgsl" else iter(())

    def sibling(self, *names: str) -> str | None:
        """The path of the first file of these names in the same folder; None if there is none."""
        beside = (paths.join(paths.parent(self.path), name) for name in names)
        return next((path for path in beside if self.file.project.reader.is_file(path)), None)

    @property
    def is_above_a_package(self) -> bool:
        """Whether a package or workspace of the project stands in the file's folder or below it."""
        folder = paths.parent(self.path)
        cargo = self.file.project.cargo
        roots = [*cargo.packages, *(workspace.root for workspace in cargo.workspaces)]
        return any(paths.inside(root, folder) for root in roots)

    @cached_property
    def cubecl(self) -> tuple[Version, ...]:
        """The versions of cubecl that the packages may be built with, ascending; empty where one is not known."""
        found: set[Version] = set()
        for package in self.packages:
            versions = self._locked(package) or self._admitted(package)
            if not versions:
                return ()
            found |= versions
        if self.file.project.options.burn_version is not None and not found:
            found = self._of_burn(self.versions)
        return tuple(sorted(found))

    @staticmethod
    def _locked(package: Package) -> set[Version]:
        lock = package.workspace.lock
        return {each.version for each in lock.named("cubecl-runtime")} if lock is not None else set()

    def _admitted(self, package: Package) -> set[Version]:
        return self._of_burn(_versions(self.file.project, package))

    @staticmethod
    def _of_burn(versions: Sequence[str]) -> set[Version]:
        """What a fresh lock file takes for any of these versions of burn."""
        found: set[Version] = set()
        for version in versions:
            release = releases().get("burn-cubecl", Version.parse(version))
            asked = next((d for d in release.dependencies if d.name == "cubecl"), None) if release else None
            if asked is None:
                return set()
            found.update(v for v in releases().admitted("cubecl-runtime", asked.requirement) if not v.pre)
        return found

    def config_faults(self) -> Iterator[ConfigFault]:
        """What a cubecl.toml or burn.toml has that none of the versions in question reads as it is written."""
        if self.reads is None or self.toml.problem is not None or not self.cubecl:
            return
        if self.reads == "cubecl":
            yield from self._faults_of("cubecl", self.cubecl, (), self.toml.data)
            return
        own = {key: value for key, value in self.toml.data.items() if key != "cubecl"}
        if "cubecl" in self.toml.data:
            yield from self._faults_of("cubecl", self.cubecl, ("cubecl",), self.toml.data["cubecl"])
        yield from self._faults_of("burn", tuple(map(Version.parse, self.versions)), (), own)

    @property
    def is_left_out(self) -> bool:
        """Whether a fault keeps every cubecl in question from reading any of it."""
        return any(each.fault.fatal and each.reader == "cubecl" for each in self.config_faults())

    def effect_of(self, each: ConfigFault) -> str:
        """What becomes of the file for a fault, as the end of a sentence."""
        if not each.fault.fatal:
            return "it has no effect"
        whole = "nothing of this file"
        if self.reads == "burn":
            whole = "nothing of `[cubecl]`" if each.reader == "cubecl" else "none of burn's own settings"
        if self.cubecl[0] >= _SKIPS:
            return f"{whole} is read"
        if self.cubecl[-1] < _SKIPS:
            return "the program panics where it first reads this file"
        return f"{whole} is read, or the program panics"

    def lines_of(self, at: At) -> Place:
        """The lines of an entry, to take them out."""
        content = self.text.content
        start = content.rfind(b"\n", 0, at.key[0]) + 1
        stop = content.find(b"\n", at.value[1])
        return Place(self.path, start, len(content) if stop < 0 else stop + 1)

    def _faults_of(
        self, reader: Reader, versions: tuple[Version, ...], above: Key, value: object
    ) -> Iterator[ConfigFault]:
        schemas = [config_schema.schema(reader, version) for version in versions]
        if not schemas or None in schemas:
            return
        per_version = [{each.path: each for each in config_schema.faults(value, s, above)} for s in schemas]
        beside = [s for version in versions for s in config_schema.around(reader, version)]
        certain = [
            {each.path for each in config_schema.faults(value, s, above)} if s is not None else set[Key]()
            for s in beside
        ]
        for path, fault in per_version[-1].items():
            if not all(path in each for each in per_version):
                continue
            at = self.toml.at(*path)
            inner, written = path[len(above) :], at.get()
            read_by, read_from = (
                next((v for v, s in others if config_schema.admits(written, s, inner)), None)
                for others in (
                    config_schema.older(reader, versions[0]),
                    config_schema.newer(reader, versions[-1]),
                )
            )
            span = (at.key[0], at.key[1]) if fault.unknown else at.value
            sure = all(path in each for each in certain)
            yield ConfigFault(fault, at, Place(self.path, *span), reader, versions, read_by, read_from, sure)
