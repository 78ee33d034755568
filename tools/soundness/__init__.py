"""rustc as the judge of burnlint's type inference: `python -m tools.soundness annotate|canary|types|all
FOLDER`.

`annotate` writes each inferred type of an un-annotated `let` into a copy of a Cargo package, and rustc must
take it; `canary` writes wrong ones there, and rustc must refuse each; `types` lays the types that rustc
prints beside burnlint's, for every local and every expression."""
