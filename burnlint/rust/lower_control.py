"""Lowering of what opens scopes: blocks and their statements, branches, loops, closures, and the jumps out
of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust import hir
from burnlint.rust.cfg import can_both_hold
from burnlint.rust.hir import NEW
from burnlint.rust.itemtree import ITEM_KINDS
from burnlint.rust.lower_expr import cfg_in, cfg_of, elements, span_of
from burnlint.rust.lower_pattern import mark_mutable
from burnlint.rust.parser import COMMENTS
from burnlint.rust.typesyntax import name_of, read_type

if TYPE_CHECKING:
    from burnlint.rust.lower import Lowering
    from burnlint.rust.types import TypeExpr

_BRACES = COMMENTS | {"{", "}", "label", ":", "inner_attribute_item"}


def block(low: Lowering, node: Node, kind: str = "plain", span: hir.Span | None = None) -> hir.Block:
    """A block and its statements, in a scope of its own."""
    mark = low.mark()
    statements: list[hir.Statement] = []
    attributes: list[hir.Span] = []
    for child in node.children:
        child_kind = child.type
        if child_kind in _BRACES:
            continue
        if child_kind == "attribute_item":
            attributes.append(span_of(child))
            continue
        if child_kind == "empty_statement":
            _end_statement(statements)
            continue
        statement = _statement(low, child, child_kind, attributes)
        if statement is not None:
            statements.append(statement)
        attributes = []
    tail = _take_tail(low, statements)
    low.leave(mark)
    return low.add(hir.Block(NEW, span or span_of(node), statements, tail, _label(low, node), kind))


def _end_statement(statements: list[hir.Statement]) -> None:
    """A lone `;` ends what stands before it: `{ value };` has no value."""
    if statements and isinstance(statements[-1], hir.ExprStatement):
        statements[-1].semicolon = True


def _statement(low: Lowering, node: Node, kind: str, attributes: list[hir.Span]) -> hir.Statement | None:
    span = (node.start_byte, node.end_byte)
    if kind == "expression_statement":
        inner = node.child(0)
        if inner is None:
            return None
        semicolon = low.content[span[1] - 1 : span[1]] == b";"
        return hir.ExprStatement(span, low.expr(inner), semicolon, cfg_in(low, attributes))
    if kind == "let_declaration":
        return _let(low, node, attributes)
    if kind in ITEM_KINDS:
        name = node.child_by_field_name("name")
        return hir.ItemStatement(span, name_of(low.content, name) if name is not None else None)
    return hir.ExprStatement(span, low.expr(node), False, cfg_in(low, attributes))


def _let(low: Lowering, node: Node, attributes: list[hir.Span]) -> hir.Statement:
    if low.is_broken(node):
        return hir.ExprStatement(span_of(node), _broken_let(low, node), True, cfg_in(low, attributes))
    pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
    value, alternative = node.child_by_field_name("value"), node.child_by_field_name("alternative")
    read = read_type(low.content, type_) if type_ is not None else None
    init = low.expr(value) if value is not None else None
    otherwise = block(low, alternative) if alternative is not None else None
    if pattern is None:
        bound: hir.Pattern = hir.UnknownPat(span_of(node), [])
    else:
        bound = low.refutable_pattern(pattern) if otherwise is not None else low.pattern(pattern)
        mark_mutable(node, bound)
    return hir.Let(span_of(node), bound, read, init, otherwise, cfg_in(low, attributes))


def _broken_let(low: Lowering, node: Node) -> hir.Expr:
    """A `let` with an error in it: its pattern may bind what later lines name."""
    unknown = low.unknown(node, "syntax error")
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        low.pattern(pattern)
    return unknown


def _take_tail(low: Lowering, statements: list[hir.Statement]) -> hir.Expr | None:
    """Take the expression that is the block's value from the end of its statements.

    Of tails under conditions that exclude one another none is the value; they become one unknown.
    """
    tails: list[hir.ExprStatement] = []
    while statements:
        last = statements[-1]
        if not isinstance(last, hir.ExprStatement) or last.semicolon:
            break
        if not all(_excludes(last, tail) for tail in tails):
            break
        statements.pop()
        tails.append(last)
        if last.cfg is None:
            break
    if not tails:
        return None
    if tails[0].cfg is None:
        return tails[0].expr
    if len(tails) == 1 and not any(_excludes(statement, tails[0]) for statement in statements):
        statements.append(tails[0])  # the block has the same value without it, so that is ()
        return None
    tails.reverse()
    span = (tails[0].span[0], tails[-1].span[1])
    return low.add(hir.Unknown(NEW, span, [tail.expr for tail in tails], "cfg alternatives"))


def _excludes(one: hir.Statement, other: hir.ExprStatement) -> bool:
    """Whether no build has both statements."""
    if not isinstance(one, (hir.Let, hir.ExprStatement)) or one.cfg is None or other.cfg is None:
        return False
    return not can_both_hold(one.cfg, other.cfg)


def _label(low: Lowering, node: Node) -> str | None:
    return next((low.text(child) for child in node.children[:2] if child.type == "label"), None)


def _plain_block(low: Lowering, node: Node) -> hir.Expr:
    return block(low, node)


def _marked_block(low: Lowering, node: Node) -> hir.Expr:
    inner = next((child for child in node.children if child.type == "block"), None)
    if inner is None:
        return low.unknown(node, "missing")
    return block(low, inner, node.type.partition("_")[0], span_of(node))


def _body(low: Lowering, node: Node, field: str = "body") -> hir.Block:
    """The block in a field; in broken code it may not be there."""
    body = node.child_by_field_name(field)
    if body is None or body.type != "block":
        return low.add(hir.Block(NEW, (node.end_byte, node.end_byte), [], low.unknown(node, "missing")))
    return block(low, body)


def _if(low: Lowering, node: Node) -> hir.Expr:
    """An `if` with all its `else if`, which may be many: inside out from the last one."""
    branches: list[tuple[hir.Span, hir.Expr, hir.Block]] = []
    otherwise: hir.Expr | None = None
    at: Node | None = node
    while at is not None:
        mark = low.mark()
        condition = low.child(at, "condition")
        then = _body(low, at, "consequence")
        low.leave(mark)
        branches.append((span_of(at), condition, then))
        alternative = at.child_by_field_name("alternative")
        at = elements(alternative)[-1] if alternative is not None else None
        if at is not None and (at.type != "if_expression" or low.is_broken(at)):
            otherwise = block(low, at) if at.type == "block" else low.expr(at)
            at = None
    for span, condition, then in reversed(branches):
        otherwise = low.add(hir.If(NEW, span, condition, then, otherwise))
    assert otherwise is not None  # there is one branch at least
    return otherwise


def _let_condition(low: Lowering, node: Node) -> hir.Expr:
    value = low.child(node, "value")
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return low.add(hir.Unknown(NEW, span_of(node), [value], "missing"))
    return low.add(hir.LetCond(NEW, span_of(node), low.refutable_pattern(pattern), value))


def _let_chain(low: Lowering, node: Node) -> hir.Expr:
    """`a && let p = b && c`: flat in the syntax, nested to the left here."""
    chain: hir.Expr | None = None
    op = span_of(node)
    for child in elements(node):
        if child.type == "&&":
            op = span_of(child)
            continue
        part = low.expr(child)
        span = (node.start_byte, part.span[1])
        chain = part if chain is None else low.add(hir.Binary(NEW, span, "&&", op, chain, part))
    return chain if chain is not None else low.unknown(node, "missing")


def _match(low: Lowering, node: Node) -> hir.Expr:
    scrutinee = low.child(node, "value")
    body = node.child_by_field_name("body")
    arms: list[hir.Arm] = []
    for child in elements(body) if body is not None else ():
        mark = low.mark()
        arms.append(_arm(low, child))
        low.leave(mark)
    return low.add(hir.Match(NEW, span_of(node), scrutinee, arms))


def _arm(low: Lowering, node: Node) -> hir.Arm:
    holder = node.child_by_field_name("pattern")
    if node.type != "match_arm" or holder is None or low.is_broken(node):
        unknown = low.unknown(node, "syntax error")
        return hir.Arm(hir.UnknownPat(span_of(node), []), None, unknown, span_of(node))
    parts = elements(holder)
    pattern = low.refutable_pattern(parts[0]) if parts else hir.UnknownPat(span_of(holder), [])
    condition = holder.child_by_field_name("condition")
    guard = low.expr(condition) if condition is not None else None
    body = low.child(node, "value")
    return hir.Arm(pattern, guard, body, span_of(node), cfg_of(low, node))


def _loop(low: Lowering, node: Node) -> hir.Expr:
    return low.add(hir.Loop(NEW, span_of(node), _body(low, node), _label(low, node)))


def _while(low: Lowering, node: Node) -> hir.Expr:
    mark = low.mark()
    condition = low.child(node, "condition")
    body = _body(low, node)
    low.leave(mark)
    return low.add(hir.While(NEW, span_of(node), condition, body, _label(low, node)))


def _for(low: Lowering, node: Node) -> hir.Expr:
    iterable = low.child(node, "value")
    mark = low.mark()
    pattern = node.child_by_field_name("pattern")
    bound = low.pattern(pattern) if pattern is not None else hir.UnknownPat(span_of(node), [])
    body = _body(low, node)
    low.leave(mark)
    return low.add(hir.For(NEW, span_of(node), bound, iterable, body, _label(low, node)))


def _closure(low: Lowering, node: Node) -> hir.Expr:
    mark = low.mark()
    params: list[tuple[hir.Pattern, TypeExpr | None]] = []
    parameters = node.child_by_field_name("parameters")
    for child in elements(parameters) if parameters is not None else ():
        if child.type == "parameter":
            pattern, type_ = child.child_by_field_name("pattern"), child.child_by_field_name("type")
            if pattern is not None:
                read = read_type(low.content, type_) if type_ is not None else None
                params.append((mark_mutable(child, low.pattern(pattern)), read))
        else:
            params.append((low.pattern(child), None))
    result = node.child_by_field_name("return_type")
    words = {child.type for child in node.children}
    body = low.child(node, "body")
    low.leave(mark)
    read = read_type(low.content, result) if result is not None else None
    return low.add(hir.Closure(NEW, span_of(node), params, read, body, "move" in words, "async" in words))


def _operand(low: Lowering, node: Node) -> hir.Expr | None:
    """What stands behind a keyword and its label."""
    parts = [part for part in elements(node)[1:] if part.type != "label"]
    return low.expr(parts[0]) if parts else None


def _return(low: Lowering, node: Node) -> hir.Expr:
    return low.add(hir.Return(NEW, span_of(node), _operand(low, node)))


def _break(low: Lowering, node: Node) -> hir.Expr:
    return low.add(hir.Break(NEW, span_of(node), _label(low, node), _operand(low, node)))


def _continue(low: Lowering, node: Node) -> hir.Expr:
    return low.add(hir.Continue(NEW, span_of(node), _label(low, node)))


HANDLERS: dict[str, Callable[[Lowering, Node], hir.Expr]] = {
    "block": _plain_block,
    **dict.fromkeys(("unsafe_block", "async_block", "gen_block", "try_block", "const_block"), _marked_block),
    "if_expression": _if,
    "let_condition": _let_condition,
    "let_chain": _let_chain,
    "match_expression": _match,
    "loop_expression": _loop,
    "while_expression": _while,
    "for_expression": _for,
    "closure_expression": _closure,
    "return_expression": _return,
    "break_expression": _break,
    "continue_expression": _continue,
}
