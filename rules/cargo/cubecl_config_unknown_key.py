"""A key or value in cubecl.toml or burn.toml that the project's version does not know: it, or the whole file, has no effect.

## Why
A key that is misspelt, or that comes from another version's documentation, is ignored without a word: what it was to
set stays at its default. A value of the wrong kind is worse: since cubecl 0.11 the whole file is then left out, with
one line on standard error; up to 0.10 the program panics when it first touches a device. In `[memory]` an unknown
key does that too.

## Fires
    # cubecl.toml
    [autotune]
    level = "maximum"

    [autotune.loger]
    stdout = true

## Clean
    # cubecl.toml
    [autotune]
    level = "full"

    [autotune.logger]
    stdout = true

## Known gaps
The versions of cubecl are those of the lock file, or all that burn's requirement admits: what one of them reads is
not reported. Nothing is said where the version is not known, or is newer than burnlint's data.

## References
The schemas are taken from the released sources (cubecl-runtime, src/config; burn-std, src/config) by
`python -m tools.config_schema`; what happens to a file with a fault: `RuntimeConfig::from_file_path` in
cubecl-environment 0.11.3 and cubecl-common 0.10.0, src/config/mod.rs.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from burnlint import RELEASED, ConfigFault, Edit, Finding, Rule, SideView

RULE = Rule(
    "BL716",
    "cubecl-config-unknown-key",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B21", "B22"),
    burn=">=0.18",
    proven=RELEASED,
)


def check_text(file: SideView) -> Iterator[Finding]:
    for each in file.config_faults():
        if each.read_by is not None:
            continue  # That is cubecl-config-stale-key.
        fault, reader = each.fault, f"{each.reader} {each.versions[-1]}"
        effect = file.effect_of(each)
        if not fault.unknown:
            yield Finding(
                each.place,
                f"`{each.key}` takes no `{each.written}` in {reader}: {effect}",
                f"write {' or '.join(fault.expected)}",
                confidence=None if each.certain else "medium",
            )
            continue
        later = f"; {each.reader} {each.read_from} does" if each.read_from is not None else ""
        near = get_close_matches(fault.path[-1], fault.expected, 1)
        finding = Finding(
            each.place,
            f"{reader} knows no `{each.key}`{later}: {effect}",
            f"write `{near[0]}`" if near else _known(each),
            confidence=None if each.certain else "medium",
        )
        if near:
            finding = finding.with_fix(f"write `{near[0]}`", Edit(each.place, near[0]), safe=False)
        yield finding


def _known(each: ConfigFault) -> str:
    return "remove it; there are " + ", ".join(f"`{name}`" for name in each.fault.expected)
