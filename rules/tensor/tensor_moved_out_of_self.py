"""A tensor field is moved out of `&self`: the code does not compile (E0507); clone it.

## Why
Operations take tensors by value, and `forward(&self, ..)` only borrows the module. `self.table + x` would take the
tensor away from it: E0507. `clone()` copies a handle, not the data. A `Param` has `val()` for it.

## PyTorch
Every operation takes tensors by reference there.

## Fires
    # use burn::tensor::Tensor;
    # struct Positions { table: Tensor<2> }
    # impl Positions {
    fn add(&self, x: Tensor<2>) -> Tensor<2> {
        x + self.table
    }
    # }

## Clean
    # use burn::tensor::Tensor;
    # struct Positions { table: Tensor<2> }
    # impl Positions {
    fn add(&self, x: Tensor<2>) -> Tensor<2> {
        x + self.table.clone()
    }
    # }

## Known gaps
Moves into closures and macros, by `match`, and in functions with conditional compilation are left to rustc.

## References
burn-tensor 0.22.1, src/tensor/api (operations take `self`). Error E0507, on 0.21.0 and 0.22.1:
fixtures/tensor/tensor-moved-out-of-self/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL112",
    "tensor-moved-out-of-self",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P9",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Tensor",),
    messages=(r"cannot move out of `self\..*` which is behind a (?:shared|mutable) reference",),
)


def check(file: FileView) -> Iterator[Finding]:
    for field in file.moved_out_of_borrow():
        finding = Finding(
            field.place,
            f"`{field.spelling}` would be moved out of what is only borrowed: this does not compile",
            help="clone it: `.clone()` shares the data",
        )
        yield finding.with_fix("clone the tensor", field.wrapped("", ".clone()"), safe=True)
