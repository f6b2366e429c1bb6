"""What an engineer found wins over what was derived, is signed, and is never passed over in silence."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import geopandas as gpd
import numpy as np
import pytest
import shapely

from geocheck.city.bundle.bundle import load_bundle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.city.bundle.bundle import Bundle

ORIGIN = np.array([686_000.0, 8_155_000.0])
OSM_M = 0.011
"""OSM keeps seven decimals of a degree."""


def corners(bundle: Bundle) -> list[tuple[float, float]]:
    found = bundle.layer("corner").geometry.translate(*-ORIGIN)
    return sorted((point.x, point.y) for point in found)


def kerb_at(bundle: Bundle, x: float, y: float) -> Any:  # noqa: ANN401 (a row)
    """Return the face nearest to a place around the origin, moved there."""
    kerbs = bundle.layer("kerb")
    kerbs = kerbs.set_geometry(kerbs.geometry.translate(*-ORIGIN))
    return kerbs.loc[kerbs.geometry.distance(shapely.Point(x, y)).idxmin()]


def said(bundle: Bundle, layer: str) -> list[tuple[str, str]]:
    entry = bundle.entry(layer)
    assert entry is not None
    return [(change.action, change.reason) for change in entry.changes if "correção" in change.reason]


# ---------------------------------------------------------------- widths


def test_a_taped_width(corrected: Callable[..., Any]) -> None:
    """Rua Estreita is 9.20 m wide, not 8: its kerbs lie at x = ±4.60, Rua Larga's stay at y = ±5."""
    bundle = corrected({"what": "width", "at": (0.3, 40), "value_m": "9,20"})
    assert np.allclose(corners(bundle), [(-4.6, -5), (-4.6, 5), (4.6, -5), (4.6, 5)], atol=OSM_M)
    narrow, wide = kerb_at(bundle, 4.6, 40), kerb_at(bundle, 40, 5)
    assert (narrow["width_source"], wide["width_source"]) == ("correction", "width")
    # A tape tells no place on the map: the line's 3 m stay in the kerb's.
    assert narrow["accuracy_m"] == pytest.approx(np.hypot(0.1, 3))
    assert said(bundle, "kerb") == [
        ("repaired", "correção: largura de 9,20 m na way/11 (registro 1, Ana Souza, 01/03/2026)")
    ]


@pytest.mark.parametrize(
    ("row", "west", "east"),
    [
        ({"side": "here", "at": (2, 40)}, -4, 4.9),
        ({"side": "aqui", "at": (-2, -40)}, -4.9, 4),
        ({"side": "left", "at": (0, 40)}, -4.9, 4),
        ({"side": "direita", "at": (0, 40)}, -4, 4.9),
        ({"side": "right", "at": (30, 30), "way": "way/11"}, -4, 4.9),
    ],
)
def test_one_side_of_a_street(
    corrected: Callable[..., Any], row: dict[str, Any], west: float, east: float
) -> None:
    bundle = corrected({"what": "largura", "value_m": 4.9, **row})
    assert np.allclose(corners(bundle), [(west, -5), (west, 5), (east, -5), (east, 5)], atol=OSM_M)


def test_the_newer_of_two_widths_wins(corrected: Callable[..., Any]) -> None:
    rows = [
        {"what": "width", "at": (0, 40), "value_m": 9, "date": "2026-03-02", "author": "Rui"},
        {"what": "width", "at": (0, -40), "value_m": 7, "date": "01/03/2026"},
    ]
    for order in itertools.permutations(rows):
        bundle = corrected(*order)
        assert np.allclose(corners(bundle), [(-4.5, -5), (-4.5, 5), (4.5, -5), (4.5, 5)], atol=OSM_M)
        status = bundle.layer("correction").set_index("author")["status"]
        assert status.to_dict() == {"Rui": "applied", "Ana Souza": "superseded"}
        told = dict(said(bundle, "kerb"))
        assert "Ana Souza" in told["dropped"]
        assert "Rui" in told["repaired"]


