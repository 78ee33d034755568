"""Ask the real burn whether value facts hold: `python -m tools.runtime [--burn VERSION]`.

Copies of the proofs get a line behind every `let` of a tensor of which `burnlint.burn.values` claims
something on every path: the sizes of its dimensions; that it has one element, or several; that it is a leaf, tracked,
untracked, or off autodiff. Each line that runs says whether the claim holds. Exit 1 if one does not, or none ran.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from burnlint.burn import terms
from burnlint.burn.analysis import Analysis
from burnlint.burn.api import Api
from burnlint.burn.crates import Crates
from burnlint.burn.infer import Shared
from burnlint.burn.values import Tracking, Values
from burnlint.rust import hir
from burnlint.rust.source import SourceFile
from tools import fixtures

SAID = re.compile(r"burnlint-claim (holds|FAILS) (\S+) (.*)")
ELEMENTS = {
    "one": "{0}.dims().iter().product::<usize>() == 1",
    "many": "{0}.dims().iter().product::<usize>() > 1",
}
RECORD = {
    "leaf": {"is_require_grad": True},
    "tracked": {"is_tracked": True, "is_require_grad": False},
    "untracked": {"is_tracked": False, "is_require_grad": False},
    "plain": {"is_autodiff": False},
}
"""What the methods of a tensor in that state say; a version of burn may lack some.

A parameter's value is a leaf only if the model trains, so nothing is asked of it."""


def claims(analysis: Analysis, body: hir.Body) -> Iterator[tuple[hir.Let, str, str, str]]:
    """For each claim the `let`, the name it binds, the state claimed, and Rust code that holds if it is
    true."""
    values, types = analysis.values, analysis.types(body)
    statements = [s for block in body.exprs if isinstance(block, hir.Block) for s in block.statements]
    for let in statements:
        if not isinstance(let, hir.Let) or let.init is None or not isinstance(let.pattern, hir.Bind):
            continue
        local = let.pattern.local
        term = types.local(local)
        if not isinstance(term, terms.Tensor) or let.pattern.sub is not None or local.by_ref:
            continue
        site = values.site(body, let.init)
        reduction, tracking = values.reduction(site), values.tracking(site)
        for state, code in ELEMENTS.items():
            if reduction.must(state):
                yield let, local.name, state, code.format(local.name)
        sizes = values.shape(site)
        if sizes is not None and any(isinstance(size, int) for size in sizes):
            known = [
                f"{{0}}.dims()[{at}] == {size}" for at, size in enumerate(sizes) if isinstance(size, int)
            ]
            yield let, local.name, "sizes", " && ".join(known).format(local.name)
        if term.kind == terms.Named("Float"):
            for state, methods in RECORD.items():
                if tracking.must(state) and (state != "tracked" or _of_leaves(values, tracking)):
                    said = [
                        f"{'' if true else '!'}{local.name}.{method}()"
                        for method, true in methods.items()
                        if analysis.api.method("Tensor", method)
                    ]
                    if said:
                        yield let, local.name, state, " && ".join(said)


def _of_leaves(values: Values, tracking: Tracking) -> bool:
    """Whether all that is tracked stems from `require_grad`, and not from a parameter that may be frozen."""
    causes = [values.target(cause) for cause in tracking.causes("tracked")]
    return all(target is not None and target.key.endswith("require_grad") for target in causes)


def instrumented(path: Path, version: str) -> tuple[bytes, int]:
    """The text of a file with its claims, and their number."""
    content = path.read_bytes()
    file = SourceFile(path.as_posix(), content)
    unit = Crates(lambda name: file if name == file.path else None).stray(file.path, None)
    api = Api.load(version)
    analysis = Analysis(unit, api, Shared(api))
    edits = []
    for fn in file.items.functions:
        body = analysis.body(fn)
        if body is not None:
            for let, name, state, code in claims(analysis, body):
                place = f"{path.parent.name}/{path.name}:{file.text.line(let.span[0])} {name}"
                said = f'if {code} {{ "holds" }} else {{ "FAILS" }}'
                edits.append((let.span[1], f' println!("burnlint-claim {{}} {state} {place}", {said});'))
    for at, text in sorted(edits, reverse=True):
        content = content[:at] + text.encode() + content[at:]
    return content, len(edits)


def judge(crate: fixtures.Crate, target: Path) -> tuple[Counter[str], list[str]]:
    """Run the instrumented proofs of one burn version: how often each state held, and what failed."""
    folder = target / "runtime" / crate.folder.name
    copies = []
    for proof in crate.proofs:
        content, number = instrumented(proof, crate.burn)
        if number:
            copy = folder / "src" / proof.relative_to(fixtures.FIXTURES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
            copies.append(copy)
    manifest = fixtures.write(replace(crate, modules=[], projects=[], proofs=copies), target / "runtime", {})
    # Cargo keeps two packages apart by their names when they share a target folder.
    manifest.write_text(manifest.read_text().replace('name = "fixtures-', 'name = "claims-'))
    command = ["cargo", "test", "--quiet", "--tests", "--manifest-path", str(manifest), "--", "--nocapture"]
    run = subprocess.run(
        command,
        env={**os.environ, "CARGO_TARGET_DIR": str(target)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        sys.exit(f"{' '.join(command)}:\n{run.stderr[-3000:]}")
    found = [match.groups() for match in SAID.finditer(run.stdout)]
    held = Counter(state for verdict, state, _ in found if verdict == "holds")
    return held, sorted({f"{state} {place}" for verdict, state, place in found if verdict == "FAILS"})


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.runtime", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--burn", metavar="VERSION", help="only the proofs of this burn version, as in 0.22")
    options = parser.parse_args()
    status = 0
    for crate in fixtures.crates():
        if options.burn in (None, crate.minor, crate.burn) and crate.proofs:
            held, failed = judge(crate, fixtures.target_folder())
            shown = ", ".join(f"{count} {state}" for state, count in sorted(held.items()))
            print(f"burn {crate.burn}: {held.total()} claims held ({shown}), {len(failed)} failed")
            print("".join(f"    {line}\n" for line in failed), end="")
            status = status or int(bool(failed) or not held)
    return status


if __name__ == "__main__":
    sys.exit(main())
