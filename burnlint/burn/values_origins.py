"""Where a value comes from: back through bindings, clones, references, branches, parts and functions of the
package."""

from __future__ import annotations

from dataclasses import dataclass

from burnlint.burn.calls import field_order
from burnlint.burn.values_site import MAX_FRAMES, PAYLOAD, Hop, Site, World, normal
from burnlint.rust import hir
from burnlint.rust.flow import Definition, Step, changed_part, project

MAX_STEPS = 400
"""Steps that one question may take; what needs more is unknown."""

SAME = frozenset(
    {
        "clone",
        "to_owned",
        "as_ref",
        "as_mut",
        "as_deref",
        "as_deref_mut",
        "by_ref",
        "take",
        "cloned",
        "copied",
    }
)
"""Methods of std that give the receiver's value (`Option::take`, `cloned` of an option)."""

INNER = frozenset({"unwrap", "expect", "unwrap_or_default"})
"""Methods that take the value out of `Some` or `Ok`."""

SAME_PAYLOAD = frozenset(
    {
        "map_err",
        "ok",
        "ok_or",
        "ok_or_else",
        "context",
        "with_context",
        "inspect",
        "inspect_err",
        "as_ref",
        "as_mut",
    }
)
"""Methods of `Option` and `Result` (and of anyhow) that keep what is inside of `Some` or `Ok`."""

ELEMENTS = frozenset(
    {
        "iter",
        "iter_mut",
        "into_iter",
        "rev",
        "skip",
        "take",
        "peekable",
        "cloned",
        "copied",
        "by_ref",
        "step_by",
    }
)
"""Iterator methods that yield the receiver's elements."""

BOXES = frozenset({"Box", "Arc", "Rc"})


@dataclass(
    slots=True, eq=False
)  # Not frozen, like all that is made by the ten thousand: it would double the cost.
class Origin:
    """One place a value may come from.

    `kind`: "operation" (the result of a call, method or operator), "param" (a parameter of the body asked
    about; `index`, -1 for self), "literal", "item" (a constant or static), "new" (a struct, tuple, array or
    closure written there), "changed" (something changed it in place: `site` is what, `before` where the value
    was read from), "closure_param" (given by whoever runs the closure), "unknown" (`why`).
    `steps` lead from the value at `site` to the part in question; `hop` is the last step on the way, iterable
    back to the question.
    """

    kind: str
    site: Site
    steps: tuple[Step, ...] = ()
    hop: Hop | None = None
    index: int = 0
    before: Site | None = None
    why: str = ""

    @property
    def expr(self) -> hir.Expr:
        """The expression at the site."""
        return self.site.expr

    @property
    def carried(self) -> bool:
        """Whether the value may stem from an earlier round of a loop: what is evaluated at `site` now is
        another one."""
        return any(hop.kind == "carried" for hop in self.hop or ())


@dataclass(slots=True, frozen=True)
class Origins:
    """All places a value may come from. `certain` is False where a conditional compilation or an earlier
    value may hide others."""

    items: tuple[Origin, ...]
    certain: bool = True

    @property
    def must(self) -> Origin | None:
        """The one origin on every path, if it is known that there is no other."""
        if len(self.items) == 1 and self.certain and self.items[0].kind != "unknown":
            return self.items[0]
        return None

    @property
    def known(self) -> bool:
        """Whether the list is complete."""
        return self.certain and all(o.kind != "unknown" for o in self.items)


