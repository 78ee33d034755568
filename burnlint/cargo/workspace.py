"""From paths to the packages and workspaces that they belong to, by Cargo's own rules. Bad manifests
become problems, never errors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from burnlint.cargo.dependencies import DependencyReader, Inherited
from burnlint.cargo.files import Files, absolute, inside, is_pattern, join, parent
from burnlint.cargo.manifest import At, Manifest, Problem
from burnlint.cargo.model import Package, Patch, Resolver, Workspace, has_package
from burnlint.cargo.package import read_package

if TYPE_CHECKING:
    from os import PathLike

_NAME = "Cargo.toml"
_RESOLVERS: tuple[Resolver, ...] = ("1", "2", "3")
_RESOLVER_OF_EDITION: dict[str, Resolver] = {"2015": "1", "2018": "1", "2021": "2", "2024": "3"}


@dataclass(slots=True, eq=False)
class CargoProject:
    """Everything that the given paths lead to."""

    workspaces: list[Workspace] = field(default_factory=list)
    """By folder; only those that hold a package of the given paths."""
    packages: dict[str, Package] = field(default_factory=dict)
    """By folder: the members of those workspaces, and the packages their path dependencies lead to."""
    manifests: dict[str, Manifest] = field(default_factory=dict)
    """By path, also those that could not be parsed."""
    problems: list[Problem] = field(default_factory=list)
    files: Files = field(default_factory=Files)

    def package_of(self, path: str) -> Package | None:
        """The package whose manifest is the nearest one at or above `path` (absolute, `/` separators)."""
        directory = path if path in self.packages else parent(path)
        while True:
            if directory in self.packages:
                return self.packages[directory]
            if join(directory, _NAME) in self.manifests or parent(directory) == directory:
                return None
            directory = parent(directory)


def load(paths: Iterable[str | PathLike[str]], files: Files | None = None) -> CargoProject:
    """The packages that `paths` belong to, with their workspaces.

    A file belongs to the nearest manifest at or above it. A folder stands for that one and for every
    manifest below it, but those in hidden folders and in build folders. Never raises on the content of files.
    """
    loader = _Loader(files or Files())
    for path in paths:
        loader.add(absolute(path))
    return loader.finish()


class _Loader:
    def __init__(self, files: Files) -> None:
        self.files = files
        self.project = CargoProject(files=files)
        self._workspaces: dict[str, Workspace] = {}
        self._filled: set[str] = set()

    def add(self, path: str) -> None:
        for manifest_path in self._manifests_for(path):
            self._require(manifest_path)

    def finish(self) -> CargoProject:
        project = self.project
        project.workspaces = [self._workspaces[root] for root in sorted(self._filled)]
        project.packages = dict(sorted(project.packages.items()))
        for workspace in project.workspaces:
            project.problems.extend(workspace.problems)
        broken = (m.problem for _, m in sorted(project.manifests.items()) if m.problem is not None)
        project.problems = list(dict.fromkeys([*broken, *project.problems]))
        return project

    def _manifests_for(self, path: str) -> list[str]:
        found = []
        directory = path if self.files.is_dir(path) else parent(path)
        above = directory
        while True:
            candidate = join(above, _NAME)
            if self.files.is_file(candidate):
                found.append(candidate)
                break
            if parent(above) == above or self.files.is_dir(join(above, ".git")):
                break
            above = parent(above)
        if directory == path:
            found.extend(m for m in self._below(directory) if m not in found)
        return found

    def _below(self, directory: str) -> list[str]:
        found, pending = [], [directory]
        while pending:
            current = pending.pop()
            for entry in self.files.entries(current):
                path = f"{current}/{entry.name}"
                if entry.name == _NAME and self.files.is_file(path):
                    found.append(path)
                elif entry.is_dir(follow_symlinks=False) and not self.files.is_file(f"{path}/CACHEDIR.TAG"):
                    pending.append(path)
        return sorted(found)

    def manifest(self, path: str) -> Manifest | None:
        if path not in self.project.manifests:
            text = self.files.text(path)
            if text is None:
                return None
            self.project.manifests[path] = Manifest(text)
        return self.project.manifests[path]

    def _require(self, path: str) -> None:
        """Loads the package (or virtual workspace) of a manifest and all of its workspace."""
        manifest = self.manifest(path)
        if manifest is None or manifest.problem is not None:
            return
        directory = parent(path)
        root = self._root_of(manifest)
        workspace = self._workspace(root or manifest)
        self._fill(workspace)
        if has_package(manifest) and all(m.root != directory for m in workspace.members):
            # Cargo refuses to build it: "current package believes it's in a workspace when it's not". It
            # stands alone here.
            message = f"the workspace at `{workspace.root}` does not list this package among its members"
            alone = Workspace(directory, manifest, self.files)
            self._workspaces[directory] = alone
            alone.problems.append(Problem(path, message, manifest.key_span(("package",))))
            self._read(manifest, alone)
            self._fill(alone)

    def _root_of(self, manifest: Manifest) -> Manifest | None:
        """The root manifest of the workspace that the manifest belongs to; `None` for a package alone."""
        if "workspace" in manifest.data:
            return manifest
        pointed = self._pointed_root(manifest)
        if pointed is not None:
            return pointed
        above = parent(parent(manifest.path))
        while True:
            candidate = self.manifest(join(above, _NAME))
            if candidate is not None:
                pointed = self._pointed_root(candidate)
                if pointed is not None:
                    return pointed
                if "workspace" in candidate.data and not _is_excluded(candidate, manifest.path):
                    return candidate
            if parent(above) == above or self.files.is_dir(join(above, ".git")):
                return None
            above = parent(above)

    def _pointed_root(self, manifest: Manifest) -> Manifest | None:
        pointer = manifest.get(("package", "workspace"))
        if not isinstance(pointer, str):
            return None
        found = self.manifest(join(join(parent(manifest.path), pointer), _NAME))
        return found if found is not None and "workspace" in found.data else None

    def _workspace(self, root: Manifest) -> Workspace:
        directory = parent(root.path)
        if directory not in self._workspaces:
            workspace = Workspace(directory, root, self.files, local=self.project.packages)
            workspace.resolver = _resolver(root)
            self._workspaces[directory] = workspace
        return self._workspaces[directory]

    def _package(self, path: str) -> Package | None:
        """The package of a manifest, read on its own: its workspace object is there and may not be filled."""
        directory = parent(path)
        if directory in self.project.packages:
            return self.project.packages[directory]
        manifest = self.manifest(path)
        if manifest is None or manifest.problem is not None or not has_package(manifest):
            return None
        return self._read(manifest, self._workspace(self._root_of(manifest) or manifest))

    def _read(self, manifest: Manifest, workspace: Workspace) -> Package:
        root = self._root_of(manifest)
        inherited = Inherited(root, parent(root.path)) if root is not None else None
        directory = parent(manifest.path)
        package, problems = read_package(manifest, directory, workspace, inherited, self.files)
        self.project.packages[directory] = package
        workspace.problems.extend(problems)
        return package

    def _fill(self, workspace: Workspace) -> None:
        if workspace.root in self._filled:
            return
        self._filled.add(workspace.root)
        members: dict[str, Package] = {}
        manifest = workspace.manifest
        table = manifest.data.get("workspace")
        self._collect(manifest.path, workspace, members, as_path_dependency=False)
        for directory, exact in self._listed(workspace, table, "members"):
            path = join(directory, _NAME)
            if self.files.is_file(path):
                self._collect(path, workspace, members, as_path_dependency=False)
            elif exact is not None:
                message = f"the workspace member `{manifest.get(exact.path)}` has no manifest"
                workspace.problems.append(Problem(manifest.path, message, exact.value))
        workspace.members = [members[root] for root in sorted(members)]
        listed = {directory for directory, _ in self._listed(workspace, table, "default-members")}
        if listed:
            workspace.default_members = [m for m in workspace.members if m.root in listed]
        elif workspace.virtual:
            workspace.default_members = list(workspace.members)
        else:
            workspace.default_members = [m for m in workspace.members if m.root == workspace.root]
        workspace.patches = self._patches(workspace)
        self._follow_path_dependencies(workspace)

    def _listed(self, workspace: Workspace, table: Any, name: str) -> list[tuple[str, At | None]]:
        """The folders that a list of globs names; with the place of the string where it is no glob."""
        globs = table.get(name) if isinstance(table, Mapping) else None
        found: list[tuple[str, At | None]] = []
        for index, text in enumerate(globs if isinstance(globs, list) else []):
            if not isinstance(text, str):
                continue
            if is_pattern(text):
                found.extend((match, None) for match in self.files.glob(workspace.root, text))
            else:
                found.append((join(workspace.root, text), workspace.manifest.at("workspace", name, index)))
        return found

    def _collect(
        self, path: str, workspace: Workspace, members: dict[str, Package], *, as_path_dependency: bool
    ) -> None:
        """Cargo's `find_path_deps`: the manifest, and path dependencies below the root, become members."""
        pending = [(path, as_path_dependency)]
        seen: set[str] = set()
        while pending:
            path, is_dependency = pending.pop()
            directory = parent(path)
            if directory in members or path in seen:
                continue
            seen.add(path)
            manifest = self.manifest(path)
            if manifest is None or manifest.problem is not None:
                continue
            if is_dependency and not inside(directory, workspace.root):
                root = self._root_of(manifest)
                if root is None or root.path != workspace.manifest.path:
                    continue
            if "workspace" in workspace.manifest.data and _is_excluded(workspace.manifest, path):
                continue
            if path != workspace.manifest.path and "workspace" in manifest.data:
                message = f"a workspace inside of the workspace at `{workspace.root}`"
                workspace.problems.append(Problem(path, message, manifest.key_span(("workspace",))))
                continue
            if not has_package(manifest):
                continue
            package = self.project.packages.get(directory) or self._read(manifest, workspace)
            if package.workspace is not workspace:
                continue
            members[directory] = package
            if "workspace" in workspace.manifest.data:
                pending.extend((join(p, _NAME), True) for d in package.dependencies if (p := d.source.path))

    def _patches(self, workspace: Workspace) -> list[Patch]:
        manifest = workspace.manifest
        tables = manifest.data.get("patch")
        reader = DependencyReader(manifest, workspace.root, None)
        patches = []
        for of, table in (tables if isinstance(tables, Mapping) else {}).items():
            for key, value in (table if isinstance(table, Mapping) else {}).items():
                entry = reader.entry(key, value, "normal", None, manifest.at("patch", of, key))
                if entry is not None:
                    patches.append(Patch(of, entry))
        workspace.problems.extend(reader.problems)
        return patches

    def _follow_path_dependencies(self, workspace: Workspace) -> None:
        """Reads every package that path dependencies and patches lead to, members or not."""
        pending = list(workspace.members)
        for patch in workspace.patches:
            path = patch.dependency.source.path
            package = self._package(join(path, _NAME)) if path is not None else None
            if package is not None:
                pending.append(package)
        reached: dict[str, Package] = {}
        while pending:
            package = pending.pop()
            if package.root in reached:
                continue
            reached[package.root] = package
            for dependency in package.dependencies:
                if dependency.source.path is None:
                    continue
                found = self._package(join(dependency.source.path, _NAME))
                if found is not None:
                    pending.append(found)
        workspace.local = dict(sorted(reached.items()))


def _resolver(root: Manifest) -> Resolver:
    for path in (("workspace", "resolver"), ("package", "resolver")):
        given = root.get(path)
        for resolver in _RESOLVERS:
            if given == resolver:
                return resolver
    if not has_package(root):
        return "1"
    edition = root.get(("package", "edition"))
    if isinstance(edition, Mapping):
        edition = root.get(("workspace", "package", "edition"))
    return _RESOLVER_OF_EDITION.get(str(edition), "1")


def _is_excluded(root: Manifest, path: str) -> bool:
    """Cargo compares whole path prefixes here, without globs, and a listed member is never excluded."""
    directory = parent(root.path)

    def named(key: str) -> bool:
        listed = root.get(("workspace", key))
        return any(
            isinstance(text, str) and inside(path, join(directory, text))
            for text in (listed if isinstance(listed, list) else [])
        )

    return named("exclude") and not named("members")
