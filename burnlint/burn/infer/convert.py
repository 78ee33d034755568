"""From types as written in source (`burnlint.rust.types`) to templates, in the scope of an item."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from burnlint.burn.infer.backends import MAX_ALIASES, mode_of
from burnlint.burn.infer.model import (
    AUTODIFF,
    NEVER,
    UNIT,
    UNKNOWN,
    Con,
    Gen,
    Head,
    Projection,
    Type,
    atom,
)
from burnlint.burn.infer.templates import HOLE, hole, rename
from burnlint.rust import digits
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Impl, Item, Struct, Trait, TypeAlias

if TYPE_CHECKING:
    from burnlint.burn.infer.resolve import ApiAlias, Named, Resolver

BACKEND_TRAITS = frozenset({"Backend", "AutodiffBackend", "BackendTypes"})


@dataclass(slots=True)
class GenericInfo:
    """A generic in scope: its sort, the bounds as written, and for a backend the mode that it stands for."""

    name: str
    sort: str
    bounds: tuple[rt.TypeExpr, ...]
    mode: str = ""
    default: rt.TypeExpr | None = None


@dataclass(slots=True, eq=False)
class Scope:
    """Where a type stands: the names, the generics and the `Self` in scope there."""

    item: Item
    generics: dict[str, GenericInfo] = field(default_factory=dict)
    own: tuple[GenericInfo, ...] = ()
    """The generics of the item itself, in order."""
    self_type: Type | None = None
    owner: Impl | Trait | None = None
    where: list[tuple[rt.TypeExpr, tuple[rt.TypeExpr, ...]]] = field(default_factory=list)


class Converter:
    """Reads types of source. Conversions of types of items are cached by their `Scope`."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.old_style = resolver.old_style
        self._scopes: dict[Item, Scope] = {}
        self.depth = 0
        self._asked: set[str] = set()
        self._targets: dict[TypeAlias, Type] = {}

    def scope(self, item: Item) -> Scope:
        """The scope inside an item: its own generics and those of the impl or trait around it."""
        found = self._scopes.get(item)
        if found is None:
            found = self._scopes[item] = self._make_scope(item)
        return found

    def _make_scope(self, item: Item) -> Scope:
        owner = getattr(item, "owner", None)
        made = Scope(item)
        if owner is not None:
            outer = self.scope(owner)
            made.generics.update(outer.generics)
            made.self_type, made.owner = outer.self_type, owner
            made.where.extend(outer.where)
        elif item.scope is not None and not isinstance(item, Impl | Trait):
            # Generics of an enclosing function are not in scope of an inner item, but a `Self` must not leak
            # either.
            pass
        generics = getattr(item, "generics", None)
        if generics is not None:
            own = []
            for param in generics.params:
                info = self._generic(param, made)
                own.append(info)
                made.generics[param.name] = info
            made.own = tuple(own)
            made.where.extend(generics.where)
        if isinstance(item, Impl):
            made.owner = item
            made.self_type = None if item.self_type is None else self.type(item.self_type, made)
        elif isinstance(item, Trait):
            made.owner = item
            made.self_type = Gen("Self")
        elif isinstance(item, Struct | Enum):
            made.self_type = self.self_type(item, made)
        return made

    def _generic(self, param: rt.GenericParam, scope: Scope) -> GenericInfo:
        if param.is_const:
            return GenericInfo(param.name, "const", (), default=param.default)
        if self.old_style:
            mode = ""
            for bound in param.bounds:
                if isinstance(bound, rt.PathType):
                    found = self.resolver.backend_bound(bound.path, scope.item)
                    mode = found if found == AUTODIFF or not mode else mode
            if mode:
                return GenericInfo(
                    param.name,
                    "backend",
                    param.bounds,
                    AUTODIFF if mode == AUTODIFF else param.name,
                    param.default,
                )
        return GenericInfo(param.name, "type", param.bounds, default=param.default)

    def self_type(self, item: Struct | Enum, scope: Scope) -> Con:
        """A type of the workspace with its own generics."""
        args = tuple(Gen(g.name) for g in scope.own if g.sort != "backend")
        backends = [g for g in scope.own if g.sort == "backend"]
        mode: str | None = None
        if self.old_style:
            if backends:
                mode = backends[0].mode if len(backends) == 1 else UNKNOWN
        elif self.resolver.is_module(item):
            mode = ""
        return Con(item, args, mode)

    def type(self, expr: rt.TypeExpr, scope: Scope) -> Type:
        """The template of a type as written."""
        if isinstance(expr, rt.PathType):
            return self.path_type(expr.path, scope)
        if isinstance(expr, rt.RefType):
            return Con("&mut" if expr.mutable else "&", (self.type(expr.inner, scope),))
        if isinstance(expr, rt.TupleType):
            return Con("()", tuple(self.type(t, scope) for t in expr.items)) if expr.items else UNIT
        if isinstance(expr, rt.ArrayType):
            return Con("[;]", (self.type(expr.item, scope), self.constant(expr.length, scope)))
        if isinstance(expr, rt.SliceType):
            return Con("[]", (self.type(expr.item, scope),))
        if isinstance(expr, rt.InferType):
            return HOLE
        if isinstance(expr, rt.FnType):
            return self.fn_type(expr, scope)
        if isinstance(expr, rt.BoundType):
            bounds = (self.bound(b, scope) for b in expr.bounds)
            return Con(expr.keyword, tuple(b for b in bounds if b is not None))
        if isinstance(expr, rt.ConstArg):
            return self.constant(expr.text, scope)
        return (
            NEVER
            if isinstance(expr, rt.UnknownType) and expr.why == "never"
            else hole("type in source not understood")
        )

    def fn_type(self, expr: rt.FnType, scope: Scope) -> Con:
        """`fn(A) -> B` or a closure trait."""
        result = UNIT if expr.result is None else self.type(expr.result, scope)
        return Con("fn", (*(self.type(p, scope) for p in expr.params), result))

    def bound(self, expr: rt.TypeExpr, scope: Scope) -> Con | None:
        """A bound as a Con; None for lifetimes, `?Sized` and what resolves to nothing."""
        if isinstance(expr, rt.FnType):
            return self.fn_type(expr, scope)
        if not isinstance(expr, rt.PathType):
            return None
        head = self.resolver.trait_head(expr.path, scope.item)
        if head is None:
            return None
        last = expr.path.segments[-1]
        args = [self.type(a, scope) for a, sort in self._sorted_args(last.args, head) if sort != "backend"]
        args.extend(Con("=" + name, (self.type(t, scope),)) for name, t in last.bindings)
        return Con(head, tuple(args))

    def _sorted_args(self, args: tuple[rt.TypeExpr, ...], head: Head) -> list[tuple[rt.TypeExpr, str]]:
        sorts = [sort for _, sort, _ in self.resolver.generics_of(head)] if self.old_style else []
        return [(a, sorts[i] if i < len(sorts) else "type") for i, a in enumerate(args)]

    def constant(self, text: str, scope: Scope) -> Type:
        """A const argument: a number, a const generic, a constant of the crate, or a hole."""
        text = text.strip().removeprefix("{").removesuffix("}").strip()
        number = digits.number(text.removesuffix("usize"))
        if number is not None:
            return atom(number)
        info = scope.generics.get(text)
        if info is not None:
            return Gen(text)
        value = self.resolver.constant_value(text, scope.item)
        return hole("constant expression") if value is None else atom(value)

    def path_type(self, path: rt.Path, scope: Scope, turbofish: bool = False) -> Type:
        """The template of a path that names a type; `turbofish`: missing arguments are inferred, as in an
        expression."""
        segments = path.segments
        if path.qself is not None:
            return self._qualified(path, scope)
        first = segments[0]
        if len(segments) == 1:
            name = first.name
            info = scope.generics.get(name)
            if info is not None:
                return Gen(name)
            if name == "Self":
                return scope.self_type if scope.self_type is not None else hole("Self outside of an impl")
        elif len(segments) == 2 and (first.name in scope.generics or first.name == "Self"):
            info = scope.generics.get(first.name)
            if info is not None and info.sort == "backend":
                return self._of_backend(segments[1].name)
            base: Type = (
                Gen(first.name) if info is not None else scope.self_type or hole("Self outside of an impl")
            )
            own = self._own_generic(segments[1], scope) if first.name == "Self" else None
            return own or self.projection(base, None, segments[1].name, scope, first.name)
        elif len(segments) > 2 and first.name in scope.generics:
            return hole(f"associated type {segments[-1].name}")
        return self.named(path, scope, turbofish)

    def _own_generic(self, segment: rt.Segment, scope: Scope) -> Type | None:
        """`Self::State<D>`, where the impl around says `type State<const D: usize> = ..`."""
        for alias in scope.owner.types if isinstance(scope.owner, Impl) else ():
            if alias.name == segment.name and alias.target is not None and alias.generics.params:
                return self._alias(alias, segment.args, scope, False)
        return None

    def _of_backend(self, name: str) -> Type:
        if name == "Device":
            return atom("Device")
        return hole(f"associated type {name} of a backend")

    def _qualified(self, path: rt.Path, scope: Scope) -> Type:
        assert path.qself is not None
        segments = path.segments
        if len(segments) == 1:
            return hole("qualified path")
        qself = path.qself
        if isinstance(qself, rt.PathType) and len(qself.path.segments) == 1:
            info = scope.generics.get(qself.path.segments[0].name)
            if info is not None and info.sort == "backend":
                return self._of_backend(segments[-1].name)
        trait = rt.Path(segments[:-1], path.span, path.leading)
        name = qself.path.segments[0].name if isinstance(qself, rt.PathType) else ""
        head = self.resolver.trait_head(trait, scope.item)
        return self.projection(self.type(qself, scope), head, segments[-1].name, scope, name)

    def projection(self, base: Type, trait: Head | None, name: str, scope: Scope, generic: str = "") -> Type:
        """`<base as trait>::name`, reduced if the scope's bounds, the impl at hand or an impl of the
        workspace say it."""
        if isinstance(base, Gen) and generic in scope.generics and generic not in self._asked:
            # A bound on a generic may itself name an associated type of the generic.
            self._asked.add(generic)
            bounds = self.bounds_of(generic, scope)
            self._asked.discard(generic)
            for bound in bounds:
                for arg in bound.args:
                    if isinstance(arg, Con) and arg.head == "=" + name:
                        return arg.args[0]
        owner = scope.owner
        if generic == "Self" and isinstance(owner, Impl):
            for alias in owner.types:
                if alias.name == name and alias.target is not None:
                    return self.type(alias.target, self.scope(owner))
        return Con(Projection(trait, name), (base,))

    def bounds_of(self, generic: str, scope: Scope) -> list[Con]:
        """All bounds on a generic in scope."""
        info = scope.generics.get(generic)
        exprs = list(info.bounds) if info is not None else []
        for subject, bounds in scope.where:
            if (
                isinstance(subject, rt.PathType)
                and len(subject.path.segments) == 1
                and subject.path.segments[0].name == generic
            ):
                exprs.extend(bounds)
        return [b for b in (self.bound(e, scope) for e in exprs) if b is not None]

    def named(self, path: rt.Path, scope: Scope, turbofish: bool = False) -> Type:
        """The template of a path that names an item."""
        heads = self.resolver.type_heads(path, scope.item)
        if isinstance(heads, str):
            return hole(heads)
        made = [self._apply(head, path.segments[-1].args, scope, turbofish) for head in heads]
        first = made[0]
        for other in made[1:]:
            if not same(first, other):
                return hole("defined differently under incompatible cfg")
        return first

    def applied(self, head: Named, scope: Scope) -> Type:
        """The template of a type whose arguments are all inferred."""
        return self._apply(head, (), scope, True)

    def _apply(self, head: Named, written: tuple[rt.TypeExpr, ...], scope: Scope, turbofish: bool) -> Type:
        if isinstance(head, TypeAlias):
            return self._alias(head, written, scope, turbofish)
        if not isinstance(head, str | int | Item | Projection):
            return self._api_alias(head, written, scope)
        generics = self.resolver.generics_of(head)
        infer = turbofish and not written
        args: list[Type] = []
        modes: list[str] = []
        # `Tensor<2>` where a backend was expected first: then it is not written (an old alias, or the new
        # style).
        at = 0
        for _, sort, default in generics:
            if sort == "backend":
                modes.append(mode_of(self, written[at], scope) if at < len(written) else "")
                at += 1
                continue
            if at < len(written):
                args.append(self.type(written[at], scope))
            elif infer or default is None:
                args.append(HOLE)
            else:
                args.append(default)
            at += 1
        if not generics and written:
            args = [self.type(a, scope) for a in written]
        mode: str | None = None
        if self.resolver.modal(head):
            mode = "" if not self.old_style else modes[0] if len(modes) == 1 else UNKNOWN
        return Con(head, tuple(args), mode) if args or mode is not None else atom(head)

    def _api_alias(self, alias: ApiAlias, written: tuple[rt.TypeExpr, ...], scope: Scope) -> Type:
        env: dict[str, Type] = {}
        modes: dict[str, str] = {}
        for at, (name, sort) in enumerate(alias.names):
            if sort == "backend":
                modes[name] = mode_of(self, written[at], scope) if at < len(written) else ""
            else:
                env[name] = self.type(written[at], scope) if at < len(written) else HOLE
        return rename(alias.target, env, modes)

    def _alias(
        self, alias: TypeAlias, written: tuple[rt.TypeExpr, ...], scope: Scope, turbofish: bool
    ) -> Type:
        if alias.target is None:
            return hole("associated type without a definition")
        if self.depth >= MAX_ALIASES:
            return hole("alias of itself")
        self.depth += 1
        try:
            inside = self.scope(alias)
            target = self._targets.get(alias)
            if target is None:
                target = self._targets[alias] = self.type(alias.target, inside)
            if isinstance(target, Con) and target.ground:
                return target
            env: dict[str, Type] = {}
            modes: dict[str, str] = {}
            for at, info in enumerate(inside.own):
                given = written[at] if at < len(written) else None
                if info.sort == "backend" or (self.old_style and info.name == "B" and info.sort == "type"):
                    modes[info.name] = mode_of(self, given, scope) if given is not None else ""
                if given is not None:
                    env[info.name] = self.type(given, scope)
                elif info.default is not None and not (turbofish and not written):
                    env[info.name] = self.type(info.default, inside)
                else:
                    env[info.name] = HOLE
            return rename(target, env, modes)
        finally:
            self.depth -= 1


def same(a: Type, b: Type) -> bool:
    """Whether two templates are alike."""
    if a is b:
        return True
    if isinstance(a, Con) and isinstance(b, Con):
        return (
            a.head == b.head
            and a.mode == b.mode
            and len(a.args) == len(b.args)
            and all(map(same, a.args, b.args))
        )
    return isinstance(a, Gen) and isinstance(b, Gen) and a.name == b.name
