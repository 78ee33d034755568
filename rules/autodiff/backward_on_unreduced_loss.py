"""`backward` on a loss that nothing reduced multiplies the gradients by the number of elements of the loss.

## Why
burn accepts a tensor of any shape as the root of `backward` and starts from ones: the gradients are those of the **sum**
over all elements. With a loss of `[batch, classes]` they are batch times classes as large as with `.mean()`, so the learning
rate means something else with each batch size. `mean_dim` and `sum_dim` leave elements over and are no reductions.
On burn 0.22.1 a loss of 8 x 4 elements gives gradients exactly 32 times as large. Adam and its kin hardly notice it,
as long as nothing clips gradients.

## PyTorch
`loss.backward()` refuses a tensor with more than one element ("grad can be implicitly created only for scalar outputs"),
and losses reduce by the mean unless told otherwise; `SmoothL1Loss`, `CTCLoss` and `RNNTLoss` of burn do not.

## Fires
    # use burn::nn::Linear;
    # use burn::nn::loss::SmoothL1Loss;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, criterion: &SmoothL1Loss, x: Tensor<2>, y: Tensor<2>) -> GradientsParams {
    let loss = criterion.forward(model.forward(x), y);
    GradientsParams::from_grads(loss.backward(), model)
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::nn::loss::SmoothL1Loss;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, criterion: &SmoothL1Loss, x: Tensor<2>, y: Tensor<2>) -> GradientsParams {
    let loss = criterion.forward(model.forward(x), y).mean();
    GradientsParams::from_grads(loss.backward(), model)
    # }

## Known gaps
An explicit `.sum()` or `Reduction::Sum` is taken as meant. A loss that a function of another crate returns is taken as
reduced. A rank alone proves nothing: `[1, 1]` has rank 2 and one element.

## References
burn-autodiff 0.22.1, src/grads.rs (the root's gradient is ones); burn-nn 0.22.1, src/loss/smooth_l1.rs, ctc.rs, rnnt.rs.
Run on 0.22.1: fixtures/autodiff/backward-on-unreduced-loss/proof.rs.
"""
