"""Back ends are no types to compute with in burn 0.22: `type B = Autodiff<NdArray>` and `NdArrayDevice` are left over.

## Why
Up to 0.21 a program names its back end by a type, and each back end has a device type of its own. From 0.22 on the back
end is a value, `Device::flex()` or `Device::cuda(0)`, and autodiff is `device.autodiff()`. The old names are gone
("unresolved import `burn::backend::NdArray`", E0432) or hold other things ("no associated item named `DefaultDevice`
found for struct `WgpuDevice`", E0599).

## Fires
    use burn::backend::wgpu::WgpuDevice;

    pub fn device() -> WgpuDevice {
        WgpuDevice::DefaultDevice
    }

## Clean
    use burn::tensor::Device;

    pub fn device() -> Device {
        Device::default().autodiff()
    }

## Known gaps
A device gets `.autodiff()` where the function that makes it names a back end with autodiff; where it is handed through
to another one, that is left to people. Kernels of your own under `burn::backend` (feature `extension`) are not meant:
imports that something still needs stay, and a
unit that names no back end as a type of its tensors is left alone, but for constructors that are gone, back ends and
devices behind a feature that no build of the package has, and aliases that give a back end the types of its elements.

## References
burn-tensor 0.22.1, src/device.rs; burn-core 0.22.1, src/backend.rs. The table of devices:
burnlint/burn/data/migration.toml. Compiled on 0.22.1: fixtures/migration/backend-alias-removed/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL805",
    "backend-alias-removed",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    messages=(
        r"unresolved imports? [^\n]*`burn::backend::\w+`",
        r"no associated item named `\w+` found for struct `WgpuDevice`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    migration = file.migration
    for each in migration.devices():
        message = (
            "a device has no autodiff of its own in burn 0.22, and `backward` panics on this one"
            if each.autodiff
            else "nothing says the type of this device in burn 0.22, and its methods do not compile"
            if each.text == "Default::default()"
            else f"burn 0.22 has one device type for all back ends, and `{each.text}` does not compile"
        )
        finding = Finding(each.place, message, help=f"write `{each.successor}`" if each.successor else "")
        yield finding.with_fix(f"write `{each.successor}`", *each.edits, safe=False)
    for place, edit in migration.copied_devices():
        yield Finding(
            place,
            "a device is not copied in burn 0.22, and its next use does not compile",
            help="hand on a clone",
        ).with_fix("hand on a clone", edit, safe=False)
    for gone in (*migration.aliases(), *migration.leftover_imports()):
        finding = Finding(
            gone.place,
            f"`{gone.name}` names a back end, which nothing of burn 0.22 takes as a type",
            help="remove it; the device says the back end",
        )
        yield finding.with_fix(f"remove `{gone.name}`", *gone.edits, safe=False)
    for gone in (*migration.backend_imports(), *migration.device_imports()):
        if gone.edits:
            yield Finding(
                gone.place,
                f"`{gone.name}` is no type to compute with in burn 0.22, and nothing needs the import",
                help="remove it",
            ).with_fix("remove the import", *gone.edits, safe=False)
    for gone in migration.in_macros("burn::backend"):
        yield Finding(
            gone.place,
            f"`{gone.name}` is no type to compute with in burn 0.22, and what this macro writes does not compile",
            help="let the macro make a `Device`",
        )
