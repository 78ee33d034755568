"""The items of a file."""

from __future__ import annotations

import pytest

from burnlint.rust.cfg import ALWAYS, All, Flag
from burnlint.rust.items import (
    Const,
    Enum,
    ExternCrate,
    Fn,
    Impl,
    Item,
    ItemMacro,
    MacroRules,
    Mod,
    Struct,
    Trait,
    TypeAlias,
    Use,
)
from burnlint.rust.source import SourceFile
from burnlint.rust.types import PathType, RefType


def items(source: str, path: str = "src/lib.rs") -> list[Item]:
    return SourceFile(path, source.encode()).items.items


def only(source: str) -> Item:
    (item,) = items(source)
    return item


@pytest.mark.parametrize(
    ("source", "kind", "name"),
    [
        ("fn a() {}", Fn, "a"),
        ("pub(crate) async unsafe fn a<T>(x: T) {}", Fn, "a"),
        ("struct A;", Struct, "A"),
        ("union A { a: u8 }", Struct, "A"),
        ("enum A {}", Enum, "A"),
        ("trait A {}", Trait, "A"),
        ("impl A {}", Impl, ""),
        ("type A<T> = B<T>;", TypeAlias, "A"),
        ("const A: u8 = 1;", Const, "A"),
        ("const _: () = ();", Const, "_"),
        ("static mut A: u8 = 1;", Const, "A"),
        ("mod a;", Mod, "a"),
        ("mod a {}", Mod, "a"),
        ("use a::b;", Use, "b"),
        ("extern crate a;", ExternCrate, "a"),
        ("extern crate a as b;", ExternCrate, "b"),
        ("macro_rules! a { () => {} }", MacroRules, "a"),
        ("a! { b }", ItemMacro, "a"),
        ("a::b!(c);", ItemMacro, "a::b"),
        ('extern "C" { fn a(); }', Fn, "a"),
        ("fn r#type() {}", Fn, "type"),
    ],
)
def test_kinds(source: str, kind: type[Item], name: str) -> None:
    item = only(source)
    assert type(item) is kind
    assert item.name == name


def test_places() -> None:
    source = "/// doc é\n#[a]\n// c\n#[b]\npub fn f() {} struct S;"
    fn, struct = items(source)
    content = source.encode()
    assert content[slice(*fn.span)] == b"pub fn f() {}"
    assert content[slice(*fn.name_span)] == b"f"
    assert [a.path for a in fn.attributes] == ["a", "b"]
    assert [content[slice(*a.span)] for a in fn.attributes] == [b"#[a]", b"#[b]"]
    assert fn.public and fn.visibility == "pub" and not struct.public
    assert struct.attributes == ()


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("a", [("a", "a")]),
        ("a::b::c", [("a::b::c", "c")]),
        ("a::b as c", [("a::b", "c")]),
        ("a as _", [("a", "_")]),
        ("a::*", [("a", "*")]),
        ("a::{b, c::d, e as f}", [("a::b", "b"), ("a::c::d", "d"), ("a::e", "f")]),
        ("a::{self, b::{self as c, *}}", [("a", "a"), ("a::b", "c"), ("a::b", "*")]),
        ("{a, b::c}", [("a", "a"), ("b::c", "c")]),
        ("crate::a", [("crate::a", "a")]),
        ("super::super::a", [("super::super::a", "a")]),
        ("self::a", [("self::a", "a")]),
        ("super::*", [("super", "*")]),
        ("crate::{a, b}", [("crate::a", "a"), ("crate::b", "b")]),
        ("a::{/* c */ b, // d\n}", [("a::b", "b")]),
        ("r#try::a", [("try::a", "a")]),
        ("a::{}", []),
    ],
)
def test_use(tree: str, expected: list[tuple[str, str]]) -> None:
    uses = items(f"use {tree};")
    assert [(str(use.path), use.name) for use in uses if isinstance(use, Use)] == expected


def test_use_from_the_outside() -> None:
    (use,) = items("use ::a::{b};")
    assert isinstance(use, Use) and use.path.leading
    (use,) = items("use a::{b};")
    assert isinstance(use, Use) and not use.path.leading


