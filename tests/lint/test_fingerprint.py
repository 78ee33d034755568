"""What a fingerprint survives, and what it must tell apart."""

from __future__ import annotations

from burnlint.lint.fingerprint import Fingerprints
from burnlint.text import Text

SOURCE = "fn f() {\n    let a = loss(x, y).backward();\n    let b = other.backward();\n}\n"


def prints(
    source: str, needle: str, path: str = "/repo/src/a.rs", item: str = "f", code: str = "BL201"
) -> list[str]:
    """The fingerprints of all occurrences of `needle`."""
    text = Text(path, source.encode())
    made = Fingerprints("/repo")
    found, at = [], text.content.find(needle.encode())
    while at >= 0:
        found.append(made.next(code, item, text, at, at + len(needle.encode())))
        at = text.content.find(needle.encode(), at + 1)
    return found


def test_survives_moved_lines_formatting_and_comments() -> None:
    moved = (
        "use x;\n// a; comment { with edges\n\nfn f() {\n    /* b; */ let a = loss(\n"
        "        x, // c; d\n        y,\n    )\n    .backward();\n\n    let b =\n other.backward();\n}\n"
    )
    assert prints(SOURCE, "backward") == prints(moved, "backward")


def test_a_new_finding_never_takes_the_place_of_an_old_one() -> None:
    """The old one is mended, another one of the same words appears in the same function."""
    old = prints("fn f() { let g = a.backward(); }", "backward")
    new = prints("fn f() { let g = a.mean().backward(); let h = b.backward(); }", "backward")
    assert not set(old) & set(new)


def test_a_finding_before_the_old_one_does_not_shift_it() -> None:
    old = prints("fn f() { let g = a.backward(); }", "backward")
    new = prints("fn f() { let h = b.backward(); let g = a.backward(); }", "backward")
    assert new[1:] == old and new[0] != old[0]


def test_equal_statements_are_numbered() -> None:
    once = prints("fn f() { a.backward(); }", "backward")
    twice = prints("fn f() { a.backward(); a.backward(); }", "backward")
    assert twice[:1] == once and len(set(twice)) == 2


def test_rule_file_and_item_belong_to_it() -> None:
    variants = [
        prints(SOURCE, "other"),
        prints(SOURCE, "other", code="BL202"),
        prints(SOURCE, "other", item="g"),
        prints(SOURCE, "other", path="/repo/src/b.rs"),
    ]
    assert len({each[0] for each in variants}) == 4


def test_parts_do_not_run_into_each_other() -> None:
    assert prints("a", "a", item="f::g") != prints("a", "a", item="f", path="/repo/src/a.rs::g")


def test_does_not_depend_on_where_the_repository_lies() -> None:
    made = Fingerprints("/elsewhere/clone")
    text = Text("/elsewhere/clone/src/a.rs", SOURCE.encode())
    at = SOURCE.index("other")
    assert made.next("BL201", "f", text, at, at + 5) == prints(SOURCE, "other")[0]


def test_edges_inside_of_strings_and_chars_are_none() -> None:
    """Also after a lifetime, a raw string, and an escaped quote."""
    source = """fn f<'a>(x: &'a str) { log("a;{", ';', '\\'', r#"b";"#, b'}', 'ö').first(); second(); }"""
    changed = source.replace("second", "third")
    assert prints(source, "first") == prints(changed, "first")
    assert prints(source, "first") != prints(source.replace("log", "print"), "first")


def test_manifest_uses_the_line() -> None:
    path = "/repo/Cargo.toml"
    source = (
        '[dependencies]\nburn = { version = "0.22", default-features = false } # why\n'
        "burn-nn = { default-features = false }\n"
    )
    first, second = prints(source, "default-features", path=path, item="dependencies")
    moved = prints(
        source.replace("[dep", "\n\n[dep").replace("# why", ""),
        "default-features",
        path=path,
        item="dependencies",
    )
    assert moved == [first, second] and first != second


def test_odd_places() -> None:
    """At the end, in an empty file, in a comment, over everything, in broken and non-UTF-8 text."""
    made = Fingerprints("/repo")
    for content in (b"", b"// only a comment", b'fn f() { "unclosed', b'\xff\xfe r#"', b"/* open", b"a;"):
        text = Text("/repo/\udcff.rs", content)
        found = {
            made.next("BL1", "", text, *span)
            for span in ((0, 0), (0, len(content)), (len(content), len(content)))
        }
        assert len(found) == 3
