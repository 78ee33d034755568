"""Module trees."""

from __future__ import annotations

import pytest

from burnlint.rust.cfg import ALWAYS, TEST, All, Flag, Not
from burnlint.rust.modules import MAX_DEPTH, Crate
from burnlint.rust.source import SourceFile


class Files:
    """Files in memory, each read once."""

    def __init__(self, contents: dict[str, str]) -> None:
        self.files = {path: SourceFile(path, text.encode()) for path, text in contents.items()}

    def __call__(self, path: str) -> SourceFile | None:
        return self.files.get(path)


def crate(contents: dict[str, str], root: str = "src/lib.rs") -> Crate:
    return Crate("my-crate", root, Files(contents))


def tree(c: Crate) -> dict[str, str]:
    return {"::".join(m.path): m.file.path for m in c.modules}


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        ({"src/lib.rs": "mod a;", "src/a.rs": ""}, {"": "src/lib.rs", "a": "src/a.rs"}),
        ({"src/lib.rs": "mod a;", "src/a/mod.rs": ""}, {"": "src/lib.rs", "a": "src/a/mod.rs"}),
        (
            {"src/lib.rs": "mod a;", "src/a.rs": "mod b;", "src/a/b.rs": ""},
            {"": "src/lib.rs", "a": "src/a.rs", "a::b": "src/a/b.rs"},
        ),
        (
            {"src/lib.rs": "mod a;", "src/a/mod.rs": "mod b;", "src/a/b.rs": ""},
            {"": "src/lib.rs", "a": "src/a/mod.rs", "a::b": "src/a/b.rs"},
        ),
        (
            {"src/lib.rs": "mod a { mod b; }", "src/a/b.rs": ""},
            {"": "src/lib.rs", "a": "src/lib.rs", "a::b": "src/a/b.rs"},
        ),
        (
            {"src/lib.rs": "mod a;", "src/a.rs": "mod b { mod c; }", "src/a/b/c.rs": ""},
            {"": "src/lib.rs", "a": "src/a.rs", "a::b": "src/a.rs", "a::b::c": "src/a/b/c.rs"},
        ),
        (
            {"src/lib.rs": '#[path = "x/y.rs"] mod a;', "src/x/y.rs": "mod b;", "src/x/b.rs": ""},
            {"": "src/lib.rs", "a": "src/x/y.rs", "a::b": "src/x/b.rs"},
        ),
        (
            {"src/lib.rs": "mod a;", "src/a.rs": '#[path = "z.rs"] mod b;', "src/z.rs": ""},
            {"": "src/lib.rs", "a": "src/a.rs", "a::b": "src/z.rs"},
        ),
        (
            {"src/lib.rs": '#[path = "../common/c.rs"] mod a;', "common/c.rs": ""},
            {"": "src/lib.rs", "a": "common/c.rs"},
        ),
        (
            {"src/lib.rs": '#[path = "d"] mod a { mod b; }', "src/d/b.rs": ""},
            {"": "src/lib.rs", "a": "src/lib.rs", "a::b": "src/d/b.rs"},
        ),
        (
            {
                "src/lib.rs": "cfg_if::cfg_if! { if #[cfg(x)] { mod a; mod i { mod b; } } else { mod c; } } m! { mod d; }",
                "src/a.rs": "",
                "src/i/b.rs": "",
                "src/c.rs": "",
                "src/d.rs": "",
            },
            {"": "src/lib.rs", "a": "src/a.rs", "i": "src/lib.rs", "i::b": "src/i/b.rs", "c": "src/c.rs"},
        ),
        (
            {"src/lib.rs": "mod a;", "src/a.rs": 'mod i { #[path = "o.rs"] mod b; }', "src/a/i/o.rs": ""},
            {"": "src/lib.rs", "a": "src/a.rs", "a::i": "src/a.rs", "a::i::b": "src/a/i/o.rs"},
        ),
        ({"src/lib.rs": "mod r#type;", "src/type.rs": ""}, {"": "src/lib.rs", "type": "src/type.rs"}),
    ],
)
def test_where_modules_lie(contents: dict[str, str], expected: dict[str, str]) -> None:
    found = crate(contents)
    assert tree(found) == expected
    assert found.missing == []


def test_name_and_root() -> None:
    found = crate({"src/lib.rs": ""})
    assert found.name == "my_crate" and found.root is not None and found.root.path == ()
    assert crate({}).root is None and crate({}).modules == []


def test_a_module_without_a_file() -> None:
    found = crate({"src/lib.rs": "mod a; mod b;", "src/b.rs": ""})
    ((mod, places),) = found.missing
    assert mod.name == "a" and places == ("src/a.rs", "src/a/mod.rs")
    assert tree(found) == {"": "src/lib.rs", "b": "src/b.rs"}


