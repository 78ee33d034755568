"""Type terms: the one notation in which burnlint speaks of Rust and burn types, with its parser and printer.

Both styles of burn's API are written alike, in the spelling of burn 0.22: no backend parameter, and a tensor
always with rank and kind (`Tensor<B, 2>` of burn 0.21 and `Tensor<2>` of 0.22 are both `Tensor<2,Float>`).

Grammar (`parse` reads it, `show` writes it, and `parse(show(t), names) == t`)::

    term    = "Tensor<" term "," term ">"          Tensor: rank, kind
            | "Inner<" term ">"                    Inner: without autodiff (`B::InnerBackend` up to 0.21)
            | "Autodiff<" term ">"                 Autodiff: with autodiff, the reverse of Inner
            | name [ "<" arg { "," arg } ">" ]     Generic if the name is a generic in scope, else Named
            | "<" term ["as" name] ">::" name      Assoc: an associated type that is not reduced
            | name "::" name                       Assoc of a generic in scope, short for "<name>::name"
            | "&" ["mut"] term                     Ref
            | "(" [ term { "," term } ] ")"        Tuple, "()" is the unit type
            | "[" term "]"                         Slice
            | "[" term ";" term "]"                Array: element, length
            | ("fn"|"Fn"|"FnMut"|"FnOnce") "(" [ term { "," term } ] ")" [ "->" term ]     Fn
            | "impl" bound { "+" bound }           Impl
            | "dyn" bound { "+" bound }            Dyn
            | integer | "{" text "}"               Const: a literal, or a constant expression kept as text
            | "?{" text "}"                        Opaque: outside this grammar (a raw pointer), kept as text
    arg     = term | name "=" term                 the latter is a Binding: `Iterator<Item=T>`
    bound   = a term; `Fn(A)->B` or a trait as Named

Where a rank stands there is a `Const(2)`, a `Generic("D")` or a `Const("{...}")`; where a kind stands there
is `Named("Float")`, `Named("Int")`, `Named("Bool")` or a `Generic("K")`. So one substitution serves types,
ranks and kinds. Lifetimes are left out. `Self` is written out as the type of its impl; in traits it is
`Generic("Self")`. Names of burn's types are keys of `burnlint.burn.api.Api.type`; other names (`Vec`, `f32`)
are the last segment of their path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias, overload

if TYPE_CHECKING:
    from burnlint.rust.items import Item


class _Node:
    """Base of all terms: equality, hash and text by class and fields. Terms are never changed once made.

    Written out instead of dataclasses, whose making costs a start of burnlint a millisecond per class.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), *self._fields()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._fields()))})"


class Tensor(_Node):
    """A tensor of burn; the rank is a Const or Generic, the kind a Named or Generic (from inference: or Unknown).

    `mode` is "autodiff", "plain", or "" where it is not known or not said.
    """

    __match_args__ = ("rank", "kind", "mode")
    __slots__ = __match_args__

    def __init__(self, rank: Term, kind: Term, mode: str = "") -> None:
        self.rank = rank
        self.kind = kind
        self.mode = mode


class Named(_Node):
    """A named type with its arguments, or a trait where a bound stands; `mode` as in Tensor, for modules and devices."""

    __match_args__ = ("name", "args", "mode")
    __slots__ = __match_args__

    def __init__(self, name: str, args: tuple[Term, ...] = (), mode: str = "") -> None:
        self.name = name
        self.args = args
        self.mode = mode


class Declared(_Node):
    """A struct, enum or trait of the workspace with its arguments (no backends); `mode` as in Tensor, for modules."""

    __match_args__ = ("item", "args", "mode")
    __slots__ = __match_args__

    def __init__(self, item: Item, args: tuple[Term, ...] = (), mode: str = "") -> None:
        self.item = item
        self.args = args
        self.mode = mode


class Generic(_Node):
    """A generic (type or const) of the signature, impl or type at hand."""

    __match_args__ = ("name",)
    __slots__ = __match_args__

    def __init__(self, name: str) -> None:
        self.name = name


class Const(_Node):
    """A constant argument: an integer, or the text of an expression that was not evaluated."""

    __match_args__ = ("value",)
    __slots__ = __match_args__

    def __init__(self, value: int | str) -> None:
        self.value = value


