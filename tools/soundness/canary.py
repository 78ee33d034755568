"""Wrong annotations on purpose: the judge must refuse each of them."""

from __future__ import annotations

import re
from dataclasses import replace

from tools.soundness.edits import Annotation

_TENSOR = re.compile(r"\bTensor<(?P<args>[^<>]*)>")
_KINDS = frozenset({"Int", "Bool", "Float"})


def wrong(annotation: Annotation) -> Annotation:
    """The annotation with the rank of its first tensor one higher, or of another kind (an explicit kind is
    left out, which makes it Float); a type without a tensor is wrapped into an Option."""
    return replace(annotation, type=wrong_type(annotation.type))


def wrong_type(type: str) -> str:
    """A type that no value of the given one has.

    >>> wrong_type("Tensor<_, 2>"), wrong_type("Vec<Tensor<2, burn::tensor::Int>>"), wrong_type("usize")
    ('Tensor<_, 3>', 'Vec<Tensor<2>>', '::core::option::Option<usize>')
    """
    found = _TENSOR.search(type)
    if found is None:
        return f"::core::option::Option<{type}>"
    args = [arg.strip() for arg in found["args"].split(",")]
    kind = args[-1].rpartition("::")[2]
    if kind in ("Int", "Bool") and len(args) > 1:
        args.pop()
    else:
        at = len(args) - 1 - (kind in _KINDS or not _is_rank(args[-1]))
        args[at] = str(int(args[at]) + 1) if args[at].isdecimal() else "13"
    return f"{type[: found.start()]}Tensor<{', '.join(args)}>{type[found.end() :]}"


def _is_rank(arg: str) -> bool:
    """Whether an argument is a rank: a number, or a generic, of which burn's own and users' code call ranks
    D.. and N..."""
    return arg.isdecimal() or arg[:1] in "DN"
