"""What is fuzzed. A target makes one input from a generator of random numbers, and judges what burnlint makes
of it: it may refuse, with the exception that its caller turns into a message, and nothing else may happen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import click

from burnlint.cli.options import Given
from burnlint.cli.session import Session
from burnlint.lint import baseline, config, fix, registry, why, why_data, why_log
from burnlint.lint.protocol import Project
from burnlint.lint.result import Result
from burnlint.report import FORMATS, RenderOptions, render
from burnlint.rust import parser
from tools.fuzz import mutate

ROOT = Path(__file__).resolve().parent.parent.parent
VERSIONS = ("0.13.2", "0.16.0", "0.19.1", "0.21.0", "0.22.1")
SLOWEST = 10
"""How many times its parse one input may take, and two seconds besides (inputs up to 100 KB)."""


class Failure(Exception):
    """What must not happen."""


@dataclass
class Workshop:
    """What the targets need: a folder of their own (the working directory) and real text to change."""

    corpus: tuple[Path, ...] = ()

    @cached_property
    def pool(self) -> mutate.Pool:
        sources = sorted((ROOT / "fixtures").glob("*/*/*.rs"))
        for folder in self.corpus:
            sources += sorted(folder.rglob("*.rs"))[:200]
        return mutate.Pool(sources)

    @cached_property
    def manifests(self) -> list[bytes]:
        found = [*(ROOT / "fixtures").rglob("Cargo.toml"), *(ROOT / "examples").rglob("Cargo.toml")]
        return [path.read_bytes() for path in sorted(found)]

    @cached_property
    def logs(self) -> list[bytes]:
        found = [
            path for path in sorted((ROOT / "tests" / "why").rglob("*")) if path.suffix in (".toml", ".txt")
        ]
        return [each for path in found for each in path.read_bytes().split(b"\n\n")]

    def lint(self, contents: dict[str, bytes], version: str | None) -> tuple[Session, Project, Result]:
        """Lint these files (paths from here) with every rule."""
        for path, content in contents.items():
            Path(path).write_bytes(content)
        given = Given(
            paths=tuple(sorted(contents)),
            select=("all",),
            min_confidence="low",
            no_baseline=True,
            no_ignore=True,
            burn_version=version,
        )
        session = Session(given)
        project, result = session.lint({})
        for note in result.notes:
            if note.kind == "rule-crashed":
                raise Failure(note.message)
        return session, project, result


def rust(rng: Random, shop: Workshop) -> None:
    """A Rust file, linted; sometimes fixed, sometimes reported."""
    content = mutate.rust(rng, shop.pool)
    began = time.process_time()
    parser.parse(content)
    parsed = time.process_time()
    session, project, result = shop.lint({"main.rs": content}, rng.choice(VERSIONS))
    took, limit = time.process_time() - parsed, SLOWEST * (parsed - began) + 2
    if len(content) <= 100_000 and took > limit:
        raise Failure(f"took {took:.1f} s, more than {limit:.1f} s, for {len(content)} bytes")
    if result.findings and rng.random() < 0.2:
        _report(rng, result)
    if any(each.finding.fix for each in result.findings) and rng.random() < 0.5:
        outcome = fix.fix(session.lint, {}, unsafe=True)
        for path, after in outcome.contents.items():
            if project.parses(path, outcome.before[path]) and not project.parses(path, after):
                raise Failure("a fix leaves a file that does not parse")


def _report(rng: Random, result: Result) -> None:
    name = rng.choice(sorted(FORMATS))
    text = render(name, result, RenderOptions())
    if name in ("json", "sarif", "gitlab"):
        json.loads(text)
    text.encode()


def manifest(rng: Random, shop: Workshop) -> None:
    """A Cargo.toml with a source beside it."""
    content = rng.choice(shop.manifests)
    for _ in range(rng.randint(1, 3)):
        content = mutate.text(content, rng)
    Path("package/src").mkdir(parents=True, exist_ok=True)
    try:
        shop.lint({"package/Cargo.toml": content, "package/src/main.rs": b"fn main() {}\n"}, None)
    except click.ClickException as error:  # no TOML: said with its place
        if "Cargo.toml" not in error.format_message():
            raise Failure("an error without its place") from error


def configuration(rng: Random, shop: Workshop) -> None:
    """A burnlint.toml."""
    content = _CONFIG
    for _ in range(rng.randint(1, 3)):
        content = mutate.text(content, rng)
    path = Path("burnlint.toml")
    path.write_bytes(content)
    try:
        config.read(path)
    except config.ConfigError as error:
        if not str(error):
            raise Failure("an error without a message") from error
    finally:
        path.unlink()


def accepted(rng: Random, shop: Workshop) -> None:
    """A baseline."""
    content = _BASELINE
    for _ in range(rng.randint(1, 3)):
        content = mutate.text(content, rng)
    path = Path("baseline.txt")
    path.write_bytes(content)
    try:
        read = baseline.read(path)
    except baseline.BaselineError:
        return
    path.write_bytes(baseline.render(read).encode("utf-8", "surrogateescape"))
    if baseline.read(path).keys != read.keys:
        raise Failure("a baseline that is read and written again is another one")


def comments(rng: Random, shop: Workshop) -> None:
    """Suppression comments."""
    content = _COMMENTS
    for _ in range(rng.randint(1, 4)):
        content = mutate.text(content, rng)
    shop.lint({"main.rs": content}, None)


def log(rng: Random, shop: Workshop) -> None:
    """A log for `burnlint why`."""
    content = b"\n".join(rng.choice(shop.logs) for _ in range(rng.randint(1, 3)))
    for _ in range(rng.randint(1, 3)):
        content = mutate.text(content, rng)
    began = time.process_time()
    read = why_log.messages(content.decode("utf-8", "replace"))
    why.hits(read, why_data.load(), registry.load(), lambda path, line: "")
    if time.process_time() - began > 2:
        raise Failure(f"took {time.process_time() - began:.1f} s for a log of {len(content)} bytes")


def editor(rng: Random, shop: Workshop) -> None:
    """Edits of a document, as the language server takes them, and what it answers."""
    from lsprotocol import types

    from burnlint.server.convert import Converter
    from burnlint.server.desk import Desk

    content = mutate.rust(rng, shop.pool)
    Path("main.rs").write_bytes(content)
    version = rng.choice(VERSIONS)
    desk = Desk(lambda paths, contents: _with(shop, contents, version))
    converter = Converter(rng.choice(("utf-8", "utf-16", "utf-32")), desk.uri_of)
    for number in range(2):
        desk.put("file:///main.rs", "main.rs", number, content.decode("utf-8", "replace"))
        snapshot = desk.snapshot()
        try:
            documents = desk.keep(snapshot, desk.look(snapshot))
        except click.ClickException:
            continue
        for document in documents:
            for each in document.findings:
                found = converter.diagnostic(each, document.texts)
                if found.range.end < found.range.start:
                    raise Failure("a range that ends before it starts")
                if each.finding.fix is not None:
                    made = converter.edit([each.finding.fix], document.texts)
                    assert isinstance(made, types.WorkspaceEdit)
        content = mutate.text(content, rng)


def _with(shop: Workshop, contents: object, version: str) -> Result:
    assert isinstance(contents, dict)
    return shop.lint({Path(path).name: content for path, content in contents.items()}, version)[2]


TARGETS: dict[str, tuple[Callable[[Random, Workshop], None], int]] = {
    "rust": (rust, 6),
    "manifest": (manifest, 6),
    "configuration": (configuration, 30),
    "baseline": (accepted, 30),
    "comments": (comments, 8),
    "log": (log, 18),
    "editor": (editor, 2),
}
"""Each target and its share of a hundred inputs."""

_CONFIG = b"""\
extend = "other.toml"
select = ["all", "group:default"]
ignore = ["BL102", "P5"]
fail-on = "warning"
min-confidence = "low"
exclude = ["a/**", "!b"]
burn-version = "0.22.1"
[per-file-ignores]
"tests/*" = ["BL1"]
[severity]
int-sum-wraps = "note"
"""
_BASELINE = b"""\
# burnlint baseline, version 1
src/main.rs int-sum-wraps 0123456789abcdef0123456789abcdef the sum of `a` wraps
"src/a b.rs" flex-single-threaded fedcba9876543210fedcba9876543210 x
"""
_COMMENTS = b"""\
use burn::tensor::Tensor; // burnlint: ignore[tensor-operand-by-ref] -- why
// burnlint: ignore-file[int-sum-wraps, BL105]
fn f(a: Tensor<2>, b: Tensor<2>) -> Tensor<2> {
    /* burnlint: ignore[x] */ // burnlint: ignore[tensor-operand-by-ref
    &a + b // burnlint:ignore[BL110]--
}
#[doc = "// burnlint: ignore[BL110]"] // burnlint: ignore[] -- nothing
mod m { /// burnlint: ignore[BL110]
}
"""
