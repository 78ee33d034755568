"""Rules that read the lock file. Lock files are no fixtures: they are written here."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Found, run

SOURCE = "registry+https://example.org/index"
HEAD = '[package]\nname = "wave-lab"\nversion = "0.1.0"\nedition = "2024"\n\n'


def lock(*packages: tuple[str, str, str], source: str = SOURCE) -> str:
    """A lock file with packages as (name, version, name of its one dependency or nothing)."""
    entries = ["version = 4\n"]
    for name, version, dependency in packages:
        listed = f'dependencies = ["{dependency}"]\n' if dependency else ""
        origin = f'source = "{source}"\n' if name != "wave-lab" else ""
        entries.append(f'[[package]]\nname = "{name}"\nversion = "{version}"\n{origin}{listed}')
    return "\n".join(entries)


def findings(folder: Path, manifest: str, locked: str, *options: str) -> list[Found]:
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/main.rs").write_text("fn main() {}\n")
    (folder / "Cargo.toml").write_text(HEAD + manifest)
    (folder / "Cargo.lock").write_text(locked)
    answer = run(folder=folder, options=("--select", "topic:cargo", *options))
    assert answer.notes == []
    return answer.found


def trained(systemstat: str, burn: str = "0.22.1") -> str:
    return lock(
        ("burn", burn, "burn-train"),
        ("burn-train", burn, "systemstat"),
        ("systemstat", systemstat, ""),
        ("wave-lab", "0.1.0", "burn"),
    )


TRAIN = '[dependencies]\nburn = { version = "0.22", features = ["train"] }\nserde = "1"\n'
TABLE = '[dependencies.burn]\nversion = "0.22"\nfeatures = ["train"]\n\n[profile.release]\nlto = true\n'


@pytest.mark.parametrize("manifest", [TRAIN, TABLE], ids=["line", "table"])
def test_known_bad_dependency(manifest: str, tmp_path: Path) -> None:
    [found] = findings(tmp_path, manifest, trained("0.2.8"))
    assert (found.name, found.severity, found.confidence) == ("known-bad-dependency", "error", "high")
    assert "`systemstat` 0.2.8, which the lock file has" in found.message
    # The fix pins it; the lock file is older than the manifest then.
    assert findings(tmp_path, manifest, trained("0.2.8"), "--fix") == []
    fixed = (tmp_path / "Cargo.toml").read_text()
    assert 'systemstat = "=0.2.7"' in fixed or '[dependencies.systemstat]\nversion = "=0.2.7"' in fixed
    assert findings(tmp_path, fixed.removeprefix(HEAD), trained("0.2.8")) == []


@pytest.mark.parametrize("locked", [trained("0.2.7"), trained("0.2.8", "0.21.0")], ids=["good", "other burn"])
def test_known_good_dependency(locked: str, tmp_path: Path) -> None:
    manifest = TRAIN if "0.22.1" in locked else TRAIN.replace("0.22", "0.21")
    assert findings(tmp_path, manifest, locked) == []


def test_locked_git_source_is_a_note(tmp_path: Path) -> None:
    manifest = '[dependencies]\nburn = { git = "https://example.org/burn", features = ["flex"] }\n'
    locked = lock(
        ("burn", "0.22.1", ""),
        ("wave-lab", "0.1.0", "burn"),
        source="git+https://example.org/burn#0123456789abcdef0123456789abcdef01234567",
    )
    [found] = findings(tmp_path, manifest, locked)
    assert (found.name, found.severity) == ("unpinned-burn-source", "note")


OFF = 'burn = { version = "0.22", default-features = false, features = ["std", "flex"] }'
BURN = ("burn", "0.22.1", "burn-flex"), ("burn-flex", "0.22.1", "")


@pytest.mark.parametrize(
    ("helpers", "confidence"),
    [
        ([("helper", "1.0.0", "")], "high"),
        ([("helper", "1.0.0", "burn 0.22.1")], "medium"),
        ([("helper", "1.0.0", "burn-flex")], "medium"),
        # By way of another one.
        ([("helper", "1.0.0", "deeper"), ("deeper", "2.0.0", "burn 0.22.1")], "medium"),
        # Another burn, whose features are apart.
        ([("helper", "1.0.0", "burn 0.20.1"), ("burn", "0.20.1", "")], "high"),
        # It is not in the build.
        ([("helper", "1.0.0", ""), ("stranger", "1.0.0", "burn 0.22.1")], "high"),
    ],
    ids=["alone", "burn", "a crate of burn's", "indirect", "another burn", "not built"],
)
def test_others_may_turn_features_on(
    helpers: list[tuple[str, str, str]], confidence: str, tmp_path: Path
) -> None:
    """A package of other people in the lock file that depends on burn may bring its default features."""
    manifest = f'[dependencies]\n{OFF}\nhelper = "1"\n'
    [found] = findings(tmp_path, manifest, lock(*BURN, *helpers, ("wave-lab", "0.1.0", "helper")))
    assert (found.name, found.confidence) == ("flex-single-threaded", confidence)


def test_others_in_a_lock_file_without_the_package(tmp_path: Path) -> None:
    """A package that is not in the lock file yet may be built with all that is there."""
    locked = lock(*BURN, ("stranger", "1.0.0", "burn"))
    [found] = findings(tmp_path, f"[dependencies]\n{OFF}\n", locked)
    assert (found.name, found.confidence) == ("flex-single-threaded", "medium")


@pytest.mark.parametrize(("dependency", "names"), [("burn", []), ("serde", ["no-backend-feature"])])
def test_others_may_bring_the_back_end(dependency: str, names: list[str], tmp_path: Path) -> None:
    manifest = '[dependencies]\nburn = { version = "0.22", default-features = false, features = ["std"] }\n'
    locked = lock(("burn", "0.22.1", ""), ("helper", "1.0.0", dependency), ("wave-lab", "0.1.0", "helper"))
    found = findings(tmp_path, manifest + 'helper = "1"\n', locked)
    assert [each.name for each in found] == names


@pytest.mark.parametrize(
    ("dependency", "names"), [("burn", []), ("serde", ["linalg-feature-missing", "optim-feature-missing"])]
)
def test_others_may_turn_on_what_the_code_needs(dependency: str, names: list[str], tmp_path: Path) -> None:
    manifest = (
        '[dependencies]\nburn = { version = "0.22", default-features = false, features = ["std", "flex"] }\n'
    )
    locked = lock(("burn", "0.22.1", ""), ("helper", "1.0.0", dependency), ("wave-lab", "0.1.0", "helper"))
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text("use burn::optim::AdamConfig;\nuse burn::linalg::lu;\n")
    found = findings(tmp_path, manifest + 'helper = "1"\n', locked, "--ignore", "flex-single-threaded")
    assert sorted(each.name for each in found) == names
