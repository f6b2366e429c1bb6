"""Cleaning of geometries: what is repaired, dropped and kept, and that every record is accounted for."""

from __future__ import annotations

import json
import struct
import tempfile
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geocheck.cities import City, load_city
from geocheck.city.sources import Action, Layer, SourceOptions, read_layer
from geocheck.city.sources.cleaning import Notebook
from geocheck.city.sources.curves import TOLERANCE_M, geometries, stroke
from geocheck.errors import DataFileError

E, N = 686_000.0, 8_156_000.0


def feature(geometry: dict[str, Any] | None, **properties: object) -> dict[str, Any]:
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def at(*points: tuple[float, float]) -> list[list[float]]:
    return [[E + x, N + y] for x, y in points]


def polygon(*points: tuple[float, float], **properties: object) -> dict[str, Any]:
    return feature({"type": "Polygon", "coordinates": [at(*points, points[0])]}, **properties)


def point(x: float, y: float, **properties: object) -> dict[str, Any]:
    return feature({"type": "Point", "coordinates": at((x, y))[0]}, **properties)


def read(folder: Path, city: City, *features: dict[str, Any]) -> Layer:
    crs = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{city.crs[5:]}"}}
    content = {"type": "FeatureCollection", "crs": crs, "features": list(features)}
    path = folder / "camada.geojson"
    path.write_text(json.dumps(content), encoding="utf-8")
    return read_layer(path, city, SourceOptions())


@pytest.mark.parametrize("mirror", [1, -1])
@pytest.mark.parametrize("turn", range(4))
def test_bow_ties_keep_their_area_however_they_lie(
    tmp_path: Path, goiania: City, mirror: int, turn: int
) -> None:
    points = [(0.0, 0.0), (40.0, 30.0), (40.0, 0.0), (0.0, 30.0)]
    turned = [(complex(mirror * x, y) * 1j**turn) for x, y in points]
    layer = read(tmp_path, goiania, polygon(*[(each.real, each.imag) for each in turned]))
    assert layer.frame.area[0] == pytest.approx(600, abs=1e-6)


def test_unequal_lobes_are_both_kept(tmp_path: Path, goiania: City) -> None:
    # The edges cross at (10, 10): triangles of base 10 and 40, heights 10 and 40... by similarity 1 : 4.
    layer = read(tmp_path, goiania, polygon((0, 5), (50, 30), (50, -10), (0, 15)))
    assert layer.frame.geometry[0].geom_type == "MultiPolygon"
    assert layer.frame.area[0] == pytest.approx(10 * 10 / 2 + 40 * 40 / 2, abs=1e-6)


def test_overlapping_parts_are_no_hole(tmp_path: Path, goiania: City) -> None:
    squares = [
        [at((0, 0), (10, 0), (10, 10), (0, 10), (0, 0))],
        [at((5, 5), (15, 5), (15, 15), (5, 15), (5, 5))],
    ]
    layer = read(tmp_path, goiania, feature({"type": "MultiPolygon", "coordinates": squares}))
    assert layer.frame.area[0] == pytest.approx(175)
    assert layer.frame.geometry[0].contains(shapely.Point(E + 7, N + 7))
    assert layer.report.rows("covered_twice") == (1,)


def test_each_oddity_is_named(tmp_path: Path, goiania: City) -> None:
    layer = read(
        tmp_path,
        goiania,
        point(0, 0, cod="bom"),
        feature(None, cod="nulo"),
        feature({"type": "Point", "coordinates": []}, cod="vazio"),
        feature({"type": "Point", "coordinates": [float("nan"), N]}, cod="nan"),
        feature({"type": "LineString", "coordinates": [[E, N], [E, float("inf")]]}, cod="inf"),
        feature({"type": "Point", "coordinates": [E + 5, N, 712.5]}, cod="alto"),
        feature({"type": "LineString", "coordinates": at((0, 0), (0, 0))}, cod="parada"),
        polygon((0, 0), (5, 5), (10, 10), cod="achatado"),
        feature({"type": "Point", "coordinates": [E + 2e6, N]}, cod="longe"),
        point(0, 0, cod="bom"),
    )
    rows = layer.report.rows
    # A NaN may already be no geometry to GDAL; it is named in either case.
    nowhere = rows("geometry_null") + rows("geometry_empty") + rows("coordinate_not_finite")
    assert sorted(nowhere) == [2, 3, 4, 5]
    assert 5 in rows("coordinate_not_finite")
    assert rows("flattened") == (6,)
    assert rows("collapsed") == (7, 8)
    assert rows("far_from_city") == (9,)
    assert rows("duplicate") == (10,)
    assert layer.frame["source_row"].tolist() == [1, 6]
    assert not layer.frame.has_z.any()
    assert layer.report.dropped == (2, 3, 4, 5, 7, 8, 9, 10)
    assert "4 “nan”" in "\n".join(layer.report.lines())


