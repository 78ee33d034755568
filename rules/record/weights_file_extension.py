"""`save_file` and `load_file` write and read burnpack, whatever the file is called: `model.safetensors` is none.

## Why
From burn 0.22 on a record has one format. `save_file("model.safetensors")` writes burnpack under that name, and what
reads SafeTensors says "header too large". `load_file("model.pt")` of a file from PyTorch fails with "Invalid magic
number". Other formats go through the stores of burn-store.

## PyTorch
`torch.save` and `safetensors.torch.save_file` are different functions too.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # fn save(model: Linear) {
    model.save_file("model.safetensors").expect("saved");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn save(model: &Linear) {
    let mut store = SafetensorsStore::from_file("model.safetensors").overwrite(true);
    model.save_into(&mut store).expect("saved");
    # }

## Known gaps
The end of the path has to be written out. Loading such a file is not reported if the package saves a record under
that name.

## References
burn-core 0.22.1, src/store/mod.rs; burn-pack 0.22.1, src/reader.rs. Run on 0.22.1:
fixtures/record/weights-file-extension/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, Expr, FileView, Finding, Rule

RULE = Rule(
    "BL517",
    "weights-file-extension",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P25",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("save_file", "load_file", "try_load_file", "ModuleRecord", "into_record"),
    messages=(r"(?:Record I/O error: |Io\(\"|I/O error: )Invalid magic number",),
)

_SAVES = ("Module::save_file", "ModuleRecord::save")
_LOADS = ("Module::load_file", "Module::try_load_file", "ModuleRecord::load")
_FORMATS = {".safetensors": "SafeTensors", ".pt": "PyTorch", ".pth": "PyTorch"}


def check(file: FileView) -> Iterator[Finding]:
    if not any(file.package_spells(f'{each}"') for name in _FORMATS for each in (name, name.upper())):
        return
    for call, path in file.record_files(tests=False):
        extension = next((each for each in _FORMATS if path.end.lower().endswith(each)), None)
        if extension is None:
            continue
        kind, store = (
            _FORMATS[extension],
            "PytorchStore" if extension != ".safetensors" else "SafetensorsStore",
        )
        name = path.end.rpartition("/")[2]
        if call.key in _SAVES:
            finding = Finding(
                call.operands[1].place,
                f"`{call.name}` writes burnpack, whatever the name: nothing that reads {kind} can read `{name}`",
                help="name it `.bpk`, or save into a `SafetensorsStore`",
            )
            exported = _exported(file, call) if extension == ".safetensors" else None
            yield finding.with_fix("save into a `SafetensorsStore`", exported, safe=False)
        elif call.key in _LOADS and not _is_saved(file, path.end):
            yield Finding(
                call.operands[-1].place,
                f'`{call.name}` reads burnpack only: a {kind} file `{name}` fails with "Invalid magic number"',
                help=f"load it with `load_from` and a `{store}`",
            )


def _exported(file: FileView, call: Expr) -> Edit | None:
    """An edit that writes SafeTensors; None where the package may read the file as a record, does not use the store
    elsewhere, or looks at the error, which is of another type."""
    if call.key != "Module::save_file" or not file.package_spells("SafetensorsStore"):
        return None
    if any(map(file.package_spells, ("load_file", "ModuleRecord"))) or not file.package_spells("burn::store"):
        return None
    model, path = call.operands[0].spelling, call.operands[1].text
    around = next(call.around, None)
    panics = around is not None and around.name in ("unwrap", "expect") and not call.is_argument
    if not panics or not path.startswith('"') or call.call_place is None or '"' in model:
        return None
    store = f"burn::store::SafetensorsStore::from_file({path}).overwrite(true)"
    return Edit(call.place, f"burn::store::ModuleSnapshot::save_into(&{model}, &mut {store})")


def _is_saved(file: FileView, end: str) -> bool:
    """Whether the package writes a record under such a name, which then can be read."""
    return any(
        call.key in _SAVES and path.end == end for view in file.around() for call, path in view.record_files()
    )
