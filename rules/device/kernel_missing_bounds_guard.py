"""A cube kernel indexes with the position of its unit and nothing keeps surplus units out: they write behind the end.

## Why
A launch starts whole cubes, as a rule more units than there are elements. In cubecl 0.11 nothing checks the index, not
even in a kernel that is started with `launch`: a surplus unit writes into the next row, or into another live tensor of
the same allocation, or ends the process. The result of the kernel itself is right, so that a test of it sees nothing.

## Fires
    use cubecl::prelude::*;

    #[cube(launch)]
    fn scale<F: Float>(input: &[F], output: &mut [F], factor: f32) {
        output[ABSOLUTE_POS] = input[ABSOLUTE_POS] * F::cast_from(factor);
    }

## Clean
    use cubecl::prelude::*;

    #[cube(launch)]
    fn scale<F: Float>(input: &[F], output: &mut [F], factor: f32) {
        if ABSOLUTE_POS < output.len() {
            output[ABSOLUTE_POS] = input[ABSOLUTE_POS] * F::cast_from(factor);
        }
    }

## Known gaps
Whatever might be a guard counts as one: an early end, a condition or loop that looks at the position, a helper that is
given it and is not in the same file with `#[cube]`. Nothing is said where every launch in sight has a number of cubes
that is not rounded up, for it may start exactly as many units as there are elements; where no launch is in sight the
confidence is medium. Positions that are put together
from `CUBE_POS` and `UNIT_POS`, and views, are not looked at.

## References
cubecl-core 0.11.3, src/post_processing/checked_io.rs (the pass for checked launches matches no index). Run on cubecl
0.11.3 as SPIR-V and WGSL, on a software driver: `launch` as `launch_unchecked` wrote 8 elements where there were 4, and
into three other buffers.
fixtures/device/kernel-missing-bounds-guard/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL621",
    "kernel-missing-bounds-guard",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B26",),
    burn=">=0.22",
    proven=("0.22.1",),
    below_tensors=True,
    listens=("cube",),
)


def check(file: FileView) -> Iterator[Finding]:
    if b"ABSOLUTE_POS" not in file.source.content or b"launch" not in file.source.content:
        return
    for each in file.unguarded_kernels():
        rounded = [launch for launch in each.launches if launch.rounds_up]
        if each.launches and not rounded:
            continue
        does = "write" if each.written else "read"
        finding = Finding(
            each.place,
            f"`{each.container}` is indexed by `{each.position}` without a bounds check: surplus units {does} memory "
            "behind its end, also with `launch`",
            f"start with `if {each.position} >= {each.container}.len() {{ terminate!(); }}`"
            if each.position == "ABSOLUTE_POS" and not each.synchronises
            else "do it only for positions below the size",
        )
        for launch in rounded[:1]:
            finding = finding.with_because(launch.call.place, "this launch rounds the number of cubes up")
        if each.position == "ABSOLUTE_POS" and each.written and not each.synchronises:
            guard = f"if ABSOLUTE_POS >= {each.container}.len() {{\n        terminate!();\n    }}\n    "
            finding = finding.with_fix("end surplus units", Edit(each.first, guard), safe=False)
        yield finding if rounded else finding.lowered(confidence="medium")
