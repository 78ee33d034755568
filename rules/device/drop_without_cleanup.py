"""A tensor or model is dropped and the reserved memory is read: the pools keep their pages, and the number does not go down.

## Why
What is dropped goes back to the pool of the device, not to the driver: `bytes_reserved` and the pages of the pools stay as they
were, for the next tensors. `memory_cleanup` gives unused pages back, after a `sync`. `bytes_in_use` says what live tensors take.

## PyTorch
`torch.cuda.memory_reserved()` stays as it is too, until `torch.cuda.empty_cache()`.

## Fires
    # use burn::nn::Linear;
    # use burn::tensor::Device;
    # fn unload(model: Linear, device: &Device) {
    drop(model);
    println!("{:?}", device.memory_pool_usage());
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::tensor::Device;
    # fn unload(model: Linear, device: &Device) {
    drop(model);
    device.sync().unwrap();
    device.memory_cleanup();
    println!("{:?}", device.memory_pool_usage());
    # }

## Known gaps
A large allocation that fails after a drop, for there is no memory left in another pool, is not seen. A program may read the number
to show just this.

## References
burn-backend 0.22.1, src/backend/memory_pools.rs; cubecl-runtime 0.11.3, src/memory_management.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/drop-without-cleanup/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL620",
    "drop-without-cleanup",
    symptom="memory",
    severity="note",
    confidence="medium",
    pitfalls=("B25",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("memory_pool_usage", "memory_pool_report"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for query in file.calls("memory_pool_usage", "memory_pool_report", tests=False):
        if query.asks_device != query.name or _asks_for_live(query):
            continue
        for dropped in file.calls("drop"):
            if dropped.precedes(query) and _holds_memory(dropped) and not _cleaned(file, dropped, query):
                yield Finding(
                    query.name_place,
                    "the pools keep the pages of what is dropped: the reserved memory does not go down",
                    help="call `device.sync()` and `device.memory_cleanup()` before it; `bytes_in_use` is what live tensors take",
                ).with_because(dropped.place, "dropped here")
                break


def _asks_for_live(query: Expr) -> bool:
    """Whether only what live tensors take is read."""
    return query.function_spells("bytes_in_use", "number_allocs") and not query.function_spells(
        "bytes_reserved"
    )


def _holds_memory(dropped: Expr) -> bool:
    given = dropped.operands
    if len(given) != 1:
        return False
    # Numbers and containers are modules to burn as well.
    is_model = given[0].is_module and given[0].type_name not in ("Vec", "Option", "String")
    return given[0].kind is not None or (is_model and not given[0].type_name[:1].islower())


def _cleaned(file: FileView, dropped: Expr, query: Expr) -> bool:
    return any(dropped.precedes(c) and c.precedes(query) for c in file.calls("memory_cleanup"))
