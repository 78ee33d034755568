"""Value facts on small sources. Types come from a stub that knows names only: the engine is under test, not
inference."""

from __future__ import annotations

import random
import re

import pytest

from burnlint.burn.absence import absent, names
from burnlint.burn.api import Api
from burnlint.burn.calls import Target, operands_as_written, operator_method
from burnlint.burn.values import Origin, Reach, Site, Values
from burnlint.rust import hir
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile

MARK = re.compile(rb"/\*(\w+)(:\w+)?\*/\s*")
API = Api.load("0.22.1")


class Facts:
    """Targets by name: functions of the file, `Type::function` and methods of Tensor from burn's API."""

    def __init__(self, file: SourceFile) -> None:
        self.functions = {fn.name: fn for fn in file.items.functions}

    def target(self, e: hir.Expr) -> Target | None:
        match e:
            case hir.MethodCall(name=name):
                fn = self.functions.get(name)
                if fn is not None and fn.self_mode:
                    return Target(fn=fn)
                if name in ("step",):
                    return Target(signature=API.method("ModuleOptimizer", name)[0])
                found = API.method("Tensor", name) or API.method("Module", name)
                return (
                    Target(signature=found[0])
                    if found
                    else Target()
                    if name in ("clone", "unwrap", "iter")
                    else None
                )
            case hir.Call(callee=hir.PathExpr(path=path)):
                if len(path.segments) == 1 and path.name in self.functions:
                    return Target(fn=self.functions[path.name])
                if len(path.segments) == 2:
                    found = API.method(path.segments[0].name, path.name)
                    return Target(signature=found[0]) if found else None
                return Target() if path.name in ("Some", "Ok") else None
            case hir.Binary() | hir.Unary() | hir.AssignOp():
                found = API.method("Tensor", operator_method(e))
                return Target(signature=found[0]) if found else Target()
        return None

    def operands(self, e: hir.Expr) -> list[hir.Expr]:
        return operands_as_written(e)

    def term(self, e: hir.Expr) -> None:
        return None


class Case:
    """Functions under test; the marked expressions of all of them, `f` is the one asked about."""

    def __init__(self, source: str) -> None:
        content = source.encode()
        self.file = SourceFile("src/lib.rs", content)
        self.values = Values(body_of, lambda body: Facts(self.file))
        bodies = [body_of(fn) for fn in self.file.items.functions]
        self.body = next(b for b in bodies if b.owner.name == "f")
        self.marks = {}
        for mark in MARK.finditer(content):
            starting = [(e, b) for b in bodies for e in b.exprs if e.span[0] == mark.end()]
            if mark.group(2):
                starting = [x for x in starting if type(x[0]).__name__ == mark.group(2)[1:].decode()]
            self.marks[mark.group(1).decode()] = max(starting, key=lambda x: (x[0].span[1], x[0].id))

    def __getitem__(self, name: str) -> Site:
        e, body = self.marks[name]
        return self.values.site(body, e)

    def text(self, e: hir.Expr) -> str:
        return MARK.sub(b"", self.file.content[e.span[0] : e.span[1]]).decode()

    def show(self, origin: Origin) -> str:
        steps = "".join("." + (s.name or s.kind) for s in origin.steps)
        shown = {"param": f"#{origin.index}", "unknown": origin.why}.get(origin.kind, self.text(origin.expr))
        return f"{origin.kind} {shown}{steps}"

    def origins(self, name: str = "u") -> list[str]:
        return sorted(self.show(o) for o in self.values.origins(self[name]).items)

    def reaches(self, name: str = "v", **more) -> list[str]:
        found = self.values.reaches(self[name], **more)
        return sorted(
            f"{r.kind}{f' {r.index}' * (r.kind == 'operand')} {self.text(r.site.expr)}{'!' * r.changed}"
            for r in found
        )


def body(code: str, rest: str = "") -> Case:
    return Case(f"fn f(x: T, p: bool) {{ {code} }} {rest}")


