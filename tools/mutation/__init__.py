"""Recall by mutation: how many of the faults planted into correct code does burnlint find?

    python -m tools.mutation FOLDER... --work W --target T [--untyped FOLDER...] [--most N] [--compile ROUNDS] [--write]

FOLDER is a Cargo package or workspace that compiles: burn's examples, burn-train, burn-nn, projects of the
corpus. It is copied to W and never changed; no code of it is kept here, only the table `results.tsv`.

**Operators** (`operators/`) each plant one kind of fault. They are written from what is known of burn's pitfalls,
not from the rules: an operator says what goes wrong (drop the `.mean()` of a loss, swap the operands of
`mask_where`), not what burnlint looks for. A fault of an operator is planted where correct code has its place
(`real`). Where that is rare a `Snippet` brings a small context along and is set at the start of a real function,
with that function's tensors and devices (`transplanted`).

**Indirections** (`indirect.py`): each fault is planted as it is, and once more with its expression moved: into a
function, into a method of a struct that holds its operands, into a closure, or with its operand in a field or
under another name. The kind goes by a digest of the fault; the next one is taken where types are missing or rustc
refuses. Types come from rustc (`tools.soundness`), never from burnlint.

**Twins**: each mutant has a twin, the same text without the fault and behind the same indirection. A mutant is
found if rules of its pitfalls fire more often on it than on the twin, in a run with default rules and default
confidence; `twins` counts the twins on which they fire more often than on the untouched code.

**Compiling** (`compile.py`, `place.py`): with `--compile` cargo checks as many mutants as the table has, many at a
time: two that change one function stand in two copies of it. Those that do not compile are left out and replaced by
the next ones; those of compile errors have to give the expected error. `checked` counts those that were. What cargo
said is kept in W for later runs. T serves one run at a time: Cargo takes the copies of a package in two folders for
one, and what it built last for up to date. Of folders under `--untyped` rustc is not asked for types: for code that prints
too many of them, such as kernels.

`results.tsv` was made with burn's examples (with the features `store`, `safetensors` and `pytorch` of burn on),
burn-train, burn-nn and, without types, burn-cubecl, all of burn 0.22.1, and with the public project
jhosein58/learning-burn (burn 0.21, without its exercises, which do not compile), with `--most 20`. It has a line for
each operator: found and planted of the direct and of the indirect mutants, the share of both, the same by origin, by
which rules, and why the others are missed: `place` where the fault is not found without an indirection either, else
the indirection. `--missed FILE` writes each mutant that was not found.

Some places give no sign of what was meant, and no rule can tell: `a.mask_where(m, b)` between two tensors is as right
as `b.mask_where(m, a)` (all real places of `swap-mask-where`, nearly all of them in burn-nn), and in code that is
generic over its model an evaluation with autodiff may be wanted (`valid-dropped` in burn-train). A `detach` of what
never asks for gradients can be left out without harm (`inner-dropped` in burn's examples), and an index that ndarray
itself refuses is no silent one (`index-beyond` in learning-burn).
"""
