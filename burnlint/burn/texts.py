"""Texts and paths that code spells out, through bindings, constants, `format!`, `join` and `concat!`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from burnlint.rust import hir, strings
from burnlint.rust.items import Const
from burnlint.rust.resolution import Local
from burnlint.rust.types import Segment

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

MAX_STEPS = 8
"""Conversions and joints that one text is followed through."""

_SAME_TEXT = frozenset(
    """
    as_path as_ref as_str borrow clone into into_boxed_str into_owned into_string leak to_owned to_path_buf to_str
    to_string to_string_lossy
    """.split()  # noqa: SIM905
)
"""Methods of std without arguments that give the text or path of their receiver."""

_MAKES_TEXT = frozenset({"String", "Path", "PathBuf", "OsString", "OsStr", "Cow", "Arc", "Rc", "Box"})
"""Types of std whose `new` and `from` give the text of their argument."""

_LAST_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"\s*,?\s*[)\]}]\Z', re.DOTALL)


class Written(NamedTuple):
    """What is known of a text: `whole` says whether `end` is all of it, or only how it ends."""

    end: str
    whole: bool


def written(expr: Expr) -> Written | None:
    """The text that a string or path is on every path; None if nothing of it is known."""
    for _ in range(MAX_STEPS):
        origins = expr.origins()
        if len(origins.items) != 1 or not origins.certain or origins.items[0].steps:
            return None
        expr = expr.at(origins.items[0])
        match expr.expr:
            case hir.Literal(kind="str", text=text):
                value = strings.value(text)
                return Written(value, True) if value is not None else None
            case hir.PathExpr():
                return _constant(expr)
            case hir.Macro(path=path) if path.name == "format":
                return _formatted(expr)
            case hir.Macro(path=path) if path.name == "concat":
                return _last_of(expr.text)
            case hir.Macro(path=path) if path.name == "env":
                return None
            case hir.MethodCall(name=name, args=[]) if name in _SAME_TEXT:
                expr = expr.operands[0]
            case hir.MethodCall(name="join", args=[_]):
                end = written(expr.operands[1])
                return Written(f"/{end.end}", False) if end is not None and end.whole else end
            case hir.Binary(op="+"):
                end = written(expr.operands[1])
                return Written(end.end, False) if end is not None else None
            case hir.Call(callee=hir.PathExpr(path=path), args=[_]) if _makes_text(path.segments):
                expr = expr.operands[0]
            case _:
                return None
    return None


def whole(expr: Expr) -> str | None:
    """The text that a string or path is on every path; None where not all of it is known."""
    found = written(expr)
    return found.end if found is not None and found.whole else None


def _makes_text(segments: tuple[Segment, ...]) -> bool:
    return len(segments) > 1 and segments[-2].name in _MAKES_TEXT and segments[-1].name in ("new", "from")


def _constant(expr: Expr) -> Written | None:
    """The value of a constant of the workspace."""
    e = expr.expr
    assert isinstance(e, hir.PathExpr)
    world = expr.file.analysis.world
    found = world.resolver.resolve(e.path, expr.fn, "value")
    if not isinstance(found, Local) or len(found.definitions) != 1 or found.rest:
        return None
    item = found.definitions[0]
    text = item.value if isinstance(item, Const) else None
    if text is None:
        return None
    value = strings.value(text)
    if value is not None:
        return Written(value, True)
    return _last_of(text) if text.startswith("concat!") else None


def _last_of(call: str) -> Written | None:
    """What `concat!` ends with, if that is a literal."""
    found = _LAST_LITERAL.search(call)
    text = strings.unescaped(found[1]) if found is not None else None
    return Written(text, False) if text else None


def _formatted(expr: Expr) -> Written | None:
    """What `format!` writes behind the last value."""
    e = expr.expr
    assert isinstance(e, hir.Macro)
    pattern = e.args[0] if e.args else None
    if not isinstance(pattern, hir.Literal) or not pattern.text.startswith('"'):
        return None
    start = max((each.span[1] for each in e.placeholders), default=pattern.span[0] + 1)
    text = strings.unescaped(expr.source.text.decode(start, pattern.span[1] - 1))
    if text is None:
        return None
    text = text.replace("{{", "{").replace("}}", "}")
    return Written(text, not e.placeholders)
