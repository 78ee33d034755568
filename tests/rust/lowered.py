"""Lowered bodies as short text: `(+ a 1)`, locals by name and number where a name is used twice, other paths
with `@`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnlint.rust import hir
from burnlint.rust.items import Const, Fn
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile


def body(code: str, head: str = "fn f(x: T, y: T)") -> hir.Body:
    """The body of a function with that code in its braces."""
    return body_in(f"{head} {{ {code} }}")


def body_in(source: str, name: str = "f") -> hir.Body:
    """The body of the function of that name."""
    file = SourceFile("src/lib.rs", source.encode())
    return body_of(next(fn for fn in file.items.functions if fn.name == name))


def constant(source: str) -> hir.Body:
    """The lowered value of the first constant of a file."""
    items = SourceFile("src/lib.rs", source.encode()).items.items
    return body_of(next(item for item in items if isinstance(item, Const)))


def lowered(code: str) -> str:
    """The statements and tail of a function body of `x` and `y` in short text."""
    shown = show(body(code).root)
    return shown[3:-1] if shown.startswith("{ ; ") else shown.removeprefix("{").removesuffix("}").strip()


def show(e: hir.Expr | None) -> str:
    """An expression in short text."""
    if e is None:
        return "-"
    return _SHOW[type(e)](e)


def local(one: hir.Local) -> str:
    return ("mut " if one.mutable else "") + ("ref " if one.by_ref else "") + one.name


def _parts(*parts: Any) -> str:
    return "(" + " ".join(part if isinstance(part, str) else show(part) for part in parts) + ")"


def _block(e: hir.Block) -> str:
    parts = [statement(each) for each in e.statements] + ([show(e.tail)] if e.tail is not None else [])
    head = "" if e.kind == "plain" else e.kind + " "
    label = f"{e.label}: " if e.label else ""
    return f"{label}{head}{{ {' '.join(parts)} }}" if parts else f"{label}{head}{{}}"


def statement(s: hir.Statement) -> str:
    """A statement in short text."""
    cfg = getattr(s, "cfg", None)
    head = f"#[{getattr(cfg, 'name', '..')}] " if cfg is not None else ""
    if isinstance(s, hir.Let):
        type_ = ": T" if s.type is not None else ""
        init = f" = {show(s.init)}" if s.init is not None else ""
        otherwise = f" else {show(s.otherwise)}" if s.otherwise is not None else ""
        return f"{head}let {pattern(s.pattern)}{type_}{init}{otherwise};"
    if isinstance(s, hir.ExprStatement):
        return head + show(s.expr) + (";" if s.semicolon else "")
    assert isinstance(s, hir.ItemStatement)
    return f"item {s.name};"


def pattern(p: hir.Pattern) -> str:
    """A pattern in short text."""
    match p:
        case hir.Bind(local=bound, sub=None):
            return local(bound)
        case hir.Bind(local=bound, sub=sub):
            return f"{local(bound)} @ {pattern(sub)}"
        case hir.Wild():
            return "_"
        case hir.Rest():
            return ".."
        case hir.TuplePat(items=items):
            return f"({', '.join(map(pattern, items))})"
        case hir.SlicePat(items=items):
            return f"[{', '.join(map(pattern, items))}]"
        case hir.RefPat(inner=inner):
            return "&" + pattern(inner)
        case hir.TupleStructPat(path=path, items=items):
            return f"@{path}({', '.join(map(pattern, items))})"
        case hir.StructPat(path=path, fields=fields, rest=rest):
            inner = ", ".join([f"{name}: {pattern(each)}" for name, each in fields] + [".."] * rest)
            return f"@{path} {{ {inner} }}"
        case hir.PathPat(path=path):
            return f"@{path}"
        case hir.LitPat(text=text):
            return text
        case hir.OrPat(items=items):
            return " | ".join(map(pattern, items))
        case hir.UnknownPat(locals=bound):
            return f"?({', '.join(map(local, bound))})"
    raise AssertionError(p)


def _arm(arm: hir.Arm) -> str:
    cfg = f"#[{arm.cfg.name}] " if arm.cfg is not None else ""
    guard = f" if {show(arm.guard)}" if arm.guard is not None else ""
    return f"{cfg}{pattern(arm.pattern)}{guard} => {show(arm.body)}"


def _method(e: hir.MethodCall) -> str:
    return _parts("." + e.name + ("::<>" if e.generics else ""), e.receiver, *e.args)


def _struct(e: hir.StructLit) -> str:
    fields = [f"{'#[cfg] ' if each.cfg else ''}{each.name}: {show(each.value)}" for each in e.fields]
    base = [f"..{show(e.base)}"] if e.base is not None else []
    return f"@{e.path} {{ {', '.join(fields + base)} }}"


def _closure(e: hir.Closure) -> str:
    words = ("async " if e.is_async else "") + ("move " if e.moves else "")
    params = ", ".join(pattern(p) + (": T" if t is not None else "") for p, t in e.params)
    return f"{words}|{params}| {show(e.body)}"


def _macro(e: hir.Macro) -> str:
    words = ["borrows"] * e.borrows + ["diverges"] * e.diverges
    return _parts(f"{e.path}!", e.form, *words, *e.args)


def _labelled(word: str, e: Any, *parts: Any) -> str:
    return (f"{e.label}: " if e.label else "") + _parts(word, *parts)


_SHOW: dict[type[hir.Expr], Callable[[Any], str]] = {
    hir.Literal: lambda e: e.text,
    hir.LocalRef: lambda e: e.local.name,
    hir.PathExpr: lambda e: f"@{e.path}",
    hir.Call: lambda e: _parts("call", e.callee, *e.args),
    hir.MethodCall: _method,
    hir.Field: lambda e: _parts("field", e.base, e.name),
    hir.Index: lambda e: _parts("index", e.base, e.index),
    hir.Unary: lambda e: _parts(e.op, e.operand),
    hir.Deref: lambda e: _parts("*", e.operand),
    hir.Ref: lambda e: _parts("&mut" if e.mutable else "&", e.operand),
    hir.Binary: lambda e: _parts(e.op, e.left, e.right),
    hir.Underscore: lambda e: "_",
    hir.Assign: lambda e: _parts("=", e.target, e.value),
    hir.AssignOp: lambda e: _parts(e.op + "=", e.target, e.value),
    hir.Cast: lambda e: _parts("as", e.operand),
    hir.Try: lambda e: _parts("?", e.operand),
    hir.Await: lambda e: _parts("await", e.operand),
    hir.Tuple: lambda e: _parts("tuple", *e.items),
    hir.Array: lambda e: f"[{' '.join(map(show, e.items))}]",
    hir.Repeat: lambda e: f"[{show(e.item)}; {show(e.length)}]",
    hir.StructLit: _struct,
    hir.Range: lambda e: _parts("..=" if e.inclusive else "..", e.low, e.high),
    hir.Block: _block,
    hir.If: lambda e: _parts("if", e.condition, e.then, *([e.otherwise] if e.otherwise is not None else [])),
    hir.LetCond: lambda e: f"(let {pattern(e.pattern)} = {show(e.value)})",
    hir.Match: lambda e: f"(match {show(e.scrutinee)} {{ {', '.join(map(_arm, e.arms))} }})",
    hir.Loop: lambda e: _labelled("loop", e, e.body),
    hir.While: lambda e: _labelled("while", e, e.condition, e.body),
    hir.For: lambda e: _labelled("for", e, pattern(e.pattern), "in", e.iterable, e.body),
    hir.Closure: _closure,
    hir.Return: lambda e: _parts("return", *([e.value] if e.value is not None else [])),
    hir.Break: lambda e: _parts("break", *([e.label] if e.label else []), *([e.value] if e.value else [])),
    hir.Continue: lambda e: _parts("continue", *([e.label] if e.label else [])),
    hir.Macro: _macro,
    hir.Unknown: lambda e: _parts("?" + e.why.replace(" ", "-"), *e.args),
}


def functions(source: str) -> dict[str, Fn]:
    """The functions with a body by name."""
    return {fn.name: fn for fn in SourceFile("src/lib.rs", source.encode()).items.functions}