class Ref(_Node):
    """A reference."""

    __match_args__ = ("mutable", "target")
    __slots__ = __match_args__

    def __init__(self, mutable: bool, target: Term) -> None:
        self.mutable = mutable
        self.target = target


class Tuple(_Node):
    """A tuple; `Tuple()` is the unit type."""

    __match_args__ = ("items",)
    __slots__ = __match_args__

    def __init__(self, items: tuple[Term, ...] = ()) -> None:
        self.items = items


class Array(_Node):
    """An array with its length, which may be a Generic."""

    __match_args__ = ("element", "length")
    __slots__ = __match_args__

    def __init__(self, element: Term, length: Term) -> None:
        self.element = element
        self.length = length


class Slice(_Node):
    """A slice."""

    __match_args__ = ("element",)
    __slots__ = __match_args__

    def __init__(self, element: Term) -> None:
        self.element = element


class Fn(_Node):
    """A function pointer (`flavor` is "fn") or one of the closure traits."""

    __match_args__ = ("flavor", "params", "result")
    __slots__ = __match_args__

    def __init__(self, flavor: str, params: tuple[Term, ...], result: Term) -> None:
        self.flavor = flavor
        self.params = params
        self.result = result


class Impl(_Node):
    """`impl A + B` in a parameter or result."""

    __match_args__ = ("bounds",)
    __slots__ = __match_args__

    def __init__(self, bounds: tuple[Term, ...]) -> None:
        self.bounds = bounds


class Dyn(_Node):
    """`dyn A + B`."""

    __match_args__ = ("bounds",)
    __slots__ = __match_args__

    def __init__(self, bounds: tuple[Term, ...]) -> None:
        self.bounds = bounds


class Inner(_Node):
    """The same type without autodiff: what `valid`, `inner` and `grad` give."""

    __match_args__ = ("of",)
    __slots__ = __match_args__

    def __init__(self, of: Term) -> None:
        self.of = of


class Autodiff(_Node):
    """The same type with autodiff: what `train` gives."""

    __match_args__ = ("of",)
    __slots__ = __match_args__

    def __init__(self, of: Term) -> None:
        self.of = of


class Assoc(_Node):
    """An associated type that could not be reduced: `<of as trait>::name`; the trait may be empty."""

    __match_args__ = ("of", "trait", "name")
    __slots__ = __match_args__

    def __init__(self, of: Term, trait: str, name: str) -> None:
        self.of = of
        self.trait = trait
        self.name = name


class Binding(_Node):
    """`Item=T` among the arguments of a bound."""

    __match_args__ = ("name", "value")
    __slots__ = __match_args__

    def __init__(self, name: str, value: Term) -> None:
        self.name = name
        self.value = value


class Opaque(_Node):
    """What this grammar cannot say; the source text for people."""

    __match_args__ = ("text",)
    __slots__ = __match_args__

    def __init__(self, text: str) -> None:
        self.text = text


class Unknown(_Node):
    """A type, rank or kind that inference does not know, and why."""

    __match_args__ = ("why",)
    __slots__ = __match_args__

    def __init__(self, why: str) -> None:
        self.why = why


Term: TypeAlias = (
    Tensor
    | Named
    | Generic
    | Const
    | Ref
    | Tuple
    | Array
    | Slice
    | Fn
    | Impl
    | Dyn
    | Inner
    | Autodiff
    | Assoc
    | Binding
    | Opaque
    | Declared
    | Unknown
)

UNIT = Tuple()
FLOAT, INT, BOOL = Named("Float"), Named("Int"), Named("Bool")
FN_FLAVORS = frozenset({"fn", "Fn", "FnMut", "FnOnce"})

_TOKEN = re.compile(r"\s*(\?\{[^}]*\}|\{[^}]*\}|->|::|\w+!?|\S)")


class TermError(ValueError):
    """Text that is not in the grammar of this module."""


