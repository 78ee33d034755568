"""What flows where inside one body: which definitions a use may see, what is done with a value, what comes
before what.

Nothing here knows burn or looks into other bodies. Answers hold for every path of the body that the source
shows; unwinding and interior mutability (`RefCell`, `Mutex`) are not followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from burnlint.rust import hir
from burnlint.rust.flow_build import build
from burnlint.rust.flow_change import Changes, Lends, SelfMode
from burnlint.rust.flow_defs import Definition, Place, Step, place_of, project, root_of
from burnlint.rust.flow_graph import Graph, Scope
from burnlint.rust.flow_moves import is_last_read, reads_after, taken_by
from burnlint.rust.flow_order import Order
from burnlint.rust.flow_reach import Reach, solve
from burnlint.rust.flow_roles import Role, roles_of

__all__ = [
    "Definition",
    "Flow",
    "Place",
    "Reaching",
    "Role",
    "Scope",
    "Sink",
    "Step",
    "changed_part",
    "place_of",
    "project",
]


@dataclass(slots=True)
class Reaching:
    """The definitions that may give what a place expression reads. Empty: not known (no place, or code that
    is never reached)."""

    place: Place | None
    rest: tuple[str, ...] = ()
    """The fields that the expression names beyond the place."""
    definitions: tuple[Definition, ...] = ()
    """Those that set the place as a whole."""
    partial: tuple[Definition, ...] = ()
    """Those that set or changed a part of it, after one of `definitions`."""
    carried: tuple[Definition, ...] = ()
    """Those of both that may stem from an earlier round of a loop around them and the use."""

    @property
    def must(self) -> Definition | None:
        """The one definition that gives all of the value on every path, if there is one (and it is compiled
        unconditionally)."""
        if len(self.definitions) == 1 and not self.partial and self.definitions[0].cfg is None:
            return self.definitions[0]
        return None

    def steps(self, definition: Definition) -> tuple[Step, ...]:
        """The way from the definition's `value` to what the expression reads."""
        assert self.place is not None
        inner = self.place.fields[len(definition.place.fields) :]
        return (*definition.steps, *(Step("field", name) for name in (*inner, *self.rest)))


@dataclass(slots=True)
class Sink:
    """What takes the value of an expression.

    `kind`: "dropped" (a statement), "ignored" (`let _ =`, `_ =`), "bound" (a `let`, in `role.statement`),
    "returned" (from the body, or from the closure in `role.holder`), or the kind of `role` (see `Role`) in
    the expression `role.holder`.
    `value` is the outermost expression with this value: blocks, branches and arms pass on that of their last
    expression.
    """

    kind: str
    role: Role
    value: hir.Expr


