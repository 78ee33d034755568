"""A window into a stored table or cache that runs past its end comes out shorter, without an error.

## Why
`slice` clamps its bounds: `table.slice([start..start + len])` of a table with fewer rows gives the rows that are there.
A position table or a cache is left that way as soon as the context grows beyond it; a window of one row that is left
broadcasts silently in the addition that follows. `narrow(dim, start, len)` panics with the sizes instead.

## PyTorch
Slicing clamps there too; `narrow` raises.

## Fires
    # use burn::tensor::Tensor;
    # struct Rope { freqs: Tensor<2> }
    # impl Rope {
    fn rows(&self, start: usize, len: usize) -> Tensor<2> {
        self.freqs.clone().slice([start..start + len])
    }
    # }

## Clean
    # use burn::tensor::Tensor;
    # struct Rope { freqs: Tensor<2> }
    # impl Rope {
    fn rows(&self, start: usize, len: usize) -> Tensor<2> {
        self.freqs.clone().narrow(0, start, len)
    }
    # }

## Known gaps
Pedantic: most windows never run past the end. Only tables that are fields, and functions that check nothing themselves.

## References
burn-std 0.22.1, src/tensor/slice.rs (clamping). Run on 0.22.1 and 0.21.0:
fixtures/tensor/slice-window-may-be-cut/proof.rs and proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL117",
    "slice-window-may-be-cut",
    symptom="silent",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B10",),
    burn=">=0.18",
    proven=("0.21.0", "0.22.1"),
    listens=("slice", "slice_dim"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("slice", "slice_dim", tests=False):
        if not call.windows:
            continue
        table = call.operands[0].owner
        if not table.is_field or any(
            word in call.fn_text for word in ("assert", ".min(", "ensure!", "panic!")
        ):
            continue
        start, width = call.windows[0]
        yield Finding(
            call.name_place,
            f"if `{table.spelling}` ends before `{start} + {width}`, `{call.name}` gives fewer than `{width}` and says nothing",
            help=f"use `narrow(dim, {start}, {width})`, which panics then",
        )
