"""Flow inside one body: reaching definitions, order of evaluation, sinks of values.

Sources mark expressions by comments: `/*a*/x` names the outermost expression that starts right behind the
comment.
"""

from __future__ import annotations

import random
import re

import pytest

from burnlint.rust import hir
from burnlint.rust.flow import Definition, Flow
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile

MARK = re.compile(rb"/\*(\w+)(:\w+)?\*/\s*")


class Case:
    """A function body under test with its marked expressions."""

    def __init__(self, source: str, self_mode=None) -> None:
        content = source.encode()
        file = SourceFile("src/lib.rs", content)
        fn = next(f for f in file.items.functions if f.name == "f")
        self.body = body_of(fn)
        self.flow = Flow(self.body, self_mode)
        self.marks = {}
        for mark in MARK.finditer(content):
            starting = [e for e in self.body.exprs if e.span[0] == mark.end()]
            kind = mark.group(2)
            if kind:
                starting = [e for e in starting if type(e).__name__ == kind[1:].decode()]
            self.marks[mark.group(1).decode()] = max(starting, key=lambda e: (e.span[1], e.id))

    def __getitem__(self, name: str) -> hir.Expr:
        return self.marks[name]

    def text(self, span: hir.Span) -> str:
        return self.body.owner.file.text.decode(*span)

    def defs(self, name: str) -> list[str]:
        """The definitions that reach a marked expression, as `kind text`."""
        reaching = self.flow.reaching(self[name])
        return sorted(self.show(d) for d in (*reaching.definitions, *reaching.partial))

    def show(self, d: Definition) -> str:
        shown = d.value if d.value is not None else d.expr
        return f"{d.kind} {self.text(shown.span) if shown is not None else d.place}"

    def must(self, name: str) -> str | None:
        d = self.flow.reaching(self[name]).must
        return self.show(d) if d is not None else None


def body(code: str, head: str = "fn f(p: bool, x: T)") -> Case:
    return Case(f"{head} {{ {code} }}")


