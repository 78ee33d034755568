"""A GPU is named by its kind and number: on a machine without that one the program panics at its first tensor.

## Why
`DiscreteGpu(0)` is the first adapter that calls itself discrete. Laptops, virtual machines and all Apple chips have none: the
device's own thread panics with `No Discrete GPU device found`, and the program sees a `RecvError` where it makes its first
tensor. `DefaultDevice` takes the best adapter there is, and the environment variable `CUBECL_WGPU_DEFAULT_DEVICE` another one.

## PyTorch
`torch.device("cuda:0")` is the first GPU of whatever kind.

## Fires
    # use burn::tensor::DeviceKind;
    # fn kind() -> DeviceKind {
    DeviceKind::DiscreteGpu(0)
    # }

## Clean
    # use burn::tensor::DeviceKind;
    # fn kind() -> DeviceKind {
    DeviceKind::DefaultDevice
    # }

## Known gaps
A kind that is chosen by an `if` or `match`, one of a list, or compiled for some systems only, is left alone, and so are
numbers that come from elsewhere. `IntegratedGpu(0)` and `VirtualGpu(0)`, which mean a certain machine more often, are notes.
Which machines the program will run on is not in sight: confidence medium.

## References
cubecl-wgpu 0.11.3, src/runtime.rs (`select_from_adapter_list`); cubecl-wgpu 0.10.0 and 0.6.0 and burn-wgpu 0.13.0, src/runtime.rs
(the same).
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/hardcoded-discrete-gpu/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, Expr, FileView, Finding, Rule

RULE = Rule(
    "BL606",
    "hardcoded-discrete-gpu",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B7",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("DiscreteGpu", "IntegratedGpu", "VirtualGpu"),
)

_TYPES = ("DeviceKind", "WgpuDevice", "WgpuDeviceKind")
_WORDS = {"DiscreteGpu": "discrete", "IntegratedGpu": "integrated", "VirtualGpu": "virtual"}
_KINDS = (*_WORDS, "DefaultDevice", "BestAvailable", "Cpu")


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for device in file.calls(*RULE.listens, tests=False):
        if len(device.operands) != 1 or not _is_kind(device):
            continue
        number = device.operands[0].number()
        if number is None or device.in_branch or _is_chosen(device):
            continue
        if any(flag.name in ("target_os", "target_family", "target_vendor") for flag in device.cfg_flags):
            continue
        word = _WORDS[device.name]
        lacking = f"without a {word} GPU" if number == 0 else f"with no more than {number} {word} GPUs"
        if word == "integrated" and number == 0:
            lacking = "without an integrated GPU"
        example = ", such as an Apple chip" if word == "discrete" and number == 0 else ""
        path = _owner(device)
        finding = Finding(
            device.place,
            f"`{device.name}({number})` panics on a machine {lacking}{example}",
            help="write `DefaultDevice`, which takes the best GPU there is",
            severity=None if word == "discrete" else "note",
        )
        # Up to burn 0.16 the variant has another name.
        if path and file.burn_at_least("0.17"):
            finding = finding.with_fix(
                "take the best GPU there is", Edit(device.place, f"{path}::DefaultDevice"), safe=False
            )
        yield finding


def _is_kind(device: Expr) -> bool:
    """Whether it is of one of the types. Up to burn 0.21 the type may be known from its use only, as a device, or not at
    all: then the path says it."""
    known, written = device.type_name.rpartition("::")[2], _owner(device).rpartition("::")[2]
    spelled = any(written in device.source.names_of(name) for name in _TYPES)
    return known in _TYPES or (known in ("", "Device") and spelled)


def _owner(device: Expr) -> str:
    """The path of the type, as it is written; empty where it is left out."""
    return device.text.partition("(")[0].rpartition("::")[0].strip()


def _is_chosen(device: Expr) -> bool:
    """Whether the kind is compared with another, one of a list of kinds, or behind an early `return`."""
    others = [kind for kind in _KINDS if kind != device.name]
    return (
        device.is_compared
        or device.passed_over_in(device.site.frame.body.root)
        or any(any(map(each.spells, others)) for each in device.lists_around())
        or _is_asked_for(device)
    )


def _is_asked_for(device: Expr) -> bool:
    """Whether the function around it gives it to callers that all decide to ask for it."""
    callers = device.given_back_to
    return bool(callers) and all(call.in_branch or _is_chosen(call) for call in callers)
