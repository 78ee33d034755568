"""Run proofs on releases of burn that `python -m tools.fixtures` does not build, and keep the results:
`python -m tools.proofs [--burn VERSION ...] [--select WORD ...] [--again]`.

A release never changes, so that a program run on it once need not run again until the program changes. The
results stand in `fixtures/proofs.tsv` (program, hash of its text, version of burn, result), and a test holds
each version that a rule names as `proven` to a line whose hash is still that of the program.

The programs are the `proof*.rs` and `compile_fail/*.rs` of a crate in `fixtures/crates/`, run as they are on
the releases before it, down to the next crate: those for 0.21 on all up to 0.20.1, those for 0.22.1 on 0.22.0.
A program in another folder of a rule names the crates that it is built with, in its second line
(`//@ dependencies = { burn = { features = ["std"] } }`, with a version for those that are not burn's); it runs on
every release up to the one that its first line names. Those in a folder `gpu` take a Vulkan device, of which Mesa's
lavapipe is one in software, without a card.

- `holds`: the proof's tests pass, or rustc refuses the program as it says;
- `fails`: they fail, or rustc takes the program or refuses it otherwise;
- `does not compile`: that release has another API than the proof, or not the features.

The target folder is CARGO_TARGET_DIR, or `burnlint/proofs` in the user's cache folder.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from burnlint.burn.releases import releases
from burnlint.burn.versions import RELEASED
from burnlint.cargo.semver import Version
from tools import compile_fail
from tools.fixtures import FIXTURES, crates, inline, target_folder, versions

RECORD = FIXTURES / "proofs.tsv"
HOLDS, FAILS, NO_API = "holds", "fails", "does not compile"
_COLUMNS = ("program", "hash", "burn", "result")
_DEPENDENCIES = re.compile(r"^//@ dependencies = (.+)$", re.M)
_SPARED = {
    "train": ("burn::train", "burn::data"),
    "store": ("burn::store",),
    "pytorch": ("Pytorch",),
    "ndarray": ("NdArray", "ndarray"),
    "autodiff": ("utodiff",),
}
"""Features that take long to build, and words of the programs that need them."""
SHIM = """\
[package]
name = "burn"
version = "{burn}"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
burn-tensor = "={burn}"
"""
"""A crate in place of `burn` for programs that use nothing but `burn::tensor`, which is burn-tensor: it takes a tenth of
the time."""
_OTHER = re.compile(r"\bburn::(?!tensor\b)|\bserde\b")
_PACKAGE, _TEST = "proofs", "all"

Record = dict[tuple[str, str], tuple[str, str]]
"""Hash and result by program (path below `fixtures/`) and version."""


@dataclass(frozen=True)
class Programs:
    """Programs that are built with the same crates, and the releases that they are run on."""

    dependencies: Mapping[str, Mapping[str, Any]]
    releases: Sequence[str]
    proofs: Sequence[Path]
    failures: Sequence[Path] = ()
    """Those that must not compile."""
    exact: bool = False
    """Whether a release without one of the features is none for them; else it is built without that feature."""
    shim: bool = False
    """Whether burn-tensor is all of burn that they use, and a crate in place of `burn` will do."""


def name_of(program: Path) -> str:
    """Its path below `fixtures/`."""
    return program.relative_to(FIXTURES).as_posix()


def digest(program: Path) -> str:
    """What tells whether a program changed; line ends do not count."""
    return hashlib.sha256(program.read_text(encoding="utf-8").encode()).hexdigest()[:16]


def read() -> Record:
    """The results that are kept."""
    if not RECORD.is_file():
        return {}
    with RECORD.open(encoding="utf-8") as handle:
        rows = csv.DictReader(handle, delimiter="\t")
        return {(row["program"], row["burn"]): (row["hash"], row["result"]) for row in rows}


def write(record: Record) -> None:
    """Keep the results, in order of programs and versions."""
    lines = ["\t".join(_COLUMNS)]
    for (program, burn), row in sorted(
        record.items(), key=lambda each: (each[0][0], Version.parse(each[0][1]))
    ):
        lines.append("\t".join((program, row[0], burn, row[1])))
    RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")


def holds_on(program: Path, burn: str, record: Record) -> bool:
    """Whether the program as it is now was seen to hold on a release."""
    return record.get((name_of(program), burn)) == (digest(program), HOLDS)


def programs() -> Iterator[Programs]:
    """All that is to be run."""
    newest: dict[str, str] = {}
    bound = ""
    for crate in reversed(crates()):
        own = tomllib.loads((crate.folder / "Cargo.toml").read_text())["dependencies"]
        before = [each for each in RELEASED if _between(bound, each, crate.burn) and each != crate.burn]
        yield Programs({"burn": own["burn"]}, before, crate.proofs, crate.failures)
        newest[crate.minor] = bound = crate.burn
    for program in sorted(FIXTURES.glob("*/*/*/*.rs")):
        asked = _asked(program)
        if asked:
            [minor] = versions(program)
            below = max((each for each in newest.values() if each < newest[minor]), default="")
            on = [each for each in RELEASED if _between(below, each, newest[minor])]
            yield Programs(tomllib.loads(f"it = {asked[1]}")["it"], on, [program], exact=True)


def _asked(program: Path) -> re.Match[str] | None:
    """The crates that a program asks for."""
    return _DEPENDENCIES.search("\n".join(program.read_text(encoding="utf-8").splitlines()[:2]))


def is_apart(program: Path) -> bool:
    """Whether a program is built with crates of its own, so that only this tool runs it, on all releases."""
    return _asked(program) is not None


def _between(below: str, release: str, upto: str) -> bool:
    version = Version.parse(release)
    return version <= Version.parse(upto) and (not below or Version.parse(below) < version)


def manifest(group: Programs, burn: str) -> str:
    """A package with the proofs as one test binary, and each program that must not compile as a target of its own, on
    exactly that release of burn."""
    known, version = releases(), Version.parse(burn)
    texts = [program.read_text(encoding="utf-8") for program in (*group.proofs, *group.failures)]
    lines = ["[package]", f'name = "{_PACKAGE}"', 'version = "0.0.0"', 'edition = "2024"', "publish = false"]
    lines += [
        "autotests = false",
        "",
        "[workspace]",
        "",
        "[lib]",
        'path = "empty.rs"',
        "test = false",
        "",
        "[dependencies]",
    ]
    if group.shim:
        lines.append('burn = { path = "burn" }')
    for name, entry in () if group.shim else group.dependencies.items():
        features = [
            feature
            for feature in entry["features"]
            if any(word in text for text in texts for word in _SPARED.get(feature, ("",)))
            and (group.exact or (r := known.get(name, version)) is None or feature in r.features)
        ]
        listed = ", ".join(json.dumps(feature) for feature in features)
        exact = f"={burn}" if name.startswith("burn") else entry["version"]
        lines.append(f'{name} = {{ version = "{exact}", default-features = false, features = [{listed}] }}')
        if "train" in features:
            lines.append('systemstat = { version = "=0.2.7", optional = true }')
    if not group.shim and version < Version.parse("0.16.0"):
        # burn-core admits a later release of the macros than its bincode compiles with.
        lines += [
            f'{name} = {{ version = "=2.0.0-rc.3", optional = true }}'
            for name in ("bincode", "bincode_derive")
        ]
    # Never activated: they hold burn's own crates at that release.
    crates = {"burn-tensor"} if group.shim else {"burn"}
    held = [name for name in own_crates(version, crates) if name not in group.dependencies]
    lines += [f'{name} = {{ version = "={burn}", optional = true }}' for name in held]
    lines += [] if group.shim else ['serde = "1"']
    lines += ["", "[profile.dev]", "debug = 0", "incremental = false"]
    if group.proofs:
        lines += ["", "[[test]]", f'name = "{_TEST}"', f'path = "{_TEST}.rs"']
    for number, program in enumerate(group.failures):
        lines += ["", "[[example]]", f'name = "case_{number}"', f"path = {inline(program.as_posix())}"]
        lines.append('crate-type = ["lib"]')
    return "\n".join(lines) + "\n"


def own_crates(version: Version, roots: Collection[str]) -> list[str]:
    """The crates of burn's that some of a release may be built with and that came out with it."""
    known, found, pending = releases(), set[str](), [*roots]
    while pending:
        release = known.get(pending.pop(), version)
        names = {each.name for each in release.dependencies} if release is not None else set()
        new = {name for name in names - found if name.startswith("burn-") and version in known.versions(name)}
        found |= new
        pending += new
    return sorted(found)


