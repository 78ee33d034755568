"""A file, or a part of it, does not parse; burnlint looked at the rest.

## Why
What stands inside the broken part is unknown to every rule, so a pitfall there goes unseen. The grammar also
rejects a little of valid Rust (an attribute on a field pattern, for example): then there is nothing to do.

## Fires
    let x = ;

## Clean
    let x = 1;

## Known gaps
A file that no active rule has to look at is not parsed, and gets no such note.

## References
This is a note about burnlint's own work: it never fails a run and cannot be suppressed.
"""

from burnlint.lint.rule import Rule

RULE = Rule("BL001", "parse-error", symptom="diagnosis", severity="note", confidence="high", group="engine")
