"""What a type is to `derive(Module)`: whether it is a module, and what of a module is inside of it.

Every answer is yes, no or None (not known). What implements `Module` is read off burn's facts for the version
at hand; what a type of the workspace holds, off its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from burnlint.burn import terms
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Struct

if TYPE_CHECKING:
    from burnlint.burn.api import Api
    from burnlint.burn.infer.declared_types import DeclaredTypes
    from burnlint.burn.terms import Term
    from burnlint.rust.attributes import Attribute

PRIMITIVES = frozenset(
    """
    bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 String
    """.split()  # noqa: SIM905
)
"""burn-derive 0.22.1, src/module/codegen_struct.rs, `is_primitive_ident`."""
CONSTANT_CONTAINERS = frozenset(
    """
    Option Result Vec Box Arc Weak HashMap BTreeMap HashSet BTreeSet VecDeque LinkedList BinaryHeap PhantomData Cell
    RefCell Mutex RwLock
    """.split()  # noqa: SIM905
)
"""The same file, `is_constant_container`."""
_TRANSPARENT = frozenset({"Option", "Vec"})
"""Containers that are a module where what they hold is one (with arrays and tuples)."""
_SEE_THROUGH = frozenset(
    """
    Option Vec Box Arc Rc RefCell Mutex RwLock Cell HashMap BTreeMap VecDeque Result Ignored
    """.split()  # noqa: SIM905
)
"""Where a value of the argument's type is inside."""
_NOT_MODULES = frozenset(
    """
    HashMap BTreeMap HashSet BTreeSet VecDeque LinkedList BinaryHeap Box Arc Rc Weak Cell RefCell Mutex RwLock OnceLock
    OnceCell Result PathBuf Path Duration Instant SystemTime NonZero NonZeroUsize Range RangeInclusive Cow CString
    OsString Ordering AtomicBool AtomicUsize AtomicU64 AtomicI64 char u128 i128 str
    """.split()  # noqa: SIM905
)
"""Types of std that no version of burn makes modules."""
_PLAIN = PRIMITIVES | frozenset(
    """
    Option Vec HashMap BTreeMap HashSet BTreeSet VecDeque PathBuf Duration Instant Range
    """.split()  # noqa: SIM905
)
"""Types of std that are data, where their arguments are."""
PLAIN_ATTRIBUTES = frozenset(
    """
    derive cfg module config doc allow warn deny expect serde repr non_exhaustive must_use deprecated default
    """.split()  # noqa: SIM905
)
"""Attributes that add no item to what they stand on."""
_MAX_DEPTH = 12

Feature = Literal["parameter", "flag", "statistics", "tensor", "module", "linear", "layers"]


def is_primitive(expr: rt.TypeExpr, containers_only: bool) -> bool:
    """Whether the derive of burn 0.22 takes a field of that type, as written, for a constant.

    Up to 0.22.0 any type is one whose arguments all are; with `containers_only`, from 0.22.1 on, only the
    listed containers.
    """
    if isinstance(expr, rt.PathType):
        last = expr.path.segments[-1]
        if last.name in PRIMITIVES:
            return True
        if not last.args or last.bindings or (containers_only and last.name not in CONSTANT_CONTAINERS):
            return False
        return all(is_primitive(each, containers_only) for each in last.args)
    if isinstance(expr, rt.TupleType):
        return all(is_primitive(each, containers_only) for each in expr.items)
    if isinstance(expr, rt.ArrayType | rt.SliceType):
        return is_primitive(expr.item, containers_only)
    if isinstance(expr, rt.RefType):
        return is_primitive(expr.inner, containers_only)
    # A raw pointer is not told from what does not parse.
    return isinstance(expr, rt.UnknownType)


@lru_cache(maxsize=16)
def _module_heads(api: Api) -> frozenset[str]:
    return frozenset(
        each.receiver.name for each in api.implementations("Module") if isinstance(each.receiver, terms.Named)
    )


