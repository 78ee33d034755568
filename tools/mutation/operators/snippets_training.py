"""Snippets for faults in training, data, weights, devices and measurement (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_I1 = "Tensor<1, Int>"
_F2 = "Tensor<2>"
_MODEL = """let mut model = LinearConfig::new(4, 2).init({device});
let mut optim = AdamConfig::new().init();
let x = Tensor::<2>::ones([8, 4], {device});
"""
_GRADS = """    let loss = model.forward(x.clone()).powi_scalar(2).mean();
    let grads = GradientsParams::from_grads(loss.backward(), &model);
"""
_LOOP = _MODEL + "for _ in 0..4 {\n" + _GRADS
_STEP = {"optim": "&mut ModuleOptimizer", "model": "Linear", "grads": "GradientsParams"}
_LOADER_ITEMS = """
#[derive(Clone)]
struct {p}Batcher;
impl Batcher<f32, Tensor<1>> for {p}Batcher {
    fn batch(&self, items: Vec<f32>, device: &Device) -> Tensor<1> {
        Tensor::from_data(items.as_slice(), device)
    }
}
"""


_FILES = """
struct PlantedFiles{n};
impl Dataset<f32> for PlantedFiles{n} {
    fn get(&self, index: usize) -> Result<f32, DatasetError> {
        let text = std::fs::read_to_string(format!("data/{index}.txt")).map_err(DatasetError::new)?;
        text.trim().parse().map_err(DatasetError::new)
    }
    fn len(&self) -> usize {
        12
    }
}
"""
"""A data set that can fail: a file may be missing. Nothing is wrong with dropping the errors of one that cannot."""


def _loader(name: str, chain: str = "", dataset: str = "InMemDataset::new(vec![1.0f32, 2.0, 3.0])") -> str:
    return (
        f"let {name} = DataLoaderBuilder::<f32, Tensor<1>>::new(PlantedBatcher{{n}}).batch_size(4){chain}"
        f".build({dataset});\n"
    )


_ITEMS = _LOADER_ITEMS.replace("{p}Batcher", "PlantedBatcher{n}")
_GPU = "guide/"


def _fors(bad: str, good: str, *, chain: str = "") -> S:
    return S(
        _loader("loader", chain) + bad,
        _loader("loader", chain) + good,
        items=_ITEMS,
    )


def _files(bad: str, good: str, *, chain: str = "") -> S:
    loader = _loader("loader", chain, "PlantedFiles{n}")
    return S(
        loader + bad,
        loader + good,
        type="Box<dyn DataLoaderIterator<Tensor<1>> + '_>",
        free={"loader": "&std::sync::Arc<dyn DataLoader<Tensor<1>>>"},
        items=_ITEMS + _FILES,
    )


SNIPPETS: dict[str, list[S]] = {
    "step-dropped": [
        S(
            _LOOP + "    ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}\nlet _ = &mut model;",
            _LOOP + "    model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "model": "&Linear", "grads": "GradientsParams"},
        ),
        S(
            _LOOP
            + "    let updated = model.clone();\n    ⟦optim.step(1e-3, updated, grads)⟧;\n}\nlet _ = &mut model;",
            _LOOP + "    let updated = model.clone();\n    model = ⟦optim.step(1e-3, updated, grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "updated": "Linear", "grads": "GradientsParams"},
        ),
    ],
    "step-shadowed": [
        S(
            _LOOP
            + "    let model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n    let _ = model;\n}\nlet _ = &mut model;",
            _LOOP + "    model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "model": "&Linear", "grads": "GradientsParams"},
        ),
    ],
    "step-ignored": [
        S(
            _LOOP + "    let _ = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}\nlet _ = &mut model;",
            _LOOP + "    model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "model": "&Linear", "grads": "GradientsParams"},
        ),
        S(
            _LOOP + "    let _updated = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}\nlet _ = &mut model;",
            _LOOP + "    model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "model": "&Linear", "grads": "GradientsParams"},
        ),
        S(
            _LOOP + "    drop(⟦optim.step(1e-3, model.clone(), grads)⟧);\n}\nlet _ = &mut model;",
            _LOOP + "    model = ⟦optim.step(1e-3, model.clone(), grads)⟧;\n}",
            type="Linear",
            free={"optim": "&mut ModuleOptimizer", "model": "&Linear", "grads": "GradientsParams"},
        ),
    ],
    "optimizer-in-loop": [
        S(
            _MODEL.replace("let mut optim = AdamConfig::new().init();\n", "") + "for _ in 0..4 {\n"
            "    let mut optim = ⟦AdamConfig::new().init()⟧;\n"
            + _GRADS
            + "    model = optim.step(1e-3, model, grads);\n}",
            _MODEL.replace("AdamConfig::new().init()", "⟦AdamConfig::new().init()⟧")
            + "for _ in 0..4 {\n"
            + _GRADS
            + "    model = optim.step(1e-3, model, grads);\n}",
            type="ModuleOptimizer",
            free={},
        ),
        S(
            _MODEL.replace(
                "let mut optim = AdamConfig::new().init();\n", "let config = AdamWConfig::new();\n"
            )
            + "let mut round = 0;\nwhile round < 9 {\n    round += 1;\n    let mut optim = ⟦config.init()⟧;\n"
            + _GRADS
            + "    model = optim.step(1e-3, model, grads);\n}",
            _MODEL.replace(
                "let mut optim = AdamConfig::new().init();\n",
                "let config = AdamWConfig::new();\nlet mut optim = ⟦config.init()⟧;\n",
            )
            + "let mut round = 0;\nwhile round < 9 {\n    round += 1;\n"
            + _GRADS
            + "    model = optim.step(1e-3, model, grads);\n}",
            type="ModuleOptimizer",
            free={"config": "&AdamWConfig"},
        ),
    ],
    "loader-flattened": [
        _files(
            "for batch in ⟦loader.iter().flatten()⟧ {\n    let _ = batch;\n}",
            "for batch in ⟦loader.iter().map(Result::unwrap)⟧ {\n    let _ = batch;\n}",
        ),
        _files(
            "for (_, batch) in ⟦loader.iter().filter_map(Result::ok)⟧.enumerate() {\n    let _ = batch;\n}",
            "for (_, batch) in ⟦loader.iter().map(Result::unwrap)⟧.enumerate() {\n    let _ = batch;\n}",
        ),
        _files(
            "for batch in ⟦loader.iter().filter_map(|batch| batch.ok())⟧ {\n    let _ = batch;\n}",
            "for batch in ⟦loader.iter().map(|batch| batch.unwrap())⟧ {\n    let _ = batch;\n}",
            chain=".shuffle(3)",
        ),
    ],
    "loader-ended": [
        _files(
            "for batch in ⟦loader.iter().map_while(Result::ok)⟧ {\n    let _ = batch;\n}",
            "for batch in ⟦loader.iter().map(Result::unwrap)⟧ {\n    let _ = batch;\n}",
        ),
        _files(
            "let mut batches = ⟦loader.iter()⟧;\nwhile let Some(Ok(batch)) = batches.next() {\n    let _ = batch;\n}",
            "let mut batches = ⟦loader.iter()⟧;\nwhile let Some(batch) = batches.next() {\n    let _ = batch.unwrap();\n}",
        ),
    ],
    "loader-logged": [
        _files(
            "for batch in ⟦loader.iter()⟧ {\n    match batch {\n        Ok(batch) => { let _ = batch; }\n"
            '        Err(error) => { eprintln!("{error}"); continue; }\n    }\n}',
            "for batch in ⟦loader.iter()⟧ {\n    match batch {\n        Ok(batch) => { let _ = batch; }\n"
            '        Err(error) => { eprintln!("{error}"); break; }\n    }\n}',
        ),
        _files(
            "for batch in ⟦loader.iter()⟧ {\n    if let Ok(batch) = batch {\n        let _ = batch;\n    }\n}",
            "for batch in ⟦loader.iter()⟧ {\n    if let Ok(batch) = batch {\n        let _ = batch;\n    } else {\n        break;\n    }\n}",
        ),
        _files(
            "for batch in ⟦loader.iter()⟧ {\n    let Ok(batch) = batch else { continue };\n    let _ = batch;\n}",
            "for batch in ⟦loader.iter()⟧ {\n    let Ok(batch) = batch else { break };\n    let _ = batch;\n}",
        ),
    ],
    "load-dropped": [
        S(
            'use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\n⟦model.clone().load_file("weights")⟧;\n'
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            'use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\nlet model = ⟦model.clone().load_file("weights")⟧;\n'
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            type="Linear",
            free={"model": "&Linear"},
        ),
        S(
            "use Module as _;\nlet trained = LinearConfig::new(4, 2).init({device});\nlet record = trained.into_record();\n"
            "let model = LinearConfig::new(4, 2).init({device});\n⟦model.clone().load_record(record)⟧;\n"
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            "use Module as _;\nlet trained = LinearConfig::new(4, 2).init({device});\nlet record = trained.into_record();\n"
            "let model = LinearConfig::new(4, 2).init({device});\nlet model = ⟦model.clone().load_record(record)⟧;\n"
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            type="Linear",
            free={"model": "&Linear", "record": "ModuleRecord"},
        ),
        S(
            'let optim: ModuleOptimizer = AdamConfig::new().init();\n⟦optim.clone().load("state").unwrap()⟧;\nlet _ = optim;',
            'let optim: ModuleOptimizer = AdamConfig::new().init();\nlet optim = ⟦optim.clone().load("state").unwrap()⟧;\nlet _ = optim;',
            type="ModuleOptimizer",
            free={"optim": "&ModuleOptimizer"},
        ),
    ],
    "module-result-dropped": [
        S(
            "use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\n⟦model.clone().no_grad()⟧;\nlet _ = model;",
            "use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\nlet model = ⟦model.clone().no_grad()⟧;\nlet _ = model;",
            type="Linear",
            free={"model": "&Linear"},
        ),
        S(
            "use Module as _;\nlet device = Device::clone({device});\nlet model = LinearConfig::new(4, 2).init(&device);\n⟦model.clone().fork(&device)⟧;\nlet _ = model;",
            "use Module as _;\nlet device = Device::clone({device});\nlet model = LinearConfig::new(4, 2).init(&device);\nlet model = ⟦model.clone().fork(&device)⟧;\nlet _ = model;",
            type="Linear",
            free={"model": "&Linear", "device": "&Device"},
        ),
        S(
            "use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\n⟦model.valid()⟧;\n"
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            "use Module as _;\nlet model = LinearConfig::new(4, 2).init({device});\nlet model = ⟦model.valid()⟧;\n"
            "let out = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet _ = out;",
            type="Linear",
            free={"model": "&Linear"},
        ),
    ],
    "tensor-result-dropped": [
        S(
            "let x = {x}.clone();\n⟦x.clone().clamp(0.0, 1.0)⟧;\nlet _ = x;",
            "let x = {x}.clone();\nlet x = ⟦x.clone().clamp(0.0, 1.0)⟧;\nlet _ = x;",
            {"x": _F2},
            type=_F2,
            free={"x": "&Tensor<2>"},
            old=True,
        ),
        S(
            "let x = Tensor::<2>::zeros([4, 4], {device});\n⟦x.clone().slice_assign([0..1, 0..1], Tensor::<2>::ones([1, 1], {device}))⟧;\nlet _ = x;",
            "let x = Tensor::<2>::zeros([4, 4], {device});\nlet x = ⟦x.clone().slice_assign([0..1, 0..1], Tensor::<2>::ones([1, 1], {device}))⟧;\nlet _ = x;",
            old=True,
        ),
        S(
            "let x = {x}.clone();\n⟦x.clone().mul_scalar(0.5)⟧;\nlet _ = x;",
            "let x = {x}.clone();\nlet x = ⟦x.clone().mul_scalar(0.5)⟧;\nlet _ = x;",
            {"x": _F2},
            type=_F2,
            free={"x": "&Tensor<2>"},
            old=True,
        ),
    ],
    "group-after-load": [
        S(
            'use Module as _;\nlet optim = ⟦AdamConfig::new().init().load("state").unwrap()⟧'
            '.with_group("weight", SgdConfig::new().build(), None);\nlet _ = optim;',
            'use Module as _;\nlet optim = ⟦AdamConfig::new().init()⟧.with_group("weight", SgdConfig::new().build(), None)'
            '.load("state").unwrap();\nlet _ = optim;',
            type="ModuleOptimizer",
            free={},
        ),
        S(
            'let loaded = ⟦AdamConfig::new().init().load("state").unwrap()⟧;\n'
            'let optim = loaded.with_group("bias", SgdConfig::new().build(), None);\nlet _ = optim;',
            "let fresh = ⟦AdamConfig::new().init()⟧;\n"
            'let optim = fresh.with_group("bias", SgdConfig::new().build(), None).load("state").unwrap();\nlet _ = optim;',
            type="ModuleOptimizer",
            free={},
        ),
    ],
    "clipping-lost": [
        S(
            "let config = ⟦AdamConfig::new().with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)))⟧;\n"
            "let optim = ModuleOptimizer::from(config.build());\nlet _ = optim;",
            "let config = ⟦AdamConfig::new().with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)))⟧;\n"
            "let optim: ModuleOptimizer = config.init();\nlet _ = optim;",
            type="AdamConfig",
            free={},
        ),
        S(
            "let optim = ModuleOptimizer::from(⟦SgdConfig::new().with_gradient_clipping(Some(GradientClippingConfig::Value(0.5))).build()⟧);\nlet _ = optim;",
            "let optim: ModuleOptimizer = ⟦SgdConfig::new().with_gradient_clipping(Some(GradientClippingConfig::Value(0.5))).init()⟧;\nlet _ = optim;",
        ),
    ],
    "default-momentum": [
        S(
            "let optim: ModuleOptimizer = ⟦RmsPropConfig::new()⟧.init();\nlet _ = optim;",
            "let optim: ModuleOptimizer = ⟦RmsPropConfig::new().with_momentum(0.0)⟧.init();\nlet _ = optim;",
            type="RmsPropConfig",
            free={},
        ),
        S(
            "let optim: ModuleOptimizer = SgdConfig::new().with_momentum(Some(⟦momentum::MomentumConfig::new()⟧)).init();\nlet _ = optim;",
            "let optim: ModuleOptimizer = SgdConfig::new().with_momentum(Some(⟦momentum::MomentumConfig::new().with_dampening(0.0)⟧)).init();\nlet _ = optim;",
            type="momentum::MomentumConfig",
            free={},
        ),
    ],
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
    "loader-moved": [
        _fors(
            "let moved = ⟦loader.to_device({device})⟧;\nlet again = loader.to_device({device});\nlet _ = (moved, again);",
            "let moved = ⟦loader.to_device({device})⟧;\nlet _ = moved;",
            chain=".shuffle(42)",
        ),
    ],
    "loader-without-device": [
        S(
            "let gpu = Device::wgpu(DeviceKind::DefaultDevice);\nlet model = LinearConfig::new(1, 2).init(&gpu);\n"
            + _loader("loader")
            + "for batch in loader.iter() {\n    let rows = batch.unwrap().unsqueeze_dim::<2>(1);\n    let out = ⟦model.forward(rows)⟧;\n    let _ = out;\n}",
            "let gpu = Device::wgpu(DeviceKind::DefaultDevice);\nlet model = LinearConfig::new(1, 2).init(&gpu);\n"
            + _loader("loader", ".set_device(gpu.clone())")
            + "for batch in loader.iter() {\n    let rows = batch.unwrap().unsqueeze_dim::<2>(1);\n    let out = ⟦model.forward(rows)⟧;\n    let _ = out;\n}",
            type="Tensor<2>",
            free={"model": "&Linear", "rows": "Tensor<2>"},
            items=_ITEMS,
        ),
    ],
    "batch-size-assumed": [
        _fors(
            "for batch in loader.iter() {\n    let batch = batch.unwrap();\n    let rows = ⟦batch.reshape([4, 1])⟧;\n    let _ = rows;\n}",
            "for batch in loader.iter() {\n    let batch = batch.unwrap();\n    let [count] = batch.dims();\n    let rows = ⟦batch.reshape([count, 1])⟧;\n    let _ = rows;\n}",
        ),
        S(
            "let size = 16;\n"
            + _loader("loader").replace("batch_size(4)", "batch_size(size)")
            + "for batch in loader.iter().map(Result::unwrap) {\n    let rows = ⟦batch.reshape([size, 1])⟧;\n    let _ = rows;\n}",
            "let size = 16;\n"
            + _loader("loader").replace("batch_size(4)", "batch_size(size)")
            + "for batch in loader.iter().map(Result::unwrap) {\n    let count = batch.dims()[0];\n    let rows = ⟦batch.reshape([count, 1])⟧;\n    let _ = rows;\n}",
            items=_ITEMS,
        ),
    ],
    "seed-after-use": [
        S(
            "let noise = ⟦Tensor::<2>::random([4, 4], Distribution::Default, {device})⟧;\n{on}.seed(42);\nlet _ = noise;",
            "{on}.seed(42);\nlet noise = ⟦Tensor::<2>::random([4, 4], Distribution::Default, {device})⟧;\nlet _ = noise;",
        ),
        S(
            "let device = Device::clone({device});\nlet model = LinearConfig::new(4, 2).init(&device);\n"
            "let out = ⟦model.forward(Tensor::<2>::ones([1, 4], &device))⟧;\ndevice.seed(7);\nlet _ = out;",
            "let device = Device::clone({device});\ndevice.seed(7);\nlet model = LinearConfig::new(4, 2).init(&device);\n"
            "let out = ⟦model.forward(Tensor::<2>::ones([1, 4], &device))⟧;\nlet _ = out;",
            type=_F2,
            free={"model": "&Linear", "device": "&Device"},
        ),
    ],
    "discrete-gpu": [
        S(
            "let device = ⟦Device::wgpu(DeviceKind::DiscreteGpu(0))⟧;\nlet _ = device;",
            "let device = ⟦Device::wgpu(DeviceKind::DefaultDevice)⟧;\nlet _ = device;",
            type="Device",
            free={},
        ),
        S(
            "let kind = ⟦DeviceKind::IntegratedGpu(1)⟧;\nlet device = Device::wgpu(kind);\nlet _ = device;",
            "let kind = ⟦DeviceKind::DefaultDevice⟧;\nlet device = Device::wgpu(kind);\nlet _ = device;",
            type="DeviceKind",
            free={},
        ),
        S(
            "let kinds = [⟦DeviceKind::DiscreteGpu(0)⟧, DeviceKind::DefaultDevice];\nlet device = Device::vulkan(kinds[0].clone());\nlet _ = device;",
            "let kinds = [⟦DeviceKind::DefaultDevice⟧, DeviceKind::DefaultDevice];\nlet device = Device::vulkan(kinds[0].clone());\nlet _ = device;",
            type="DeviceKind",
            free={},
        ),
    ],
    "devices-mixed": [
        S(
            "let gpu = ⟦Device::wgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<1>::ones([4], &gpu);\n"
            "let b = Tensor::<1>::ones([4], &Device::default());\nlet sum = a + b;\nlet _ = sum;",
            "let gpu = ⟦Device::wgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<1>::ones([4], &gpu);\n"
            "let b = Tensor::<1>::ones([4], &gpu);\nlet sum = a + b;\nlet _ = sum;",
            type="Device",
            free={},
        ),
        S(
            "let cpu = ⟦Device::flex()⟧;\nlet gpu = Device::wgpu(DeviceKind::DefaultDevice);\nlet a = Tensor::<1>::ones([4], &gpu);\n"
            "let b = Tensor::<1>::ones([4], &cpu);\nlet sum = a * b;\nlet _ = sum;",
            "let cpu = ⟦Device::flex()⟧;\nlet a = Tensor::<1>::ones([4], &cpu);\n"
            "let b = Tensor::<1>::ones([4], &cpu);\nlet sum = a * b;\nlet _ = sum;",
            type="Device",
            free={},
        ),
    ],
    "cat-mixed": [
        S(
            "let cpu = ⟦Device::flex()⟧;\nlet gpu = Device::wgpu(DeviceKind::DefaultDevice);\nlet a = Tensor::<1>::ones([4], &cpu);\n"
            "let b = Tensor::<1>::ones([4], &gpu);\nlet both = Tensor::cat(vec![a, b], 0);\nlet _ = both;",
            "let cpu = ⟦Device::flex()⟧;\nlet a = Tensor::<1>::ones([4], &cpu);\n"
            "let b = Tensor::<1>::ones([4], &cpu);\nlet both = Tensor::cat(vec![a, b], 0);\nlet _ = both;",
            type="Device",
            free={},
        ),
        S(
            "let gpu = ⟦Device::wgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<2>::ones([4, 4], &gpu);\n"
            "let b = Tensor::<2>::ones([4, 4], &Device::flex());\nlet both = Tensor::stack::<3>(vec![a, b], 0);\nlet _ = both;",
            "let gpu = ⟦Device::wgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<2>::ones([4, 4], &gpu);\n"
            "let b = Tensor::<2>::ones([4, 4], &gpu);\nlet both = Tensor::stack::<3>(vec![a, b], 0);\nlet _ = both;",
            type="Device",
            free={},
        ),
    ],
    "i64-readback": [
        S(
            "let ids = Tensor::<1, Int>::from_ints([1, 2, 3], {device});\nlet data = ⟦ids.into_data()⟧;\nlet read = data.try_to_vec::<i64>().unwrap();\nlet _ = read;",
            "let ids = Tensor::<1, Int>::from_ints([1, 2, 3], {device});\nlet data = ⟦ids.into_data()⟧;\nlet read = data.convert::<i64>().try_to_vec::<i64>().unwrap();\nlet _ = read;",
            type="TensorData",
            free={"ids": _I1},
        ),
        S(
            "let best = {x}.clone().argmax(1);\nlet read = ⟦best.to_data().try_into_vec::<i64>().unwrap()⟧;\nlet _ = read;",
            "let best = {x}.clone().argmax(1);\nlet read = ⟦best.to_data().convert::<i64>().try_into_vec::<i64>().unwrap()⟧;\nlet _ = read;",
            {"x": _F2},
            type="Vec<i64>",
            free={"best": "&Tensor<2, Int>"},
        ),
        S(
            "let data = {x}.to_data();\nlet read = ⟦data.as_slice::<i64>().unwrap().to_vec()⟧;\nlet _ = read;",
            "let data = {x}.to_data().convert::<i64>();\nlet read = ⟦data.as_slice::<i64>().unwrap().to_vec()⟧;\nlet _ = read;",
            {"x": "Tensor<2, Int>"},
            type="Vec<i64>",
            free={"data": "&TensorData"},
        ),
        S(
            "let data = {x}.to_data();\nlet read = ⟦data.as_slice::<i64>().unwrap().to_vec()⟧;\nlet _ = read;",
            "let data = {x}.to_data().convert::<i64>();\nlet read = ⟦data.as_slice::<i64>().unwrap().to_vec()⟧;\nlet _ = read;",
            {"x": "Tensor<1, Int>"},
            type="Vec<i64>",
            free={"data": "&TensorData"},
        ),
    ],
    "configure-after-use": [
        S(
            "let mut device = ⟦Device::default()⟧;\nlet ones = Tensor::<1>::ones([4], &device);\n"
            "device.configure(DeviceConfig::default().float_dtype(FloatDType::F16)).unwrap();\nlet _ = ones;",
            "let mut device = ⟦Device::default()⟧;\n"
            "device.configure(DeviceConfig::default().float_dtype(FloatDType::F16)).unwrap();\nlet ones = Tensor::<1>::ones([4], &device);\nlet _ = ones;",
            type="Device",
            free={},
        ),
        S(
            "let mut device = Device::clone({device});\nlet out = ⟦LinearConfig::new(4, 2).init(&device).forward(Tensor::<2>::ones([1, 4], &device))⟧;\n"
            "device.configure(DeviceConfig::default().int_dtype(IntDType::I64)).unwrap();\nlet _ = out;",
            "let mut device = Device::clone({device});\ndevice.configure(DeviceConfig::default().int_dtype(IntDType::I64)).unwrap();\n"
            "let out = ⟦LinearConfig::new(4, 2).init(&device).forward(Tensor::<2>::ones([1, 4], &device))⟧;\nlet _ = out;",
            type=_F2,
            free={"device": "&Device"},
        ),
    ],
    "configure-ignored": [
        S(
            "let mut device = Device::default();\nlet _ = ⟦device.configure(DeviceConfig::default().float_dtype(FloatDType::F16))⟧;",
            "let mut device = Device::default();\n⟦device.configure(DeviceConfig::default().float_dtype(FloatDType::F16))⟧.unwrap();",
        ),
        S(
            "let mut device = Device::default();\n⟦device.configure(DeviceConfig::default().float_dtype(FloatDType::BF16))⟧.ok();",
            "let mut device = Device::default();\n⟦device.configure(DeviceConfig::default().float_dtype(FloatDType::BF16))⟧.unwrap();",
        ),
    ],
    "literal-beyond-i32": [
        S(
            "let big = ⟦Tensor::<1, Int>::from_ints([1, 3_000_000_000i64], {device})⟧;\nlet _ = big;",
            "let big = ⟦Tensor::<1, Int>::from_ints([1, 2_000_000_000i64], {device})⟧;\nlet _ = big;",
        ),
        S(
            "let ids = Tensor::<1, Int>::arange(0..4, {device});\nlet moved = ⟦ids + 4_294_967_296i64⟧;\nlet _ = moved;",
            "let ids = Tensor::<1, Int>::arange(0..4, {device});\nlet moved = ⟦ids + 294_967_296i64⟧;\nlet _ = moved;",
            type=_I1,
            free={"ids": _I1},
        ),
        S(
            "let full = ⟦Tensor::<1, Int>::full([4], 5_000_000_000i64, {device})⟧;\nlet _ = full;",
            "let full = ⟦Tensor::<1, Int>::full([4], 500_000_000i64, {device})⟧;\nlet _ = full;",
        ),
    ],
    "f64-on-wgpu": [
        S(
            "let wide = ⟦Tensor::<1>::ones([4], (&Device::default(), DType::F64))⟧;\nlet _ = wide;",
            "let wide = ⟦Tensor::<1>::ones([4], (&Device::default(), DType::F32))⟧;\nlet _ = wide;",
            only=_GPU,
        ),
        S(
            "let mut device = Device::wgpu(DeviceKind::DefaultDevice);\n"
            "device.configure(⟦DeviceConfig::default().float_dtype(FloatDType::F64)⟧).unwrap();",
            "let mut device = Device::wgpu(DeviceKind::DefaultDevice);\n"
            "device.configure(⟦DeviceConfig::default().float_dtype(FloatDType::F32)⟧).unwrap();",
            type="DeviceConfig",
            free={},
            only=_GPU,
        ),
    ],
    "sync-dropped": [
        S(
            "let x = Tensor::<2>::ones([64, 64], {device});\nlet start = std::time::Instant::now();\nlet y = ⟦x.clone().matmul(x)⟧;\n"
            'let seconds = start.elapsed();\nprintln!("{seconds:?}");\nlet _ = y;',
            "let x = Tensor::<2>::ones([64, 64], {device});\nlet start = std::time::Instant::now();\nlet y = ⟦x.clone().matmul(x)⟧;\n"
            'y.device().sync().unwrap();\nlet seconds = start.elapsed();\nprintln!("{seconds:?}");\nlet _ = y;',
            type=_F2,
            free={"x": _F2},
            only=_GPU,
        ),
        S(
            "let model = LinearConfig::new(4, 2).init({device});\nlet x = Tensor::<2>::ones([64, 4], {device});\n"
            'let start = std::time::Instant::now();\nlet y = ⟦model.forward(x)⟧;\nlet took = start.elapsed().as_secs_f64();\nprintln!("{took}");\nlet _ = y;',
            "let model = LinearConfig::new(4, 2).init({device});\nlet x = Tensor::<2>::ones([64, 4], {device});\n"
            'let start = std::time::Instant::now();\nlet y = ⟦model.forward(x)⟧;\nlet sum = y.mean().into_scalar::<f32>();\nlet took = start.elapsed().as_secs_f64();\nprintln!("{took} {sum}");',
            type=_F2,
            free={"model": "&Linear", "x": _F2},
            only=_GPU,
        ),
    ],
    "cleanup-in-loop": [
        S(
            _LOOP + "    model = optim.step(1e-3, model, grads);\n    ⟦{on}.memory_cleanup()⟧;\n}",
            _LOOP
            + "    model = optim.step(1e-3, model, grads);\n}\n{on}.sync().unwrap();\n⟦{on}.memory_cleanup()⟧;",
        ),
        S(
            "let model = LinearConfig::new(4, 2).init({device});\nfor _ in 0..9 {\n    let y = ⟦model.forward(Tensor::<2>::ones([8, 4], {device}))⟧;\n"
            "    let _ = y;\n    {on}.memory_cleanup();\n}",
            "let model = LinearConfig::new(4, 2).init({device});\nfor _ in 0..9 {\n    let y = ⟦model.forward(Tensor::<2>::ones([8, 4], {device}))⟧;\n"
            "    let _ = y;\n}\n{on}.sync().unwrap();\n{on}.memory_cleanup();",
        ),
    ],
}
