"""Snippets for faults of devices, numbers there and measurement (see `tools.mutation.transplant`)."""

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
_GPU = "guide/"

SNIPPETS: dict[str, list[S]] = {
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
            "let gpu = ⟦Device::webgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<1>::ones([4], &gpu);\n"
            "let b = Tensor::<1>::ones([4], &Device::default());\nlet sum = a + b;\nlet _ = sum;",
            "let gpu = ⟦Device::webgpu(DeviceKind::DefaultDevice)⟧;\nlet a = Tensor::<1>::ones([4], &gpu);\n"
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
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet wide = ⟦Tensor::<1>::ones([4], (&gpu, DType::F64))⟧;\nlet _ = wide;",
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet wide = ⟦Tensor::<1>::ones([4], (&gpu, DType::F32))⟧;\nlet _ = wide;",
            type="Tensor<1>",
            free={"gpu": "&Device"},
        ),
        S(
            "let mut gpu = Device::webgpu(DeviceKind::DefaultDevice);\n"
            "gpu.configure(⟦DeviceConfig::default().float_dtype(FloatDType::F64)⟧).unwrap();",
            "let mut gpu = Device::webgpu(DeviceKind::DefaultDevice);\n"
            "gpu.configure(⟦DeviceConfig::default().float_dtype(FloatDType::F32)⟧).unwrap();",
            type="DeviceConfig",
            free={},
        ),
        S(
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet x = Tensor::<2>::ones([4, 4], &gpu);\n"
            "let wide = ⟦x.cast(FloatDType::F64)⟧;\nlet _ = wide;",
            "let gpu = Device::webgpu(DeviceKind::DefaultDevice);\nlet x = Tensor::<2>::ones([4, 4], &gpu);\n"
            "let wide = ⟦x.cast(FloatDType::F32)⟧;\nlet _ = wide;",
            type=_F2,
            free={"x": _F2},
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
