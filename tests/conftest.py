"""What holds for all tests: no test reads or writes the user's cache."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BURNLINT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