def test_a_total_width_beside_a_surveyed_kerb(corrected: Callable[..., Any], tmp_path: Path) -> None:
    """The north kerb of Rua Larga was surveyed at y = 5.6; of 11 m the south has 5.4, as sure as both."""
    survey = tmp_path / "guias.gpkg"
    gpd.GeoDataFrame(geometry=[line((-80, 5.6), (80, 5.6))], crs="EPSG:31982").to_file(survey)
    bundle = corrected({"what": "width", "at": (40, 0), "value_m": 11}, more=("--layer", f"kerb={survey}"))
    north, south = kerb_at(bundle, 40, 5.6), kerb_at(bundle, 40, -5.4)
    assert north.geometry.distance(shapely.Point(40, 5.6)) < 1e-3
    assert south.geometry.distance(shapely.Point(40, -5.4)) < OSM_M
    assert (north["width_source"], south["width_source"]) == ("surveyed", "correction")
    assert north["accuracy_m"] == pytest.approx(0.1, abs=0.01)
    assert south["accuracy_m"] == pytest.approx(np.hypot(0.1, 0.1), abs=0.02)
    entry = bundle.entry("kerb")
    assert entry is not None
    assert [source.file for source in entry.sources] == ["cruzamento.osm", "guias.gpkg"]


# ---------------------------------------------------------------- kerbs and corners


def test_a_kerb_drawn_on_site(corrected: Callable[..., Any]) -> None:
    """The north kerb of Rua Larga lies at y = 6 from x = 10 to 70; no line of any street has a part in it."""
    bundle = corrected({"what": "kerb", "line": [(10, 6), (70, 6)], "accuracy_m": 0.05})
    kerb = kerb_at(bundle, 40, 6)
    assert kerb.geometry.distance(shapely.Point(40, 6)) < 1e-3
    assert kerb.geometry.distance(shapely.Point(12, 6)) < 1e-3
    assert kerb["width_source"] == "correction"
    assert kerb["accuracy_m"] == pytest.approx(0.05)
    # Prolonged to the corner: where it meets Rua Estreita's kerb at x = 4.
    assert min(np.hypot(x - 4, y - 6) for x, y in corners(bundle)) < OSM_M
    assert said(bundle, "kerb")[0][1].startswith("correção: guia desenhada, 60,00 m (registro 1")


def test_a_corner_moved_on_site(corrected: Callable[..., Any]) -> None:
    """To (4.8, 5.4): along Rua Larga's kerb it lies at x = 4.8, along Rua Estreita's at y = 5.4."""
    bundle = corrected({"what": "corner", "at": (4.8, 5.4), "accuracy_m": 0.05})
    frame = bundle.layer("corner")
    row = frame[frame["corrected"]].iloc[0]
    assert frame["corrected"].sum() == 1
    assert (row.geometry.x - ORIGIN[0], row.geometry.y - ORIGIN[1]) == pytest.approx((4.8, 5.4), abs=1e-6)
    assert (row["accuracy_m"], row["kind"]) == (0.05, "corner")
    lengths = {}
    for face in (row["kerb_before"], row["kerb_after"]):
        kerb = bundle.layer("kerb").loc[face]
        lengths[kerb["street"]] = kerb.geometry.length
    assert lengths == pytest.approx({"Rua Larga": 80 - 4.8, "Rua Estreita": 80 - 5.4}, abs=2 * OSM_M)
    assert "esquina" in said(bundle, "corner")[0][1]
    # The crossing area goes as far as the corner does: 10 x 8 m, and a corner 0.8 and 0.4 m farther out.
    area = bundle.layer("crossing_area").geometry.translate(*-ORIGIN).iloc[0]
    assert area.boundary.distance(shapely.Point(4.8, 5.4)) < 1e-6
    assert area.area == pytest.approx(80 + (0.8 * 10 + 0.4 * 8) / 2, abs=0.2)


# ---------------------------------------------------------------- features


def test_features_added_and_removed(corrected: Callable[..., Any]) -> None:
    """The hydrant is not there; a stop of two plates is, and a gate of 3 m."""
    bundle = corrected(
        {"what": "remove", "layer": "hydrant", "at": (30.5, 4.3)},
        {"what": "add", "layer": "bus_stop", "at": (-30, 5.5), "attributes": "plates=2;name=Parada nova"},
        {"what": "incluir", "layer": "sign", "at": (-20, 5.5), "attributes": "code=R-6a"},
    )
    assert len(bundle.layer("hydrant")) == 0
    stops = bundle.layer("bus_stop")
    assert stops["name"].tolist() == ["Parada", "Parada nova"]
    fresh = stops.iloc[1]
    assert (fresh["plates"], fresh["source"], fresh["author"]) == (2, "correction/2", "Ana Souza")
    assert stops["accuracy_m"].tolist() == [3, 0.1]
    assert (fresh.geometry.x, fresh.geometry.y) == pytest.approx(tuple(ORIGIN + np.array([-30, 5.5])))
    sign = bundle.entry("sign")
    assert sign is not None
    assert (sign.completeness, sign.accuracy_m, sign.date) == ("partial", 0.1, "2026-03-01")
    assert said(bundle, "hydrant")[0][1].startswith("correção: removida de hydrant: node/7 (registro 1")
    layer = bundle.layer("correction")
    assert layer["status"].tolist() == ["applied"] * 3
    assert layer["author"].tolist() == ["Ana Souza"] * 3


