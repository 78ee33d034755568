"""Evaluation of what branches, repeats and jumps.

A closure's body stands where the closure is made, as a loop of zero or more rounds: what it captures by
reference cannot be touched by others while it lives, so for definitions and uses this is exact enough
whenever it really runs. An async block likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from burnlint.rust import hir
from burnlint.rust.flow_blocks import Blocks, Exit, Target, Walk
from burnlint.rust.flow_closures import runs
from burnlint.rust.flow_defs import Step
from burnlint.rust.flow_graph import BACK, ENDLESS, ONWARD, Scope

ELEMENT = Step("element")


def _binary(b: Blocks, e: hir.Binary) -> Walk:
    yield e.left
    if e.op not in ("&&", "||"):
        yield e.right
        return
    left = b.block
    b.block = b.new(left)
    yield e.right
    b.block = b.new(left, b.block)


def _condition(b: Blocks, condition: hir.Expr) -> Generator[hir.Expr, None, list[int]]:
    """Evaluate a condition up to where it holds; the blocks from which it does not hold are returned."""
    parts, joined = [], []
    at = condition
    while isinstance(at, hir.Binary) and at.op == "&&":
        joined.append(at)
        parts.append(at.right)
        at = at.left
    parts.append(at)
    failing = []
    for part in reversed(parts):
        if isinstance(part, hir.LetCond):
            b.graph.scopes[part.id] = b.scope
            yield part.value
            failing.append(b.block)
            b.block = b.new(b.block)
            b.bind("pattern", part.pattern, part.value, part)
            b.end(part)
        else:
            yield part
            failing.append(b.block)
            b.block = b.new(b.block)
    for both in joined:
        b.graph.scopes[both.id] = b.scope
        b.end(both)
    return failing


def _let_condition(b: Blocks, e: hir.LetCond) -> Walk:
    yield e.value
    b.bind("pattern", e.pattern, e.value, e)


def _if(b: Blocks, e: hir.If) -> Walk:
    failing = yield from _condition(b, e.condition)
    yield e.then
    then = b.block
    if e.otherwise is None:
        b.block = b.new(then, *failing)
        return
    b.block = b.new(*failing)
    yield e.otherwise
    b.block = b.new(then, b.block)


def _match(b: Blocks, e: hir.Match) -> Walk:
    yield e.scrutinee
    tried, ends = [b.block], []
    for arm in e.arms:
        b.block = b.new(*tried)
        b.bind("pattern", arm.pattern, e.scrutinee, e, cfg=arm.cfg)
        if arm.guard is not None:
            tried += yield from _condition(b, arm.guard)
        yield arm.body
        ends.append(b.block)
    b.block = b.new(*ends)


def _block(b: Blocks, e: hir.Block) -> Walk:
    if e.kind in ("async", "gen"):
        yield from _async(b, e)
        return
    if e.label is None and e.kind != "try":
        yield from _statements(b, e)
        return
    after = b.new()
    if e.label is not None:
        b.targets.append(Target(e.label, e, None, after, after))
    if e.kind == "try":
        b.exits.append(Exit(after, None, after))
    yield from _statements(b, e)
    if e.kind == "try":
        b.exits.pop()
    if e.label is not None:
        b.targets.pop()
    b.link(b.block, after)
    b.block = after


def _statements(b: Blocks, e: hir.Block) -> Walk:
    for statement in e.statements:
        if isinstance(statement, hir.Let):
            yield from _let(b, statement)
        elif isinstance(statement, hir.ExprStatement):
            before = b.block
            if statement.cfg is not None:
                b.block = b.new(before)
            yield statement.expr
            if statement.cfg is not None:
                b.block = b.new(before, b.block)
    if e.tail is not None:
        yield e.tail


def _let(b: Blocks, e: hir.Let) -> Walk:
    if e.init is None:
        b.bind("declared", e.pattern, None, None, cfg=e.cfg)
        return
    yield e.init
    if e.otherwise is not None:
        matched = b.block
        b.block = b.new(matched)
        yield e.otherwise
        # The else block never comes here.
        b.block = b.new(matched)
    b.bind("let", e.pattern, e.init, None, cfg=e.cfg)


def _enter(b: Blocks, e: hir.Expr, kind: str, repeats: bool | None = True, deferred: bool = False) -> Scope:
    b.scope = Scope(b.scope_count, e, kind, b.scope, repeats, deferred)
    b.scope_count += 1
    return b.scope


def _leave(b: Blocks, scope: Scope) -> None:
    b.scope = scope.outer


def _round(b: Blocks, scope: Scope, head: int, after: int, onward: bool = True) -> None:
    """The end of a round: back to the head; without telling rounds apart, on past the loop."""
    b.link(b.block, head, BACK, scope)
    b.link(b.block, after, ONWARD if onward else ENDLESS)


def _loop_body(b: Blocks, e: hir.Loop | hir.While | hir.For, scope: Scope, head: int, after: int) -> Walk:
    target = Target(e.label, e, scope, head, after)
    b.targets.append(target)
    yield e.body
    b.targets.pop()
    if isinstance(e, hir.Loop) and not target.breaks:
        _round(b, scope, head, b.exit, onward=False)
    else:
        _round(b, scope, head, after)


def _loop(b: Blocks, e: hir.Loop) -> Walk:
    head, after = b.new(b.block), b.new()
    scope = _enter(b, e, "loop")
    b.block = head
    yield from _loop_body(b, e, scope, head, after)
    _leave(b, scope)
    b.block = after


def _while(b: Blocks, e: hir.While) -> Walk:
    head, after = b.new(b.block), b.new()
    scope = _enter(b, e, "while")
    b.block = head
    failing = yield from _condition(b, e.condition)
    for block in failing:
        b.link(block, after)
    yield from _loop_body(b, e, scope, head, after)
    _leave(b, scope)
    b.block = after


def _for(b: Blocks, e: hir.For) -> Walk:
    yield e.iterable
    head, after = b.new(b.block), b.new()
    b.link(head, after)
    scope = _enter(b, e, "for")
    b.block = b.new(head)
    b.bind("for", e.pattern, e.iterable, e, first=(ELEMENT,))
    yield from _loop_body(b, e, scope, head, after)
    _leave(b, scope)
    b.block = after


def _closure(b: Blocks, e: hir.Closure) -> Walk:
    repeats, done = runs(e, b.roles)
    yield from _later(b, e, e.body, "closure", repeats, not done)


def _async(b: Blocks, e: hir.Block) -> Walk:
    yield from _later(b, e, None, "async", False, True)


def _later(
    b: Blocks,
    e: hir.Closure | hir.Block,
    body: hir.Expr | None,
    kind: str,
    repeats: bool | None,
    deferred: bool,
) -> Walk:
    head, after = b.new(b.block), b.new()
    b.link(head, after)
    scope = _enter(b, e, kind, repeats, deferred)
    targets, b.targets = b.targets, []
    b.exits.append(Exit(head, scope, after))
    b.block = b.new(head)
    if isinstance(e, hir.Closure):
        for index, (pattern, _) in enumerate(e.params):
            b.bind("closure_param", pattern, None, e, index=index)
    if body is not None:
        yield body
    else:
        assert isinstance(e, hir.Block)
        yield from _statements(b, e)
    _round(b, scope, head, after)
    b.exits.pop()
    b.targets = targets
    _leave(b, scope)
    b.block = after


def _return(b: Blocks, e: hir.Return) -> Walk:
    if e.value is not None:
        yield e.value
    to = b.exits[-1]
    b.jump(to.block, to.scope, to.after)
    b.diverge(e)


def _try(b: Blocks, e: hir.Try) -> Walk:
    yield e.operand
    b.may_return()


def _find(b: Blocks, label: str | None) -> Target | None:
    for target in reversed(b.targets):
        if target.label == label if label is not None else target.scope is not None:
            return target
    return None


def _break(b: Blocks, e: hir.Break) -> Walk:
    if e.value is not None:
        yield e.value
    target = _find(b, e.label)
    if target is not None:
        target.breaks = True
        if e.value is not None:
            b.graph.breaks.setdefault(target.loop.id, []).append(e)
        b.link(b.block, target.after)
    b.diverge(e)


def _continue(b: Blocks, e: hir.Continue) -> Walk:
    target = _find(b, e.label)
    if target is not None and target.scope is not None:
        b.jump(target.head, target.scope, target.after)
    b.diverge(e)
    yield from ()


VISITS: dict[type[hir.Expr], Callable[[Blocks, Any], Walk]] = {
    hir.Binary: _binary,
    hir.LetCond: _let_condition,
    hir.If: _if,
    hir.Match: _match,
    hir.Block: _block,
    hir.Loop: _loop,
    hir.While: _while,
    hir.For: _for,
    hir.Closure: _closure,
    hir.Return: _return,
    hir.Break: _break,
    hir.Continue: _continue,
    hir.Try: _try,
}
