"""`burnlint check`: lint, fix, report."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from burnlint.cli import loading
from burnlint.cli.complete import formats
from burnlint.cli.options import Given, linting
from burnlint.cli.output import Output, emit, parse_outputs, put, tell, tell_fatal
from burnlint.cli.session import Failure, Session
from burnlint.lint.changes import Changes, ChangesError, since
from burnlint.lint.config import root_of
from burnlint.lint.finding import SEVERITIES
from burnlint.lint.fix import Outcome, diff, fix
from burnlint.lint.mass_ignore import add_ignores
from burnlint.lint.result import Result
from burnlint.lint.walk import absolute, kind_of
from burnlint.lint.write import WriteError, write
from burnlint.report import FORMATS
from burnlint.report.places import encodable, relative

SECTIONS = {
    "Rules": "select extend_select ignore min_confidence rules_path",
    "Files": "exclude force_exclude no_ignore include_generated stdin_filename show_files config",
    "The build that is meant": "burn_version features all_features no_default_features target",
    "Fixing": "fix unsafe_fixes diff",
    "Accepting": "baseline no_baseline since add_ignore",
    "Reporting": "outputs fail_on exit_zero statistics timing sarif_category colour",
    "Running": "jobs no_cache",
}
"""The options as `--help` shows them, before those that are the same everywhere."""
_ELSEWHERE = {
    **dict.fromkeys(("--format", "--output-format", "--report"), "--output"),
    **dict.fromkeys(("--rule", "--rules", "--enable"), "--select"),
    **dict.fromkeys(("--disable", "--skip"), "--ignore"),
    **dict.fromkeys(("--strict", "--error-on-warnings"), "--fail-on"),
}
"""What other linters call an option of ours that is spelled too differently to be guessed."""


class _Sectioned(click.Command):
    """Shows its many options in sections."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            ours = _ELSEWHERE.get(error.option_name)
            if ours is None:
                raise
            raise click.UsageError(
                f"No such option {error.option_name!r}. Here it is {ours!r}.", ctx
            ) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rows = {option.name: option.get_help_record(ctx) for option in options}
        sections = {title: [rows.pop(name) for name in names.split()] for title, names in SECTIONS.items()}
        for title, shown in {**sections, "Options": list(rows.values())}.items():
            with formatter.section(title):
                formatter.write_dl([row for row in shown if row is not None])


@click.command("check", cls=_Sectioned)
@linting
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT[:FILE]",
    callback=parse_outputs,
    shell_complete=formats,
    help=f"Report format ({', '.join(FORMATS)}), to a file or to standard output; may be repeated. [default: text]",
)
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "never"]),
    help="Lowest severity that makes the exit code 1. [default: warning]",
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="Apply the unsafe fixes too (with --fix or --diff).")
@click.option("--diff", is_flag=True, help="Print what --fix would change as a diff, and change nothing.")
@click.option(
    "--add-ignore", metavar="REASON", help="Write a suppression with this reason over every finding."
)
@click.option("--since", metavar="REF", help="Show only what touches lines changed since this commit.")
@click.option("--stdin-filename", metavar="FILE", help="The path that `-` (standard input) stands for.")
@click.option("--show-files", is_flag=True, help="List the files that would be linted, and stop.")
@click.option(
    "--statistics",
    is_flag=True,
    help="Count findings by rule, and how much burnlint knows of the code (types every body: slow).",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes to use. [default: as many as gain]",
)
@click.option(
    "--no-cache", is_flag=True, help="Take nothing from earlier runs, and keep nothing for later ones."
)
@click.option("--timing", is_flag=True, help="Say how long each rule took.")
@click.option("--sarif-category", metavar="NAME", help="SARIF's category (automationDetails.id).")
@click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to colour.",
)
def command(**options: Any) -> int:
    """Find pitfalls in PATHS (files and folders; by default the working directory).

    Exit codes: 0 nothing that counts, 1 findings at or above --fail-on, 2 burnlint could not do its work.
    """
    return _Check(options).run()


