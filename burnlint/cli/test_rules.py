"""`burnlint test-rules`: the fixtures of a team's own rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from burnlint.cli.options import Given
from burnlint.cli.session import Failure, Session, rules_with
from burnlint.lint.fix import fix
from burnlint.lint.marks import Found, differences, marks
from burnlint.lint.registry import LOCAL_TOPIC, problems
from burnlint.lint.result import Result
from burnlint.lint.rule import LoadedRule
from burnlint.lint.walk import absolute
from burnlint.report.places import plural

_VERSIONS = re.compile(r'//@ burn = "([^"]+)"')


@click.command("test-rules")
@click.argument("folder", type=click.Path())
@click.option("--burn-version", metavar="VERSION", help="For fixtures that name none [default: the newest].")
def command(folder: str, burn_version: str | None) -> int:
    """Run the rules of FOLDER over FOLDER/fixtures/NAME: findings where the comments say, silence elsewhere.

    `//~ name` marks a line where the rule fires, `//~? name` a known miss, `//~! name` a known false alarm;
    `//@ burn = "0.21"` as first line names the burn version; NAME.fixed.rs is what the fixes make of NAME.rs;
    a folder with a Cargo.toml is a project of its own.
    """
    if not Path(folder).is_dir():
        raise click.UsageError(f"{folder}: no such folder.")
    registry = rules_with((folder,))
    rules = [each for each in registry.rules if each.topic == LOCAL_TOPIC]
    if not rules and not registry.broken:
        raise Failure(f"{folder}: no rule in it (`burnlint new-rule NAME --rules-path {folder}` writes one)")
    of_ours = {*problems(rules_with(()))}
    failed = [each for each in problems(registry) if each not in of_ours]
    told = tuple(f"the module {each.module} " for each in registry.broken)
    count = 0
    for rule in rules:
        fixtures = Path(folder, "fixtures", rule.rule.name)
        cases = sorted(each for each in fixtures.glob("*") if _is_case(each))
        if not cases:
            failed.append(f"{rule.rule.name}: no fixture in {fixtures}")
        for case in cases:
            count += 1
            failed += _run(case, rule, folder, burn_version, told)
    for each in failed:
        click.echo(each)
    counts = (plural(len(rules), "rule"), plural(count, "fixture"), plural(len(failed), "problem"))
    click.echo(", ".join(counts))
    return int(bool(failed))


def _is_case(path: Path) -> bool:
    if path.is_dir():
        return (path / "Cargo.toml").is_file()
    return path.suffix == ".rs" and not path.name.endswith((".fixed.rs", "proof.rs"))


def _run(
    case: Path, rule: LoadedRule, folder: str, burn_version: str | None, told: tuple[str, ...]
) -> Iterator[str]:
    """What is wrong with one fixture, but for notes that begin as in `told`."""
    files = [case] if case.is_file() else [each for each in sorted(case.rglob("*")) if each.is_file()]
    sources = {absolute(str(each)): each.read_text("utf-8", "replace") for each in files}
    named = _VERSIONS.match(sources[absolute(str(case))]) if case.is_file() else None
    versions = re.split(r",\s*", named[1]) if named else [burn_version]
    for version in versions:
        session = Session(
            Given(
                paths=(str(case),),
                rules_path=(folder,),
                select=(rule.rule.name,),
                min_confidence="low",
                no_ignore=True,
                no_baseline=True,
                burn_version=version or (_newest() if case.is_file() else None),
            )
        )
        result = session.lint({})[1]
        notes = [each for each in result.notes if not each.message.startswith(told)]
        yield from (f"{each.path}: {each.message}" for each in notes)
        expected = [mark for path, text in sources.items() for mark in marks(path, text)]
        yield from differences(expected, list(_found(result)), sources, {rule.rule.name})
        fixed = case.with_suffix(".fixed.rs")
        if case.is_file() and fixed.is_file():
            contents = fix(session.lint, {}, unsafe=True).contents
            if contents.get(absolute(str(case)), b"") != fixed.read_bytes():
                yield f"{fixed}: the fixes make something else of {case.name}"


def _found(result: Result) -> Iterator[Found]:
    for each in result.findings:
        place, rule = each.finding.place, each.rule.rule
        line = result.texts[place.path].line(place.start)
        yield Found(
            place.path,
            line,
            rule.name,
            each.finding.message,
            each.severity,
            each.confidence,
            each.finding.fix is not None,
        )


def _newest() -> str:
    from burnlint.cli import loading

    return loading.newest_version()
