"""A public forward takes several tensors and asserts nothing: a wrong shape panics inside burn, or broadcasts.

## Why
A failed check of burn names its own file and line, not the caller's. Two inputs whose shapes do not belong together may
also broadcast, and no error comes at all. An assertion at the start of `forward` names the module and the sizes.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # #[derive(Module, Debug)]
    # pub struct Score { layer: Linear }
    # impl Score {
    pub fn forward(&self, query: Tensor<3>, key: Tensor<3>) -> Tensor<3> {
        self.layer.forward(query).matmul(key.transpose())
    }
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # #[derive(Module, Debug)]
    # pub struct Score { layer: Linear }
    # impl Score {
    pub fn forward(&self, query: Tensor<3>, key: Tensor<3>) -> Tensor<3> {
        assert_eq!(query.dims()[2], key.dims()[2], "query and key need one width");
        self.layer.forward(query).matmul(key.transpose())
    }
    # }

## Known gaps
Pedantic: burn's own modules mostly leave it to the operations. A check in a function that `forward` calls is not seen.

## References
burn-tensor 0.22.1, src/tensor/api/check.rs. Run on 0.22.1 and 0.21.0: fixtures/module/forward-without-shape-check/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL322",
    "forward-without-shape-check",
    symptom="diagnosis",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B9",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("forward",),
)


def check(file: FileView) -> Iterator[Finding]:
    for forward, place in file.unchecked_forwards():
        yield Finding(
            place,
            f"`{forward.name}` takes several tensors and checks no shape: a wrong one panics inside burn, or broadcasts",
            help="assert how their shapes belong together: `assert_eq!(a.dims()[0], b.dims()[0])`",
        )
