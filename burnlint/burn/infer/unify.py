"""Unification: makes two types equal as far as they are known, and notes where code that compiles would
contradict.

Equality and coercion are told apart as rustc does: at a `let` with a type, an argument, a field, an
assignment or a result, a value may be reborrowed, dereferenced, unsized, or never arrive. What burnlint does
not know stays open: see `model.Var`.
"""

from __future__ import annotations

from collections.abc import Callable

from burnlint.burn.infer.model import (
    COERCED,
    FLOATS,
    INTEGERS,
    NEVER,
    REFS,
    UNKNOWN,
    Con,
    Gen,
    Mode,
    Projection,
    Type,
    Var,
    atom,
    prune,
)
from burnlint.rust.items import Item

_OF_BACKENDS = frozenset(
    {
        "Device",
        "FloatElem",
        "IntElem",
        "BoolElem",
        "FloatTensorPrimitive",
        "IntTensorPrimitive",
        "BoolTensorPrimitive",
        "QuantizedTensorPrimitive",
    }
)
_OPAQUE = frozenset({"impl", "dyn", "!", "fn", "Iter", "Future", "ParseError"})
"""What stands for many types."""


class Unifier:
    """The variables of one body. `place` is the id of the expression at work, for contradictions."""

    __slots__ = ("bound", "contradictions", "hard_modes", "met", "modes", "place", "project", "settle")

    def __init__(
        self,
        hard_modes: bool,
        project: Callable[[Projection, Type], Type],
        settle: Callable[[Type], Type] = prune,
    ) -> None:
        self.project = project
        """Reduces an associated type."""
        self.settle = settle
        """Gives an open type what anything that waits can tell of it: rustc does so before each coercion."""
        self.hard_modes = hard_modes
        """Up to burn 0.21 the mode is part of the type, so that types that meet have one mode."""
        self.modes: list[Mode] = []
        self.place = -1
        self.met = 0
        """How often two known types met."""
        self.bound = 0
        """How many variables were bound."""
        self.contradictions: list[tuple[int, Type, Type]] = []

    def mode(self, value: str | None = None) -> Mode:
        """A new mode."""
        node = Mode(value)
        self.modes.append(node)
        return node

    def unify(self, a: Type, b: Type) -> None:
        """Make two types equal. What contradicts is noted and left."""
        a, b = prune(a), prune(b)
        if a is b:
            return
        if isinstance(a, Var):
            self._bind(a, b)
        elif isinstance(b, Var):
            self._bind(b, a)
        elif isinstance(a, Con) and isinstance(b, Con):
            self._unify_cons(a, b)
        elif not isinstance(a, Gen) or not isinstance(b, Gen):
            if not self._may_differ(a, b):
                self.contradictions.append((self.place, a, b))
        elif a.name != b.name and "Self" not in (a.name, b.name):
            # In a trait of backends `Self` is a backend too.
            self.contradictions.append((self.place, a, b))

    def _unify_cons(self, a: Con, b: Con) -> None:
        self.met += 1
        if a.head != b.head or len(a.args) != len(b.args):
            if not self._may_differ(a, b):
                self.contradictions.append((self.place, a, b))
            return
        for x, y in zip(a.args, b.args, strict=True):
            if x is not y:
                self.unify(x, y)
        if a.mode is not None and b.mode is not None:
            self.unify_modes(a.mode, b.mode)

    def _may_differ(self, a: Type, b: Type) -> bool:
        """Types that may meet although they look different: opaque ones, projections, what diverges, and
        types of other crates (which may be aliases). Up to burn 0.21 `Device`, `FloatElem` and so on stand
        for those of any backend."""
        for type in (a, b):
            if isinstance(type, Con):
                head = type.head
                if isinstance(head, Projection) or head in _OPAQUE:
                    return True
                if isinstance(head, str) and ("::" in head or (self.hard_modes and head in _OF_BACKENDS)):
                    return True
        if isinstance(a, Con) and isinstance(b, Con) and isinstance(a.head, Item) != isinstance(b.head, Item):
            # In burn's own crates a type is both of the workspace and of burn.
            return _name(a) == _name(b)
        return False

    def unify_modes(self, a: Mode | str, b: Mode | str) -> None:
        if not isinstance(a, Mode) or not isinstance(b, Mode):
            return
        a, b = a.find(), b.find()
        if a is b:
            return
        b.up = a
        if a.value is None:
            a.value = b.value
        elif b.value is not None and a.value != b.value:
            a.value = UNKNOWN
        if b.parts:
            a.parts = [*(a.parts or ()), *b.parts]

    def _bind(self, var: Var, type: Type) -> None:
        if isinstance(type, Var):
            other: Var = type
            if var.sort and not other.sort:
                var, other = other, var
            elif var.sort != other.sort and other.sort:
                return
            var.to = other
            self.bound += 1
            if var.why and not other.why:
                other.why = var.why
            return
        if var.sort and not (
            isinstance(type, Con) and type.head in (INTEGERS if var.sort == "int" else FLOATS)
        ):
            return
        if isinstance(type, Con) and not type.ground and self._occurs(var, type):
            return
        var.to = type
        self.bound += 1

    def _occurs(self, var: Var, type: Con) -> bool:
        stack: list[Type] = list(type.args)
        while stack:
            top = prune(stack.pop())
            if top is var:
                return True
            if isinstance(top, Con) and not top.ground:
                stack.extend(top.args)
        return False

    def coerce(self, got: Type, want: Type) -> None:
        """A value of type `got` goes where `want` is asked for."""
        got, want = prune(got), prune(want)
        if got is want:
            return
        if isinstance(got, Var) and isinstance(want, Con) and not got.sort:
            got = self.settle(got)
        if isinstance(got, Con) and isinstance(want, Con):
            g, w = got.head, want.head
            if g == "!":
                return
            if g in REFS and w in REFS:
                self._coerce_target(self.settle(got.args[0]), want.args[0])
                return
            if (g == "Box" and w == "Box") or (g == "Rc" and w == "Rc") or (g == "Arc" and w == "Arc"):
                self._coerce_target(got.args[0], want.args[0])
                return
            if g in REFS and w not in REFS and not self._may_differ(got, want):
                self.contradictions.append((self.place, got, want))
                return
        elif isinstance(want, Var):
            if got is NEVER or (want.why and isinstance(got, Con) and got.head in COERCED):
                return
        elif isinstance(got, Var) and got.why and isinstance(want, Con) and want.head in COERCED:
            return
        self.unify(got, want)

    def _coerce_target(self, got: Type, want: Type) -> None:
        """Behind a reference or smart pointer: what deref coercion and unsizing allow."""
        for _ in range(4):
            got, want = prune(got), prune(want)
            if isinstance(want, Con) and want.head in ("dyn", "impl"):
                return
            if not isinstance(got, Con) or not isinstance(want, Con):
                break
            g, w = got.head, want.head
            if g == w:
                break
            if w == "[]" and g in ("Vec", "[;]"):
                self.unify(got.args[0], want.args[0])
                return
            if g in ("Box", "Rc", "Arc", "Param", "&", "&mut") and got.args:
                got = got.args[0]
                continue
            return
        if (isinstance(got, Var) and got.why) or (isinstance(want, Var) and want.why):
            return
        self.unify(got, want)


def _name(con: Con) -> str:
    head = con.head
    return head.name if isinstance(head, Item | Projection) else str(head).rpartition("::")[2]


def default_numbers(variables: list[Var]) -> None:
    """Give number literals that nothing decided the types that rustc falls back to."""
    for var in variables:
        end = prune(var)
        if isinstance(end, Var) and end.sort and not end.why:
            end.to = atom("i32" if end.sort == "int" else "f64")
