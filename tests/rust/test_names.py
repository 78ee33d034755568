"""Name resolution.

A program is files in one string, each after a line `//- PATH`; names are asked for in `f` of src/lib.rs
unless a test says otherwise.
"""

from __future__ import annotations

import random
import re

import pytest

from burnlint.rust.items import Fn, Item, Variant
from burnlint.rust.modules import Crate, Module
from burnlint.rust.names import Names
from burnlint.rust.resolution import (
    Extern,
    Generic,
    Local,
    Namespace,
    Primitive,
    Resolution,
    Scope,
    SelfType,
    Unresolved,
)
from burnlint.rust.source import SourceFile
from burnlint.rust.types import InferType, Path, Segment

EXPORTS = {
    ("burn", "prelude"): {"Tensor", "Backend", "Module"},
    ("burn", "tensor"): {"Tensor", "Int", "Bool", "activation"},
    ("std", "collections"): {"HashMap"},
}


class Program:
    """Crates of files, and questions about them."""

    def __init__(
        self, source: str, edition: int = 2021, externs: dict[str, Crate | str] | None = None
    ) -> None:
        parts = re.split(r"^\s*//- (\S+)\n", "//- src/lib.rs\n" + source, flags=re.MULTILINE)[1:]
        texts = zip(parts[::2], parts[1::2], strict=True)
        self.files = {path: SourceFile(path, text.encode()) for path, text in texts}
        externs = {"burn": "burn", "burn_real": "burn", "serde": "serde", **(externs or {})}
        self.crate = Crate("mine", "src/lib.rs", self.files.get, externs, edition)
        self.names = Names(EXPORTS.get)

    def ask(
        self, path: str, namespace: Namespace = "type", at: str = "f", span: tuple[int, int] | None = None
    ) -> str:
        """What a path means in the item of that name (or at that place in it), in short text."""
        items = [item for file in self.crate.files() for item in file.items.all if item.name == at]
        item = items[0]
        module = self.crate.module_of(item)
        assert module is not None
        if span is None:
            span = (item.span[1] - 1, item.span[1] - 1) if isinstance(item, Fn) else item.span
        leading = path.startswith("::")
        segments = tuple(Segment(name) for name in path.removeprefix("::").split("::"))
        return show(self.names.resolve(Scope(module, item), Path(segments, span, leading), namespace))


def show(r: Resolution) -> str:
    rest = "".join(f" :: {segment.name}" for segment in r.rest)
    match r:
        case Local(definitions=definitions):
            return " | ".join(map(_definition, definitions)) + rest
        case Extern(path=path):
            return "extern " + "::".join(path) + rest
        case Primitive(name=name):
            return f"primitive {name}{rest}"
        case Generic(name=name, owner=owner):
            return f"generic {name} of {owner.name or 'impl'}{rest}"
        case SelfType(owner=owner):
            return f"Self of {type(owner).__name__} {owner.name}".rstrip() + rest
        case Unresolved(why=why):
            return f"? {why}"
    raise AssertionError(r)


def _definition(d: Item | Variant | Module) -> str:
    if isinstance(d, Module):
        return f"mod {d.crate.name}::{'::'.join(d.path)}".removesuffix("::")
    if isinstance(d, Variant):
        return f"variant {d.owner.name}::{d.name}"
    return f"{type(d).__name__.lower()} {d.name} in {d.file.path}:{d.file.text.line(d.span[0])}"


HERE = "in src/lib.rs:1"


