"""A key remapping also renames what an earlier one produced: two layers get the same name, and one is lost.

## Why
The patterns of a store run one after the other, each on the result of the one before. With `^conv1\\.` to `conv2.`
and then `^conv2\\.` to `conv3.`, both layers end as `conv3`, one replaces the other, and `conv2` is missing.

## Fires
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors")
        .with_key_remapping(r"^conv1\\.", "conv2.")
        .with_key_remapping(r"^conv2\\.", "conv3.")
    # }

## Clean
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors")
        .with_key_remapping(r"^conv2\\.", "conv3.")
        .with_key_remapping(r"^conv1\\.", "conv2.")
    # }

## Known gaps
Only patterns that ask for the start of a key and nothing more (`^conv1\\.`) are compared. Where the names differ in more than
a number, both may stand for one layer in files of two kinds: confidence medium.

## References
burn-store 0.22.1, src/keyremapper.rs. Run on 0.21.0 and 0.22.1: fixtures/record/remap-chain/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL508",
    "remap-chain",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B18",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=(
        "with_key_remapping",
        "with_remap_pattern",
        "with_key_remap",
        "add_pattern",
        "from_patterns",
        "from_pattern_iter",
    ),
)

_NUMBER = re.compile(r"\d+")


def check(file: FileView) -> Iterator[Finding]:
    for remap in file.remaps():
        stem, result = remap.stem, remap.replacement_text
        if stem is None or result is None or stem == result:
            continue
        for earlier in remap.earlier():
            before = earlier.stem
            if before is not None and earlier.replacement_text == stem and before not in (stem, result):
                if any(each.replacement_text == before for each in remap.earlier()):
                    break  # Two names change places by way of this one.
                finding = Finding(
                    remap.pattern.place,
                    f"`{stem}` is also what `{before}` was renamed to: both end as `{result}`, and one is lost",
                    help="put this remapping before the other one",
                ).with_because(earlier.replacement.place, f"`{before}` becomes `{stem}` here")
                counted = _NUMBER.sub("#", before) == _NUMBER.sub("#", stem)
                yield finding if counted else finding.lowered(confidence="medium")
                break
