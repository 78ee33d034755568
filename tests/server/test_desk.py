"""The desk: what changed while a look was under way is not taken for what was looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from burnlint.lint.result import Reported, Result
from burnlint.server.desk import Desk


def desk(seen: list[Mapping[str, bytes]]) -> Desk:
    def look(paths: Sequence[str], contents: Mapping[str, bytes]) -> Result:
        seen.append(contents)
        return Result("/", "/")

    return Desk(look)


def test_a_document_that_changed_or_closed_meanwhile_is_not_published(tmp_path: Path) -> None:
    for name in ("a.rs", "b.rs", "c.rs"):
        (tmp_path / name).write_text("on the disk")
    seen: list[Mapping[str, bytes]] = []
    open_ones = desk(seen)
    for name in ("a.rs", "b.rs", "c.rs"):
        open_ones.put(f"u:{name}", str(tmp_path / name), 1, name)
    snapshot = open_ones.snapshot()
    open_ones.put("u:a.rs", str(tmp_path / "a.rs"), 2, "changed")
    open_ones.close("u:b.rs")
    open_ones.put("u:d.rs", str(tmp_path / "c.rs"), 1, "opened")
    result = open_ones.look(snapshot)
    assert sorted(content.decode() for content in seen[0].values()) == ["a.rs", "b.rs", "c.rs"]
    assert [each.uri for each in open_ones.keep(snapshot, result)] == ["u:c.rs"]
    assert not open_ones.get("u:a.rs").fresh  # type: ignore[union-attr]


def test_what_is_on_no_disk_is_not_looked_at(tmp_path: Path) -> None:
    seen: list[Mapping[str, bytes]] = []
    open_ones = desk(seen)
    open_ones.put("u:new", str(tmp_path / "new.rs"), 1, "x")
    snapshot = open_ones.snapshot()
    assert open_ones.look(snapshot) is None
    assert (open_ones.keep(snapshot, None), seen) == ([], [])


def test_findings_go_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "a.rs"
    path.write_text("x")
    open_ones = desk([])
    open_ones.put("u:a.rs", str(path), 1, "x")
    snapshot = open_ones.snapshot()
    open_ones.keep(snapshot, open_ones.look(snapshot))
    document = open_ones.get("u:a.rs")
    assert document is not None
    document.findings = [cast("Reported", object())]
    path.unlink()
    snapshot = open_ones.snapshot()
    assert (open_ones.keep(snapshot, open_ones.look(snapshot)), document.findings) == ([document], [])
    assert open_ones.keep(snapshot, open_ones.look(snapshot)) == []