class Reader:
    """Reads terms from a token stream; `generics` are the names that stand for generics.

    A parser of something larger (a signature) shares the stream through `peek`, `take` and `expect`.
    """

    __slots__ = ("_at", "_tokens", "generics", "text")

    def __init__(self, text: str, generics: Collection[str] = ()) -> None:
        self.text = text
        self.generics = generics
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def peek(self, ahead: int = 0) -> str:
        """The next token, or "" at the end."""
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else ""

    def take(self, token: str) -> bool:
        """Step over the token if it is next."""
        if self.peek() == token:
            self._at += 1
            return True
        return False

    def next(self) -> str:
        """The next token, stepped over; raises TermError at the end."""
        token = self.peek()
        if not token:
            raise TermError(f"unexpected end of {self.text!r}")
        self._at += 1
        return token

    def expect(self, token: str) -> None:
        """Step over the token; raises TermError if another one is next."""
        if not self.take(token):
            raise TermError(f"expected {token!r}, found {self.peek()!r} in {self.text!r}")

    def items(self, close: str) -> tuple[Term, ...]:
        """Terms divided by commas up to the closing token, which is stepped over."""
        out = []
        while not self.take(close):
            out.append(self.term())
            if not self.take(","):
                self.expect(close)
                break
        return tuple(out)

    def bounds(self) -> tuple[Term, ...]:
        """One or more bounds divided by `+`."""
        out = [self.term()]
        while self.take("+"):
            out.append(self.term())
        return tuple(out)

    def term(self) -> Term:
        """The next term; raises TermError where the text leaves the grammar."""
        token = self.next()
        if token == "&":
            return Ref(self.take("mut"), self.term())
        if token == "(":
            return Tuple(self.items(")"))
        if token == "[":
            element = self.term()
            if self.take(";"):
                length = self.term()
                self.expect("]")
                return Array(element, length)
            self.expect("]")
            return Slice(element)
        if token == "<":
            return self._qualified()
        if token == "impl":
            return Impl(self.bounds())
        if token == "dyn":
            return Dyn(self.bounds())
        if token[0] == "{":
            return Const(token[1:-1])
        if token[0] == "?" and len(token) > 1:
            return Opaque(token[2:-1])
        if token.isdecimal():
            return Const(int(token))
        if token in FN_FLAVORS and self.take("("):
            params = self.items(")")
            return Fn(token, params, self.term() if self.take("->") else UNIT)
        if token == "!" or token[0].isalpha() or token[0] == "_":
            return self._named(token)
        raise TermError(f"unexpected {token!r} in {self.text!r}")

    def _qualified(self) -> Term:
        of = self.term()
        trait = self.next() if self.take("as") else ""
        self.expect(">")
        self.expect("::")
        return Assoc(of, trait, self.next())

    def _named(self, name: str) -> Term:
        if name in self.generics:
            of: Term = Generic(name)
            while self.take("::"):
                of = Assoc(of, "", self.next())
            return of
        while self.take("::"):
            name += "::" + self.next()
        if self.take("="):
            return Binding(name, self.term())
        if not self.take("<"):
            return Named(name)
        args = self.items(">")
        if name == "Tensor" and len(args) == 2:
            return Tensor(args[0], args[1])
        if name == "Inner" and len(args) == 1:
            return Inner(*args)
        if name == "Autodiff" and len(args) == 1:
            return Autodiff(*args)
        return Named(name, args)


def parse(text: str, generics: Collection[str] = ()) -> Term:
    """The term that the text denotes; names in `generics` become Generic. Raises TermError."""
    reader = Reader(text, generics)
    term = reader.term()
    if reader.peek():
        raise TermError(f"unexpected {reader.peek()!r} after the end of a type in {text!r}")
    return term


