"""Types of expressions without branches: literals, places, aggregates, casts, macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import (
    BOOL,
    CHAR,
    FLOATS,
    INTEGERS,
    REFS,
    STR,
    UNIT,
    USIZE,
    Con,
    Projection,
    Type,
    Var,
    atom,
    prune,
    ref,
)
from burnlint.burn.infer.templates import substitute
from burnlint.rust import digits, hir
from burnlint.rust.items import Struct

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_STR_REF = ref(STR)
_LITERALS = {"str": _STR_REF, "bool": BOOL, "char": CHAR, "unit": UNIT}
_RANGES = {
    (True, True, False): "Range",
    (True, True, True): "RangeInclusive",
    (True, False, False): "RangeFrom",
    (False, True, False): "RangeTo",
    (False, True, True): "RangeToInclusive",
}


def literal(s: Solver, e: hir.Literal, want: Type | None) -> Type:
    kind = e.kind
    if kind == "int" or kind == "float":
        if e.suffix:
            return atom(e.suffix)
        wanted = prune(want) if want is not None else None
        if isinstance(wanted, Con) and wanted.head in (INTEGERS if kind == "int" else FLOATS):
            return wanted
        return s.number(kind)
    return _LITERALS.get(kind) or Var(f"{kind} literal")


def field(s: Solver, e: hir.Field, want: Type | None) -> Type:
    base = s.check(e.base)
    found = field_of(s, base, e.name)
    if found is not None:
        return found
    return s.awaited(lambda: field_of(s, base, e.name), Var(f"field {e.name} of an unknown value"))


def field_of(s: Solver, base: Type, name: str) -> Type | None:
    """The type of a field, through references and Deref; None while the base is open."""
    step = s.known(base)
    for _ in range(8):
        if isinstance(step, Var):
            return None
        if not isinstance(step, Con):
            return Var("field of a generic")
        head = step.head
        if head == "()" and name.isdecimal():
            at = digits.number(name)
            return (
                step.args[at] if at is not None and at < len(step.args) else Var("tuple without that field")
            )
        if isinstance(head, Struct):
            fields = s.lookup.fields(head)
            template = fields.types.get(name)
            if template is not None:
                env = dict(zip(fields.names, step.args, strict=False))
                modes = (
                    {fields.modes[0]: step.mode}
                    if fields.modes and not isinstance(step.mode, str | None)
                    else {}
                )
                return substitute(template, env, s.field_modes(modes), s.unifier)
        elif isinstance(head, str) and s.resolver.is_api_type(head):
            found = _api_field(s, step, head, name)
            if found is not None:
                return found
        target = s.lookup.deref(step, s)
        if target is None:
            return Var(f"field of {_sort(s, step)}")
        step = s.known(target)
    return Var("too many derefs")


def _api_field(s: Solver, step: Con, head: str, name: str) -> Type | None:
    known = s.lookup.api.type(head)
    each = known.fields.get(name) if known is not None else None
    if known is None or each is None:
        return None
    return s.of_api(each.term, known.generics, step)


def _sort(s: Solver, con: Con) -> str:
    head = con.head
    if isinstance(head, str):
        return (
            "a burn type that has no such public field" if s.resolver.is_api_type(head) else "a foreign type"
        )
    return "a type of the workspace that has no such field"


def index(s: Solver, e: hir.Index, want: Type | None) -> Type:
    base = s.check(e.base)
    at = s.check(e.index)
    found = _indexed(s, base, at)
    if found is not None:
        return found
    s.undecided(at)
    return s.awaited(lambda: _indexed(s, base, at), Var("index of an unknown value"))


def _indexed(s: Solver, base: Type, at: Type) -> Type | None:
    step = s.known(base)
    for _ in range(8):
        if isinstance(step, Var):
            return None
        if not isinstance(step, Con):
            return Var("index of a generic")
        head = step.head
        if head in ("[;]", "[]", "Vec", "VecDeque"):
            key = prune(at)
            if isinstance(key, Var) and not key.sort:
                return None
            if isinstance(key, Con) and isinstance(key.head, str) and key.head.startswith("Range"):
                for end in key.args:
                    s.unify(end, USIZE)
                return Con("[]", (step.args[0],))
            s.unify(key, USIZE)
            return step.args[0]
        if head in ("HashMap", "BTreeMap"):
            return step.args[1]
        if head in ("String", "str"):
            return STR
        if head not in REFS:
            output = s.project(Projection("Index", "Output"), step)
            if output is not None:
                return output
            if head == "Shape":
                key = prune(at)
                if isinstance(key, Con) and str(key.head).startswith("Range"):
                    for end in key.args:
                        s.unify(end, USIZE)
                    return Con("[]", (USIZE,))
                s.unify(key, USIZE)
                return USIZE
        target = s.lookup.deref(step, s)
        if target is None:
            return Var(f"index of {_sort(s, step)}")
        step = s.known(target)
    return Var("too many derefs")


def deref(s: Solver, e: hir.Deref, want: Type | None) -> Type:
    base = s.check(e.operand)
    type = s.known(base)
    if isinstance(type, Con):
        target = s.lookup.deref(type, s)
        return target if target is not None else Var("deref of a type that is not known to deref")
    made = Var("deref of an unknown value")

    def reach() -> bool:
        late = prune(base)
        if not isinstance(late, Con):
            return False
        target = s.lookup.deref(late, s)
        if target is not None:
            s.unify(made, target)
        return True

    s.goals.append(reach)
    return made


def reference(s: Solver, e: hir.Ref, want: Type | None) -> Type:
    inner: Type | None = None
    if want is not None:
        wanted = prune(want)
        if isinstance(wanted, Con) and wanted.head in REFS:
            inner = wanted.args[0]
    return Con("&mut" if e.mutable else "&", (s.check(e.operand, inner),))


def tuple_(s: Solver, e: hir.Tuple, want: Type | None) -> Type:
    if not e.items:
        return UNIT
    wanted = prune(want) if want is not None else None
    hints: tuple[Type, ...] = ()
    if isinstance(wanted, Con) and wanted.head == "()" and len(wanted.args) == len(e.items):
        hints = wanted.args
    made = []
    for at, item in enumerate(e.items):
        if hints:
            got = s.check(item, hints[at])
            hint = prune(hints[at])
            # An element is a coercion site of its own.
            if isinstance(hint, Con) and hint.head in ("&", "&mut", "Box", "dyn"):
                s.coerce(got, hint)
                got = hint
            made.append(got)
        else:
            made.append(s.check(item))
    return Con("()", tuple(made))


def _element(want: Type | None) -> Type | None:
    wanted = prune(want) if want is not None else None
    if isinstance(wanted, Con) and wanted.head in ("[;]", "[]"):
        return prune(wanted.args[0])
    return None


def array(s: Solver, e: hir.Array, want: Type | None) -> Type:
    element = _element(want)
    if isinstance(element, Var) and element.to is None:
        element = None
    made: Type = element if element is not None else Var()
    row: Type | None = None
    kind = ""
    for item in e.items:
        number = isinstance(item, hir.Literal) and not item.suffix and item.kind in ("int", "float")
        if number and row is not None and item.kind == kind:  # type: ignore[attr-defined]
            # One type for a row of numbers, as unification would find.
            s.types[item.id] = row
            continue
        got = s.check(item, made)
        s.coerce(got, made)
        if isinstance(item, hir.Literal) and number:
            row, kind = got, item.kind
    return Con("[;]", (made, atom(len(e.items))))


def repeat(s: Solver, e: hir.Repeat, want: Type | None) -> Type:
    item = s.check(e.item, _element(want))
    s.check(e.length, USIZE)
    length = e.length
    size: Type
    if isinstance(length, hir.Literal) and length.kind == "int":
        size = s.converter.constant(length.text, s.scope)
    elif isinstance(length, hir.PathExpr):
        size = s.converter.constant(str(length.path), s.scope)
        size = substitute(size, {}, {}, s.unifier)
    else:
        size = Var("array length that is computed")
    return Con("[;]", (item, size))


def range_(s: Solver, e: hir.Range, want: Type | None) -> Type:
    if e.low is None and e.high is None:
        return atom("RangeFull")
    wanted = prune(want) if want is not None else None
    bound: Type = Var()
    if (
        isinstance(wanted, Con)
        and isinstance(wanted.head, str)
        and wanted.head.startswith("Range")
        and wanted.args
    ):
        bound = wanted.args[0]
    for end in (e.low, e.high):
        if end is not None:
            s.unify(s.check(end, bound), bound)
    name = _RANGES.get((e.low is not None, e.high is not None, e.inclusive), "Range")
    return Con(name, (bound,))


def cast(s: Solver, e: hir.Cast, want: Type | None) -> Type:
    s.check(e.operand)
    return s.written(e.type)


def unknown(s: Solver, e: hir.Unknown, want: Type | None) -> Type:
    for arg in e.args:
        s.undecided(s.check(arg))
    return Var(e.why)


HANDLERS = {
    hir.Literal: literal,
    hir.Field: field,
    hir.Index: index,
    hir.Deref: deref,
    hir.Ref: reference,
    hir.Tuple: tuple_,
    hir.Array: array,
    hir.Repeat: repeat,
    hir.Range: range_,
    hir.Cast: cast,
    hir.Unknown: unknown,
}
