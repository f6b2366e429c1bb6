"""`geocheck check --card`: a PNG beside the answer, whole or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]


def test_a_card_without_a_map(geocheck: Run, tmp_path: Path) -> None:
    file = tmp_path / "cartao.png"
    ran = geocheck(
        "check", "goiania", "--start", "2026-08-07T10:00", "--measured", "gap_m=0.60", "--card", file
    )
    assert (ran.code, ran.err) == (0, "")
    assert "PROIBIDO" in ran.out
    with Image.open(file) as picture:
        assert (picture.format, picture.width) == ("PNG", 1080)
    assert [each.name for each in tmp_path.iterdir()] == ["cartao.png"]


def test_a_card_is_of_one_skip(geocheck: Run, tmp_path: Path) -> None:
    asked = tmp_path / "pedidos.ndjson"
    one = json.dumps({"city": "goiania", "start": "2026-08-07T10:00"})
    asked.write_text(f"{one}\n{one}\n", encoding="utf-8")
    ran = geocheck("check", "goiania", "--request", asked, "--card", tmp_path / "cartao.png")
    assert ran.code != 0
    assert "--card" in ran.err
    assert "vieram 2 pedidos" in ran.err
    assert not (tmp_path / "cartao.png").exists()


def test_a_folder_that_is_not_there_is_named(geocheck: Run, tmp_path: Path) -> None:
    file = tmp_path / "nada" / "cartao.png"
    ran = geocheck("check", "goiania", "--start", "2026-08-07T10:00", "--card", file)
    assert ran.code != 0
    assert "nada" in ran.err
    assert "Traceback" not in ran.err
