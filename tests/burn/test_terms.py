"""Terms: what is written reads back, substitution and matching undo each other, and wrong text is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnlint.burn.terms import (
    FLOAT,
    UNIT,
    Array,
    Assoc,
    Autodiff,
    Binding,
    Const,
    Dyn,
    Fn,
    Generic,
    Impl,
    Inner,
    Named,
    Opaque,
    Ref,
    Slice,
    Tensor,
    Term,
    TermError,
    Tuple,
    children,
    match,
    parse,
    show,
    substitute,
    subterms,
)

GENERICS = ("D", "K", "T")
names = st.sampled_from(["Vec", "f32", "burn::train::Numeric", "Option", "Linear"])
leaves = st.one_of(
    st.builds(Generic, st.sampled_from(GENERICS)),
    st.builds(Named, names),
    st.builds(Const, st.integers(0, 8)),
    st.builds(Const, st.just("D-1")),
    st.builds(Opaque, st.just("*mut u8")),
    st.just(UNIT),
)


def larger(inside: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    many = st.lists(inside, max_size=3).map(tuple)
    some = st.lists(inside, min_size=1, max_size=2).map(tuple)
    bounds = st.lists(
        st.one_of(
            st.builds(Named, names, many), st.builds(Fn, st.just("FnMut"), many, st.builds(Named, names))
        ),
        min_size=1,
        max_size=2,
    ).map(tuple)
    return st.one_of(
        st.builds(Tensor, inside, inside),
        st.builds(Named, names, some),
        st.builds(lambda name, value: Named("Iterator", (Binding(name, value),)), st.just("Item"), inside),
        st.builds(Ref, st.booleans(), inside),
        st.builds(Tuple, some),
        st.builds(Slice, inside),
        st.builds(Array, inside, st.builds(Generic, st.just("D"))),
        st.builds(Fn, st.sampled_from(["fn", "Fn", "FnOnce"]), many, inside),
        st.builds(Impl, bounds),
        st.builds(Dyn, bounds),
        st.builds(Inner, inside),
        st.builds(Autodiff, inside),
        st.builds(Assoc, inside, st.sampled_from(["", "Module"]), st.just("Record")),
    )


terms = st.recursive(leaves, larger, max_leaves=8)


@given(terms)
def test_what_is_written_reads_back(term: Term) -> None:
    assert parse(show(term), GENERICS) == term


@given(terms)
def test_equal_terms_have_equal_hashes(term: Term) -> None:
    assert hash(parse(show(term), GENERICS)) == hash(term)


@given(terms, st.fixed_dictionaries(dict.fromkeys(GENERICS, leaves)))
def test_matching_finds_what_was_substituted(pattern: Term, values: dict[str, Term]) -> None:
    found = match(pattern, substitute(pattern, values), GENERICS)
    assert found is not None
    assert {name: values[name] for name in found} == found
    assert set(found) == {t.name for t in subterms(pattern) if isinstance(t, Generic)}


def test_terms_of_different_sorts_differ() -> None:
    assert len({Generic("D"), Named("D"), Opaque("D"), Const("D")}) == 4
    assert Slice(FLOAT) != Inner(FLOAT) != Autodiff(FLOAT)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Tensor<D,Float>", Tensor(Generic("D"), FLOAT)),
        ("Tensor<2,K>", Tensor(Const(2), Generic("K"))),
        ("&mut [usize;D]", Ref(True, Array(Named("usize"), Generic("D")))),
        ("Option<Inner<Tensor<D,K>>>", Named("Option", (Inner(Tensor(Generic("D"), Generic("K"))),))),
        ("T::Record", Assoc(Generic("T"), "", "Record")),
        ("<Linear as Module>::Record", Assoc(Named("Linear"), "Module", "Record")),
        ("impl Fn(T)->T+Send", Impl((Fn("Fn", (Generic("T"),), Generic("T")), Named("Send")))),
        (
            "Box<dyn Iterator<Item=T>>",
            Named("Box", (Dyn((Named("Iterator", (Binding("Item", Generic("T")),)),)),)),
        ),
        ("Result<(),!>", Named("Result", (UNIT, Named("!")))),
    ],
)
def test_examples(text: str, term: Term) -> None:
    assert parse(text, GENERICS) == term
    assert show(term) == text


@pytest.mark.parametrize(
    "text", ["", "Vec<", "Vec<f32", "&", "[f32;3", "Vec<f32>>", "(f32", "f32 f32", "<T as Module>"]
)
def test_wrong_text_is_refused(text: str) -> None:
    with pytest.raises(TermError):
        parse(text, GENERICS)


def test_matching_refuses_what_does_not_fit() -> None:
    pattern = parse("Param<Tensor<D,Float>>", GENERICS)
    assert match(pattern, parse("Param<Tensor<2,Int>>"), GENERICS) is None
    assert match(pattern, parse("Vec<Tensor<2,Float>>"), GENERICS) is None
    assert match(parse("(T,T)", GENERICS), parse("(f32,f64)"), GENERICS) is None
    assert match(pattern, parse("Param<Tensor<2,Float>>"), GENERICS) == {"D": Const(2)}


def test_children_are_the_terms_directly_inside() -> None:
    assert children(parse("Vec<Option<f32>>")) == (parse("Option<f32>"),)
    assert [show(t) for t in subterms(parse("&Vec<f32>"))] == ["&Vec<f32>", "Vec<f32>", "f32"]
