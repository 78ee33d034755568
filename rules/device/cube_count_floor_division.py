"""The number of cubes of a launch is a quotient that is rounded down: the last elements are never computed.

## Why
`n / 256` cubes of 256 units leave out up to 255 elements. They keep what the buffer held before; nothing fails.

## Fires
    use cubecl::prelude::*;

    pub fn cubes(n: usize) -> CubeCount {
        CubeCount::Static(n as u32 / 256, 1, 1)
    }

## Clean
    use cubecl::prelude::*;

    pub fn cubes(n: usize) -> CubeCount {
        CubeCount::Static((n as u32).div_ceil(256), 1, 1)
    }

## Known gaps
A size that is a multiple by agreement is reported too: hence confidence medium. Nothing is said where the function looks
at the remainder (`%`, `is_multiple_of`), where both numbers are in sight and divide, where both are constants, and where the
division stands in a function of another file.

## References
cubecl 0.11.3, `calculate_cube_count_elemwise` (rounds up). Run on cubecl 0.11.3 as SPIR-V and WGSL: of 10 elements with
`CubeCount::Static(10 / 4, 1, 1)` and cubes of 4 the last two kept their old values.
fixtures/device/cube-count-floor-division/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL622",
    "cube-count-floor-division",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B26",),
    burn=">=0.18",
    proven=("0.22.1",),
    below_tensors=True,
    listens=("CubeCount",),
)


def check(file: FileView) -> Iterator[Finding]:
    for division in file.floored_cube_counts():
        size, by = division.operands
        # A number without a type has no methods.
        method = "_u32.div_ceil" if size.text.isdecimal() else ".div_ceil"
        finding = Finding(
            division.place,
            f"`{division.spelling}` cubes leave the last elements out where `{by.spelling}` does not divide "
            f"`{size.spelling}`: they are never computed",
            f"round up: `{size.wrapped('', f'{method}({by.spelling})').text}`",
        )
        yield finding.with_fix(
            "round up", division.replaced(size.wrapped("", f"{method}({by.text})").text), safe=False
        )
