"""Maps that several tests of the check share, each built once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.check.oracle.scenes import build_scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.check.oracle.compare import Scene


@pytest.fixture(scope="session")
def scene_of(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Scene]:
    """Return a function that builds a map of `scenes` by its name, once a session."""
    built: dict[str, Scene] = {}

    def data() -> Path:
        folder: Path = request.getfixturevalue("shared_data")
        return folder

    def scene(name: str) -> Scene:
        if name not in built:
            built[name] = build_scene(name, data, tmp_path_factory.mktemp(name))
        return built[name]

    return scene
