"""Snippets for faults in tensors, gradients and modules (see `tools.mutation.transplant`)."""

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
_I1 = "Tensor<1, Int>"


def _training(body: str) -> str:
    return _LOOP + "for _ in 0..4 {\n" + body + _UPDATE + "}\n"


SNIPPETS: dict[str, list[S]] = {
    "int-div-and-rem": [
        S(
            "let index = Tensor::<1, Int>::arange(-4..4, {device});\n"
            "let row = ⟦index.clone() / 3⟧;\nlet column = index % 3;\nlet _ = (row, column);",
            "let index = Tensor::<1, Int>::arange(-4..4, {device});\n"
            "let row = ⟦(index.clone() - index.clone() % 3) / 3⟧;\nlet column = index % 3;\nlet _ = (row, column);",
            type=_I1,
            free={"index": "&Tensor<1, Int>"},
            old=True,
        ),
        S(
            "let cell = ({x}.clone() * 8.0).int();\nlet row = ⟦cell.clone() / 4⟧;\nlet column = cell % 4;\n"
            "let _ = (row, column);",
            "let cell = ({x}.clone() * 8.0).int();\nlet row = ⟦(cell.clone() - cell.clone() % 4) / 4⟧;\n"
            "let column = cell % 4;\nlet _ = (row, column);",
            _X2,
            type="Tensor<2, Int>",
            free={"cell": "&Tensor<2, Int>"},
            old=True,
        ),
        S(
            "let offset = Tensor::<1, Int>::from_ints([-7, -1, 5], {device});\n"
            "let quotient = ⟦offset.clone().div_scalar(2)⟧;\nlet rest = offset.remainder_scalar(2);\n"
            "let _ = (quotient, rest);",
            "let offset = Tensor::<1, Int>::from_ints([-7, -1, 5], {device});\n"
            "let quotient = ⟦(offset.clone() - offset.clone().remainder_scalar(2)).div_scalar(2)⟧;\n"
            "let rest = offset.remainder_scalar(2);\nlet _ = (quotient, rest);",
            type=_I1,
            free={"offset": "&Tensor<1, Int>"},
            old=True,
        ),
    ],
    "int-division": [
        S(
            "let position = Tensor::<1, Int>::arange(0..16, {device});\nlet bucket = ⟦(position - 8) / 3⟧;\nlet _ = bucket;",
            "let position = Tensor::<1, Int>::arange(0..16, {device});\nlet bucket = ⟦(position + 8) / 3⟧;\nlet _ = bucket;",
            type=_I1,
            free={"position": _I1},
            old=True,
        ),
        S(
            "let distance = Tensor::<1, Int>::arange(-8..8, {device});\nlet bucket = ⟦distance / 2⟧;\nlet _ = bucket;",
            "let distance = Tensor::<1, Int>::arange(0..16, {device});\nlet bucket = ⟦distance / 2⟧;\nlet _ = bucket;",
            type=_I1,
            free={"distance": _I1},
            old=True,
        ),
        S(
            "let level = {x}.clone().argmax(1);\nlet half = ⟦level.neg() / 2⟧;\nlet _ = half;",
            "let level = {x}.clone().argmax(1);\nlet half = ⟦level / 2⟧;\nlet _ = half;",
            _X2,
            type="Tensor<2, Int>",
            free={"level": "Tensor<2, Int>"},
            old=True,
        ),
    ],
    "int-sum-read": [
        S(
            "let pixels = ({x}.clone() * 255.0).int();\nlet total: i64 = ⟦pixels.sum().into_scalar::<i64>()⟧;\nlet _ = total;",
            "let pixels = ({x}.clone() * 255.0).int();\n"
            "let total: i64 = ⟦pixels.cast(IntDType::I64).sum().into_scalar::<i64>()⟧;\nlet _ = total;",
            _X2,
            type="i64",
            free={"pixels": "Tensor<2, Int>"},
        ),
        S(
            "let weights = Tensor::<1, Int>::from_ints([100000, 200000, 300000], {device});\n"
            "let product = ⟦weights.prod().into_scalar::<i64>()⟧;\nlet _ = product;",
            "let weights = Tensor::<1, Int>::from_ints([100000, 200000, 300000], {device});\n"
            "let product = ⟦weights.cast(IntDType::I64).prod().into_scalar::<i64>()⟧;\nlet _ = product;",
            type="i64",
            free={"weights": _I1},
        ),
        S(
            "let tokens = {x}.clone();\nlet checksum = ⟦tokens.sum().into_scalar::<u64>()⟧;\nlet _ = checksum;",
            "let tokens = {x}.clone();\n"
            "let checksum = ⟦tokens.cast(IntDType::I64).sum().into_scalar::<u64>()⟧;\nlet _ = checksum;",
            {"x": "Tensor<2, Int>"},
            type="u64",
            free={"tokens": "Tensor<2, Int>"},
        ),
        S(
            "let tokens = {x}.clone();\nlet checksum = ⟦tokens.sum().into_scalar::<i64>()⟧;\nlet _ = checksum;",
            "let tokens = {x}.clone();\n"
            "let checksum = ⟦tokens.cast(IntDType::I64).sum().into_scalar::<i64>()⟧;\nlet _ = checksum;",
            {"x": "Tensor<1, Int>"},
            type="i64",
            free={"tokens": "Tensor<1, Int>"},
        ),
    ],
    "int-mean": [
        S(
            "let labels = Tensor::<1, Int>::from_ints([1, 2, 4], {device});\nlet mean = ⟦labels.mean().float()⟧;\nlet _ = mean;",
            "let labels = Tensor::<1, Int>::from_ints([1, 2, 4], {device});\nlet mean = ⟦labels.float().mean()⟧;\nlet _ = mean;",
            type="Tensor<1>",
            free={"labels": _I1},
            old=True,
        ),
        S(
            "let best = {x}.clone().argmax(1);\nlet mean = ⟦best.mean_dim(0).float()⟧;\nlet _ = mean;",
            "let best = {x}.clone().argmax(1);\nlet mean = ⟦best.float().mean_dim(0)⟧;\nlet _ = mean;",
            _X2,
            type=_F2,
            free={"best": "Tensor<2, Int>"},
            old=True,
        ),
        S(
            "let hits = {x}.clone().greater_scalar(0.5).int();\nlet rate = ⟦hits.mean().float()⟧;\nlet _ = rate;",
            "let hits = {x}.clone().greater_scalar(0.5).int();\nlet rate = ⟦hits.float().mean()⟧;\nlet _ = rate;",
            _X2,
            type="Tensor<1>",
            free={"hits": "Tensor<2, Int>"},
        ),
        S(
            "let ids = {x}.clone();\nlet mean = ⟦ids.mean().float()⟧;\nlet _ = mean;",
            "let ids = {x}.clone();\nlet mean = ⟦ids.float().mean()⟧;\nlet _ = mean;",
            {"x": "Tensor<2, Int>"},
            type="Tensor<1>",
            free={"ids": "Tensor<2, Int>"},
            old=True,
        ),
    ],
    "float-scalar-on-int": [
        S(
            "let index = Tensor::<1, Int>::arange(0..9, {device});\nlet half = ⟦index * 0.5⟧;\nlet _ = half;",
            "let index = Tensor::<1, Int>::arange(0..9, {device});\nlet half = ⟦index * 2⟧;\nlet _ = half;",
            type=_I1,
            free={"index": _I1},
            old=True,
        ),
        S(
            "let best = {x}.clone().argmax(1);\nlet scaled = ⟦best.mul_scalar(1.5)⟧;\nlet _ = scaled;",
            "let best = {x}.clone().argmax(1);\nlet scaled = ⟦best.mul_scalar(2)⟧;\nlet _ = scaled;",
            _X2,
            type="Tensor<2, Int>",
            free={"best": "Tensor<2, Int>"},
            old=True,
        ),
        S(
            "let step = 0.25;\nlet index = Tensor::<1, Int>::arange(0..9, {device});\nlet moved = ⟦index + step⟧;\nlet _ = moved;",
            "let step = 2;\nlet index = Tensor::<1, Int>::arange(0..9, {device});\nlet moved = ⟦index + step⟧;\nlet _ = moved;",
            old=True,
        ),
        S(
            "let order = {x}.clone().argsort(1);\nlet later = ⟦order.greater_equal_scalar(1.5)⟧;\nlet _ = later;",
            "let order = {x}.clone().argsort(1);\nlet later = ⟦order.greater_equal_scalar(2)⟧;\nlet _ = later;",
            _X2,
            type="Tensor<2, Bool>",
            free={"order": "Tensor<2, Int>"},
        ),
    ],
    "other-dtype": [
        S(
            "let scale = Tensor::<1>::ones([4], ({device}, DType::F64));\nlet base = Tensor::<1>::ones([4], {device});\n"
            "let both = ⟦base * scale⟧;\nlet _ = both;",
            "let scale = Tensor::<1>::ones([4], {device});\nlet base = Tensor::<1>::ones([4], {device});\n"
            "let both = ⟦base * scale⟧;\nlet _ = both;",
            type="Tensor<1>",
            free={"base": "Tensor<1>", "scale": "Tensor<1>"},
        ),
        S(
            "let half = Tensor::<2>::ones([4, 4], {device}).cast(FloatDType::F16);\n"
            "let full = Tensor::<2>::ones([4, 4], {device});\nlet both = ⟦full.matmul(half)⟧;\nlet _ = both;",
            "let half = Tensor::<2>::ones([4, 4], {device});\nlet full = Tensor::<2>::ones([4, 4], {device});\n"
            "let both = ⟦full.matmul(half)⟧;\nlet _ = both;",
            type=_F2,
            free={"half": _F2, "full": _F2},
        ),
        S(
            "let wide = Tensor::<2>::zeros([2, 2], {device}).cast(FloatDType::F64);\n"
            "let narrow = Tensor::<2>::zeros([2, 2], {device}).cast(FloatDType::F32);\n"
            "let same = ⟦wide.equal(narrow)⟧;\nlet _ = same;",
            "let wide = Tensor::<2>::zeros([2, 2], {device}).cast(FloatDType::F32);\n"
            "let narrow = Tensor::<2>::zeros([2, 2], {device}).cast(FloatDType::F32);\n"
            "let same = ⟦wide.equal(narrow)⟧;\nlet _ = same;",
            type="Tensor<2, Bool>",
            free={"wide": _F2, "narrow": _F2},
        ),
        S(
            "let wide = {x}.clone().cast(FloatDType::F64);\nlet narrow = {x}.clone().cast(FloatDType::F32);\n"
            "let sum = ⟦wide + narrow⟧;\nlet _ = sum;",
            "let wide = {x}.clone().cast(FloatDType::F32);\nlet narrow = {x}.clone().cast(FloatDType::F32);\n"
            "let sum = ⟦wide + narrow⟧;\nlet _ = sum;",
            _X2,
            type=_F2,
            free={"wide": _F2, "narrow": _F2},
        ),
    ],
    "row-against-column": [
        S(
            "let predicted = {x}.clone().argmax(1);\nlet targets = Tensor::<1, Int>::zeros([predicted.dims()[0]], {device});\n"
            "let right = ⟦predicted.equal(targets.unsqueeze())⟧;\nlet _ = right;",
            "let predicted = {x}.clone().argmax(1);\nlet targets = Tensor::<1, Int>::zeros([predicted.dims()[0]], {device});\n"
            "let right = ⟦predicted.equal(targets.unsqueeze_dim(1))⟧;\nlet _ = right;",
            _X2,
            type="Tensor<2, Bool>",
            free={"predicted": "Tensor<2, Int>", "targets": _I1},
            old=True,
        ),
        S(
            "let targets = {t}.clone();\nlet predicted = {x}.clone().argmax(1);\n"
            "let right = ⟦predicted.equal(targets.unsqueeze::<2>())⟧;\nlet _ = right;",
            "let targets = {t}.clone();\nlet predicted = {x}.clone().argmax(1);\n"
            "let right = ⟦predicted.equal(targets.unsqueeze_dim::<2>(1))⟧;\nlet _ = right;",
            {"x": "Tensor<2>", "t": "Tensor<1, Int>"},
            type="Tensor<2, Bool>",
            free={"predicted": "Tensor<2, Int>", "targets": _I1},
        ),
        S(
            "let [batch, _] = {x}.dims();\nlet mean = {x}.clone().mean_dim(1);\n"
            "let goal = Tensor::<1>::ones([batch], {device});\n"
            "let loss = ⟦loss::MseLoss::new().forward(mean, goal.unsqueeze_dim(0), loss::Reduction::Mean)⟧;\nlet _ = loss;",
            "let [batch, _] = {x}.dims();\nlet mean = {x}.clone().mean_dim(1);\n"
            "let goal = Tensor::<1>::ones([batch], {device});\n"
            "let loss = ⟦loss::MseLoss::new().forward(mean, goal.unsqueeze_dim(1), loss::Reduction::Mean)⟧;\nlet _ = loss;",
            _X2,
            type="Tensor<1>",
            free={"mean": _F2, "goal": "Tensor<1>"},
        ),
        S(
            "let predicted = {x}.clone().argmax(1);\nlet batch = predicted.dims()[0];\n"
            "let targets = Tensor::<1, Int>::zeros([batch], {device});\n"
            "let wrong = ⟦predicted.not_equal(targets.reshape([1, batch]))⟧;\nlet _ = wrong;",
            "let predicted = {x}.clone().argmax(1);\nlet batch = predicted.dims()[0];\n"
            "let targets = Tensor::<1, Int>::zeros([batch], {device});\n"
            "let wrong = ⟦predicted.not_equal(targets.reshape([batch, 1]))⟧;\nlet _ = wrong;",
            _X2,
            type="Tensor<2, Bool>",
            free={"predicted": "Tensor<2, Int>", "targets": _I1, "batch": "usize"},
            old=True,
        ),
    ],
    "unsqueeze-in-front": [
        S(
            "let guess = {x}.clone().mean_dim(1);\nlet goal = Tensor::<1>::ones([{x}.dims()[0]], {device});\n"
            "let error = (guess - ⟦goal.unsqueeze::<2>()⟧).powi_scalar(2).mean();\nlet _ = error;",
            "let guess = {x}.clone().mean_dim(1);\nlet goal = Tensor::<1>::ones([{x}.dims()[0]], {device});\n"
            "let error = (guess - ⟦goal.unsqueeze_dim::<2>(1)⟧).powi_scalar(2).mean();\nlet _ = error;",
            _X2,
            type=_F2,
            free={"goal": "Tensor<1>"},
            old=True,
        ),
        S(
            "let labels = Tensor::<1, Int>::zeros([{x}.dims()[0]], {device});\n"
            "let best = {x}.clone().argmax(1);\nlet right = best.equal(⟦labels.unsqueeze()⟧).int().sum();\nlet _ = right;",
            "let labels = Tensor::<1, Int>::zeros([{x}.dims()[0]], {device});\n"
            "let best = {x}.clone().argmax(1);\nlet right = best.equal(⟦labels.unsqueeze_dim(1)⟧).int().sum();\nlet _ = right;",
            _X2,
            type="Tensor<2, Int>",
            free={"labels": _I1},
            old=True,
        ),
        S(
            "let goal = Tensor::<1>::ones([{x}.dims()[0]], {device});\nlet guess = {x}.clone().max_dim(1);\n"
            "let miss = loss::MseLoss::new().forward(guess, ⟦goal.unsqueeze()⟧, loss::Reduction::Mean);\nlet _ = miss;",
            "let goal = Tensor::<1>::ones([{x}.dims()[0]], {device});\nlet guess = {x}.clone().max_dim(1);\n"
            "let miss = loss::MseLoss::new().forward(guess, ⟦goal.unsqueeze_dim(1)⟧, loss::Reduction::Mean);\nlet _ = miss;",
            _X2,
            type=_F2,
            free={"goal": "Tensor<1>"},
        ),
    ],
    "squeeze-all": [
        S(
            "let column = {x}.clone().slice([0..{x}.dims()[0], 0..1]);\nlet flat = ⟦column.squeeze::<1>()⟧;\nlet _ = flat;",
            "let column = {x}.clone().slice([0..{x}.dims()[0], 0..1]);\nlet flat = ⟦column.squeeze_dim::<1>(1)⟧;\nlet _ = flat;",
            _X2,
            type="Tensor<1>",
            free={"column": _F2},
        ),
        S(
            "let first = {x}.clone().slice(burn::tensor::s![.., 0]);\nlet flat = ⟦first.squeeze::<1>()⟧;\nlet _ = flat;",
            "let first = {x}.clone().slice(burn::tensor::s![.., 0]);\nlet flat = ⟦first.squeeze_dim::<1>(1)⟧;\nlet _ = flat;",
            _X2,
            type="Tensor<1>",
            free={"first": _F2},
        ),
        S(
            "let flat = ⟦{x}.clone().slice(burn::tensor::s![.., -1]).squeeze::<1>()⟧;\nlet _ = flat;",
            "let flat = ⟦{x}.clone().slice(burn::tensor::s![.., -1]).squeeze_dim::<1>(1)⟧;\nlet _ = flat;",
            _X2,
            type="Tensor<1>",
            free={"{x}": "&Tensor<2>"},
        ),
        S(
            "let best = {x}.clone().argmax(1);\nlet flat = ⟦best.squeeze::<1>()⟧;\nlet _ = flat;",
            "let best = {x}.clone().argmax(1);\nlet flat = ⟦best.squeeze_dim::<1>(1)⟧;\nlet _ = flat;",
            _X2,
            type=_I1,
            free={"best": "Tensor<2, Int>"},
        ),
    ],
    "empty-slice": [
        S(
            "let part = ⟦{x}.clone().slice([3..1, 0..2])⟧;\nlet _ = part;",
            "let part = ⟦{x}.clone().slice([1..3, 0..2])⟧;\nlet _ = part;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>"},
            old=True,
        ),
        S(
            "let part = ⟦{x}.clone().slice(burn::tensor::s![.., 4..2])⟧;\nlet _ = part;",
            "let part = ⟦{x}.clone().slice(burn::tensor::s![.., 2..4])⟧;\nlet _ = part;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>"},
        ),
        S(
            "let part = ⟦{x}.clone().slice_dim(0, 2..2)⟧;\nlet _ = part;",
            "let part = ⟦{x}.clone().slice_dim(0, 0..2)⟧;\nlet _ = part;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>"},
        ),
        S(
            "let table = Tensor::<2>::zeros([8, 4], {device});\nlet part = ⟦table.slice([8..12])⟧;\nlet _ = part;",
            "let table = Tensor::<2>::zeros([8, 4], {device});\nlet part = ⟦table.slice([4..8])⟧;\nlet _ = part;",
            type=_F2,
            free={"table": _F2},
        ),
    ],
    "slice-beyond": [
        S(
            "let table = Tensor::<2>::zeros([3, 4], {device});\nlet row = ⟦table.slice(burn::tensor::s![5, ..])⟧;\nlet _ = row;",
            "let table = Tensor::<2>::zeros([3, 4], {device});\nlet row = ⟦table.slice(burn::tensor::s![2, ..])⟧;\nlet _ = row;",
            type=_F2,
            free={"table": _F2},
        ),
        S(
            "let table = Tensor::<2>::from_floats([[1.0, 2.0], [3.0, 4.0]], {device});\n"
            "let part = ⟦table.slice([0..2, 0..3])⟧;\nlet _ = part;",
            "let table = Tensor::<2>::from_floats([[1.0, 2.0], [3.0, 4.0]], {device});\n"
            "let part = ⟦table.slice([0..2, 0..2])⟧;\nlet _ = part;",
            type=_F2,
            free={"table": _F2},
            old=True,
        ),
        S(
            "let steps = Tensor::<1, Int>::arange(0..6, {device});\nlet part = ⟦steps.slice([4..8])⟧;\nlet _ = part;",
            "let steps = Tensor::<1, Int>::arange(0..6, {device});\nlet part = ⟦steps.slice([4..6])⟧;\nlet _ = part;",
            type=_I1,
            free={"steps": _I1},
            old=True,
        ),
        S(
            "let noise = Tensor::<2>::random([16, 8], Distribution::Default, {device});\n"
            "let part = ⟦noise.slice_dim(1, 8)⟧;\nlet _ = part;",
            "let noise = Tensor::<2>::random([16, 8], Distribution::Default, {device});\n"
            "let part = ⟦noise.slice_dim(1, 7)⟧;\nlet _ = part;",
            type=_F2,
            free={"noise": _F2},
        ),
    ],
    "index-beyond": [
        S(
            "let rows = Tensor::<1, Int>::from_ints([0, -1], {device});\nlet picked = ⟦{x}.clone().select(0, rows)⟧;\nlet _ = picked;",
            "let rows = Tensor::<1, Int>::from_ints([0, 1], {device});\nlet picked = ⟦{x}.clone().select(0, rows)⟧;\nlet _ = picked;",
            _X2,
            type=_F2,
            free={"{x}": "&Tensor<2>", "rows": _I1},
            old=True,
        ),
        S(
            "let table = Tensor::<2>::zeros([4, 3], {device});\nlet rows = Tensor::<1, Int>::from_ints([1, 4], {device});\n"
            "let picked = ⟦table.select(0, rows)⟧;\nlet _ = picked;",
            "let table = Tensor::<2>::zeros([4, 3], {device});\nlet rows = Tensor::<1, Int>::from_ints([1, 3], {device});\n"
            "let picked = ⟦table.select(0, rows)⟧;\nlet _ = picked;",
            type=_F2,
            free={"table": _F2, "rows": _I1},
            old=True,
        ),
        S(
            "let words = EmbeddingConfig::new(10, 4).init({device});\n"
            "let tokens = Tensor::<2, Int>::from_ints([[1, 10]], {device});\nlet embedded = ⟦words.forward(tokens)⟧;\nlet _ = embedded;",
            "let words = EmbeddingConfig::new(10, 4).init({device});\n"
            "let tokens = Tensor::<2, Int>::from_ints([[1, 9]], {device});\nlet embedded = ⟦words.forward(tokens)⟧;\nlet _ = embedded;",
            type="Tensor<3>",
            free={"words": "&Embedding", "tokens": "Tensor<2, Int>"},
        ),
        S(
            "let table = Tensor::<2>::ones([2, 3], {device});\n"
            "let columns = Tensor::<2, Int>::from_ints([[0], [3]], {device});\nlet picked = ⟦table.gather(1, columns)⟧;\nlet _ = picked;",
            "let table = Tensor::<2>::ones([2, 3], {device});\n"
            "let columns = Tensor::<2, Int>::from_ints([[0], [2]], {device});\nlet picked = ⟦table.gather(1, columns)⟧;\nlet _ = picked;",
            type=_F2,
            free={"table": _F2, "columns": "Tensor<2, Int>"},
            old=True,
        ),
    ],
    "swap-mask-where": [
        S(
            "// torch.where(x > 0, x, 0.01 * x)\nlet x = {x}.clone();\nlet positive = x.clone().greater_scalar(0.0);\n"
            "let scaled = x.clone() * 0.01;\nlet out = ⟦x.mask_where(positive, scaled)⟧;\nlet _ = out;",
            "// torch.where(x > 0, x, 0.01 * x)\nlet x = {x}.clone();\nlet positive = x.clone().greater_scalar(0.0);\n"
            "let scaled = x.clone() * 0.01;\nlet out = ⟦scaled.mask_where(positive, x)⟧;\nlet _ = out;",
            _X2,
            type=_F2,
            free={"x": _F2, "positive": "Tensor<2, Bool>", "scaled": _F2},
        ),
        S(
            "let x = {x}.clone();\nlet finite = x.clone().is_finite();\nlet out = ⟦x.clone().mask_where(finite, x.zeros_like())⟧;\nlet _ = out;",
            "let x = {x}.clone();\nlet finite = x.clone().is_finite();\nlet out = ⟦x.zeros_like().mask_where(finite, x.clone())⟧;\nlet _ = out;",
            _X2,
            type=_F2,
            free={"x": "&Tensor<2>", "finite": "Tensor<2, Bool>"},
        ),
        S(
            "let x = {x}.clone();\nlet broken = x.clone().is_nan();\nlet out = ⟦x.zeros_like().mask_where(broken, x.clone())⟧;\nlet _ = out;",
            "let x = {x}.clone();\nlet broken = x.clone().is_nan();\nlet out = ⟦x.clone().mask_where(broken, x.zeros_like())⟧;\nlet _ = out;",
            _X2,
            type=_F2,
            free={"x": "&Tensor<2>", "broken": "Tensor<2, Bool>"},
        ),
        S(
            "// np.where(keep, x, 0.0)\nlet x = {x}.clone();\nlet keep = x.clone().greater_scalar(0.5);\n"
            "let out = ⟦x.clone().mask_where(keep, x.zeros_like())⟧;\nlet _ = out;",
            "// np.where(keep, x, 0.0)\nlet x = {x}.clone();\nlet keep = x.clone().greater_scalar(0.5);\n"
            "let out = ⟦x.zeros_like().mask_where(keep, x.clone())⟧;\nlet _ = out;",
            _X2,
            type=_F2,
            free={"x": "&Tensor<2>", "keep": "Tensor<2, Bool>"},
        ),
    ],
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
        S(
            "use Module as _;\nlet mut model = ⟦LinearConfig::new(4, 2).init({device}).to_device({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
            "use Module as _;\nlet mut model = ⟦LinearConfig::new(4, 2).init({device}).fork({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
        ),
        S(
            "use Module as _;\nlet first = LinearConfig::new(4, 2).init({device});\nlet _warm = first.forward(Tensor::<2>::ones([1, 4], {device}));\n"
            "let mut model = ⟦first.to_device({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
            "use Module as _;\nlet first = LinearConfig::new(4, 2).init({device});\nlet _warm = first.forward(Tensor::<2>::ones([1, 4], {device}));\n"
            "let mut model = ⟦first.fork({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
        ),
        S(
            'use Module as _;\nlet loaded = LinearConfig::new(4, 2).init({device}).load_file("weights");\n'
            "let mut model = ⟦loaded.to_device({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
            'use Module as _;\nlet loaded = LinearConfig::new(4, 2).init({device}).load_file("weights");\n'
            "let mut model = ⟦loaded.fork({device})⟧;\n"
            + _training("    let loss = model.forward(x.clone()).powi_scalar(2).mean();\n").split("\n", 2)[2],
        ),
    ],
    "inner-dropped": [
        S(
            "let fast = LinearConfig::new(4, 2).init({device});\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val() * 0.99 + fast.weight.val() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, mixed);\nlet _ = slow;",
            "let fast = LinearConfig::new(4, 2).init({device});\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().inner() * 0.99 + fast.weight.val().inner() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, Tensor::from_inner(mixed));\nlet _ = slow;",
            type=_F2,
            free={"slow.weight": "&Param<Tensor<2>>", "fast.weight": "&Param<Tensor<2>>"},
        ),
        S(
            "let fast = LinearConfig::new(4, 2).init({device});\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().detach() * 0.99 + fast.weight.val().detach() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, mixed);\nlet _ = slow;",
            "let fast = LinearConfig::new(4, 2).init({device});\nlet mut slow = fast.clone();\n"
            "let mixed = ⟦slow.weight.val().inner() * 0.99 + fast.weight.val().inner() * 0.01⟧;\n"
            "slow.weight = Param::initialized(slow.weight.id, Tensor::from_inner(mixed));\nlet _ = slow;",
            type=_F2,
            free={"slow.weight": "&Param<Tensor<2>>", "fast.weight": "&Param<Tensor<2>>"},
        ),
        S(
            "let mut layer = LinearConfig::new(4, 2).init({device});\n"
            "layer.weight = ⟦layer.weight.map(|weight| weight * 0.5)⟧;\nlet _ = layer;",
            "let mut layer = LinearConfig::new(4, 2).init({device});\n"
            "layer.weight = ⟦layer.weight.map(|weight| {{ let kept = weight.is_require_grad(); (weight * 0.5).detach().set_require_grad(kept) }})⟧;\nlet _ = layer;".replace(
                "{{", "{"
            ).replace("}}", "}"),
        ),
        S(
            "let mut layer = LinearConfig::new(4, 2).init({device});\n"
            "let clipped = ⟦layer.weight.val().clamp(-0.01, 0.01)⟧;\n"
            "layer.weight = Param::initialized(layer.weight.id, clipped);\nlet _ = layer;",
            "let mut layer = LinearConfig::new(4, 2).init({device});\n"
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
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\n"
            "let mut grads = weight.clone().powi_scalar(2).mean().backward();\nlet first = weight.grad_remove(&mut grads);\n"
            "let second = ⟦weight.grad(&grads)⟧;\nlet _ = (first, second);",
            "let weight = Tensor::<1>::ones([4], {device}).require_grad();\n"
            "let mut grads = weight.clone().powi_scalar(2).mean().backward();\nlet second = ⟦weight.grad(&grads)⟧;\n"
            "let first = weight.grad_remove(&mut grads);\nlet _ = (first, second);",
            type="Option<Tensor<1>>",
            free={"weight": "&Tensor<1>", "grads": "&Gradients"},
        ),
        S(
            "let model = LinearConfig::new(4, 2).init({device});\nlet mut grads = model.forward(Tensor::<2>::ones([8, 4], {device})).mean().backward();\n"
            "let taken = GradientsParams::from_module(&mut grads, &model);\nlet own = ⟦model.weight.grad(&grads)⟧;\nlet _ = (taken, own);",
            "let model = LinearConfig::new(4, 2).init({device});\nlet mut grads = model.forward(Tensor::<2>::ones([8, 4], {device})).mean().backward();\n"
            "let own = ⟦model.weight.grad(&grads)⟧;\nlet taken = GradientsParams::from_module(&mut grads, &model);\nlet _ = (taken, own);",
        ),
        S(
            "let first = LinearConfig::new(4, 2).init({device});\nlet mut second = LinearConfig::new(4, 2).init({device});\n"
            "let mut optim = AdamConfig::new().init();\nlet out = second.forward(Tensor::<2>::ones([8, 4], {device})).mean();\n"
            "let grads = ⟦GradientsParams::from_grads(out.backward(), &first)⟧;\nsecond = optim.step(1e-3, second, grads);\nlet _ = second;",
            "let mut second = LinearConfig::new(4, 2).init({device});\n"
            "let mut optim = AdamConfig::new().init();\nlet out = second.forward(Tensor::<2>::ones([8, 4], {device})).mean();\n"
            "let grads = ⟦GradientsParams::from_grads(out.backward(), &second)⟧;\nsecond = optim.step(1e-3, second, grads);\nlet _ = second;",
        ),
    ],
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
            free={"x": _F2},
            old=True,
        ),
        S(
            "let x = {x}.clone();\nlet mut total = x.clone();\nfor _ in 0..3 {\n    total = ⟦total + x⟧;\n}\nlet _ = total;",
            "let x = {x}.clone();\nlet mut total = x.clone();\nfor _ in 0..3 {\n    total = ⟦total + x.clone()⟧;\n}\nlet _ = total;",
            _X2,
            old=True,
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
