"""Lowering of macro calls: their tokens are parsed as what the macro's form says, at their own offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust import digits, hir
from burnlint.rust.hir import NEW
from burnlint.rust.lower_expr import elements, path_of, span_of
from burnlint.rust.macros import MacroForm
from burnlint.rust.parser import parse_piece
from burnlint.rust.types import Path, Segment
from burnlint.rust.typesyntax import name_of

if TYPE_CHECKING:
    from burnlint.rust.lower import Lowering

_OPAQUE = MacroForm("opaque")
# What may stand before an argument: `name = `, `target: `, and the sigils of tracing.
_ARGUMENT_HEAD = re.compile(
    rb"\s*(?:(?:\w+(?:\s*\.\s*\w+)*\s*=(?![=>])|target:|parent:|name:|logger:)\s*)?[?%]?"
)
_NAMED = re.compile(rb"\s*(\w+)\s*=(?![=>])")
_PLACEHOLDER = re.compile(rb"\{\{|\}\}|\{([^{}]*)\}")
_COUNT = re.compile(r"([A-Za-z_]\w*)\$")
_CAPTURE = re.compile(rb"(?<!\{)(?:\{\{)*\{([A-Za-z_]\w*)[:}]")


def lower(low: Lowering, node: Node) -> hir.Expr:
    """A macro call in the place of an expression."""
    macro, tokens = node.child_by_field_name("macro"), node.children[-1]
    if macro is None or tokens.type != "token_tree":
        return low.unknown(node, "missing")
    path = path_of(low, macro)
    form = low.macros.get(path.name, _OPAQUE)
    if form.form == "opaque" or (len(path.segments) == 1 and low.redefines(path.name)):
        return _opaque(low, node, path, tokens)
    if form.form == "none":
        return low.add(hir.Macro(NEW, span_of(node), path, [], "none", True))
    if form.form == "matches":
        return _matches(low, node, path, tokens, form)
    broken = low.broken
    args, names = _arguments(low, tokens, form)
    low.broken = broken
    placeholders: list[hir.Placeholder] = []
    if form.form == "format":
        placeholders = _placeholders(low, args, names, form.before)
    shown = "exprs" if form.form == "array" else form.form
    return low.add(
        hir.Macro(NEW, span_of(node), path, args, shown, form.borrows, form.diverges, placeholders, names)
    )


def names_in(content: bytes, node: Node) -> Iterator[tuple[str, hir.Span]]:
    """The names anywhere in a node that no dot precedes, also those that string literals may show
    (`"{x}"`)."""
    stack = [node]
    while stack:
        at = stack.pop()
        kind = at.type
        if kind in ("identifier", "self", "shorthand_field_identifier"):
            if not at.is_missing and not _behind_dot(content, at.start_byte):
                yield name_of(content, at), span_of(at)
        elif kind == "string_content":
            for match in _CAPTURE.finditer(content, at.start_byte, at.end_byte):
                yield match.group(1).decode(), match.span(1)
        elif kind == "macro_invocation":
            stack.append(at.children[-1])
        elif at.child_count:
            stack.extend(reversed(at.children))


def _behind_dot(content: bytes, start: int) -> bool:
    before = content[:start] if start < 64 else content[start - 64 : start]
    before = before.rstrip()
    return before.endswith(b".") and not before.endswith(b"..")


def _opaque(low: Lowering, node: Node, path: Path, tokens: Node) -> hir.Expr:
    return low.add(hir.Macro(NEW, span_of(node), path, low.mentioned(tokens), "opaque", False))


def _arguments(low: Lowering, tokens: Node, form: MacroForm) -> tuple[list[hir.Expr], dict[str, hir.Expr]]:
    """The arguments as expressions, and those with a name."""
    head, tail = (b"[", b"];") if form.form in ("array", "slices") else (b"(", b");")
    root = parse_piece(low.content, tokens.start_byte + 1, tokens.end_byte - 1, head, tail)
    parsed = _single_expression(root)
    if parsed is None:
        return _argument_by_argument(low, tokens, form)
    if form.form == "array":
        return [low.expr(parsed)], {}
    if form.form == "slices" and parsed.child_by_field_name("length") is not None:
        return _argument_by_argument(low, tokens, form)  # `[a; b]` there is a range with a step
    args: list[hir.Expr] = []
    names: dict[str, hir.Expr] = {}
    for child in elements(parsed) if parsed.type != "unit_expression" else ():
        name = child.child_by_field_name("left") if child.type == "assignment_expression" else None
        if name is not None and name.type == "identifier":
            value = low.child(child, "right")
            names[name_of(low.content, name)] = value
        else:
            value = low.expr(child)
        args.append(value)
    return args, names


def _single_expression(root: Node) -> Node | None:
    """The one expression that a piece consists of; None if it has errors or is something else."""
    if root.has_error:
        return None
    statements = root.named_children
    if len(statements) != 1 or statements[0].type != "expression_statement":
        return None
    return statements[0].child(0)


def _argument_by_argument(
    low: Lowering, tokens: Node, form: MacroForm
) -> tuple[list[hir.Expr], dict[str, hir.Expr]]:
    """The arguments one by one, for macros whose arguments are not all expressions (`%x`, `0..4;2`, `target:
    "a"`).

    What is still no expression becomes an `Unknown`.
    """
    args: list[hir.Expr] = []
    names: dict[str, hir.Expr] = {}
    steps = form.form == "slices"
    start, pending = tokens.start_byte + 1, ","
    for child in tokens.children[1:]:
        last = child.end_byte == tokens.end_byte
        if not last and child.type != "," and not (steps and child.type == ";"):
            continue
        if low.content[start : child.start_byte].strip():
            head = _ARGUMENT_HEAD.match(low.content, start, child.start_byte)
            begin = head.end() if head is not None and head.end() < child.start_byte else start
            arg = _argument(low, tokens, begin, child.start_byte)
            named = _NAMED.match(low.content, start, child.start_byte)
            if named is not None:
                names[named.group(1).decode()] = arg
            if pending == ";" and args:
                span = (args[-1].span[0], arg.span[1])
                arg = low.add(hir.Binary(NEW, span, ";", (start - 1, start), args.pop(), arg))
            args.append(arg)
        start, pending = child.end_byte, child.type
    return args, names


def _argument(low: Lowering, tokens: Node, start: int, end: int) -> hir.Expr:
    parsed = _single_expression(parse_piece(low.content, start, end, b"(", b");"))
    if parsed is not None:
        return low.expr(parsed)
    parts = [child for child in tokens.children if start <= child.start_byte < end]
    refs = [ref for part in parts for ref in low.mentioned(part)]
    return low.add(hir.Unknown(NEW, (start, end), refs, "macro argument"))


def _matches(low: Lowering, node: Node, path: Path, tokens: Node, form: MacroForm) -> hir.Expr:
    """`matches!(value, pattern if guard)` as the match that it means."""
    commas = [child.start_byte for child in tokens.children if child.type == ","]
    for comma in commas:
        value = _single_expression(parse_piece(low.content, tokens.start_byte + 1, comma, b"(", b");"))
        arm = _arm(low, comma, tokens)
        if value is None or arm is None:
            continue
        scrutinee = low.expr(value)
        mark = low.mark()
        parts = elements(arm)
        pattern = low.refutable_pattern(parts[0])
        condition = arm.child_by_field_name("condition")
        guard = low.expr(condition) if condition is not None else None
        yes = low.add(hir.Literal(NEW, span_of(arm), "bool", "true"))
        low.leave(mark)
        end = (tokens.end_byte - 1, tokens.end_byte)
        no = low.add(hir.Literal(NEW, end, "bool", "false"))
        arms = [hir.Arm(pattern, guard, yes, span_of(arm)), hir.Arm(hir.Wild(end), None, no, end)]
        match = low.add(hir.Match(NEW, span_of(node), scrutinee, arms))
        return low.add(hir.Macro(NEW, span_of(node), path, [match], "matches", form.borrows))
    return _opaque(low, node, path, tokens)


def _arm(low: Lowering, comma: int, tokens: Node) -> Node | None:
    """The `match_pattern` between a comma and the end of the tokens."""
    end = tokens.end_byte - 1
    text = low.content[comma + 1 : end].rstrip()
    if text.endswith(b","):
        end = comma + len(text)
    root = parse_piece(low.content, comma + 1, end, b"match x{", b"=>x};")
    if root.has_error:
        return None
    stack = [root]
    while stack:
        at = stack.pop()
        if at.type == "match_pattern":
            return at
        stack.extend(reversed(at.children))
    return None


def _placeholders(
    low: Lowering, args: list[hir.Expr], names: dict[str, hir.Expr], before: int
) -> list[hir.Placeholder]:
    """What the format string among the arguments shows. Locals that it names itself are added to the
    arguments."""
    if len(args) <= before:
        return []
    literal = args[before]
    if not isinstance(literal, hir.Literal) or literal.kind != "str":
        return []
    positional = [arg for arg in args[before + 1 :] if arg not in names.values()]
    found: list[hir.Placeholder] = []
    following = 0
    for match in _PLACEHOLDER.finditer(low.content, *literal.span):
        inner = match.group(1)
        if inner is None:
            continue
        what, _, spec = inner.decode("utf-8", "replace").partition(":")
        what, spec = what.strip(), spec.strip()
        if ".*" in spec:
            following += 1
        for count in _COUNT.findall(spec):
            _shown(low, count, match.span(1), args, names)
        if not what or what.isdecimal():
            index = digits.number(what) if what else following
            following += not what
            arg = positional[index] if index is not None and index < len(positional) else None
        else:
            arg = _shown(low, what, (match.start(1), match.start(1) + len(what.encode())), args, names)
        found.append(hir.Placeholder(match.span(), arg, spec))
    return found


def _shown(
    low: Lowering, name: str, span: hir.Span, args: list[hir.Expr], names: dict[str, hir.Expr]
) -> hir.Expr:
    """The argument of that name, or what the name means here, as a further argument."""
    if name in names:
        return names[name]
    local = low.scope.get(name)
    if local is not None:
        arg: hir.Expr = low.add(hir.LocalRef(NEW, span, local))
    else:
        arg = low.add(hir.PathExpr(NEW, span, Path((Segment(name),), span)))
    args.append(arg)
    return arg
