"""All that one run looks at: files with the packages they belong to, read and analysed on demand.

This answers what the engine asks (`burnlint.lint.protocol`) with what Cargo, Rust and burn's facts say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from burnlint.burn import inputs
from burnlint.burn.api import Api
from burnlint.burn.crates import Crates, Unit
from burnlint.burn.family import is_of_checkout
from burnlint.burn.lint_files import ManifestFile, RustFile
from burnlint.burn.reach import may_hold_tensors
from burnlint.burn.releases import releases
from burnlint.burn.retention import Retention
from burnlint.burn.versions import burn_of_cubecl, burn_versions
from burnlint.cargo import files as paths
from burnlint.cargo.files import Files
from burnlint.cargo.model import Package, Workspace
from burnlint.cargo.semver import Version
from burnlint.cargo.workspace import CargoProject
from burnlint.cargo.workspace import load as load_cargo
from burnlint.lint.protocol import Input, LintFile, ProjectNote
from burnlint.lint.rule import LoadedRule
from burnlint.lint.sidefiles import side_format
from burnlint.rust import parser
from burnlint.rust.source import SourceFile
from burnlint.text import Text

if TYPE_CHECKING:
    from burnlint.burn.analysis import Analysis
    from burnlint.burn.infer import Shared
    from burnlint.burn.manifest import ManifestView
    from burnlint.burn.migration.unit import UnitMigration
    from burnlint.burn.plan import BuildPlan
    from burnlint.burn.programs import Flags
    from burnlint.burn.view import FileView

_OLD_STYLE = re.compile(
    rb"\bTensor<\s*[A-Z]\w*\s*,\s*(?!(?:Int|Bool|Float|K)\b)\w+|(?<!:):\s*(?:Autodiff)?Backend\b(?!::)"
)
"""Only up to burn 0.21 a tensor or a generic names a back end; from 0.22 the rank may be a generic: `Tensor<D, Int>`."""


@dataclass(slots=True, frozen=True)
class Options:
    """What the command line and the configuration say about the project."""

    burn_version: str | None = None
    features: tuple[str, ...] = ()
    all_features: bool = False
    default_features: bool = True
    target: str | None = None
    include_generated: bool = False


class Project:
    """The project behind one run."""

    def __init__(self, files: Sequence[str], options: Options, overlay: Mapping[str, bytes]) -> None:
        self.options = options
        self.reader = Files(overlay)
        self._files = sorted(files)
        self._sources: dict[str, SourceFile | None] = {}
        self._versions: dict[str, tuple[str, ...]] = {}
        self._below: dict[str, tuple[str, ...]] = {}
        self._analyses: dict[tuple[str, str, str], Analysis] = {}
        self._migrations: dict[Analysis, UnitMigration] = {}
        self._crates = Crates(self.source)
        self._views: dict[SourceFile, FileView] = {}
        self._manifests: dict[str, ManifestView] = {}
        self._shared: dict[str, Shared] = {}
        self._with_tensors: dict[str, bool] = {}
        self._packages: dict[str, Package | None] = {}
        self._plans: dict[str, BuildPlan] = {}

    @classmethod
    def load(cls, files: Sequence[str], options: Options, overlay: Mapping[str, bytes]) -> Project:
        """The project that holds these files (absolute paths); `overlay` stands in for what is on the
        disk.
        """
        return cls(files, options, overlay)

    @cached_property
    def cargo(self) -> CargoProject:
        """Packages and workspaces of all files."""
        return load_cargo(dict.fromkeys(paths.parent(path) for path in self._files), self.reader)

    @cached_property
    def root(self) -> str:
        """The repository's root: the nearest folder with `.git` at or above all files; else the outermost
        package or workspace; else the folder that holds all files."""
        if not self._files:
            return paths.absolute(".")
        common = first = paths.parent(self._files[0])
        while common and not all(paths.inside(path, common) for path in self._files):
            common = paths.parent(common)
        common = common or first  # Nothing holds files on two drives of Windows.
        above, below = common, None
        while above and above != below:
            git = paths.join(above, ".git")
            if self.reader.is_dir(git) or self.reader.is_file(git):
                return above
            above, below = paths.parent(above), above
        roots = [
            workspace.root for workspace in self.cargo.workspaces if paths.inside(common, workspace.root)
        ]
        return min(roots, key=len, default=common)

    @cached_property
    def files(self) -> Sequence[LintFile]:
        """The files to lint."""
        made: list[LintFile] = []
        for path in self._files:
            if path.endswith(".rs"):
                source = self.source(path)
                if source is not None:
                    made.append(RustFile(self, source))
            elif self.reader.text(path) is not None:
                made.append(self._side_file(path) if side_format(path) else ManifestFile(self, path))
        return made

    def _side_file(self, path: str) -> LintFile:
        from burnlint.burn.side import SideFile

        return SideFile(self, path)

    @property
    def groups(self) -> Sequence[Sequence[str]]:
        """The Rust files of each package; the others."""
        groups: dict[str, list[str]] = {}
        for file in self.files:
            package = self.package(file.path) if file.kind == "rust" else None
            groups.setdefault(package.root if package is not None else "", []).append(file.path)
        return list(groups.values())

    def finish(self, paths: Sequence[str]) -> None:
        """No rule will look at these files any more: what is known of their packages goes, unless another one
        needs it."""
        packages = dict.fromkeys(self.package(path) for path in paths if path.endswith(".rs"))
        roots = {root for each in packages if each is not None for root in self._retention.finish(each.root)}
        gone = [self._analyses.pop(key) for key in [*self._analyses] if key[0] in roots]
        kept = {file for analysis in self._analyses.values() for file in analysis.unit.files()}
        for analysis in gone:
            self._migrations.pop(analysis, None)
            for file in analysis.unit.files():
                # A body has one form for as long as an analysis knows it.
                if file not in kept:
                    file.release()
                    self._views.pop(file, None)

    @property
    def lint_paths(self) -> Sequence[str]:
        """The paths of the files to lint."""
        return self._files

    def state(self, paths: Sequence[str]) -> str:
        """What Cargo says of the project, the options, and the versions of burn of these files."""
        return repr((self.cargo_state[0], self.options, [self.versions_below(path) for path in paths]))

    @cached_property
    def cargo_state(self) -> tuple[str, frozenset[inputs.Question]]:
        """What was read of Cargo's side before any rule ran (`burnlint.burn.inputs`)."""
        return inputs.cargo_state(self)

    def inputs(self, paths: Sequence[str]) -> Sequence[Input] | None:
        """All that was read for these files beside what `state` says."""
        return inputs.of_files(self, paths)

    def still(self, inputs: Sequence[Input]) -> bool:
        """Whether the same would be read today."""
        return all(self.reader.answer(each.asked, each.path) == each.answer for each in inputs)

    @property
    def absent_roots(self) -> Sequence[str]:
        """Root files that manifests name and that are not there, as far as they were asked for."""
        return list(self._crates.absent)

    def analyses_of(self, root: str) -> list[Analysis]:
        """The analyses of a package that were made so far, by its folder."""
        return [analysis for key, analysis in self._analyses.items() if key[0] == root]

    @cached_property
    def _retention(self) -> Retention:
        packages = dict.fromkeys(self.package(path) for path in self._files if path.endswith(".rs"))
        return Retention([package for package in packages if package is not None])

    @cached_property
    def notes(self) -> Sequence[ProjectNote]:
        """Files that could not be read, manifests that Cargo would refuse."""
        unreadable = [
            ProjectNote("file-skipped", path, None, "cannot be read", fatal=True)
            for path in self._files
            if self.reader.text(path) is None
        ]
        return unreadable + self._problems

    @cached_property
    def _problems(self) -> list[ProjectNote]:
        asked = set(self._files)
        found = []
        for problem in self.cargo.problems:
            text = self.reader.text(problem.path)
            line = text.line(problem.span[0]) if text is not None and problem.span is not None else None
            if problem.path in asked:
                found.append(ProjectNote("parse-error", problem.path, line, problem.message))
        return found

    def text(self, path: str) -> Text | None:
        """The text of any file of the project."""
        source = self._sources.get(path)
        return source.text if source is not None else self.reader.text(path)

    def parses(self, path: str, content: bytes) -> bool:
        """Whether `content` would parse without an error as the file at `path`."""
        if path.endswith(".rs"):
            return not parser.parse(content).root_node.has_error
        if side_format(path) not in (None, "toml"):
            return True
        from burnlint.cargo.manifest import Manifest

        return Manifest(Text(path, content)).problem is None

    def view(self, rule: LoadedRule) -> object:
        """What a `check_project` is called with."""
        return self

    def source(self, path: str) -> SourceFile | None:
        """A Rust file, the same object each time; None where there is none that can be read."""
        if path not in self._sources:
            text = self.reader.text(path)
            self._sources[path] = None if text is None else SourceFile(path, text.content)
        return self._sources[path]

    def file_view(self, source: SourceFile) -> FileView:
        """What rules see of a Rust file."""
        found = self._views.get(source)
        if found is None:
            from burnlint.burn.view import FileView

            found = self._views[source] = FileView(self, source)
        return found

    def manifest_view(self, path: str) -> ManifestView:
        """What rules see of a Cargo.toml."""
        found = self._manifests.get(path)
        if found is None:
            from burnlint.burn.manifest import ManifestView

            package = self.cargo.packages.get(paths.parent(path))
            workspace = package.workspace if package is not None else self.virtual(path)
            assert workspace is not None, "no rule runs on a manifest of no package and no workspace"
            manifest = self.cargo.manifests[path]
            found = self._manifests[path] = ManifestView(manifest, package, self.plan(workspace))
        return found

    def plan(self, workspace: Workspace) -> BuildPlan:
        """The builds of a workspace."""
        from burnlint.burn.plan import BuildPlan

        if workspace.root not in self._plans:
            self._plans[workspace.root] = BuildPlan(workspace, self._version_option, self._flags)
        return self._plans[workspace.root]

    def virtual(self, path: str) -> Workspace | None:
        """The workspace whose root manifest is at `path`."""
        return next((w for w in self.cargo.workspaces if w.manifest.path == path), None)

    def package(self, path: str) -> Package | None:
        """The package that a file belongs to."""
        folder = paths.parent(path)
        if folder not in self._packages:
            self._packages[folder] = self.cargo.package_of(path)
        return self._packages[folder]

    def may_hold_tensors(self, path: str) -> bool:
        """Whether the code of a file can hold burn's tensors (`burnlint.burn.reach`)."""
        package = self.package(path)
        versions = self.versions(path)
        if package is None or not versions:
            return bool(versions)
        found = self._with_tensors.get(package.root)
        if found is None:
            found = self._with_tensors[package.root] = may_hold_tensors(package, versions[-1])
        return found

    @cached_property
    def _flags(self) -> Flags:
        from burnlint.burn.programs import Flags

        given = self.options
        return Flags(given.features, given.all_features, given.default_features, given.target)

    @cached_property
    def _version_option(self) -> Version | None:
        given = self.options.burn_version
        if given is None:
            return None
        return Version.parse(given if given.count(".") > 1 else f"{given}.0")

    def versions(self, path: str) -> tuple[str, ...]:
        """Every version of burn that the code of a file may be built with, ascending; empty: it does not use
        burn.
        """
        package = self.package(path)
        key = package.root if package is not None else path
        if key not in self._versions:
            self._versions[key] = self._find_versions(path, package)
        return self._versions[key]

    def versions_below(self, path: str) -> tuple[str, ...]:
        """The same, and for a package that names no burn those that go with its cubecl."""
        found = self.versions(path)
        package = self.package(path) if not found else None
        if package is None:
            return found
        if package.root not in self._below:
            self._below[package.root] = tuple(map(str, burn_of_cubecl(package)))
        return self._below[package.root]

    def may_be_later(self, path: str) -> bool:
        """Whether a version later than all that are known may be meant: nothing says which, and the style of the source
        is that of the newest."""
        versions, package = self.versions(path), self.package(path)
        if not versions or self._version_option is not None:
            return False
        found = burn_versions(package) if package is not None else None
        said = found is not None and found.all and found.origin != "newer"
        newest = max(version for version in releases().versions("burn") if not version.pre)
        return not said and Version.parse(versions[-1]) >= newest

    def _find_versions(self, path: str, package: Package | None) -> tuple[str, ...]:
        if self._version_option is not None:
            return (str(self._version_option),)
        if package is None:
            source = self.source(path) if path.endswith(".rs") else None
            return self._by_style([source]) if source is not None and source.spells("burn") else ()
        found = burn_versions(package)
        if found is None:
            return ()
        if found.all:
            return tuple(map(str, found.all))
        below = f"{package.root}/"
        return self._by_style(
            [s for p in self._files if p.startswith(below) and (s := self.source(p)) is not None]
        )

    @staticmethod
    def _by_style(sources: Sequence[SourceFile]) -> tuple[str, ...]:
        """The releases that fit the style of the source, where nothing says the version: all of them may be
        meant.
        """
        old = any(_OLD_STYLE.search(source.content) for source in sources)
        known = [v for v in releases().versions("burn") if not v.pre]
        fitting = [
            v for v in known if ((v.major, v.minor) < (0, 22)) == old and (v.major, v.minor) >= (0, 13)
        ]
        newest = fitting[-1]
        return tuple(str(v) for v in fitting if old or v.minor == newest.minor)

    def analysis(self, path: str) -> Analysis | None:
        """What is known of the code around a file, under the newest version of burn that its package may
        take; None without burn."""
        versions = self.versions_below(path)
        return self.analysis_under(path, versions[-1]) if versions else None

    def analysis_under(self, path: str, version: str) -> Analysis:
        """What is known of the code around a file, read as code for that version of burn."""
        source = self.source(path)
        package = self.package(path)
        key = (package.root if package is not None else path, "", version)
        if key not in self._analyses and package is not None:
            self._analyses[key] = self._analyse(self._crates.unit(package), version)
        found = self._analyses.get(key)
        if found is None or (source is not None and not any(c.has(source) for c in found.unit.own)):
            key = (key[0], path, version)
            if key not in self._analyses:
                unit = self._crates.stray(path, found.unit if found is not None else None)
                self._analyses[key] = self._analyse(unit, version)
            found = self._analyses[key]
        return found

    def migration(self, path: str) -> UnitMigration:
        """The code around a file on its way from the last burn with back end parameters."""
        from burnlint.burn.migration.before import OLD
        from burnlint.burn.migration.unit import UnitMigration

        old = self.analysis_under(path, OLD)
        if old not in self._migrations:
            package = self.package(path)
            current = (package is not None and is_of_checkout(package)) or self.may_be_later(path)
            ever_on = [] if package is None else [partial(self.plan(package.workspace).ever_on, package)]
            self._migrations[old] = UnitMigration(old, Api.load(self.versions(path)[-1]), current, *ever_on)
        return self._migrations[old]

    def _analyse(self, unit: Unit, version: str) -> Analysis:
        # Only now: a run that its cache answers never gets here.
        from burnlint.burn.analysis import Analysis
        from burnlint.burn.infer import Shared

        api = Api.load(version)
        if api.version not in self._shared:
            self._shared[api.version] = Shared(api)
        return Analysis(unit, api, self._shared[api.version])
