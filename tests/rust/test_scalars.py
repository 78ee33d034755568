"""Plain values by syntax, and the places where operators and calls may stand: nothing is left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from lowered import body

from burnlint.rust import glance, hir, scalars
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile

FIXTURES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.rs"))


def plain(code: str, head: str = "fn f(n: usize, x: T)") -> list[str]:
    """The texts of the operators' operands that are plain."""
    text = f"{head} {{ {code} }}"
    made = body(code, head)
    found = scalars.plain(made)
    operands = [side for e in made.exprs if isinstance(e, hir.Binary) for side in (e.left, e.right)]
    return [text[side.span[0] : side.span[1]] for side in operands if found[side.id]]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x * 2.0", ["2.0"]),
        ("n + x", ["n"]),
        ("let a = 1; let b = a; x + b", ["b"]),
        ("let a: f32 = g(); x + a", ["a"]),
        ("let a: T = g(); x + a", []),
        ("let a = g(); x + a", []),
        ("for i in 0..k { x + i }", ["i"]),
        ("for i in v { x + i }", []),
        ("x * (g() as f32)", ["g() as f32"]),
        ("x * (g() as T)", []),
        ("x * -1", ["-1"]),
        ("(x == y) * x", ["(x == y)"[1:-1]]),
        ("(n * 2) + x", ["n", "2", "n * 2"]),
        ("let n = g(); n + x", []),
        ("let a @ b = 1; x + a", []),
        ("|n| n + x", []),
    ],
)
def test_plain(code: str, expected: list[str]) -> None:
    assert sorted(plain(code)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+b", "+"),
        ("a\n    - b", "-"),
        ("a // why\n * b", "*"),
        ("a /* why */ / b", "/"),
        ("a /* why *// b", "/"),
        ("2. * a", "*"),
        ("f(a) % c[0] + d? - {e} * 'f'", "%+-*"),
        ('"http://x" + b', "+"),
        ("a -= b", "-"),
        ("fn f() -> T", ""),
        ("(-a, *b)", ""),
        ("let a = -b;", ""),
        ("// non-empty", ""),
        ("é + b", "+"),
    ],
)
def test_operators(text: str, expected: str) -> None:
    assert "".join(op for _, op in glance.operators(text.encode())) == expected


def test_words() -> None:
    assert glance.words("a.b1(r#type, é_c) // d-e".encode()) == {
        each.encode() for each in ("a", "b1", "r", "type", "é_c", "d", "e")
    }


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: "/".join(path.parts[-3:]))
def test_fixtures(path: Path) -> None:
    file = SourceFile("src/lib.rs", path.read_bytes())
    operators = glance.operators(file.content)
    for fn in file.items.functions:
        for e in body_of(fn).exprs:
            if isinstance(e, hir.Binary | hir.AssignOp) and e.op in "+-*/%":
                left, right = (e.left, e.right) if isinstance(e, hir.Binary) else (e.target, e.value)
                assert any(op == e.op and left.span[1] <= at < right.span[0] for at, op in operators), e
            name = e.name if isinstance(e, hir.MethodCall) else ""
            if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
                name = e.callee.path.name
            if name:
                assert any(e.span[0] <= at < e.span[1] for at in file.calls(name)), e
