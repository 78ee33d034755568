"""Types of operators: tensors by burn's impls, numbers by rustc's rule, the workspace's types by their
impls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import (
    BOOL,
    INTEGERS,
    NUMBERS,
    STRING,
    UNIT,
    Con,
    Gen,
    Mode,
    Projection,
    Type,
    Var,
    atom,
    prune,
)
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

TRAITS = {
    "+": "Add",
    "-": "Sub",
    "*": "Mul",
    "/": "Div",
    "%": "Rem",
    "&": "BitAnd",
    "|": "BitOr",
    "^": "BitXor",
    "<<": "Shl",
    ">>": "Shr",
}
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_ROWS = frozenset({"[;]", "[]", "Vec", "VecDeque"})
_BY_PARTS = frozenset({"()", "Option", "Result", "HashMap", "BTreeMap", "HashSet", "BTreeSet", "Box"})
_TIMES: dict[tuple[str, str, str], str] = {
    ("Instant", "-", "Instant"): "Duration",
    ("Instant", "-", "Duration"): "Instant",
    ("Instant", "+", "Duration"): "Instant",
    ("Duration", "-", "Duration"): "Duration",
    ("Duration", "+", "Duration"): "Duration",
}


def binary(s: Solver, e: hir.Binary, want: Type | None) -> Type:
    op = e.op
    if op in ("&&", "||"):
        s.check(e.left, BOOL)
        s.check(e.right, BOOL)
        return BOOL
    left = s.check(e.left)
    right = s.check(e.right)
    if op in _COMPARISONS:
        compare(s, left, right)
        return BOOL
    found = combine(s, op, left, right)
    if found is not None:
        return found
    s.waiting.extend((left, right))
    return s.awaited(lambda: combine(s, op, left, right), Var(f"operator {op} on an unknown value"))


def compare(s: Solver, left: Type, right: Type) -> None:
    """`left == right`, and what `assert_eq!` compares: numbers are of one type on both sides, also inside of
    arrays, tuples and what else compares by its parts."""
    if not _alike(s, left, right):
        s.goals.append(lambda: _alike(s, left, right))
        s.waiting.extend((left, right))


def _alike(s: Solver, left: Type, right: Type) -> bool:
    a, b = _bare(left), _bare(right)
    if _numeric(a) and _numeric(b):
        s.unify(a, b)
    elif isinstance(a, Var) or isinstance(b, Var):
        return False
    elif isinstance(a, Con) and isinstance(b, Con):
        if a.head in _ROWS and b.head in _ROWS:
            return _alike(s, a.args[0], b.args[0])
        if a.head == b.head and a.head in _BY_PARTS and len(a.args) == len(b.args):
            reached = [_alike(s, x, y) for x, y in zip(a.args, b.args, strict=True)]
            return all(reached)
    return True


def _bare(type: Type) -> Type:
    type = prune(type)
    while isinstance(type, Con) and type.head in ("&", "&mut"):
        type = prune(type.args[0])
    return type


def _numeric(type: Type) -> bool:
    return bool(type.sort) if isinstance(type, Var) else isinstance(type, Con) and type.head in NUMBERS


def combine(s: Solver, op: str, left: Type, right: Type) -> Type | None:
    """The type of `left op right`; None while it is open."""
    a, b = s.peeled(left), s.peeled(right)
    if _is_tensor(a) or _is_tensor(b):
        return _tensors(s, op, a, b)
    if _numeric(a) and _numeric(b):
        if op not in ("<<", ">>"):
            s.unify(a, b)
        return a
    if isinstance(a, Var) or isinstance(b, Var):
        # A number times something open may still be a tensor.
        if isinstance(a, Con) and a.head not in NUMBERS and not isinstance(a.head, str):
            return _implemented(s, op, a, b)
        return None
    if a is BOOL and b is BOOL:
        return BOOL
    if isinstance(a, Con) and isinstance(b, Con) and isinstance(a.head, str) and isinstance(b.head, str):
        if a.head == "String":
            return STRING
        time = _TIMES.get((a.head, op, b.head))
        if time is not None:
            return atom(time)
        if a.head == "Duration" and b.head in INTEGERS and op in ("*", "/"):
            return a
    if isinstance(a, Con):
        return _implemented(s, op, a, b)
    return _of_generic(s, op, a) if isinstance(a, Gen) else Var(f"operator {op}")


def _is_tensor(type: Type) -> bool:
    return isinstance(type, Con) and type.head == "Tensor"


def _tensors(s: Solver, op: str, a: Type, b: Type) -> Type | None:
    """Burn's impls: tensor with tensor, tensor with scalar, and (from 0.18 on) scalar with tensor."""
    if isinstance(a, Con) and a.head == "Tensor":
        if isinstance(b, Con) and b.head == "Tensor":
            return _two_tensors(s, a, b)
        if isinstance(b, Var) and not b.sort:
            return _with_open_operand(s, op, a, b)
        return a
    if isinstance(a, Var) and not a.sort:
        return None
    return b


