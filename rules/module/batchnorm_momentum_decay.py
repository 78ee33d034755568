"""BatchNorm's momentum is the weight of the new batch: 0.9 or 0.99, the decay of other frameworks, makes the statistics jump.

## Why
burn updates `running = (1 - momentum) * running + momentum * batch`, with 0.1 as the default. TensorFlow's and
Flax's momentum is the other factor. With 0.9 the running statistics are nearly those of the last batch, so that
evaluation is noisy; nothing fails.

## PyTorch
The same meaning as in burn, default 0.1.

## Fires
    # use burn::nn::{BatchNorm, BatchNormConfig};
    # use burn::tensor::Device;
    # fn norm(device: &Device) -> BatchNorm {
    BatchNormConfig::new(64).with_momentum(0.99).init(device)
    # }

## Clean
    # use burn::nn::{BatchNorm, BatchNormConfig};
    # use burn::tensor::Device;
    # fn norm(device: &Device) -> BatchNorm {
    BatchNormConfig::new(64).with_momentum(0.01).init(device)
    # }

## Known gaps
Only a momentum that is spelt out in the call is seen. Exactly 1.0 (no averaging at all) is taken for a choice.

## References
burn-nn 0.22.1, src/modules/norm/batch.rs. Run on 0.22.1 and 0.21.0: fixtures/module/batchnorm-momentum-decay/proof.rs.
"""

from collections.abc import Iterator
from decimal import Decimal

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL313",
    "batchnorm-momentum-decay",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P16",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("with_momentum",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("with_momentum"):
        if call.key != "BatchNormConfig::with_momentum" or len(call.operands) != 2:
            continue
        momentum = call.operands[1]
        number = momentum.spelt_number
        value = Decimal(str(number)) if number is not None else None
        if value is None or not Decimal("0.5") <= value < 1:
            continue
        other = (1 - value).normalize()
        finding = Finding(
            momentum.place,
            f"a momentum of `{value}` gives the new batch that weight: the running statistics follow the last batch",
            help=f"write `{other:f}` for a decay of {value}",
        )
        if momentum.written_number is not None and other != value:
            finding = finding.with_fix(f"write `{other:f}`", Edit(momentum.place, f"{other:f}"), safe=False)
        yield finding
