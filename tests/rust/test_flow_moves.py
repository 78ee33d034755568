"""What may follow a move, and which read is the last: `/*m*/x` marks the read in question, `/*u*/`.. the others."""

from __future__ import annotations

import pytest
from test_flow import body


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("use_it(/*m*/x); let y = /*u*/x;", ["u"]),
        ("let y = /*m:LocalRef*/x + /*u*/x;", ["u"]),
        ("use_it(/*m*/x); let x = 1; let y = /*u*/x;", []),
        ("let mut x = x; use_it(/*m*/x); x = 1; let y = /*u*/x;", []),
        ("let mut x = x; use_it(/*m*/x); if p { x = 1; } let y = /*u*/x;", ["u"]),
        ("if p { use_it(/*m*/x) } else { use_it(/*u*/x) }", []),
        ("if p { use_it(/*m*/x); return; } use_it(/*u*/x);", []),
        ("if p { use_it(/*m*/x); } use_it(/*u*/x);", ["u"]),
        ("loop { use_it(/*m*/x); }", ["m"]),
        ("loop { use_it(/*m*/x); break; }", []),
        ("for x in xs { use_it(/*m*/x); }", []),
        ("let mut x = x; while p { x = next(/*m*/x); }", []),
        ("match p { true => use_it(/*m*/x), false => use_it(/*u*/x) }", []),
        ("use_it(/*m*/x); panic!(); use_it(/*u*/x);", []),
        ("use_it(/*m:Field*/x.a); let y = /*u:Field*/x.b;", []),
        ("use_it(/*m:Field*/x.a); let y = /*u:Field*/x.a;", ["u"]),
        ("use_it(/*m:Field*/x.a); let y = /*u*/x;", ["u"]),
        ("let mut x = x; use_it(/*m:Field*/x.a); x.a = 1; let y = /*u*/x;", []),
        # When a closure runs is not known, but what it moves it takes where it is made (E0382).
        ("let g = || use_it(/*m*/x); let y = /*u*/x;", ["u"]),
    ],
)
def test_reads_after(code: str, expected: list[str]) -> None:
    case = body(code)
    after = case.flow.reads_after(case["m"])
    assert [name for name, e in case.marks.items() if e in after] == expected


@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("let y = g(/*m*/x);", True),
        ("let y = g(/*m*/x); use_it(x);", False),
        ("loop { g(/*m*/x); }", False),
        ("for x in xs { g(/*m*/x); }", True),
        ("let y = &x; g(/*m*/x); use_it(y);", False),
        ("show(&x); g(/*m*/x);", True),
        ("let h = || use_it(x); g(/*m*/x); h();", False),
        ("if p { g(/*m*/x); } else { use_it(x); }", True),
    ],
)
def test_last_read(code: str, last: bool) -> None:
    case = body(code)
    assert case.flow.is_last_read(case["m"]) is last
