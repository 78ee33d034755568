"""Snippets for faults in weight files (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

SNIPPETS: dict[str, list[S]] = {
    "adapter-dropped": [
        S(
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦SafetensorsStore::from_file("huggingface/model.safetensors")⟧;\n'
            'let report = model.load_from(&mut store).unwrap();\nprintln!("{report:?}");',
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦SafetensorsStore::from_file("huggingface/model.safetensors").with_from_adapter(PyTorchToBurnAdapter)⟧;\n'
            'let report = model.load_from(&mut store).unwrap();\nprintln!("{report:?}");',
            type="SafetensorsStore",
            free={},
        ),
        S(
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦SafetensorsStore::from_file("pytorch_model.safetensors").with_key_remapping("running_mean", "mean")⟧;\n'
            'let report = model.load_from(&mut store).unwrap();\nprintln!("{report:?}");',
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦SafetensorsStore::from_file("pytorch_model.safetensors").with_from_adapter(PyTorchToBurnAdapter).with_key_remapping("running_mean", "mean")⟧;\n'
            'let report = model.load_from(&mut store).unwrap();\nprintln!("{report:?}");',
            type="SafetensorsStore",
            free={},
        ),
    ],
    "remap-group": [
        S(
            'let store = ⟦SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc(\\d)\\.", "$1_linear.")⟧;\nlet _ = store;',
            'let store = ⟦SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc(\\d)\\.", "${1}_linear.")⟧;\nlet _ = store;',
            type="SafetensorsStore",
            free={},
        ),
        S(
            'let store = ⟦BurnpackStore::from_file("old.bpk").with_remap_pattern(r"layer(\\d+)", "block$1weight")⟧;\nlet _ = store;',
            'let store = ⟦BurnpackStore::from_file("old.bpk").with_remap_pattern(r"layer(\\d+)", "block${1}weight")⟧;\nlet _ = store;',
            type="BurnpackStore",
            free={},
        ),
        S(
            'let to = ⟦"$1norm."⟧;\nlet store = PytorchStore::from_file("old.pt").with_key_remapping(r"^bn(\\d)\\.", to);\nlet _ = store;',
            'let to = ⟦"${1}norm."⟧;\nlet store = PytorchStore::from_file("old.pt").with_key_remapping(r"^bn(\\d)\\.", to);\nlet _ = store;',
            type="&'static str",
            free={},
        ),
    ],
    "remap-chain": [
        S(
            'let store = ⟦SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^conv1\\.", "conv2.").with_key_remapping(r"^conv2\\.", "conv3.")⟧;\nlet _ = store;',
            'let store = ⟦SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^conv2\\.", "conv3.").with_key_remapping(r"^conv1\\.", "conv2.")⟧;\nlet _ = store;',
            type="SafetensorsStore",
            free={},
        ),
        S(
            'let first = ⟦BurnpackStore::from_file("old.bpk").with_remap_pattern(r"^a\\.", "b.")⟧;\nlet store = first.with_remap_pattern(r"^b\\.", "c.");\nlet _ = store;',
            'let first = ⟦BurnpackStore::from_file("old.bpk").with_remap_pattern(r"^b\\.", "c.")⟧;\nlet store = first.with_remap_pattern(r"^a\\.", "b.");\nlet _ = store;',
            type="BurnpackStore",
            free={},
        ),
    ],
    "partial-unchecked": [
        S(
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦BurnpackStore::from_file("old.bpk").allow_partial(true)⟧;\nmodel.load_from(&mut store).unwrap();',
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦BurnpackStore::from_file("old.bpk").allow_partial(true)⟧;\nlet report = model.load_from(&mut store).unwrap();\n'
            "assert!(report.missing.is_empty());",
            type="BurnpackStore",
            free={},
        ),
        S(
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = SafetensorsStore::from_file("old.safetensors").allow_partial(true);\nlet _ = ⟦model.load_from(&mut store)⟧;',
            "use ModuleSnapshot as _;\nlet mut model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = SafetensorsStore::from_file("old.safetensors").allow_partial(true);\nlet report = ⟦model.load_from(&mut store)⟧;\n'
            'println!("{:?}", report.unwrap().missing);',
        ),
    ],
    "overwrite-dropped": [
        S(
            "use ModuleSnapshot as _;\nlet model = LinearConfig::new(4, 4).init({device});\nfor _ in 0..3 {\n"
            '    let mut store = ⟦SafetensorsStore::from_file("model.safetensors")⟧;\n    model.save_into(&mut store).unwrap();\n}',
            "use ModuleSnapshot as _;\nlet model = LinearConfig::new(4, 4).init({device});\nfor _ in 0..3 {\n"
            '    let mut store = ⟦SafetensorsStore::from_file("model.safetensors").overwrite(true)⟧;\n    model.save_into(&mut store).unwrap();\n}',
            type="SafetensorsStore",
            free={},
        ),
        S(
            "use ModuleSnapshot as _;\nlet model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦BurnpackStore::from_file("model.bpk")⟧;\nmodel.save_into(&mut store).unwrap();',
            "use ModuleSnapshot as _;\nlet model = LinearConfig::new(4, 4).init({device});\n"
            'let mut store = ⟦BurnpackStore::from_file("model.bpk").overwrite(true)⟧;\nmodel.save_into(&mut store).unwrap();',
            type="BurnpackStore",
            free={},
        ),
    ],
    "foreign-extension": [
        S(
            'use Module as _;\nlet model = LinearConfig::new(4, 4).init({device});\nlet path = ⟦"out/model.safetensors"⟧;\nmodel.save_file(path).unwrap();',
            'use Module as _;\nlet model = LinearConfig::new(4, 4).init({device});\nlet path = ⟦"out/model.bpk"⟧;\nmodel.save_file(path).unwrap();',
            type="&'static str",
            free={},
        ),
        S(
            'use Module as _;\nlet model = LinearConfig::new(4, 4).init({device}).load_file(⟦"weights.pt"⟧);\nlet _ = model;',
            'use Module as _;\nlet model = LinearConfig::new(4, 4).init({device}).load_file(⟦"weights.bpk"⟧);\nlet _ = model;',
            type="&'static str",
            free={},
        ),
    ],
    "half-weights": [
        S(
            'use Module as _;\nlet record = ⟦ModuleRecord::load("net-fp16").unwrap()⟧;\n'
            "let model = LinearConfig::new(4, 4).init({device}).load_record(record);\nlet _ = model;",
            'use Module as _;\nlet record = ⟦ModuleRecord::load("net-fp16").unwrap().cast_to_module_dtype()⟧;\n'
            "let model = LinearConfig::new(4, 4).init({device}).load_record(record);\nlet _ = model;",
            type="ModuleRecord",
            free={},
        ),
    ],
}
