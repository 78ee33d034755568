"""Which versions of burn, and of the crates of its family, a package may be built with.

The lock file decides as far as it satisfies the requirement; without one it is the set of released
versions that the requirement admits. Path dependencies have the version of their own manifest, git
dependencies that of the lock file. A claim holds for a package when it holds for every version of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from burnlint.burn.family import is_family, is_family_name
from burnlint.burn.releases import releases
from burnlint.cargo.lock import LockedPackage
from burnlint.cargo.model import Dependency, Package, Workspace
from burnlint.cargo.semver import Requirement, Version

RELEASED = (
    *("0.13.0", "0.13.1", "0.13.2", "0.14.0", "0.15.0", "0.16.0", "0.16.1", "0.17.0", "0.17.1", "0.18.0"),
    *("0.19.0", "0.19.1", "0.20.0", "0.20.1", "0.21.0", "0.22.0", "0.22.1"),
)
"""Every release of burn from 0.13 on: what a rule names as proven when its claim is one about Cargo."""


def released(range_: str) -> tuple[str, ...]:
    """The releases from 0.13 on in a range such as `>=0.15, <0.22`: what a rule names as proven when it was run on all
    of them."""
    requirement = Requirement.parse(range_)
    return tuple(each for each in RELEASED if requirement.matches(Version.parse(each)))


Origin = Literal["option", "path", "lock", "requirement", "tag", "newer", "unknown"]


@dataclass(slots=True, frozen=True)
class Versions:
    """A set of versions, ascending, and where it comes from.

    `origin` is `option` (`--burn-version`), `path` (the manifest of a local package), `lock`,
    `requirement`, `tag` (of a git dependency without a lock), `newer` (the requirement admits none that
    the data knows: the newest known one stands for it), or `unknown` (a git dependency without a lock:
    `all` is empty).
    """

    all: tuple[Version, ...]
    origin: Origin

    @property
    def newest(self) -> Version | None:
        return self.all[-1] if self.all else None

    @property
    def one(self) -> Version | None:
        """The version, where there is no doubt."""
        return self.all[0] if len(self.all) == 1 else None

    def every(self, predicate: Callable[[Version], bool]) -> bool:
        """Whether a claim holds for the whole set; never for an empty one."""
        return bool(self.all) and all(predicate(v) for v in self.all)


def versions_of(package: Package, crate: str = "burn", option: Version | None = None) -> Versions | None:
    """The versions of `crate` that the package's code is compiled against.

    Its own entries decide. A package without one is answered by those of the local packages that it
    depends on (a crate that re-exports burn); `None` where burn is not among them. `option` is
    `--burn-version`, which stands above everything.
    """
    if option is not None:
        return Versions((option,), "option")
    for candidate in with_local_dependencies(package):
        entries = candidate.entries(crate)
        if entries:
            return _of_entries(candidate, entries)
    return None


def burn_versions(package: Package, option: Version | None = None) -> Versions | None:
    """The versions of burn: those of `burn`, else of another crate of burn's own (they are released
    together)."""
    found = versions_of(package, "burn", option)
    if found is not None:
        return found
    names = {d.name for p in with_local_dependencies(package) for d in p.dependencies}
    for name in sorted(n for n in names if n.startswith("burn-") and is_family_name(n)):
        found = versions_of(package, name)
        if found is not None and (found.newest is None or found.newest.line[0] == 0):
            return found
    return None


def burn_of_cubecl(package: Package) -> tuple[Version, ...]:
    """The releases of burn that stand on the cubecl which a package is compiled against, ascending; empty where it
    names none. A preview counts as the release that it is one of."""
    found = versions_of(package, "cubecl") or versions_of(package, "cubecl-core")
    lines = {version.line for version in found.all} if found is not None else set()
    known = releases()
    return tuple(
        version
        for version in (known.versions("burn-cubecl") if lines else ())
        if not version.pre and _line_of_cubecl(version) in lines
    )


def _line_of_cubecl(burn: Version) -> tuple[int, int] | None:
    """The line of cubecl that a release of burn is built with."""
    known = releases()
    release = known.get("burn-cubecl", burn)
    for each in release.dependencies if release is not None else ():
        if each.name == "cubecl":
            newest = known.newest("cubecl", each.requirement)
            return newest.line if newest is not None else None
    return None


def with_local_dependencies(package: Package) -> list[Package]:
    """The package, then the local packages it depends on, nearest first, burn's own crates left out."""
    found = [package]
    seen = {package.root}
    for current in found:
        for dependency in current.dependencies:
            local = package.workspace.local_package(dependency)
            if local is not None and local.root not in seen and not is_family(package.workspace, dependency):
                seen.add(local.root)
                found.append(local)
    return found


