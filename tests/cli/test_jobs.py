"""Several processes find what one finds, byte for byte, however they begin and even if they are killed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from burnlint import cli
from burnlint.lint import workers

FIXTURES = Path(__file__).parents[2] / "fixtures"
MANIFEST = '[package]\nname = "{}"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\nburn = "=0.22.1"\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of three packages, one of them large, with files of their own beside."""
    root = tmp_path_factory.mktemp("workspace")
    sources = sorted(FIXTURES.glob("tensor/*/fires.rs"))[:12]
    packages = {"alpha": sources[:2], "beta": sources[2:11], "gamma": sources[11:]}
    for name, files in packages.items():
        source = root / name / "src"
        source.mkdir(parents=True)
        (root / name / "Cargo.toml").write_text(MANIFEST.format(name))
        modules = [f"m{at}" for at in range(len(files))]
        (source / "lib.rs").write_text("".join(f"pub mod {each};\n" for each in modules))
        for module, file in zip(modules, files, strict=True):
            shutil.copy(file, source / f"{module}.rs")
    (root / "beta/src/m0.rs").write_text("fn broken( { x.backward() }\n")
    (root / "Cargo.toml").write_text('[workspace]\nresolver = "3"\nmembers = ["alpha", "beta", "gamma"]\n')
    (root / "stray.rs").write_text("use burn::tensor::Tensor; fn f(x: Tensor<1>) { x.backward(); }\n")
    return root


def report(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> bytes:
    monkeypatch.chdir(folder)
    target = folder.parent / "report.json"
    options = ("--select", "all", "--min-confidence", "low", *options)
    assert cli.run(["check", ".", "--exit-zero", f"--output=json:{target}", *options]) == 0
    return target.read_bytes()


@pytest.fixture(scope="module")
def alone(folder: Path) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        found = report(folder, patch, "--jobs", "1")
    assert found.count(b'"code"') > 10 and b"parse-error" in found
    return found


@pytest.mark.parametrize("jobs", [2, 3, 4])
def test_as_one(folder: Path, alone: bytes, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert report(folder, monkeypatch, "--jobs", str(jobs)) == alone


def test_started_anew(folder: Path, alone: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_forks", lambda: False)
    assert report(folder, monkeypatch, "--jobs", "2") == alone


@pytest.mark.skipif(not workers._forks(), reason="a patch reaches only processes that are copies")
def test_killed(folder: Path, alone: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    here, do = os.getpid(), workers._do

    def killed(work: workers._Slice, traced: bool) -> object:
        if any("/alpha/" in path for _, paths in work for path in paths) and os.getpid() != here:
            os._exit(9)
        return do(work, traced)

    killed.__module__, killed.__qualname__ = workers.__name__, "_do"
    monkeypatch.setattr(workers, "_do", killed)
    assert report(folder, monkeypatch, "--jobs", "2") == alone


@pytest.mark.parametrize("error", [PermissionError(13, "no /dev/shm"), ImportError("_multiprocessing")])
@pytest.mark.parametrize("where", ["__init__", "submit"])
def test_a_system_without_processes(
    where: str, error: Exception, folder: Path, alone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **named: object) -> None:
        raise error

    monkeypatch.setattr(workers.ProcessPoolExecutor, where, refuse)
    assert report(folder, monkeypatch, "--jobs", "2") == alone


def test_small_runs_stay_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "judge_in_processes", None)
    report(folder, monkeypatch)


def test_a_bad_configuration_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    config = folder / "gamma/burnlint.toml"
    config.write_text("select = 1\n")
    try:
        assert cli.run(["check", ".", "--jobs", "2"]) == 2
    finally:
        config.unlink()
