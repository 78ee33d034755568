"""What becomes of a value: forward through bindings, clones, containers, and functions of the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from burnlint.burn.values_origins import ELEMENTS, INNER, MAX_STEPS, SAME, Origin, origins
from burnlint.burn.values_site import MAX_FRAMES, PAYLOAD, Frame, Hop, Site, World, normal
from burnlint.rust import hir
from burnlint.rust.flow import Definition, Flow, Step, place_of

Through = Callable[[Site, int], bool]
"""Whether what an operation gives for its operand (receiver first) still counts as the value."""


@dataclass(slots=True, frozen=True)
class Reach:
    """One thing that happens to a value.

    `kind`: "operand" (number `index`, receiver first, of the call or operator at `site`), "stored" (in a
    place that outlives what can be seen, or in a collection), "returned" (from the body asked about),
    "dropped" (a statement), "ignored" (`let _ =`), "cloned", "called" (a closure), "iterated", "shown"
    (borrowed by a macro), "captured" (by an opaque macro or broken code), "tested" (condition or scrutinee),
    "part" (only a field of it is used), "unknown" (`why`). `changed` says that something may have changed the
    value in place before. `use` is the expression that stands for the value there; `hop` is the last step to
    it, iterable back. `followed` says of an operand that what the call does with it is among the reaches too.
    """

    kind: str
    site: Site
    use: Site
    index: int = 0
    hop: Hop | None = None
    changed: bool = False
    why: str = ""
    followed: bool = False


class _State(NamedTuple):
    """A value on its way: it lies `within` what the site stands for."""

    site: Site
    within: tuple[Step, ...]
    hop: Hop | None
    changed: bool


class _Search:
    def __init__(self, world: World, through: Through | None, whole: bool = False) -> None:
        self.world = world
        self.through = through
        self.whole = whole
        """Whether to end where the value is taken out of `Some` or `Ok`."""
        self.found: list[Reach] = []
        self.seen: set[tuple[Site, tuple[Step, ...], bool]] = set()
        self.changes: set[tuple[int, int]] = set()
        self.pending: list[_State] = []
        self.bindings: list[tuple[Definition, Frame]] = []
        """What binds the value as it is."""

    def search(self, site: Site) -> list[Reach]:
        self.push(_State(site, (), None, False))
        return self.drain()

    def drain(self) -> list[Reach]:
        count = 0
        while self.pending:
            state = self.pending.pop()
            count += 1
            if count > MAX_STEPS:
                self.end(state, "unknown", state.site, why="too many steps")
                break
            self.follow(state)
        return self.found

    def start(self, origin: Origin) -> list[Reach]:
        """What happens to the value of an origin: of a parameter, from where it is bound."""
        if origin.kind not in ("param", "closure_param"):
            self.push(_State(origin.site, origin.steps, None, False))
            return self.drain()
        frame = origin.site.frame
        flow = self.world.flow(frame.body)
        kinds = ("self", "param") if origin.kind == "param" else ("closure_param",)
        for d in flow.definitions:
            number = -1 if d.kind == "self" else d.index
            if d.kind in kinds and number == origin.index and (d.expr is None or d.expr is origin.expr):
                self.defined(_State(origin.site, origin.steps, None, False), flow, d, frame)
        return self.drain()

    def push(self, state: _State) -> None:
        key = (state.site, state.within, state.changed)
        if key not in self.seen:
            self.seen.add(key)
            self.pending.append(state)

    def end(
        self, state: _State, kind: str, at: Site, index: int = 0, why: str = "", followed: bool = False
    ) -> None:
        self.found.append(Reach(kind, at, state.site, index, state.hop, state.changed, why, followed))

    def follow(self, state: _State) -> None:
        use = state.site
        flow = self.world.flow(use.frame.body)
        sink = flow.sink(use.expr)
        role, holder = sink.role, sink.role.holder
        at = Site(holder if holder is not None else use.expr, use.frame)
        match sink.kind:
            case "argument":
                self.call(state, at, role.index + isinstance(holder, hir.MethodCall))
            case "receiver":
                self.call(state, at, 0)
            case "operand" if isinstance(holder, hir.Try) and not self._ends_inside(state):
                self.push(state._replace(site=at, within=_taken(state.within, PAYLOAD)))
            case "operand" if isinstance(holder, hir.Ref | hir.Deref | hir.Cast | hir.Await):
                self.push(state._replace(site=at))
            case "operand":
                self.operand(state, at, role.index)
            case "value" if isinstance(holder, hir.AssignOp):
                self.operand(state, at, 1)
            case "target":
                self.operand(state, at, 0)
            case "bound":
                self.bound(state, flow, sink.value)
                if role.statement is not None and role.statement.otherwise is not None:
                    self.end(state, "tested", at)
            case "scrutinee" | "iterable":
                self.bound(state, flow, sink.value)
                self.end(state, "tested" if sink.kind == "scrutinee" else "iterated", at)
            case "value":
                self.bound(state, flow, sink.value)
                if isinstance(holder, hir.Assign) and not isinstance(holder.target, hir.LocalRef):
                    self.end(state, "stored", at)
            case "item" if isinstance(holder, hir.Macro | hir.Unknown):
                self.macro(state, at)
            case "item":
                kind = "element" if isinstance(holder, hir.Array) else "field"
                self.push(state._replace(site=at, within=(Step(kind, str(role.index)), *state.within)))
            case "field":
                self.push(state._replace(site=at, within=(Step("field", role.name), *state.within)))
            case "base":
                self.end(state, "part", at)
            case "callee":
                self.end(state, "called", at)
            case "condition" | "guard":
                self.end(state, "tested", at)
            case "returned":
                self.returned(state, flow, at)
            case "dropped" | "ignored":
                self.end(state, sink.kind, at)
            case _:
                self.end(state, "unknown", at, why=sink.kind)

    def _ends_inside(self, state: _State) -> bool:
        """Whether what is inside of `Some` or `Ok` is no longer the value."""
        return self.whole and not state.within

    def operand(self, state: _State, at: Site, index: int, followed: bool = False) -> None:
        self.end(state, "operand", at, index, followed=followed)
        if self.through is not None and self.through(at, index):
            self.push(state._replace(site=at, within=()))

    def call(self, state: _State, at: Site, index: int) -> None:
        e = at.expr
        target = self.world.facts(at.frame.body).target(e)
        followed = False
        if target is not None and target.fn is not None:
            body = self.world.callee_body(target) if at.frame.depth < MAX_FRAMES else None
            followed = body is not None and self.enter(state, at, body, index)
        elif (
            isinstance(e, hir.MethodCall)
            and index == 0
            and _passes_on(e)
            and not (e.name in INNER and self._ends_inside(state))
        ):
            within = _taken(state.within, PAYLOAD) if e.name in INNER else state.within
            hop = state.hop
            if e.name == "clone":
                self.end(state, "cloned", at)
                hop = Hop("clone", at, e.span, prev=hop)
            self.push(state._replace(site=at, within=within, hop=hop))
            return
        elif isinstance(e, hir.Call) and (wrapped := _wrapping(e)) is not None:
            self.push(state._replace(site=at, within=(*wrapped, *state.within)))
            return
        elif isinstance(e, hir.Call) and not isinstance(e.callee, hir.PathExpr):
            followed = self.run(state, at, e, index)
        self.operand(state, at, index, followed)

    def run(self, state: _State, at: Site, e: hir.Call, index: int) -> bool:
        """Go on inside a closure that is called with the value; whether it is one in sight that takes it whole."""
        made = origins(self.world, Site(e.callee, at.frame)).must
        if (
            made is None
            or not isinstance(made.expr, hir.Closure)
            or made.steps
            or at.frame.depth >= MAX_FRAMES
        ):
            return False
        frame = at.frame.run(e, made.site)
        definitions = self.world.flow(frame.body).definitions
        taken = [
            d for d in definitions if d.kind == "closure_param" and d.expr is made.expr and d.index == index
        ]
        return self.passed(state, at, taken, frame)

    def enter(self, state: _State, at: Site, body: hir.Body, index: int) -> bool:
        """Go on inside a function of the package, at the parameter that takes the value; whether it takes it whole."""
        number = index - (body.self_local is not None)
        taken = [
            d for d in self.world.flow(body).parameters if (-1 if d.kind == "self" else d.index) == number
        ]
        return self.passed(state, at, taken, at.frame.enter(at.expr, body))

    def passed(self, state: _State, at: Site, taken: list[Definition], frame: Frame) -> bool:
        for d in taken:
            hop = Hop("passed", at, state.site.expr.span, str(d.place), state.hop)
            self.defined(state._replace(hop=hop), self.world.flow(frame.body), d, frame)
        return not any(d.steps for d in taken)

    def bound(self, state: _State, flow: Flow, value: hir.Expr) -> None:
        """Go on with the bindings and places that take a value, or a part of it."""
        frame = state.site.frame
        for d in flow.takers(value):
            if d.kind != "assign_op":
                hop = Hop("bound", state.site, d.span, str(d.place), state.hop)
                self.defined(state._replace(hop=hop), flow, d, frame)

    def defined(self, state: _State, flow: Flow, d: Definition, frame: Frame) -> None:
        """Go on with the reads of a definition whose value holds ours, also those after a change in place."""
        within = _inside(normal(d.steps), state.within)
        if within is None:
            return
        within = (*d.into, *within)
        if not within and not state.changed:
            self.bindings.append((d, frame))
        for use in flow.uses(d):
            site = Site(use, frame)
            inner = _inside_use(use, d, within)
            if inner is None:
                continue
            if isinstance(inner, str):
                self.end(state._replace(site=site), "part", site)
            else:
                self.push(state._replace(site=site, within=inner))
        for later in flow.changes:
            if later.place == d.place and d in flow.before(later).definitions:
                key = (later.id, id(frame))
                if key not in self.changes:
                    self.changes.add(key)
                    hop = Hop("changed", state.site, later.span, str(d.place), state.hop)
                    self.defined(state._replace(within=within, hop=hop, changed=True), flow, later, frame)

    def returned(self, state: _State, flow: Flow, at: Site) -> None:
        use = state.site
        frame = use.frame
        closure = flow.left_by(use.expr)
        if closure is not None and closure is not frame.closure:
            self.out_of_closure(state, at, closure)
        elif frame.call is not None:
            call = frame.call
            self.push(state._replace(site=call, hop=Hop("returned", call, use.expr.span, prev=state.hop)))
        else:
            self.end(state, "returned", at)

    def out_of_closure(self, state: _State, at: Site, closure: hir.Expr) -> None:
        """Go on at the calls of the closure whose result holds the value; elsewhere it may be run too."""
        for reach in _Search(self.world, None).search(Site(closure, state.site.frame)):
            if reach.kind == "called":
                hop = Hop("returned", reach.site, state.site.expr.span, prev=state.hop)
                self.push(state._replace(site=reach.site, hop=hop))
            elif reach.kind not in ("dropped", "ignored", "cloned") and not reach.followed:
                self.end(state, "unknown", at, why="the result of a closure")

    def macro(self, state: _State, at: Site) -> None:
        e = at.expr
        if isinstance(e, hir.Macro) and e.path.name == "vec":
            self.push(state._replace(site=at))
        elif isinstance(e, hir.Macro) and e.form != "opaque":
            self.end(state, "shown" if e.borrows else "operand", at)
        else:
            self.end(state, "captured", at)


def _passes_on(e: hir.MethodCall) -> bool:
    """Whether the method gives its receiver's value, or elements of it."""
    return e.name in INNER or e.name in ELEMENTS or (e.name in SAME and not e.args)


