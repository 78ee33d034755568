"""Snippets for faults in gradients and training graphs (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_X2 = {"x": "Tensor<2>"}
_LOOP = """
let mut model = LinearConfig::new(4, 2).init({device});
let mut optim = AdamConfig::new().init();
let x = Tensor::<2>::ones([8, 4], {device});
let y = Tensor::<2>::ones([8, 2], {device});
"""
_UPDATE = """
    let grads = GradientsParams::from_grads(loss.backward(), &model);
    model = optim.step(1e-3, model, grads);
"""
_F2 = "Tensor<2>"


def _training(body: str) -> str:
    return _LOOP + "for _ in 0..4 {\n" + body + _UPDATE + "}\n"


def _moved(history: str, after: str = "") -> S:
    """A model whose parameters are there (`history`) moves before it is trained: a lazy one moves well."""
    first = (
        "use Module as _;\nlet device = Device::clone({device}).autodiff();\n"
        "let first = LinearConfig::new(4, 2).init(&device);\n" + history
    )
    body = _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2]
    body = body.replace("{device}", "&device") + after
    return S(
        first + "let mut model = ⟦first.to_device(&device)⟧;\n" + body,
        first + "let mut model = ⟦first.fork(&device)⟧;\n" + body,
        type="Linear",
        free={"first": "Linear", "device": "&Device"},
    )


SNIPPETS: dict[str, list[S]] = {
    "mean-dropped": [
        S(
            _training(
                "    let loss = ⟦loss::SmoothL1LossConfig::new().init().forward(model.forward(x.clone()), y.clone())⟧;\n"
            ),
            _training(
                "    let loss = ⟦loss::SmoothL1LossConfig::new().init().forward(model.forward(x.clone()), y.clone()).mean()⟧;\n"
            ),
            type=_F2,
            right_type="Tensor<1>",
            free={"model": "&Linear", "x": "&Tensor<2>", "y": "&Tensor<2>"},
        ),
        S(
            _training("    let loss = ⟦(model.forward(x.clone()) - y.clone()).powi_scalar(2)⟧;\n"),
            _training("    let loss = ⟦(model.forward(x.clone()) - y.clone()).powi_scalar(2).mean()⟧;\n"),
            type=_F2,
            right_type="Tensor<1>",
            free={"model": "&Linear", "x": "&Tensor<2>", "y": "&Tensor<2>"},
        ),
        S(
            _training(
                "    let loss = ⟦loss::MseLoss::new().forward_no_reduction(model.forward(x.clone()), y.clone())⟧;\n"
            ),
            _training(
                "    let loss = ⟦loss::MseLoss::new().forward(model.forward(x.clone()), y.clone(), loss::Reduction::Mean)⟧;\n"
            ),
            type=_F2,
            right_type="Tensor<1>",
            free={"model": "&Linear", "x": "&Tensor<2>", "y": "&Tensor<2>"},
        ),
        S(
            _training(
                "    let error = ⟦loss::HuberLossConfig::new(1.0).init().forward_no_reduction(model.forward(x.clone()), y.clone())⟧;\n    let loss = error * 0.5;\n"
            ),
            _training(
                "    let error = ⟦loss::HuberLossConfig::new(1.0).init().forward(model.forward(x.clone()), y.clone(), loss::Reduction::Mean)⟧;\n    let loss = error * 0.5;\n"
            ),
            type=_F2,
            right_type="Tensor<1>",
            free={"model": "&Linear", "x": "&Tensor<2>", "y": "&Tensor<2>"},
        ),
    ],
    "valid-dropped": [
        S(
            _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n")
            + "let tested = ⟦model.clone()⟧;\nlet mut total = 0.0;\nfor _ in 0..3 {\n"
            "    total += tested.forward(x.clone()).mean().into_scalar::<f32>();\n}\nlet _ = total;",
            "use Module as _;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n")
            + "let tested = ⟦model.valid()⟧;\nlet mut total = 0.0;\nfor _ in 0..3 {\n"
            "    total += tested.forward(x.clone()).mean().into_scalar::<f32>();\n}\nlet _ = total;",
            type="Linear",
            free={"model": "&Linear"},
        ),
        S(
            _training("    let loss = (model.forward(x.clone()) - y.clone()).abs().mean();\n")
            + "let tested = &model;\nlet mut total = 0.0;\nfor _ in 0..3 {\n"
            "    total += ⟦tested.forward(x.clone()).mean().into_scalar::<f32>()⟧;\n}\nlet _ = total;",
            "use Module as _;\n"
            + _training("    let loss = (model.forward(x.clone()) - y.clone()).abs().mean();\n")
            + "let tested = &model.valid();\nlet mut total = 0.0;\nfor _ in 0..3 {\n"
            "    total += ⟦tested.forward(x.clone()).mean().into_scalar::<f32>()⟧;\n}\nlet _ = total;",
            type="f32",
            free={"tested": "&Linear", "x": "&Tensor<2>"},
        ),
    ],
    "moved-not-forked": [
        _moved("let backup = first.clone();\n", 'println!("{}", backup.num_params());\n'),
        _moved("let _warm = first.forward(Tensor::<2>::ones([1, 4], &device));\n"),
        _moved('let first = first.load_file("weights");\n'),
        _moved("let first = first.no_grad().train();\n"),
    ],
    "inner-dropped": [
        S(
            "let device = Device::clone({device}).autodiff();\nlet fast = LinearConfig::new(4, 2).init(&device);\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val() * 0.99 + fast.weight.val() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, mixed);\nlet _ = slow;",
            "let device = Device::clone({device}).autodiff();\nlet fast = LinearConfig::new(4, 2).init(&device);\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().inner() * 0.99 + fast.weight.val().inner() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, Tensor::from_inner(mixed));\nlet _ = slow;",
            type=_F2,
            free={"slow.weight": "&Param<Tensor<2>>", "fast.weight": "&Param<Tensor<2>>"},
        ),
        S(
            "let device = Device::clone({device}).autodiff();\nlet fast = LinearConfig::new(4, 2).init(&device);\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().detach() * 0.99 + fast.weight.val().detach() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, mixed);\nlet _ = slow;",
            "let device = Device::clone({device}).autodiff();\nlet fast = LinearConfig::new(4, 2).init(&device);\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().inner() * 0.99 + fast.weight.val().inner() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, Tensor::from_inner(mixed));\nlet _ = slow;",
            type=_F2,
            free={"slow.weight": "&Param<Tensor<2>>", "fast.weight": "&Param<Tensor<2>>"},
        ),
        S(
            "let device = Device::clone({device}).autodiff();\nlet mut layer = LinearConfig::new(4, 2).init(&device);\n"
            "layer.weight = ⟦layer.weight.map(|weight| weight * 0.5)⟧;\nlet _ = layer;",
            "let device = Device::clone({device}).autodiff();\nlet mut layer = LinearConfig::new(4, 2).init(&device);\n"
            "layer.weight = ⟦layer.weight.map(|weight| {{ let kept = weight.is_require_grad(); (weight * 0.5).detach().set_require_grad(kept) }})⟧;\nlet _ = layer;".replace(
                "{{", "{"
            ).replace("}}", "}"),
        ),
        S(
            "let device = Device::clone({device}).autodiff();\nlet mut layer = LinearConfig::new(4, 2).init(&device);\n"
            "let clipped = ⟦layer.weight.val().clamp(-0.01, 0.01)⟧;\n"
            "layer.weight = Param::initialized(layer.weight.id, clipped);\nlet _ = layer;",
            "let device = Device::clone({device}).autodiff();\nlet mut layer = LinearConfig::new(4, 2).init(&device);\n"
            "let clipped = ⟦layer.weight.val().clamp(-0.01, 0.01).detach()⟧;\n"
            "layer.weight = Param::initialized(layer.weight.id, clipped.set_require_grad(true));\nlet _ = layer;",
            type=_F2,
            free={"layer.weight": "&Param<Tensor<2>>"},
        ),
    ],
    "second-backward": [
        S(
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\nlet loss = weight.clone().powi_scalar(2).mean();\n"
            "let first = loss.backward();\nlet second = ⟦loss.backward()⟧;\nlet _ = (first, second);",
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\nlet loss = weight.clone().powi_scalar(2).mean();\n"
            "let other = weight.clone().exp().mean();\nlet first = loss.backward();\nlet second = ⟦other.backward()⟧;\nlet _ = (first, second);",
        ),
        S(
            "let encoder = LinearConfig::new(4, 2).init({device});\nlet features = encoder.forward(Tensor::<2>::ones([8, 4], {device}));\n"
            "let a = features.clone().powi_scalar(2).mean();\nlet b = ⟦features.exp().mean()⟧;\n"
            "let first = a.backward();\nlet second = b.backward();\nlet _ = (first, second);",
            "let encoder = LinearConfig::new(4, 2).init({device});\nlet features = encoder.forward(Tensor::<2>::ones([8, 4], {device}));\n"
            "let a = features.clone().powi_scalar(2).mean();\nlet b = ⟦features.exp().mean()⟧;\n"
            "let both = (a + b).backward();\nlet _ = both;",
            type="Tensor<1>",
            free={"features": _F2},
        ),
        S(
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\nlet loss = ⟦weight.clone().powi_scalar(2).mean()⟧;\n"
            "for _ in 0..3 {\n    let grads = loss.backward();\n    let _ = weight.grad(&grads);\n}",
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\n"
            "for _ in 0..3 {\n    let loss = ⟦weight.clone().powi_scalar(2).mean()⟧;\n    let grads = loss.backward();\n    let _ = weight.grad(&grads);\n}",
            type="Tensor<1>",
            free={"weight": "&Tensor<1>"},
        ),
    ],
    "state-carried": [
        S(
            "let cell = LinearConfig::new(4, 4).init({device});\nlet mut state = Tensor::<2>::zeros([8, 4], {device});\n"
            "for _ in 0..4 {\n    state = ⟦cell.forward(state).tanh()⟧;\n    let loss = state.clone().powi_scalar(2).mean();\n"
            "    let grads = loss.backward();\n    let _ = grads;\n}",
            "let cell = LinearConfig::new(4, 4).init({device});\nlet mut state = Tensor::<2>::zeros([8, 4], {device});\n"
            "for _ in 0..4 {\n    let next = ⟦cell.forward(state).tanh()⟧;\n    let loss = next.clone().powi_scalar(2).mean();\n"
            "    let grads = loss.backward();\n    let _ = grads;\n    state = next.detach();\n}",
            type=_F2,
            free={"cell": "&Linear", "state": _F2},
        ),
        S(
            "let cell = LinearConfig::new(4, 4).init({device});\nlet input = Tensor::<2>::ones([8, 4], {device});\n"
            "let mut hidden = Tensor::<2>::zeros([8, 4], {device});\nfor _ in 0..4 {\n"
            "    let out = ⟦cell.forward(input.clone() + hidden)⟧;\n    let grads = out.clone().mean().backward();\n"
            "    let _ = grads;\n    hidden = out;\n}",
            "let cell = LinearConfig::new(4, 4).init({device});\nlet input = Tensor::<2>::ones([8, 4], {device});\n"
            "let mut hidden = Tensor::<2>::zeros([8, 4], {device});\nfor _ in 0..4 {\n"
            "    let out = ⟦cell.forward(input.clone() + hidden)⟧;\n    let grads = out.clone().mean().backward();\n"
            "    let _ = grads;\n    hidden = out.detach();\n}",
            type=_F2,
            free={"cell": "&Linear", "input": "&Tensor<2>", "hidden": _F2},
        ),
        S(
            "let cell = LinearConfig::new(4, 4).init({device});\nlet mut average = Tensor::<1>::zeros([1], {device});\n"
            "for _ in 0..4 {\n    let loss = cell.forward(Tensor::<2>::ones([8, 4], {device})).powi_scalar(2).mean();\n"
            "    average = ⟦average * 0.9 + loss * 0.1⟧;\n    let grads = average.backward();\n    let _ = grads;\n}",
            "let cell = LinearConfig::new(4, 4).init({device});\nlet mut average = Tensor::<1>::zeros([1], {device});\n"
            "for _ in 0..4 {\n    let loss = cell.forward(Tensor::<2>::ones([8, 4], {device})).powi_scalar(2).mean();\n"
            "    let next = ⟦average * 0.9 + loss * 0.1⟧;\n    let grads = next.backward();\n    let _ = grads;\n    average = next.detach();\n}",
            type="Tensor<1>",
            free={"average": "Tensor<1>", "loss": "Tensor<1>"},
        ),
    ],
    "late-require-grad": [
        S(
            "let weight = ⟦Tensor::<2>::ones([4, 4], {device}).require_grad() * 0.1⟧;\n"
            "let grads = weight.clone().powi_scalar(2).mean().backward();\nlet _ = weight.grad(&grads);",
            "let weight = ⟦(Tensor::<2>::ones([4, 4], {device}) * 0.1).require_grad()⟧;\n"
            "let grads = weight.clone().powi_scalar(2).mean().backward();\nlet _ = weight.grad(&grads);",
        ),
        S(
            "let table = Tensor::<2>::ones([4, 4], {device});\nlet weight = ⟦table.require_grad().reshape([16])⟧;\n"
            "let grads = weight.clone().exp().mean().backward();\nlet _ = weight.grad(&grads);",
            "let table = Tensor::<2>::ones([4, 4], {device});\nlet weight = ⟦table.reshape([16]).require_grad()⟧;\n"
            "let grads = weight.clone().exp().mean().backward();\nlet _ = weight.grad(&grads);",
            type="Tensor<1>",
            free={"table": _F2},
        ),
        S(
            "let input = ⟦{x}.clone().require_grad().mul_scalar(2.0)⟧;\nlet grads = input.clone().exp().sum().backward();\n"
            "let _ = input.grad(&grads);",
            "let input = ⟦{x}.clone().mul_scalar(2.0).detach().require_grad()⟧;\nlet grads = input.clone().exp().sum().backward();\n"
            "let _ = input.grad(&grads);",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>"},
        ),
    ],
    "grads-taken": [
        S(
            "let device = Device::clone({device}).autodiff();\nlet weight = Tensor::<1>::ones([4], &device).require_grad();\n"
            "let mut grads = weight.clone().powi_scalar(2).mean().backward();\nlet first = weight.grad_remove(&mut grads);\n"
            "let second = ⟦weight.grad(&grads)⟧;\nlet _ = (first, second);",
            "let device = Device::clone({device}).autodiff();\nlet weight = Tensor::<1>::ones([4], &device).require_grad();\n"
            "let mut grads = weight.clone().powi_scalar(2).mean().backward();\nlet second = ⟦weight.grad(&grads)⟧;\n"
            "let first = weight.grad_remove(&mut grads);\nlet _ = (first, second);",
            type="Option<Tensor<1>>",
            free={"weight": "&Tensor<1>", "grads": "&Gradients"},
        ),
        S(
            "let device = Device::clone({device}).autodiff();\nlet model = LinearConfig::new(4, 2).init(&device);\nlet mut grads = model.forward(Tensor::<2>::ones([8, 4], &device)).mean().backward();\n"
            "let taken = GradientsParams::from_module(&mut grads, &model);\nlet own = ⟦model.weight.grad(&grads)⟧;\nlet _ = (taken, own);",
            "let device = Device::clone({device}).autodiff();\nlet model = LinearConfig::new(4, 2).init(&device);\nlet mut grads = model.forward(Tensor::<2>::ones([8, 4], &device)).mean().backward();\n"
            "let own = ⟦model.weight.grad(&grads)⟧;\nlet taken = GradientsParams::from_module(&mut grads, &model);\nlet _ = (taken, own);",
            type="Option<Tensor<2>>",
            free={"model.weight": "&Param<Tensor<2>>", "grads": "&Gradients"},
        ),
        S(
            "let device = Device::clone({device}).autodiff();\nlet first = LinearConfig::new(4, 2).init(&device);\nlet mut second = LinearConfig::new(4, 2).init(&device);\n"
            "let mut optim = AdamConfig::new().init();\nlet out = second.forward(Tensor::<2>::ones([8, 4], &device)).mean();\n"
            "let grads = ⟦GradientsParams::from_grads(out.backward(), &first)⟧;\nsecond = optim.step(1e-3, second, grads);\nlet _ = second;",
            "let device = Device::clone({device}).autodiff();\nlet first = LinearConfig::new(4, 2).init(&device);\nlet mut second = LinearConfig::new(4, 2).init(&device);\n"
            "let mut optim = AdamConfig::new().init();\nlet out = second.forward(Tensor::<2>::ones([8, 4], &device)).mean();\n"
            "let grads = ⟦GradientsParams::from_grads(out.backward(), &second)⟧;\nsecond = optim.step(1e-3, second, grads);\nlet _ = (first, second);",
            type="GradientsParams",
            free={"out": "&Tensor<1>", "first": "&Linear", "second": "&Linear"},
        ),
    ],
}