def test_self_imports_no_value() -> None:
    flags = {
        use.name: use.only_types
        for use in items("use a::{self, b}; use c::d::{self as e};")
        if isinstance(use, Use)
    }
    assert flags == {"a": True, "b": False, "e": True}


def test_struct_fields() -> None:
    (struct,) = items("struct S<T> { #[a] pub b: Vec<T>, /* c */ d: u8, #[cfg(x)] e: u8, #[cfg(y)] e: u16 }")
    assert isinstance(struct, Struct) and struct.shape == "named"
    assert [f.name for f in struct.fields] == ["b", "d", "e", "e"]
    assert [f.public for f in struct.fields] == [True, False, False, False]
    assert struct.fields[0].attributes[0].path == "a"
    assert [f.cfg for f in struct.fields[2:]] == [Flag("x"), Flag("y")]
    assert isinstance(struct.fields[0].type, PathType)


def test_tuple_and_unit_structs() -> None:
    tuple_struct, unit = items("struct A(pub u8, #[b] T, pub(crate) &'a U); struct B;")
    assert isinstance(tuple_struct, Struct) and isinstance(unit, Struct)
    assert (tuple_struct.shape, unit.shape) == ("tuple", "unit")
    assert [(f.name, f.public) for f in tuple_struct.fields] == [("0", True), ("1", False), ("2", True)]
    assert [a.path for a in tuple_struct.fields[1].attributes] == ["b"]
    assert isinstance(tuple_struct.fields[2].type, RefType)
    assert unit.fields == []


def test_variants() -> None:
    (enum,) = items("#[derive(D)] enum E { A = 1, #[cfg(x)] B(u8, T), C { d: u8 } }")
    assert isinstance(enum, Enum)
    assert [(v.name, v.shape, len(v.fields)) for v in enum.variants] == [
        ("A", "unit", 0),
        ("B", "tuple", 2),
        ("C", "named", 1),
    ]
    assert enum.variants[1].cfg == Flag("x") and enum.variants[1].fields[0].cfg == Flag("x")


def test_signature() -> None:
    source = """
    impl S {
        const unsafe fn f<'a, T: A, const N: usize>(self: Box<Self>, mut a: &'a T, (b, c): P, _: u8) -> [T; N]
        where T: C {}
    }
    """
    (impl,) = items(source)
    assert isinstance(impl, Impl)
    (fn,) = impl.fns
    assert (fn.self_mode, [p.name for p in fn.params]) == ("typed", ["a", None, None])
    assert fn.is_const and fn.is_unsafe and not fn.is_async
    assert [(p.name, p.is_const, len(p.bounds)) for p in fn.generics.params] == [
        ("T", False, 2),
        ("N", True, 0),
    ]
    assert fn.owner is impl and fn.has_body and fn.self_type is not None


@pytest.mark.parametrize(
    ("parameters", "mode"),
    [
        ("", ""),
        ("x: T", ""),
        ("self", "self"),
        ("mut self", "self"),
        ("&self", "&self"),
        ("&'a mut self, x: T", "&mut self"),
    ],
)
def test_self_modes(parameters: str, mode: str) -> None:
    (trait,) = items(f"trait T {{ fn f({parameters}); }}")
    assert isinstance(trait, Trait) and trait.fns[0].self_mode == mode


def test_members() -> None:
    source = """
    impl<T> Tr<u8> for S<T> where T: X { type A = u8; const B: u8 = 1; fn f() {} m! {} }
    impl !Send for S {}
    """
    impl, negative = items(source)
    assert isinstance(impl, Impl) and isinstance(negative, Impl)
    assert [m.name for m in impl.members] == ["A", "B", "f", "m"]
    assert str(impl.trait) == "Tr" and isinstance(impl.self_type, PathType)
    assert impl.consts[0].value == "1" and impl.types[0].target is not None
    assert negative.negative and not impl.negative


def test_trait() -> None:
    (trait,) = items("trait T: A + B<u8> { type X: C; fn f(&self); fn g() {} }")
    assert isinstance(trait, Trait)
    assert len(trait.supertraits) == 2
    assert [(f.name, f.has_body) for f in trait.fns] == [("f", False), ("g", True)]
    assert trait.types[0].target is None and len(trait.types[0].bounds) == 1


