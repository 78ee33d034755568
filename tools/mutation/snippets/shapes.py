"""Snippets for faults in shapes, indices and masks (see `tools.mutation.transplant`)."""

# ruff: noqa: E501
# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_X2 = {"x": "Tensor<2>"}
_F2 = "Tensor<2>"
_I1 = "Tensor<1, Int>"

SNIPPETS: dict[str, list[S]] = {
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
}