@pytest.mark.parametrize(
    ("source", "path", "namespace", "expected"),
    [
        ("struct S; fn f() {}", "S", "type", f"struct S {HERE}"),
        ("struct S; fn f() {}", "S", "value", f"struct S {HERE}"),
        ("struct S {} fn f() {}", "S", "value", "? not found"),
        ("fn g() {} fn f() {}", "g", "value", f"fn g {HERE}"),
        ("fn g() {} fn f() {}", "g", "type", "? not found"),
        ("const C: u8 = 1; fn f() {}", "C", "value", f"const C {HERE}"),
        ("enum E { A } fn f() {}", "E::A", "value", "variant E::A"),
        ("enum E { A } fn f() {}", "E::new", "value", f"enum E {HERE} :: new"),
        ("enum E { A(u8) } use E::*; fn f() {}", "A", "value", "variant E::A"),
        ("enum E { A } use E::A as B; fn f() {}", "B", "value", "variant E::A"),
        ("struct S; fn f() {}", "S::new", "value", f"struct S {HERE} :: new"),
        ("struct S; fn f() {}", "S::a::b", "value", f"struct S {HERE} :: a :: b"),
        ("mod m { pub struct S; } fn f() {}", "m::S", "type", f"struct S {HERE}"),
        ("mod m { pub struct S; } fn f() {}", "crate::m::S", "type", f"struct S {HERE}"),
        ("mod m { pub struct S; } fn f() {}", "self::m::S", "type", f"struct S {HERE}"),
        ("mod m { pub struct S; } fn f() {}", "m", "type", "mod mine::m"),
        ("mod m { pub struct S; } use m::S; fn f() {}", "S", "type", f"struct S {HERE}"),
        ("mod m { pub struct S; } use m::S as T; fn f() {}", "T", "type", f"struct S {HERE}"),
        ("mod m { pub struct S; } use m::S as T; fn f() {}", "S", "type", "? not found"),
        ("mod m { pub struct S; } use m::*; fn f() {}", "S", "type", f"struct S {HERE}"),
        ("mod m { struct S; } use m::*; fn f() {}", "S", "type", "? not found"),
        (
            "mod m { pub mod n { pub struct S; } pub use n::S; } use m::S; fn f() {}",
            "S",
            "type",
            f"struct S {HERE}",
        ),
        (
            "mod m { pub mod n { pub struct S; } pub use n::*; } use m::*; fn f() {}",
            "S",
            "type",
            f"struct S {HERE}",
        ),
        ("mod m { mod n { pub struct S; } use n::*; } use m::*; fn f() {}", "S", "type", "? not found"),
        ("struct S; mod m { fn f() {} }", "super::S", "type", f"struct S {HERE}"),
        ("struct S; mod m { use super::*; fn f() {} }", "S", "type", f"struct S {HERE}"),
        ("struct S; mod m { mod n { fn f() {} } }", "super::super::S", "type", f"struct S {HERE}"),
        ("mod m { fn f() {} }", "super::super::S", "type", "? not found"),
        ("use burn::nn::Linear; fn f() {}", "Linear", "type", "extern burn::nn::Linear"),
        ("use burn::nn::Linear; fn f() {}", "Linear::new", "value", "extern burn::nn::Linear::new"),
        ("use burn::nn::{self, Linear as L}; fn f() {}", "nn::X", "type", "extern burn::nn::X"),
        ("use burn::nn::{self, Linear as L}; fn f() {}", "L", "type", "extern burn::nn::Linear"),
        ("use burn::prelude::*; fn f() {}", "Tensor", "type", "extern burn::prelude::Tensor"),
        ("use burn::prelude::*; fn f() {}", "Linear", "type", "? not found"),
        ("use burn::nn::*; fn f() {}", "Linear", "type", "? glob"),
        ("use burn::nn::*; struct Linear; fn f() {}", "Linear", "type", f"struct Linear {HERE}"),
        ("use burn_real::nn::Linear; fn f() {}", "Linear", "type", "extern burn::nn::Linear"),
        ("use burn as b; use b::nn as n; fn f() {}", "n::Linear", "type", "extern burn::nn::Linear"),
        ("extern crate burn as b; fn f() {}", "b::nn", "type", "extern burn::nn"),
        ("fn f() {}", "burn::nn", "type", "extern burn::nn"),
        ("fn f() {}", "::burn::nn", "type", "extern burn::nn"),
        ("mod burn { pub struct S; } fn f() {}", "burn::S", "type", f"struct S {HERE}"),
        ("mod burn {} fn f() {}", "::burn::nn", "type", "extern burn::nn"),
        (
            "use burn::prelude::Tensor; mod m { pub struct Tensor; } use m::*; fn f() {}",
            "Tensor",
            "type",
            "extern burn::prelude::Tensor",
        ),
        ("fn f() {}", "Vec::new", "value", "extern std::vec::Vec::new"),
        ("fn f() {}", "Some", "value", "extern std::option::Option::Some"),
        ("fn f() {}", "core::mem::swap", "value", "extern std::mem::swap"),
        ("fn f() {}", "f32", "type", "primitive f32"),
        ("fn f() {}", "f32::MAX", "value", "primitive f32 :: MAX"),
        ("struct Vec; fn f() {}", "Vec", "type", f"struct Vec {HERE}"),
        ("use serde::*; fn f() {}", "Vec", "type", "extern std::vec::Vec"),
        ("fn f() {}", "nowhere", "value", "? not found"),
        ("m! {} fn f() {}", "S", "type", "? macro"),
        (
            "cfg_if! { if #[cfg(a)] { use burn::tensor::Tensor; } else { struct Tensor; } } fn f() {}",
            "Tensor",
            "type",
            "? conditions",
        ),
        (
            "use burn::prelude::*; cfg_if! { if #[cfg(a)] { mod m { pub struct S; } } } fn f() {}",
            "m::S",
            "type",
            f"struct S {HERE}",
        ),
        (
            "cfg_if! { if #[cfg(a)] { struct S; } else { struct T; } } #[cfg(a)] fn f() {}",
            "T",
            "type",
            "? not found",
        ),
        ("use burn::prelude::*; m! { pub struct Tensor; } fn f() {}", "Tensor", "type", "? macro"),
        (
            "use burn::prelude::*; thread_local! { static T: Tensor<2> = make(); } fn f() {}",
            "Tensor",
            "type",
            "extern burn::prelude::Tensor",
        ),
        ("mod m { pub struct S; } use m::*; wrap! { mod inner; } fn f() {}", "inner::S", "type", "? macro"),
        ("fn f<T>() {}", "T", "type", "generic T of f"),
        ("fn f<T>() {}", "T::default", "value", "generic T of f :: default"),
        ("fn f<const N: usize>() {}", "N", "value", "generic N of f"),
        ("fn f<T>() {}", "T", "value", "? not found"),
        ("struct T; fn f<T>() {}", "T", "type", "generic T of f"),
        ("impl<T> S<T> { fn f() {} }", "T", "type", "generic T of impl"),
        ("struct S; impl S { fn f() {} }", "Self", "type", "Self of Impl"),
        ("struct S; impl S { fn f() {} }", "Self::new", "value", "Self of Impl :: new"),
        ("enum E { A } impl E { fn f() {} }", "Self::A", "value", "variant E::A"),
        ("enum E { A } impl E { fn f() {} }", "Self::new", "value", "Self of Impl :: new"),
        ("trait T { fn f() {} }", "Self::g", "value", "Self of Trait T :: g"),
        ("fn f() {}", "Self", "type", "? not found"),
        ("fn f() {}", "println", "macro", "extern std::println"),
        ("macro_rules! m { () => {} } mod n { fn f() {} }", "m", "macro", f"macrorules m {HERE}"),
        ("mod n { macro_rules! m { () => {} } } fn f() {}", "crate::m", "macro", f"macrorules m {HERE}"),
        ("use burn::Tensor as _; fn f() {}", "_", "type", "? not found"),
        ("fn g() {} mod g { pub fn h() {} } fn f() {}", "g::h", "value", f"fn h {HERE}"),
        ("fn g() {} mod g { pub fn h() {} } fn f() {}", "g", "value", f"fn g {HERE}"),
        (
            "use burn::tensor::activation; fn activation() {} fn f() {}",
            "activation",
            "value",
            f"fn activation {HERE}",
        ),
        (
            "use burn::tensor::activation; fn activation() {} fn f() {}",
            "activation::relu",
            "value",
            "extern burn::tensor::activation::relu",
        ),
        ("use a::{self}; fn a() {} mod a {} fn f() {}", "a", "value", f"fn a {HERE}"),
        (
            "mod m { pub use self::n::S; mod n { pub struct S; } } fn f() {}",
            "m::S",
            "type",
            f"struct S {HERE}",
        ),
        ("type A = u8; fn f() {}", "A", "type", f"typealias A {HERE}"),
        ("trait T { fn g(); } fn f() {}", "T::g", "value", f"trait T {HERE} :: g"),
    ],
)
def test_meaning(source: str, path: str, namespace: Namespace, expected: str) -> None:
    assert Program(source).ask(path, namespace) == expected