def _taken(within: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """What is left inside after one step; a value that is not known to be wrapped is taken as it is."""
    return within[1:] if within and within[0] == step else within


def _inside(steps: tuple[Step, ...], within: tuple[Step, ...]) -> tuple[Step, ...] | None:
    """Where the value lies in what `steps` take of the whole; None if they take something else.

    A value of its own that is taken apart goes on as if it were the part, where that is the payload of an
    `Option` or `Result` or an element.
    """
    for step in steps:
        if within:
            if within[0].kind != step.kind or (step.name and within[0].name and within[0].name != step.name):
                return None
            within = within[1:]
        elif step.kind == "field":
            return None
    return within


def _inside_use(use: hir.Expr, d: Definition, within: tuple[Step, ...]) -> tuple[Step, ...] | str | None:
    """Where the value lies in what a use reads; "part" if only a field of it is read, None if something else
    is."""
    found = place_of(use)
    if found is None:
        return None
    place, rest = found
    names, base = (*place.fields, *rest), d.place.fields
    if len(names) < len(base):
        return (*(Step("field", name) for name in base[len(names) :]), *within)
    for name in names[len(base) :]:
        if not within:
            return "part"
        if within[0].kind != "field" or within[0].name not in ("", name):
            return None
        within = within[1:]
    return within


def _wrapping(e: hir.Call) -> tuple[Step, ...] | None:
    """The steps into `Some(x)`, `Ok(x)`, `Box::new(x)`; None for other calls."""
    if not isinstance(e.callee, hir.PathExpr) or len(e.args) != 1:
        return None
    segments = e.callee.path.segments
    name = segments[-1].name
    if name in ("Some", "Ok"):
        return (PAYLOAD,)
    return () if len(segments) > 1 and name == "new" and segments[-2].name in ("Box", "Arc", "Rc") else None


def reaches(world: World, site: Site, through: Through | None = None, whole: bool = False) -> list[Reach]:
    """What happens to the value of a site, in no particular order of time; of an `Option` or `Result`, if it is to
    stay `whole`, nothing of what is inside of it: to take that out is an operation on it.

    Struct and variant constructors of the package count as operands of a call. What happens after a return to
    callers outside of the frame is not followed.
    """
    return _Search(world, through, whole).search(site)


def reaches_of(world: World, origin: Origin, through: Through | None = None) -> list[Reach]:
    """What happens to the value of an origin; to that of a parameter from where it is bound."""
    return _Search(world, through).start(origin)


def bindings(world: World, site: Site) -> list[Definition]:
    """The definitions that bind the value of a site as it is, or a copy of it, in the body around it."""
    search = _Search(world, None)
    search.search(site)
    return [definition for definition, frame in search.bindings if frame is site.frame]
