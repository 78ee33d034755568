"""A constant is written exactly where the mask says valid, so the invalid elements stay and the good ones are lost.

## Why
`x.mask_where(x.is_finite(), zeros)` and `x.mask_fill(x.is_finite(), 0.0)` write the constant where the mask is **true**.
`[1, NaN, 3]` becomes `[0, NaN, 0]`: the NaN that was to be cleaned out is all that is left. Nothing fails.

## PyTorch
`torch.where(torch.isfinite(x), x, 0.0)` keeps the elements for which the mask is true.

## Fires
    # use burn::tensor::Tensor;
    # fn clean(x: Tensor<2>) -> Tensor<2> {
    let finite = x.clone().is_finite();
    x.mask_fill(finite, 0.0)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn clean(x: Tensor<2>) -> Tensor<2> {
    let finite = x.clone().is_finite();
    x.mask_fill(finite.bool_not(), 0.0)
    # }

## Known gaps
Only `is_finite` of the very tensor that is written to says for sure what is valid; a mask whose name says so does not.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`mask_where`, `mask_fill`).
Run on 0.22.1: fixtures/tensor/mask-where-keeps-invalid/proof.rs.
"""
