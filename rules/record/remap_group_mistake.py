"""A key replacement names a group that its pattern does not have: that part of the key is silently left out.

## Why
In a replacement `$name` takes every letter, digit and `_` that follows: `$1weight` is the group called "1weight",
not group 1 before "weight". A group that is not there is empty, so the keys come out wrong (`l$1_x.` gives `l.` for
each layer) and several tensors may get the same key.

## PyTorch
Python's `re.sub` writes `\\1weight`, which means group 1.

## Fires
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc(\\d)\\.", "linear_$1_inner.")
    # }

## Clean
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc(\\d)\\.", "linear_${1}_inner.")
    # }

## Known gaps
A pattern that is put together at run time is not read; then only `$1x` is reported, which no pattern can have.

## References
burn-store 0.22.1, src/keyremapper.rs; crate regex 1.12, `Regex::replace`. Run on 0.21.0 and 0.22.1:
fixtures/record/remap-group-mistake/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL507",
    "remap-group-mistake",
    symptom="silent",
    severity="error",
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


def check(file: FileView) -> Iterator[Finding]:
    for remap in file.remaps():
        for mistake in remap.mistakes():
            group = mistake.name
            finding = Finding(
                remap.replacement.place,
                f"`${group}` names a group `{group}` that the pattern does not have: it is replaced by nothing",
                help=f"write `{mistake.meant}`"
                if mistake.meant
                else "name a group of the pattern, `$$` for a dollar",
            )
            fixed = remap.replacement.literal_with(f"${group}", mistake.meant) if mistake.meant else None
            yield finding.with_fix("end the group's name", fixed, safe=False)
