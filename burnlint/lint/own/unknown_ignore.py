"""A suppression comment names no rule that exists, or cannot be read.

## Why
It suppresses nothing, whatever its writer hoped.

## Fires
    let x = 1; // burnlint: ignore[int-div-rem-mismatched]

## Clean
    let x = 1; // burnlint: ignore[int-div-rem-mismatch] -- both are positive here

## Known gaps
None.

## References
The form is `// burnlint: ignore[name, …] -- reason` (`#` in TOML), or `ignore-file[name, …]` for a whole
file. Names and codes work, and so do the old names of renamed rules. With `require-reason` set, a comment
without a reason is reported here too.
"""

from burnlint.lint.rule import Rule

RULE = Rule("BL005", "unknown-ignore", symptom="diagnosis", severity="warning", confidence="high")
