"""Compile every fixture and run every proof on the real burn: `python -m tools.fixtures`.

One Cargo package per folder of `fixtures/crates/` (one burn version and feature set each). The package is
written under the target folder, never into the checkout: the manifest is copied, and the sources point back
into `fixtures/` by path.

- `fixtures/<topic>/<rule>/*.rs` becomes a module of the library, and has to compile;
- `fixtures/<topic>/<rule>/<name>/Cargo.toml` (a mini project) becomes a package of the same workspace, when
  it has a `src/lib.rs` or `src/main.rs` (topic `cargo` left out: there the features are the case);
- so do the programs of `fixtures/migration/programs`, as they were (`before`) and as the fixes make them (`after`);
- the Rust examples of the rules' pages become modules too (those that fire only where the pitfall compiles);
- `proof*.rs` becomes a module of the test binary of its topic, and has to pass;
- `fixtures/<topic>/<rule>/compile_fail/*.rs` is compiled alone and must not compile: rustc has to give each
  of the errors of its first lines (`//@ error = "E0277"`: a code, or words of a message without one), at
  least one in each paragraph with a mark, and none elsewhere. Its `.fixed.rs` becomes a module of the
  library.

The first line `//@ burn = "0.21"` names the burn version of a file (default: the newest), a mini project's
own manifest that of the project. The target folder is CARGO_TARGET_DIR, or `burnlint/fixtures` in the user's
cache folder, so that a second run is cheap.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnlint.lint.page import page_of
from burnlint.lint.ranges import holds
from burnlint.lint.registry import load
from burnlint.lint.rule import LoadedRule
from tools import compile_fail

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
DIRECTIVE = re.compile(r'//@ burn = "([^"]+)"')
OUTSIDE = re.compile(r"\bburn_onnx::|\"OUT_DIR\"")
"""What an example holds that only compiles with burn-onnx."""
COMPILE_FAIL = "compile_fail"
"""The folder of a rule's files that must not compile."""


@dataclass
class Crate:
    """One package: a folder of `fixtures/crates/` and the sources that belong to its burn version."""

    folder: Path
    burn: str
    """The exact version, as in `0.22.1`."""
    modules: list[Path] = field(default_factory=list)
    proofs: list[Path] = field(default_factory=list)
    projects: list[Path] = field(default_factory=list)
    failures: list[Path] = field(default_factory=list)
    """Files that must not compile."""

    @property
    def minor(self) -> str:
        """`0.22`: what a fixture's directive names."""
        return ".".join(self.burn.split(".")[:2])


def crates() -> list[Crate]:
    """The packages with all their sources, newest burn first.

    Raises SystemExit when a fixture names a version that none has.
    """
    found = []
    for manifest in sorted((FIXTURES / "crates").glob("*/Cargo.toml")):
        dependency = tomllib.loads(manifest.read_text())["dependencies"]["burn"]
        found.append(Crate(manifest.parent, dependency["version"].removeprefix("=")))
    found.sort(key=lambda crate: [int(part) for part in crate.burn.split(".")], reverse=True)
    by_minor = {crate.minor: crate for crate in found}

    def owner(version: str, source: Path) -> Crate:
        minor = ".".join(version.lstrip("=^~ ").split(".")[:2])
        if minor not in by_minor:
            sys.exit(
                f"{source}: no crate under fixtures/crates/ has burn {version} (known: {', '.join(by_minor)})"
            )
        return by_minor[minor]

    for source in sorted([*FIXTURES.glob("*/*/*.rs"), *FIXTURES.glob(f"*/*/{COMPILE_FAIL}/*.rs")]):
        if source.is_relative_to(FIXTURES / "crates"):
            continue
        for version in versions(source) or [found[0].minor]:
            crate = owner(version, source)
            if source.parent.name == COMPILE_FAIL and not source.name.endswith(".fixed.rs"):
                crate.failures.append(source)
            else:
                (crate.proofs if source.name.startswith("proof") else crate.modules).append(source)
    programs = FIXTURES.glob("migration/programs/*/*/Cargo.toml")
    for manifest in sorted([*FIXTURES.glob("*/*/*/Cargo.toml"), *programs]):
        if manifest.parts[len(FIXTURES.parts)] == "cargo" or entry(manifest.parent) is None:
            continue
        dependencies = tomllib.loads(manifest.read_text())["dependencies"]
        tables = {
            name: {"version": each} if isinstance(each, str) else each for name, each in dependencies.items()
        }
        burn = next(each for name, each in tables.items() if each.get("package", name) == "burn")
        owner(burn["version"], manifest).projects.append(manifest.parent)
    return found


