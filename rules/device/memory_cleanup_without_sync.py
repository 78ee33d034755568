"""`memory_cleanup` while queued work still holds the memory: it gives back less than it could, or nothing.

## Why
With burn's feature `fusion`, which is on by default for the GPU back ends, operations are queued, and the tensors they need live
until they have run, also those that the program has dropped. `memory_cleanup` does not wait for them: pages in use stay.

## Fires
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn run(model: Linear, x: Tensor<2>, device: &Device) {
    let y = model.forward(x);
    drop((model, y));
    device.memory_cleanup();
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn run(model: Linear, x: Tensor<2>, device: &Device) {
    let y = model.forward(x);
    drop((model, y));
    device.sync().unwrap();
    device.memory_cleanup();
    # }

## Known gaps
Only work that is queued in the same function counts, and nothing is said where a call that is not in sight may wait. Without
`fusion` a wgpu device gave the pages back at once (run on 0.22.1): hence a note.

## References
burn-fusion 0.22.1 and 0.21.0, src/backend.rs (`memory_cleanup` passes the queue by); cubecl-runtime 0.11.3 and 0.10.0,
src/client.rs.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/memory-cleanup-without-sync/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL619",
    "memory-cleanup-without-sync",
    symptom="memory",
    severity="note",
    confidence="medium",
    pitfalls=("B25",),
    burn=">=0.16",
    proven=("0.22.1",),
    listens=("memory_cleanup",),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    sync = "device.sync()" if file.burn_at_least("0.22") else "B::sync(&device)"
    for call in file.calls("memory_cleanup", tests=False):
        if call.asks_device != "memory_cleanup":
            continue
        queued = call.queued_before
        if queued:
            yield Finding(
                call.name_place,
                "with fusion queued work still holds the memory: `memory_cleanup` does not wait, and gives back what is unused",
                help=f"call `{sync}` before it",
            ).with_because(queued[-1].name_place, "queued here")