def due_of(programs: Sequence[Path], burn: str, record: Record, words: Sequence[str]) -> list[Path]:
    """Those of the programs whose result on a release is not known, of those with one of the words in the path."""
    return [
        program
        for program in programs
        if (not words or any(word in name_of(program) for word in words))
        and record.get((name_of(program), burn), ("", ""))[0] != digest(program)
    ]


def parts(group: Programs) -> Iterator[Programs]:
    """What is built together: apart from the rest, what must not compile and uses tensors alone."""
    tensors = [each for each in group.failures if not _OTHER.search(each.read_text(encoding="utf-8"))]
    others = [each for each in group.failures if each not in tensors]
    for part in (replace(group, failures=others), replace(group, proofs=[], failures=tensors, shim=True)):
        if part.proofs or part.failures:
            yield part


def run(group: Programs, burn: str, out: Path, jobs: int) -> Iterator[tuple[Path, str]]:
    """Each program with what came of it. Raises SystemExit when cargo cannot build burn for a group of them."""
    package = out / "packages" / f"proofs-{burn}"
    package.mkdir(parents=True, exist_ok=True)
    (package / "empty.rs").write_text("")
    (package / "Cargo.lock").unlink(missing_ok=True)
    path = package / "Cargo.toml"
    path.write_text(manifest(group, burn))
    if group.shim:
        (package / "burn").mkdir(exist_ok=True)
        (package / "burn/Cargo.toml").write_text(SHIM.format(burn=burn))
        (package / "burn/lib.rs").write_text("pub use burn_tensor as tensor;\n")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(out)}
    # What must not compile needs no code of burn's.
    command = "build" if group.proofs else "check"
    cargo = ["cargo", command, "--manifest-path", str(path), f"-j{jobs}", "--message-format", "json"]
    built = _run([*cargo, "--quiet", "--lib"], environment)
    if built.returncode:
        if not group.exact:
            sys.exit(f"burn {burn} cannot be built:\n{built.stderr[-4000:]}")
        print(built.stderr.strip()[:300])
        yield from ((program, NO_API) for program in group.proofs)
        return
    if group.proofs:
        yield from _proofs(group.proofs, [*cargo, "--quiet", "--tests"], package / f"{_TEST}.rs", environment)
    if group.failures:
        problems = list(compile_fail.problems(path, group.failures, environment, _PACKAGE, command))
        for program in group.failures:
            own = [each for each in problems if each.startswith(str(program)) or not each.startswith("/")]
            print("\n".join(own)[:300], end="\n" if own else "")
            yield program, FAILS if own else HOLDS


