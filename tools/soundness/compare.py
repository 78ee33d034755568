"""burnlint's terms against rustc's types: where both say something, they must say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from burnlint.burn import terms
from burnlint.burn.terms import Term
from tools.soundness.rustc_types import Form

Sorts = Callable[[Term], "Sequence[str] | None"]
"""The sorts of a type's generics in order ("backend", "type", "const"), None where they are not known; `OF_BACKEND` of what
up to burn 0.21 each backend has its own type for."""
OF_BACKEND = ("of a backend",)

_WEAK = (
    terms.Unknown,
    terms.Opaque,
    terms.Fn,
    terms.Impl,
    terms.Dyn,
    terms.Assoc,
    terms.Binding,
    terms.Inner,
    terms.Autodiff,
)
"""Terms that say nothing comparable: rustc has closures, hidden types and reduced projections there."""
_GROUPS = frozenset({"Iter", "Future", "ParseError"})
"""Names under which burnlint puts many types of std together."""
_OTHER_NAMES = {"NonZeroUsize": "NonZero", "AtomicOrdering": "Ordering"}
"""Types of std that rustc prints under another name."""


def unknown(term: Term) -> bool:
    """Whether the term, behind references, is not known or says nothing that could be compared."""
    while isinstance(term, terms.Ref):
        term = term.target
    return isinstance(term, _WEAK)


def difference(term: Term, form: Form, sorts: Sorts) -> str | None:
    """What a term says that rustc does not: "rank 2, not 3"; None if they agree as far as both are known."""
    if isinstance(term, _WEAK) or form.head in ("?", "!"):
        return None
    match term:
        case terms.Ref(mutable, target):
            if form.head != ("&mut" if mutable else "&"):
                return (
                    f"reference, not {form.name}"
                    if form.head not in ("&", "&mut")
                    else f"reference, not {form.head}"
                )
            return difference(target, form.args[0], sorts)
        case terms.Tensor(rank, kind):
            if form.name != "Tensor" or len(form.args) < 2:
                return f"Tensor, not {form.name}"
            return _labelled("rank", rank, form.args[-2], sorts) or _labelled(
                "kind", kind, form.args[-1], sorts
            )
        case terms.Const(value):
            if form.head == "const" and (not isinstance(value, int) or str(value) == form.text):
                return None
            return f"{value}, not {form.text or form.name}"
        case terms.Generic(name):
            return (
                None
                if form.head == "generic" and form.text == name
                else f"{name}, not {form.text or form.name}"
            )
        case terms.Tuple(items):
            return _all("()", items, form, sorts)
        case terms.Slice(element):
            return _all("[]", (element,), form, sorts)
        case terms.Array(element, length):
            return _all("[;]", (element, length), form, sorts)
        case terms.Named(name, args) if name in _GROUPS:
            return (
                f"{name}, not {form.name}" if form.name == "Tensor" or form.head in ("&", "generic") else None
            )
        case terms.Named("!", _):
            return None
        case terms.Named(name, _) if sorts(term) is OF_BACKEND:
            return f"{name}, not {form.name}" if form.name == "Tensor" or form.head in ("&", "&mut") else None
        case terms.Named(name, args):
            return _path(name.rpartition("::")[2], args, term, form, sorts)
        case terms.Declared(item, args):
            return _path(item.name, args, term, form, sorts)
    return f"{terms.show(term)} cannot be compared"


def _labelled(label: str, term: Term, form: Form, sorts: Sorts) -> str | None:
    found = difference(term, form, sorts)
    return found and f"{label} {found}"


def _all(head: str, items: Sequence[Term], form: Form, sorts: Sorts) -> str | None:
    if form.head != head or len(items) != len(form.args):
        return f"{head} of {len(items)}, not {form.head} of {len(form.args)}"
    return next(
        (d for each, at in zip(items, form.args, strict=True) if (d := difference(each, at, sorts))), None
    )


def _path(name: str, args: Sequence[Term], term: Term, form: Form, sorts: Sorts) -> str | None:
    if form.name != _OTHER_NAMES.get(name, name):
        crate, inside, _ = term.name.partition("::") if isinstance(term, terms.Named) else ("", "", "")
        if inside and form.head.partition("::")[0] in (crate, "std", "core", "alloc"):
            # A type of a crate that burnlint does not read may be an alias: `ndarray::Array2` of ArrayBase,
            # `image::ImageResult` of std's Result.
            return None
        return f"{name}, not {form.text or form.name}"
    given = list(form.args)
    known = sorts(term)
    if known is not None and len(known) == len(given):
        given = [each for each, sort in zip(given, known, strict=True) if sort != "backend"]
    # What follows are defaults that burnlint leaves out, such as the allocator of a Vec.
    for each, at in zip_longest(args, given) if form.name == name else ():
        if each is None or at is None:
            return None
        found = difference(each, at, sorts)
        if found is not None:
            return f"{name}<{found}>"
    return None
