"""Results built by hand: no rule, no engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from burnlint.lint.finding import Because, Edit, Finding, Fix, Place
from burnlint.lint.result import Note, Reported, Result, Summary
from burnlint.lint.rule import LoadedRule, Rule
from burnlint.text import Text

ROOT = "/repo"

PAGE = """`backward` on a loss that nothing reduced multiplies the gradients by the number of elements.

## Why
burn starts from ones: the gradients are those of the **sum**. Adam hardly notices.

## PyTorch
`loss.backward()` refuses a tensor with more than one element.

## Fires
    # use burn::tensor::Tensor;
    # fn f(loss: Tensor<1>) {
    let grads = loss.backward();
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn f(loss: Tensor<1>) {
    let grads = loss.mean().backward();
    # }

## Known gaps
None is known.

## References
burn-autodiff 0.22.1, src/grads.rs.
"""


def make_rule(code: str = "BL201", name: str = "backward-on-unreduced-loss", **changes: Any) -> LoadedRule:
    settings: dict[str, Any] = {
        "symptom": "silent",
        "severity": "error",
        "confidence": "high",
        "pitfalls": ("P12",),
    }
    return LoadedRule(
        rule=Rule(code, name, **settings | changes),
        topic="autodiff",
        page=PAGE,
        module=ModuleType("rule"),
        check=lambda file: (),
        check_manifest=None,
        check_project=None,
        check_text=None,
    )


@dataclass
class Build:
    """Adds files and findings to a result; places are given by the text they cover (`nth` occurrence, from
    0)."""

    result: Result = field(default_factory=lambda: Result(ROOT, ROOT))

    def file(self, name: str, content: str | bytes) -> str:
        path = f"{ROOT}/{name}"
        self.result.texts[path] = Text(path, content if isinstance(content, bytes) else content.encode())
        self.result.summary.files += 1
        return path

    def place(self, path: str, covered: str | bytes, nth: int = 0) -> Place:
        content = self.result.texts[path].content
        needle = covered if isinstance(covered, bytes) else covered.encode()
        start = -1
        for _ in range(nth + 1):
            start = content.index(needle, start + 1)
        return Place(path, start, start + len(needle))

    def add(self, finding: Finding, rule: LoadedRule | None = None, **changes: Any) -> Reported:
        rule = rule or make_rule()
        if rule not in self.result.rules:
            self.result.rules.append(rule)
        reported = Reported(
            rule,
            finding,
            changes.get("severity", finding.severity or rule.rule.severity),
            changes.get("confidence", finding.confidence or rule.rule.confidence),
            changes.get("fingerprint", f"{len(self.result.findings):032x}"),
        )
        self.result.findings.append(reported)
        return reported


TRAIN = """use burn::nn::loss::SmoothL1Loss;

fn train(model: &Linear, x: Tensor<2>, y: Tensor<2>) -> GradientsParams {
    let loss = SmoothL1Loss::new().forward(model.forward(x), y);
    let again = 1;
    let grads = loss.backward();
    GradientsParams::from_grads(grads, model)
}
"""
MODEL = "impl Linear {\n    fn forward(&self, x: Tensor<2>) -> Tensor<2> { x }\n}\n"


def sample() -> Result:
    """Three findings with evidence in other files and fixes, two notes."""
    build = Build()
    train, model = build.file("src/train.rs", TRAIN), build.file("src/model.rs", MODEL)
    manifest = build.file(
        "Cargo.toml", '[dependencies]\nburn = { version = "0.22", default-features = false }\n'
    )
    backward = build.place(train, "backward")
    loss = build.place(train, "SmoothL1Loss::new().forward(model.forward(x), y)")
    build.add(
        Finding(
            backward,
            "`loss` keeps one value per element, so `backward` sums them and the gradients grow",
            "reduce it first: `loss.mean().backward()`",
            (
                Because(loss, "`SmoothL1Loss::forward` does not reduce"),
                Because(build.place(model, "Tensor<2>", 1), "this is where the batch axis comes from"),
            ),
            Fix(
                "insert `.mean()`",
                (Edit(Place(train, backward.start, backward.start), "mean()."),),
                safe=False,
            ),
        )
    )
    build.add(
        Finding(
            build.place(manifest, "default-features"),
            "`default-features = false` also drops `fusion` and `autotune`",
            fix=Fix("add the features", (Edit(build.place(manifest, "false"), "true"),), safe=True),
            confidence="medium",
        ),
        make_rule(
            "BL705",
            "cube-without-fusion-autotune",
            symptom="slow",
            severity="warning",
            pitfalls=("P23", "B4"),
        ),
    )
    build.add(
        Finding(build.place(train, "again"), "a mere note"),
        make_rule("BL113", "redundant-tensor-clone", symptom="slow", severity="note", group="pedantic"),
    )
    build.result.notes += [
        Note(
            "BL001", "parse-error", f"{ROOT}/src/broken.rs", 7, "the line does not parse; the rest is linted"
        ),
        Note("BL002", "rule-crashed", None, None, "backward-on-unreduced-loss raised ValueError", fatal=True),
    ]
    build.result.summary = Summary(files=12, suppressed=2, baselined=1)
    return build.result


HOSTILE_TEXT = (
    "\x1b[31mred\x1b[0m \x9b2J ::error::x ##[error]y %0A | a|b `tick <script>alert(1)</script> \"q\" 'p' & "
    "]]> \u202etxet\u2066 \u2028line\r\nnext\x00\x07\ufeff [link](1) {0} \uffff"
)
HOSTILE_NAMES = (
    "::error::x.rs",
    "a\nb\r.rs",
    "\x1b[2Jclear.rs",
    "<script>alert(1)</script>.rs",
    "a|b`c.rs",
    "q\"uo'te & ;,%0A:.rs",
    "\u202egnp.rs",
    "non-utf8-\udcff.rs",
    "sp ace/[x](1)/ö🔥.rs",
    "--></style>.rs",
    "nul\x00\uffff.rs",
)


def hostile() -> Result:
    """A finding in each file with a hostile name; hostile content, message, help, evidence, fix."""
    build = Build()
    for name in HOSTILE_NAMES:
        content = (
            b"let a = 1; // \xff\xfe "
            + HOSTILE_TEXT.encode()
            + b"\r\n::warning::at the line's start\r\n\t\tlet b = loss;\n"
        )
        path = build.file(name, content)
        place = build.place(path, "loss")
        build.add(
            Finding(
                place,
                HOSTILE_TEXT,
                HOSTILE_TEXT,
                (
                    Because(build.place(path, "let a"), HOSTILE_TEXT),
                    Because(build.place(path, b"\xff"), HOSTILE_TEXT),
                ),
                Fix(HOSTILE_TEXT, (Edit(place, HOSTILE_TEXT),), safe=True),
            )
        )
        build.result.notes.append(Note("BL001", "parse-error", path, 1, HOSTILE_TEXT))
    return build.result


def clean() -> Result:
    """Nothing found."""
    build = Build()
    build.file("src/lib.rs", "fn main() {}\n")
    build.result.rules.append(make_rule())
    return build.result
