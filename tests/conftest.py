"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Return the folder of small cases computed by others, which lies beside a checkout, or skip."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip("the folder of shared cases is not beside this checkout")
    return folder
