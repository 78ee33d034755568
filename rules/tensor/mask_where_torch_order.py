"""`a.mask_where(c, b)` takes `b` where the mask is true, the complement of `torch.where(c, a, b)`.

## Why
`mask_where` puts the **argument** where the mask is true. Written down in the order of `torch.where(c, a, b)` it selects
exactly the wrong elements, with the right shape and no error. burnlint reads the intended order from a comment or
string beside the call.

## PyTorch
`torch.where(c, a, b)` takes `a` where `c` is true: in burn `b.mask_where(c, a)`.

## Fires
    # use burn::tensor::Tensor;
    # fn leaky(x: Tensor<2>) -> Tensor<2> {
    let positive = x.clone().greater_scalar(0.0);
    let scaled = x.clone() * 0.01;
    // torch.where(positive, x, scaled)
    x.mask_where(positive, scaled)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn leaky(x: Tensor<2>) -> Tensor<2> {
    let positive = x.clone().greater_scalar(0.0);
    let scaled = x.clone() * 0.01;
    // torch.where(positive, x, scaled)
    scaled.mask_where(positive, x)
    # }

## Known gaps
Without a word of the intent beside it the order cannot be told to be wrong.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`mask_where`). Run on 0.22.1: fixtures/tensor/mask-where-torch-order/proof.rs.
"""