def _run(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def _proofs(
    programs: Sequence[Path], cargo: Sequence[str], root: Path, environment: Mapping[str, str]
) -> Iterator[tuple[Path, str]]:
    """Each proof with what came of it; all that compile are modules of one binary."""
    left = {f"case_{number}": program for number, program in enumerate(programs)}
    while left:
        root.write_text(
            "".join(f"#[path = {inline(p.as_posix())}]\nmod {case};\n" for case, p in left.items())
        )
        messages = [json.loads(line) for line in _run(cargo, environment).stdout.splitlines()]
        binary = next((each["executable"] for each in messages if each.get("executable")), None)
        if binary is not None:
            for case, program in left.items():
                yield program, HOLDS if passes(binary, f"{case}::") else FAILS
            return
        # rustc stops at the first kind of error, so that a later round may show more of them.
        refused = {name for each in messages for name in files_of(each)}
        broken = [case for case, program in left.items() if str(program) in refused]
        if not broken:
            sys.exit(f"the proofs cannot be built, and no error names one of them: {root}")
        yield from ((left.pop(case), NO_API) for case in broken)


def files_of(message: Mapping[str, Any]) -> Iterator[str]:
    """The files that an error of rustc's points to, through the macros that it comes from."""
    if message.get("reason") != "compiler-message" or message["message"]["level"] != "error":
        return
    for each in (message["message"], *message["message"]["children"]):
        for span in each["spans"]:
            at = span
            while at is not None:
                yield at["file_name"]
                at = (at.get("expansion") or {}).get("span")


def passes(binary: str, module: str) -> bool:
    """Whether a module of a test binary has tests and all of them pass."""
    ran = subprocess.run(
        [binary, module], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600
    )
    if ran.returncode:
        print(ran.stdout[-1500:])
    return ran.returncode == 0 and " 0 passed" not in ran.stdout


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.proofs", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--burn", nargs="+", metavar="VERSION", help="only these releases, in this order")
    parser.add_argument(
        "--select", nargs="+", default=(), metavar="WORD", help="only programs with it in the path"
    )
    parser.add_argument("--again", action="store_true", help="run also what was run before")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    options = parser.parse_args()
    unknown = set(options.burn or ()) - set(RELEASED)
    if unknown:
        sys.exit(f"no such release: {', '.join(sorted(unknown))} (known: {', '.join(RELEASED)})")
    for burn in options.burn or reversed(RELEASED):
        for group in programs():
            if burn not in group.releases:
                continue
            record = {} if options.again else read()
            due = replace(
                group,
                proofs=due_of(group.proofs, burn, record, options.select),
                failures=due_of(group.failures, burn, record, options.select),
            )
            for part in parts(due):
                count = len(part.proofs) + len(part.failures)
                print(f"burn {burn}: {count} programs", flush=True)
                record = read()
                for program, result in run(part, burn, target_folder("proofs"), options.jobs):
                    record[name_of(program), burn] = digest(program), result
                    print(f"  {result}: {name_of(program)}", flush=True)
                    write(record)
    return 0


if __name__ == "__main__":
    sys.exit(main())
