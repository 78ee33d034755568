"""A file of weights in the project has no tensor for a field of the module that it is loaded into: the load fails.

## Why
Records and stores name tensors by the path of fields. After a field was renamed or added, the file still has the old
names: "Missing tensors", and for SafeTensors "Tensor not found".

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    use burn::store::{ModuleSnapshot, SafetensorsStore};

    #[derive(Module, Debug)]
    struct Net {
        linear1: Linear,
    }

    // net.safetensors: {"fc1.weight":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]}}
    fn load(net: &mut Net) {
        net.load_from(&mut SafetensorsStore::from_file("net.safetensors")).expect("weights");
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    use burn::store::{ModuleSnapshot, SafetensorsStore};

    #[derive(Module, Debug)]
    struct Net {
        linear1: Linear,
    }

    // net.safetensors: {"fc1.weight":{"dtype":"F32","shape":[0,2],"data_offsets":[0,0]}}
    fn load(net: &mut Net) {
        let mut store = SafetensorsStore::from_file("net.safetensors").with_key_remapping(r"^fc1\\.", "linear1.");
        net.load_from(&mut store).expect("weights");
    }

## Known gaps
The path has to be a literal, relative to the package or its workspace. Only the fields of the module itself are
compared, not what is inside of them, and no field that is an `Option`, a list or behind a `cfg`. A file that the
package writes itself is not judged.

## References
burn-core 0.22.1, src/store/mod.rs; burn-store 0.22.1, src/applier.rs; burn-pack 0.22.1, src/base.rs. Run on 0.22.1:
fixtures/record/partial-load-unchecked/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL520",
    "record-path-mismatch",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B18",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("load_from", "apply_to", "load_file", "try_load_file", "load_record", "try_load_record"),
)


def check(file: FileView) -> Iterator[Finding]:
    for load in file.weights_lacking():
        if _is_written(file, load.path):
            continue
        first, *others = load.fields
        more = f" (and {len(others)} more)" if others else ""
        finding = Finding(
            load.named.place,
            f"`{load.path}` has no tensor for the field `{first[0]}`{more} of `{load.module}`: the load fails",
            help="write the file anew, or rename its keys (`with_remap_pattern`, `with_key_remapping`)",
        )
        for name, place in load.fields[:3]:
            finding = finding.with_because(place, f"`{name}` has parameters")
        yield finding


def _is_written(file: FileView, path: str) -> bool:
    """Whether the package saves to such a path: then the file may be another one when it is loaded."""
    for view in file.around():
        for use in view.store_uses():
            saved = use.store.path if use.saves and use.store is not None else None
            if use.saves and (saved is None or saved.end.endswith(path) or not saved.whole):
                return True
        for call, written in view.record_files():
            if call.name in ("save", "save_file") and (written.end == path or not written.whole):
                return True
    return False