class _Check:
    """The command's options, and what each of them asks for."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.given = _with_stdin(Given.take({**options}))
        self.options = options
        self.outputs: tuple[Output, ...] = options["outputs"] or (Output("text", None),)
        _refuse_contradictions(options, self.given)
        self.session = Session(self.given)
        # What --statistics asks for is best known by the process that judged the files.
        self.session.jobs = 1 if options["statistics"] else options["jobs"]
        self.session.keep = options["statistics"]
        self.session.cached = not options["no_cache"]

    def run(self) -> int:
        """The exit code."""
        if self.options["show_files"]:
            return self._show_files()
        if self.options["since"] is not None:
            self.session.changes = _since(self.options["since"], self.session)
        if self.options["timing"]:
            self.session.seconds = {}
        if self.options["diff"]:
            return self._diff(self._fixed())
        if self.options["fix"]:
            result = _keep(self._fixed(), "fix")
        elif self.options["add_ignore"] is not None:
            result = _keep(add_ignores(self.session.lint, self.options["add_ignore"]), "suppressed finding")
        else:
            project, result = self.session.lint({})
            if not result.notes:
                for remark in loading.remarks(project):
                    tell(f"burnlint: {remark}")
            if self.options["statistics"]:
                result.summary.types = loading.statistics(project)
        return self._report(result)

    def _show_files(self) -> int:
        found = self.session.found
        for note in found.notes:
            tell(f"burnlint: {note.path}: {note.message}")
        lines = (f"{relative(path, self.session.cwd)}\n" for path in found.files)
        put("".join(lines).encode("utf-8", "surrogateescape"))
        return 2 if any(note.fatal for note in found.notes) else 0

    def _fixed(self) -> Outcome:
        return fix(self.session.lint, {}, unsafe=self.options["unsafe_fixes"])

    def _diff(self, outcome: Outcome) -> int:
        _tell_refused(outcome)
        for path in sorted(outcome.contents):
            name = relative(path, self.session.cwd)
            put(b"".join(diff(outcome.before[path], outcome.contents[path], name)))
        if not outcome.contents:
            unsafe = sum(each.finding.fix is not None for each in outcome.result.findings)
            left = f"; {unsafe} with --unsafe-fixes" if unsafe and not self.options["unsafe_fixes"] else ""
            tell(f"burnlint: no fix to apply{left}")
        if tell_fatal(outcome.result.notes):
            return 2
        return int(bool(outcome.contents) and not self.options["exit_zero"])

    def _report(self, result: Result) -> int:
        """Write the reports; the exit code."""
        try:
            emit(result, self.outputs, self.options["colour"], self.options["sarif_category"])
        except WriteError as error:
            raise Failure(str(error)) from error
        if self.session.seconds is not None:
            _tell_seconds(self.session.seconds)
        if any(note.fatal for note in result.notes):
            return 2
        fail_on = self.options["fail_on"] or self.session.config["fail-on"]
        if fail_on == "never" or self.options["exit_zero"]:
            return 0
        return int(
            any(SEVERITIES.index(each.severity) >= SEVERITIES.index(fail_on) for each in result.findings)
        )


def _with_stdin(given: Given) -> Given:
    """With standard input as the content of its file, where `-` is the path."""
    if "-" not in given.paths and given.stdin_filename is None:
        return given
    if given.paths not in ((), ("-",)):
        raise click.UsageError("`-` (standard input) is linted alone, without other paths.")
    if given.stdin_filename is None:
        raise click.UsageError(
            "`-` needs --stdin-filename FILE: the path says which package the code belongs to."
        )
    path = absolute(given.stdin_filename)
    if kind_of(path) is None:
        raise click.UsageError("--stdin-filename must name a Rust file or a Cargo.toml.")
    return replace(given, paths=(path,), overlay={path: sys.stdin.buffer.read()})


def _refuse_contradictions(options: dict[str, Any], given: Given) -> None:
    if options["unsafe_fixes"] and not (options["fix"] or options["diff"]):
        raise click.UsageError("--unsafe-fixes changes nothing alone: use it with --fix or --diff.")
    fixing = next((name for name in ("fix", "diff") if options[name]), None)
    if fixing and options["add_ignore"] is not None:
        raise click.UsageError(f"--{fixing} and --add-ignore exclude each other.")
    if options["add_ignore"] is not None and not options["add_ignore"].strip():
        raise click.UsageError("--add-ignore needs a reason, which later readers will see.")
    if options["add_ignore"] is not None and encodable(options["add_ignore"]) != options["add_ignore"]:
        raise click.UsageError(
            "--add-ignore needs a reason in UTF-8, as the files are that it is written into."
        )
    if given.overlay and ((options["fix"] and not options["diff"]) or options["add_ignore"]):
        raise click.UsageError("Standard input cannot be changed: use --diff.")
    if given.no_baseline and given.baseline:
        raise click.UsageError("--baseline and --no-baseline exclude each other.")


def _since(ref: str, session: Session) -> Changes:
    try:
        changes = since(ref, session.cwd)
    except ChangesError as error:
        raise Failure(f"--since: {error}") from error
    for path in session.paths:
        root = root_of(path)
        inside = path == changes.root or path.startswith(f"{changes.root.rstrip('/')}/")
        if not inside or (root != changes.root and Path(root, ".git").exists()):
            where = relative(path, session.cwd)
            raise Failure(
                f"--since: {where} is not of the repository {changes.root}: call burnlint in its own"
            )
    return changes


def _keep(outcome: Outcome, what: str) -> Result:
    """Write what was changed, and say so; the result after the changes."""
    unwritten = []
    for path, content in sorted(outcome.contents.items()):
        try:
            write(Path(path), content, expected=outcome.before[path])
        except WriteError as error:
            unwritten.append(str(error))
    _tell_refused(outcome)
    if unwritten:
        files = len(outcome.contents) - len(unwritten)
        tell(f"burnlint: {_count(files, 'file')} of {len(outcome.contents)} changed")
        raise Failure("\n".join(unwritten))
    if outcome.applied:
        tell(f"burnlint: {_count(outcome.applied, what)} in {_count(len(outcome.contents), 'file')}")
    return outcome.result


def _tell_refused(outcome: Outcome) -> None:
    for reported, why in outcome.refused:
        place = reported.finding.place
        tell(f"burnlint: {place.path}: {reported.rule.rule.name}: not applied, {why}")
    if outcome.exhausted:
        tell("burnlint: the fixes do not come to an end: two of them undo each other. Please report this")


def _tell_seconds(seconds: dict[str, float]) -> None:
    for name, took in sorted(seconds.items(), key=lambda each: -each[1]):
        tell(f"{took * 1000:9.1f} ms  {name}")


def _count(number: int, what: str) -> str:
    return f"{number} {what if number == 1 else what + ('es' if what.endswith('x') else 's')}"
