"""The results that the outputs are tried on, as fixtures."""

from __future__ import annotations

import pytest
import results

from burnlint.lint.result import Result


@pytest.fixture
def build() -> results.Build:
    return results.Build()


@pytest.fixture
def sample() -> Result:
    return results.sample()


@pytest.fixture
def hostile() -> Result:
    return results.hostile()


@pytest.fixture
def clean() -> Result:
    return results.clean()