def test_of_two_features_at_one_place_the_newer_stands(corrected: Callable[..., Any]) -> None:
    bundle = corrected(
        {"what": "add", "layer": "hydrant", "at": (-30, 5.5), "attributes": "name=velho"},
        {"what": "add", "layer": "hydrant", "at": (-30, 5), "attributes": "name=novo", "date": "2026-04-01"},
    )
    assert bundle.layer("hydrant")["name"].fillna("").tolist() == ["", "novo"]
    assert bundle.layer("correction")["status"].tolist() == ["superseded", "applied"]


# ---------------------------------------------------------------- what is refused


def test_of_two_kerbs_the_newer_stands_where_they_overlap(corrected: Callable[..., Any]) -> None:
    """The north kerb of Rua Larga, redrawn 1 m farther out for more than half of its length."""
    bundle = corrected(
        {"what": "kerb", "line": [(20, 6), (70, 6)], "date": "2026-01-01"},
        {"what": "kerb", "line": [(20, 7), (52, 7)]},
    )
    kerb = kerb_at(bundle, 40, 7)
    assert kerb.geometry.distance(shapely.Point(35, 7)) < 1e-3
    assert kerb.geometry.distance(shapely.Point(65, 6)) < 1e-3
    assert bundle.layer("correction")["status"].tolist() == ["applied", "applied"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"author": ""}, ("author", "autor e data")),
        ({"date": ""}, ("date", "autor e data")),
        ({"date": "ontem"}, ("date", "2026-03-01")),
        ({"date": "2999-01-01"}, ("date", "futuro")),
        ({"what": "largra"}, ("what", "quis dizer “largura”")),
        ({"what": ""}, ("what", "não existe")),
        ({"value_m": "larga"}, ("value_m", "número de metros")),
        ({"value_m": "1,5"}, ("value_m", "de 2 a 60")),
        ({"value_m": ""}, ("value_m", "width quer a medida")),
        ({"accuracy_m": "-1"}, ("accuracy_m", "de 0 a 100")),
        ({"side": "norte"}, ("side", "norte")),
        ({"side": "here"}, ("width", "sobre o eixo")),
        ({"at": (30, 40)}, ("width", "30,00 m")),
        ({"at": (0, 0)}, ("width", "mais de uma via")),
        ({"way": "way/99"}, ("width", "way/99")),
        ({"line": [(0, 40), (0, 50)]}, ("geometry", "um ponto")),
        ({"what": "corner", "at": (30, 30)}, ("corner", "nenhuma esquina")),
        ({"what": "corner", "at": (0, 0)}, ("corner", "duas esquinas")),
        ({"what": "kerb", "line": [(10, 40), (60, 40)]}, ("kerb", "não se aplica a nada")),
        ({"what": "kerb"}, ("geometry", "a linha da guia")),
        ({"what": "add", "layer": "hidrante"}, ("layer", "hidrante")),
        ({"what": "add", "layer": "corner"}, ("layer", "width, corner ou kerb")),
        ({"what": "add", "layer": "sign", "attributes": "R-6a"}, ("attributes", "chave=valor")),
        (
            {"what": "add", "layer": "bus_stop", "attributes": "plate=2"},
            ("attributes", "quis dizer “plates”"),
        ),
        (
            {"what": "add", "layer": "bus_stop", "attributes": "plates=3"},
            ("attributes", "“3” não é um valor"),
        ),
        ({"what": "add", "layer": "building"}, ("geometry", "building")),
        ({"what": "remove", "layer": "hydrant", "at": (36, 4.3)}, ("remove", "hydrant")),
        ({"what": "remove", "layer": "sign", "at": (30, 4.3)}, ("remove", "sign")),
    ],
)
def test_a_row_that_fits_nowhere_stops_the_build(
    corrected: Callable[..., Any], row: dict[str, Any], words: tuple[str, ...]
) -> None:
    good = {"what": "width", "at": (-40, 0), "value_m": 11}
    err = corrected(good, {"what": "width", "at": (0, 40), "value_m": 9, **row})
    assert isinstance(err, str)
    for word in ("correcoes.csv", "registro 2", *words):
        assert word in err
    assert "registro 1" not in err