# Reaching definitions


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/x;", ["param x"]),
        ("let y = 1; /*u*/y;", ["let 1"]),
        ("let y = 1; let y = 2; /*u*/y;", ["let 2"]),
        ("let mut y = 1; y = 2; /*u*/y;", ["assign 2"]),
        ("let mut y = 1; if p { y = 2; } /*u*/y;", ["assign 2", "let 1"]),
        ("let y; if p { y = 1; } else { y = 2; } /*u*/y;", ["assign 1", "assign 2"]),
        ("let y; if p { y = 1; } else { return; } /*u*/y;", ["assign 1"]),
        ("let y; if p { y = 1; } else { panic!(); } /*u*/y;", ["assign 1"]),
        ("let y; match p { true => y = 1, false => unreachable!() } /*u*/y;", ["assign 1"]),
        ("let mut y = 1; for i in z { y = 2; } /*u*/y;", ["assign 2", "let 1"]),
        ("let mut y = 1; for i in z { /*u*/y; y = 2; }", ["assign 2", "let 1"]),
        ("let mut y = 1; loop { y = 2; if p { break; } } /*u*/y;", ["assign 2"]),
        ("let mut y = 1; loop { if p { break; } y = 2; } /*u*/y;", ["assign 2", "let 1"]),
        ("let mut y = 1; while p { y = 2; continue; } /*u*/y;", ["assign 2", "let 1"]),
        (
            "let mut y = 1; 'a: for i in z { for j in z { y = 2; continue 'a; } y = 3; } /*u*/y;",
            ["assign 2", "assign 3", "let 1"],
        ),
        ("let y = 'a: { if p { break 'a 1; } 2 }; /*u*/y;", ["let 'a: { if p { break 'a 1; } 2 }"]),
        ("let mut y = 1; 'a: { if p { break 'a; } y = 2; } /*u*/y;", ["assign 2", "let 1"]),
        ("let mut y = 1; y += 2; /*u*/y;", ["assign_op y += 2"]),
        ("let mut y = 1; (y, z) = g(); /*u*/y;", ["assign g()"]),
        ("let mut y = 1; g(&mut y); /*u*/y;", ["modified g(&mut y)"]),
        ("let mut y = 1; g(&y); /*u*/y;", ["let 1"]),
        ("let mut y = 1; g(y); /*u*/y;", ["let 1"]),
        ("let y = h(); y.m(); /*u*/y;", ["let h()"]),
        ("let mut y = h(); y.m(); /*u*/y;", ["modified y.m()"]),
        ("let mut y = h(); y.clone(); /*u*/y;", ["let h()"]),
        ("let mut y = h(); y.a.m(); /*u*/y.b;", ["let h()"]),
        ("let mut y = h(); y.a.m(); /*u*/y;", ["let h()", "modified y.a.m()"]),
        ("let mut y = h(); y[0] = 1; /*u*/y;", ["assign 1", "let h()"]),
        ("let mut y = h(); let z = &mut y; z.m(); /*u*/y;", ["modified &mut y"]),
        ("let mut y = h(); unknown!(y); /*u*/y;", ["modified unknown!(y)"]),
        ("let y = h(); unknown!(y); /*u*/y;", ["modified unknown!(y)"]),
        ('let mut y = h(); println!("{}", y); /*u*/y;', ["let h()"]),
        ("let mut y = h(); let c = || { y = 2; }; c(); /*u*/y;", ["assign 2", "let h()"]),
        ("let mut y = h(); let c = || { /*u*/y; y = 2; };", ["assign 2", "let h()"]),
        ("let mut y = h(); g()?; y = 2; g()?; /*u*/y;", ["assign 2"]),
        ("if let Some(y) = h() { /*u*/y; }", ["pattern h()"]),
        ("let Some(y) = h() else { return; }; /*u*/y;", ["let h()"]),
        ("while let Some(y) = h() { /*u*/y; }", ["pattern h()"]),
        ("if let Some(y) = h() && y.ok() { /*u*/y; }", ["pattern h()"]),
        ("match h() { A(y) | B(y) => { /*u*/y; } }", ["pattern h()", "pattern h()"]),
        ("match h() { y if { /*u*/y } => {} _ => {} }", ["pattern h()"]),
        ("h().map(|y| /*u*/y);", ["closure_param |y| y".replace("|y| y", "|y| /*u*/y")]),
        ("#[cfg(a)] x = 1; /*u*/x;", ["assign 1", "param x"]),
        ("let mut y = 1; y = 2; return; /*u*/y;", []),
        ("let mut y = 1; p && { y = 2; true }; /*u*/y;", ["assign 2", "let 1"]),
    ],
)
def test_reaching(code: str, expected: list[str]) -> None:
    assert body(code).defs("u") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/self.model;", ["self self"]),
        ("self.model = 1; /*u*/self.model;", ["assign 1"]),
        ("self.model = 1; /*u*/self.optim;", ["self self"]),
        ("self.model = 1; /*u*/self;", ["assign 1", "self self"]),
        ("self.model = 1; /*u*/self.model.a.b;", ["assign 1"]),
        ("self.model.a = 1; /*u*/self.model;", ["assign 1", "self self"]),
        ("self.model = 1; self.train(); /*u*/self.model;", ["modified self.train()"]),
        ("self.model.a.b.c.d = 1; /*u*/self.model.a.b;", ["assign 1", "self self"]),
        ("*self.slot() = 1; /*u*/self.model;", ["modified *self.slot() = 1"]),
        ("helper(self); /*u*/self.model;", ["modified helper(self)"]),
        ("if let Some(m) = &mut self.model { m.go(); } /*u*/self.model;", ["modified &mut self.model"]),
        ("let (a, b) = (&mut self.model, 1); /*u*/self.model;", ["modified &mut self.model"]),
    ],
)
def test_reaching_fields(code: str, expected: list[str]) -> None:
    case = Case(f"impl S {{ fn f(&mut self, p: bool) {{ {code} }} }}")
    assert case.defs("u") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for l in o { l.train(); } /*u*/o;", ["modified o", "param o"]),
        ("if let Some(l) = o { l.train(); } /*u*/o;", ["modified o", "param o"]),
        ("match o { Some(l) => l.train(), None => {} } /*u*/o;", ["modified o", "param o"]),
        ("let r = o; r.train(); /*u*/o;", ["modified o"]),
        ("if let Some(l) = v { l.train(); } /*u*/v;", ["param v"]),
        ("if let Some(ref mut l) = v { l.train(); } /*u*/v;", ["modified v", "param v"]),
        ("if let Some(ref l) = v { l.look(); } /*u*/v;", ["param v"]),
    ],
)
def test_patterns_that_lend_a_part(code: str, expected: list[str]) -> None:
    assert Case(f"fn f(o: &mut Option<L>, mut v: Option<L>) {{ {code} }}").defs("u") == expected


