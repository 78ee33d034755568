"""A WGSL shader indexes a buffer by its invocation and nothing keeps surplus invocations out: they reach behind its end.

## Why
A dispatch runs whole workgroups. burn hands kernels parts of larger buffers: what lies behind the end may be another
tensor. Where the driver checks the buffer's own bounds, an overrun in two dimensions still lands in the next row.

## Fires
    // scale.wgsl
    @group(0) @binding(0) var<storage, read_write> output: array<f32>;

    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        output[id.x] = output[id.x] * 2.0;
    }

## Clean
    // scale.wgsl
    @group(0) @binding(0) var<storage, read_write> output: array<f32>;

    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < arrayLength(&output) {
            output[id.x] = output[id.x] * 2.0;
        }
    }

## Known gaps
Whatever might keep an invocation out counts as a guard (`if`, a loop, `select`, `min`, `%` and so on), as does a
barrier. A shader that is only run with sizes that fit is reported: hence it runs on request.

## References
WebGPU Shading Language, "global_invocation_id"; burn-cubecl 0.22.1 (kernels from source).
"""

from collections.abc import Iterator

from burnlint import Finding, Place, Rule, SideView

RULE = Rule(
    "BL623",
    "wgsl-missing-bounds-guard",
    symptom="silent",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B26",),
    burn=">=0.13",
    proven=(),
    below_tensors=True,
    listens=("global_invocation_id",),
)


def check_text(file: SideView) -> Iterator[Finding]:
    for each in file.unguarded_accesses():
        yield Finding(
            Place(file.path, each.start, each.end),
            f"`{each.entry}` indexes `{each.buffer}` by its invocation without a bounds check: surplus invocations reach "
            "behind its end",
            f"do it only below `arrayLength(&{each.buffer})`",
        )