def test_same_place_with_other_attributes_is_kept(tmp_path: Path, goiania: City) -> None:
    layer = read(tmp_path, goiania, point(0, 0, tipo="a"), point(0, 0, tipo="b"), point(0, 0, tipo=None))
    assert len(layer.frame) == 3


def test_same_shape_drawn_from_another_corner_is_a_repetition(tmp_path: Path, goiania: City) -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    layer = read(
        tmp_path, goiania, polygon(*square), polygon(*square[2:], *square[:2]), polygon(*square[::-1])
    )
    assert layer.report.rows("duplicate") == (2, 3)


def test_collections_become_one_feature_a_kind(tmp_path: Path, goiania: City) -> None:
    parts: list[dict[str, Any]] = [
        {"type": "Point", "coordinates": at((0, 0))[0]},
        {"type": "LineString", "coordinates": at((0, 0), (3, 4))},
        {
            "type": "GeometryCollection",
            "geometries": [
                {"type": "Polygon", "coordinates": [at((0, 0), (9, 0), (9, 9), (0, 0))]},
                {"type": "MultiPoint", "coordinates": at((1, 1), (2, 2))},
            ],
        },
    ]
    layer = read(
        tmp_path,
        goiania,
        point(50, 50, nome="antes"),
        feature({"type": "GeometryCollection", "geometries": parts}, nome="mista"),
        point(60, 60, nome="depois"),
    )
    assert layer.frame["source_row"].tolist() == [1, 2, 2, 2, 3]
    assert layer.frame["nome"].tolist() == ["antes", "mista", "mista", "mista", "depois"]
    kinds = layer.frame.geom_type.tolist()
    assert kinds == ["Point", "MultiPoint", "LineString", "Polygon", "Point"]
    assert (layer.report.read, layer.report.kept, layer.report.features) == (3, 3, 5)


def test_a_file_of_nothing_usable_is_refused(tmp_path: Path, goiania: City) -> None:
    with pytest.raises(DataFileError, match="nenhuma feição"):
        read(tmp_path, goiania, feature(None), feature(None))


_KINDS = ["good", "null", "nan", "bow", "flat", "far", "twice", "mixed"]


def _made(kind: str, index: int) -> dict[str, Any]:
    x = index * 100.0
    return {
        "good": point(x, 0, n=index),
        "null": feature(None, n=index),
        "nan": feature({"type": "Point", "coordinates": [float("nan"), N]}, n=index),
        "bow": polygon((x, 0), (x + 40, 30), (x + 40, 0), (x, 30), n=index),
        "flat": polygon((x, 0), (x + 5, 5), (x + 10, 10), n=index),
        "far": point(3e6, 0, n=index),
        "twice": point(7, 7, n=-1),
        "mixed": feature(
            {
                "type": "GeometryCollection",
                "geometries": [point(x, 9)["geometry"], polygon((x, 0), (x + 9, 0), (x + 9, 9))["geometry"]],
            },
            n=index,
        ),
    }[kind]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(_KINDS), min_size=1, max_size=12))
def test_nothing_vanishes_silently(kinds: list[str]) -> None:
    city = load_city("goiania")
    seen_twice = [index for index, kind in enumerate(kinds, 1) if kind == "twice"][1:]
    bad = {index for index, kind in enumerate(kinds, 1) if kind in ("null", "nan", "flat", "far")}
    with tempfile.TemporaryDirectory() as folder:
        made = [_made(kind, index) for index, kind in enumerate(kinds)]
        usual = {"good", "bow", "twice", "mixed"}
        if not usual & set(kinds) or (
            kinds.count("far") * 2 > sum(kind not in ("null", "nan") for kind in kinds)
        ):
            return  # refused as a whole, which other tests look at
        layer = read(Path(folder), city, *made)
    kept = set(layer.frame["source_row"])
    assert kept | set(layer.report.dropped) == set(range(1, len(kinds) + 1))
    assert not kept & set(layer.report.dropped)
    assert set(layer.report.dropped) == bad | set(seen_twice)
    assert layer.report.read == len(kinds)
    assert layer.frame.is_valid.all()
    assert np.isfinite(layer.frame.total_bounds).all()
    named = [row for note in layer.report.notes if note.action is Action.DROPPED for row in note.rows]
    assert len(named) == len(set(named))
    for index, kind in enumerate(kinds, 1):
        if kind == "bow":
            area = layer.frame.area[layer.frame["source_row"] == index].sum()
            assert area == pytest.approx(600, abs=1e-6)


