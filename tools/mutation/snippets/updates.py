"""Snippets for results that get lost, and for optimizers (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_F2 = "Tensor<2>"
_MODEL = """let mut model = LinearConfig::new(4, 2).init({device});
let mut optim = AdamConfig::new().init();
let x = Tensor::<2>::ones([8, 4], {device});
"""
_GRADS = """    let loss = model.forward(x.clone()).powi_scalar(2).mean();
    let grads = GradientsParams::from_grads(loss.backward(), &model);
"""
_LOOP = _MODEL + "for _ in 0..4 {\n" + _GRADS

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
            '.with_group(ParamGroup::from_path("weight"), SgdConfig::new().build(), None);\nlet _ = optim;',
            'use Module as _;\nlet optim = ⟦AdamConfig::new().init()⟧.with_group(ParamGroup::from_path("weight"), SgdConfig::new().build(), None)'
            '.load("state").unwrap();\nlet _ = optim;',
            type="ModuleOptimizer",
            free={},
        ),
        S(
            'let loaded = ⟦AdamConfig::new().init().load("state").unwrap()⟧;\n'
            'let optim = loaded.with_group(ParamGroup::from_path("bias"), SgdConfig::new().build(), None);\nlet _ = optim;',
            "let fresh = ⟦AdamConfig::new().init()⟧;\n"
            'let optim = fresh.with_group(ParamGroup::from_path("bias"), SgdConfig::new().build(), None).load("state").unwrap();\nlet _ = optim;',
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
}