def _of_entries(package: Package, entries: list[Dependency]) -> Versions:
    """One answer for all entries of a crate: Cargo gives the entries of a package one version where it
    can."""
    answers = [entry_versions(package, e) for e in sorted(entries, key=_by_weight)]
    for answer in answers:
        if answer.origin in ("path", "lock"):
            return answer
    common = set.intersection(*(set(a.all) for a in answers))
    first = next((a for a in answers if a.all), answers[0])
    return Versions(tuple(sorted(common)), first.origin) if common else first


def _by_weight(entry: Dependency) -> int:
    return {"normal": 0, "dev": 1, "build": 2}[entry.kind]


def entry_versions(package: Package, entry: Dependency) -> Versions:
    """The versions of one entry of a dependency table."""
    workspace = package.workspace
    local = workspace.local_package(entry)
    if local is not None and local.version is not None:
        return Versions((local.version,), "path")
    locked = locked_version(package, entry)
    if locked is not None:
        return Versions((locked,), "lock")
    source = workspace.source_of(entry)
    if source.kind == "git" and entry.requirement is None:
        tagged = _tag_version(source.reference)
        return Versions((tagged,), "tag") if tagged is not None else Versions((), "unknown")
    if entry.requirement is None:
        return Versions((), "unknown")
    known = releases()
    admitted = known.admitted(entry.name, entry.requirement)
    if admitted:
        return Versions(tuple(admitted), "requirement")
    newest = known.versions(entry.name)[-1:]
    pinned = entry.requirement.pinned
    if pinned is not None:
        return Versions((pinned,), "requirement")
    above = bool(newest) and any(
        (c.major, c.minor or 0) >= newest[0].line for c in entry.requirement.comparators
    )
    return Versions(tuple(newest), "newer") if above else Versions((), "unknown")


def locked_version(package: Package, entry: Dependency) -> Version | None:
    """The version in the lock file, where it satisfies the requirement."""
    locked = _locked_dependency(package.workspace, package, entry)
    return locked.version if locked is not None else None


def _locked_dependency(workspace: Workspace, package: Package, entry: Dependency) -> LockedPackage | None:
    lock = workspace.lock
    if lock is None:
        return None
    own = lock.package(package.name, package.version)
    candidates = lock.dependencies_of(own) if own is not None else []
    source = workspace.source_of(entry)
    fitting = list(_fitting([p for p in candidates if p.name == entry.name], entry, source.kind == "git"))
    if not fitting:
        # The lock file is older than the entry, or of another member: what is there may still be taken.
        fitting = list(_fitting(lock.named(entry.name), entry, source.kind == "git"))
    return max(fitting, key=lambda p: p.version, default=None)


def _fitting(candidates: Iterable[LockedPackage], entry: Dependency, git: bool) -> Iterable[LockedPackage]:
    for candidate in candidates:
        from_git = candidate.source is not None and candidate.source.startswith("git+")
        if from_git is git and (entry.requirement is None or entry.requirement.matches(candidate.version)):
            yield candidate


def _tag_version(reference: tuple[str, str] | None) -> Version | None:
    """The version that a tag such as `v0.21.0` names."""
    if reference is None or reference[0] != "tag":
        return None
    try:
        return Version.parse(reference[1].removeprefix("v"))
    except ValueError:
        return None
