"""A suppression comment suppresses nothing any more.

## Why
It hides the next finding of its rule at this place, which nobody has looked at.

## Fires
    let x = 1; // burnlint: ignore[int-div-rem-mismatch] -- was needed once

## Clean
    let x = 1;

## Known gaps
Judged only when every rule that the comment names ran on the file: with `--select` of other rules it stays
silent.

## References
The safe fix removes the name, or the whole comment when no name is left.
"""

from burnlint.lint.rule import Rule

RULE = Rule("BL004", "unused-ignore", symptom="diagnosis", severity="warning", confidence="high")
