"""The programs of a workspace and how they may be built: what decides the speed of burn is what the final
program turns on.

A library leaves features to the program that uses it, so that nothing is said of a library alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from burnlint.burn.backends import DISPATCHED
from burnlint.burn.family import is_own
from burnlint.burn.features import BurnFeatures
from burnlint.cargo.features import Request
from burnlint.cargo.manifest import At
from burnlint.cargo.model import Dependency, FeatureRef, Package, Target, Workspace
from burnlint.cargo.semver import Version

if TYPE_CHECKING:
    from burnlint.burn.plan import BuildPlan

_NO_STD = re.compile(rb"#!\[\s*(?:cfg_attr\s*\(.*,\s*)?no_std\b")
_WEB = ("wasm-bindgen", "wasm-bindgen-futures", "web-sys", "js-sys", "wasm-pack")


@dataclass(slots=True, eq=False)
class Program:
    """A package that makes programs: binaries, examples, or a library that is loaded as one (`cdylib`,
    `staticlib`).

    A package without any target counts as one: its manifest is looked at alone.
    """

    package: Package
    targets: Sequence[Target]
    dev: bool
    """Whether these are examples, which are built with dev-dependencies."""

    @property
    def name(self) -> str:
        return self.package.name


def programs(workspace: Workspace) -> Iterator[Program]:
    """The programs of the members."""
    for package in workspace.members:
        if is_own(package):
            continue
        final = [
            t for t in package.targets if t.kind == "bin" or {"cdylib", "staticlib"} & set(t.crate_types)
        ]
        examples = [t for t in package.targets if t.kind == "example"]
        if final or not package.targets:
            yield Program(package, final, False)
        if examples:
            yield Program(package, examples, True)


def for_the_web(package: Package) -> bool:
    """Whether the package is compiled to WebAssembly: rayon and the disk are not there."""
    return any(d.name in _WEB and d.kind == "normal" and not d.optional for d in package.dependencies)


def without_std(package: Package) -> bool:
    """Whether a root file of the package says `#![no_std]`, also conditionally."""
    for target in package.targets:
        text = package.workspace.files.text(target.path) if target.kind in ("lib", "bin") else None
        if text is not None and _NO_STD.search(text.content):
            return True
    return False


@dataclass(slots=True, frozen=True)
class Origin:
    """A string or entry of a manifest that turns a crate on in a build."""

    package: Package
    entry: Dependency
    """The dependency whose feature it is."""
    ref: FeatureRef | None
    """The string; `None` where the entry alone does it."""
    local_feature: str | None
    """The line of `[features]` that holds the string; `None` for a string in the entry's own list."""

    @property
    def feature(self) -> str | None:
        """The dependency's feature that the string names."""
        return self.ref.feature if self.ref is not None else None

    @property
    def at(self) -> At:
        return self.ref.at if self.ref is not None else self.entry.at


@dataclass(slots=True, frozen=True)
class Flags:
    """What the user says of the build that is meant; the fields are Cargo's options."""

    features: tuple[str, ...] = ()
    all_features: bool = False
    default_features: bool = True
    target: str | None = None

    @property
    def request(self) -> Request | None:
        """`None` where nothing is said about features: then each feature is tried on top of the default
        ones."""
        request = Request(self.features, self.default_features, self.all_features)
        return None if request == Request() else request

    def __str__(self) -> str:
        words = ["--all-features"] if self.all_features else []
        words += [] if self.default_features else ["--no-default-features"]
        words += [f"--features {','.join(self.features)}"] if self.features else []
        return " ".join(words)


@dataclass(slots=True, eq=False)
class Build:
    """One way to build a program."""

    program: Program
    platform: str
    burn: Version
    asked: str | None
    """The options that it is built with, as on Cargo's command line; `None` for a plain build."""
    request: Request
    features: BurnFeatures
    seen: bool
    """False where a package of other people may turn features of burn on too, or a feature that is asked for does not
    exist."""
    from_git: bool
    """Whether a crate of burn's comes from git, where the released feature tables are the nearest known."""
    plain: Build | None
    """The same build without `asked`; `None` where nothing is asked, or where it makes no program."""
    _plan: BuildPlan = field(repr=False)

    @property
    def certain(self) -> bool:
        """False where the answer may be another one."""
        return self.seen and not self.from_git

    @property
    def name(self) -> str:
        """The program and how it is built, for a message: "`tool` with `--features gpu`"."""
        package = f"`{self.program.name}`"
        return package if self.asked is None else f"{package} with `{self.asked}`"

    def has(self, crate: str, feature: str | None = None) -> bool:
        """Whether a crate is in the program, with that feature."""
        on = self.features.of(crate)
        return on is not None and (feature is None or feature in on)

    @property
    def executes(self) -> bool:
        """Whether burn has a back end in this build (or records for one); from 0.22 on."""
        # Pre-releases of 0.22 have Flex in every build, as their default device.
        return self.has("burn-flex") or any(self.has("burn-dispatch", feature) for feature in DISPATCHED)

    def knows(self, crate: str, feature: str) -> bool:
        """Whether the version of the crate that is built has a feature of that name at all."""
        return feature in self.features.known(crate)

    def origins(self, crate: str) -> list[Origin]:
        """What in the project's manifests turns a crate of burn's on; empty where it is not in the
        program."""
        return self._plan.origins(self, crate) if self.has(crate) else []


Lacks = Callable[[Build, str], Sequence[str]]
"""What a back end's crate lacks in one build."""


@dataclass(slots=True, frozen=True)
class Lack:
    """A back end that lacks something in some way to build some program, whatever admitted version of burn
    it takes."""

    crate: str
    origin: Origin
    """What turns the back end on; of several strings of one list the first."""
    names: tuple[str, ...]
    builds: tuple[Build, ...]
    """That way to build, for each version of burn."""
    where: str
    """` on macOS` and the like, where it lacks something on some platforms only."""
    certain: bool
    """Whether there is no doubt about that. Burn from git may be anything between the release before the one that its
    number names and the one after it: there is none where it lacks the same with all three."""

    @property
    def build(self) -> Build:
        """The build with the newest version."""
        return self.builds[-1]

    @property
    def program(self) -> str:
        """The program, how it is built and on what platform, for a message."""
        return self.build.name + self.where
