"""Types, paths and generics as written."""

from __future__ import annotations

import pytest

from burnlint.rust.items import Const, Fn
from burnlint.rust.source import SourceFile
from burnlint.rust.types import (
    ArrayType,
    BoundType,
    ConstArg,
    FnType,
    InferType,
    Path,
    PathType,
    RefType,
    SliceType,
    TupleType,
    TypeExpr,
    UnknownType,
)


def show(t: TypeExpr | None) -> str:
    match t:
        case None:
            return "-"
        case PathType(path=path):
            return show_path(path)
        case RefType(mutable=mutable, inner=inner):
            return ("&mut " if mutable else "&") + show(inner)
        case TupleType(items=items):
            return f"({', '.join(map(show, items))})"
        case ArrayType(item=item, length=length):
            return f"[{show(item)}; {length}]"
        case SliceType(item=item):
            return f"[{show(item)}]"
        case FnType(params=params, result=result, name=name):
            return f"{name}({', '.join(map(show, params))}) -> {show(result)}"
        case BoundType(keyword=keyword, bounds=bounds):
            return f"{keyword} {' + '.join(map(show, bounds))}"
        case ConstArg(text=text):
            return f"const {text}"
        case InferType():
            return "_"
        case UnknownType(why=why):
            return f"?{why}"
    raise AssertionError(t)


def show_path(path: Path) -> str:
    def segment(s) -> str:  # type: ignore[no-untyped-def]
        args = [show(a) for a in s.args] + [f"{n} = {show(b)}" for n, b in s.bindings]
        return s.name + (f"<{', '.join(args)}>" if args else "")

    head = "::" if path.leading else f"<{show(path.qself)}>::" if path.qself is not None else ""
    return head + "::".join(map(segment, path.segments))


def read(text: str) -> TypeExpr | None:
    (item,) = SourceFile("a.rs", f"const A: {text} = x;".encode()).items.items
    assert isinstance(item, Const)
    return item.type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("u8", "u8"),
        ("a::b::C", "a::b::C"),
        ("::a::B", "::a::B"),
        ("Vec<u8>", "Vec<u8>"),
        ("Tensor<B, 2, Int>", "Tensor<B, const 2, Int>"),
        ("Tensor<B, { N + 1 }>", "Tensor<B, const { N + 1 }>"),
        ("A<-1, true, 'c'>", "A<const -1, const true, const 'c'>"),
        ("a::B<C>::D", "a::B<C>::D"),
        ("HashMap<K, Vec<V>>", "HashMap<K, Vec<V>>"),
        ("Foo<'a, T>", "Foo<T>"),
        ("T::Item", "T::Item"),
        ("<T as Tr<u8>>::Item", "<T>::Tr<u8>::Item"),
        ("<[T]>::Item", "<[T]>::Item"),
        ("Self", "Self"),
        ("crate::A", "crate::A"),
        ("super::A", "super::A"),
        ("&'a mut T", "&mut T"),
        ("&T", "&T"),
        ("&&T", "&&T"),
        ("()", "()"),
        ("(u8,)", "(u8)"),
        ("(u8, /* c */ T)", "(u8, T)"),
        ("(T)", "T"),
        ("[f32; 3]", "[f32; 3]"),
        ("[[f32; N]; 2 * M]", "[[f32; N]; 2 * M]"),
        ("&[T]", "&[T]"),
        ("fn(u8, x: T) -> U", "fn(u8, T) -> U"),
        ("fn()", "fn() -> -"),
        ("Box<dyn Fn(T) -> U>", "Box<dyn Fn(T) -> U>"),
        ("&dyn A", "&dyn A"),
        ("Box<dyn A + Send + 'static>", "Box<dyn A + Send>"),
        ("impl A + B<C>", "impl A + B<C>"),
        ("impl Iterator<Item = (u8, T)>", "impl Iterator<Item = (u8, T)>"),
        ("impl for<'a> Fn(&'a T) -> U", "impl Fn(&T) -> U"),
        ("_", "_"),
        ("Vec<_>", "Vec<_>"),
        ("!", "?never"),
        ("*const T", "?pointer"),
        ("m!(a)", "?macro"),
        ("Option<Vec::<u8>>", "Option<?syntax>"),
    ],
)
def test_type(text: str, expected: str) -> None:
    assert show(read(text)) == expected


def test_spans() -> None:
    source = "const A: Vec< Tensor<2> > = x;"
    (item,) = SourceFile("a.rs", source.encode()).items.items
    assert isinstance(item, Const) and isinstance(item.type, PathType)
    assert source[slice(*item.type.span)] == "Vec< Tensor<2> >"
    assert source[slice(*item.type.path.segments[0].args[0].span)] == "Tensor<2>"


def test_too_deep() -> None:
    shown = show(read("Vec<" * 200 + "u8" + ">" * 200))
    assert shown.startswith("Vec<Vec<") and "?too deep" in shown


def test_equal_types_are_equal_and_hash_alike() -> None:
    a, b = read("Vec<u8>"), read("Vec<u8>")
    assert a == b and hash(a) == hash(b) and a != read("Vec<u16>")


@pytest.mark.parametrize(
    ("head", "params", "where"),
    [
        ("fn f()", [], []),
        ("fn f<'a, T>()", [("T", False, [], "-")], []),
        ("fn f<T: A + B<C> + 'static + ?Sized>()", [("T", False, ["A", "B<C>"], "-")], []),
        ("fn f<const N: usize>()", [("N", True, [], "-")], []),
        ("fn f<T>() where T: A, T: B", [("T", False, ["A", "B"], "-")], []),
        (
            "fn f<B: X>() where B::Device: Send, Vec<B>: Y",
            [("B", False, ["X"], "-")],
            [("B::Device", ["Send"]), ("Vec<B>", ["Y"])],
        ),
        ("fn f<F>() where F: for<'a> Fn(&'a u8) -> u8", [("F", False, ["Fn(&u8) -> u8"], "-")], []),
    ],
)
def test_generics(head: str, params: list[object], where: list[object]) -> None:
    (item,) = SourceFile("a.rs", f"{head} {{}}".encode()).items.items
    assert isinstance(item, Fn)
    found = [(p.name, p.is_const, [show(b) for b in p.bounds], show(p.default)) for p in item.generics.params]
    assert found == params
    assert [(show(t), [show(b) for b in bounds]) for t, bounds in item.generics.where] == where


def test_defaults_of_generics() -> None:
    (item,) = SourceFile("a.rs", b"struct S<T = u8, const N: usize = 3>(T);").items.items
    assert [show(p.default) for p in item.generics.params] == ["u8", "const 3"]
