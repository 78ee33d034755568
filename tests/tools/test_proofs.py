"""Which programs are run on which releases of burn, and how they are built."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

from burnlint.burn.versions import RELEASED
from burnlint.lint.registry import load
from tools import proofs
from tools.fixtures import FIXTURES


def groups() -> list[proofs.Programs]:
    return [group for group in proofs.programs() if not group.exact]


def dependencies(group: proofs.Programs, burn: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = tomllib.loads(proofs.manifest(group, burn))["dependencies"]
    return found


def test_each_release_has_the_programs_of_the_crate_after_it() -> None:
    older, newest = groups()
    assert newest.releases == ["0.22.0"]
    assert older.releases == [each for each in RELEASED if each < "0.21"]
    assert all("021" in path.name or "misnamed" in str(path) for path in (*older.proofs, *older.failures))
    assert not any("021" in path.name for path in newest.proofs)


def test_a_release_is_built_without_the_features_it_does_not_have_or_no_program_needs() -> None:
    older = groups()[0]
    assert dependencies(older, "0.20.1")["burn"]["features"] == [
        "std",
        "ndarray",
        "autodiff",
        "train",
        "store",
    ]
    assert dependencies(older, "0.15.0")["burn"]["features"] == ["std", "ndarray", "autodiff", "train"]
    few = replace(older, proofs=[each for each in older.proofs if "param-rebuilt" in str(each)], failures=[])
    found = dependencies(few, "0.20.1")
    assert found["burn"] == {
        "version": "=0.20.1",
        "default-features": False,
        "features": ["std", "ndarray", "autodiff"],
    }
    assert found["burn-core"] == {"version": "=0.20.1", "optional": True}


def test_what_uses_tensors_alone_is_built_with_burn_tensor() -> None:
    rest, tensors = proofs.parts(groups()[0])
    assert tensors.shim and not rest.shim
    assert not tensors.proofs
    assert {*map(str, rest.failures)} | {*map(str, tensors.failures)} == {*map(str, groups()[0].failures)}
    assert any("tensor-operand-by-ref" in str(each) for each in tensors.failures)
    assert all("burn::nn" not in each.read_text("utf-8") for each in tensors.failures)
    assert dependencies(tensors, "0.15.0")["burn"] == {"path": "burn"}


def test_a_program_with_crates_of_its_own_asks_for_all_or_nothing() -> None:
    [group] = [each for each in proofs.programs() if each.proofs[0].name == "ndarray_many_021.rs"]
    assert group.releases[-1] == "0.21.0"
    assert dependencies(group, "0.18.0")["burn-ndarray"]["features"] == ["simd", "multi-threads"]


def test_a_change_of_a_program_and_not_of_its_line_ends_makes_it_due(tmp_path: Path) -> None:
    program = groups()[0].proofs[0]
    name, burn = proofs.name_of(program), "0.20.1"
    assert proofs.due_of([program], burn, {(name, burn): (proofs.digest(program), proofs.HOLDS)}, ()) == []
    assert proofs.due_of([program], burn, {(name, burn): ("0" * 16, proofs.HOLDS)}, ()) == [program]
    assert proofs.due_of([program], "0.20.0", {(name, burn): (proofs.digest(program), "")}, ["no"]) == []
    copy = tmp_path / "copy.rs"
    copy.write_bytes(program.read_bytes().replace(b"\n", b"\r\n"))
    assert proofs.digest(copy) == proofs.digest(program)
    copy.write_bytes(program.read_bytes() + b"// more\n")
    assert proofs.digest(copy) != proofs.digest(program)


def test_an_error_names_the_file_that_a_macro_was_called_in() -> None:
    span = {"file_name": "burn/lib.rs", "expansion": {"span": {"file_name": "/a.rs", "expansion": None}}}
    message = {"level": "error", "spans": [span], "children": []}
    assert [*proofs.files_of({"reason": "compiler-message", "message": message})] == ["burn/lib.rs", "/a.rs"]
    warning = {"level": "warning", "spans": [span], "children": []}
    assert [*proofs.files_of({"reason": "compiler-message", "message": warning})] == []
    assert [*proofs.files_of({"reason": "compiler-artifact"})] == []


def test_threads_were_counted_on_the_releases_before_0_22() -> None:
    """flex-single-threaded was run there: one thread without the features, several with them."""
    rule = load().by_word["flex-single-threaded"].rule
    record = proofs.read()
    programs = sorted((FIXTURES / "cargo/flex-single-threaded/threads").glob("*_021.rs"))
    older = [each for each in rule.proven if each < "0.22"]
    assert older
    for burn in older:
        results = {program.stem: record.get((proofs.name_of(program), burn)) for program in programs}
        assert {stem for stem in results if proofs.holds_on(programs[0].with_stem(stem), burn, record)} >= {
            "ndarray_one_021",
            "ndarray_many_021",
        }
        assert not [stem for stem, row in results.items() if row is None or row[1] == proofs.FAILS]