def versions(source: Path) -> list[str]:
    """The burn versions that the first line of a fixture names, `[]` when it names none."""
    with source.open(encoding="utf-8") as lines:
        match = DIRECTIVE.match(lines.readline())
    return re.split(r",\s*", match[1]) if match else []


def entry(project: Path) -> Path | None:
    """The root file of a mini project."""
    return next((root for root in (project / "src/lib.rs", project / "src/main.rs") if root.is_file()), None)


def page_examples(rule: LoadedRule, heading: str) -> list[str]:
    """The code of a section of a rule's page as whole files: hidden lines shown, Rust statements put into a
    function."""
    page = page_of(rule)
    section = page.section(heading)
    blocks = [block.text for block in section.blocks if block.code] if section else []
    if page.language != "rust":
        return blocks
    codes = [re.sub(r"^(\s*)#(?: |$)", r"\1", block, flags=re.M) for block in blocks]
    has_items = re.compile(r"\b(?:fn|impl|struct|enum|trait|macro_rules!)\b")
    return [code if has_items.search(code) else f"fn main() {{\n{code}\n}}" for code in codes]


def version_of(rule: LoadedRule, known: Iterable[str]) -> str:
    """The newest of the versions of burn that a rule is about: for it its page is written."""
    return next(version for version in known if holds(rule.rule.burn, (version,)))


def pages(burn: str, known: Collection[str]) -> dict[str, str]:
    """The examples of the rules that are written for a version of burn and have to compile, as files below
    `src/`. Those that need burn-onnx or what it generates are left out: no crate of fixtures builds it."""
    files = {}
    for rule in load().rules:
        if not rule.check or version_of(rule, known) != burn:
            continue
        for heading in ("Clean",) if rule.rule.symptom == "compile" else ("Fires", "Clean"):
            for number, code in enumerate(page_examples(rule, heading)):
                if OUTSIDE.search(code):
                    continue
                files[f"{identifier(rule.rule.name)}_{heading.lower()}_{number}.rs"] = code + "\n"
    return files


def identifier(name: str) -> str:
    return re.sub(r"\W", "_", name)


def rule_folder(source: Path) -> Path:
    """The folder of the rule that a fixture file belongs to."""
    return source.parent.parent if source.parent.name == COMPILE_FAIL else source.parent


def nested(sources: list[Path]) -> Iterator[str]:
    """Modules `topic::rule::file`, each with its absolute path."""
    for topic in sorted({rule_folder(source).parent for source in sources}):
        yield f"pub mod {identifier(topic.name)} {{"
        for rule in sorted({rule_folder(each) for each in sources if rule_folder(each).parent == topic}):
            yield f"    pub mod {identifier(rule.name)} {{"
            for source in sorted(source for source in sources if rule_folder(source) == rule):
                name = source.relative_to(rule).with_suffix("").as_posix()
                yield f'        #[path = "{source.as_posix()}"]'
                yield f"        pub mod {identifier(name)};"
            yield "    }"
        yield "}"


