"""Snippets for faults in modules and losses, and for what does not compile (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_X2 = {"x": "Tensor<2>"}
_F2 = "Tensor<2>"

SNIPPETS: dict[str, list[S]] = {
    "batchnorm-decay": [
        S(
            "let norm = ⟦BatchNormConfig::new(8).with_momentum(0.9)⟧.init({device});\nlet _ = norm;",
            "let norm = ⟦BatchNormConfig::new(8).with_momentum(0.1)⟧.init({device});\nlet _ = norm;",
            type="BatchNormConfig",
            free={},
        ),
        S(
            "let decay = 0.99;\nlet norm = ⟦BatchNormConfig::new(16).with_momentum(decay)⟧.init({device});\nlet _ = norm;",
            "let decay = 0.01;\nlet norm = ⟦BatchNormConfig::new(16).with_momentum(decay)⟧.init({device});\nlet _ = norm;",
            type="BatchNormConfig",
            free={"decay": "f64"},
        ),
        S(
            "let norms: Vec<BatchNorm> = (0..3).map(|_| ⟦BatchNormConfig::new(4).with_epsilon(1e-3).with_momentum(0.99)⟧.init({device})).collect();\nlet _ = norms;",
            "let norms: Vec<BatchNorm> = (0..3).map(|_| ⟦BatchNormConfig::new(4).with_epsilon(1e-3).with_momentum(0.01)⟧.init({device})).collect();\nlet _ = norms;",
            type="BatchNormConfig",
            free={},
        ),
    ],
    "softmax-before-loss": [
        S(
            "let model = LinearConfig::new(4, 3).init({device});\nlet targets = Tensor::<1, Int>::zeros([8], {device});\n"
            "let scores = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet chances = ⟦activation::softmax(scores, 1)⟧;\n"
            "let loss = loss::CrossEntropyLossConfig::new().init({device}).forward(chances, targets);\nlet _ = loss;",
            "let model = LinearConfig::new(4, 3).init({device});\nlet targets = Tensor::<1, Int>::zeros([8], {device});\n"
            "let scores = model.forward(Tensor::<2>::ones([8, 4], {device}));\nlet chances = ⟦activation::relu(scores)⟧;\n"
            "let loss = loss::CrossEntropyLossConfig::new().init({device}).forward(chances, targets);\nlet _ = loss;",
            type=_F2,
            free={"scores": _F2},
        ),
        S(
            "let targets = Tensor::<1, Int>::zeros([{x}.dims()[0]], {device});\nlet chances = ⟦activation::softmax({x}.clone(), 1)⟧;\n"
            "let loss = loss::CrossEntropyLoss::new(None, {device}).forward(chances, targets);\nlet _ = loss;",
            "let targets = Tensor::<1, Int>::zeros([{x}.dims()[0]], {device});\nlet chances = ⟦activation::relu({x}.clone())⟧;\n"
            "let loss = loss::CrossEntropyLoss::new(None, {device}).forward(chances, targets);\nlet _ = loss;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>"},
        ),
        S(
            "let targets = Tensor::<2, Int>::zeros([8, 1], {device});\nlet scores = Tensor::<2>::ones([8, 1], {device});\n"
            "let chances = ⟦activation::sigmoid(scores)⟧;\n"
            "let loss = loss::BinaryCrossEntropyLossConfig::new().with_logits(true).init({device}).forward(chances, targets);\nlet _ = loss;",
            "let targets = Tensor::<2, Int>::zeros([8, 1], {device});\nlet scores = Tensor::<2>::ones([8, 1], {device});\n"
            "let chances = ⟦activation::relu(scores)⟧;\n"
            "let loss = loss::BinaryCrossEntropyLossConfig::new().with_logits(true).init({device}).forward(chances, targets);\nlet _ = loss;",
            type=_F2,
            free={"scores": _F2},
        ),
    ],
    "batchnorm-cloned": [
        S(
            "let mut norm = BatchNormConfig::new(4).init({device});\nlet mut optim = AdamConfig::new().init();\n"
            "let mut best: Option<BatchNorm> = None;\nfor _ in 0..4 {\n    let loss = norm.forward(Tensor::<2>::ones([8, 4], {device})).mean();\n"
            "    let grads = GradientsParams::from_grads(loss.backward(), &norm);\n    norm = optim.step(1e-3, norm, grads);\n"
            "    best = Some(⟦norm.clone()⟧);\n}\nlet _ = best;",
            "use Module as _;\nlet mut norm = BatchNormConfig::new(4).init({device});\nlet mut optim = AdamConfig::new().init();\n"
            "let mut best: Option<BatchNorm> = None;\nfor _ in 0..4 {\n    let loss = norm.forward(Tensor::<2>::ones([8, 4], {device})).mean();\n"
            "    let grads = GradientsParams::from_grads(loss.backward(), &norm);\n    norm = optim.step(1e-3, norm, grads);\n"
            "    best = Some(⟦norm.valid()⟧);\n}\nlet _ = best;",
            type="BatchNorm",
            free={"norm": "&BatchNorm"},
        ),
    ],
    "forward-on-autodiff": [
        S(
            "let device = Device::clone({device}).autodiff();\nlet model = LinearConfig::new(4, 2).init(&device);\n"
            'for _ in 0..100 {\n    let out = ⟦model.forward(Tensor::<2>::ones([1, 4], &device))⟧;\n    println!("{}", out.mean().into_scalar::<f32>());\n}',
            "let device = Device::clone({device}).inner();\nlet model = LinearConfig::new(4, 2).init(&device);\n"
            'for _ in 0..100 {\n    let out = ⟦model.forward(Tensor::<2>::ones([1, 4], &device))⟧;\n    println!("{}", out.mean().into_scalar::<f32>());\n}',
            type=_F2,
            free={"model": "&Linear", "device": "&Device"},
        ),
    ],
    "clone-dropped": [
        S(
            "let x = {x}.clone();\nlet y = ⟦x.tanh()⟧;\nlet sum = y + x;\nlet _ = sum;",
            "let x = {x}.clone();\nlet y = ⟦x.clone().tanh()⟧;\nlet sum = y + x;\nlet _ = sum;",
            _X2,
            type=_F2,
            free={"x": "clone Tensor<2>"},
            old=True,
        ),
        S(
            "let x = {x}.clone();\nlet mut total = x.clone();\nfor _ in 0..3 {\n    total = ⟦x + total⟧;\n}\nlet _ = total;",
            "let x = {x}.clone();\nlet mut total = x.clone();\nfor _ in 0..3 {\n    total = ⟦x.clone() + total⟧;\n}\nlet _ = total;",
            _X2,
            type=_F2,
            free={"x": "clone Tensor<2>", "total": _F2},
            old=True,
        ),
        S(
            "let layer = LinearConfig::new(4, 4).init({device});\nlet x = Tensor::<2>::ones([8, 4], {device});\n"
            "let y = ⟦layer.forward(x)⟧;\nlet _ = y + x;",
            "let layer = LinearConfig::new(4, 4).init({device});\nlet x = Tensor::<2>::ones([8, 4], {device});\n"
            "let y = ⟦layer.forward(x.clone())⟧;\nlet _ = y + x;",
            type=_F2,
            free={"layer": "&Linear", "x": "clone Tensor<2>"},
        ),
    ],
    "operand-by-reference": [
        S(
            "let x = {x}.clone();\nlet sum = ⟦x.clone() + &x⟧;\nlet _ = sum;",
            "let x = {x}.clone();\nlet sum = ⟦x.clone() + x⟧;\nlet _ = sum;",
            _X2,
            old=True,
        ),
        S(
            "let x = {x}.clone();\nlet product = ⟦x.clone().exp() * &x⟧;\nlet _ = product;",
            "let x = {x}.clone();\nlet product = ⟦x.clone().exp() * x⟧;\nlet _ = product;",
            _X2,
            old=True,
        ),
    ],
    "unsqueeze-dropped": [
        S(
            "let x = {x}.clone();\nlet centred = ⟦x.clone() - x.mean()⟧;\nlet _ = centred;",
            "let x = {x}.clone();\nlet centred = ⟦x.clone() - x.mean().unsqueeze()⟧;\nlet _ = centred;",
            _X2,
            type=_F2,
            free={"x": _F2},
            old=True,
        ),
        S(
            "let bias = Tensor::<1>::zeros([{x}.dims()[1]], {device});\nlet moved = ⟦{x}.clone() + bias⟧;\nlet _ = moved;",
            "let bias = Tensor::<1>::zeros([{x}.dims()[1]], {device});\nlet moved = ⟦{x}.clone() + bias.unsqueeze()⟧;\nlet _ = moved;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>", "bias": "Tensor<1>"},
            old=True,
        ),
    ],
    "float-dropped": [
        S(
            "let best = {x}.clone().argmax(1);\nlet scaled = ⟦{x}.clone() * best⟧;\nlet _ = scaled;",
            "let best = {x}.clone().argmax(1);\nlet scaled = ⟦{x}.clone() * best.float()⟧;\nlet _ = scaled;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>", "best": "Tensor<2, Int>"},
            old=True,
        ),
        S(
            "let mask = {x}.clone().greater_scalar(0.0);\nlet kept = ⟦{x}.clone() * mask⟧;\nlet _ = kept;",
            "let mask = {x}.clone().greater_scalar(0.0);\nlet kept = ⟦{x}.clone() * mask.float()⟧;\nlet _ = kept;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>", "mask": "Tensor<2, Bool>"},
        ),
    ],
    "val-dropped": [
        S(
            "let layer = LinearConfig::new(4, 4).init({device});\nlet x = Tensor::<2>::ones([4, 4], {device});\n"
            "let sum = ⟦x + layer.weight⟧;\nlet _ = sum;",
            "let layer = LinearConfig::new(4, 4).init({device});\nlet x = Tensor::<2>::ones([4, 4], {device});\n"
            "let sum = ⟦x + layer.weight.val()⟧;\nlet _ = sum;",
            type=_F2,
            free={"x": _F2, "layer.weight": "Param<Tensor<2>>"},
        ),
    ],
}
