"""`load_file` and `load_record` panic on a bad file, in a function that could return the error.

## Why
A missing file, a renamed field or another shape ends the program with "Failed to load module from file". The function
returns a Result already, and `try_load_file` and `try_load_record` give one.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    fn load(model: Linear) -> Result<Linear, Box<dyn std::error::Error>> {
        Ok(model.load_file("model.bpk"))
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    fn load(model: Linear) -> Result<Linear, Box<dyn std::error::Error>> {
        Ok(model.try_load_file("model.bpk")?)
    }

## Known gaps
Closures are left alone. Who is sure of the file may want the panic: that is why this is a note for those who ask.

## References
burn-core 0.22.1, src/module/base.rs. Run on 0.22.1: fixtures/record/panicking-load/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL515",
    "panicking-load",
    symptom="panic",
    group="pedantic",
    severity="note",
    confidence="medium",
    pitfalls=("B18",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("load_file", "load_record"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("load_file", "load_record", tests=False):
        # Up to burn 0.21 `load_file` takes a recorder and a device too, and gives a Result.
        panics = call.key in ("Module::load_file", "Module::load_record") and len(call.operands) == 2
        if panics and call.returns_result:
            yield Finding(
                call.method_name,
                f"`{call.name}` panics on a file that does not fit, and this function could return the error",
                help=f"call `try_{call.name}`, which gives a `Result`",
            )