def test_conditions() -> None:
    found = crate(
        {
            "src/lib.rs": '#[cfg(feature = "a")] mod a; #[cfg(test)] mod tests;',
            "src/a.rs": "#![cfg(unix)] #[cfg(x)] fn f() {}",
            "src/tests.rs": "fn g() {}",
        }
    )
    by_name = {m.name: m for m in found.modules}
    assert by_name["a"].condition == All((Flag("feature", "a"), Flag("unix")))
    (f,) = by_name["a"].items
    assert found.condition_of(f) == All((Flag("feature", "a"), Flag("unix"), Flag("x")))
    assert by_name["tests"].condition == TEST and by_name["tests"].items[0].in_test
    assert not f.in_test and found.root is not None and found.root.condition == ALWAYS


def test_a_test_target_is_test_code() -> None:
    files = Files({"it.rs": "mod a; fn f() {}", "a.rs": "fn g() {}"})
    found = Crate("it", "it.rs", files, test=True)
    assert all(item.in_test for m in found.modules for item in m.items)


def test_a_file_shared_by_two_targets() -> None:
    files = Files({"src/lib.rs": "mod a;", "src/main.rs": "#[cfg(x)] mod a;", "src/a.rs": "fn f() {}"})
    lib, main = Crate("p", "src/lib.rs", files), Crate("p", "src/main.rs", files)
    (f,) = files.files["src/a.rs"].items.items
    in_lib, in_main = lib.module_of(f), main.module_of(f)
    assert in_lib is not None and in_main is not None and in_lib is not in_main
    assert in_lib.condition == ALWAYS and in_main.condition == Flag("x")
    assert files.files["src/a.rs"].placements == [ALWAYS, Flag("x")]


def test_the_same_name_under_two_conditions() -> None:
    found = crate(
        {
            "src/lib.rs": '#[cfg(a)] mod m; #[cfg(not(a))] #[path = "n.rs"] mod m;',
            "src/m.rs": "",
            "src/n.rs": "",
        }
    )
    assert found.root is not None
    assert [m.file.path for m in found.root.children["m"]] == ["src/m.rs", "src/n.rs"]


def test_module_of_items_in_modules_and_bodies() -> None:
    found = crate({"src/lib.rs": "mod a { fn f() { fn g() {} } impl S { fn h() {} } } fn k() {}"})
    names = {}
    for item in found.modules[0].file.items.all:
        module = found.module_of(item)
        assert module is not None
        names[item.name] = module.name
    assert names == {"a": "", "f": "a", "g": "a", "": "a", "h": "a", "k": ""}
    assert found.module_of(SourceFile("x.rs", b"fn f() {}").items.items[0]) is None


def test_a_file_that_includes_itself() -> None:
    found = crate({"src/lib.rs": '#[path = "lib.rs"] mod a;'})
    assert len(found.modules) <= MAX_DEPTH + 1


def test_files_are_each_once() -> None:
    found = crate({"src/lib.rs": '#[path = "x.rs"] mod a; #[path = "x.rs"] mod b;', "src/x.rs": "fn f() {}"})
    assert [f.path for f in found.files()] == ["src/lib.rs", "src/x.rs"]
    assert len(found.modules) == 3


def test_conditions_of_what_macros_hand_on() -> None:
    c = crate(
        {
            "src/lib.rs": "macro_rules! gated { ($($i:item)*) => { $( #[cfg(g)] $i )* } }\n"
            "gated! { #[cfg(h)] mod a; }\n"
            "cfg_if! { if #[cfg(x)] { mod b; } else if #[cfg(y)] { mod c; } else { mod d; } }",
            **{f"src/{name}.rs": "fn f() {}" for name in "abcd"},
        }
    )
    g, h, x, y = Flag("g"), Flag("h"), Flag("x"), Flag("y")
    conditions = {m.name: m.condition for m in c.modules}
    assert conditions == {
        "": ALWAYS,
        "a": All((g, h)),
        "b": x,
        "c": All((Not(x), y)),
        "d": All((Not(x), Not(y))),
    }


@pytest.mark.parametrize(
    "macro",
    [
        "macro_rules! m { ($($i:item)*) => { $( #[derive(Clone)] $i )* } } m! { mod a; }",
        "macro_rules! m { ($($i:item)*) => { $( $i )* struct S; } } m! { mod a; }",
        "macro_rules! m { ($($i:item)*) => { $( $i )* }; (x) => {} } m! { mod a; }",
        "macro_rules! m { ($($i:tt)*) => { $( $i )* } } m! { mod a; }",
        "m! { mod a; }",
        "cfg_if! { if cfg!(x) { mod a; } }",
        "cfg_if! { if #[cfg(x)] { mod a; } elif { mod b; } }",
        "cfg_if! { mod a; }",
    ],
)
def test_what_a_macro_makes_of_items_is_unknown_else(macro: str) -> None:
    assert tree(crate({"src/lib.rs": macro, "src/a.rs": ""})) == {"": "src/lib.rs"}
