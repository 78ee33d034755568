"""A cubecl.toml or burn.toml that no program finds, or whose part for cubecl another file hides: its settings have no effect.

## Why
The file is looked for in the folder that the program is started in, and from there upwards; the first one wins. One
that lies in `config/` or `src/` is never met on that way. Where a folder has both, cubecl.toml is taken and
`[cubecl]` in burn.toml is not read. Before burn 0.21 nothing reads a burn.toml.

## Fires
    # src/cubecl.toml
    [autotune]
    level = "full"

## Clean
    # cubecl.toml
    [autotune]
    level = "full"

## Known gaps
A program that changes its folder before it first touches a device, or is started in the file's own folder, finds it
all the same: hence confidence medium.

## References
`RuntimeConfig::from_current_dir` in cubecl-environment 0.11.3 and cubecl-common 0.10.0, src/config/mod.rs;
`file_names` and `section_file_names` in cubecl-runtime, src/config/base.rs.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, Finding, Place, Rule, SideView

RULE = Rule(
    "BL717",
    "cubecl-config-misplaced",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("B21",),
    burn=">=0.18",
    proven=RELEASED,
)


def check_text(file: SideView) -> Iterator[Finding]:
    if file.reads is None or file.toml.problem is not None or not file.toml.data:
        return
    start = file.toml.at(next(iter(file.toml.data))).key
    if not file.is_above_a_package:
        yield Finding(
            Place(file.path, *start),
            f"no program finds this {file.name}: it is looked for where the program is started, and above",
            "put it beside the Cargo.toml of the package or workspace",
        )
    elif file.is_too_new:
        yield Finding(
            Place(file.path, *start),
            f"burn {file.versions[-1]} reads no {file.name}: there is one from 0.21 on",
            "put the settings of cubecl into a cubecl.toml",
        )
    elif file.reads == "burn" and "cubecl" in file.toml.data:
        other = file.sibling("cubecl.toml", "CubeCL.toml")
        if other is not None:
            yield Finding(
                Place(file.path, *file.toml.at("cubecl").key),
                f"`[cubecl]` is not read: the {other.rpartition('/')[2]} beside this file is taken in its place",
                "keep the settings of cubecl in one of the two files",
            )