def test_types_say_what_lends() -> None:
    source = "fn f(o: T) { let a = o.part(); k(a); /*u*/a; }"
    for lends, expected in ((True, "modified k(a)"), (False, "let o.part()"), (None, "let o.part()")):
        case = Case(source)
        case.flow = Flow(case.body, None, lambda local, lends=lends: lends)
        assert case.defs("u") == [expected]


def test_shared_self_is_not_changed() -> None:
    case = Case("impl S { fn f(&self) { self.go(); /*u*/self.model; } }")
    assert case.defs("u") == ["self self"]


@pytest.mark.parametrize(
    ("param", "changed"),
    [("&mut O", True), ("&O", False), ("O", False), ("Option<&mut O>", True), ("impl Step", True)],
)
def test_parameters_that_are_mutable_references(param: str, changed: bool) -> None:
    case = Case(f"fn f(o: {param}) {{ o.step(); /*u*/o; }}")
    assert case.defs("u") == (["modified o.step()"] if changed else ["param o"])


def test_immutable_binding_of_something_lent_by_a_mutable_one() -> None:
    assert body("let mut v = h(); let y = v.last_one(); y.m(); /*u*/y;").defs("u") == ["modified y.m()"]
    assert body("let v = h(); let y = v.last_one(); y.m(); /*u*/y;").defs("u") == ["let v.last_one()"]
    assert body("let mut v = h(); let y = v.clone(); y.m(); /*u*/y;").defs("u") == ["let v.clone()"]


def test_self_mode_of_the_types_decides() -> None:
    source = "fn f() { let mut y = h(); y.m(); /*u*/y; }"
    assert Case(source, lambda call: "&self").defs("u") == ["let h()"]
    assert Case(source, lambda call: "&mut self").defs("u") == ["modified y.m()"]
    assert Case(source, lambda call: None).defs("u") == ["modified y.m()"]


def test_must_is_one_definition_on_every_path() -> None:
    assert body("let y = 1; /*u*/y;").must("u") == "let 1"
    assert body("let mut y = 1; if p { y = 2; } /*u*/y;").must("u") is None
    assert body("let y; if p { y = 1; } else { return; } /*u*/y;").must("u") == "assign 1"
    assert body("let mut y = h(); y.a = 1; /*u*/y;").must("u") is None
    assert body("let mut y = h(); y.a = 1; /*u*/y.a;").must("u") == "assign 1"
    assert body("let y = 1; #[cfg(a)] let y = 2; /*u*/y;").must("u") is None


def test_steps_say_which_part() -> None:
    case = body(
        "let (a, S { b, .. }) = h(); /*a*/a; /*b*/b.c; for (i, [v, .., w]) in h() { /*v*/v; /*w*/w; }"
    )

    def steps(name: str) -> list[tuple[str, str]]:
        reaching = case.flow.reaching(case[name])
        return [(s.kind, s.name) for s in reaching.steps(reaching.definitions[0])]

    assert steps("a") == [("field", "0")]
    assert steps("b") == [("field", "1"), ("field", "b"), ("field", "c")]
    assert steps("v") == [("element", ""), ("field", "1"), ("element", "0")]
    assert steps("w") == [("element", ""), ("field", "1"), ("element", "")]