def show(term: Term) -> str:
    """The term in the grammar above."""
    match term:
        case Unknown(why):
            return "?{" + why + "}"
        case Declared(item, args):
            return f"{item.name}<{_list(args)}>" if args else item.name
        case Tensor(rank, kind):
            return f"Tensor<{show(rank)},{show(kind)}>"
        case Named(name, args):
            return f"{name}<{_list(args)}>" if args else name
        case Generic(name):
            return name
        case Const(value):
            return str(value) if isinstance(value, int) else "{" + value + "}"
        case Ref(mutable, target):
            return ("&mut " if mutable else "&") + show(target)
        case Tuple(items):
            return f"({_list(items)})"
        case Array(element, length):
            return f"[{show(element)};{show(length)}]"
        case Slice(element):
            return f"[{show(element)}]"
        case Fn(flavor, params, result):
            return f"{flavor}({_list(params)})" + ("" if result == UNIT else f"->{show(result)}")
        case Impl(bounds):
            return "impl " + "+".join(map(show, bounds))
        case Dyn(bounds):
            return "dyn " + "+".join(map(show, bounds))
        case Inner(of):
            return f"Inner<{show(of)}>"
        case Autodiff(of):
            return f"Autodiff<{show(of)}>"
        case Assoc(of, trait, name):
            if not trait and isinstance(of, Generic):
                return f"{show(of)}::{name}"
            return f"<{show(of)} as {trait}>::{name}" if trait else f"<{show(of)}>::{name}"
        case Binding(name, value):
            return f"{name}={show(value)}"
        case Opaque(text):
            return "?{" + text + "}"


def _list(terms: tuple[Term, ...]) -> str:
    return ",".join(map(show, terms))


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly inside a term."""
    match term:
        case Tensor(rank, kind):
            return (rank, kind)
        case Named(_, args) | Declared(_, args):
            return args
        case Ref(_, one) | Slice(one) | Inner(one) | Autodiff(one) | Assoc(one, _, _) | Binding(_, one):
            return (one,)
        case Tuple(many) | Impl(many) | Dyn(many):
            return many
        case Array(element, length):
            return (element, length)
        case Fn(_, params, result):
            return (*params, result)
        case _:
            return ()


def rebuild(term: Term, change: Callable[[Term], Term]) -> Term:
    """The same term with `change` applied to the terms directly inside it."""
    match term:
        case Tensor(rank, kind, mode):
            return Tensor(change(rank), change(kind), mode)
        case Named(name, args, mode):
            return Named(name, tuple(map(change, args)), mode) if args else term
        case Declared(item, args, mode):
            return Declared(item, tuple(map(change, args)), mode) if args else term
        case Ref(mutable, target):
            return Ref(mutable, change(target))
        case Tuple(items):
            return Tuple(tuple(map(change, items))) if items else term
        case Array(element, length):
            return Array(change(element), change(length))
        case Slice(element):
            return Slice(change(element))
        case Fn(flavor, params, result):
            return Fn(flavor, tuple(map(change, params)), change(result))
        case Impl(bounds):
            return Impl(tuple(map(change, bounds)))
        case Dyn(bounds):
            return Dyn(tuple(map(change, bounds)))
        case Inner(of):
            return Inner(change(of))
        case Autodiff(of):
            return Autodiff(change(of))
        case Assoc(of, trait, name):
            return Assoc(change(of), trait, name)
        case Binding(name, value):
            return Binding(name, change(value))
        case _:
            return term


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with generics replaced by their values; generics without a value stay."""
    if isinstance(term, Generic):
        return values.get(term.name, term)
    return rebuild(term, lambda inside: substitute(inside, values))


@overload
def peel_refs(term: Term) -> Term: ...
@overload
def peel_refs(term: Term | None) -> Term | None: ...
def peel_refs(term: Term | None) -> Term | None:
    """What references refer to; any other term as it is."""
    while isinstance(term, Ref):
        term = term.target
    return term


def subterms(term: Term) -> Iterator[Term]:
    """The term and all terms inside it, outermost first."""
    stack = [term]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(children(top)))


def match(pattern: Term, term: Term, variables: Collection[str]) -> dict[str, Term] | None:
    """Values for the variables (names of generics) that make the pattern equal to the term, or None."""
    values: dict[str, Term] = {}
    todo = [(pattern, term)]
    while todo:
        left, right = todo.pop()
        if isinstance(left, Generic) and left.name in variables:
            if values.setdefault(left.name, right) != right:
                return None
            continue
        inside, outside = children(left), children(right)
        if type(left) is not type(right) or len(inside) != len(outside):
            return None
        if inside:
            if rebuild(left, lambda _: UNIT) != rebuild(right, lambda _: UNIT):
                return None
            todo.extend(zip(inside, outside, strict=True))
        elif left != right:
            return None
    return values
