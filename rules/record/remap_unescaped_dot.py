"""A dot in a key pattern is not escaped: it matches any character, so other keys may be renamed too.

## Why
Key patterns are regular expressions. `fc1.` matches "fc10" as well as "fc1.", and renames a layer that was not meant.

## Fires
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_key_remapping("fc1.", "linear1.")
    # }

## Clean
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc1\\.", "linear1.")
    # }

## Known gaps
Whether another key of the file matches is not looked at: that is why this is a note for those who ask for it.

## References
burn-store 0.22.1, src/keyremapper.rs. Run on 0.22.1 and 0.21.0: fixtures/record/remap-unescaped-dot/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL509",
    "remap-unescaped-dot",
    symptom="silent",
    group="pedantic",
    severity="note",
    confidence="medium",
    pitfalls=("B18",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
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
        if remap.has_loose_dot:
            finding = Finding(
                remap.pattern.place,
                f"the dot in `{remap.pattern_text}` matches any character, so other keys may be renamed too",
                help=r"write `\.` for a dot",
            )
            # Another key that matched, and was meant to, does so no more.
            yield finding.with_fix("escape the dot", remap.dots_escaped, safe=False)