def test_carried_definitions_come_from_an_earlier_round() -> None:
    case = body("let mut y = 1; for i in z { /*u*/y; y = 2; /*v*/y; } /*w*/y;")
    assert [case.show(d) for d in case.flow.reaching(case["u"]).carried] == ["assign 2"]
    assert case.flow.reaching(case["v"]).carried == ()
    assert case.flow.reaching(case["w"]).carried == ()


def test_inner_loops_do_not_carry_what_the_outer_round_sets() -> None:
    case = body("let mut y = 1; for i in z { y = 2; for j in z { /*u*/y; } }")
    assert case.flow.reaching(case["u"]).carried == ()


def test_uses() -> None:
    case = body("let y = h(); g(y.a); let k = 1; /*k*/k; y;")
    by_place = {str(d.place): d for d in case.flow.definitions}
    assert [case.text(e.span) for e in case.flow.uses(by_place["y"])] == ["y.a", "y"]
    assert case.flow.uses(by_place["k"]) == [case["k"]]
    assert case.flow.uses(by_place["x"]) == []


def test_a_binding_that_dies_with_the_loop_body() -> None:
    case = body("let model = h(); for b in d { let model = step(model.clone()); } /*u*/model;")
    shadow = next(d for d in case.flow.definitions if case.show(d) == "let step(model.clone())")
    assert case.flow.uses(shadow) == []
    assert case.flow.scope(shadow).kind == "for"


def test_before_a_change() -> None:
    case = body("let mut y = h(); y.m(); /*u*/y;")
    change = case.flow.reaching(case["u"]).must
    assert case.show(case.flow.before(change).must) == "let h()"


# Order


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*a*/g(); /*b*/h();", True),
        ("/*b*/h(); /*a*/g();", False),
        ("k(/*a*/g(), /*b*/h());", True),
        ("/*b*/h(/*a*/g());", True),
        ("/*b:MethodCall*/y.m(/*a*/g());", True),
        ("y = /*a*/g(); z[/*b*/h()] = 1;", True),
        ("z[/*b*/h()] = /*a*/g();", True),
        ("if p { /*a*/g(); } else { /*b*/h(); }", False),
        ("if p { /*a*/g(); } /*b*/h();", True),
        ("for i in z { /*a*/g(); /*b*/h(); }", True),
        ("for i in z { /*b*/h(); /*a*/g(); }", False),
        ("for i in z { /*b*/h(); if p { break; } /*a*/g(); }", False),
        ("for i in z { /*a*/g(); } /*b*/h();", True),
        ("loop { if p { break; } /*a*/g(); } /*b*/h();", True),
        ("while /*a*/g() { /*b*/h(); }", True),
        ("let c = || { /*a*/g(); }; /*b*/h();", None),
        ("let c = || { /*b*/h(); }; /*a*/g();", None),
        ("/*a*/g(); let c = || { /*b*/h(); };", True),
        ("/*b*/h(); let c = || { /*a*/g(); };", False),
        ("let c = || { /*a*/g(); /*b*/h(); };", True),
        ("z.iter().for_each(|i| { /*a*/g(); }); /*b*/h();", True),
        ("let v = z.iter().map(|i| { /*a*/g() }); /*b*/h();", None),
        ("let v: Vec<_> = z.iter().map(|i| { /*a*/g() }).collect(); /*b*/h();", True),
        ("spawn(|| { /*a*/g(); }); /*b*/h();", None),
        ("let t = async { /*a*/g(); }; /*b*/h();", None),
    ],
)
def test_before(code: str, expected: bool | None) -> None:
    case = body(code)
    assert case.flow.order.before(case["a"], case["b"]) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*a*/g(); /*b*/h();", True),
        ("/*b*/h(); /*a*/g();", False),
        ("for i in z { /*b*/h(); /*a*/g(); }", True),
        ("for i in z { /*b*/h(); return /*a*/g(); }", False),
        ("if p { /*a*/g(); } else { /*b*/h(); }", False),
        ("if p { /*a*/g(); return; } /*b*/h();", False),
        ("let c = || { /*b*/h(); }; /*a*/g();", True),
    ],
)
def test_may_follow(code: str, expected: bool) -> None:
    case = body(code)
    assert case.flow.order.may_follow(case["a"], case["b"]) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*a*/g(); /*b*/h();", True),
        ("if p { /*a*/g(); } /*b*/h();", False),
        ("if p { /*a*/g(); } else { return; } /*b*/h();", True),
        ("for i in z { /*a*/g(); } /*b*/h();", False),
        ("loop { /*a*/g(); if p { break; } } /*b*/h();", True),
        ("while /*a*/g() {} /*b*/h();", True),
        ("/*a*/g()?; for i in z { /*b*/h(); }", True),
        ("for i in z { if p { continue; } /*a*/g(); /*b*/h(); }", True),
        ("let c = || { /*a*/g(); }; /*b*/h();", None),
    ],
)
def test_on_every_path_before(code: str, expected: bool | None) -> None:
    case = body(code)
    assert case.flow.order.on_every_path_before(case["a"], case["b"]) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*a*/g(); /*b*/h();", True),
        ("/*a*/g(); if p { /*b*/h(); }", False),
        ("/*a*/g(); if p { return; } /*b*/h();", False),
        ("/*a*/g(); if p { panic!(); } /*b*/h();", True),
        ("/*a*/g(); k()?; /*b*/h();", True),
        ("/*a*/g(); odd!(p); /*b*/h();", True),
        ("for i in z { /*a*/g(); /*b*/h(); }", True),
        ("for i in z { /*a*/g(); if p { continue; } /*b*/h(); }", False),
        ("for i in z { /*a*/g(); } /*b*/h();", False),
        ("for i in z { /*b*/h(); /*a*/g(); }", False),
        ("loop { /*a*/g(); if p { /*b*/h(); } }", False),
        ("/*a*/g(); loop { if p { /*b*/h(); } }", False),
        ("/*a*/g(); for i in z { /*b*/h(); }", False),
        ("/*b*/h(); /*a*/g();", False),
    ],
)
def test_on_every_path_after(code: str, expected: bool | None) -> None:
    case = body(code)
    assert case.flow.order.on_every_path_after(case["a"], case["b"]) is expected


