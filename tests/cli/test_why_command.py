"""`burnlint why`: texts, files, standard input, questions, symptoms, projects."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from burnlint.cli import run
from burnlint.lint import why_data
from burnlint.lint.why_ask import by_words, choose_option, choose_question

KNOWLEDGE = why_data.load()
MANIFEST = '[package]\nname = "net"\nedition = "2024"\n[dependencies]\nburn = { version = "0.22.1", features = ["flex"] }\n'
MATMUL = """thread 'main' panicked at /home/kim/.cargo/registry/src/index-1/burn-tensor-0.22.1/src/tensor/api/numeric.rs:842:9:
=== Tensor Operation Error ===
  Operation: 'Matmul'
  Reason:
    1. The inner dimension of matmul should be the same, but got 8 and 4. Lhs shape Shape { dims: [2, 5, 8] }.
"""


class Said:
    """What a command line did."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def answers(self) -> list[Any]:
        document = json.loads(self.out)
        assert document.keys() == {"version", "answers"} and document["version"] == 1
        for answer in document["answers"]:
            assert answer.keys() == {"pitfalls", "rules", "title", "places"}
            assert all(place.keys() == {"path", "line", "message"} for place in answer["places"])
        return list(document["answers"])

    @property
    def pitfalls(self) -> list[str]:
        return [pitfall for answer in self.answers for pitfall in answer["pitfalls"]]


@pytest.fixture
def why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """Run `burnlint why` in an empty folder (or the one that `write` fills)."""
    monkeypatch.chdir(tmp_path)

    class Stdin(io.TextIOWrapper):
        def isatty(self) -> bool:
            return False

    def call(*argv: str, stdin: str = "") -> Said:
        monkeypatch.setattr("sys.stdin", Stdin(io.BytesIO(stdin.encode())))
        capfd.readouterr()
        code = run(["why", *argv])
        captured = capfd.readouterr()
        return Said(code, captured.out, captured.err)

    return call


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def test_a_text_a_file_and_standard_input_say_the_same(why: Any, tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text(MATMUL)
    said = [why(MATMUL), why("run.log"), why("-", stdin=MATMUL), why(stdin=MATMUL)]
    assert {each.code for each in said} == {0}
    assert len({each.out for each in said}) == 1
    assert said[0].out.startswith("B9  the place of the panic is inside burn")
    assert "The inner dimension of matmul" in said[0].out


def test_words_of_a_text_need_no_quotes(why: Any) -> None:
    assert why("binary_op:", "dtype", "mismatch", "--output", "json").pitfalls == ["P4", "P24"]


@pytest.mark.parametrize(("burn", "said_so"), [("0.20.1", True), ("0.22.0", False)])
def test_advice_for_a_newer_burn_is_called_so(burn: str, said_so: bool, why: Any, tmp_path: Path) -> None:
    package = '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n'
    write(tmp_path, {"Cargo.toml": f'{package}burn = "={burn}"\n', "src/main.rs": "fn main() {}\n"})
    said = why("binary_op:", "dtype", "mismatch")
    assert said.code == 0
    assert ("this project has 0.20.1: names may differ" in " ".join(said.err.split())) == said_so


def test_what_no_pitfall_explains_says_so(why: Any) -> None:
    said = why(
        "thread 'main' panicked at src/main.rs:7:20:\nindex out of bounds: the len is 3 but the index is 5"
    )
    assert said.code == 1 and said.out == ""
    assert "No pitfall of burn explains this text" in said.err
    assert why("error: linking with `cc` failed", "--output", "json").answers == []


def test_a_missing_file_is_told(why: Any) -> None:
    said = why("target/build.log")
    assert said.code == 2 and "there is no such file" in said.err
    assert why("--project", "nowhere", "x").code == 2
    assert why("--symptom", "slow", "and a text").code == 2


def test_text_from_a_log_is_escaped(why: Any) -> None:
    said = why("Record validation error: Missing tensors: [\x07\x9b31m")
    assert said.code == 0 and "\x07" not in said.out and "\x9b" not in said.out


def test_questions_are_answered_by_numbers_and_by_words(why: Any) -> None:
    said = why("--output", "json", stdin="4\n6\n")
    assert said.pitfalls[0] == "P17"
    assert "it does not compile or build" in said.err and "1  it does not" in said.err
    assert why("--output", "json", stdin="no error, but a wrong result\nloss\n").pitfalls == said.pitfalls
    unfinished = why(stdin="panic\n")
    assert unfinished.code == 2 and "ended before the answer" in unfinished.err


def test_all_pitfalls_are_reached_by_questions() -> None:
    reached = set()
    for at, question in enumerate(KNOWLEDGE.questions, 1):
        assert choose_question(KNOWLEDGE, str(at)) is question
        assert choose_question(KNOWLEDGE, question.id) is question
        for number, option in enumerate(question.options, 1):
            assert choose_option(question, f"{number}.") is option
            assert choose_option(question, option.says) is option
            reached.update(option.pitfalls)
    assert reached == set(KNOWLEDGE.pitfalls)
    assert choose_question(KNOWLEDGE, "0") is None and choose_question(KNOWLEDGE, "7") is None
    assert choose_question(KNOWLEDGE, "") is None and choose_question(KNOWLEDGE, "purple") is None


SYMPTOMS = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent.parent / "why" / "symptoms.tsv").read_text().splitlines()[1:]
]