def _two_tensors(s: Solver, a: Con, b: Con) -> Con:
    s.unify(a.args[0], b.args[0])
    s.unify(a.args[1], b.args[1])
    return Con("Tensor", a.args, _either(s, a, b))


def _with_open_operand(s: Solver, op: str, a: Con, b: Var) -> Type | None:
    """A tensor with something open: a tensor like the left one, be the right one a tensor or a scalar."""
    if s.index.trait_impls("Tensor", TRAITS.get(op, op)):
        return None
    mode: Mode | str | None = a.mode
    if not s.resolver.old_style and isinstance(a.mode, Mode):
        mode = s.unifier.mode()

    def reach() -> bool:
        known = s.peeled(b)
        if isinstance(known, Var) and not known.sort:
            return False
        flows: tuple[Mode | str | None, ...] = (a.mode,)
        if isinstance(known, Con) and known.head == "Tensor":
            s.unify(a.args[0], known.args[0])
            s.unify(a.args[1], known.args[1])
            flows = (a.mode, known.mode)
            if s.resolver.old_style and a.mode is not None and known.mode is not None:
                s.unifier.unify_modes(a.mode, known.mode)
        if mode is not a.mode and isinstance(mode, Mode):
            mode.parts = [tuple(flow for flow in flows if isinstance(flow, Mode))]
        return True

    s.goals.append(reach)
    return Con("Tensor", a.args, mode)


def _either(s: Solver, a: Con, b: Con) -> Mode | str | None:
    if not isinstance(a.mode, Mode) or not isinstance(b.mode, Mode):
        return a.mode
    if s.resolver.old_style:
        s.unifier.unify_modes(a.mode, b.mode)
        return a.mode
    made = s.unifier.mode()
    made.parts = [(a.mode, b.mode)]
    return made


def _implemented(s: Solver, op: str, a: Con, b: Type) -> Type:
    """An operator that the workspace implements for its own type: known if one impl fits."""
    output = s.project(Projection(TRAITS.get(op, op), "Output"), a)
    return output if output is not None else Var(f"operator {op} of a type whose impl is not known")


def _of_generic(s: Solver, op: str, a: Gen) -> Type:
    trait = TRAITS.get(op, op)
    for bound in s.bounds(a.name):
        if bound.head == trait:
            for arg in bound.args:
                if isinstance(arg, Con) and arg.head == "=Output":
                    return arg.args[0]
    return Var(f"operator {op} of a generic")


def assign_op(s: Solver, e: hir.AssignOp, want: Type | None) -> Type:
    target = s.check(e.target)
    value = s.check(e.value)
    a, b = s.peeled(target), s.peeled(value)
    if _numeric(a) and _numeric(b) and e.op not in ("<<", ">>"):
        s.unify(a, b)
    return UNIT


def unary(s: Solver, e: hir.Unary, want: Type | None) -> Type:
    operand = s.check(e.operand, want)
    found = _negated(s, e.op, operand)
    if found is not None:
        return found
    return s.awaited(lambda: _negated(s, e.op, operand), Var(f"operator {e.op} on an unknown value"))


def _negated(s: Solver, op: str, operand: Type) -> Type | None:
    known = s.peeled(operand)
    if isinstance(known, Var):
        return known if known.sort else None
    if isinstance(known, Con):
        if known.head == "Tensor" or known.head in NUMBERS or known is BOOL:
            return known
        output = s.project(Projection("Neg" if op == "-" else "Not", "Output"), known)
        if output is not None:
            return output
    return Var(f"operator {op} of a type whose impl is not known")


HANDLERS = {hir.Binary: binary, hir.AssignOp: assign_op, hir.Unary: unary}
