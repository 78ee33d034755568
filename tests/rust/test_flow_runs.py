"""Flow against runs: random small programs are executed, and what each run shows must agree with what flow
claims.

Programs are nested tuples that are both written as Rust and run here, with a coin for each condition and the
end of each loop.
"""

from __future__ import annotations

import random
import re
from itertools import count

import pytest

from burnlint.rust import hir
from burnlint.rust.flow import Flow
from burnlint.rust.lower import body_of
from burnlint.rust.source import SourceFile

MARK = re.compile(rb"/\*(\w)(\d+)\*/")
RUNS = 8
MAX_EVENTS = 400


class Leave(Exception):
    """A jump out of blocks: `label` of the loop, None for the function."""

    def __init__(self, kind: str, label: str | None) -> None:
        self.kind = kind
        self.label = label


class Stop(Exception):
    """The run is long enough."""


class Maker:
    """Makes a program: statements over the variables a, b, c, which hold the number of the assignment that
    set them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = count(1)

    def program(self) -> tuple:
        start = [("set", name, next(self.numbers)) for name in "abc"]
        return ("block", [*start, *self.statements(4, [], False), ("use", "a", next(self.numbers))])

    def statements(self, depth: int, loops: list[str], closed: bool) -> list[tuple]:
        return [self.statement(depth, loops, closed) for _ in range(self.random.randint(1, 4))]

    def statement(self, depth: int, loops: list[str], closed: bool) -> tuple:
        number = next(self.numbers)
        kinds = ["set", "use", "event", "event", "change", "shadow", "fail"]
        if depth:
            kinds += ["if", "else", "while", "loop", "for", "match", "each", "labelled", "and"]
        if loops:
            kinds += ["break", "continue"]
        kinds += ["return"]
        kind = self.random.choice(kinds)
        name = self.random.choice("abc")
        match kind:
            case "set" | "use" | "change" | "shadow":
                return (kind, name, number)
            case "event" | "fail":
                return (kind, number)
            case "break" | "continue":
                # Behind a coin, so that what follows is not always dead.
                return ("if", [(kind, self.random.choice(loops))], number)
            case "return":
                return ("if", [("return", closed)], number)
            case "if" | "and":
                return (kind, self.statements(depth - 1, loops, closed), number)
            case "else":
                parts = [self.statements(depth - 1, loops, closed) for _ in range(2)]
                return (kind, *parts, number)
            case "match":
                parts = [self.statements(depth - 1, loops, closed) for _ in range(3)]
                return (kind, parts, number)
            case "each":
                return (kind, self.statements(depth - 1, [], True), number)
            case "labelled":
                label = f"'b{number}"
                inner = self.statements(depth - 1, loops, closed)
                return (
                    kind,
                    label,
                    [*inner, ("if", [("break", label)], next(self.numbers)), ("event", next(self.numbers))],
                )
        label = f"'l{number}"
        return (kind, label, self.statements(depth - 1, [*loops, label], closed), number)


def written(node: tuple) -> str:
    """The program as Rust."""

    def block(statements: list[tuple]) -> str:
        return "{ " + " ".join(map(written, statements)) + " }"

    match node:
        case ("block", statements):
            return block(statements)
        case ("set", name, number):
            return f"{name} = {number};"
        case ("use", name, number):
            return f"look(&/*u{number}*/{name});"
        case ("change", name, number):
            return f"change{number}(&mut {name});"
        case ("shadow", name, number):
            return f"{{ let mut {name} = {number}; look(&/*u{number}*/{name}); {name} += 0; }}"
        case ("event", number):
            return f"/*e{number}*/event();"
        case ("fail", number):
            return f"fail{number}()?;"
        case ("break", label):
            return f"break {label};"
        case ("continue", label):
            return f"continue {label};"
        case ("return", _):
            return "return;"
        case ("if", inner, number):
            return f"if coin({number}) {block(inner)}"
        case ("and", inner, number):
            return f"if coin({number}) && {{ /*e{number}*/event(); coin(0) }} {block(inner)}"
        case ("else", first, second, number):
            return f"if coin({number}) {block(first)} else {block(second)}"
        case ("match", parts, number):
            guard = f"1 if {{ /*e{number}*/event(); coin(0) }}"
            one, two, rest = map(block, parts)
            return f"match dice() {{ {guard} => {one} 2 => {two} _ => {rest} }}"
        case ("each", inner, _):
            return f"items.iter().for_each(|_| {block(inner)});"
        case ("labelled", label, inner):
            return f"{label}: {block(inner)}"
        case ("while", label, inner, number):
            return f"{label}: while {{ /*e{number}*/event(); coin(0) }} {block(inner)}"
        case ("loop", label, inner, number):
            return f"{label}: loop {{ if coin({number}) {{ break; }} {block(inner)} }}"
        case ("for", label, inner, _):
            return f"{label}: for _ in items {block(inner)}"
    raise AssertionError(node)


class Run:
    """One run: the events in order, each with the rounds of the loops around it, and what each use read."""

    def __init__(self, program: tuple, seed: int) -> None:
        self.random = random.Random(seed)
        self.values: dict[str, int] = {}
        self.events: list[tuple[int, tuple[tuple[int, int], ...]]] = []
        self.reads: list[tuple[int, int]] = []
        self.rounds: list[tuple[int, int]] = []
        self.fresh = count()
        self.end = "end"
        try:
            self.run(program)
        except Leave as leave:
            self.end = leave.kind
        except Stop:
            self.end = "stopped"

    def coin(self) -> bool:
        return self.random.random() < 0.5

    def event(self, number: int) -> None:
        if len(self.events) >= MAX_EVENTS:
            raise Stop
        self.events.append((number, tuple(self.rounds)))

    def block(self, statements: list[tuple]) -> None:
        for statement in statements:
            self.run(statement)

    def run(self, node: tuple) -> None:
        match node:
            case ("block", statements):
                self.block(statements)
            case ("set", name, number) | ("change", name, number):
                self.values[name] = number
            case ("use", name, number):
                self.reads.append((number, self.values[name]))
            case ("shadow", _, number):
                self.reads.append((number, number))
            case ("event", number):
                self.event(number)
            case ("fail", _):
                if self.random.random() < 0.1:
                    raise Leave("error", None)
            case ("break", label) | ("continue", label):
                raise Leave(node[0], label)
            case ("return", closed):
                raise Leave("closure" if closed else "return", None)
            case ("if", inner, _):
                if self.coin():
                    self.block(inner)
            case ("and", inner, number):
                if self.coin():
                    self.event(number)
                    if self.coin():
                        self.block(inner)
            case ("else", first, second, _):
                self.block(first if self.coin() else second)
            case ("match", parts, number):
                arm = self.random.randint(1, 3)
                if arm == 1:
                    self.event(number)
                    arm = 1 if self.coin() else 3
                self.block(parts[arm - 1])
            case ("labelled", label, inner):
                try:
                    self.block(inner)
                except Leave as leave:
                    if leave.label != label:
                        raise
            case (kind, *_):
                self.loop(kind, node)

    def loop(self, kind: str, node: tuple) -> None:
        number = node[-1]
        label, inner = (None, node[1]) if kind == "each" else (node[1], node[2])
        while True:
            self.rounds.append((number, next(self.fresh)))
            try:
                if kind == "while":
                    self.event(number)
                if self.random.random() < 0.4:
                    return
                self.block(inner)
            except Leave as leave:
                if leave.kind == "closure" and kind == "each":
                    continue
                if leave.label != label or label is None:
                    raise
                if leave.kind == "break":
                    return
            finally:
                self.rounds.pop()


class Checked:
    """A program with its flow."""

    def __init__(self, seed: int) -> None:
        self.program = Maker(seed).program()
        code = written(self.program)
        source = f"fn f(items: &[i32]) -> Result<(), E> {{ let (mut a, mut b, mut c); {code} Ok(()) }}"
        content = source.encode()
        file = SourceFile("src/lib.rs", content)
        self.source = source
        self.flow = Flow(body_of(file.items.functions[0]))
        starts: dict[int, hir.Expr] = {}
        for e in self.flow.body.exprs:
            starts[e.span[0]] = e  # Outer ones have higher ids and win.
        self.uses = {}
        self.events = {}
        for mark in MARK.finditer(content):
            marked = self.uses if mark.group(1) == b"u" else self.events
            marked[int(mark.group(2))] = starts[mark.end()]

    def sets(self, use: int) -> tuple[set[int], int | None]:
        """The numbers of the definitions that reach a use, and the one that must."""
        reaching = self.flow.reaching(self.uses[use])
        must = reaching.must
        return {self.number(d) for d in reaching.definitions}, self.number(must) if must is not None else None

    def number(self, d) -> int:
        shown = d.value if d.value is not None else d.expr
        return int(re.search(r"\d+", self.source[shown.span[0] : shown.span[1]]).group())


@pytest.mark.parametrize("block", range(10))
def test_runs_agree(block: int) -> None:
    for seed in range(block * 20, block * 20 + 20):
        checked = Checked(seed)
        order, events = checked.flow.order, checked.events
        for turn in range(RUNS):
            run = Run(checked.program, turn)
            where = f"seed {seed}, run {turn}: {checked.source}"
            for use, value in run.reads:
                may, must = checked.sets(use)
                assert value in may, where
                assert must in (None, value), where
            happened = [number for number, _ in run.events]
            for a in dict.fromkeys(happened):
                assert order.reachable(events[a]), where
            check_pairs(order, events, run, where)


def check_pairs(order, events: dict[int, hir.Expr], run: Run, where: str) -> None:
    happened = [number for number, _ in run.events]
    for b in dict.fromkeys(happened):
        for a in events:
            if order.on_every_path_before(events[a], events[b]) and a != b:
                assert a in happened and happened.index(a) < happened.index(b), (where, a, b)
    for a in dict.fromkeys(happened):
        for b in events:
            if a != b and order.on_every_path_after(events[a], events[b]) and run.end in ("end", "return"):
                for at, number in enumerate(happened):
                    if number == a:
                        after = happened[at + 1 :]
                        round_ = after[: after.index(a)] if a in after else after
                        assert b in round_, (where, a, b)
    for at, (a, rounds_a) in enumerate(run.events):
        for b, rounds_b in run.events[at + 1 : at + 40]:
            if a == b:
                continue
            assert order.may_follow(events[a], events[b]), (where, a, b)
            one, other = dict(rounds_a), dict(rounds_b)
            if all(one[loop] == other[loop] for loop in one.keys() & other.keys()):
                assert order.before(events[a], events[b]) is not False, (where, a, b)
                assert order.before(events[b], events[a]) is not True, (where, a, b)
