"""Where the value of an expression goes inside its body: the role of each expression in the one that holds
it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from burnlint.rust import hir


@dataclass(slots=True)
class Role:
    """What an expression is to `holder`, the expression around it (None for the root of the body).

    Kinds: "root"; "callee", "argument" (`index`), "receiver" (of a method call); "operand" (of an operator,
    reference, cast, `?`, await, index, range; `index` 0 is the left or the indexed one); "item" (of a tuple,
    array or macro); "field" (of a struct literal, `name`); "rest" (`..base`); "base" (of a field access);
    "condition", "scrutinee", "iterable", "guard"; "init" (of the `let` in `statement`); "value" and "target"
    (of an assignment; each part of a target that destructures is one); "result" (of return and break); "body"
    (of a loop or closure); "statement" (its value is dropped); "tail", "branch", "arm": the value of a block,
    `if` or `match`, passed on.
    """

    kind: str
    holder: hir.Expr | None
    index: int = 0
    name: str = ""
    statement: hir.Let | None = None


def roles_of(body: hir.Body) -> list[Role | None]:
    """The role of each expression of a body, by id."""
    roles: list[Role | None] = [None] * len(body.exprs)
    for holder in body.exprs:
        handler = _HOLDERS.get(type(holder))
        if handler is not None:
            handler(holder, roles)
    roles[body.root.id] = Role("root", None)
    return roles


_Roles = list[Role | None]


def _call(e: hir.Call, roles: _Roles) -> None:
    roles[e.callee.id] = Role("callee", e)
    for index, arg in enumerate(e.args):
        roles[arg.id] = Role("argument", e, index)


def _method(e: hir.MethodCall, roles: _Roles) -> None:
    roles[e.receiver.id] = Role("receiver", e)
    for index, arg in enumerate(e.args):
        roles[arg.id] = Role("argument", e, index)


def _operand(e: hir.Unary | hir.Deref | hir.Ref | hir.Cast | hir.Try | hir.Await, roles: _Roles) -> None:
    roles[e.operand.id] = Role("operand", e)


def _pair(left: hir.Expr | None, right: hir.Expr | None, e: hir.Expr, roles: _Roles) -> None:
    for index, part in enumerate((left, right)):
        if part is not None:
            roles[part.id] = Role("operand", e, index)


def _items(e: hir.Tuple | hir.Array, roles: _Roles) -> None:
    for index, item in enumerate(e.items):
        roles[item.id] = Role("item", e, index)


def _args(e: hir.Macro | hir.Unknown, roles: _Roles) -> None:
    for index, item in enumerate(e.args):
        roles[item.id] = Role("item", e, index)


def _struct(e: hir.StructLit, roles: _Roles) -> None:
    for index, field in enumerate(e.fields):
        roles[field.value.id] = Role("field", e, index, field.name)
    if e.base is not None:
        roles[e.base.id] = Role("rest", e)


def _assign(e: hir.Assign | hir.AssignOp, roles: _Roles) -> None:
    roles[e.value.id] = Role("value", e)
    targets = [e.target]
    while targets:
        target = targets.pop()
        roles[target.id] = Role("target", e)
        # The parts of one that destructures are what is inside: their ids, and so their roles, come first.
        if isinstance(target, hir.Tuple | hir.Array):
            targets += target.items
        elif isinstance(target, hir.Call):
            targets += target.args
        elif isinstance(target, hir.StructLit):
            targets += [field.value for field in target.fields]


def _block(e: hir.Block, roles: _Roles) -> None:
    for statement in e.statements:
        if isinstance(statement, hir.ExprStatement):
            roles[statement.expr.id] = Role("statement", e)
        elif isinstance(statement, hir.Let):
            if statement.init is not None:
                roles[statement.init.id] = Role("init", e, statement=statement)
            if statement.otherwise is not None:
                roles[statement.otherwise.id] = Role("statement", e)
    if e.tail is not None:
        roles[e.tail.id] = Role("tail", e)


def _if(e: hir.If, roles: _Roles) -> None:
    roles[e.condition.id] = Role("condition", e)
    roles[e.then.id] = Role("branch", e)
    if e.otherwise is not None:
        roles[e.otherwise.id] = Role("branch", e, 1)


def _match(e: hir.Match, roles: _Roles) -> None:
    roles[e.scrutinee.id] = Role("scrutinee", e)
    for index, arm in enumerate(e.arms):
        if arm.guard is not None:
            roles[arm.guard.id] = Role("guard", e, index)
        roles[arm.body.id] = Role("arm", e, index)


def _let_condition(e: hir.LetCond, roles: _Roles) -> None:
    roles[e.value.id] = Role("scrutinee", e)


def _loop(e: hir.Loop | hir.While | hir.For, roles: _Roles) -> None:
    roles[e.body.id] = Role("body", e)
    if isinstance(e, hir.While):
        roles[e.condition.id] = Role("condition", e)
    elif isinstance(e, hir.For):
        roles[e.iterable.id] = Role("iterable", e)


def _closure(e: hir.Closure, roles: _Roles) -> None:
    roles[e.body.id] = Role("body", e)


def _result(e: hir.Return | hir.Break, roles: _Roles) -> None:
    if e.value is not None:
        roles[e.value.id] = Role("result", e)


def _field(e: hir.Field, roles: _Roles) -> None:
    roles[e.base.id] = Role("base", e)


def _binary(e: hir.Binary, roles: _Roles) -> None:
    _pair(e.left, e.right, e, roles)


def _index(e: hir.Index, roles: _Roles) -> None:
    _pair(e.base, e.index, e, roles)


def _range(e: hir.Range, roles: _Roles) -> None:
    _pair(e.low, e.high, e, roles)


def _repeat(e: hir.Repeat, roles: _Roles) -> None:
    _pair(e.item, e.length, e, roles)


_HOLDERS: dict[type[hir.Expr], Callable[[Any, _Roles], None]] = {
    hir.Call: _call,
    hir.MethodCall: _method,
    hir.Unary: _operand,
    hir.Deref: _operand,
    hir.Ref: _operand,
    hir.Cast: _operand,
    hir.Try: _operand,
    hir.Await: _operand,
    hir.Binary: _binary,
    hir.Index: _index,
    hir.Range: _range,
    hir.Repeat: _repeat,
    hir.Tuple: _items,
    hir.Array: _items,
    hir.Macro: _args,
    hir.Unknown: _args,
    hir.StructLit: _struct,
    hir.Assign: _assign,
    hir.AssignOp: _assign,
    hir.Block: _block,
    hir.If: _if,
    hir.Match: _match,
    hir.LetCond: _let_condition,
    hir.Loop: _loop,
    hir.While: _loop,
    hir.For: _loop,
    hir.Closure: _closure,
    hir.Return: _result,
    hir.Break: _result,
    hir.Field: _field,
}
