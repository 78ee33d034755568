"""From burn's API facts (`burnlint.burn.terms`, `signature`) to templates, with the mode that the facts only
imply.

Up to burn 0.21 the mode is the generic backend: one signature has one, `Inner<..>` takes it off and
`Autodiff<..>` puts it on. From 0.22 on it is a property of the device that a tensor was made on, and follows
these rules (burn-tensor 0.22.1, api/autodiff.rs: "when combined with a tensor that still uses autodiff, it is
treated as a constant"; device.rs): what a function makes on a device has the device's mode, what it computes
from tensors records if one of them does, and `MODE_CHANGERS` say which methods change it. `to_device` keeps
it (api/base.rs: `with_autodiff_context_from`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.infer.model import AUTODIFF, NEVER, PLAIN, UNIT, UNKNOWN, Con, Gen, Projection, Type, atom
from burnlint.burn.infer.templates import Sig, hole
from burnlint.burn.signature import GenericParam, Signature

if TYPE_CHECKING:
    from burnlint.burn.api import Api

MODE_CHANGERS = {
    "inner": PLAIN,
    "without_autodiff": PLAIN,
    "valid": PLAIN,
    "grad": PLAIN,
    "grad_remove": PLAIN,
    "autodiff": AUTODIFF,
    "train": AUTODIFF,
    "from_inner": AUTODIFF,
}
_SPELLED_OUT = frozenset({"FnOnce", "FnMut", "Fn", "fn"})


class Compiler:
    """Makes templates; without an API it serves the table of std, where no type has a mode."""

    def __init__(self, api: Api | None) -> None:
        self.api = api
        self.old_style = api is not None and api.backend_style
        self._modal: dict[str, bool] = {}
        self._members: dict[tuple[str, str], tuple[Sig, ...]] = {}

    def modal(self, key: str) -> bool:
        """Whether values of the type have a mode."""
        found = self._modal.get(key)
        if found is None:
            found = self._modal[key] = self._find_modal(key)
        return found

    def _find_modal(self, key: str) -> bool:
        if self.api is None:
            return False
        known = self.api.type(key)
        if known is None or known.sort == "foreign":
            return False
        if self.old_style:
            return any(g.sort == "backend" for g in known.generics)
        return key == "Device" or (not known.generics and self.api.implements(key, "Module"))

    def members(self, key: str, name: str) -> tuple[Sig, ...]:
        """The templates of what the API has under a name for a type or trait."""
        at = key, name
        found = self._members.get(at)
        if found is None:
            known = self.api.method(key, name) if self.api is not None else ()
            found = self._members[at] = tuple(map(self.signature, known))
        return found

    def type(self, term: terms.Term, mode: str | None = None) -> Type:
        """The template of a term; `mode` is what tensors and modules in it get (None: each its own)."""
        return _Types(self, mode).type(term)

    def signature(self, sig: Signature) -> Sig:
        """The template of a signature."""
        names = [*sig.receiver_generics, *sig.generics]
        backends = [g.name for g in names if g.sort == "backend"]
        mode: str | None = None
        if self.old_style:
            mode = backends[0] if len(backends) == 1 else UNKNOWN if backends else "?none"
            if mode == "?none":
                mode = "B"
                backends = ["B"]
        types = _Types(self, mode)
        if isinstance(sig.receiver, terms.Generic):
            types.trait = sig.owner
        receiver = None if sig.receiver is None else types.type(sig.receiver)
        receiver_modes = len(types.modes)
        params = tuple(types.type(p.term) for p in sig.params)
        either = tuple(types.modes)
        device = ""
        if not self.old_style:
            if receiver_modes and sig.self_mode:
                # With a receiver, a device among the parameters is the target of a move.
                either = tuple(m for m in types.modes if m not in types.devices) or tuple(types.modes[:1])
            else:
                either = types.devices[-1:] if types.devices else tuple(types.modes[receiver_modes:])
            makes_device = sig.owner == "Device" and not sig.self_mode and not either
            types.result_mode = PLAIN if makes_device else MODE_CHANGERS.get(sig.name, "*")
        types.in_result = True
        result = types.type(sig.result)
        if isinstance(result, Gen) and types.result_mode in (PLAIN, AUTODIFF):
            result = Con("#" + types.result_mode, (result,))
        if "async" in sig.flags:
            result = Con("Future", (result,))
        bounds = list(types.bounds)
        for generic in names:
            for bound in generic.bounds:
                compiled = types.bound(bound)
                if compiled is not None:
                    bounds.append((Gen(generic.name), compiled))
        if not self.old_style and not either:
            device = next((s.name for s, b in bounds if isinstance(s, Gen) and _takes_device(b)), "")
        if sig.name in MODE_CHANGERS and not self.old_style:
            either = ()
        all_names = (*(g.name for g in names if g.sort != "backend"), *types.anonymous)
        if isinstance(sig.receiver, terms.Generic) and sig.receiver.name not in all_names:
            all_names = (*all_names, sig.receiver.name)
        return Sig(
            sig.name,
            receiver,
            sig.self_mode,
            tuple((g.name, g.sort) for g in sig.generics),
            all_names,
            params,
            result,
            tuple(bounds),
            open_generics(params, receiver if sig.self_mode else None, bounds, all_names),
            sig,
            tuple(backends) if self.old_style else tuple(types.modes),
            AUTODIFF if sig.autodiff else "",
            either,
            device,
        )


def _takes_device(bound: Con) -> bool:
    return bound.head == "Into" and bool(bound.args) and repr(bound.args[0]) == "TensorCreationOptions"


def generics_in(type: Type, into: set[str]) -> set[str]:
    """Names of the generics in a template, added to `into`."""
    if isinstance(type, Gen):
        into.add(type.name)
    elif isinstance(type, Con):
        for arg in type.args:
            generics_in(arg, into)
    return into


def open_generics(
    params: tuple[Type, ...],
    receiver: Type | None,
    bounds: list[tuple[Type, Con]],
    names: tuple[str, ...],
) -> frozenset[str]:
    """Generics that only a bound can determine: then rustc may know what unification does not."""
    seen: set[str] = set()
    for param in params:
        generics_in(param, seen)
    if receiver is not None:
        generics_in(receiver, seen)
    bounded: set[str] = set()
    for subject, bound in bounds:
        if bound.head != "fn":
            # What a closure takes and gives is found in the closure.
            generics_in(bound, bounded)
        if not isinstance(subject, Gen):
            generics_in(subject, bounded)
    return frozenset(n for n in names if n in bounded and n not in seen)


class _Types:
    """One signature at work: gives places their mode, and parameters of `impl Trait` a generic of their
    own."""

    def __init__(self, compiler: Compiler, mode: str | None) -> None:
        self.compiler = compiler
        self.mode = mode
        self.modes: list[str] = []
        self.devices: tuple[str, ...] = ()
        self.result_mode: str | None = None
        self.in_result = False
        self.trait: str | None = None
        self.anonymous: list[str] = []
        self.bounds: list[tuple[Type, Con]] = []

    def _place(self, device: bool = False) -> str:
        if self.mode is not None:
            return self.mode
        if self.result_mode is not None:
            return self.result_mode
        name = f"m{len(self.modes)}"
        self.modes.append(name)
        if device:
            self.devices = (*self.devices, name)
        return name

    def type(self, term: terms.Term) -> Type:
        match term:
            case terms.Tensor(rank, kind):
                return Con("Tensor", (self.type(rank), self.type(kind)), self._place())
            case terms.Named(name, args):
                if name == "!":
                    return NEVER
                mode = self._place(name == "Device") if self.compiler.modal(name) else None
                return (
                    Con(name, tuple(map(self.type, args)), mode) if args or mode is not None else atom(name)
                )
            case terms.Generic(name):
                return Gen(name)
            case terms.Const(value):
                return atom(value) if isinstance(value, int) else hole(f"constant expression {value}")
            case terms.Ref(mutable, target):
                return Con("&mut" if mutable else "&", (self.type(target),))
            case terms.Tuple(items):
                return Con("()", tuple(map(self.type, items))) if items else UNIT
            case terms.Array(element, length):
                return Con("[;]", (self.type(element), self.type(length)))
            case terms.Slice(element):
                return Con("[]", (self.type(element),))
            case terms.Fn(_, params, result):
                return Con("fn", (*map(self.type, params), self.type(result)))
            case terms.Impl(bounds):
                return self._opaque("impl", bounds)
            case terms.Dyn(bounds):
                return self._opaque("dyn", bounds)
            case terms.Inner(of):
                return self._with_mode(of, PLAIN)
            case terms.Autodiff(of):
                return self._with_mode(of, AUTODIFF)
            case terms.Assoc(of, trait, name):
                return Con(Projection(trait or self.trait, name), (self.type(of),))
            case _:
                return hole("a type outside of the facts")

    def _with_mode(self, of: terms.Term, mode: str) -> Type:
        inner = _Types(self.compiler, mode)
        made = inner.type(of)
        if isinstance(made, Gen):
            # A module of any type, with another mode: the generic's own mode would be wrong.
            return Con("#" + mode, (made,))
        return made

    def _opaque(self, keyword: str, bounds: tuple[terms.Term, ...]) -> Type:
        compiled = tuple(b for b in map(self.bound, bounds) if b is not None)
        if keyword == "impl" and not self.in_result:
            name = f"impl{len(self.anonymous)}"
            self.anonymous.append(name)
            self.bounds.extend((Gen(name), bound) for bound in compiled)
            return Gen(name)
        return Con(keyword, compiled)

    def bound(self, term: terms.Term) -> Con | None:
        """A bound as a Con; None for what says nothing (`?Sized`, a lifetime)."""
        match term:
            case terms.Fn(_, params, result):
                return Con("fn", (*map(self.type, params), self.type(result)))
            case terms.Named(name, args):
                return Con(name, tuple(map(self._bound_arg, args))) if args else atom(name)
            case _:
                return None

    def _bound_arg(self, term: terms.Term) -> Type:
        if isinstance(term, terms.Binding):
            return Con("=" + term.name, (self.type(term.value),))
        return self.type(term)


def generic_names(generics: tuple[GenericParam, ...]) -> tuple[str, ...]:
    """Names of the generics that stand for types and constants."""
    return tuple(g.name for g in generics if g.sort != "backend")