def test_all_pitfalls_have_symptom_words() -> None:
    assert {pitfall for pitfall, _ in SYMPTOMS} == set(KNOWLEDGE.pitfalls)


@pytest.mark.parametrize(("pitfall", "words"), SYMPTOMS)
def test_symptom_words_reach_their_pitfall(pitfall: str, words: str) -> None:
    assert pitfall in by_words(KNOWLEDGE, words)[:3]


def test_words_of_no_symptom_reach_nothing(why: Any) -> None:
    assert by_words(KNOWLEDGE, "a purple bicycle") == []
    assert by_words(KNOWLEDGE, "the of and") == []
    said = why("--symptom", "purple elephants dance")
    assert said.code == 1 and "No pitfall is known by these words" in said.err


def test_the_line_that_the_log_names_comes_first(why: Any, tmp_path: Path) -> None:
    clamp = "pub fn {}(w: Param<Tensor<2>>) -> Param<Tensor<2>> {{ w.map(|t| t.detach().clamp({}, 1.0).require_grad()) }}\n"
    code = "use burn::{module::Param, prelude::*};\n" + clamp.format("f", "0.0") + clamp.format("g", "0.5")
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": code})
    log = (
        "thread 'main' panicked at burn-autodiff-0.22.1/src/tensor.rs:190:17:\n"
        "Can't convert a non leaf tensor into a tracked tensor\nstack backtrace:\n"
        "   8: net::g\n             at ./src/lib.rs:3:60\n   9: net::f\n             at ./src/lib.rs:2:1\n"
    )
    answer = why(log, "--output", "json").answers[0]
    assert answer["pitfalls"] == ["P14"]
    assert [(p["path"], p["line"]) for p in answer["places"]][:2] == [("src/lib.rs", 3), ("src/lib.rs", 2)]
    assert answer["rules"][0] == "detach-before-op-then-require-grad"
    of_f = why(
        log.replace("./src/lib.rs:3:60", "/rustc/1/library/core/src/ops.rs:3:60"), "--output", "json"
    ).answers[0]
    assert [place["line"] for place in of_f["places"]] == [2, 3]
    assert why(log, "--no-project", "--output", "json").answers[0]["places"] == []


