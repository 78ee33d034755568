"""Questions about values: where they come from, what becomes of them, loops and bindings around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from burnlint.burn import roles, stores, terms
from burnlint.burn.calls import called_name
from burnlint.burn.carriers import Carrier, carriers_of
from burnlint.burn.expr_edits import Rewriting
from burnlint.burn.texts import Written, written
from burnlint.burn.values import History, Origin, Origins, Reach, Site
from burnlint.burn.values_site import PAYLOAD
from burnlint.rust import hir
from burnlint.rust.flow import Flow, Scope
from burnlint.rust.flow_defs import root_of
from burnlint.rust.visit import locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.stores import Record


MAX_RUNS = 8
"""Calls of a function that `Expr.runs` looks at."""


MAX_CHANGES = 8
"""Changes in place that `Expr.changes_before` goes back over."""


CHANGES = frozenset({"assign", "assign_op", "modified"})
"""Kinds of definitions that change a binding which is there already."""


class ValueQuestions(Rewriting):
    """Questions about values: where they come from, what becomes of them, loops and bindings around them."""

    @property
    def copied(self) -> Expr | None:
        """Of `x.clone()` the `x`; None for anything else."""
        e = self.expr
        return (
            self.inside(e.receiver)
            if isinstance(e, hir.MethodCall) and e.name == "clone" and not e.args
            else None
        )

    @property
    def is_none(self) -> bool:
        """Whether it is spelt `None`."""
        return isinstance(self.expr, hir.PathExpr) and self.expr.path.name == "None"

    @property
    def payload(self) -> Expr | None:
        """Of `Some(x)`, written here or where it is bound, the `x`; None for anything else."""
        origin = self.origins().must
        e = origin.expr if origin is not None else self.expr
        if not isinstance(e, hir.Call) or called_name(e) != "Some" or len(e.args) != 1:
            return None
        frame = origin.site.frame if origin is not None else self.site.frame
        return self._at(Site(e.args[0], frame))

    def origins(self) -> Origins:
        """Where the value comes from."""
        return self.file.analysis.values.origins(self.site)

    def reaches(
        self, through: Callable[[Site, int], bool] | None = None, *, whole: bool = False
    ) -> list[Reach]:
        """What becomes of the value; with `whole` nothing of what is taken out of its `Some` or `Ok`."""
        return self.file.analysis.values.reaches(self.site, through, whole)

    def reaches_of(self, origin: Origin) -> list[Reach]:
        """What becomes of the value of an origin, of a parameter from where it is bound."""
        return self.file.analysis.values.reaches_of(origin)

    def carriers(self) -> Iterator[Carrier]:
        """The expressions that have this value as their result: itself, and where the function around it
        returns it, the calls of that function in the package, and so on outwards."""
        return carriers_of(self._self)

    def runs(self) -> Iterator[Expr]:
        """It itself, and where what it works on is given from outside, the same as the calls of the function
        around it run it; only what each such call comes to."""
        yield self._self
        # A `forward` is called all over a package, with whatever goes through a network.
        if self.site.frame.call is not None or self.fn.name.startswith("forward") or self.is_conditional:
            return
        given = [part for each in self.operands for part in (each, *each.parts)]
        if any(origin.kind == "param" for each in given for origin in each.origins().items):
            for call in islice(self.file.callers(self.fn), MAX_RUNS):
                if not call.in_test:
                    frame = call.site.frame.enter(call.expr, self.site.frame.body)
                    yield self._at(Site(self.expr, frame))

    @property
    def parts(self) -> list[Expr]:
        """The parts of a tuple that is written here; empty for anything else."""
        return [self.inside(each) for each in self.expr.items] if isinstance(self.expr, hir.Tuple) else []

    @property
    def called_by(self) -> Expr | None:
        """The call that runs the function around it, where it is looked at as run by one; else None."""
        call = self.site.frame.call
        return self._at(call) if call is not None else None

    def same_as(self, other: Expr) -> bool | None:
        """Whether both stand for the same value; None: not known."""
        return self.file.analysis.values.same(self.site, other.site)

    def lies_in(self, holder: Expr) -> bool:
        """Whether it is spelt as a field of what stands for the same value as `holder`, or as the value (`val()`)
        of a parameter there."""
        e = self.owner.expr
        if isinstance(e, hir.MethodCall) and e.name == "val":
            e = e.receiver
        while isinstance(e, hir.Field):
            e = e.base
            if self.inside(e).same_as(holder):
                return True
        return False

    @property
    def written(self) -> Written | None:
        """Of a string or path the text that it is on every path, or how it ends; None if nothing of it is
        known."""
        return written(self._self)

    @property
    def record(self) -> Record:
        """Of a `ModuleRecord` how it was loaded and configured, as far as that is in sight."""
        return stores.record_of(self._self)

    @property
    def results(self) -> list[Expr]:
        """Of a closure that is written here what it may give; empty for anything else."""
        if not isinstance(self.expr, hir.Closure):
            return []
        return [self.inside(each) for each in self.flow.returned_by(self.expr)]

    def derived_by(self) -> list[Expr]:
        """The operations that it went through, the last one first, each on the first operand of the one
        before."""
        chain = self.file.analysis.values.chain(self.site)
        return [self.at(origin) for origin in chain if origin.kind == "operation"]

    @property
    def changes_before(self) -> list[Expr]:
        """The calls that changed the value in place before, on every path, the last one first."""
        found: list[Expr] = []
        value = self
        while len(found) < MAX_CHANGES:
            origin = value.origins().must
            if origin is None or origin.kind != "changed" or origin.before is None or origin.carried:
                break
            found.append(self.at(origin))
            value = self.at(origin.before)
        return found

    @property
    def runs_in_sight(self) -> bool:
        """Whether a call runs a function of the workspace whose body is followed."""
        return self.file.analysis.values.callee_body(self.target) is not None

    @property
    def operation(self) -> Expr | None:
        """The one call or operator that gives the value on every path; None if there may be several or it is
        something else."""
        origin = self.origins().must
        if origin is None or origin.kind != "operation" or origin.steps or origin.carried:
            return None
        return self._at(origin.site)

    @property
    def source_call(self) -> Expr | None:
        """The one call that gives the value on every path, as it is or inside of `Ok` or `Some` (behind `?` and
        `unwrap()`); None if there may be several or it is something else."""
        origin = self.origins().must
        if origin is None or origin.kind != "operation" or origin.carried:
            return None
        return self._at(origin.site) if all(step == PAYLOAD for step in origin.steps) else None

    @property
    def is_place(self) -> bool:
        """Whether it is a binding or a field of one."""
        return root_of(self.expr) is not None

    def named_or(self, otherwise: str) -> str:
        """What a message calls it: the binding or field that it spells, in backticks; `otherwise` where it spells
        none."""
        place = self.owner
        return f"`{place.spelling}`" if place.is_place else otherwise

    @property
    def is_field(self) -> bool:
        """Whether it is a field of a binding."""
        return self.is_place and isinstance(self.expr, hir.Field)

    @property
    def operations_after(self) -> list[Expr]:
        """The tensor operations that take the value, and what those give, and so on, as far as that is seen."""
        found: dict[Site, Expr] = {}

        def through(site: Site, operand: int) -> bool:
            found[site] = self.at(site)
            return found[site].is_tensor

        self.reaches(through)
        return list(found.values())

    @property
    def is_conditional(self) -> bool:
        """Whether it stands behind a condition: in a branch, an arm, or after what may leave the function."""
        order = self.flow.order
        root = self.site.frame.body.root
        return not order.on_every_path_before(self.expr, root) or any(
            order.reachable(each) for each in self.site.frame.body.of(hir.Return)
        )

    @property
    def is_only_lent(self) -> bool:
        """Whether its type is known to be a shared reference, through which nothing can be set."""
        term = self.file.analysis.types(self.site.frame.body).expr(self.expr)
        return isinstance(term, terms.Ref) and not term.mutable

    @property
    def is_reference(self) -> bool:
        """Whether its type is known to be a reference."""
        return isinstance(self.file.analysis.types(self.site.frame.body).expr(self.expr), terms.Ref)

    def history(self) -> History:
        """What happened to the value before."""
        return self.file.analysis.values.history(self.site)

    @property
    def read_later(self) -> bool:
        """Whether the place that it spells may be read again: its value cannot be moved away here."""
        root = root_of(self.expr)
        if root is None:
            return False
        if root is not self.expr:
            return True
        order = self.flow.order
        return any(
            use is not self.expr and order.may_follow(self.expr, use) for use in self.flow.uses_of(root.local)
        )

    @property
    def chain_start(self) -> Expr:
        """What a chain of method calls starts with, without what only borrows or copies: `x` of
        `x.clone().abs().exp()`."""
        at = self.owner
        while True:
            if isinstance(at.expr, hir.MethodCall):
                at = at.inside(at.expr.receiver).owner
            elif (
                isinstance(at.expr, hir.Call)
                and at.target is not None
                and at.target.self_mode
                and at.operands
            ):
                at = at.operands[0].owner
            else:
                return at

    @property
    def lives_on(self) -> bool:
        """Whether it spells a place that may be read again, here or by whoever lent it."""
        return self.is_place and (self.read_later or self.is_reference)

    @property
    def consumes(self) -> bool:
        """Whether a call is known to take its receiver by value."""
        return self.target is not None and self.target.self_mode == "self"

    def at(self, origin: Origin | Site) -> Expr:
        """The expression of an origin or a site."""
        return self._at(origin.site if isinstance(origin, Origin) else origin)

    @property
    def flow(self) -> Flow:
        """What flows where in the body around it."""
        return self.file.analysis.values.flow(self.site.frame.body)

    @property
    def loop(self) -> Scope | None:
        """The innermost loop around it, or closure that an iterator runs, within its function; None if there is none."""
        for scope in self.flow.order.loops_of(self.expr):
            if scope.repeats:
                return scope
        return None

    def fixed_in(self, loop: Scope) -> bool | None:
        """Whether the place that it spells (behind `&` and `clone()`) holds the same value in every round of
        a loop around it: nothing in the loop sets it, and nothing in the loop may change it. None: it spells
        no place."""
        reaching = self.flow.reaching(self.owner.expr)
        if reaching.place is None or not reaching.definitions:
            return None
        inside = (
            self.flow.scope(each) for each in (*reaching.definitions, *reaching.partial, *reaching.carried)
        )
        return not any(scope is not None and scope.within(loop) for scope in inside)

    def declared_in(self, loop: Scope) -> bool:
        """Whether the binding that it names, or whose field it is, is made anew in each round of a loop
        around it.
        """
        root = root_of(self.owner.expr)
        if root is None:
            return True
        makers = (d for d in self.flow.definitions if d.place.local is root.local and d.kind not in CHANGES)
        return any((scope := self.flow.scope(each)) is not None and scope.within(loop) for each in makers)

    @property
    def repeats(self) -> bool:
        """Whether it may run again in a later round of a loop around it, within its function."""
        return self.loop is not None and self.flow.order.may_follow(self.expr, self.expr)

    def always_after(self, other: Expr) -> bool:
        """Whether another expression of the same function has run on every path that leads here."""
        order = self.flow.order
        return (
            other.site.frame.body is self.site.frame.body
            and order.before(other.expr, self.expr) is True
            and order.on_every_path_before(other.expr, self.expr) is True
        )

    def precedes(self, other: Expr) -> bool:
        """Whether it runs before another expression of its function on some path, in the same round of the loops around
        both."""
        return self.site.frame is other.site.frame and self.flow.order.before(self.expr, other.expr) is True

    @property
    def items(self) -> list[Expr]:
        """The elements of an array or `vec![..]` that is written out, also where a `Vec` is made of it; empty where it is
        not in sight."""
        origin = self.origins().must
        if origin is None or origin.steps:
            return []
        made = self.at(origin)
        if isinstance(origin.expr, hir.Array):
            return [made.inside(each) for each in origin.expr.items]
        e = made.expr
        if isinstance(e, hir.MethodCall) and e.name in ("to_vec", "into") and not e.args:
            return made.inside(e.receiver).items
        path = e.callee.path if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) else None
        of_vec = path is not None and [each.name for each in path.segments[-2:]] == ["Vec", "from"]
        return made.inside(e.args[0]).items if of_vec and isinstance(e, hir.Call) and e.args else []

    @property
    def bound_to(self) -> Expr | None:
        """Of a name what a `let` binds it to, if nothing else is assigned to it; None for anything else."""
        if not isinstance(self.expr, hir.LocalRef):
            return None
        made = self.flow.only_definition(self.expr.local)
        plain = made is not None and made.kind == "let" and not made.steps
        return self.inside(made.value) if made is not None and plain and made.value is not None else None

    @property
    def spellings(self) -> list[str]:
        """As a place is written, without what only borrows or copies, and as the places are that it is a mere other
        name for."""
        found, value = [self.owner.spelling], self.owner.bound_to
        while value is not None and value.owner.is_place:
            found.append(value.owner.spelling)
            value = value.owner.bound_to
        return found

    @property
    def names(self) -> list[str]:
        """The names that the value is bound to, in order: by `let`s and assignments, also on from one name to
        another, or as the part of a tuple that has the type of a module."""
        found = self.file.analysis.values.bindings(self.site)
        names = [each.place.local.name for each in found if not each.place.fields]
        part = self._bound_part
        return [*dict.fromkeys([*([part] if part is not None else []), *names])]

    @property
    def _bound_part(self) -> str | None:
        sink = self.flow.sink(self.expr)
        if sink.kind != "bound" or sink.role.statement is None:
            return None
        pattern = sink.role.statement.pattern
        if isinstance(pattern, hir.Bind):
            return pattern.local.name
        types = self.file.analysis.types(self.site.frame.body)
        api = self.file.analysis.api
        found = [each.name for each in locals_in(pattern) if roles.is_module(types.local(each), api)]
        return found[0] if len(found) == 1 else None

    def borrows(self, operand: int) -> bool:
        """Whether a call certainly takes an operand (receiver first) by reference."""
        e = self.operands[operand].expr if operand < len(self.operands) else None
        if e is None:
            return False
        if operand == 0 and isinstance(self.expr, hir.MethodCall) and self.target is not None:
            return (self.target.self_mode or "").startswith("&")
        return isinstance(self.file.analysis.types(self.site.frame.body).expr(e), terms.Ref)
