"""Snippets for faults in data loaders and batches (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_F2 = "Tensor<2>"
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
_ITEMS = _LOADER_ITEMS.replace("{p}Batcher", "PlantedBatcher{n}")


def _loader(name: str, chain: str = "", dataset: str = "InMemDataset::new(vec![1.0f32, 2.0, 3.0])") -> str:
    return (
        f"let {name} = DataLoaderBuilder::<f32, Tensor<1>>::new(PlantedBatcher{{n}}).batch_size(4){chain}"
        f".build({dataset});\n"
    )


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
    "loader-moved": [
        _fors(
            "let moved = ⟦loader.to_device({device})⟧;\nlet again = loader.to_device({device});\nlet _ = (moved, again);",
            "let moved = ⟦loader.to_device({device})⟧;\nlet _ = moved;",
            chain=".shuffle(42)",
        ),
    ],
    "loader-without-device": [
        S(
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet model = LinearConfig::new(1, 2).init(&gpu);\n"
            + _loader("loader")
            + "for batch in loader.iter() {\n    let rows = batch.unwrap().unsqueeze_dim::<2>(1);\n    let out = ⟦model.forward(rows)⟧;\n    let _ = out;\n}",
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet model = LinearConfig::new(1, 2).init(&gpu);\n"
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
}
