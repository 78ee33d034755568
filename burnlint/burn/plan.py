"""Every build of a workspace's programs that can differ in features of burn, and what each turns on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from burnlint.burn.backends import backends_in
from burnlint.burn.family import is_family, is_own
from burnlint.burn.features import Aside, BurnFeatures, FeatureBuilder
from burnlint.burn.others import Others
from burnlint.burn.programs import Build, Flags, Lack, Lacks, Origin, Program, programs
from burnlint.burn.versions import burn_versions, locked_version, with_local_dependencies
from burnlint.cargo.features import Request
from burnlint.cargo.model import Dependency, FeatureRef, Package, Workspace
from burnlint.cargo.platform import PLATFORMS, Platform
from burnlint.cargo.semver import Version

_MOST_REQUESTS = 24
"""A package with more features than this is built with its defaults only."""


class BuildPlan:
    """Every build of every program of a workspace that can differ in features of burn."""

    def __init__(
        self, workspace: Workspace, option: Version | None = None, flags: Flags | None = None
    ) -> None:
        """`option` is `--burn-version`."""
        self.workspace = workspace
        self._option = option
        self._flags = flags or Flags()
        self._builders: dict[tuple[Version, Aside], FeatureBuilder] = {}
        self._others = Others(workspace)
        self._users: dict[str, list[tuple[Version, Package, str]]] = {}
        self._widest: dict[tuple[Version, str, str], BurnFeatures] = {}
        self._lacking: dict[tuple[Lacks, tuple[str, ...]], list[Lack]] = {}

    @cached_property
    def defaults_off(self) -> bool:
        """Whether any entry of a crate of burn's in the project does without default features."""
        local = self.workspace.local.values()
        return any(not d.default_features and self._leads_to_burn(d) for p in local for d in p.dependencies)

    def _leads_to_burn(self, dependency: Dependency) -> bool:
        return is_family(self.workspace, dependency)

    def lacking(self, lacks: Lacks, crates: tuple[str, ...]) -> list[Lack]:
        """Every back end among `crates` that lacks something, with what turns it on; asked once for all
        manifests."""
        key = (lacks, crates)
        if key not in self._lacking:
            self._lacking[key] = list(self._search(lacks, crates))
        return self._lacking[key]

    def _search(self, lacks: Lacks, crates: tuple[str, ...]) -> Iterator[Lack]:
        ways: dict[tuple[Program, str | None], dict[str, list[Build]]] = {}
        for build in self.builds:
            ways.setdefault((build.program, build.asked), {}).setdefault(build.platform, []).append(build)
        seen = set()
        for by_platform in ways.values():
            for crate in crates:
                answers = {p: _in_every_version(lacks, crate, builds) for p, builds in by_platform.items()}
                lacking = [p for p, names in answers.items() if names]
                if not lacking:
                    continue
                builds = tuple(by_platform[lacking[0]])
                where = "" if len(lacking) == len(answers) else " on " + " and ".join(map(_system, lacking))
                for origin in _nearest(builds[-1].origins(crate), builds[-1].program.package):
                    at = origin.at.path[:-1] if origin.ref is not None else origin.at.path
                    place = (crate, origin.at.file, at)
                    if place not in seen:
                        seen.add(place)
                        names = answers[lacking[0]]
                        certain = all(self._surely_lacks(lacks, crate, names, each) for each in builds)
                        yield Lack(crate, origin, names, builds, where, certain)

    def _surely_lacks(self, lacks: Lacks, crate: str, names: tuple[str, ...], build: Build) -> bool:
        if not build.from_git:
            return build.certain
        if not build.seen or not self._git_is_locked:
            return False
        around = [self._beside(build, aside) for aside in (-1, 1)]
        return all(each.seen and each.has(crate) and {*names} <= {*lacks(each, crate)} for each in around)

    def _beside(self, build: Build, aside: Aside) -> Build:
        """The build with the release before or after what comes from git."""
        builder = self._builder(build.burn, aside)
        dev = build.program.dev
        features = builder.build(build.program.package, build.request, build.platform, dev=dev)
        seen = build.seen and not features.missing
        return replace(build, features=features, seen=seen, plain=None)

    def ever_on(self, package: Package, crate: str, feature: str) -> bool | None:
        """Whether some build with `package` in it can turn a feature of a crate of burn's on: with every
        feature of every member
        asked for, tests and examples included. `None` where a package that nobody sees may do it."""
        if any(features.has(crate, feature) for _, features in self._widest_of(package)):
            return True
        found = list(self._widest_of(package))
        unseen = bool(self._git) or any(
            self._others.may_add_to([(crate, features.version(crate))], user, features.strangers)
            for user, features in found
        )
        known = found and all(feature in features.known(crate) for _, features in found)
        return None if unseen or not known else False

    def backends(self, package: Package) -> frozenset[str]:
        """The back ends that some build with `package` in it can have, by the names of their features: with every
        feature of every member asked for, tests and examples included."""
        return frozenset().union(*(backends_in(features) for _, features in self._widest_of(package)))

    def has_only(self, package: Package, backends: frozenset[str]) -> bool:
        """Whether the builds of `backends` have no others than these, and some."""
        one = False
        for _, features in self._widest_of(package):
            found = backends_in(features)
            if not found <= backends:
                return False
            one = one or bool(found)
        return one

    def _widest_of(self, package: Package) -> Iterator[tuple[Package, BurnFeatures]]:
        """The builds with `package` in them, each with the member that is built, made when it is their turn: the
        first one often is enough."""
        if package.root not in self._users:
            users = [m for m in self.workspace.members if package in with_local_dependencies(m)] or [package]
            versions = burn_versions(package, self._option)
            self._users[package.root] = list(
                product(versions.all if versions is not None else (), users, PLATFORMS)
            )
        for version, user, platform in self._users[package.root]:
            key = version, user.root, platform
            if key not in self._widest:
                made = self._builder(version).build(user, Request(all=True), platform, dev=True)
                self._widest[key] = made
            yield user, self._widest[key]

    @cached_property
    def builds(self) -> list[Build]:
        return [build for program in programs(self.workspace) for build in self._of(program)]

    def _platforms(self, program: Program) -> tuple[str, ...]:
        """One platform will do where no entry depends on it."""
        if self._flags.target is not None:
            return (self._flags.target,)
        reached = with_local_dependencies(program.package)
        return PLATFORMS if any(d.target for p in reached for d in p.dependencies) else PLATFORMS[:1]

    def _of(self, program: Program) -> Iterator[Build]:
        versions = burn_versions(program.package, self._option)
        if versions is None:
            return
        for version in versions.all:
            for platform in self._platforms(program):
                plain: Build | None = None
                for asked, request in self._requests(program.package):
                    build = self._build(program, version, platform, asked, request, plain)
                    if build is not None:
                        plain = build if asked is None else plain
                        yield build

    def _build(
        self,
        program: Program,
        version: Version,
        platform: str,
        asked: str | None,
        request: Request,
        plain: Build | None,
    ) -> Build | None:
        features = self._builder(version).build(program.package, request, platform, dev=program.dev)
        own = features.own.activated[program.package.root, False]
        needed = [set(t.required_features) for t in program.targets]
        if needed and not any(n <= own for n in needed):
            return None
        crates = [(crate, features.version(crate)) for crate in features.crates]
        alone = not self._others.may_add_to(crates, program.package, features.strangers)
        seen = alone and not features.missing
        return Build(program, platform, version, asked, request, features, seen, bool(self._git), plain, self)

    @cached_property
    def _git(self) -> list[tuple[Package, Dependency]]:
        """The entries of burn's crates that come from git."""
        entries = [(p, d) for p in self.workspace.local.values() for d in p.dependencies]
        return [
            (p, d) for p, d in entries if self._leads_to_burn(d) and self.workspace.source_of(d).kind == "git"
        ]

    @cached_property
    def _git_is_locked(self) -> bool:
        """Whether the lock file says what version all that comes from git has."""
        return all(locked_version(package, entry) is not None for package, entry in self._git)

    def _builder(self, version: Version, aside: Aside = 0) -> FeatureBuilder:
        key = version, aside
        if key not in self._builders:
            self._builders[key] = FeatureBuilder(self.workspace, version, aside)
        return self._builders[key]

    def _requests(self, package: Package) -> list[tuple[str | None, Request]]:
        """What the user asks for; else the default features, and each other feature on top of them that
        leads to burn or
        to a local package."""
        given = self._flags.request
        if given is not None:
            known = tuple(f for f in given.features if f.partition("/")[0] in package.features or "/" in f)
            return [(str(self._flags), Request(known, given.default, given.all))]
        leading = {
            d.key
            for d in package.dependencies
            if self._leads_to_burn(d) or self.workspace.local_package(d) is not None
        }
        default = self._closure_of(package, "default")
        found: list[tuple[str | None, Request]] = [(None, Request())]
        for name in package.features:
            reached = self._closure_of(package, name) - default
            if name != "default" and any(_key(value) in leading for value in reached):
                found.append((f"--features {name}", Request((name,))))
        return found if len(found) <= _MOST_REQUESTS else found[:1]

    @staticmethod
    def _closure_of(package: Package, feature: str) -> set[str]:
        """Every string that a local feature leads to within its package, itself included."""
        reached, pending = set(), [feature]
        while pending:
            value = pending.pop()
            if value not in reached:
                reached.add(value)
                pending.extend(r.text for r in package.features.get(value, ()))
        return reached

    def origins(self, build: Build, crate: str) -> list[Origin]:
        """See `Build.origins`."""
        found: list[Origin] = []
        builder = self._builder(build.burn)
        for package, entry, on in self._active_entries(build):
            found.extend(_origins_of(builder, package, entry, on, crate))
        # An entry for the back end's own crate beside one of `burn` that turns it on is there to add
        # features.
        return [o for o in found if o.entry.name != crate] or found

    def _active_entries(self, build: Build) -> Iterator[tuple[Package, Dependency, set[str]]]:
        """The entries of burn's crates that count in a build, with the features of the package that has
        them."""
        platform = Platform.of(build.platform)
        own = build.features.own
        for (root, host), on in own.activated.items():
            package = self.workspace.local.get(str(root)) if not host else None
            if package is None or is_own(package):
                continue
            optional = own.optional.get((root, False), set())
            dev = build.program.dev and package is build.program.package
            for entry in package.dependencies:
                if entry.kind == "build" or (entry.kind == "dev" and not dev):
                    continue
                if entry.optional and entry.key not in optional:
                    continue
                if self._leads_to_burn(entry) and platform.matches(entry.target):
                    yield package, entry, on