def test_errors_count_when_asked() -> None:
    for early in ("k()?", "odd!(p)", "ensure!(p)"):
        case = body(f"/*a*/g(); {early}; /*b*/h();")
        assert case.flow.order.on_every_path_after(case["a"], case["b"], errors=True) is False


@pytest.mark.parametrize(
    ("code", "kinds"),
    [
        ("/*a*/g();", []),
        ("for i in /*a*/g() {}", []),
        ("while /*a*/g() {}", ["while"]),
        ("for i in z { loop { /*a*/g(); } }", ["loop", "for"]),
        ("z.iter().map(|i| /*a*/g(i)).collect()", ["closure"]),
        ("o.map(|i| /*a*/g(i))", ["closure?"]),
        ("o.unwrap_or_else(|| /*a*/g())", []),
        ("for i in z { o.unwrap_or_else(|| /*a*/g()) }", ["for"]),
        ("(0..3).map(|i| /*a*/g(i))", ["closure"]),
    ],
)
def test_loops_of(code: str, kinds: list[str]) -> None:
    case = body(code)
    loops = case.flow.order.loops_of(case["a"])
    assert [s.kind + ("" if s.repeats else "?") for s in loops] == kinds


# Sinks and outcomes


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("/*a*/g();", "dropped"),
        ("{ /*a*/g() };", "dropped"),
        ("{ if p { /*a*/g() } else { h() } };", "dropped"),
        ("if p { match x { _ => /*a*/g() } }; 1", "dropped"),
        ("let _ = /*a*/g();", "ignored"),
        ("_ = /*a*/g();", "ignored"),
        ("let y = /*a*/g();", "bound"),
        ("let _y = /*a*/g();", "bound"),
        ("/*a*/g()", "returned"),
        ("return /*a*/g();", "returned"),
        ("let y = loop { break /*a*/g(); };", "bound"),
        ("loop { break /*a*/g(); };", "dropped"),
        ("'a: { break 'a /*a*/g(); };", "dropped"),
        ("k(/*a*/g());", "argument"),
        ("/*a:Call*/g().m();", "receiver"),
        ("y = /*a*/g();", "value"),
        ("z.map(|i| /*a*/g());", "returned"),
        ("S { y: /*a*/g() };", "field"),
        ("for i in z { /*a*/g() }", "dropped"),
    ],
)
def test_sink(code: str, kind: str) -> None:
    case = body(code)
    assert case.flow.sink(case["a"]).kind == kind