def test_modules_in_files() -> None:
    program = Program(
        "mod a; mod c; fn f() {}\n//- src/a.rs\npub mod b;\n//- src/a/b.rs\npub struct S;\n"
        "//- src/c.rs\npub use crate::a::b::S as T;"
    )
    assert program.ask("c::T") == "struct S in src/a/b.rs:1"


BLOCKS = """
struct S;
fn f() {
    use burn::nn::Linear as S;
    if x {
        struct S;
        /*in*/
        fn g() { /*g*/ }
    }
    /*out*/
    use self::helper as h;
    fn helper() {}
}
"""


def test_items_of_blocks_come_first_and_end_with_them() -> None:
    program = Program(BLOCKS)
    inner, out, in_g = BLOCKS.index("/*in*/"), BLOCKS.index("/*out*/"), BLOCKS.index("/*g*/")
    assert program.ask("S", span=(inner, inner)) == "struct S in src/lib.rs:6"
    assert program.ask("S", span=(out, out)) == "extern burn::nn::Linear"
    assert program.ask("S", at="g", span=(in_g, in_g)) == "struct S in src/lib.rs:6"
    assert program.ask("helper", "value", at="g", span=(in_g, in_g)) == "fn helper in src/lib.rs:12"
    assert program.ask("S", at="helper") == "extern burn::nn::Linear"