def test_shapes_of_a_panic_inside_burn_name_the_suspect_lines(why: Any, tmp_path: Path) -> None:
    code = (
        "use burn::prelude::*;\n"
        "pub fn scores(q: Tensor<3>, k: Tensor<3>) -> Tensor<3> {\n    q.matmul(k)\n}\n"
        "pub fn project(x: Tensor<2>, w: Tensor<2>) -> Tensor<2> {\n    x.matmul(w)\n}\n"
        "pub fn fixed(k: Tensor<3>, d: &Device) -> Tensor<3> {\n    Tensor::<3>::ones([7, 5, 8], d).matmul(k)\n}\n"
    )
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": code})
    places = why(MATMUL, "--output", "json").answers[0]["places"]
    assert [(p["path"], p["line"]) for p in places if "operation of the panic" in p["message"]] == [
        ("src/lib.rs", 3)
    ]


def test_a_rule_at_the_place_explains_what_no_text_does(why: Any, tmp_path: Path) -> None:
    code = "use burn::prelude::*;\npub fn f(x: Tensor<2>, y: Tensor<1>) -> Tensor<2> {\n    x + y\n}\n"
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": code})
    log = (
        "error[E0277]: a text of a later compiler\n --> src/lib.rs:3:7\n  |\n3 |     x + y\n  |       ^ no\n"
    )
    assert why(log, "--output", "json").pitfalls[:1] == ["P6"]
    assert why(log.replace("lib.rs:3", "lib.rs:2"), "--output", "json").answers == []


def test_what_rustc_says_of_any_code_needs_burn_at_its_place(why: Any, tmp_path: Path) -> None:
    log = "error: cannot find attribute `serde` in this scope\n --> src/lib.rs:4:7\n  |\n4 |     #[serde(default)]\n"
    plain = "use x::y;\n#[derive(Debug)]\npub struct Run {\n    #[serde(default)]\n    pub n: usize,\n}\n"
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": plain})
    assert why(log, "--output", "json").answers == []
    config = plain.replace("use x::y", "use burn::config::Config").replace(
        "derive(Debug)", "derive(Config, Debug)"
    )
    write(tmp_path, {"src/lib.rs": config})
    assert why(log, "--output", "json").pitfalls == ["B17"]


def test_a_gradient_that_is_none_is_told_by_the_code_at_its_place(why: Any, tmp_path: Path) -> None:
    code = (
        "use burn::prelude::*;\npub fn f(loss: Tensor<1>, x: Tensor<2>) -> Tensor<2> {\n"
        "    let grads = loss.backward();\n    x.grad(&grads).unwrap()\n}\n"
    )
    log = "thread 'main' panicked at src/lib.rs:4:20:\ncalled `Option::unwrap()` on a `None` value\n"
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": code})
    assert why(log, "--output", "json").pitfalls == ["B11"]
    assert why(log, "--no-project", "--output", "json").answers == []
    write(tmp_path, {"src/lib.rs": code.replace("x.grad(&grads)", "Some(x)")})
    assert why(log, "--output", "json").answers == []


def test_what_rustc_says_of_a_package_without_burn_has_no_answer(why: Any, tmp_path: Path) -> None:
    """Another crate's `Backend` and `Tensor<..>` look like burn's to rustc."""
    source = "fn run<B: Backend>(x: Tensor<B>) {}\n"
    text = (
        f"error[E0405]: cannot find trait `Backend` in this scope\n --> src/main.rs:1:11\n  |\n1 | {source}"
    )
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/main.rs": source})
    assert why(text, "--output", "json").pitfalls[:1] == ["B1"]
    (tmp_path / "Cargo.toml").write_text(MANIFEST.partition("[dependencies]")[0])
    assert why(text, "--output", "json").pitfalls == []


def test_a_broken_configuration_leaves_the_project_out(why: Any, tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "", "burnlint.toml": "select = 3\n"})
    said = why("binary_op: dtype mismatch")
    assert said.code == 0 and "the project is left out" in said.err


def test_an_answer_keeps_the_width_of_the_terminal(why: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for said in (why("--symptom", "loss does not move"), why("words that no pitfall explains")):
        rows = (said.out + said.err).splitlines()
        assert rows and max(len(row) for row in rows) <= 60
