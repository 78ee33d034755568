"""The same fault behind an indirection: its expression moves into a function, a method, a closure, or its
operand behind a field or another name.

Fault and twin are moved alike. What the move needs (the variables that the expression reads, their types and
how they are passed on) rustc said of the unmutated code; without it only closure and other name are left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Free, marked
from tools.mutation.variables import key, known, renamed

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
    def expressions(self) -> tuple[str, str]:
        """What a function or method of its own computes in the fault, and in the twin."""
        cloned = any(each.cloned for each in (self.fault.free or {}).values())
        return self.wrong[1], self.wrong[1] if cloned else self.right[1]

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


def indirect(source: Source, fault: Fault, number: int, turn: int = 0) -> Iterator[Fault]:
    """The fault behind each kind of indirection that its expression allows, beginning with another one for each
    turn. `number` tells the names of what is planted apart."""
    wrong, right = marked(fault.wrong), marked(fault.right)
    if wrong is None or right is None:
        return
    moved = _Moved(fault if fault.free is not None else known(source, fault, right), number, wrong, right)
    for at in range(len(KINDS)):
        kind = KINDS[(turn + at) % len(KINDS)]
        found = _MAKERS[kind](moved)
        if found is not None:
            yield found


def _function(moved: _Moved) -> Fault | None:
    fault = moved.fault
    if fault.free is None or not fault.type or _JUMP.search(moved.wrong[1] + moved.right[1]):
        return None
    names = {path: key(path) for path in fault.free}
    parameters = ", ".join(f"{names[path]}: {free.by}{free.type}" for path, free in fault.free.items())
    wrong, right = (renamed(text, names, fault.free) for text in moved.expressions)
    if wrong is None or right is None:
        return None

    places = [f"{moved.name}({', '.join(given.values())})" for given in _given(fault.free)]

    def item(expression: str, type: str) -> str:
        return f"\n\nfn {moved.name}{fault.generics}({parameters}) -> {type} {{\n    {moved.imports}\n    {expression}\n}}\n"

    return _two(
        moved,
        "function",
        places,
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
    names = {path: f"self.{key(path)}" for path in fault.free}

    def lived(type: str) -> str:
        return type.replace("&mut ", "&'a mut ").replace("&", "&'a ").replace("&'a 'a mut", "&'a mut")

    fields = "".join(
        f"    {key(path)}: {lived((free.by + free.type).replace('& ', '&'))},\n"
        for path, free in fault.free.items()
    )
    wrong, right = (renamed(text, names, fault.free) for text in moved.expressions)
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

    literals = (", ".join(f"{key(p)}: {g}" for p, g in given.items()) for given in _given(fault.free))
    places = [f"({moved.type_name} {{ {literal} }}).compute()" for literal in literals]
    return _two(moved, "method", places, item(wrong, fault.type), item(right, fault.right_type or fault.type))


def _given(free: Mapping[str, Free]) -> Iterator[dict[str, str]]:
    """The variables as the fault and as its twin hand them on."""
    for right in (False, True):
        yield {
            path: f"{path}.clone()" if each.cloned and right else each.by + path
            for path, each in free.items()
        }


def _two(moved: _Moved, kind: str, places: Sequence[str], wrong: str, right: str) -> Fault:
    """A fault whose items differ from those of its twin: what was moved stands there."""
    made = moved.made(kind, places[0], places[1])
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