def test_globs_in_a_block() -> None:
    program = Program("mod m { pub struct A; pub struct B; } fn f() { use m::*; use burn::prelude::*; }")
    body = (70, 71)
    assert program.ask("A", span=body) == f"struct A {HERE}"
    assert program.ask("Tensor", span=body) == "extern burn::prelude::Tensor"


def test_generics_of_an_outer_function_are_not_in_scope() -> None:
    assert Program("fn outer<T>() { fn f() {} }").ask("T") == "? not found"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "#[cfg(a)] type B = u8; #[cfg(not(a))] type B = u16; fn f() {}",
            f"typealias B {HERE} | typealias B {HERE}",
        ),
        ("#[cfg(a)] type B = u8; #[cfg(not(a))] type B = u16; #[cfg(a)] fn f() {}", f"typealias B {HERE}"),
        ("#[cfg(a)] use burn::X as B; #[cfg(not(a))] use burn::Y as B; fn f() {}", "? conditions"),
        (
            "#[cfg(a)] use burn::X as B; #[cfg(not(a))] use burn::Y as B; #[cfg(a)] fn f() {}",
            "extern burn::X",
        ),
        ("#[cfg(a)] use burn::X as B; #[cfg(b)] use burn::X as B; fn f() {}", "extern burn::X"),
        ("#[cfg(a)] struct B; #[cfg(not(a))] use burn::B; fn f() {}", "? conditions"),
        ("#[cfg(a)] mod m { pub struct B; } #[cfg(a)] use m::B; #[cfg(not(a))] fn f() {}", "? not found"),
        (
            "mod m { #[cfg(a)] pub struct B; #[cfg(not(a))] pub enum B {} } use m::*; #[cfg(a)] fn f() {}",
            f"struct B {HERE}",
        ),
    ],
)
def test_conditions(source: str, expected: str) -> None:
    assert Program(source).ask("B") == expected


@pytest.mark.parametrize(
    "source",
    [
        "use f::f; fn f() {}",
        "use a as b; use b as a; fn f() {}",
        "mod m { pub use super::n::*; } mod n { pub use super::m::*; } use m::*; fn f() {}",
        "use self::*; fn f() {}",
        "use crate::*; use super::*; fn f() {}",
        "fn f() { use a::*; use b::*; use c::*; }",
        "".join(f"use a{n} as a{n + 1};" for n in range(500)) + "fn f() {}",
        "".join(f"use m{n}::*;" for n in range(30)) + "fn f() {}",
        "".join(
            f"mod m{n} {{ pub use super::m{(n + 1) % 12}::*; pub use super::m{(n + 5) % 12}::*; }}"
            for n in range(12)
        )
        + "use m0::*; fn f() {}",
    ],
)
def test_cycles_and_long_chains_end(source: str) -> None:
    program = Program(source)
    for name in ("a", "a500", "zz", "m3"):
        program.ask(name)