def test_of_two_features_at_just_one_place_neither_is_removed(
    corrected: Callable[..., Any], tmp_path: Path
) -> None:
    """The point lies on both, so that their order in the file would choose."""
    table = tmp_path / "hidrantes.csv"
    table.write_text("x;y;name\n686030;8155004.3;um\n686030;8155004.3;dois\n")
    more = ("--layer", f"hydrant={table},crs=EPSG:31982")
    err = corrected({"what": "remove", "layer": "hydrant", "at": (30, 4.3)}, more=more)
    assert "registro 1: remove: há duas feições" in str(err)


def test_where_no_car_drives_no_width_is_corrected(
    corrected: Callable[..., Any], geocheck: Callable[..., Any], tmp_path: Path
) -> None:
    corrected({"what": "width", "at": (0, 40), "value_m": 9})
    osm, table = tmp_path / "cruzamento.osm", tmp_path / "correcoes.csv"
    osm.write_text(osm.read_text(encoding="utf-8").replace("residential", "footway"), encoding="utf-8")
    layer = f"correction={table},crs=EPSG:31982,geometry=wkt"
    ran = geocheck("build", "goiania", "--osm", str(osm), "--layer", layer, "-o", str(tmp_path / "outro"))
    assert ran.code == 1
    assert "registro 1: width: a rede não tem nenhuma via de carros" in ran.err


def test_two_words_of_one_day_cannot_both_stand(corrected: Callable[..., Any]) -> None:
    err = corrected(
        {"what": "width", "at": (0, 40), "value_m": 9}, {"what": "width", "at": (0, -40), "value_m": 8.5}
    )
    assert "registro 2" in err
    assert "registro 1" in err
    assert "mesma data" in err


def test_all_problems_are_listed_at_once(corrected: Callable[..., Any]) -> None:
    err = corrected({"what": "x", "author": ""}, {"what": "width", "date": ""})
    assert [err.count(f"registro {row}") for row in (1, 2)] == [2, 2]


# ---------------------------------------------------------------- kerbs alone


def line(*points: tuple[float, float]) -> shapely.LineString:
    return shapely.LineString(np.array(points) + ORIGIN)


def test_a_correction_of_kerbs_alone(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    """A kerb of 50 m is redrawn 1 m to the north from x = 20 on; what it replaces goes."""
    survey, fixes = tmp_path / "guias.gpkg", tmp_path / "correcoes.gpkg"
    gpd.GeoDataFrame(geometry=[line((0, 0), (50, 0))], crs="EPSG:31982").to_file(survey)
    signed = {"what": ["kerb"], "author": ["Ana"], "date": ["2026-03-01"]}
    gpd.GeoDataFrame(signed, geometry=[line((20, 1), (50, 1))], crs="EPSG:31982").to_file(fixes)
    layers = ("--layer", f"kerb={survey}", "--layer", f"correction={fixes}")
    ran = geocheck("build", "goiania", *layers, "-o", str(tmp_path / "pacote"))
    assert (ran.code, ran.err) == (0, "")
    kerbs = load_bundle(tmp_path / "pacote").layer("kerb").set_index("width_source")
    assert kerbs.geometry.length.to_dict() == pytest.approx({"surveyed": 20, "correction": 30})


def test_without_streets_no_width_is_corrected(geocheck: Callable[..., Any], tmp_path: Path) -> None:
    survey, fixes = tmp_path / "guias.gpkg", tmp_path / "correcoes.gpkg"
    gpd.GeoDataFrame(geometry=[line((0, 0), (50, 0))], crs="EPSG:31982").to_file(survey)
    signed = {"what": ["width"], "author": ["Ana"], "date": ["2026-03-01"], "value_m": [8.0]}
    gpd.GeoDataFrame(signed, geometry=[shapely.Point(ORIGIN)], crs="EPSG:31982").to_file(fixes)
    layers = ("--layer", f"kerb={survey}", "--layer", f"correction={fixes}")
    ran = geocheck("build", "goiania", *layers, "-o", str(tmp_path / "pacote"))
    assert ran.code == 1
    assert "registro 1: width: sem rede de ruas" in ran.err
