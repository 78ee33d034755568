"""A rule raised an exception on a file; every other rule and file was still looked at.

## Why
This is a bug of burnlint. The run ends with exit code 2, since what the rule would have found is not known.

## Fires
    // the note names the rule, the file, the exception and burnlint's version

## Clean
    // no note

## Known gaps
None.

## References
Please report it with the note's text. Until it is mended, `--ignore` with the rule's name leaves it out.
"""

from burnlint.lint.rule import Rule

RULE = Rule("BL002", "rule-crashed", symptom="diagnosis", severity="error", confidence="high", group="engine")