@settings(max_examples=150, deadline=None)
@given(
    st.floats(0.05, 20_000),
    st.floats(0, 360),
    st.floats(0.01, 359.9),
    st.floats(0.05, 0.95),
    st.sampled_from([1, -1]),
)
def test_strokes_keep_to_their_arc(
    radius: float, start: float, sweep: float, middle: float, way: int
) -> None:
    def on(angle: float) -> list[float]:
        return [E + radius * np.cos(np.radians(angle)), N + radius * np.sin(np.radians(angle))]

    points = np.array([on(start), on(start + way * sweep * middle), on(start + way * sweep)])
    bulge = radius * (1 - np.cos(np.radians(sweep / 2)))
    if bulge < 0.1:
        return  # flatter than the file's own digits can tell
    line = stroke(points, TOLERANCE_M)
    middles = (line[1:] + line[:-1]) / 2
    off = np.abs(np.hypot(*(middles - [E, N]).T) - radius)
    slack = 1e-4 * max(1.0, radius / 1000)
    assert off.max() <= TOLERANCE_M + slack
    length = np.hypot(*np.diff(line, axis=0).T).sum()
    assert length == pytest.approx(radius * np.radians(sweep), rel=1e-3 + TOLERANCE_M / radius)
    assert line[0].tolist() == points[0].tolist()
    assert line[-1].tolist() == points[2].tolist()


def _wkb(code: int, *parts: bytes) -> bytes:
    return struct.pack("<BI", 1, code) + b"".join(parts)


def _arc(code: int, *points: tuple[float, ...]) -> bytes:
    return _wkb(
        code, struct.pack("<I", len(points)), *[struct.pack(f"<{len(each)}d", *each) for each in points]
    )


def _read(wkb: bytes) -> tuple[Any, Notebook]:
    notebook = Notebook()
    column = np.empty(1, dtype=object)
    column[0] = wkb
    return geometries(column, np.array([7]), notebook)[0], notebook


def test_curved_kinds() -> None:
    half = _arc(8, (-10, 0), (0, 10), (10, 0))
    base = _arc(2, (10, 0), (-10, 0))
    compound = _wkb(9, struct.pack("<I", 2), half, base)
    half_disc = _wkb(10, struct.pack("<I", 1), compound)
    surface, notebook = _read(_wkb(12, struct.pack("<I", 2), half_disc, _wkb(3, struct.pack("<I", 0))))
    assert surface.area == pytest.approx(np.pi * 50, rel=1e-4)
    assert notebook.notes[0].code == "curves_linearised"
    assert notebook.notes[0].rows == (7,)
    whole, _ = _read(_wkb(10, struct.pack("<I", 1), _arc(8, (-10, 0), (10, 0), (-10, 0))))
    assert whole.area == pytest.approx(np.pi * 100, rel=1e-4)
    lifted, _ = _read(_arc(1008, (-10, 0, 5), (0, 10, 5), (10, 0, 5)))
    assert lifted.length == pytest.approx(np.pi * 10, rel=1e-4)
    flat, _ = _read(_wkb(11, struct.pack("<I", 1), _arc(8, (0, 0), (1, 0), (2, 0))))
    assert flat.length == 2
    tin = _wkb(
        16, struct.pack("<I", 1), _wkb(17, struct.pack("<I", 1), _arc(2, (0, 0), (4, 0), (0, 4), (0, 0))[5:])
    )
    assert _read(tin)[0].area == 8


@pytest.mark.parametrize(
    "wkb",
    [
        _wkb(8, struct.pack("<I", 0xFFFFFFFF)),
        _arc(8, (0, 0), (1, 1)),
        _wkb(10, struct.pack("<I", 3)),
        _arc(8, (0, 0), (float("nan"), 1), (2, 0)),
        _wkb(12, struct.pack("<I", 1)) * 100,
        _wkb(7, struct.pack("<I", 2), b"\x01"),
        b"\x01",
    ],
)
def test_broken_curves_are_named(wkb: bytes) -> None:
    found, notebook = _read(wkb)
    assert found is None
    assert [note.rows for note in notebook.notes if note.code == "geometry_unreadable"] == [(7,)]


def test_a_frame_keeps_names_that_are_reserved(tmp_path: Path, goiania: City) -> None:
    frame = gpd.GeoDataFrame(
        {"source_row": ["x"], "Nome Comprido": [1]}, geometry=[shapely.Point(E, N)], crs=goiania.crs
    )
    frame.to_file(tmp_path / "a.gpkg")
    layer = read_layer(tmp_path / "a.gpkg", goiania, SourceOptions())
    assert list(layer.frame.columns) == ["source_row_2", "Nome Comprido", "source_row", "geometry"]
    assert layer.report.notes[0].code == "columns_renamed"
