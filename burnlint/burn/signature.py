"""Signatures of functions and methods: their text form, as stored in burn's API facts, and its reader.

Text form, close to Rust; parts that are empty are left out, `-> ()` is never written::

    "<const D2>(self, dim: impl AsIndex) -> Tensor<D2,K> for<const D, K: Basic> Tensor<D,K> #must_use"

    signature = [generics] "(" [self] params ")" ["->" term] ["for" [generics] term] { "#" flag }
    generics  = "<" param { "," param } ">"
    param     = ["const" | "backend"] name [":" bound { "+" bound }] ["=" term]
    self      = "self" | "&self" | "&mut self" | "self:" term
    flag      = must_use, track_caller, async, unsafe, const; default (a trait method with a body),
                derived (made by a derive), hidden (left out of the docs), cfg(...),
                deprecated [TEXT] (last, up to the end)

`for` names the receiver of an impl that is narrower than the type itself (`impl<const D: usize>
Param<Tensor<D>>`); without it, the receiver is the type with its own generics. Terms are those of
`burnlint.burn.terms`.

Up to burn 0.21 a backend generic stands in some place of the source's generic list. It is kept there, marked
`backend`, for it shifts the places of a turbofish and tells the mode: a bound `AutodiffBackend` asks for
autodiff.
"""

from __future__ import annotations

from typing import NamedTuple

from burnlint.burn.terms import UNIT, Binding, Generic, Named, Reader, Term, TermError, show


class GenericParam(NamedTuple):
    """One generic of a signature, impl or type; `sort` is "type", "const" or "backend"."""

    name: str
    sort: str = "type"
    bounds: tuple[Term, ...] = ()
    default: Term | None = None


class Param(NamedTuple):
    """One parameter; the name is "_" where the source has a pattern."""

    name: str
    term: Term


class Signature(NamedTuple):
    """A function or method of burn.

    `self_mode` is "self", "&self", "&mut self", "self: TERM", or "" for an associated or free function.
    `generics` are the function's own, in the order of a turbofish. `receiver` is the pattern that the
    receiver's type has to fit, `receiver_generics` its variables (None and () for free functions;
    `Generic("Self")` for methods of traits). `owner` is the key of the type or trait ("" for free functions),
    `crate` the crate whose version the fact hangs on. `deprecated` is the text of the deprecation, "" if it
    has none, None if the item is not deprecated.
    """

    owner: str
    name: str
    crate: str
    self_mode: str
    generics: tuple[GenericParam, ...]
    params: tuple[Param, ...]
    result: Term
    receiver: Term | None = None
    receiver_generics: tuple[GenericParam, ...] = ()
    flags: frozenset[str] = frozenset()
    deprecated: str | None = None
    cfg: str = ""

    @property
    def autodiff(self) -> bool:
        """Whether up to burn 0.21 this is for backends with autodiff only (a bound `AutodiffBackend`)."""
        asked = Named("AutodiffBackend")
        return any(
            asked in p.bounds for p in (*self.generics, *self.receiver_generics) if p.sort == "backend"
        )


def read_generics(text: str) -> tuple[GenericParam, ...]:
    """The generics in `text`, which is "" or begins with "<". Raises TermError."""
    return _generics(Reader(text, _names(text)))


def read_impl(text: str) -> tuple[tuple[GenericParam, ...], Named, Term]:
    """Generics, trait and receiver of "<generics> Trait<args> for Receiver". Raises TermError."""
    reader = Reader(text, _names(text))
    generics = _generics(reader)
    trait = reader.term()
    reader.expect("for")
    receiver = reader.term()
    if not isinstance(trait, Named) or reader.peek():
        raise TermError(f"not an impl: {text!r}")
    return generics, trait, receiver


