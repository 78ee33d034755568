"""The same fault behind an indirection: its expression moves into a function, a method, a closure, or its
operand behind a field or another name.

Fault and twin are moved alike. What the move needs (the variables that the expression reads, their types and
how they are passed on) rustc said of the unmutated code; without it only closure and other name are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Free, marked
from tools.mutation.spell import Unspelled, generics, spelled

KINDS = ("function", "method", "closure", "field", "alias")

_JUMP = re.compile(r"\breturn\b|\bbreak\b|\bcontinue\b|\.await\b|\?(?!\w)")


@dataclass(frozen=True)
class _Moved:
    """The expression of a fault, ready to be moved."""

    fault: Fault
    number: int
    wrong: tuple[str, str, str]
    right: tuple[str, str, str]

    @property
    def name(self) -> str:
        return f"planted_{self.number}"

    @property
    def imports(self) -> str:
        """The traits that the statements around the expression bring in."""
        return " ".join(dict.fromkeys(re.findall(r"(?m)^use [^;]+;", self.wrong[0] + self.right[0])))

    @property
    def type_name(self) -> str:
        return f"Planted{self.number}"

    def made(self, kind: str, wrong: str, right: str, items: str = "") -> Fault:
        """The fault with other text between the marks."""
        fault = self.fault
        return replace(
            fault,
            wrong=self.wrong[0] + wrong + self.wrong[2],
            right=self.right[0] + right + self.right[2],
            items=fault.items + items,
            shape=kind,
        )


def indirect(source: Source, fault: Fault, number: int) -> Iterator[Fault]:
    """The fault behind each kind of indirection that its expression allows, beginning with another one for
    each number."""
    wrong, right = marked(fault.wrong), marked(fault.right)
    if wrong is None or right is None:
        return
    moved = _Moved(fault if fault.free is not None else _known(source, fault, right), number, wrong, right)
    for at in range(len(KINDS)):
        kind = KINDS[(number + at) % len(KINDS)]
        found = _MAKERS[kind](moved)
        if found is not None:
            yield found


def _known(source: Source, fault: Fault, right: tuple[str, str, str]) -> Fault:
    """With what rustc says of the variables and the type of the expression in the original code."""
    node = _original(source, fault, right[1])
    if node is None:
        return fault
    try:
        free, named = _variables(source, node)
        form = source.type(node)
        own = spelled(form) if form is not None else ""
        if form is not None:
            named |= generics(form)
        parameters = _generics(source, node, named)
    except Unspelled:
        return fault
    if parameters is None:
        return fault
    return replace(
        fault,
        free=free,
        generics=parameters,
        type=fault.type or own,
        right_type=own,
    )


def _original(source: Source, fault: Fault, inside: str) -> Node | None:
    """The node of the original code that the marks of the twin stand around."""
    start, end = fault.span
    at = source.content.find(inside.encode(), start, end + len(inside.encode()))
    if at < 0:
        return None
    return source.root.descendant_for_byte_range(at, at + len(inside.encode()))


def _paths(node: Node) -> Iterator[Node]:
    """The variables of an expression: locals, or fields of locals as far as they go without a call."""
    if node.type == "identifier" or node.type == "self" or node.type == "field_expression":
        inner = node
        while inner.type == "field_expression":
            value = inner.child_by_field_name("value")
            assert value is not None
            inner = value
        above = node.parent
        called = (
            above is not None
            and above.type == "call_expression"
            and (above.child_by_field_name("function") == node)
        )
        if inner.type in ("identifier", "self") and not called:
            yield node
            return
        if inner.type in ("identifier", "self"):
            value = node.child_by_field_name("value")
            if value is not None:
                yield from _paths(value)
            return
        yield from _paths(inner)
        return
    if node.type in ("closure_expression", "macro_invocation"):
        raise Unspelled("a closure or a macro")
    if node.type in ("scoped_identifier", "type_arguments", "type_identifier"):
        return
    for child in node.named_children:
        if node.type == "field_initializer" and child.type == "field_identifier":
            continue
        yield from _paths(child)


def _key(path: str) -> str:
    return re.sub(r"\W+", "_", path.replace("self.", "own.")).strip("_").replace("self", "own")


def _variables(source: Source, node: Node) -> tuple[dict[str, Free], set[str]]:
    """The variables with their types, and the generic parameters in those."""
    found: dict[str, Free] = {}
    named: set[str] = set()
    for each in _paths(node):
        path = syntax.text(each)
        if path[0].isupper():
            continue
        types = source.types(each)
        if not types:
            raise Unspelled(path)
        own = types[-1]
        heads = {form.head for form in types[:-1]}
        above = each.parent
        by = "&mut " if "&mut" in heads else "&" if "&" in heads else ""
        if above is not None and above.type == "reference_expression":
            by = "&mut " if syntax.text(above).startswith("&mut") else "&"
        if own.head in ("&", "&mut"):
            by = ""
        before = found.get(path)
        if before is not None and before.by != by:
            raise Unspelled(path)
        named |= generics(own)
        found[path] = Free(spelled(own), by)
    return found, named


def _generics(source: Source, node: Node, named: set[str]) -> str | None:
    """The declarations of these generic parameters; None if they cannot be copied."""
    if not named:
        return ""
    declared: list[str] = []
    function = source.function(node)
    if function is None:
        return None
    wheres = ""
    for item in (function.impl, function.node):
        given = item.child_by_field_name("type_parameters") if item is not None else None
        if item is not None and any(each.type == "where_clause" for each in item.children):
            wheres = " ".join(syntax.text(e) for e in item.children if e.type == "where_clause")
        for each in given.named_children if given is not None else ():
            word = re.search(r"(?:const\s+)?(\w+)", syntax.text(each))
            if word is not None and word[1] in named:
                declared.append(syntax.text(each))
    if wheres or len(declared) != len(named):
        return None
    return f"<{', '.join(declared)}>"


def _renamed(expression: str, names: dict[str, str], free: Mapping[str, Free]) -> str | None:
    """The expression with other names for its variables (a reference where one is handed on); None if it has
    other variables than those."""
    root = syntax.expression(expression)
    if root is None:
        return None
    edits = []
    body = root.named_children[0].child_by_field_name("body")
    assert body is not None
    try:
        paths = [each for child in body.named_children for each in _paths(child)]
    except Unspelled:
        return None
    for each in paths:
        path = syntax.text(each)
        if path[0].isupper():
            continue
        if path not in names:
            return None
        at, above = each, each.parent
        if free[path].by and above is not None and above.type == "reference_expression":
            at = above
        edits.append((at.start_byte, at.end_byte, names[path]))
    made = syntax.text(root).encode()
    for start, end, name in sorted(edits, reverse=True):
        made = made[:start] + name.encode() + made[end:]
    return made.decode()[len("fn f() { ") : -len(" }")]


def _function(moved: _Moved) -> Fault | None:
    fault = moved.fault
    if fault.free is None or not fault.type or _JUMP.search(moved.wrong[1] + moved.right[1]):
        return None
    names = {path: _key(path) for path in fault.free}
    parameters = ", ".join(f"{names[path]}: {free.by}{free.type}" for path, free in fault.free.items())
    given = ", ".join(f"{free.by}{path}" for path, free in fault.free.items())
    wrong, right = (_renamed(text, names, fault.free) for text in (moved.wrong[1], moved.right[1]))
    if wrong is None or right is None:
        return None

    def item(expression: str, type: str) -> str:
        return f"\n\nfn {moved.name}{fault.generics}({parameters}) -> {type} {{\n    {moved.imports}\n    {expression}\n}}\n"

    return _two(
        moved,
        "function",
        f"{moved.name}({given})",
        item(wrong, fault.type),
        item(right, fault.right_type or fault.type),
    )


def _method(moved: _Moved) -> Fault | None:
    fault = moved.fault
    if (
        fault.free is None
        or not fault.type
        or not fault.free
        or _JUMP.search(moved.wrong[1] + moved.right[1])
    ):
        return None
    borrows = any("&" in free.by + free.type for free in fault.free.values())
    life = "'a" if borrows else ""
    names = {path: f"self.{_key(path)}" for path in fault.free}

    def lived(type: str) -> str:
        return type.replace("&mut ", "&'a mut ").replace("&", "&'a ").replace("&'a 'a mut", "&'a mut")

    fields = "".join(
        f"    {_key(path)}: {lived((free.by + free.type).replace('& ', '&'))},\n"
        for path, free in fault.free.items()
    )
    given = ", ".join(f"{_key(path)}: {free.by}{path}" for path, free in fault.free.items())
    wrong, right = (_renamed(text, names, fault.free) for text in (moved.wrong[1], moved.right[1]))
    if wrong is None or right is None:
        return None
    inner = fault.generics[1:-1]
    declared = ", ".join(each for each in (life, inner) if each)
    used = ", ".join(each for each in (life, *re.findall(r"(?:^|,)\s*(?:const\s+)?(\w+)", inner)) if each)
    declared, used = (f"<{declared}>" if declared else ""), (f"<{used}>" if used else "")

    def item(expression: str, type: str) -> str:
        return (
            f"\n\nstruct {moved.type_name}{declared} {{\n{fields}}}\n\n"
            f"impl{declared} {moved.type_name}{used} {{\n"
            f"    fn compute(self) -> {type} {{\n        {moved.imports}\n        {expression}\n    }}\n}}\n"
        )

    place = f"({moved.type_name} {{ {given} }}).compute()"
    return _two(moved, "method", place, item(wrong, fault.type), item(right, fault.right_type or fault.type))


def _two(moved: _Moved, kind: str, place: str, wrong: str, right: str) -> Fault:
    """A fault whose items differ from those of its twin: what was moved stands there."""
    made = moved.made(kind, place, place)
    return replace(made, wrong_items=made.wrong_items + wrong, right_items=made.right_items + right)


def _closure(moved: _Moved) -> Fault | None:
    wrong, right = moved.wrong[1], moved.right[1]
    if _JUMP.search(wrong + right):
        return None

    def closure(expression: str) -> str:
        return f"{{ let mut {moved.name} = || {expression}; {moved.name}() }}"

    return moved.made("closure", closure(wrong), closure(right))


def _operand(expression: str) -> tuple[str, str] | None:
    """The receiver of a method call or the left side of an operator, and what follows it."""
    root = syntax.expression(expression)
    if root is None:
        return None
    body = root.named_children[0].child_by_field_name("body")
    if body is None or len(body.named_children) != 1:
        return None
    node = body.named_children[0]
    if node.type == "expression_statement":
        node = node.named_children[0]
    called = syntax.call(node)
    inner = called.receiver if called is not None else node.child_by_field_name("left")
    if inner is None or node.type not in ("call_expression", "binary_expression"):
        return None
    if inner.type == "self" or (inner.type == "identifier" and syntax.text(inner)[0].isupper()):
        return None
    whole = syntax.text(node).encode()
    return syntax.text(inner), whole[inner.end_byte - node.start_byte :].decode()


def _held(moved: _Moved, operand: str) -> str | None:
    """An operand as something else may hold it; None for a place of which is not known whether it is moved."""
    if not re.fullmatch(r"[\w.]+", operand):
        return operand
    free = (moved.fault.free or {}).get(operand)
    return free.by + operand if free is not None else None


def _alias(moved: _Moved) -> Fault | None:
    made = []
    for part in (_operand(moved.wrong[1]), _operand(moved.right[1])):
        held = _held(moved, part[0]) if part is not None else None
        if part is None or held is None:
            return None
        made.append(f"{{ let {moved.name} = {held}; {moved.name}{part[1]} }}")
    return moved.made("alias", made[0], made[1])


def _field(moved: _Moved) -> Fault | None:
    made, types = [], set()
    for part in (_operand(moved.wrong[1]), _operand(moved.right[1])):
        held = _held(moved, part[0]) if part is not None else None
        if part is None or held is None:
            return None
        known = (moved.fault.free or {}).get(part[0])
        types.add(known.type if known is not None and not known.by and "&" not in known.type else "")
        made.append(
            f"{{ let {moved.name} = {moved.type_name} {{ value: {held} }}; {moved.name}.value{part[1]} }}"
        )
    type = types.pop() if len(types) == 1 and not moved.fault.generics else ""
    if type:
        item = f"\n\nstruct {moved.type_name} {{\n    value: {type},\n}}\n"
    else:
        item = f"\n\nstruct {moved.type_name}<T> {{\n    value: T,\n}}\n"
    return moved.made("field", made[0], made[1], item)


_MAKERS: dict[str, Callable[[_Moved], Fault | None]] = {
    "function": _function,
    "method": _method,
    "closure": _closure,
    "field": _field,
    "alias": _alias,
}