# Origins


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/x;", ["param #0"]),
        ("let a = x; let b = a.clone(); let c = &b; /*u*/c;", ["param #0"]),
        ("let a = g(); /*u*/a;", ["operation g()"]),
        ("let a = 1; /*u*/a;", ["literal 1"]),
        ("let (a, b) = (g(), h()); /*u*/b;", ["operation h()"]),
        ("let (a, b) = g(); /*u*/b;", ["operation g().1"]),
        ("let s = S { a: g(), b: h() }; /*u*/s.b;", ["operation h()"]),
        ("let s = S { a: g(), ..x }; /*u*/s.b;", ["param #0.b"]),
        ("/*u*/x.model.head;", ["param #0.model.head"]),
        ("let a = if p { g() } else { h() }; /*u*/a;", ["operation g()", "operation h()"]),
        ("let a = match p { true => g(), false => return }; /*u*/a;", ["operation g()"]),
        ("let a = g()?; /*u*/a;", ["operation g().payload"]),
        ("let a = Some(g()); let b = a.unwrap(); /*u*/b;", ["operation g()"]),
        ("if let Some(b) = Some(g()) { /*u*/b; }", ["operation g()"]),
        ("let Ok(b) = x.r else { return }; /*u*/b;", ["param #0.r.payload"]),
        ("let mut a = g(); for i in z { a = h(); } /*u*/a;", ["operation g()", "operation h()"]),
        ("let mut a = g(); for i in z { a = a.clone(); } /*u*/a;", ["operation g()"]),
        ("let v = vec![g(), h()]; for i in v.iter() { /*u*/i; }", ["new [g(), h()].element"]),
        ("for (i, b) in x.iter().enumerate() { /*u*/b; }", ["param #0.element"]),
        ("for (a, b) in x.iter().zip(g()) { /*u*/b; }", ["operation g().element"]),
        ("let mut a = g(); a += h(); /*u*/a;", ["operation a += h()"]),
        ("let a = x + g(); /*u*/a;", ["operation x + g()"]),
        ("let mut a = g(); h(&mut a); /*u*/a;", ["changed h(&mut a)"]),
        ("let mut a = g(); a.b = h(); /*u*/a;", ["changed a.b = h()", "operation g()"]),
        ("let mut a = g(); a.b = h(); /*u*/a.b;", ["operation h()"]),
        ("let a = loop { if p { break g(); } }; /*u*/a;", ["operation g()"]),
        ("let a = Arc::new(g()); let b = Arc::clone(&a); /*u*/b;", ["operation g()"]),
        ("let mut o = Some(g()); let a = o.take().unwrap(); /*u*/a;", ["operation g()"]),
        ("x.map(|a| /*u*/a);", ["closure_param |a| a"]),
        ("let c = |a, b| a; /*u*/c(g(), h());", ["operation g()"]),
        ("let c = |a| { if p { return x; } a }; /*u*/c(g());", ["operation g()", "param #0"]),
        ("let c = |a| { let d = |b| (a, b); d(h()) }; let (u, v) = c(g()); /*u*/u;", ["operation g()"]),
        ("let a = odd!(x); /*u*/a;", ["unknown the macro odd!"]),
        ("let a = CONST; /*u*/a;", ["item CONST"]),
        ("let a = g().await; /*u*/a;", ["operation g()"]),
    ],
)
def test_origins(code: str, expected: list[str]) -> None:
    assert body(code).origins() == expected