class Flow:
    """The flow of one body; everything is computed when first asked for.

    `self_mode(call)` is what the types know of a method: "self", "&self", "&mut self", or None. A method
    that it does not know may change a receiver that is `mut` or reached through `&mut`. `lends(local)` is
    whether the type of a local may hold a `&mut`, None where that is not known.
    """

    def __init__(self, body: hir.Body, self_mode: SelfMode | None = None, lends: Lends | None = None) -> None:
        self.body = body
        self._self_mode = self_mode
        self._lends = lends
        self._reaching: dict[int, Reaching] = {}

    @cached_property
    def roles(self) -> list[Role | None]:
        """The role of each expression in the one around it, by id."""
        return roles_of(self.body)

    @cached_property
    def _graph(self) -> Graph:
        changes = Changes(self.body, self._self_mode, self._lends)
        return build(self.body, self.roles, changes.method, changes.is_reference)

    @cached_property
    def order(self) -> Order:
        """Questions about order: before, may_follow, on_every_path_before and _after, loops_of,
        reachable."""
        return Order(self._graph)

    @cached_property
    def _reach(self) -> Reach:
        places: set[Place] = set()
        for e in (*self.body.of(hir.LocalRef), *self.body.of(hir.Field)):
            found = place_of(e)
            if found is not None:
                places.add(found[0])
        return solve(self._graph, places)

    @property
    def definitions(self) -> list[Definition]:
        """All definitions, in order of evaluation."""
        return self._graph.definitions

    def only_definition(self, local: hir.Local) -> Definition | None:
        """What gives a local its value, if nothing else ever does; None where several may."""
        made = [d for d in self.definitions if d.place.local is local and d.kind != "modified"]
        return made[0] if len(made) == 1 else None

    @cached_property
    def _by_value(self) -> dict[hir.Expr, list[Definition]]:
        out: dict[hir.Expr, list[Definition]] = {}
        for definition in self.definitions:
            if definition.value is not None:
                out.setdefault(definition.value, []).append(definition)
        return out

    def takers(self, value: hir.Expr) -> list[Definition]:
        """The definitions that take the value of an expression, or a part of it, by a pattern or an
        assignment."""
        return self._by_value.get(value, [])

    @cached_property
    def parameters(self) -> list[Definition]:
        """The definitions of self and of what the patterns of the parameters bind."""
        return [d for d in self.definitions if d.kind in ("self", "param")]

    @cached_property
    def changes(self) -> list[Definition]:
        """The definitions of kind "modified"."""
        return [d for d in self.definitions if d.kind == "modified"]

    def scope(self, definition: Definition) -> Scope | None:
        """The innermost loop or closure in which a definition happens, each round anew."""
        return self._graph.def_scopes[definition.id]

    def reaching(self, e: hir.Expr) -> Reaching:
        """The definitions that reach a place expression: a local, fields of it, references to and
        dereferences of these.

        For the target of an assignment: those before it.
        """
        known = self._reaching.get(e.id)
        if known is None:
            known = self._reaching[e.id] = self._find_reaching(e)
        return known

    def _find_reaching(self, e: hir.Expr) -> Reaching:
        found, root = place_of(e), root_of(e)
        if found is None or root is None:
            return Reaching(None)
        place, rest = found
        current, earlier = self._reach.at(root.id, place)
        whole = [d for d in current if not d.into and d.place.covers(place)]
        partial = [d for d in current if d.into or not d.place.covers(place)]
        around = self._graph.scopes[root.id]
        carried = [d for d in earlier if self._shares_loop(d, around)]
        return Reaching(place, rest, tuple(whole), tuple(partial), tuple(carried))

    def _shares_loop(self, definition: Definition, around: Scope | None) -> bool:
        scope = self._graph.def_scopes[definition.id]
        while scope is not None:
            if around is not None and around.within(scope):
                return True
            scope = scope.outer
        return False

    def before(self, definition: Definition) -> Reaching:
        """What reached the place just before an "assign", "assign_op" or "modified" definition changed it;
        else nothing."""
        target = changed_part(definition)
        return self.reaching(target) if target is not None else Reaching(None)

    @cached_property
    def _uses(self) -> dict[int, list[hir.Expr]]:
        """For each definition the places that may read it, by its id."""
        out: dict[int, list[hir.Expr]] = {d.id: [] for d in self.definitions}
        for e in self.reads:
            reaching = self.reaching(e)
            for definition in (*reaching.definitions, *reaching.partial):
                out[definition.id].append(e)
        return out

    @cached_property
    def reads(self) -> list[hir.Expr]:
        """The reads of places, each the longest place expression around a use of a local, in source order."""
        return [self._whole_place(e) for e in self.body.of(hir.LocalRef) if e.id in self._graph.reads]

    def _whole_place(self, e: hir.Expr) -> hir.Expr:
        while True:
            role = self.roles[e.id]
            if role is None or role.kind != "base" or role.holder is None:
                return e
            e = role.holder

    def uses(self, definition: Definition) -> list[hir.Expr]:
        """The reads that may see what a definition gives, as place expressions. Empty: nothing ever reads
        it."""
        return self._uses[definition.id]

    def uses_of(self, local: hir.Local) -> list[hir.Expr]:
        """All reads of a local and of its fields, as place expressions."""
        return [e for e in self.reads if (root := root_of(e)) is not None and root.local is local]

    def reads_after(self, e: hir.Expr) -> list[hir.Expr]:
        """The reads of a place that may follow a read `e` of it before anything sets it anew, in source
        order; `e` itself where a loop comes back to it."""
        return reads_after(self, self._graph, e)

    def taken_by(self, e: hir.Expr) -> hir.Closure | None:
        """The closure that takes a place of the code around it where it is made; None for a read that stands with
        the binding."""
        return taken_by(self._graph, e)

    def is_conditional(self, e: hir.Expr, loop: Scope) -> bool:
        """Whether a round of a loop around `e` may go without it: it stands in a branch or an arm there."""
        inner, at = e, self.body.parents[e.id]
        while at >= 0 and self.body.exprs[at] is not loop.expr:
            around = self.body.exprs[at]
            if isinstance(around, hir.If) and inner is not around.condition:
                return True
            if isinstance(around, hir.Match) and inner is not around.scrutinee:
                return True
            inner, at = around, self.body.parents[at]
        return False

    def is_last_read(self, e: hir.Expr) -> bool:
        """Whether a read of a local certainly is the last one of what it holds there."""
        return is_last_read(self, self._graph, e)

    # Values of blocks and branches

    def outcomes(self, e: hir.Expr) -> list[hir.Expr]:
        """The expressions that may give the value of `e`: those at the ends of blocks, branches, arms and
        breaks.

        An expression that is none of these is its own outcome. Alternatives by `cfg` count like branches.
        Ends that are never reached are left out; a loop without a value, `if` without `else` and async blocks
        are their own outcome.
        """
        out, pending = [], [e]
        while pending:
            at = pending.pop()
            parts = self._ends(at)
            if parts is None:
                if self.order.reachable(at) and not _diverges(at):
                    out.append(at)
            else:
                pending.extend(reversed(parts))
        return out

    def _ends(self, e: hir.Expr) -> list[hir.Expr] | None:
        breaks = [b.value for b in self._graph.breaks.get(e.id, ()) if b.value is not None]
        match e:
            case hir.Block(kind="async" | "gen" | "try"):
                return None
            case hir.Block(tail=None):
                return breaks or None
            case hir.Block(tail=tail) if tail is not None:
                return [*breaks, tail]
            case hir.If(otherwise=otherwise) if otherwise is not None:
                return [e.then, otherwise]
            case hir.Match():
                return [arm.body for arm in e.arms]
            case hir.Loop():
                return breaks or None
            case hir.Unknown(why="cfg alternatives"):
                return e.args
        return None

    @cached_property
    def returned(self) -> list[hir.Expr]:
        """The expressions whose value the body may return, without the error exits of `?`."""
        out = self.outcomes(self.body.root)
        for value in self._returns:
            if self.leaves_body(value):
                out += self.outcomes(value)
        return out

    def returned_by(self, closure: hir.Closure) -> list[hir.Expr]:
        """The expressions whose value a closure may give, without the error exits of `?`."""
        out = self.outcomes(closure.body)
        for value in self._returns:
            if self.left_by(value) is closure:
                out += self.outcomes(value)
        return out

    @cached_property
    def _returns(self) -> list[hir.Expr]:
        """The values of reached `return`s."""
        return [e.value for e in self.body.of(hir.Return) if e.value is not None and self.order.reachable(e)]

    def left_by(self, e: hir.Expr) -> hir.Expr | None:
        """The closure or async block that a `return` at `e` leaves; None for the body itself."""
        scope = self._graph.scopes[e.id]
        while scope is not None and scope.kind not in ("closure", "async"):
            scope = scope.outer
        return scope.expr if scope is not None else None

    def leaves_body(self, e: hir.Expr) -> bool:
        """Whether `e` stands in the body itself, not in a closure or async block: `return` there ends the
        body."""
        return self.left_by(e) is None

    def sink(self, e: hir.Expr) -> Sink:
        """What takes the value of `e`."""
        while True:
            role = self.roles[e.id] or Role("root", None)
            holder = role.holder
            match role.kind:
                case "tail" | "branch" | "arm":
                    if holder is None or (
                        isinstance(holder, hir.Block) and holder.kind in ("async", "gen", "try")
                    ):
                        return Sink("returned", role, e)
                    e = holder
                case "statement":
                    return Sink("dropped", role, e)
                case "root":
                    return Sink("returned", role, e)
                case "init":
                    wild = role.statement is not None and isinstance(role.statement.pattern, hir.Wild)
                    return Sink("ignored" if wild else "bound", role, e)
                case "value" if isinstance(holder, hir.Assign) and isinstance(holder.target, hir.Underscore):
                    return Sink("ignored", role, e)
                case "result":
                    loop = self._loop_of(holder) if isinstance(holder, hir.Break) else None
                    if loop is None:
                        return Sink("returned", role, e)
                    e = loop
                case "body":
                    return Sink("returned" if isinstance(holder, hir.Closure) else "dropped", role, e)
                case _:
                    return Sink(role.kind, role, e)

    def _loop_of(self, e: hir.Break) -> hir.Expr | None:
        for loop, breaks in self._graph.breaks.items():
            if e in breaks:
                return self.body.exprs[loop]
        return None

    def dropped(self, e: hir.Expr) -> Sink | None:
        """What throws the value of `e` away: a statement ("dropped"), `let _ =`, `_ =` or `drop(..)`
        ("ignored").

        Also behind `?`, `.await`, `.unwrap()`, `.expect(..)`.
        """
        sink = self.sink_inside(e)
        if sink.kind in ("dropped", "ignored"):
            return sink
        if isinstance(sink.role.holder, hir.Call) and sink.kind == "argument" and _drops(sink.role.holder):
            return Sink("ignored", sink.role, sink.value)
        return None

    def sink_inside(self, e: hir.Expr) -> Sink:
        """What takes the value of `e`, or what is inside of it behind `?`, `.await`, `.unwrap()`, `.expect(..)`."""
        while True:
            sink = self.sink(e)
            holder = sink.role.holder
            if (sink.kind == "operand" and isinstance(holder, hir.Try | hir.Await)) or (
                sink.kind == "receiver"
                and isinstance(holder, hir.MethodCall)
                and holder.name in ("unwrap", "expect")
            ):
                e = holder
            else:
                return sink


def _drops(e: hir.Call) -> bool:
    """`drop(x)`, `mem::drop(x)`."""
    return isinstance(e.callee, hir.PathExpr) and e.callee.path.name == "drop" and len(e.args) == 1


def _diverges(e: hir.Expr) -> bool:
    return isinstance(e, hir.Return | hir.Break | hir.Continue) or (isinstance(e, hir.Macro) and e.diverges)


def changed_part(definition: Definition) -> hir.Expr | None:
    """The expression that spells the place which a definition changes."""
    match definition.expr:
        case hir.Assign(target=target) | hir.AssignOp(target=target):
            return target if definition.kind.startswith("assign") else None
        case hir.Ref() | hir.LocalRef() | hir.Field():
            return definition.expr
        case hir.MethodCall(receiver=receiver) if definition.index < 0:
            return receiver
        case hir.Call(args=args) | hir.MethodCall(args=args) | hir.Macro(args=args) | hir.Unknown(args=args):
            return args[definition.index] if definition.kind == "modified" else None
    return None