def test_an_import_of_a_crate_by_its_own_name() -> None:
    assert Program("use burn::burn; fn f() {}").ask("burn") == "extern burn::burn"
    assert Program("use burn; fn f() {}").ask("burn::nn") == "extern burn::nn"


def test_globs_in_a_circle_bring_what_both_declare() -> None:
    program = Program(
        "mod a { pub use super::b::*; pub struct A; } mod b { pub use super::a::*; pub struct B; } fn f() {}"
    )
    assert program.ask("a::B") == f"struct B {HERE}"
    assert program.ask("b::A") == f"struct A {HERE}"


def test_paths_go_into_crates_of_the_workspace() -> None:
    files = {
        "lib/src/lib.rs": "pub mod m { pub struct S; pub enum E { V } } pub use m::S as T; "
        "pub use burn::nn::Linear; mod p { pub struct P; } "
        "pub mod prelude { pub use crate::m::*; pub use burn::prelude::*; }",
    }
    read = {path: SourceFile(path, text.encode()) for path, text in files.items()}
    lib = Crate("my-lib", "lib/src/lib.rs", read.get, {"burn": "burn"})
    program = Program("use my_lib::prelude::*; fn f() {}", externs={"my_lib": lib, "renamed": lib})
    assert program.ask("my_lib::T") == "struct S in lib/src/lib.rs:1"
    assert program.ask("renamed::m::S") == "struct S in lib/src/lib.rs:1"
    assert program.ask("renamed::m::E::V", "value") == "variant E::V"
    assert program.ask("my_lib::Linear") == "extern burn::nn::Linear"
    assert program.ask("S") == "struct S in lib/src/lib.rs:1"
    assert program.ask("E::V", "value") == "variant E::V"
    assert program.ask("Tensor") == "extern burn::prelude::Tensor"
    assert program.ask("my_lib") == "mod my_lib"


def test_qualified_paths() -> None:
    program = Program("trait T { fn g(); } fn f() {}")
    item = program.crate.modules[0].items[1]
    scope = Scope(program.crate.modules[0], item)

    def ask(*names: str) -> str:
        path = Path(tuple(map(Segment, names)), (0, 0), qself=InferType((0, 0)))
        return show(program.names.resolve(scope, path, "value"))

    assert ask("T", "g") == f"trait T {HERE} :: g"
    assert ask("burn", "Module", "g") == "extern burn::Module::g"
    assert ask("g") == "? qualified"


def test_the_prelude_of_2024_has_futures() -> None:
    assert Program("fn f() {}", edition=2024).ask("Future") == "extern std::future::Future"
    assert Program("fn f() {}", edition=2021).ask("Future") == "? not found"


def test_imports_of_2015_start_at_the_root() -> None:
    program = Program("mod a { pub struct S; } mod b { use a::S; fn f() {} }", edition=2015)
    assert program.ask("S") == f"struct S {HERE}"


def test_answers_do_not_depend_on_the_order_of_questions() -> None:
    source = """
    mod a { pub use super::b::*; pub use super::c::X as Y; pub struct A; }
    mod b { pub use super::a::*; pub use super::c::*; pub struct B; }
    mod c {
        pub use super::a::A as X; pub use super::b::*;
        #[cfg(p)] pub struct C; #[cfg(not(p))] pub enum C {}
    }
    use a::*; use c::C as D; use burn::prelude::*;
    fn f() {}
    """
    questions = [
        f"{m}{n}" for m in ("", "a::", "b::", "c::") for n in ("A", "B", "C", "D", "X", "Y", "Tensor", "Z")
    ]
    alone = {q: Program(source).ask(q) for q in questions}
    for seed in range(20):
        order = questions[:]
        random.Random(seed).shuffle(order)
        program = Program(source)
        assert {q: program.ask(q) for q in order} == alone
    assert (
        alone["c::X"].startswith("struct A")
        and alone["D"].startswith("struct C")
        and alone["Z"] == "? not found"
    )
