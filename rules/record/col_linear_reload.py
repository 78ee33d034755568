"""A record is loaded into a Linear with the `Col` layout that has already run: its shape no longer fits.

## Why
A `Col` Linear saves its weight as `[out, in]`. A fresh one expects just that, but after a forward or a load it holds
`[in, out]`, and the load ends with "shape mismatch, expected [in, out] but record has [out, in]".

## Fires
    # use burn::module::Module;
    # use burn::nn::{Linear, LinearConfig, LinearLayout};
    # use burn::tensor::{Device, Tensor};
    # fn load(device: &Device, x: Tensor<2>) -> Linear {
    let model = LinearConfig::new(64, 32).with_layout(LinearLayout::Col).init(device);
    println!("before: {}", model.forward(x));
    model.load_file("linear.bpk")
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Linear, LinearConfig, LinearLayout};
    # use burn::tensor::{Device, Tensor};
    # fn load(device: &Device, x: Tensor<2>) -> Linear {
    let config = LinearConfig::new(64, 32).with_layout(LinearLayout::Col);
    println!("before: {}", config.init(device).forward(x));
    config.init(device).load_file("linear.bpk")
    # }

## Known gaps
A model that comes from elsewhere and may have run is not reported. A square layer is not hurt: its sizes are not
looked at.

## References
burn-core 0.22.1, src/store/mod.rs, src/module/param/base.rs (`lazy_shape`). Run on 0.22.1:
fixtures/record/col-linear-reload/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL516",
    "col-linear-reload",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B19",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("load_record", "try_load_record", "load_file", "try_load_file"),
    messages=(r"Apply errors: \[\\?\"[\w.]*: shape mismatch, expected Shape \{ dims:",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.package_spells("LinearLayout::Col"):
        return
    for call in file.calls("load_record", "try_load_record", "load_file", "try_load_file", tests=False):
        if not call.key.startswith("Module::") or len(call.operands) != 2:
            continue
        model = call.operands[0]
        layout = model.col_layout
        state, place = model.laziness() if layout is not None else ("", None)
        if layout is not None and state == "initialised" and place is not None:
            yield (
                Finding(
                    call.name_place,
                    "a `Linear` with the `Col` layout has already run here: a record of another than a square one does "
                    "not fit, and the load fails",
                    help="load into a fresh model: `config.init(device).load_file(..)`",
                )
                .with_because(place.name_place, "its weight is turned here")
                .with_because(layout[0].name_place, "the `Col` layout is set here")
            )
