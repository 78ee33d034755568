"""The updated module is bound to a name that dies with the loop body, so each round starts from the old
weights.

## Why
`let model = optim.step(lr, model.clone(), grads);` inside a loop makes a new binding. It ends with the body,
and the next round reads the outer `model`, which no step ever changed. The loss does not move and nothing
fails. On burn 0.22.1 five such steps print the same loss five times.

## PyTorch
`optimizer.step()` changes the parameters in place; there is no result to keep.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for batch in batches {
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        let model = optim.step(1e-3, model.clone(), grads);
    }
    # model }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for batch in batches {
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
A result that is moved on (returned, stored, passed by value) is taken as kept, also where that place is not
read again. A trial step under a name of its own whose result is read (a line search, meta-learning) is left
alone.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs; burn-optim 0.21.0, src/optim/base.rs.
Run on 0.21.0 and 0.22.1: fixtures/training/optimizer-step-result-shadowed/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL402",
    "optimizer-step-result-shadowed",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("step", "step_multi"),
)


def check(file: FileView) -> Iterator[Finding]:
    for carrier, module in file.module_updates():
        call = carrier.call
        loop, names = call.loop, call.names
        if module is None or loop is None or not names or not module.fixed_in(loop):
            continue
        # An optimizer made in the loop, there or by what is called: each round is a training of its own
        # (clean.rs, learning_rate_sweep; clean_trainings_of_their_own.rs).
        optimizer = carrier.made.operands[0]
        unseen = call is carrier.made and not optimizer.origins().known
        if carrier.renews(0, loop) or (unseen and optimizer.declared_in(loop)):
            continue
        outer = module.owner.text
        shadowing = outer.rpartition(".")[2]
        shadows = shadowing in names
        name = shadowing if shadows else names[0]
        if not carrier.alone or call.kept or not (shadows or not call.used):
            continue
        finding = Finding(
            call.place,
            f"`{name}` ends with the loop body: each round trains from `{outer}`, which never changes",
            help=f"assign the result to the outer binding: `{outer} = …` without `let`",
        )
        yield finding.with_fix(f"assign it to `{outer}`", *call.kept_in(module.owner), safe=False)
