"""Logs as messages: levels, codes, places; colours, time stamps, JSON, hostile input."""

from __future__ import annotations

import json
import time

from burnlint.lint import registry, why, why_data
from burnlint.lint.why_log import MAX_LINE, messages
from burnlint.lint.why_shapes import fewer_rows, operation


def test_diagnostics_panics_and_paragraphs_are_messages_of_their_own() -> None:
    log = (
        "   Compiling net v0.1.0\n"
        "warning: unused import\n --> src/a.rs:1:5\n"
        "error[E0382]: use of moved value: `x`\n  --> src/b.rs:12:9\n   |\nnote: see\n  --> src/c.rs:3:1\n\n"
        "thread 'main' (12) panicked at src/d.rs:4:2:\nno\n\nnot yet\nstack backtrace:\n   1: net::f\n"
        "             at ./src/e.rs:9:1\nnote: run with `RUST_BACKTRACE=full`\n"
        "epoch 1\n\nepoch 2\n"
    )
    found = messages(log)
    assert [(each.level, each.code) for each in found] == [
        ("plain", None),
        ("warning", None),
        ("error", "E0382"),
        ("panic", None),
        ("plain", None),
        ("plain", None),
    ]
    assert found[2].places == [("src/b.rs", 12), ("src/c.rs", 3)]
    assert found[3].places == [("src/d.rs", 4), ("./src/e.rs", 9)]
    assert "not yet" in found[3].text and found[4].text == "epoch 1"


def test_the_older_form_of_a_panic_has_its_place() -> None:
    found = messages("thread 'main' panicked at 'no luck', src/main.rs:7:5\n")
    assert [(each.level, each.places) for each in found] == [("panic", [("src/main.rs", 7)])]


def test_colours_time_stamps_and_container_steps_are_left_out() -> None:
    plain = "error[E0747]: type provided when a constant was expected\n --> src/lib.rs:1:2"
    dressed = [
        "\x1b[1m\x1b[38;5;9merror[E0747]\x1b[0m\x1b[1m: type provided when a constant was expected\x1b[0m\n"
        " \x1b[1m\x1b[94m--> \x1b[0msrc/lib.rs:1:2",
        "".join(f"2026-11-30T10:00:00.1234567Z {line}\n" for line in plain.splitlines()),
        "".join(f"#12 31.5 {line}\r\n" for line in plain.splitlines()),
    ]
    for each in dressed:
        (found,) = messages(each)
        assert (found.text, found.code, found.places) == (plain, "E0747", [("src/lib.rs", 1)])


def test_json_of_cargo_and_of_rustc() -> None:
    diagnostic = {
        "message": "cannot find trait `Backend` in this scope",
        "level": "error",
        "code": {"code": "E0405", "explanation": None},
        "spans": [
            {"file_name": "src/z.rs", "line_start": 9, "is_primary": False, "label": "here"},
            {"file_name": "src/a.rs", "line_start": 4, "is_primary": True, "label": None},
        ],
        "children": [{"message": "see that", "level": "note", "spans": []}],
        "rendered": None,
    }
    lines = [
        {"reason": "compiler-artifact", "target": {}},
        {"reason": "compiler-message", "message": diagnostic},
        diagnostic,
        {"reason": "compiler-message", "message": {**diagnostic, "level": "note"}},
        {"reason": "build-finished", "success": False},
    ]
    found = messages("before\n" + "\n".join(map(json.dumps, lines)) + "\nafter\n")
    assert [each.level for each in found] == ["plain", "error", "error", "plain"]
    assert found[1] == found[2]
    assert found[1].code == "E0405" and found[1].places == [("src/a.rs", 4), ("src/z.rs", 9)]
    assert found[1].text == "cannot find trait `Backend` in this scope\nhere\nsee that"


def test_what_only_looks_like_json_is_text() -> None:
    for text in (
        '{"epoch": 1}',
        "{",
        "[1]",
        '{"message": 3, "level": []}',
        "{" * 50_000,
        '{"reason": 1, "x": "' + "y" * 10,
    ):
        assert all(each.level == "plain" for each in messages(text))


def test_hostile_logs_take_no_time() -> None:
    knowledge, rules = why_data.load(), registry.load()
    began = time.perf_counter()
    for text in (
        "a" * 3_000_000,
        "cannot add " * 50_000,
        ("error[E0382]: use of moved value: `x`\n" + ".step(grad " * 600) * 3,
        "thread 'main' panicked at x:\n" + "Operation: 'Add'\n" * 20_000,
        "the trait bound `" + "Tensor<" * 20_000,
        "\n".join(["error: no"] * 5_000),
    ):
        log = messages(text)
        assert all(len(line) <= MAX_LINE for each in log for line in each.text.splitlines())
        why.answers(log, why.hits(log, knowledge, rules, why.nothing_there))
    assert time.perf_counter() - began < 30


def test_operations_and_shapes_of_a_panic() -> None:
    text = (
        "  Operation: 'Slice Assign'\n  Reason:\n    1. no. Lhs tensor shape Shape { dims: [3, 5] }, "
        "Rhs tensor shape Shape { dims: [3, 4] }."
    )
    found = operation(text)
    assert found is not None and (found.name, found.shapes) == ("Slice Assign", ((3, 5), (3, 4)))
    assert operation("index out of bounds") is None


def test_a_smaller_last_batch() -> None:
    def reshape(current: str, target: str) -> bool:
        return fewer_rows(f"Current shape: [{current}], target shape: [{target}].")

    assert reshape("9", "4, 3") and reshape("5, 12", "8, 3, 4")
    assert not reshape("12", "4, 3") and not reshape("10", "4, 3") and not reshape("8, 16, 5, 5", "8, 256")
    assert (
        not reshape("16, 3", "8, 3")
        and not reshape("", "8")
        and not reshape("3", "")
        and not fewer_rows("no")
    )
    assert not reshape("5, 7", "8, 0")
