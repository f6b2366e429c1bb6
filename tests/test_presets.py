"""Usual skips: the sheet that is brought, one of one's own with mistakes, and what they are used for."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from geocheck.api import check
from geocheck.errors import DataFileError
from geocheck.model.request import parse_request
from geocheck.presets import presets, read_presets

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

NOW = dt.datetime(2026, 8, 7, 13, tzinfo=dt.UTC)
GOOD = """
source = "teste"

[[skip]]
volume_m3 = 5.0
length_m = 2.65
width_m = 1.70
length_accuracy_m = 0.40
width_accuracy_m = 0.20
"""


def test_the_usual_capacities_are_there_and_grow_with_their_size() -> None:
    sheet = presets()
    assert [each.volume_m3 for each in sheet.skip] == [3.0, 4.0, 5.0, 7.0]
    areas = [each.length_m * each.width_m for each in sheet.skip]
    assert areas == sorted(areas)
    assert "hipótese" in sheet.source
    assert sheet.of(6.0) is None
    assert sheet.of(None) is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (GOOD.replace("2.65", "-1.0"), "skip 1"),
        (GOOD.replace("width_m = 1.70", ""), "width_m"),
        (GOOD.replace("width_m", "widht_m"), "quis dizer"),
        (GOOD + GOOD.split('"teste"')[1], "duas caçambas com a mesma volume_m3"),
        (GOOD.replace("1.70", "nan"), "finito"),
        ('source = "x"\nskip = []\n', "skip"),
    ],
)
def test_a_sheet_with_mistakes_is_refused(tmp_path: Path, wrong: str, said: str) -> None:
    path = tmp_path / "skips.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(DataFileError) as caught:
        read_presets(path)
    assert said in str(caught.value)


def _report(campus: Bundle, **sizes: object) -> Report:
    raw: dict[str, Any] = {"city": "goiania", "lon": -49.2596668, "lat": -16.6004184, "mode": "planned"}
    return check(parse_request({**raw, "start": "2026-08-07T10:00", **sizes}), bundle=campus, now=NOW)


def _corner(report: Report) -> tuple[float, float]:
    finding = next(each for each in report.findings if each.rule == "GYN-11")
    assert finding.measured_m is not None
    assert finding.uncertainty_m is not None
    return finding.measured_m, finding.uncertainty_m


def test_a_supposed_length_is_as_long_and_less_sure(campus: Bundle) -> None:
    supposed, given = _report(campus, volume_m3=5), _report(campus, volume_m3=5, length_m=2.65, width_m=1.7)
    assert supposed.footprint == given.footprint
    assert _corner(supposed)[0] == pytest.approx(_corner(given)[0], abs=1e-6)
    # Half of 0.40 m more or less at either end, beside all that was not sure before.
    assert _corner(supposed)[1] ** 2 == pytest.approx(_corner(given)[1] ** 2 + 0.20**2, rel=1e-6)


def test_only_what_is_missing_is_supposed(campus: Bundle) -> None:
    report = _report(campus, volume_m3=5, length_m=3.4)
    (notice,) = (each for each in report.notices if each.code == "size_supposed")
    assert "largura 1,70 m" in notice.text
    assert "comprimento" not in notice.text
    assert {entry.key for entry in report.pending} & {"length_m", "width_m"} == {"width_m"}


@pytest.mark.parametrize("volume", [None, 6.0, 30.0])
def test_another_capacity_supposes_nothing(campus: Bundle, volume: float | None) -> None:
    report = _report(campus, **({} if volume is None else {"volume_m3": volume}))
    assert report.footprint is None
    assert "size_missing" in {each.code for each in report.notices}
