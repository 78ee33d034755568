"""What rules see where code is incomplete, which no fixture can show since fixtures compile."""

from __future__ import annotations

from pathlib import Path

from support import run

TUNE = """
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::{Device, Tensor};

fn tune(net: TinyNet, batches: Vec<Tensor<2>>, target: &Device) -> TinyNet {
    let mut net = net.MOVE(target);
    let mut adam = AdamConfig::new().init();
    for batch in batches {
        let cost = net.forward(batch).mean();
        let grads = GradientsParams::from_grads(cost.backward(), &net);
        net = adam.step(1e-3, net, grads);
    }
    net
}
"""


def test_a_module_of_unknown_type(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text(TUNE.replace("MOVE", "to_device"))
    [found] = run(["lib.rs"], folder=tmp_path, burn="0.22.1").found
    assert (found.name, found.line, found.confidence) == ("trained-module-to-device", 6, "medium")
    (tmp_path / "lib.rs").write_text(TUNE.replace("MOVE", "fork"))
    assert run(["lib.rs"], folder=tmp_path, burn="0.22.1").found == []


IMPORT = """
use burn_store::{ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};

fn import(backbone: &mut Backbone) {
    // COMMENT
    let mut store = SafetensorsStore::from_file("backbone.safetensors")
        .with_from_adapter(PyTorchToBurnAdapter)SETTING;
    backbone.load_from(&mut store).expect("weights");
}
"""


def test_a_store_for_a_module_of_unknown_type(tmp_path: Path) -> None:
    def lint(comment: str, setting: str = "") -> list[tuple[str, int]]:
        (tmp_path / "lib.rs").write_text(IMPORT.replace("COMMENT", comment).replace("SETTING", setting))
        return [(each.name, each.line) for each in run(["lib.rs"], folder=tmp_path, burn="0.22.1").found]

    sequential = "a torch Sequential of convolutions and activations"
    assert lint(sequential) == [("safetensors-sequential-indices", 7)]
    assert lint(sequential, ".map_indices_contiguous(true)") == []
    assert lint("convolutions") == []


RENAMED = """
use burn_import::pytorch::{LoadArgs, PyTorchFileRecorder};

fn arguments() -> LoadArgs {
    LoadArgs::new("net.pt".into())
        .with_key_remap("conv(\\\\d)\\\\.weight", "conv$1weight")
        .with_key_remap("^a\\\\.", "b.")
        .with_key_remap("^b\\\\.", "c.")
}
"""


def test_key_remaps_of_burn_import(tmp_path: Path) -> None:
    def lint(text: str) -> list[tuple[str, int]]:
        (tmp_path / "lib.rs").write_text(text)
        return [(each.name, each.line) for each in run(["lib.rs"], folder=tmp_path, burn="0.16.1").found]

    assert lint(RENAMED) == [("remap-group-mistake", 6), ("remap-chain", 8)]
    assert lint(RENAMED.replace("burn_import", "another_import")) == []


def test_a_crate_of_burn_that_the_manifest_does_not_name_yet(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'
    )
    (tmp_path / "src/lib.rs").write_text(
        "use burn_store::{ModuleSnapshot, SafetensorsStore};\n"
        "fn restore<M: ModuleSnapshot>(model: &mut M) {\n"
        '    let mut store = SafetensorsStore::from_file("tiny.pth");\n'
        "    model.load_from(&mut store).unwrap();\n}\n"
    )
    found = run(folder=tmp_path).found
    assert [(each.name, each.line) for each in found if each.path.endswith(".rs")] == [
        ("store-and-extension-mismatch", 3)
    ]