@dataclass(frozen=True, slots=True)
class Contents:
    """A type, with what is known of it as a part of a module."""

    term: Term | None
    api: Api
    declared: DeclaredTypes

    @property
    def is_module(self) -> bool | None:
        """Whether it implements burn's Module; None: not known."""
        return None if self.term is None else self._is_module(self.term, 0)

    def _is_module(self, term: Term, depth: int) -> bool | None:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(term, terms.Tensor):
            return True
        if isinstance(term, terms.Tuple):
            if not 2 <= len(term.items) <= 10:
                return False
            return _all(self._is_module(each, depth + 1) for each in term.items)
        if isinstance(term, terms.Array):
            return self._is_module(term.element, depth + 1)
        if isinstance(term, terms.Ref | terms.Fn):
            return False
        if isinstance(term, terms.Declared):
            return self._is_declared_module(term)
        if not isinstance(term, terms.Named):
            return None
        name = term.name
        if name in _TRANSPARENT:
            return self._is_module(term.args[0], depth + 1) if term.args else None
        if name in _module_heads(self.api):
            return True
        if name in _NOT_MODULES:
            return False
        if name == "PhantomData":
            return False if not self.api.backend_style else None
        known = self.api.type(name)
        if known is None or known.sort == "foreign" or not self.api.exact:
            return None
        return False

    def _is_declared_module(self, term: terms.Declared) -> bool | None:
        item = term.item
        if not isinstance(item, Struct | Enum):
            return None
        if item.derives("Module") or any(
            a.path not in PLAIN_ATTRIBUTES | {"cfg_attr"} for a in item.attributes
        ):
            return True if item.derives("Module") else None
        return self.declared.has_impl(item, "Module")

    @property
    def is_plain_data(self) -> bool:
        """Whether it is made of burn's own settings and of std's data that is `Clone`, `Debug` and `Send`, and of no
        tensor: what `#[module(skip)]` is for."""
        return self.term is not None and self._is_plain(self.term)

    def _is_plain(self, term: Term) -> bool:
        if isinstance(term, terms.Tuple):
            return all(map(self._is_plain, term.items))
        if isinstance(term, terms.Array):
            return self._is_plain(term.element)
        if not isinstance(term, terms.Named):
            return False
        if term.name in _PLAIN:
            return all(map(self._is_plain, term.args))
        known = self.api.type(term.name)
        if known is None or known.sort == "foreign" or term.args:
            return False
        return self.api.implements(term.name, "Clone") and not any(
            isinstance(each, terms.Tensor)
            for field in known.fields.values()
            for each in terms.subterms(field.term)
        )

    def holds(self, what: Feature, through: bool = True) -> bool | None:
        """Whether a value of the type certainly holds such a thing: a parameter, the training flag of
        Dropout, the running statistics of BatchNorm, a tensor at all, a module of burn or of the workspace, burn's
        Linear, a list of burn's layers.

        An enum holds what all of its variants hold; without `through`, types of the workspace are not looked
        into.
        """
        return None if self.term is None else self._holds(self.term, _TESTS[what], through, ())

    def _holds(
        self, term: Term, test: Callable[[Contents, Term], bool], through: bool, above: tuple[object, ...]
    ) -> bool | None:
        if test(self, term):
            return True
        if len(above) > _MAX_DEPTH:
            return None
        inner: Iterator[Term] = iter(())
        if isinstance(term, terms.Tuple):
            inner = iter(term.items)
        elif isinstance(term, terms.Array | terms.Slice):
            inner = iter((term.element,))
        elif isinstance(term, terms.Declared):
            return self._of_declared(term, test, above) if through and term.item not in above else None
        elif isinstance(term, terms.Named):
            if term.name in _SEE_THROUGH:
                inner = iter(term.args)
            elif term.name not in above and self.api.implements(term.name, "Module"):
                return self._of_burn(term.name, test, above)
        return _any(self._holds(each, test, through, above) for each in inner)

    def _of_declared(
        self, term: terms.Declared, test: Callable[[Contents, Term], bool], above: tuple[object, ...]
    ) -> bool | None:
        item = term.item
        if not isinstance(item, Struct | Enum) or not item.derives("Module"):
            return None
        around = (*above, item)
        if isinstance(item, Struct):
            hidden = {field.name for field in item.fields if _is_skipped(field.attributes)}
            fields = self.declared.fields(item)
            return _any(
                self._holds(each, test, True, around) for name, each in fields.items() if name not in hidden
            )
        answers = [
            _any(self._holds(each, test, True, around) for each in self.declared.fields(variant).values())
            for variant in item.variants
        ]
        return bool(answers) and _all(answers)

    def _of_burn(
        self, name: str, test: Callable[[Contents, Term], bool], above: tuple[object, ...]
    ) -> bool | None:
        known = self.api.type(name)
        if known is None:
            return None
        around = (*above, name)
        if known.variants:
            return _all(
                _any(self._holds(field.term, test, True, around) for field in variant.fields)
                for variant in known.variants.values()
            )
        # Private fields are not among the facts.
        return _any(self._holds(field.term, test, True, around) for field in known.fields.values()) or None


def _is_skipped(attributes: tuple[Attribute, ...]) -> bool:
    return any(each.path == "module" and "skip" in each.arguments for each in attributes)


def _named(term: Term, *names: str) -> bool:
    return isinstance(term, terms.Named) and term.name in names


def _is_flag(term: Term) -> bool:
    return isinstance(term, terms.Named) and term.name == "Param" and _named(term.args[0], "Flag")


def _is_some_module(contents: Contents, term: Term) -> bool:
    if isinstance(term, terms.Declared):
        return contents._is_declared_module(term) is True
    if _named(term, "Param", "RunningState"):
        return True
    return isinstance(term, terms.Named) and (
        contents.api.implements(term.name, "Module")
        and term.name not in _SEE_THROUGH
        and getattr(contents.api.type(term.name), "sort", "foreign") != "foreign"
    )


def _element(term: Term) -> Term | None:
    if isinstance(term, terms.Array):
        return term.element
    return term.args[0] if isinstance(term, terms.Named) and term.name == "Vec" and term.args else None


def _is_layer(contents: Contents, term: Term | None) -> bool:
    """Whether it is a layer of burn's own with weights."""
    known = contents.api.type(term.name) if isinstance(term, terms.Named) else None
    return known is not None and any(
        _named(each, "Param") and not _is_flag(each)
        for field in known.fields.values()
        for each in terms.subterms(field.term)
    )


_TESTS: dict[Feature, Callable[[Contents, Term], bool]] = {
    "parameter": lambda _, term: _named(term, "Param") and not _is_flag(term),
    "flag": lambda _, term: _is_flag(term),
    "statistics": lambda _, term: _named(term, "RunningState"),
    "tensor": lambda _, term: isinstance(term, terms.Tensor),
    "module": _is_some_module,
    "linear": lambda _, term: _named(term, "Linear"),
    "layers": lambda contents, term: _is_layer(contents, _element(term)),
}


def _all(answers: Iterator[bool | None] | list[bool | None]) -> bool | None:
    found = list(answers)
    if False in found:
        return False
    return None if None in found else True


def _any(answers: Iterator[bool | None]) -> bool | None:
    found = list(answers)
    if True in found:
        return True
    return None if None in found else False
