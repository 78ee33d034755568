"""Types of paths in expressions: functions, associated functions, constants, constructors of structs and
variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from burnlint.burn.infer.choice import choose
from burnlint.burn.infer.model import (
    FLOATS,
    NUMBERS,
    PLAIN,
    STRING,
    USIZE,
    Con,
    Gen,
    Head,
    Type,
    Var,
    atom,
    prune,
)
from burnlint.burn.infer.resolve import STD_CRATES
from burnlint.burn.infer.templates import Sig, fits, substitute
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Const, Enum, Fn, Struct, Trait, Variant

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_OPTION = ("Option", "Some"), ("Option", "None"), ("Result", "Ok"), ("Result", "Err")
_T, _E = Gen("T"), Gen("E")
_CONSTRUCTORS = {
    "Some": Sig("Some", None, "", (), ("T",), (_T,), Con("Option", (_T,))),
    "Ok": Sig("Ok", None, "", (), ("T", "E"), (_T,), Con("Result", (_T, _E))),
    "Err": Sig("Err", None, "", (), ("T", "E"), (_E,), Con("Result", (_T, _E))),
}
_TRIED = ("given value", "its error")
"""Names that no generic of the source has: the type that a conversion is asked of may be a generic `V` or `E`."""
DEFAULT = Sig("default", None, "", (), ("T",), (), _T)
_CONSTANTS = frozenset({"MAX", "MIN", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN", "MIN_POSITIVE"})


@dataclass(slots=True)
class Function:
    """A path names something to call; `owner` is the type it was found on."""

    sig: Sig
    owner: Type | None = None
    constructor: bool = False
    bound: Con | None = None


@dataclass(slots=True)
class Constant:
    """A path names a value of a type."""

    type: Type


Meaning: TypeAlias = "Function | Constant | str"
"""A string is the cause why a path is not known."""


def meaning(s: Solver, path: rt.Path) -> Meaning:
    """What a path in a body means as a value."""
    segments = path.segments
    item = s.scope.item
    if path.qself is not None:
        base = s.written(path.qself)
        if len(segments) == 1:
            return _associated(s, base, segments[0].name)
        trait = s.resolver.trait_head(rt.Path(segments[:-1], path.span, path.leading), item)
        if trait is None and len(segments) > 2:
            return "path behind an associated type"  # perhaps: `<T as Trait>::Device::default`
        return _associated(s, base, segments[-1].name, trait)
    first = segments[0].name
    info = s.scope.generics.get(first)
    if info is not None:
        if len(segments) == 1:
            return Constant(USIZE) if info.sort == "const" else "generic as a value"
        if info.sort == "backend":
            return "associated function of the backend"
        return (
            _associated(s, Gen(first), segments[1].name)
            if len(segments) == 2
            else "associated item of a generic"
        )
    if first == "Self":
        if s.scope.self_type is None:
            return "Self outside of an impl"
        own = s.own(s.scope.self_type, False)
        if len(segments) == 1:
            return _constructor_of_self(s, own)
        return _associated(s, own, segments[1].name) if len(segments) == 2 else "associated item of Self"
    found = s.resolver.resolve(path, item, "value")
    if isinstance(found, rn.Local):
        return _local(s, path, found)
    if isinstance(found, rn.Extern):
        return _extern(s, path, found.path)
    if isinstance(found, rn.Primitive) and len(found.rest) == 1:
        return _associated(s, atom(found.name), found.rest[0].name)
    return f"name not resolved ({found.why})" if isinstance(found, rn.Unresolved) else "path not understood"


def _constructor_of_self(s: Solver, own: Type) -> Meaning:
    known = prune(own)
    if isinstance(known, Con) and isinstance(known.head, Struct):
        if known.head.shape == "tuple":
            return Function(s.index.constructor(known.head), own, True)
        return Constant(own)
    return "Self of another type as a value"


def _local(s: Solver, path: rt.Path, found: rn.Local) -> Meaning:
    definitions = found.definitions
    if found.rest:
        if len(found.rest) > 1:
            return "path behind an associated type"
        name = found.rest[0].name
        if isinstance(definitions[0], Trait):
            return _of_trait(s, definitions[0], name)
        base = s.own(s.converter.path_type(prefix(path), s.scope, turbofish=True), False)
        return _associated(s, base, name)
    made = [_definition(s, path, d) for d in definitions]
    if len(made) == 1:
        return made[0]
    functions = [m for m in made if isinstance(m, Function)]
    if len(functions) == len(made):
        first = functions[0].sig
        if all(
            repr(f.sig.params) == repr(first.params) and repr(f.sig.result) == repr(first.result)
            for f in functions
        ):
            return functions[0]
    return "defined differently under incompatible cfg"


def _definition(s: Solver, path: rt.Path, definition: rn.Definition) -> Meaning:
    if isinstance(definition, Fn):
        return Function(s.index.sig(definition))
    if isinstance(definition, Const):
        if definition.type is None:
            return "constant without a type"
        scope = s.converter.scope(definition)
        return Constant(s.own(s.converter.type(definition.type, scope)))
    if isinstance(definition, Struct):
        if definition.shape == "tuple":
            return Function(s.index.constructor(definition), None, True)
        return Constant(s.own(s.converter.path_type(path, s.scope, turbofish=True), False))
    if isinstance(definition, Variant):
        sig = s.index.constructor(definition)
        env, modes = s.variables(sig, sig.names), s.modes_of(sig)
        if definition.shape == "tuple":
            return Function(sig, None, True)
        return Constant(substitute(sig.result, env, modes, s.unifier))
    return "path does not name a value"


def _extern(s: Solver, path: rt.Path, names: tuple[str, ...]) -> Meaning:
    """A path out of the workspace. What it leads to is worked out once; only arguments in the path differ by
    use."""
    if len(names) == 1:
        return "crate as a value"
    plans = s.lookup.plans
    plan = plans.get(names)
    if plan is None:
        plan = plans[names] = _plan(s, names)
    if isinstance(plan, str):
        return plan
    if isinstance(plan, Sig):
        return Function(plan, Var() if isinstance(plan.receiver, Gen) else None)
    if plan is _AT_USE:
        return _std(s, path, names) if names[0] in STD_CRATES else _api_constructor(s, names)
    head, last = plan.args[0], names[-1]
    assert isinstance(head, Con)
    if len(path.segments) > 1 and path.segments[-2].args:
        return _associated(
            s, s.own(s.converter.path_type(prefix(path), s.scope, turbofish=True), False), last
        )
    return _associated(s, s.own(head, False), last)


_AT_USE = Con("at use")
"""The plan of a path that has to be looked at in each place."""


def _plan(s: Solver, names: tuple[str, ...]) -> str | Sig | Con:
    """What a path out of the workspace leads to: a cause, a function, or `Con("::", (type,))` for a member of
    a type."""
    if names[0] in STD_CRATES:
        return s.lookup.std.function("::".join(names[1:])) or _AT_USE
    if not s.resolver.is_burn_crate(names[0]):
        return "function or value of another crate"
    api = s.lookup.api
    item = api.resolve_path("::".join(names), "value")
    if item is not None:
        if item.sort == "fn":
            sigs = api.function("::".join(names))
            return s.lookup.compiler.signature(sigs[0]) if sigs else "function that burn's facts do not have"
        if item.sort == "struct":
            return _AT_USE
        if item.sort == "const":
            return "constant of burn"
    heads = s.resolver.extern_heads(names[:-1])
    if isinstance(heads, str):
        return heads
    if (
        isinstance(heads[0], str)
        and s.resolver.is_api_trait(heads[0])
        and not s.resolver.is_api_type(heads[0])
    ):
        found = s.lookup.trait_members(heads[0], names[-1])
        return found[0] if found else "function of a trait not found"
    owner = s.converter.applied(heads[0], s.scope)
    return Con("::", (owner,)) if isinstance(owner, Con) else "associated function of an unknown type"


def _api_constructor(s: Solver, names: tuple[str, ...]) -> Meaning:
    item = s.lookup.api.resolve_path("::".join(names), "value")
    key = item.key if item is not None else ""
    known = s.lookup.api.type(key)
    if known is None:
        return "struct that burn's facts do not have"
    generics = tuple(g.name for g in known.generics if g.sort != "backend")
    result = s.lookup.compiler.type(known.term, "")
    if not known.fields:
        # A unit struct, or a tuple struct with private fields, which cannot be called.
        return Constant(substitute(result, {n: Var() for n in generics}, {}, s.unifier))
    if "0" not in known.fields:
        return "struct as a value"
    params = tuple(s.lookup.compiler.type(f.term, "") for f in known.fields.values())
    return Function(Sig(key, None, "", (), generics, params, result), None, True)


def _std(s: Solver, path: rt.Path, names: tuple[str, ...]) -> Meaning:
    last = names[-1]
    if names[-2:] in _OPTION or last in _CONSTRUCTORS:
        if last == "None":
            return Constant(Con("Option", (Var(),)))
        return Function(_CONSTRUCTORS[last], None, True)
    sig = s.lookup.std.function("::".join(names[1:]))
    if sig is not None:
        return Function(sig)
    if len(names) < 3:
        return "function of std that is not in the table"
    owner = names[-2]
    if owner == "consts" and names[-3] in FLOATS:
        return Constant(atom(names[-3]))
    if owner in FLOATS | NUMBERS:
        return _associated(s, atom(owner), last)
    if s.lookup.std.has(owner) and len(path.segments) > 1:
        base = s.own(s.converter.path_type(prefix(path), s.scope, turbofish=True), False)
        return _associated(s, base, last)
    return _of_std_trait(owner, last)


def _of_std_trait(trait: str, name: str) -> Meaning:
    if (trait, name) == ("Default", "default"):
        return Function(DEFAULT)
    if (trait, name) == ("From", "from"):
        return Function(Sig(name, None, "", (), ("T", "V"), (Gen("V"),), _T))
    if (trait, name) == ("Into", "into"):
        return Function(Sig(name, None, "", (), ("T", "V"), (Gen("V"),), _T))
    if (trait, name) in (("Clone", "clone"), ("ToOwned", "to_owned")):
        return (
            Function(Sig(name, None, "", (), ("T",), (Con("&", (_T,)),), _T))
            if name == "clone"
            else "to_owned"
        )
    if (trait, name) == ("ToString", "to_string"):
        return Function(Sig(name, None, "", (), ("T",), (Con("&", (_T,)),), STRING))
    return "function of std that is not in the table"


def prefix(path: rt.Path) -> rt.Path:
    """The path without its last segment."""
    return rt.Path(path.segments[:-1], path.span, path.leading)


def _of_trait(s: Solver, trait: Head, name: str) -> Meaning:
    found = s.lookup.trait_members(trait, name)
    return Function(found[0], Var()) if found else "function of a trait not found"


def _associated(s: Solver, base: Type, name: str, trait: Head | None = None) -> Meaning:
    """`base::name`."""
    known = s.known(base)
    if isinstance(known, Gen):
        for bound in s.bounds(known.name):
            if trait is None or bound.head == trait:
                found, through = s.lookup.of_bounds([bound], name)
                if found:
                    return Function(found[0], known, bound=through)
        return _of_any(s, known, name) or "associated function of a generic's bound"
    if not isinstance(known, Con):
        return f"associated function {name} of an unknown type"
    head = known.head
    sure = s.lookup.only_member(head, name)
    if sure is not None:
        return Function(sure, known)
    if isinstance(head, Enum):
        variant = s.lookup.variant(head, name)
        if variant is not None:
            return _variant(s, known, variant)
    if isinstance(head, Trait) or (
        isinstance(head, str) and s.resolver.is_api_trait(head) and not s.resolver.is_api_type(head)
    ):
        return _of_trait(s, head, name)
    if isinstance(head, str) and s.resolver.is_api_type(head):
        made = _api_variant(s, known, head, name)
        if made is not None:
            return made
    found = s.lookup.members(head, name)
    fitting = [f for f in found if fits(f, known)]
    if fitting:
        chosen = fitting[0] if len(fitting) == 1 else choose(fitting)
        if chosen is not None:
            return Function(chosen, known)
    if isinstance(head, str) and head in NUMBERS and name in (*_CONSTANTS, "BITS"):
        return Constant(atom("u32") if name == "BITS" else known)
    constant = _associated_constant(s, head, name)
    if constant is not None:
        return constant
    return _of_any(s, known, name) or _why_not(s, head)


def _why_not(s: Solver, head: Head) -> str:
    if isinstance(head, str):
        if s.resolver.is_api_type(head):
            return "associated function that burn's facts do not have"
        return (
            "associated function of a foreign type"
            if "::" in head
            else "associated function of std not in the table"
        )
    return "associated function of a workspace type not found"


def _of_any(s: Solver, base: Type, name: str) -> Meaning | None:
    """`T::default()`, `T::from(x)`: what std's traits promise for any type."""
    if name == "default":
        if isinstance(base, Con) and base.mode is not None and s.resolver.is_device(base.head):
            base = Con(base.head, base.args, s.unifier.mode(PLAIN))
        return Function(Sig(name, base, "", (), (), (), base), None)
    if name == "from":
        return Function(Sig(name, base, "", (), _TRIED[:1], (Gen(_TRIED[0]),), base), None)
    if name in ("try_from", "from_str"):
        given, error = map(Gen, _TRIED)
        result = Con("Result", (base, error))
        return Function(Sig(name, base, "", (), _TRIED, (given,), result, open=frozenset({error.name})))
    if name == "clone":
        return Function(Sig(name, base, "", (), (), (Con("&", (base,)),), base), None)
    return None


def _associated_constant(s: Solver, head: Head, name: str) -> Meaning | None:
    for info in s.index.impls(head):
        const = info.consts.get(name)
        if const is not None and const.type is not None:
            return Constant(s.own(s.converter.type(const.type, info.scope)))
    return None


def _variant(s: Solver, base: Con, variant: Variant) -> Meaning:
    sig = s.index.constructor(variant)
    if variant.shape == "tuple":
        return Function(sig, base, True)
    return Constant(base)


def _api_variant(s: Solver, base: Con, head: str, name: str) -> Meaning | None:
    known = s.lookup.api.type(head)
    variant = known.variants.get(name) if known is not None else None
    if known is None or variant is None:
        return None
    if not variant.fields:
        return Constant(base)
    names = tuple(g.name for g in known.generics if g.sort != "backend")
    params = tuple(s.lookup.compiler.type(f.term, "") for f in variant.fields)
    result = s.lookup.compiler.type(known.term, "")
    return Function(Sig(name, None, "", (), names, params, result), base, True)