@pytest.mark.parametrize(
    ("code", "dropped"),
    [
        ("/*a:Call*/g()?;", True),
        ("drop(/*a*/g());", True),
        ("std::mem::drop(/*a*/g());", True),
        ("keep(/*a*/g());", False),
        ("let _ = /*a:Call*/g().await;", True),
        ("/*a:Call*/g().unwrap();", True),
        ("/*a:Call*/g().other();", False),
        ("let y = /*a:Call*/g()?;", False),
    ],
)
def test_dropped(code: str, dropped: bool) -> None:
    case = body(code)
    assert (case.flow.dropped(case["a"]) is not None) is dropped


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*a*/g()", ["g()"]),
        ("/*a*/if p { 1 } else { return; }", ["1"]),
        ("/*a*/if p { 1 } else if q { 2 } else { 3 }", ["1", "2", "3"]),
        ("/*a*/match x { A => 1, B => { k(); 2 } C => panic!() }", ["1", "2"]),
        ("/*a*/loop { if p { break 1; } break 2; }", ["1", "2"]),
        ("/*a*/'a: { if p { break 'a 1; } 2 }", ["1", "2"]),
        ("/*a*/unsafe { 1 }", ["1"]),
    ],
)
def test_outcomes(code: str, expected: list[str]) -> None:
    case = body(code)
    assert [case.text(e.span) for e in case.flow.outcomes(case["a"])] == expected


def test_returned() -> None:
    case = body("if p { return 1; } let c = || { return 5; }; if q { 2 } else { 3 }")
    assert sorted(case.text(e.span) for e in case.flow.returned) == ["1", "2", "3"]


# The whole


SOURCES = [
    "let mut y = 1; for i in z { /*u*/y; y = 2; g(&mut y)?; if p { continue; } y = h(y); } /*v*/y;",
    "let c = |i| { if i { return 1; } x.m() }; match h() { A(b) | B(b) => b, C => loop { break c(1); } }",
]


@pytest.mark.parametrize("code", SOURCES)
def test_answers_do_not_depend_on_the_order_of_questions(code: str) -> None:
    def answers(seed: int) -> dict[tuple[str, int, int], object]:
        flow = body(code).flow
        exprs = flow.body.exprs
        questions = [
            (q, a.id, b.id) for q in ("before", "reach", "sink", "after") for a in exprs for b in exprs
        ]
        random.Random(seed).shuffle(questions)
        out: dict[tuple[str, int, int], object] = {}
        for question in questions:
            kind, a, b = question
            if kind == "before":
                out[question] = flow.order.before(exprs[a], exprs[b])
            elif kind == "after":
                out[question] = flow.order.on_every_path_after(exprs[a], exprs[b])
            elif kind == "reach":
                out[question] = [d.id for d in flow.reaching(exprs[a]).definitions]
            else:
                out[question] = flow.sink(exprs[a]).kind
        return out

    assert answers(1) == answers(2) == answers(3)


def test_long_chains_need_no_deep_stack() -> None:
    sums = "+".join(["x"] * 3000)
    calls = "x" + ".m()" * 3000
    conditions = "&&".join(["p"] * 3000)
    lets = "".join(f"let y{n} = g(y{n - 1});" for n in range(1, 3000))
    case = body(
        f"let y0 = h(); {lets} let a = {sums}; let b = {calls}; "
        f"if {conditions} {{ /*u*/a; y2999.m(); /*v*/y2999; }}"
    )
    assert case.defs("v") == ["let g(y2998)"]
    assert len(case.defs("u")) == 1


def test_every_expression_has_a_place_in_the_order() -> None:
    for code in SOURCES:
        flow = body(code).flow
        assert all(block >= 0 for block, _ in flow._graph.at)
