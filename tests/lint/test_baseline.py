"""Baselines: reading, writing, and that nothing new hides behind what is old."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnlint.lint.baseline import BaselineError, Entry, make, merge, prune, read, render

ONE = Entry("a1", "first-rule", "src/a.rs", "`x` is bad")
TWO = Entry("b2", "second-rule", "src/b.rs", "")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    baseline = make(path, [TWO, ONE, ONE])
    path.write_text(render(baseline))
    assert read(path) == baseline
    assert path.read_text().splitlines()[1:] == [
        "a1  first-rule  src/a.rs  `x` is bad",
        "b2  second-rule  src/b.rs  ",
    ]


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip), st.text("ab \u2028\x85é")
)
def test_hostile_paths_and_messages(path: str, message: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "b")
        baseline = make(file, [Entry("a1", "first-rule", path, message)])
        file.write_bytes(render(baseline).encode("utf-8", "surrogateescape"))
        assert read(file) == baseline


@pytest.mark.parametrize(
    "line", ["a1", "a1 first-rule src/a.rs", "a1  first-rule", "  first-rule  src/a.rs  x"]
)
def test_a_line_that_cannot_be_read_is_told_with_its_place(line: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    path.write_text(f"# head\n\n{line}\n")
    with pytest.raises(BaselineError, match=r"baseline.txt:3: this is no line of a baseline"):
        read(path)


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="cannot be read"):
        read(tmp_path / "nowhere.txt")


def test_windows_line_endings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    path.write_bytes(render(make(path, [ONE])).replace("\n", "\r\n").encode())
    assert read(path).entries == (ONE,)


def test_pruning_drops_what_was_judged_and_not_found(tmp_path: Path) -> None:
    old, found = make(tmp_path / "b", [ONE, TWO]), make(tmp_path / "b", [])
    assert prune(old, found, lambda entry: entry == ONE).entries == (TWO,)
    assert prune(old, make(tmp_path / "b", [ONE]), lambda entry: True).entries == (ONE,)


def test_merging_keeps_one_line_for_each_finding(tmp_path: Path) -> None:
    newer = Entry("a1", "first-rule", "src/a.rs", "other words")
    assert merge(make(tmp_path / "b", [newer]), make(tmp_path / "b", [ONE, TWO])).entries == (newer, TWO)


def test_comments_stay_above_their_line(tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    text = render(make(path, [ONE, TWO]))
    commented = text.replace("a1  ", "# why\r\n# so\na1  ").replace("b2  ", "# two\nb2  ") + "# end\n"
    path.write_bytes(commented.encode())
    assert render(read(path)) == commented.replace("\r", "")
    assert render(merge(make(path, [ONE]), read(path))) == commented.replace("\r", "")
    kept = prune(read(path), make(path, []), lambda entry: entry == ONE)
    assert render(kept) == commented[: commented.index("# why")] + commented[commented.index("# two") :]


def test_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    path.write_bytes(b"\xef\xbb\xbf" + render(make(path, [ONE])).encode())
    assert read(path).entries == (ONE,)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("<<<<<<< HEAD", ":2: here is a conflict of a merge: keep the lines of both sides"),
        ("=======", ":2: here is a conflict"),
        ("# burnlint baseline 2: some day", ":2: this baseline is of a newer burnlint"),
    ],
)
def test_what_is_no_baseline_of_this_version_says_the_way_out(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.txt"
    path.write_text(f"# mine\n{line}\na1  first-rule  src/a.rs  x\n")
    with pytest.raises(BaselineError, match=words):
        read(path)
