"""Types while a body is being solved: constructor terms with variables, and modes.

A type is a `Con` (a constructor with arguments), a `Gen` (a generic: rigid inside its own body, replaced when
a signature is used elsewhere) or a `Var`. Ranks and kinds are types too: `Con(2)`, `Con("Float")`. Heads are

- a string: burn's types by their key in the API facts (`Tensor`, `Linear`), std's and primitive types by name
(`Vec`, `f32`), types of other crates by path (`ndarray::Array2`), and the built-in forms below;
- an integer (a const argument);
- a `Struct`, `Enum` or `Trait` of the workspace (`burnlint.rust.items`);
- a `Projection`: an associated type that was not reduced.

Built-in forms: `&` and `&mut` (one argument), `()` (a tuple), `[]` (a slice), `[;]` (an array: element,
length), `fn` (parameters, then the result), `impl` and `dyn` (their bounds), `!`, `Iter` (any iterator of
std: its item), `Future` (its output).
"""

from __future__ import annotations

from typing import TypeAlias

from burnlint.rust.items import Item

AUTODIFF, PLAIN, UNKNOWN = "autodiff", "plain", "unknown"


class Projection:
    """The head of `<T as Trait>::Name`; the trait may be left open."""

    __slots__ = ("name", "trait")

    def __init__(self, trait: Head | None, name: str) -> None:
        self.trait = trait
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Projection) and self.trait == other.trait and self.name == other.name

    def __hash__(self) -> int:
        return hash((self.trait, self.name))


Head: TypeAlias = str | int | Item | Projection


class Mode:
    """Whether autodiff records what is done with a tensor or module: a node of equations that are solved at
    the end.

    `value` is None (nothing known yet), `autodiff`, `plain`, `unknown`, or the name of a generic backend.
    `parts` are the alternatives that flow in: each a tuple of modes of which one that records makes the
    result record.
    """

    __slots__ = ("parts", "up", "value")

    def __init__(self, value: str | None = None) -> None:
        self.up: Mode | None = None
        self.value = value
        self.parts: list[tuple[Mode, ...]] | None = None

    def find(self) -> Mode:
        """The representative of this mode's class."""
        node = self
        while node.up is not None:
            node = node.up
        return node


class Con:
    """A constructor applied to arguments. `mode` is set on tensors, modules and devices: a `Mode` in a body;
    in a template the name of a generic backend, `autodiff`, `plain`, `unknown`, or "" for one of its own each
    time. `ground`: nothing inside can change."""

    __slots__ = ("args", "ground", "head", "mode")
    ground: bool

    def __init__(self, head: Head, args: tuple[Type, ...] = (), mode: Mode | str | None = None) -> None:
        self.head = head
        self.args = args
        self.mode = mode
        ground: bool = mode is None
        if ground:
            for arg in args:
                if not isinstance(arg, Con) or not arg.ground:
                    ground = False
                    break
        self.ground = ground

    def __repr__(self) -> str:
        head = self.head if isinstance(self.head, str | int) else self.head.name
        return f"{head}<{', '.join(map(repr, self.args))}>" if self.args else str(head)


class Gen:
    """A generic by name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"'{self.name}"


class Var:
    """A type to be found. `sort` is "", or "int" or "float" for a number literal without suffix.

    `why` is set when burnlint does not know what rustc knows here, and names the cause; then only types that
    no coercion makes may be learnt from the use of a value. A Var without `why` is one that rustc has to find
    by the same uses.
    """

    __slots__ = ("sort", "to", "why")

    def __init__(self, why: str = "", sort: str = "") -> None:
        self.to: Type | None = None
        self.why = why
        self.sort = sort

    def __repr__(self) -> str:
        return repr(self.to) if self.to is not None else f"?{self.why or self.sort}"


Type: TypeAlias = Con | Gen | Var

_ATOMS: dict[Head, Con] = {}


def atom(head: Head) -> Con:
    """The one type with this head and without arguments."""
    found = _ATOMS.get(head)
    if found is None:
        found = _ATOMS[head] = Con(head)
    return found


UNIT, NEVER, BOOL, STR = atom("()"), atom("!"), atom("bool"), atom("str")
USIZE, STRING, CHAR = atom("usize"), atom("String"), atom("char")
INTEGERS = frozenset({"i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"})
FLOATS = frozenset({"f32", "f64", "f16", "bf16"})
NUMBERS = INTEGERS | FLOATS
REFS = frozenset({"&", "&mut"})
COERCED = frozenset({"&", "&mut", "Box", "Rc", "Arc", "fn", "dyn", "impl", "!", "[;]", "[]"})
"""Heads of types that a coercion site may change into another, or that come from one."""


def prune(type: Type) -> Type:
    """The type with bound variables at its top followed."""
    while isinstance(type, Var):
        to = type.to
        if to is None:
            return type
        type = to
    return type


def ref(target: Type, mutable: bool = False) -> Con:
    return Con("&mut" if mutable else "&", (target,))


def fn_type(params: tuple[Type, ...], result: Type) -> Con:
    return Con("fn", (*params, result))
