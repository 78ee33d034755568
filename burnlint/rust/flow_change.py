"""What a method call or a passed argument may change in place, where the types do not tell."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from burnlint.rust import hir
from burnlint.rust.flow_defs import Place
from burnlint.rust.items import Fn
from burnlint.rust.types import (
    ArrayType,
    BoundType,
    InferType,
    PathType,
    RefType,
    SliceType,
    TupleType,
    TypeExpr,
    UnknownType,
)
from burnlint.rust.visit import locals_in

SelfMode = Callable[[hir.MethodCall], str | None]
""""self", "&self", "&mut self", or None where the method is not known."""

Lends = Callable[[hir.Local], bool | None]
"""Whether a local may be or hold a `&mut` reference by its type; None where the type is not known."""

READERS = frozenset(
    {
        "clone",
        "cloned",
        "copied",
        "to_owned",
        "to_string",
        "to_vec",
        "as_ref",
        "as_slice",
        "as_str",
        "borrow",
        "len",
        "is_empty",
        "iter",
        "into_iter",
        "unwrap",
        "expect",
        "is_some",
        "is_none",
        "is_ok",
        "is_err",
    }
)
"""Methods of the standard library that never take `&mut self`."""

OWNED = frozenset({"clone", "cloned", "copied", "to_owned", "to_string", "to_vec", "collect"})
"""Methods whose result holds no `&mut` to the receiver."""


_OPEN = (hir.Macro, hir.Unknown, hir.Match, hir.If, hir.Loop, hir.Block, hir.Closure)


class Changes:
    """Decides for the bindings of one body whether a use of them may change what they name."""

    def __init__(self, body: hir.Body, self_mode: SelfMode | None, lends: Lends | None) -> None:
        self._body = body
        self._self_mode = self_mode
        self._lends = lends

    @cached_property
    def _declared(self) -> dict[hir.Local, tuple[TypeExpr | None, hir.Expr | None]]:
        """The type and the initializer of each local, as far as they are written."""
        out: dict[hir.Local, tuple[TypeExpr | None, hir.Expr | None]] = {}

        def declare(pattern: hir.Pattern, type_: TypeExpr | None, init: hir.Expr | None) -> None:
            for local in locals_in(pattern):
                if not local.by_ref:
                    out[local] = (type_, init)

        for pattern, type_ in self._body.params:
            declare(pattern, type_, None)
        for block in self._body.of(hir.Block):
            for statement in block.statements:
                if isinstance(statement, hir.Let):
                    declare(statement.pattern, statement.type, statement.init)
        for condition in self._body.of(hir.LetCond):
            declare(condition.pattern, None, condition.value)
        for loop in self._body.of(hir.For):
            declare(loop.pattern, None, loop.iterable)
        for match in self._body.of(hir.Match):
            for arm in match.arms:
                declare(arm.pattern, None, match.scrutinee)
        return out

    @property
    def _mutable_self(self) -> bool:
        owner = self._body.owner
        return isinstance(owner, Fn) and owner.self_mode in ("&mut self", "typed")

    def method(self, call: hir.MethodCall, place: Place) -> bool:
        """Whether a method call may change its receiver, which lies in `place`."""
        mode = self._self_mode(call) if self._self_mode else None
        if mode is not None:
            return mode == "&mut self"
        return call.name not in READERS and (self._writable(place.local) or self.is_reference(place.local))

    def _writable(self, local: hir.Local) -> bool:
        if local is self._body.self_local:
            return local.mutable or self._mutable_self
        return local.mutable

    def is_reference(self, local: hir.Local) -> bool:
        """Whether a local may be or hold a `&mut` reference."""
        return local in self._references

    @cached_property
    def _references(self) -> set[hir.Local]:
        out: set[hir.Local] = set()
        # In source order, so that what an initializer names is decided before what it initializes.
        for local in self._body.locals:
            if local is self._body.self_local:
                refers = self._mutable_self
            elif self._lends is not None and (known := self._lends(local)) is not None:
                refers = known
            elif local in self._declared:
                type_, init = self._declared[local]
                refers = _lends(type_) if type_ is not None else init is None or self._borrows(init, out)
            else:
                refers = True
            if refers:
                out.add(local)
        return out

    def _borrows(self, init: hir.Expr, references: set[hir.Local]) -> bool:
        """Whether the value of `init` may hold a `&mut` to something of this body.

        It can only where a writable place or another `&mut` is named in it, and not in what is computed by
        value.
        """
        pending, seen = [init], 0
        while pending:
            e = pending.pop()
            seen += 1
            if seen > 64 or isinstance(e, _OPEN):
                return True
            if isinstance(e, hir.Ref):
                if e.mutable:
                    return True
                pending.append(e.operand)
            elif isinstance(e, hir.LocalRef):
                if self._writable(e.local) or e.local in references:
                    return True
            elif isinstance(e, hir.MethodCall):
                if e.name not in OWNED:
                    pending += [e.receiver, *e.args]
            elif isinstance(e, hir.Call):
                pending += e.args
            elif isinstance(e, hir.Tuple | hir.Array):
                pending += e.items
            elif isinstance(e, hir.Field | hir.Index):
                pending.append(e.base)
            elif isinstance(e, hir.Try | hir.Await | hir.Deref):
                pending.append(e.operand)
            elif isinstance(e, hir.StructLit):
                pending += [f.value for f in e.fields]
        return False


def _lends(type_: TypeExpr) -> bool:
    """Whether a written type may hold a `&mut`: it says so, or it is left open."""
    pending = [type_]
    while pending:
        at = pending.pop()
        if isinstance(at, InferType | UnknownType | BoundType):
            return True
        if isinstance(at, RefType):
            if at.mutable:
                return True
            pending.append(at.inner)
        elif isinstance(at, TupleType):
            pending += at.items
        elif isinstance(at, ArrayType | SliceType):
            pending.append(at.item)
        elif isinstance(at, PathType):
            for segment in at.path.segments:
                pending += segment.args
    return False