def _origins_of(
    builder: FeatureBuilder, package: Package, entry: Dependency, on: set[str], crate: str
) -> Iterator[Origin]:
    if entry.name == crate:
        yield Origin(package, entry, None, None)
        return
    strings: list[tuple[str | None, FeatureRef]] = [(None, ref) for ref in entry.features]
    strings += [
        (name, ref)
        for name in sorted(on & package.features.keys())
        for ref in package.features[name]
        if ref.dependency == entry.key and ref.feature is not None
    ]
    # A crate that is there without any feature is in the build for other reasons; its own name still asks
    # for it.
    always = crate in builder.turned_on(package, entry, None)
    for local_feature, ref in strings:
        asked_for = (
            f"burn-{ref.feature}" == crate
            if always
            else crate in builder.turned_on(package, entry, ref.feature)
        )
        if asked_for:
            yield Origin(package, entry, ref, local_feature)


def _in_every_version(lacks: Lacks, crate: str, builds: Sequence[Build]) -> tuple[str, ...]:
    answers = [lacks(build, crate) if build.has(crate) else () for build in builds]
    return tuple(name for name in answers[0] if all(name in answer for answer in answers))


def _nearest(origins: list[Origin], package: Package) -> list[Origin]:
    """Those of the program's own manifest, where it has any: that is where the program decides."""
    return [o for o in origins if o.package is package] or origins


def _system(platform: str) -> str:
    return {"linux": "Linux", "apple": "macOS", "pc": "Windows"}[
        platform.split("-")[1].replace("unknown", "linux")
    ]


def _key(value: str) -> str:
    """The dependency key that a feature's value names, if it names one."""
    return value.removeprefix("dep:").partition("/")[0].removesuffix("?")
