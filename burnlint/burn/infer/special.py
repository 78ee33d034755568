"""Methods that every type may have (`clone`, `into`, `to_string`), and the few of burn whose signature does
not say enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnlint.burn.infer.bounds import converts
from burnlint.burn.infer.iterate import item_of
from burnlint.burn.infer.model import (
    BOOL,
    REFS,
    STR,
    STRING,
    UNIT,
    USIZE,
    Con,
    Gen,
    Type,
    Var,
    atom,
    prune,
)
from burnlint.rust import hir
from burnlint.rust.items import Enum, Struct

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_KIND_OF_DTYPE = {
    "Float": ("F64", "F32", "F16", "BF16", "Flex32"),
    "Int": ("I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8"),
    "Bool": ("Bool",),
}
"""The kind that `cast` gives, by the variant of the dtype enum (burn-tensor 0.22.1, api/cast.rs)."""


_WITH_CONTEXT = frozenset({"context", "with_context", "wrap_err", "wrap_err_with"})
"""Methods that anyhow, eyre and snafu give results and options: what is inside stays."""


def into_iter(s: Solver, e: hir.MethodCall, receiver: Type) -> Type | None:
    """`into_iter`, which gives references on a reference: no table by the type alone can say it."""
    if e.args:
        return None
    known = prune(receiver)
    item = item_of(s, known)
    if item is None and isinstance(known, Con) and known.head in ("Box", "Arc", "Rc"):
        item = item_of(s, known.args[0])
    return Con("Iter", (item,)) if item is not None else None


def fallback(
    s: Solver, e: hir.MethodCall, receiver: Type, want: Type | None, types: Sequence[Type] | None
) -> Type | None:
    """Methods of std's traits that no table lists; None if the name says nothing."""
    name, args = e.name, e.args
    if name == "into" and not args:
        return _of_conversion(s, receiver, "Into") or _converted(s, receiver)
    if name == "try_into" and not args:
        return Con("Result", (Var(), Var("error of try_into")))
    if name in _WITH_CONTEXT and len(args) == 1:
        known = s.peeled(receiver)
        if isinstance(known, Con) and known.head in ("Result", "Option"):
            _check_all(s, args, types)
            return Con("Result", (known.args[0], Var(f"error of {name}")))
    if name == "to_string" and not args:
        return STRING
    if name in ("eq", "ne", "lt", "le", "gt", "ge") and len(args) == 1:
        _check_all(s, args, types)
        return BOOL
    if name in ("get", "get_mut") and len(args) == 1:
        return _element(s, e, receiver, types)
    if name in ("as_ref", "as_mut", "borrow", "borrow_mut") and not args:
        target = _of_conversion(s, receiver, "AsRef" if name == "as_ref" else "AsMut")
        return (
            Var(f"method {name}") if target is None else Con("&mut" if name == "as_mut" else "&", (target,))
        )
    if name in ("iter", "iter_mut") and not args:
        return None
    if name == "hash":
        _check_all(s, args, types)
        return UNIT
    return iterator(s, e, receiver, want, types)


def _converted(s: Solver, receiver: Type) -> Type:
    """What `into` gives: what the place asks for, of which burn's one conversion may say the rest."""
    made = Var()

    def reach() -> bool:
        target = prune(made)
        return not isinstance(target, Var) and converts(s, receiver, target)

    s.goals.append(reach)
    return made


def _of_conversion(s: Solver, receiver: Type, trait: str) -> Type | None:
    """What a bound `Into<T>` or `AsRef<T>` says: rustc takes the bound of a generic before any impl."""
    known = s.peeled(receiver)
    bounds: list[Con] = []
    if isinstance(known, Gen):
        bounds = s.bounds(known.name)
    elif isinstance(known, Con) and known.head == "impl":
        bounds = [b for b in known.args if isinstance(b, Con)]
    found = [b.args[0] for b in bounds if b.head == trait and b.args]
    if len(found) > 1:
        return Var(f"one of several bounds {trait}")
    return found[0] if found else None


def _check_all(s: Solver, args: Sequence[hir.Expr], types: Sequence[Type] | None) -> None:
    if types is None:
        for arg in args:
            s.check(arg)


def _element(s: Solver, e: hir.MethodCall, receiver: Type, types: Sequence[Type] | None) -> Type | None:
    """`get` of a slice, which gives an item at an index and a slice at a range."""
    step = s.known(receiver)
    for _ in range(8):
        if isinstance(step, Con) and step.head == "[]":
            break
        target = s.lookup.deref(step, s) if isinstance(step, Con) else None
        if target is None:
            return None
        step = s.known(target)
    else:
        return None
    key = prune(s.check(e.args[0]) if types is None else types[0])
    sign = "&mut" if e.name == "get_mut" else "&"
    if isinstance(key, Con) and isinstance(key.head, str) and key.head.startswith("Range"):
        return Con("Option", (Con(sign, (step,)),))
    if isinstance(key, Var) and not key.sort:
        return Var("get at an unknown index")
    s.unify(key, USIZE)
    return Con("Option", (Con(sign, (step.args[0],)),))


