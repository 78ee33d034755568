"""What `tools.coverage` counts, and what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import coverage

MANIFEST = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "{}"\nother = "1"\n'
SOURCE = """
use burn::prelude::*;
fn f(x: Tensor<2>, it: Own) {
    let (known, open) = (x.argmax(1), other::make());
    open.argmax(1);
    it.mask_where(0);
    open.go().backward();
    (made::Model::new().run() - x).argmax(1);
    let wrong: Tensor<3> = it;
}
include!("made.rs");
struct Own;
impl Own { fn mask_where(&self, n: u8) {} }
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST.format("0.22.1"))
    (tmp_path / "src" / "lib.rs").write_text(SOURCE)
    (tmp_path / "src" / "loose.rs").write_text(SOURCE)
    return tmp_path


def test_receivers_and_contradictions(package: Path) -> None:
    found = coverage.of_folder(str(package))
    assert (found.files, found.stray, found.without_burn) == (1, 1, 0)
    assert dict(found.receivers) == {"all": 2, "typed": 1, "tensor": 1, "kind": 1, "rank": 1}
    assert (found.others, found.made) == (1, 1)
    assert found.methods["argmax"] == {"all": 3, "typed": 1, "tensor": 1, "kind": 1, "rank": 1}
    assert found.methods["mask_where"] == {"all": 1, "typed": 1}
    assert found.methods["backward"] == {"all": 1}
    assert found.contradictions == 1 and found.met > 1
    assert [line.split("\t")[0].rpartition(":")[2] for line in found.lines] == ["9", "5", "7", "8"]
    text = "\n".join(coverage.report("demo", found))
    assert "kind 1 of 2 (50.00 %)" in text and "1 known to be no tensor" in text


def test_old_burn_is_left_out(package: Path) -> None:
    (package / "Cargo.toml").write_text(MANIFEST.format("0.12.1"))
    found = coverage.of_folder(str(package))
    assert (found.files, found.without_burn) == (0, 2)


def test_counts_of_folders_add_up(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main([str(package), str(package), "--unknown", str(package / "out.tsv")]) == 0
    assert "together (2 folders with burn)" in capsys.readouterr().out
    assert len((package / "out.tsv").read_text().splitlines()) == 8


def test_types_by_a_glob_of_a_crate_that_is_not_read(package: Path) -> None:
    text = "use burn::prelude::*;\nuse other::*;\nfn f(x: &Bound) { x.argmax(1); }\n"
    (package / "src" / "lib.rs").write_text(text)
    found = coverage.of_folder(str(package / "src" / "lib.rs"))
    assert (found.foreign, found.receivers["all"]) == (1, 0)
