"""`burnlint new-rule`: the two places of a new rule, with a test that fails."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import click

from burnlint.cli.session import Failure

CODES = "rules/codes.tsv"

_DECLARED = {"group": "default", "symptom": "silent", "severity": "warning", "confidence": "medium"}
"""What the new file declares, by the list's columns."""

_RULE = '''"""What is wrong, in one sentence that ends in what the user will see.

## Why
What burn does there, and what it costs.

## PyTorch
The habit that this comes from; without one the heading goes.

## Fires
    # use burn::tensor::Tensor;
    # fn example(x: Tensor<2>) -> Tensor<2> {{
    x
    # }}

## Clean
    # use burn::tensor::Tensor;
    # fn example(x: Tensor<2>) -> Tensor<2> {{
    x
    # }}

## Known gaps
What it misses, and what it may take for wrong.

## References
{references}
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule("{code}", "{name}", symptom="silent", severity="warning", confidence="medium")


def check(file: FileView) -> Iterator[Finding]:
    yield from ()
'''

_FIRES = """// The smallest code that shows the pitfall; then behind a helper, a field, a method, a loop.
fn fires() {{}} //~ {name}
"""
_CLEAN = """// The corrected twin, and what real code does that only looks alike.
fn clean() {}
"""


@dataclass(slots=True, frozen=True)
class _Row:
    code: str
    name: str
    topic: str


@click.command("new-rule")
@click.argument("name")
@click.option("--topic", help="Its folder, for a rule that rules/codes.tsv does not hold yet.")
@click.option("--rules-path", metavar="FOLDER", help="Write it there, as a rule of your team.")
def command(name: str, topic: str | None, rules_path: str | None) -> int:
    """Write rules/TOPIC/NAME.py and fixtures/TOPIC/NAME in a checkout of burnlint, with a failing test.

    NAME is the bad thing in kebab-case, as it reads after "allow". The code comes from rules/codes.tsv.
    With --rules-path: FOLDER/NAME.py and FOLDER/fixtures/NAME, with the next free code TEAM001, TEAM002, … (choose
    other letters if you like).
    """
    _refuse_other_shapes(name)
    if rules_path is not None:
        if topic is not None:
            raise click.UsageError("--topic is for burnlint's own rules.")
        code = _code_of_team(Path(rules_path), name)
        _write(Path(rules_path), _files(code, name, Path(), Path("fixtures"), own=True), Path(rules_path))
        click.echo(f"see it fail: burnlint test-rules {rules_path}")
        return 0
    root = _checkout()
    row, is_new = _row(root, name, topic)
    _write(root, _files(row.code, name, Path("rules", row.topic), Path("fixtures", row.topic)))
    if is_new:
        from burnlint.lint.write import write

        codes = root / CODES
        head, *rows = codes.read_text(encoding="utf-8").splitlines()
        values = {"code": row.code, "name": row.name, "topic": row.topic, **_DECLARED}
        rows = sorted([*rows, "\t".join(values.get(each, "-") for each in head.split("\t"))])
        write(codes, "".join(f"{each}\n" for each in [head, *rows]).encode())
        click.echo(f"added {row.code} to {CODES}: keep its row as RULE in the file says")
    click.echo(f"see it fail: python -m pytest tests/test_fixtures.py -k {name}")
    return 0


def _files(code: str, name: str, rules: Path, fixtures: Path, own: bool = False) -> dict[Path, str]:
    """What a new rule consists of, by paths below the root; a team's own rule needs no proof."""
    proof = (fixtures / name / "proof.rs").as_posix()
    source = "The crate, version and file that the claim rests on."
    rule = _RULE.format(
        code=code,
        name=name,
        references=source if own else f"{source} Run on 0.22.1: {proof}.",
    )
    return {
        rules / f"{name.replace('-', '_')}.py": rule,
        fixtures / name / "fires.rs": _FIRES.format(name=name),
        fixtures / name / "clean.rs": _CLEAN,
    }


def _write(root: Path, files: dict[Path, str], shown: Path = Path()) -> None:
    """Write new files, all or none, and say so as `shown` and each path. Raises Failure."""
    from burnlint.lint.write import WriteError, write

    for path in files:
        if (root / path).exists():
            raise Failure(f"{root / path}: exists already; nothing was written")
    try:
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            write(root / path, text.encode())
            click.echo(f"wrote {shown / path}")
    except (OSError, WriteError) as error:
        raise Failure(str(error)) from error


def _refuse_other_shapes(name: str) -> None:
    import re

    shape = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
    if shape.fullmatch(name):
        return
    kebab = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\s]+", "-", name).lower()
    meant = f", as {kebab}" if shape.fullmatch(kebab) else ""
    raise click.UsageError(
        f"{name!r} is no name of a rule: write it in kebab-case, with at least two words{meant}."
    )


def _code_of_team(folder: Path, name: str) -> str:
    """The first free code of a team's rules. Raises click.UsageError where the name is taken by a rule of burnlint."""
    import re

    from burnlint.lint import registry

    if any(each.rule.name == name for each in registry.load().rules):
        raise click.UsageError(f"{name} is a rule of burnlint: choose another name.")
    # Read as text: a rule that cannot be imported has a code too.
    texts = (path.read_text("utf-8", "replace") for path in folder.glob("*.py"))
    taken = {int(digits) for text in texts for digits in re.findall(r"\bTEAM(\d{3})\b", text)}
    free = next((number for number in range(1, 1000) if number not in taken), None)
    if free is None:
        raise Failure(f"{folder}: every code from TEAM001 to TEAM999 is taken")
    return f"TEAM{free:03}"


def _checkout() -> Path:
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / CODES).is_file() and (folder / "fixtures").is_dir():
            return folder
    raise Failure(f"this is no checkout of burnlint: no folder from here upwards has {CODES} and fixtures/")


def _row(root: Path, name: str, topic: str | None) -> tuple[_Row, bool]:
    """The rule's row, and whether it is new."""
    with (root / CODES).open(encoding="utf-8", newline="") as handle:
        rows = [
            _Row(each["code"], each["name"], each["topic"]) for each in csv.DictReader(handle, delimiter="\t")
        ]
    for row in rows:
        if row.name == name:
            if topic not in (None, row.topic):
                raise click.UsageError(f"{name} belongs to the topic {row.topic}.")
            return row, False
    topics = sorted({row.topic for row in rows if row.topic != "engine"})
    if topic not in topics:
        raise click.UsageError(f"{CODES} does not hold {name}: say --topic, one of {', '.join(topics)}.")
    taken = {row.code for row in rows}
    hundred = min(row.code[:3] for row in rows if row.topic == topic)
    free = next((f"{hundred}{at:02}" for at in range(1, 100) if f"{hundred}{at:02}" not in taken), None)
    if free is None:
        raise Failure(f"{CODES}: every code of the topic {topic} is taken")
    return _Row(free, name, topic), True
