"""Types of what branches, loops, binds and returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.iterate import item_of
from burnlint.burn.infer.model import BOOL, NEVER, UNIT, Con, Type, Var, prune
from burnlint.burn.infer.patterns import bind
from burnlint.rust import hir
from burnlint.rust.types import InferType
from burnlint.rust.visit import locals_in

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver
    from burnlint.rust.cfg import Condition


def block(s: Solver, e: hir.Block, want: Type | None) -> Type:
    if e.kind in ("async", "gen", "try"):
        return _own_result(s, e, want)
    if e.label is not None:
        s.loops.append((e.label, []))
        made = _statements(s, e, want)
        _, values = s.loops.pop()
        return _join(s, [made, *values], want) if values else made
    return _statements(s, e, want)


def _own_result(s: Solver, e: hir.Block, want: Type | None) -> Type:
    """A block in which `return` and `?` end the block, not the function."""
    result: Type = Var()
    s.results.append(result)
    made = _statements(s, e, None)
    s.results.pop()
    if e.kind != "async":
        return Var(f"{e.kind} block")
    s.coerce(made, result)
    return Con("Future", (result,))


def _statements(s: Solver, e: hir.Block, want: Type | None) -> Type:
    diverged = False
    guarded = _alternatives(e.statements)
    conditional: dict[str, list[tuple[Condition, hir.Local]]] = {}
    for statement in e.statements:
        if isinstance(statement, hir.ItemStatement):
            continue
        outer = _open_variables(s) if statement in guarded else ()
        if isinstance(statement, hir.Let):
            diverged = _let(s, statement) or diverged
            if statement.cfg is not None:
                _agreeing(s, statement, statement.cfg, conditional)
        elif isinstance(statement, hir.ExprStatement):
            made = s.check(statement.expr, None if statement.semicolon else UNIT)
            diverged = diverged or prune(made) is NEVER
        for var in outer:
            if var.to is not None:
                # What one alternative says about a value from outside does not hold in the other.
                var.to = Var("used under one of several cfgs")
    if e.tail is not None:
        return s.check(e.tail, want)
    return NEVER if diverged else UNIT


def _alternatives(statements: list[hir.Statement]) -> list[hir.Statement]:
    """The statements under a condition, if there are several conditions in the block: features are often
    alternatives even where nothing says so."""
    conditional = [each for each in statements if isinstance(each, hir.Let | hir.ExprStatement) and each.cfg]
    cfgs = {each.cfg for each in conditional if isinstance(each, hir.Let | hir.ExprStatement)}
    return list(conditional) if len(cfgs) > 1 else []


def _open_variables(s: Solver) -> list[Var]:
    """The variables in the types of the locals so far."""
    found: dict[int, Var] = {}
    stack: list[Type] = list(s.locals)
    while stack:
        top = prune(stack.pop())
        if isinstance(top, Var):
            found[id(top)] = top
        elif isinstance(top, Con) and not top.ground:
            stack.extend(top.args)
    return list(found.values())


def _let(s: Solver, let: hir.Let) -> bool:
    """A `let`; whether its initialiser never arrives."""
    if let.type is not None and not isinstance(let.type, InferType):
        type = s.written(let.type)
        got = s.check(let.init, type) if let.init is not None else None
        if got is not None:
            s.coerce(got, type)
    elif let.init is not None:
        got = s.check(let.init)
        type = got if prune(got) is not NEVER else Var()
    else:
        got, type = None, Var()
    if let.otherwise is not None:
        s.check(let.otherwise)
    bind(s, let.pattern, type)
    return got is not None and prune(got) is NEVER


def _agreeing(
    s: Solver, let: hir.Let, cfg: Condition, conditional: dict[str, list[tuple[Condition, hir.Local]]]
) -> None:
    """Bindings that several `let`s under conditions define are known only where all of them agree."""
    for local in locals_in(let.pattern):
        before = conditional.setdefault(local.name, [])
        for other, theirs in before:
            if other != cfg and not _agree(s.locals[theirs.id], s.locals[local.id]):
                s.locals[local.id] = Var("defined differently under several cfgs")
        before.append((cfg, local))


def _agree(a: Type, b: Type) -> bool:
    a, b = prune(a), prune(b)
    if a is b:
        return True
    if isinstance(a, Con) and isinstance(b, Con):
        return a.head == b.head and len(a.args) == len(b.args) and all(map(_agree, a.args, b.args))
    return isinstance(a, Var) and isinstance(b, Var) and bool(a.sort) and a.sort == b.sort


def if_(s: Solver, e: hir.If, want: Type | None) -> Type:
    s.check(e.condition, BOOL)
    then = s.check(e.then, want)
    if e.otherwise is None:
        return UNIT
    if want is None:
        known = prune(then)
        want = known if isinstance(known, Con) and known is not NEVER else None
    return _join(s, [then, s.check(e.otherwise, want)], want)


def _join(s: Solver, types: list[Type], want: Type | None) -> Type:
    """The type of a value that comes from several places."""
    arriving = [t for t in types if prune(t) is not NEVER]
    if not arriving:
        return NEVER
    if len(arriving) == 1:
        return arriving[0]
    made = arriving[0]
    wanted = prune(want) if want is not None else None
    if isinstance(wanted, Con) and wanted.head in ("Box", "&", "&mut", "Arc", "Rc", "fn", "dyn"):
        # Each place coerces to what is asked for.
        made = wanted
        for each in arriving:
            s.coerce(each, made)
        return made
    first = prune(made)
    if isinstance(first, Var) and first.why:
        known = next((t for t in map(prune, arriving) if not (isinstance(t, Var) and t.why)), None)
        if known is not None:
            made = known
    for each in arriving:
        s.coerce(each, made)
    return made


def let_condition(s: Solver, e: hir.LetCond, want: Type | None) -> Type:
    bind(s, e.pattern, s.check(e.value))
    return BOOL


def match_(s: Solver, e: hir.Match, want: Type | None) -> Type:
    scrutinee = s.check(e.scrutinee)
    made: list[Type] = []
    hint = want
    for arm in e.arms:
        bind(s, arm.pattern, scrutinee)
        if arm.guard is not None:
            s.check(arm.guard, BOOL)
        got = s.check(arm.body, hint)
        if hint is None:
            known = prune(got)
            hint = known if isinstance(known, Con) and known is not NEVER else None
        made.append(got)
    return _join(s, made, want)


def loop(s: Solver, e: hir.Loop, want: Type | None) -> Type:
    s.loops.append((e.label, []))
    s.check(e.body)
    _, values = s.loops.pop()
    return _join(s, values, want) if values else NEVER


def while_(s: Solver, e: hir.While, want: Type | None) -> Type:
    s.check(e.condition, BOOL)
    s.loops.append((e.label, []))
    s.check(e.body)
    s.loops.pop()
    return UNIT


def for_(s: Solver, e: hir.For, want: Type | None) -> Type:
    iterable = s.check(e.iterable)
    s.known(iterable)
    item = item_of(s, iterable)
    if item is None:
        item = s.awaited(lambda: item_of(s, iterable), Var("item of an unknown iterator"))
    bind(s, e.pattern, item)
    s.loops.append((e.label, []))
    s.check(e.body)
    s.loops.pop()
    return UNIT


def closure(s: Solver, e: hir.Closure, want: Type | None) -> Type:
    asked = _asked_closure(want)
    params: list[Type] = []
    for at, (pattern, expr) in enumerate(e.params):
        hint = asked.args[at] if asked is not None and at < len(asked.args) - 1 else None
        type: Type
        if expr is not None:
            type = s.written(expr)
            if hint is not None:
                s.unify(type, hint)
        else:
            # rustc has an expectation, or finds the type in the closure's body.
            type = hint if hint is not None else Var("" if want is None else "closure parameter")
        bind(s, pattern, type)
        params.append(type)
    result: Type = Var()
    if e.result is not None:
        result = s.written(e.result)
    elif asked is not None and not e.is_async:
        result = asked.args[-1]
    s.results.append(result)
    got = s.check(e.body, result)
    s.results.pop()
    s.coerce(got, result)
    if e.is_async:
        result = Con("Future", (result,))
    return Con("fn", (*params, result))


def _asked_closure(want: Type | None) -> Con | None:
    """The closure trait that a place asks for, through `Box<dyn ..>`, `&dyn ..` and `impl ..`."""
    wanted = prune(want) if want is not None else None
    for _ in range(4):
        if not isinstance(wanted, Con):
            return None
        if wanted.head == "fn":
            return wanted
        if not wanted.args:
            return None
        wanted = prune(wanted.args[0])
    return None


def return_(s: Solver, e: hir.Return, want: Type | None) -> Type:
    result = s.results[-1]
    if e.value is not None:
        s.coerce(s.check(e.value, result), result)
    else:
        s.unify(result, UNIT)
    return NEVER


def break_(s: Solver, e: hir.Break, want: Type | None) -> Type:
    target = next((v for label, v in reversed(s.loops) if e.label is None or label == e.label), None)
    made = s.check(e.value) if e.value is not None else UNIT
    if target is not None:
        target.append(made)
    return NEVER


def continue_(s: Solver, e: hir.Continue, want: Type | None) -> Type:
    return NEVER


def try_(s: Solver, e: hir.Try, want: Type | None) -> Type:
    operand = s.check(e.operand)
    s.known(operand)
    made: Type = Var("`?` on an unknown value")

    def reach() -> bool:
        known = prune(operand)
        if isinstance(known, Con):
            if known.head in ("Option", "Result") and known.args:
                s.unify(made, known.args[0])
            return True
        return not isinstance(known, Var)

    known = prune(operand)
    if isinstance(known, Con) and known.head in ("Option", "Result") and known.args:
        return known.args[0]
    s.later(reach)
    return made


def await_(s: Solver, e: hir.Await, want: Type | None) -> Type:
    operand = s.check(e.operand)
    known = s.known(operand)
    for _ in range(4):
        if isinstance(known, Con) and known.head in ("Box", "Pin", "&mut"):
            known = prune(known.args[0])
    if isinstance(known, Con):
        if known.head == "Future":
            return known.args[0]
        if known.head in ("impl", "dyn"):
            for bound in known.args:
                if isinstance(bound, Con):
                    for arg in bound.args:
                        if isinstance(arg, Con) and arg.head == "=Output":
                            return arg.args[0]
    made = Var("await of an unknown future")

    def reach() -> bool:
        late = prune(operand)
        if isinstance(late, Con) and late.head == "Future":
            s.unify(made, late.args[0])
            return True
        return isinstance(late, Con)

    s.later(reach)
    return made


def assign(s: Solver, e: hir.Assign, want: Type | None) -> Type:
    target = e.target
    if isinstance(target, hir.Underscore):
        s.check(target)
        s.check(e.value)
        return UNIT
    # rustc checks the place first; the order of evaluation is the other one.
    place = s.check(target)
    s.coerce(s.check(e.value, place), place)
    return UNIT


def underscore(s: Solver, e: hir.Underscore, want: Type | None) -> Type:
    return Var("")


HANDLERS = {
    hir.Block: block,
    hir.If: if_,
    hir.LetCond: let_condition,
    hir.Match: match_,
    hir.Loop: loop,
    hir.While: while_,
    hir.For: for_,
    hir.Closure: closure,
    hir.Return: return_,
    hir.Break: break_,
    hir.Continue: continue_,
    hir.Try: try_,
    hir.Await: await_,
    hir.Assign: assign,
    hir.Underscore: underscore,
}
