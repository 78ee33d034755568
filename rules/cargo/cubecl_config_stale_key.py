"""A line of cubecl.toml or burn.toml that an older cubecl read makes the project's cubecl leave the whole file out.

## Why
cubecl 0.11 moved the place of the caches from `autotune.cache` and `compilation.cache` to `environment.path`, and
`compilation.cache` is a boolean now. A file from before does not parse any more; it is left out with one line on
standard error, and with it every other setting. A key that is merely gone has no effect, without a word.

## Fires
    # cubecl.toml
    [compilation]
    cache = "target"

## Clean
    # cubecl.toml
    [compilation]
    cache = true

    [environment]
    path = "target"

## Known gaps
The versions of cubecl are those of the lock file, or all that burn's requirement admits: what one of them reads is
not reported. The fix keeps the place of the caches where it is one of `local`, `target` and `global`.

## References
The schemas are taken from the released sources (cubecl-runtime, src/config) by `python -m tools.config_schema`;
what happens to a file with a fault: `RuntimeConfig::from_file_path` in cubecl-environment 0.11.3,
src/config/mod.rs.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, ConfigFault, Edit, Finding, Place, Rule, SideView

RULE = Rule(
    "BL715",
    "cubecl-config-stale-key",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B21",),
    burn=">=0.18",
    proven=RELEASED,
)

_PLACES = ("local", "target", "global")


def check_text(file: SideView) -> Iterator[Finding]:
    for each in file.config_faults():
        if each.read_by is None:
            continue
        reader = f"{each.reader} {each.versions[-1]}"
        effect = file.effect_of(each)
        finding = Finding(
            each.place,
            f"`{each.key}` is not read as in {each.reader} {each.read_by.major}.{each.read_by.minor} any more: "
            f"in {reader} {effect}",
            _help(each),
            confidence=None if each.certain else "medium",
        )
        edits = _moved(file, each)
        if edits:
            finding = finding.with_fix("move the place of the caches", *edits, safe=False)
        yield finding


def _is_cache(each: ConfigFault) -> bool:
    return each.reader == "cubecl" and each.fault.path[-2:] in (
        ("autotune", "cache"),
        ("compilation", "cache"),
    )


def _help(each: ConfigFault) -> str:
    if _is_cache(each):
        return "the place of the caches is `path` in `[environment]`; `cache` of `[compilation]` is true or false"
    if each.fault.unknown:
        return "remove it"
    return f"write {' or '.join(each.fault.expected)}"


def _moved(file: SideView, each: ConfigFault) -> list[Edit]:
    """The edits that put the place of the caches where it is read now."""
    old = each.at.get()
    if not _is_cache(each) or old not in _PLACES:
        return []
    above = each.fault.path[:-2]
    compiled = file.toml.at(*above, "compilation", "cache").get()
    environment = file.toml.at(*above, "environment")
    gone = each.fault.path[-2] == "autotune"
    # Where both caches name a place, the entry of the compiled kernels carries it over.
    table = ""
    if environment.get() is None and not (gone and compiled in _PLACES):
        lead = "" if file.text.content.endswith(b"\n") else "\n"
        table = f'{lead}\n[{".".join([*above, "environment"])}]\npath = "{old}"\n'
    first = Edit(file.lines_of(each.at), "") if gone else Edit(each.place, "true")
    end = len(file.text.content)
    if first.place.end == end:
        return [Edit(first.place, first.text + table)]
    return [first, Edit(Place(file.path, end, end), table)] if table else [first]