def cloned(s: Solver, receiver: Type, name: str) -> Type:
    """`clone` gives the type behind all references that is Clone; a reference is, so the last one is where
    nothing else is."""
    known = s.known(receiver)
    clonable: Type | None = None
    for _ in range(8):
        if isinstance(known, Con) and known.head in REFS:
            if known.head == "&":
                clonable = known
            known = s.known(known.args[0])
            continue
        verdict = _is_clone(s, known)
        if verdict:
            return known
        if isinstance(known, Con):
            if name == "to_owned" and known is STR:
                return STRING
            if name == "to_owned" and known.head == "[]":
                return Con("Vec", known.args)
            if clonable is None and verdict is False:
                target = s.lookup.deref(known, s)
                if target is not None:
                    known = s.known(target)
                    continue
        break
    if clonable is not None and not isinstance(known, Var):
        return clonable if _is_clone(s, known) is False else Var("clone of a type that may not be Clone")
    return known if isinstance(known, Var) else Var("clone of a type that may not be Clone")


_NOT_CLONE = frozenset(
    {
        "MutexGuard",
        "RwLockReadGuard",
        "RwLockWriteGuard",
        "CellRef",
        "CellRefMut",
        "LazyLock",
        "dyn",
        "[]",
        "str",
    }
)


# Source: burn-core 0.13 to 0.22.1, src/module/base.rs (`trait Module: Clone + ..`).
_CLONE = frozenset({"Clone", "Copy", "Module", "AutodiffModule"})


def _is_clone(s: Solver, type: Type) -> bool | None:
    """Whether a type is Clone; None where that is not known."""
    if isinstance(type, Gen):
        bounds = s.bounds(type.name)
        if any(s.lookup.demands(b.head, _CLONE) for b in bounds):
            return True
        return (
            None
            if any(not isinstance(b.head, str) or s.resolver.is_api_trait(b.head) for b in bounds)
            else False
        )
    if not isinstance(type, Con):
        return None
    head = type.head
    if head in _NOT_CLONE:
        return False
    if isinstance(head, str):
        if s.resolver.is_api_type(head):
            return s.lookup.api.implements(head, "Clone") or None
        return True if "::" not in head else None
    if isinstance(head, Struct | Enum):
        derives = head.derives("Clone") or head.derives("Module") or head.derives("Config")
        return bool(derives or s.index.trait_impls(head, "Clone"))
    return None


def iterator(
    s: Solver, e: hir.MethodCall, receiver: Type, want: Type | None, types: Sequence[Type] | None
) -> Type | None:
    """Adaptors of `Iterator` on an iterator that is not std's: a loader's, an `impl Iterator`, one of the
    workspace."""
    known = s.peeled(receiver)
    for _ in range(4):
        if isinstance(known, Con) and known.head == "Box":
            known = prune(known.args[0])
    if isinstance(known, Con) and known.head == "Iter":
        return None
    sigs = s.lookup.std.methods("Iter", e.name)
    if not sigs or not s.resolver.is_iterator(s, known):
        return None
    item = item_of(s, known)
    if item is None:
        return None
    from burnlint.burn.infer.calls import apply
    from burnlint.burn.infer.solver import Called
    from burnlint.burn.infer.templates import match_receiver

    step = Con("Iter", (item,))
    fitting = [sig for sig in sigs if sig.receiver is None or match_receiver(sig.receiver, step)]
    if not fitting:
        return None
    s.called[e.id] = Called(fitting[0], step, True)
    return apply(s, e, fitting[0], step, e.args, types, e.generics, want)


def cast(s: Solver, args: Sequence[hir.Expr], made: Type) -> Type:
    """The result of `Tensor::cast`, whose kind is an associated type of the argument's."""
    if isinstance(made, Con) and made.head == "Tensor" and args:
        kind = _cast_kind(s, args[-1])
        if kind is not None:
            s.unify(made.args[1], kind)
    return made


def _cast_kind(s: Solver, arg: hir.Expr) -> Type | None:
    known = s.types[arg.id]
    known = prune(known) if known is not None else None
    if isinstance(known, Con) and isinstance(known.head, str):
        for kind in ("Float", "Int", "Bool"):
            if known.head in (f"{kind}DType", f"{kind}Store"):
                return atom(kind)
    if isinstance(arg, hir.PathExpr):
        for kind, names in _KIND_OF_DTYPE.items():
            if arg.path.name in names:
                return atom(kind)
    return None