class _Search:
    """One question, from a site backwards."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.found: list[Origin] = []
        self.certain = True
        self.seen: set[tuple[hir.Expr, int, tuple[Step, ...]]] = set()
        self.pending: list[tuple[Site, tuple[Step, ...], Hop | None]] = []

    def run(self, site: Site, steps: tuple[Step, ...]) -> Origins:
        self.push(site, steps, None)
        count = 0
        while self.pending:
            site, steps, hop = self.pending.pop()
            count += 1
            if count > MAX_STEPS:
                self.end("unknown", site, steps, hop, why="too many steps")
                break
            self.expand(site, steps, hop)
        return Origins(tuple(self.found), self.certain)

    def push(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> None:
        expr, steps = project(site.expr, steps)
        frame = site.frame.home_of(expr)
        key = (expr, id(frame), steps)
        if key not in self.seen:
            self.seen.add(key)
            self.pending.append((Site(expr, frame), steps, hop))

    def end(self, kind: str, site: Site, steps: tuple[Step, ...], hop: Hop | None, **more: object) -> None:
        self.found.append(Origin(kind, site, steps, hop, **more))  # type: ignore[arg-type]

    def expand(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> None:
        e, frame = site
        match e:
            case hir.LocalRef():
                self.read(site, steps, hop)
            case hir.Field():
                if not self.read(site, steps, hop):
                    self.push(Site(e.base, frame), (Step("field", e.name), *steps), hop)
            case hir.Ref() | hir.Deref() | hir.Cast() | hir.Await():
                self.push(Site(e.operand, frame), steps, hop)
            case hir.Try():
                self.push(Site(e.operand, frame), (PAYLOAD, *steps), Hop("payload", site, e.span, prev=hop))
            case hir.Index():
                element = Hop("element", site, e.span, prev=hop)
                self.push(Site(e.base, frame), (Step("element"), *steps), element)
            case hir.Macro(path=path, args=[inner]) if path.name == "vec":
                self.push(Site(inner, frame), steps, hop)
            case hir.Block() | hir.If() | hir.Match() | hir.Loop() | hir.Unknown(why="cfg alternatives"):
                self.branches(site, steps, hop)
            case hir.Call() | hir.MethodCall():
                self.call(site, steps, hop)
            case hir.Binary() | hir.Unary() | hir.AssignOp():
                self.end("operation", site, steps, hop)
            case hir.Literal():
                self.end("literal", site, steps, hop)
            case hir.PathExpr():
                if _looks_local(e) and self.world.facts(frame.body).term(e) is None:
                    self.end("unknown", site, steps, hop, why=f"nothing in sight declares `{e.path.name}`")
                elif not (steps and e.path.name == "None"):
                    self.end("item", site, steps, hop)
            case hir.StructLit() if (
                steps and e.base is not None and not any(f.name == steps[0].name for f in e.fields)
            ):
                self.push(Site(e.base, frame), steps, hop)
            case hir.StructLit() | hir.Tuple() | hir.Array() | hir.Repeat() | hir.Closure() | hir.Range():
                self.end("new", site, steps, hop)
            case _:
                self.end("unknown", site, steps, hop, why=_why(e))

    def branches(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> None:
        outcomes = self.world.flow(site.frame.body).outcomes(site.expr)
        if site.expr in outcomes:
            self.end("unknown", site, steps, hop, why="a block without a value")
            return
        if isinstance(site.expr, hir.Unknown):
            self.certain = False
        for outcome in outcomes:
            self.push(Site(outcome, site.frame), steps, hop)

    def read(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> bool:
        """Go on from a place to what defines it; False if it is no place."""
        flow = self.world.flow(site.frame.body)
        reaching = flow.reaching(site.expr)
        if reaching.place is None:
            return False
        if not reaching.definitions:
            self.end("unknown", site, steps, hop, why="no definition of the binding in sight")
        if reaching.carried:
            hop = Hop("carried", site, site.expr.span, prev=hop)
        for definition in reaching.definitions:
            self.certain = self.certain and definition.cfg is None
            whole = (*normal(reaching.steps(definition)), *steps)
            self.defined(site, definition, whole, hop)
        for definition in reaching.partial:
            if not self._kept(site, definition):
                self.changed(site, definition, steps, hop)
        return True

    def defined(self, site: Site, d: Definition, steps: tuple[Step, ...], hop: Hop | None) -> None:
        frame = site.frame
        bound = Hop("bound", site, d.span, str(d.place), hop)
        if d.kind in ("self", "param"):
            index = -1 if d.kind == "self" else d.index
            while frame.outer is not None:
                frame = frame.outer
            site = Site(site.expr, frame)
            passed = self._argument(frame.call, index)
            if passed is not None:
                self.push(passed, steps, Hop("passed", passed, passed.expr.span, str(d.place), hop))
            else:
                self.end("param", site, steps, bound, index=index)
        elif d.kind == "closure_param":
            self.closure_param(site, d, steps, hop)
        elif d.kind == "modified":
            if self._kept(site, d):
                before = changed_part(d)
                assert before is not None
                self.push(Site(before, frame), steps, hop)
            else:
                self.changed(site, d, steps, hop)
        elif d.value is not None:
            if d.kind == "for" and d.expr is not None:
                bound = Hop("element", Site(d.expr, frame), d.span, str(d.place), hop)
            self.push(Site(d.value, frame), steps, bound)

    def closure_param(self, site: Site, d: Definition, steps: tuple[Step, ...], hop: Hop | None) -> None:
        frame = site.frame
        while frame.outer is not None and frame.closure is not d.expr:
            frame = frame.outer
        call = frame.call if frame.closure is d.expr else None
        if call is not None and isinstance(call.expr, hir.Call) and d.index < len(call.expr.args):
            passed = Site(call.expr.args[d.index], call.frame)
            self.push(passed, steps, Hop("passed", passed, passed.expr.span, str(d.place), hop))
            return
        assert d.expr is not None
        bound = Hop("bound", site, d.span, str(d.place), hop)
        self.end("closure_param", Site(d.expr, frame), steps, bound, index=d.index)

    def _argument(self, call: Site | None, index: int) -> Site | None:
        """What a call passes for a parameter (-1 for self)."""
        if call is None:
            return None
        facts = self.world.facts(call.frame.body)
        target, operands = facts.target(call.expr), facts.operands(call.expr)
        if target is None or target.fn is None:
            return None
        at = index + 1 if target.fn.self_mode else index
        return Site(operands[at], call.frame) if 0 <= at < len(operands) else None

    def _kept(self, site: Site, d: Definition) -> bool:
        """Whether what might have changed the place certainly did not."""
        if d.kind != "modified" or not isinstance(d.expr, hir.Call | hir.MethodCall):
            return False
        target = self.world.facts(site.frame.body).target(d.expr)
        if target is None or target.fn is None:
            return False
        operand = d.index + 1 if isinstance(d.expr, hir.MethodCall) else d.index
        return self.world.keeps(target.fn, operand)

    def changed(self, site: Site, d: Definition, steps: tuple[Step, ...], hop: Hop | None) -> None:
        before = changed_part(d)
        self.end(
            "changed",
            Site(d.expr or site.expr, site.frame),
            steps,
            Hop("changed", site, d.span, str(d.place), hop),
            before=Site(before, site.frame) if before is not None else None,
        )

    def call(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> None:
        e, frame = site
        facts = self.world.facts(frame.body)
        target = facts.target(e)
        if target is not None and target.fn is not None:
            body = self.world.callee_body(target) if frame.depth < MAX_FRAMES else None
            returned = self.world.flow(body).returned if body is not None else []
            if body is None or not returned:
                self.end("operation", site, steps, hop)
                return
            inner = frame.enter(e, body)
            for value in returned:
                self.push(Site(value, inner), steps, Hop("returned", site, e.span, target.fn.name, hop))
        elif isinstance(e, hir.MethodCall):
            self.method(site, e, steps, hop)
        elif isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
            self.constructor(site, e, steps, hop)
        else:
            self.closure_call(site, steps, hop)

    def closure_call(self, site: Site, steps: tuple[Step, ...], hop: Hop | None) -> None:
        """A call of a value: of a closure, if it is one that is written in sight."""
        e, frame = site
        assert isinstance(e, hir.Call)
        made = origins(self.world, Site(e.callee, frame)).must
        if made is None or not isinstance(made.expr, hir.Closure) or made.steps or frame.depth >= MAX_FRAMES:
            self.end("operation", site, steps, hop)
            return
        inner = frame.run(e, made.site)
        for value in self.world.flow(inner.body).returned_by(made.expr):
            self.push(Site(value, inner), steps, Hop("returned", site, e.span, prev=hop))

    def method(self, site: Site, e: hir.MethodCall, steps: tuple[Step, ...], hop: Hop | None) -> None:
        receiver = Site(e.receiver, site.frame)
        element = bool(steps) and steps[0].kind == "element"
        if steps and steps[0] == PAYLOAD and e.name in SAME_PAYLOAD:
            self.push(receiver, steps, hop)
        elif e.name in INNER:
            self.push(receiver, (PAYLOAD, *steps), Hop("payload", site, e.span, prev=hop))
        elif element and e.name in ELEMENTS:
            self.push(receiver, steps, hop)
        elif element and e.name == "enumerate" and len(steps) > 1 and steps[1].name == "1":
            self.push(receiver, (steps[0], *steps[2:]), hop)
        elif element and e.name == "zip" and len(steps) > 1 and steps[1].name in ("0", "1") and e.args:
            side = receiver if steps[1].name == "0" else Site(e.args[0], site.frame)
            self.push(side, (steps[0], *steps[2:]), hop)
        elif e.name in SAME and not e.args:
            self.push(receiver, steps, Hop("clone", site, e.span, prev=hop) if e.name == "clone" else hop)
        else:
            self.end("operation", site, steps, hop)

    def constructor(self, site: Site, e: hir.Call, steps: tuple[Step, ...], hop: Hop | None) -> None:
        assert isinstance(e.callee, hir.PathExpr)
        segments = e.callee.path.segments
        name = segments[-1].name
        target = self.world.facts(site.frame.body).target(e)
        filled = (
            field_order(target, name) if target is not None and steps and steps[0].kind == "field" else []
        )
        if len(filled) == len(e.args) and filled and steps[0].name in filled:
            self.push(Site(e.args[filled.index(steps[0].name)], site.frame), steps[1:], hop)
        elif name in ("Some", "Ok") and steps and steps[0] == PAYLOAD and len(e.args) == 1:
            self.push(Site(e.args[0], site.frame), steps[1:], hop)
        elif name in ("Err", "None") and steps and steps[0] == PAYLOAD:
            return  # The payload of `Ok` is not there: this path has left by `?`.
        elif len(segments) > 1 and name == "new" and segments[-2].name in BOXES and len(e.args) == 1:
            self.push(Site(e.args[0], site.frame), steps, hop)
        elif (
            len(segments) > 1
            and name in ("clone", "take", "replace")
            and e.args
            and _of_std(segments[-2].name)
        ):
            # `Arc::clone(&x)`, `mem::take(&mut x)`, `mem::replace(&mut x, y)`: the value that was in x.
            self.push(
                Site(e.args[0], site.frame),
                steps,
                Hop("clone", site, e.span, prev=hop) if name == "clone" else hop,
            )
        else:
            self.end("operation", site, steps, hop)


def _of_std(owner: str) -> bool:
    return owner in ("Arc", "Rc", "Clone", "mem", "Option")


def _looks_local(e: hir.PathExpr) -> bool:
    """Whether a name is spelled as that of a local: a macro may have declared one (`cfg_if! { .. let x = .. }`)."""
    return len(e.path.segments) == 1 and e.path.name[:1].islower()


def _why(e: hir.Expr) -> str:
    match e:
        case hir.Macro():
            return f"the macro {e.path}!"
        case hir.Unknown():
            return e.why
    return f"{type(e).__name__.lower()} expression"


def origins(world: World, site: Site, steps: tuple[Step, ...] = ()) -> Origins:
    """Where the value of a site (or the part of it that `steps` lead to) comes from."""
    return _Search(world).run(site, steps)