def write(crate: Crate, out: Path, examples: Mapping[str, str]) -> Path:
    """Write the package of `crate`, with the examples of pages, below `out`; returns its manifest.

    What is right already keeps its time stamp.
    """
    package = out / crate.folder.name
    modules = [*nested(crate.modules), "pub mod pages {"]
    modules += [f"    pub mod {name.removesuffix('.rs')};" for name in sorted(examples)]
    files = {"src/lib.rs": "\n".join(["#![allow(warnings)]", *modules, "}"]) + "\n"}
    files |= {f"src/pages/{name}": text for name, text in examples.items()}
    for topic in sorted({proof.parent.parent.name for proof in crate.proofs}):
        proofs = [proof for proof in crate.proofs if proof.parent.parent.name == topic]
        files[f"tests/{identifier(topic)}.rs"] = "\n".join(nested(proofs)) + "\n"
    members = {"-".join(project.parts[-3:]): project for project in crate.projects}
    own = (crate.folder / "Cargo.toml").read_text()
    burn = tomllib.loads(own)["dependencies"]["burn"]
    for name, project in members.items():
        files[f"{name}/Cargo.toml"] = member(name, project, burn)
    files[f"{compile_fail.PACKAGE}/Cargo.toml"] = compile_fail.manifest(
        crate.failures, inline(burn), crate.minor
    )
    files[f"{compile_fail.PACKAGE}/empty.rs"] = ""
    names = [*members, compile_fail.PACKAGE]
    files["Cargo.toml"] = own.replace("[workspace]\n", f"[workspace]\nmembers = {inline(names)}\n")
    for stale in package.glob("tests/*.rs"):
        if f"tests/{stale.name}" not in files:
            stale.unlink()
    for file, text in files.items():
        path = package / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
    return package / "Cargo.toml"


def member(name: str, project: Path, burn: dict[str, Any]) -> str:
    """The manifest that compiles a mini project: its own, with burn as the crate has it."""
    own = tomllib.loads((project / "Cargo.toml").read_text())
    package = own["package"] | {"name": name}
    lines = ["[package]", *(f"{key} = {inline(value)}" for key, value in package.items())]
    for kind, root in (("lib", "src/lib.rs"), ("[bin]", "src/main.rs")):
        if (project / root).is_file():
            target = identifier(own["package"]["name"]) if kind == "lib" else name
            lines += [f"[{kind}]", f'name = "{target}"', f"path = {inline((project / root).as_posix())}"]
    lines.append("[dependencies]")
    for key, value in own["dependencies"].items():
        value = {"version": value} if isinstance(value, str) else value
        if value.get("package", key) == "burn":
            value = burn | {"package": "burn"}
        lines.append(f"{inline(key)} = {inline(value)}")
    return "\n".join(lines) + "\n"


def inline(value: object) -> str:
    """A value in TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{inline(key)} = {inline(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def target_folder(name: str = "fixtures") -> Path:
    """Where cargo builds: outside of the checkout, and kept between runs."""
    if chosen := os.environ.get("CARGO_TARGET_DIR"):
        return Path(chosen).resolve()
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "burnlint" / name


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.fixtures", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--burn", metavar="VERSION", help="only the crate of this burn version, as in 0.22")
    parser.add_argument("--no-run", action="store_true", help="compile everything, run no proof")
    parser.add_argument("--only-failures", action="store_true", help="compile only what must not compile")
    parser.add_argument("cargo", nargs="*", help="further arguments for `cargo test`, after `--`")
    options = parser.parse_args()
    if shutil.which("cargo") is None:
        sys.exit("cargo is not installed: the fixtures cannot be compiled (https://rustup.rs installs it)")
    target = target_folder()
    everything = crates()
    chosen = [crate for crate in everything if options.burn in (None, crate.minor, crate.burn)]
    if not chosen:
        sys.exit(f"no crate under fixtures/crates/ has burn {options.burn}")
    status = 0
    for crate in chosen:
        examples = pages(crate.burn, [each.burn for each in everything])
        manifest = write(crate, target / "packages", examples)
        print(
            f"burn {crate.burn}: {len(crate.modules)} fixture files, {len(crate.projects)} mini projects, "
            f"{len(examples)} examples of pages, {len(crate.failures)} files that must not compile, "
            f"{len(crate.proofs)} proofs",
            flush=True,
        )
        command = [
            "cargo",
            "test",
            "--workspace",
            "--exclude",
            compile_fail.PACKAGE,
            "--quiet",
            "--no-fail-fast",
            "--manifest-path",
            str(manifest),
        ]
        command += ["--no-run"] * options.no_run + options.cargo
        environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
        if not options.only_failures:
            ran = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL)
            status = status or ran.returncode
        for problem in compile_fail.problems(manifest, crate.failures, environment):
            print(problem)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