HELPERS = """
fn id(a: T) -> T { a }
fn first(a: T, b: T) -> T { let c = a.clone(); c }
fn pair(a: T) -> (T, T) { (a, make()) }
fn make() -> T { T::new() }
fn choose(a: T, b: T, q: bool) -> T { if q { return a; } b }
fn checked(a: T) -> Result<T, E> { if bad() { return Err(e()); } Ok(a) }
fn outer(a: T) -> T { id(first(a, make())) }
fn twice(a: T) -> T { if p { again(a) } else { a } }
fn again(a: T) -> T { twice(a) }
fn look(a: &mut T) { a.len(); println!("{}", a); }
fn touch(a: &mut T) { a.grow(); }
fn touch_inner(a: &mut T) { touch(a); }
impl S { fn get(&self) -> &T { &self.item } }
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*u*/id(x);", ["param #0"]),
        ("/*u*/first(g(), h());", ["operation g()"]),
        ("let (a, b) = pair(g()); /*u*/a;", ["operation g()"]),
        ("let (a, b) = pair(g()); /*u*/b;", ["operation T::new()"]),
        ("/*u*/choose(g(), h(), p);", ["operation g()", "operation h()"]),
        ("let a = checked(g())?; /*u*/a;", ["operation g()"]),
        ("/*u*/outer(g());", ["operation g()"]),
        ("/*u*/twice(g());", ["operation twice(g())"]),
        ("let mut a = g(); look(&mut a); /*u*/a;", ["operation g()"]),
        ("let mut a = g(); touch(&mut a); /*u*/a;", ["changed touch(&mut a)"]),
        ("let mut a = g(); touch_inner(&mut a); /*u*/a;", ["changed touch_inner(&mut a)"]),
        ("let s = S { item: g() }; /*u*/s.get();", ["operation g()"]),
        ("id(id(/*u*/id(id(g()))));", ["operation g()"]),
    ],
)
def test_origins_through_functions_of_the_package(code: str, expected: list[str]) -> None:
    assert body(code, HELPERS).origins() == expected


def test_functions_under_excluding_conditions_are_not_looked_into() -> None:
    twins = "#[cfg(a)] fn pick(b: T) -> T { b } #[cfg(not(a))] fn pick(b: T) -> T { T::new() }"
    assert body("/*u*/pick(g());", twins).origins() == ["operation pick(g())"]
    alone = "#[cfg(a)] fn pick(b: T) -> T { b }"
    assert body("/*u*/pick(g());", alone).origins() == ["operation g()"]


def test_must_and_may() -> None:
    case = body(
        "let a = g(); /*u*/a; let b = if p { a } else { h() }; /*v*/b; #[cfg(c)] let a = h(); /*w*/a;"
    )
    assert case.values.origins(case["u"]).must is not None
    assert case.values.origins(case["v"]).must is None
    assert case.values.origins(case["v"]).known
    assert case.values.origins(case["w"]).must is None


def test_hops_tell_the_way() -> None:
    case = body("let a = g(); let b = a.clone(); /*u*/b;")
    origin = case.values.origins(case["u"]).must
    assert [(hop.kind, hop.name) for hop in origin.hop] == [("bound", "a"), ("clone", ""), ("bound", "b")]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let a = g(); let b = a.clone(); /*u*/a; /*v*/b;", True),
        ("/*u*/x; let b = &x; /*v*/b;", True),
        ("/*u*/x; /*v*/p;", False),
        ("/*u*/g(); /*v*/g();", False),
        ("let mut a = x; /*u*/a; a = h(); /*v*/a;", False),
        ("let a = if p { g() } else { h() }; /*u*/a; /*v*/a;", None),
        ("let mut a = g(); for i in z { /*u*/a; a = h(i); } /*v*/a;", None),
        ("/*u*/x.a; /*v*/x.b;", False),
        ("/*u*/x.a; let S { a } = x; /*v*/a;", True),
        ("for a in x { let b = a.clone(); /*u*/a; /*v*/b; }", True),
        ("for a in x { for b in x { /*u*/a; /*v*/b; } }", None),
        ("/*u*/x[0]; /*v*/x[1];", None),
        ("let a = x[0]; let b = a; /*u*/a; /*v*/b;", True),
        ("let mut o = None; for a in x { if let Some(b) = o { /*u*/a; /*v*/b; } o = Some(a); }", None),
        ("let mut o = None; loop { let a = g(); if let Some(b) = o { /*u*/a; /*v*/b; } o = Some(a); }", None),
        ("loop { let a = g(); let b = a; /*u*/a; /*v*/b; }", True),
        ("let mut a = g(); a.grow(); /*u*/a; /*v*/a;", True),
        ("let mut a = g(); /*u*/a; a.grow(); /*v*/a;", False),
    ],
)
def test_same(code: str, expected: bool | None) -> None:
    case = body(code)
    assert case.values.same(case["u"], case["v"]) is expected


# Reduction


@pytest.mark.parametrize(
    ("code", "states"),
    [
        ("/*u*/SmoothL1Loss::forward(&c, x, y);", {"many"}),
        ("/*u*/MseLoss::forward(&c, x, y, Reduction::Mean);", {"one"}),
        ("/*u*/MseLoss::forward_no_reduction(&c, x, y);", {"many"}),
        ("/*u*/CTCLoss::forward(&c, x, y, a, b);", {"many"}),
        ("/*u*/CTCLoss::forward_with_reduction(&c, x, y, a, b, r);", {"one"}),
        ("/*u*/CrossEntropyLoss::forward(&c, x, y);", {"one"}),
        ("/*u*/SmoothL1Loss::forward_reduce_dims(&c, x, y, &[1, 2]);", {"many"}),
        ("/*u*/SmoothL1Loss::forward_reduce_dims(&c, x, y, &[0]);", {"unknown"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.mean();", {"one"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.sum();", {"one"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.mean_dim(1);", {"many"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.mean_dim(0);", {"unknown"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.transpose().mean_dim(1);", {"unknown"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.transpose();", {"many"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); let m = l * 0.5; /*u*/m.sqrt();", {"many"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.slice(s);", {"open"}),
        ("let l = SmoothL1Loss::forward(&c, x, y).mean(); /*u*/l.clone() + l;", {"one"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.clone() + l.mean();", {"many"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/if p { l.mean() } else { l };", {"many", "one"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l / n;", {"scaled"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l * x;", {"weighted"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l * x / 2.0 / x.sum();", {"scaled"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l.div_scalar(n);", {"scaled"}),
        ("let l = SmoothL1Loss::forward(&c, x, y); /*u*/l / 2.0 + x;", {"many"}),
        ("let k = |a| SmoothL1Loss::forward(&c, a, y); let l = k(x); /*u*/l;", {"many"}),
        ("let k = |a: T| a.mean(); let l = k(SmoothL1Loss::forward(&c, a, y)); /*u*/l;", {"one"}),
        ("let t = SmoothL1Loss::forward(&c, x, y).zeros_like(); /*u*/t;", {"constant"}),
        ("/*u*/x.square();", {"open"}),
        ("/*u*/x.mean();", {"one"}),
        (
            "let mut t = MseLoss::forward(&c, x, y, r);"
            "for i in z { t = t + SmoothL1Loss::forward(&c, x, y) }"
            "/*u*/t;",
            {"one", "many"},
        ),
        (
            "let mut t = MseLoss::forward(&c, x, y, r); for i in z { t = t + MseLoss::forward(&c, x, y, r) }"
            "/*u*/t;",
            {"one"},
        ),
        (
            "let mut t = MseLoss::forward(&c, x, y, r); t += SmoothL1Loss::forward(&c, x, y); /*u*/t;",
            {"many"},
        ),
        ("/*u*/helper(x);", {"many"}),
        ("/*u*/scaled(SmoothL1Loss::forward(&c, x, y));", {"many"}),
        ("/*u*/reduced(SmoothL1Loss::forward(&c, x, y));", {"one"}),
        ("/*u*/out_of_view(x);", {"open"}),
    ],
)
def test_reduction(code: str, states: set[str]) -> None:
    case = body(
        code,
        """
        fn helper(a: T) -> T { SmoothL1Loss::forward(&c, a, b) }
        fn scaled(a: T) -> T { let b = a * 2.0; b }
        fn reduced(a: T) -> T { scaled(a).mean() }
        """,
    )
    found = case.values.reduction(case["u"])
    assert {c.state for c in found.cases} == states


def test_reduction_names_its_cause() -> None:
    case = body("let l = /*c*/SmoothL1Loss::forward(&c, x, y); let m = l * 0.5; /*u*/m;")
    found = case.values.reduction(case["u"])
    assert found.must("many")
    assert found.causes("many") == [case["c"]]


# What becomes of a value


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("/*v*/g();", ["dropped"]),
        ("let _ = /*v*/g();", ["ignored"]),
        ("let a = /*v*/g();", []),
        ("let a = /*v*/g(); h(1, a);", ["operand 1 h(1, a)"]),
        ("let a = /*v*/g(); a.m(1);", ["operand 0 a.m(1)"]),
        ("let a = /*v*/g(); b.m(a);", ["operand 1 b.m(a)"]),
        ("let a = /*v*/g(); b.m(&a.clone());", ["cloned a.clone()", "operand 1 b.m(&a.clone())"]),
        ("let a = /*v*/g(); a", ["returned"]),
        ("x.a = /*v*/g();", ["stored x.a = g()"]),
        ("let (a, b) = (/*v*/g(), h()); k(b); l(a);", ["operand 0 l(a)"]),
        ("let s = S { a: /*v*/g(), b: 1 }; k(s.a); l(s.b);", ["operand 0 k(s.a)"]),
        ("let a = Some(/*v*/g()); k(a.unwrap());", ["operand 0 k(a.unwrap())"]),
        ("if let Some(a) = Some(/*v*/g()) { k(a); }", ["operand 0 k(a)", "tested let Some(a) = Some(g())"]),
        ("let a = /*v:Call*/g()?; k(a);", ["operand 0 k(a)"]),
        ("let a = /*v*/g(); let b = if p { a } else { h() }; k(b);", ["operand 0 k(b)"]),
        ("let mut a = /*v*/g(); a = h(); k(a);", []),
        ("let mut a = /*v*/g(); a.grow(); k(a);", ["operand 0 a.grow()", "operand 0 k(a)!"]),
        ('let a = /*v*/g(); println!("{}", a);', ['shown println!("{}", a)']),
        ("let a = /*v*/g(); odd!(a);", ["captured odd!(a)"]),
        ("let a = /*v*/g(); k(a.field);", ["part a.field"]),
        ("let a = /*v*/g(); let c = || k(&a);", ["operand 0 k(&a)"]),
        (
            "let a = /*v*/g(); inner(a);",
            ["operand 0 b.eat()", "operand 0 inner(a)"],
        ),
        ("let a = back(/*v*/g()); k(a);", ["operand 0 back(g())", "operand 0 k(a)"]),
        ("let (a, n) = tuple(/*v*/g()); k(a); l(n);", ["operand 0 k(a)", "operand 0 tuple(g())"]),
        ("let a = /*v:Call*/g() + 1; k(a);", ["operand 0 g() + 1"]),
    ],
)
def test_reaches(code: str, expected: list[str]) -> None:
    case = body(
        code,
        """
        fn inner(b: T) { b.eat(); }
        fn back(b: T) -> T { b }
        fn tuple(b: T) -> (T, i32) { (b, 1) }
        """,
    )
    found = [re.sub(r"^(dropped|ignored|returned) .*", r"\1", r) for r in case.reaches()]
    assert found == expected


def test_reaches_through_operations_that_pass_the_value_on() -> None:
    case = body("let a = /*v*/g(); let b = a.fork(d); k(b);")
    found = case.reaches(through=lambda call, index: isinstance(call.expr, hir.MethodCall) and index == 0)
    assert found == ["operand 0 a.fork(d)", "operand 0 k(b)"]


def test_reaches_of_a_closure_result() -> None:
    case = body("let c = |a| { let b = /*v*/g(); b }; k(c(x));")
    assert case.reaches() == ["operand 0 k(c(x))"]
    case = body("let b = z.map(|a| /*v*/g()); k(b);")
    assert [r.split()[0] for r in case.reaches()] == ["unknown"]


def test_reaches_into_a_closure() -> None:
    case = body("let c = |a| k(a); c(/*v*/g());")
    assert case.reaches() == ["operand 0 c(g())", "operand 0 k(a)"]


def test_reaches_of_a_closure_that_a_function_runs() -> None:
    case = body("let b = run(|| /*v*/g()); k(b);", "fn run<R>(c: impl Fn() -> R) -> R { let r = c(); r }")
    assert case.reaches() == ["operand 0 k(b)"]
    case = body("let c = same(|| /*v*/g()); k(c());", "fn same<R>(c: R) -> R { c }")
    assert case.reaches() == ["operand 0 k(c())"]
    case = body("let b = run(|| /*v*/g());", "fn run<R>(c: impl Fn() -> R) -> R { other(c) }")
    assert [r.split()[0] for r in case.reaches()] == ["unknown"]


@pytest.mark.parametrize(
    ("call", "followed"),
    [
        ("inner(/*v*/g())", True),
        ("c(/*v*/g())", True),
        ("ignores(/*v*/g())", True),
        ("part(/*v*/g())", False),
        ("again(/*v*/g())", False),
        ("k(/*v*/g())", False),
        ("x.m(/*v*/g())", False),
    ],
)
def test_what_a_call_does_is_followed(call: str, followed: bool) -> None:
    case = body(
        f"let c = |a| h(a); {call};",
        """
        fn inner(b: T) { h(b); }
        fn ignores(_: T) {}
        fn part(S { a, .. }: S) { h(a); }
        fn again(b: T) { again(b); }
        """,
    )
    first = next(r for r in case.values.reaches(case["v"]) if r.use == case["v"])
    assert (first.kind, first.followed) == ("operand", followed)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let a = /*v*/g(); k(a.unwrap());", ["operand 0 a.unwrap()"]),
        ("let a = /*v*/g(); k(a?);", ["operand 0 a?"]),
        ("let a = Some(/*v*/g()); k(a.unwrap()); l(a?);", ["operand 0 k(a.unwrap())", "operand 0 l(a?)"]),
        ("let Ok(a) = /*v*/g() else { return }; k(a);", ["operand 0 k(a)", "tested"]),
    ],
)
def test_reaches_of_a_whole_result(code: str, expected: list[str]) -> None:
    found = body(code).reaches(whole=True)
    assert [re.sub(r"^tested (?s:.*)", "tested", r) for r in found] == expected


# What happened before


@pytest.mark.parametrize(
    ("code", "earlier", "perhaps"),
    [
        ("let a = g(); k(a); /*u*/a; l(a);", ["operand k(a)"], []),
        ('let a = g(); println!("{}", a); /*u*/a;', ['shown println!("{}", a)'], []),
        ("let a = g(); let b = a.clone(); /*u*/a;", ["cloned a.clone()"], []),
        ("k(x); /*u*/x;", ["operand k(x)"], []),
        ("k(x.a); l(x.b); /*u*/x.a;", ["operand k(x.a)"], []),
        ("let a = g(); if p { k(a); } else { /*u*/a; }", [], []),
        ("let a = g(); for i in z { /*u*/a; k(a); }", [], ["operand k(a)"]),
        ("let a = make(); /*u*/a;", ["operand look(b)", "operand b.len()"], []),
        ("let a = g(); inner(a); /*u*/a;", ["operand inner(a)", "operand b.eat()"], []),
    ],
)
def test_history(code: str, earlier: list[str], perhaps: list[str]) -> None:
    case = body(
        code,
        """
        fn make() -> T { let b = T::new(); look(b); b }
        fn look(b: &T) { b.len(); }
        fn inner(b: T) { b.eat(); }
        """,
    )
    found = case.values.history(case["u"])

    def show(reaches: tuple[Reach, ...]) -> list[str]:
        return sorted(f"{r.kind} {case.text(r.site.expr)}" for r in reaches if r.kind != "returned")

    assert (show(found.earlier), show(found.perhaps)) == (sorted(earlier), perhaps)


# Absence


BACKWARD = names("Tensor::backward")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x.mean();", True),
        ("x.mean().backward();", False),
        ("calls(x);", False),
        ("plain(x);", True),
        ("x.iter().map(|l| l.backward());", False),
        ("mystery(x);", None),
        ("x.mystery();", None),
        ("odd!(x);", None),
        ("mystery(x); x.backward();", False),
        ("round_a(x);", True),
    ],
)
def test_absent(code: str, expected: bool | None) -> None:
    case = body(
        code,
        """
        fn calls(b: T) { plain(b); deeper(b); }
        fn deeper(b: T) { b.mean().backward(); }
        fn plain(b: T) { b.mean(); }
        fn round_a(b: T) { round_b(b); }
        fn round_b(b: T) { round_a(b); b.mean(); }
        """,
    )
    assert absent(case.values, BACKWARD, case.body).absent is expected


def test_absent_inside_a_part() -> None:
    case = body("/*a*/{ x.mean(); } /*b*/{ x.backward(); }")
    assert absent(case.values, BACKWARD, case.body, case["a"].expr).absent is True
    assert absent(case.values, BACKWARD, case.body, case["b"].expr).absent is False


# The whole


def test_answers_do_not_depend_on_the_order_of_questions() -> None:
    source = (
        "fn f(x: T) { let mut a = id(x);"
        "for i in z { a = outer(a.clone()) + SmoothL1Loss::forward(&c, a, x) }"
        "let (b, d) = pair(a); let e = twice(choose(b, d, p)); look(&mut e); k(e.mean()); }" + HELPERS
    )

    def answers(seed: int) -> dict[tuple[str, str, int], object]:
        case = Case(source)
        out: dict[tuple[str, str, int], object] = {}
        bodies = [body_of(fn) for fn in case.file.items.functions]
        questions = [(q, b, e) for b in bodies for e in b.exprs for q in ("origins", "reduction", "reaches")]
        random.Random(seed).shuffle(questions)
        for question, b, e in questions:
            site = case.values.site(b, e)
            key = (question, b.owner.name, e.id)
            if question == "origins":
                out[key] = sorted(case.show(o) for o in case.values.origins(site).items)
            elif question == "reduction":
                out[key] = sorted(c.state for c in case.values.reduction(site).cases)
            else:
                out[key] = sorted(
                    (r.kind, r.index, case.text(r.site.expr)) for r in case.values.reaches(site)
                )
        return out

    assert answers(1) == answers(2) == answers(3)


def test_long_derivations_need_no_deep_stack() -> None:
    lets = "".join(f"let y{n} = y{n - 1}.sqrt();" for n in range(1, 1500))
    case = body(f"let y0 = SmoothL1Loss::forward(&c, x, y); {lets} /*u*/y1499;")
    assert case.values.reduction(case["u"]).must("many")
