"""Snippets for faults in integers and dtypes (see `tools.mutation.transplant`)."""

# A snippet is Rust: its lines are as long as they would be there.

from __future__ import annotations

from tools.mutation.transplant import Snippet as S

_X2 = {"x": "Tensor<2>"}
_F2 = "Tensor<2>"
_I1 = "Tensor<1, Int>"

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
            "let cell = ({x}.clone().tanh() * 8.0 - 8.0).int();\nlet row = ⟦cell.clone() / 4⟧;\nlet column = cell % 4;\n"
            "let _ = (row, column);",
            "let cell = ({x}.clone().tanh() * 8.0 - 8.0).int();\nlet row = ⟦(cell.clone() - cell.clone() % 4) / 4⟧;\n"
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
}