def read(
    text: str,
    *,
    owner: str = "",
    name: str = "",
    crate: str = "",
    receiver: Term | None = None,
    receiver_generics: tuple[GenericParam, ...] = (),
) -> Signature:
    """The signature that `text` denotes; `receiver` and its generics hold where the text names none.

    Raises TermError for text that is not a signature.
    """
    text, flags, deprecated, cfg = _split_flags(text)
    own = {p.name for p in receiver_generics} | ({"Self"} if receiver == Generic("Self") else set())
    reader = Reader(text, own | _names(text))
    generics = _generics(reader)
    reader.expect("(")
    self_mode, params = _params(reader)
    result = reader.term() if reader.take("->") else UNIT
    if reader.take("for"):
        receiver_generics = _generics(reader)
        receiver = reader.term()
    if reader.peek():
        raise TermError(f"unexpected {reader.peek()!r} in {text!r}")
    return Signature(
        owner,
        name,
        crate,
        self_mode,
        generics,
        params,
        result,
        receiver,
        receiver_generics,
        flags,
        deprecated,
        cfg,
    )


def show_generics(params: tuple[GenericParam, ...]) -> str:
    """A generic list in the text form, "" without generics."""
    out = []
    for param in params:
        prefix = "" if param.sort == "type" else param.sort + " "
        bounds = ": " + "+".join(map(show, param.bounds)) if param.bounds else ""
        out.append(prefix + param.name + bounds + (f" = {show(param.default)}" if param.default else ""))
    return f"<{', '.join(out)}>" if out else ""


def write(signature: Signature, receiver: Term | None, receiver_generics: tuple[GenericParam, ...]) -> str:
    """The text form, the reverse of `read`; a receiver equal to the given one is left out."""
    params = [f"{param.name}: {show(param.term)}" for param in signature.params]
    if signature.self_mode:
        params.insert(0, signature.self_mode)
    text = f"{show_generics(signature.generics)}({', '.join(params)})"
    if signature.result != UNIT:
        text += f" -> {show(signature.result)}"
    if signature.receiver is not None and (signature.receiver, signature.receiver_generics) != (
        receiver,
        receiver_generics,
    ):
        text += f" for{show_generics(signature.receiver_generics)} {show(signature.receiver)}"
    text += "".join(f" #{flag}" for flag in sorted(signature.flags))
    if signature.cfg:
        text += f" #cfg({signature.cfg})"
    if signature.deprecated is not None:
        text += f" #deprecated {signature.deprecated}".rstrip()
    return text


def _split_flags(text: str) -> tuple[str, frozenset[str], str | None, str]:
    text, *parts = text.split(" #")
    flags: set[str] = set()
    cfg = ""
    for at, part in enumerate(parts):
        if part.startswith("deprecated"):
            rest = " #".join(parts[at:])
            return text, frozenset(flags), rest.removeprefix("deprecated").strip(), cfg
        if part.startswith("cfg("):
            cfg = part[4:-1]
        else:
            flags.add(part)
    return text, frozenset(flags), None, cfg


def _names(text: str) -> set[str]:
    """Names declared in the generic lists of a signature's text (the lists begin it or follow `for`)."""
    names: set[str] = set()
    for start in (0, text.find(" for<") + 4):
        if start != 3 and text.startswith("<", start):
            reader = Reader(text[start:])
            names.update(param.name for param in _generics(reader))
    return names


def _generics(reader: Reader) -> tuple[GenericParam, ...]:
    if not reader.take("<"):
        return ()
    out = []
    while not reader.take(">"):
        sort = "type"
        if reader.peek() in ("const", "backend") and reader.peek(1) not in (",", ":", ">"):
            sort = reader.next()
        name = reader.next()
        bounds = reader.bounds() if reader.take(":") else ()
        default = reader.term() if reader.take("=") else None
        if bounds and isinstance(bounds[-1], Binding):
            # `K: Basic = Float` reads as `Basic=Float` where a term may be a binding.
            default, bounds = bounds[-1].value, (*bounds[:-1], Named(bounds[-1].name))
        out.append(GenericParam(name, sort, bounds, default))
        reader.take(",")
    return tuple(out)


def _params(reader: Reader) -> tuple[str, tuple[Param, ...]]:
    self_mode = ""
    if reader.take("self"):
        self_mode = f"self: {show(reader.term())}" if reader.take(":") else "self"
        reader.take(",")
    elif reader.peek() == "&" and "self" in (reader.peek(1), reader.peek(2)):
        reader.next()
        self_mode = "&mut self" if reader.take("mut") else "&self"
        reader.expect("self")
        reader.take(",")
    params = []
    while not reader.take(")"):
        name = reader.next()
        reader.expect(":")
        params.append(Param(name, reader.term()))
        reader.take(",")
    return self_mode, tuple(params)