def test_inline_modules_and_conditions() -> None:
    source = """
    #[cfg(a)] mod m { #[cfg(b)] mod n { #[cfg(a)] fn f() {} } fn g() {} }
    #[cfg(test)] mod tests { fn helper() {} #[cfg(c)] impl S { fn h(&self) {} } }
    #[test] fn t() { fn inner() {} }
    #[tokio::test] async fn u() {}
    fn v() {}
    """
    fns = {fn.name: fn for fn in SourceFile("src/lib.rs", source.encode()).items.functions}
    assert fns["f"].cfg == All((Flag("a"), Flag("b")))
    assert fns["g"].cfg == Flag("a") and fns["v"].cfg == ALWAYS
    assert fns["h"].cfg == All((Flag("test"), Flag("c")))
    assert {name for name, fn in fns.items() if fn.in_test} == {"helper", "h", "t", "inner", "u"}
    assert fns["f"].parent is not None and fns["f"].parent.name == "n"


def test_items_in_bodies_and_their_blocks() -> None:
    source = (
        "fn f() { use a::b; fn g() { struct H; } if x { const C: u8 = 1; } "
        "let c = || { enum E {} 1 }; m!(fn z() {}) }"
    )
    fn, inner = SourceFile("src/lib.rs", source.encode()).items.functions
    assert [item.name for item in fn.inner_items] == ["b", "g", "C", "E"]
    assert [item.name for item in inner.inner_items] == ["H"]
    blocks = [source[slice(*item.block)] for item in fn.inner_items if item.block]
    assert blocks[0] == blocks[1] == source[source.index("{") :]
    assert blocks[2:] == ["{ const C: u8 = 1; }", "{ enum E {} 1 }"]
    assert all(item.scope is fn for item in fn.inner_items)


def test_all_functions_outer_before_inner() -> None:
    source = """
    fn a() { fn b() { fn c() {} } }
    impl S { fn d() {} }
    trait T { fn e(); fn f() {} }
    mod m { fn g() {} }
    """
    assert [fn.name for fn in SourceFile("a.rs", source.encode()).items.functions] == list("abcdfg")


def test_derives() -> None:
    item = only(
        '#[derive(Clone, burn::Module)] #[cfg_attr(feature = "a", derive(Config))] #[cfg_attr(x, y)] '
        "struct S;"
    )
    assert [item.derives(name) for name in ("Clone", "Module", "Config", "y", "burn")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("attribute", "path", "arguments"),
    [
        ("#[a]", "a", ""),
        ("#[a(b, c = 1)]", "a", "b, c = 1"),
        ('#[a = "b"]', "a", '"b"'),
        ("#[a::b[c]]", "a::b", "c"),
        ("#[ a {b} ]", "a", "b"),
        ("#[unsafe(no_mangle)]", "unsafe", "no_mangle"),
    ],
)
def test_attribute(attribute: str, path: str, arguments: str) -> None:
    (read,) = only(f"{attribute} struct S;").attributes
    assert (read.path, read.arguments) == (path, arguments)


def test_inner_attributes_of_a_file() -> None:
    assert [a.path for a in SourceFile("a.rs", b"#![a]\n#![b(c)]\nfn f() {}").items.attributes] == ["a", "b"]


def test_path_attributes() -> None:
    mods = items('#[path = "x.rs"] mod a; #[cfg_attr(b, path = "y.rs")] mod c; mod d;')
    assert [m.path for m in mods if isinstance(m, Mod)] == ["x.rs", "y.rs", None]


def test_items_around_broken_ones() -> None:
    found = [item.name for item in items("fn a() {} fn b( { } struct C; fn d() { x @@ } const E: u8 = 1;")]
    assert {"a", "C", "E"} <= set(found)


def test_an_extern_block_gives_its_conditions_to_its_items() -> None:
    (fn, static) = items('#[cfg(a)] extern "C" { #[cfg(b)] fn f(); static S: u8; }')
    assert fn.cfg == All((Flag("a"), Flag("b"))) and static.cfg == Flag("a")
