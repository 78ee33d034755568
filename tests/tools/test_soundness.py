"""The judge of inference without Cargo: where annotations go, whose fault an error is, reading of THIR."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from burnlint.burn import terms
from burnlint.burn.terms import Const, Generic, Named, Ref, Tensor, Term, Tuple, Unknown
from burnlint.text import Text
from tools.soundness import judge, rustc_types, thir
from tools.soundness.canary import wrong_type
from tools.soundness.cargo import CargoError, Copy, Diagnostic, Label, diagnostic
from tools.soundness.compare import OF_BACKEND, difference
from tools.soundness.edits import Annotation, Edited
from tools.soundness.package import Package
from tools.soundness.report import offset

SOURCE = b"""fn f() {
    let a = one();
    let mut b = two(a);
    three(b)
}
fn g() {
    let c = four();
}
"""
F = (SOURCE.index(b"fn f"), SOURCE.index(b"fn g") - 1)
G = (SOURCE.index(b"fn g"), len(SOURCE) - 1)


def annotation(pattern: bytes, type: str) -> Annotation:
    at = SOURCE.index(pattern) + len(pattern)
    return Annotation("src/lib.rs", at, F if at < F[1] else G, pattern.decode().split()[-1], type)


A, B, C = (
    annotation(b"let a", "Tensor<2>"),
    annotation(b"let mut b", "usize"),
    annotation(b"let c", "Vec<Tensor<1>>"),
)


def test_annotations_stand_behind_their_patterns() -> None:
    edited = Edited(SOURCE, [C, A, B])
    assert b"let a: Tensor<2> = one();" in edited.content
    assert b"let mut b: usize = two(a);" in edited.content
    assert b"let c: Vec<Tensor<1>> = four();" in edited.content


def test_places_of_the_edited_text_are_those_of_the_original() -> None:
    edited = Edited(SOURCE, [A, B, C])
    for word in (b"let a", b"one()", b"two(a)", b"three", b"four"):
        assert edited.original(edited.content.index(word)) == SOURCE.index(word), word
    assert edited.original(edited.content.index(b"Tensor<2>") + 3) == A.at


def test_a_span_names_the_annotation_whose_type_it_touches() -> None:
    edited = Edited(SOURCE, [A, B, C])
    start = edited.content.index(b"usize")
    assert edited.annotations(start, start + 5) == [B]
    assert edited.annotations(start + 2, start + 2) == [B]
    name = edited.content.index(b"b: usize")
    assert edited.annotations(name, name + 1) == []
    assert edited.annotations(start + 5, start + 9) == []
    assert edited.annotations(0, len(edited.content)) == [A, B, C]


def test_a_file_in_more_than_one_byte_per_character() -> None:
    source = "fn f() { /* für */ let a = ü(); }".encode()
    at = source.index(b"let a") + 5
    edited = Edited(source, [Annotation("a.rs", at, (0, len(source)), "a", "u8")])
    assert "let a: u8 = ü()".encode() in edited.content
    assert edited.original(edited.content.index("ü()".encode())) == source.index("ü()".encode())


class Rustc:
    """Stands for `cargo check`: gives the errors that it is told for the content that it sees."""

    def __init__(self, errors: Callable[[bytes], list[Diagnostic]]) -> None:
        self.errors = errors
        self.seen: list[bytes] = []

    def __call__(self, contents: Mapping[str, bytes]) -> list[Diagnostic]:
        content = contents["src/lib.rs"]
        self.seen.append(content)
        return self.errors(content)


def error(content: bytes, *words: bytes, code: str = "E0308") -> Diagnostic:
    """An error whose primary place is the first word, labelled at the others."""
    labels = []
    for word in words:
        at = content.index(word)
        labels.append(Label("src/lib.rs", at, at + len(word), not labels))
    return Diagnostic(code, "mismatched types", tuple(labels))


def settle(errors: Callable[[bytes], list[Diagnostic]]) -> tuple[judge.Verdict, Rustc]:
    rustc = Rustc(errors)
    return judge.settle({"src/lib.rs": SOURCE}, [A, B, C], rustc), rustc


def test_all_are_accepted_in_one_run() -> None:
    verdict, rustc = settle(lambda content: [])
    assert verdict.accepted == [A, B, C]
    assert not verdict.rejected
    assert len(rustc.seen) == 1


def test_the_annotation_at_the_label_is_rejected_and_the_others_stay() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        return [error(content, b"two(a)", b"usize")] if b"usize" in content else []

    verdict, _ = settle(errors)
    assert [each.annotation for each in verdict.rejected] == [B]
    assert verdict.accepted == [A, C]
    assert not verdict.rejected[0].tool


def test_an_error_that_names_no_annotation_is_laid_at_the_one_that_causes_it_alone() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        return [error(content, b"three(b)")] if b"usize" in content else []

    verdict, _ = settle(errors)
    assert [each.annotation for each in verdict.rejected] == [B]
    assert set(verdict.accepted) == {A, C}
    assert not verdict.stray


def test_a_fault_of_another_annotation_is_forgiven() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        if b"Tensor<2>" not in content:
            return []
        found = [error(content, b"Tensor<2>")]
        return [*found, error(content, b"usize")] if b"usize" in content else found

    verdict, _ = settle(errors)
    assert [each.annotation for each in verdict.rejected] == [A]
    assert set(verdict.accepted) == {B, C}


def test_errors_that_others_hide_are_found() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        if b"usize" in content:
            return [error(content, b"usize", code="E0412")]
        return [error(content, b"Vec<Tensor<1>>")] if b"Vec<" in content else []

    verdict, _ = settle(errors)
    assert {each.annotation: each.tool for each in verdict.rejected} == {B: True, C: False}
    assert verdict.accepted == [A]


def test_an_error_in_no_function_with_annotations_is_kept_apart() -> None:
    stray = Diagnostic("E0277", "elsewhere", (Label("src/other.rs", 3, 4, True),))
    verdict, _ = settle(lambda content: [stray])
    assert verdict.stray == [stray]
    assert verdict.accepted == [A, B, C]


def test_one_of_each_function_is_tried_alone_in_each_round() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        return [error(content, b"four()")] if b"Vec<" in content else []

    rustc = Rustc(errors)
    found = judge.singly({"src/lib.rs": SOURCE}, [A, B, C], [], rustc)
    assert found[A] is None and found[B] is None
    assert found[C] is not None and found[C].code == "E0308"
    assert not any(b"usize" in content and b"Tensor<2>" in content for content in rustc.seen)


def test_a_target_that_was_not_reached_is_tried_again() -> None:
    def errors(content: bytes) -> list[Diagnostic]:
        if b"Tensor<2>" in content:
            return [error(content, b"one()")]
        return [error(content, b"four()")] if b"Vec<" in content else []

    found = judge.singly({"src/lib.rs": SOURCE}, [A, C], [], Rustc(errors))
    assert found[A] is not None and found[C] is not None


def test_a_diagnostic_holds_the_places_that_macros_were_called_from(tmp_path: Path) -> None:
    inner = {
        "file_name": "/rustc/library/core/macros.rs",
        "byte_start": 9,
        "byte_end": 12,
        "is_primary": True,
        "label": None,
        "expansion": {
            "span": {"file_name": "src/lib.rs", "byte_start": 40, "byte_end": 44, "expansion": None}
        },
    }
    message = {
        "code": {"code": "E0308"},
        "message": "mismatched types",
        "spans": [inner],
        "children": [{"level": "note", "message": "expected `a`", "spans": []}],
    }
    found = diagnostic(message, tmp_path)
    assert found.labels == (Label("src/lib.rs", 40, 44, True),)
    assert found.notes == ("expected `a`",)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Tensor<2>", "Tensor<3>"),
        ("Tensor<_, 2>", "Tensor<_, 3>"),
        ("Tensor<2, Int>", "Tensor<2>"),
        ("Tensor<_, 1, burn::tensor::Bool>", "Tensor<_, 1>"),
        ("Tensor<D>", "Tensor<13>"),
        ("Tensor<_, D, K>", "Tensor<_, 13, K>"),
        ("Option<Vec<burn::tensor::Tensor<4>>>", "Option<Vec<burn::tensor::Tensor<5>>>"),
        ("(Tensor<1, Int>, Tensor<2>)", "(Tensor<1>, Tensor<2>)"),
        ("&mut usize", "::core::option::Option<&mut usize>"),
        ("TensorData", "::core::option::Option<TensorData>"),
    ],
)
def test_a_canary_has_another_rank_or_kind_or_is_wrapped(right: str, wrong: str) -> None:
    assert wrong_type(right) == wrong


THIR = """\
DefId(0:12 ~ a[385e]::g):
params: [
    Param {
        ty: &'{erased} usize
        ty_span: None
        param: Some(
            Pat {
                ty: &'{erased} usize
                span: src/lib.rs:3:26: 3:27 (#0)
                kind: PatKind {
                    Binding {
                        name: "x"
                        mode: BindingMode(No, Not)
                        var: LocalVarId(HirId(DefId(0:12 ~ a[385e]::g).2))
                        ty: &'{erased} usize
                        is_primary: true
body:
    Expr {
        ty: T<D/#0, f32>
        temp_scope_id: 4
        span: src/lib.rs:4:5: 4:9 (#0)
        kind:
            Scope {
                value:
                    Expr {
                        ty: std::fmt::Arguments<'{erased}>
                        temp_scope_id: 4
                        span: /rustc/59/library/alloc/src/macros.rs:114:33: 114:73 (#10)
    pat: Pat { ty: Option<u8>, span: src/lib.rs:6:1: 6:9 (#0), extra: None, kind: Variant { \
subpatterns: [FieldPat { field: 0, \
pattern: Pat { ty: u8, span: src/lib.rs:6:5: 6:6 (#0), extra: None, kind: Binding { name: "q", \
mode: BindingMode(No, Not), var: LocalVarId(HirId(DefId(0:32 ~ b[8f53]::g).101)), ty: u8, subpattern: None, \
is_primary: true } } }] } }
"""


def test_thir_gives_bindings_and_expressions_but_not_what_macros_made() -> None:
    rows = list(thir.read(thir.compact(THIR.splitlines(keepends=True))))
    assert rows == [
        thir.Row(thir.Place("src/lib.rs", (3, 26), (3, 27)), "x", "&'{erased} usize"),
        thir.Row(thir.Place("src/lib.rs", (4, 5), (4, 9)), "", "T<D/#0, f32>"),
        thir.Row(thir.Place("src/lib.rs", (6, 5), (6, 6)), "q", "u8"),
    ]


def test_a_print_that_broke_off_is_marked() -> None:
    assert list(thir.read([thir.INCOMPLETE])) == [None]


def test_columns_of_rustc_are_code_points() -> None:
    text = Text("a.rs", "\nlet ü = ä(x);\n".encode())
    assert text.content[offset(text, 2, 11) :] == b"x);\n"
    assert text.content[offset(text, 1, 1) :].startswith(b"\n")


@pytest.mark.parametrize(
    ("term", "type", "expected"),
    [
        (Tensor(Const(2), Named("Int")), "burn_tensor::Tensor<2_usize, burn_tensor::Int>", None),
        (Tensor(Const(2), Named("Int")), "burn_tensor::Tensor<B/#0, 2_usize, burn_tensor::Int>", None),
        (Tensor(Const(2), Named("Int")), "burn_tensor::Tensor<3_usize, burn_tensor::Int>", "rank 2, not 3"),
        (
            Tensor(Const(2), Named("Int")),
            "burn_tensor::Tensor<2_usize, burn_tensor::Float>",
            "kind Int, not Float",
        ),
        (Tensor(Generic("D"), Generic("K")), "burn_tensor::Tensor<D/#0, K/#1>", None),
        (Tensor(Generic("D"), Generic("K")), "burn_tensor::Tensor<E/#0, K/#1>", "rank D, not E"),
        (Tensor(Unknown("why"), Named("Int")), "burn_tensor::Tensor<3_usize, burn_tensor::Int>", None),
        (Tensor(Const(2), Named("Int")), "burn_tensor::TensorData", "Tensor, not TensorData"),
        (Ref(False, Named("usize")), "&'{erased} usize", None),
        (Ref(False, Named("usize")), "&'{erased} mut usize", "reference, not &mut"),
        (Ref(False, Named("usize")), "usize", "reference, not usize"),
        (Named("Vec", (Named("f32"),)), "std::vec::Vec<f32, std::alloc::Global>", None),
        (Named("Vec", (Named("f32"),)), "std::vec::Vec<f64, std::alloc::Global>", "Vec<f32, not f64>"),
        (Named("Linear"), "burn_nn::Linear<B/#0>", None),
        (Tuple((Named("u8"), Named("bool"))), "(u8, bool)", None),
        (Tuple((Named("u8"),)), "(u8, bool)", "() of 1, not () of 2"),
        (terms.Array(Named("f32"), Const(2)), "[f32; 2_usize]", None),
        (terms.Array(Named("f32"), Const(2)), "[f32; 3_usize]", "2, not 3"),
        (
            Named("Iter", (Named("u8"),)),
            "std::iter::Map<std::slice::Iter<'{erased}, u8>, Closure(DefId(0:1), [])>",
            None,
        ),
        (Named("Iter", (Named("u8"),)), "burn_tensor::Tensor<2_usize, burn_tensor::Int>", "Iter, not Tensor"),
        (Named("ndarray::Array2", (Named("f32"),)), "ndarray::ArrayBase<ndarray::OwnedRepr<f32>>", None),
        (Named("ndarray::Array2", (Named("f32"),)), "candle::ArrayBase<f32>", "Array2, not ArrayBase"),
        (Named("image::ImageResult", (Tuple(()),)), "std::result::Result<(), image::ImageError>", None),
        (Named("NonZeroUsize"), "std::num::NonZero<usize>", None),
        (Named("NonZeroUsize"), "usize", "NonZeroUsize, not usize"),
        (Named("ParseError"), "std::num::ParseIntError", None),
        (Named("Device"), "burn_flex::FlexDevice", None),
        (Named("Device"), "&'{erased} burn_flex::FlexDevice", "Device, not &"),
        (terms.Fn("fn", (), Named("u8")), "Closure(DefId(0:15 ~ a::g::{closure#0}), [D/#0])", None),
        (
            Named("f32"),
            "Alias(Projection, AliasTy { args: [B/#0], def_id: DefId(0:8 ~ b::Be::Dev), .. })",
            None,
        ),
    ],
)
def test_terms_and_types_differ_where_both_are_known(term: Term, type: str, expected: str | None) -> None:
    def sorts(term: Term) -> Sequence[str] | None:
        if term == Named("Device"):
            return OF_BACKEND
        return ["backend"] if term == Named("Linear") else None

    assert difference(term, rustc_types.read(type), sorts) == expected


def test_a_type_is_read_past_what_is_not_taken_apart() -> None:
    form = rustc_types.read(
        "(std::boxed::Box<dyn [Binder { value: Trait(std::ops::Fn<(usize,)>), bound_vars: [] }] + '{erased}, "
        "std::alloc::Global>, impl Debug/#3, *const [f32; 2_usize], &'{erased} mut X/#1, !)"
    )
    assert [each.head for each in form.args] == ["std::boxed::Box", "?", "*", "&mut", "!"]
    assert form.args[3].peeled.text == "X"


def test_the_lets_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(
        '[package]\nname = "p"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text(
        "use burn::tensor::Tensor;\n"
        "pub fn f(x: Tensor<2>) {\n"
        "    let y = x.clone().sum_dim(1);\n"
        "    let (a, b) = (1, 2);\n"
        "    let n: usize = 3;\n"
        "    let go = || { let mut z = y.clone(); z };\n"
        "    let ref r = x;\n"
        "}\n"
    )
    tensor = "Tensor<2, burn::tensor::Float>"
    (body,) = Package(tmp_path).bodies
    found = [(bind.local.name, body.types.annotation(bind.local)) for _, bind in body.lets()]
    assert found == [("y", tensor), ("go", None), ("z", tensor)]
    assert body.path == "src/lib.rs"


def test_a_copy_holds_the_sources_that_are_named_by_absolute_paths(tmp_path: Path) -> None:
    for path, text in {
        "outside/rule/case.rs": "fn one() {}",
        "outside/project/main.rs": "mod inner;",
        "outside/project/inner.rs": "fn two() {}",
        "package/src/lib.rs": f'#[path = "{tmp_path}/outside/rule/case.rs"]\nmod case;',
        "package/member/Cargo.toml": f'[[bin]]\nname = "m"\npath = "{tmp_path}/outside/project/main.rs"\n',
        "package/Cargo.toml": "[workspace]\n",
        "package/target/debug/old.rs": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    copy = Copy.of(tmp_path / "package", tmp_path / "work" / "copy", tmp_path / "target", [], 1)
    module = re.search(r'"(.+)"', (copy.folder / "src/lib.rs").read_text())
    target = re.search(r'path = "(.+)"', (copy.folder / "member/Cargo.toml").read_text())
    assert module is not None and target is not None
    for found in (module, target):
        assert Path(found[1]).is_relative_to(copy.folder)
    assert Path(module[1]).read_text() == "fn one() {}"
    assert (Path(target[1]).parent / "inner.rs").read_text() == "fn two() {}"
    assert not (copy.folder / "target").exists()


def test_a_folder_without_a_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CargoError, match="no Cargo"):
        Copy.of(tmp_path, tmp_path / "copy", tmp_path / "target", [], 1)
