"""Real municipal files in the words of a layer, and laid over OSM."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import osmium
import pytest
import shapely

from geocheck.cities import City, load_city
from geocheck.city.layers.municipal import municipal_layer
from geocheck.city.network.network import Network, osm_network
from geocheck.city.outside_layers import outside_layers
from geocheck.cli.layers import layer_file

if TYPE_CHECKING:
    from geopandas import GeoDataFrame


SHEETS = Path(__file__).parent / "sheets"
PAID_PARKING = """
crs = "EPSG:31983"
on_axis = true

[columns]
feature = "ID_ESTACIONAMENTO"
name = "LOGRADOURO"
bays = "NUMERO_VAGAS_FISICAS"
hours = ["DIA_REGRA_OPERACAO", "PERIODO_VALIDO_REGRA_OPERACAO"]

[values.hours]
"SEGUNDA A SEXTA 08:00 ÀS 18:00" = "Mo-Fr 08:00-18:00"
"SÁBADO 08:00 ÀS 13:00" = "Sa 08:00-13:00"
"""


def city(name: str) -> City:
    return load_city(str(SHEETS / f"{name}.toml"))


def test_belo_horizontes_paid_parking_lies_on_the_axis(shared_data: Path, tmp_path: Path) -> None:
    """27,549 bays; the side of the street is not in the file, and must come out as unknown."""
    toml = tmp_path / "rotativo.toml"
    toml.write_text(PAID_PARKING, encoding="utf-8")
    path = shared_data / "belohorizonte" / "bhtrans_estacionamento_rotativo.json"
    layer = municipal_layer(layer_file(f"paid_parking={path},map={toml}"), city("belo-horizonte"))
    frame = layer.frame
    assert len(frame) == 1_099
    assert int(frame["bays"].sum()) == 27_549
    assert frame["side"].isna().all()
    assert frame["on_axis"].all()
    raw = json.loads(path.read_text(encoding="utf-8"))
    names = [each["id"] for each in raw["fields"]]
    day, hour = names.index("DIA_REGRA_OPERACAO"), names.index("PERIODO_VALIDO_REGRA_OPERACAO")
    weekdays = sum((row[day], row[hour]) == ("SEGUNDA A SEXTA", "08:00 ÀS 18:00") for row in raw["records"])
    assert int((frame["hours"] == "Mo-Fr 08:00-18:00").sum()) == weekdays
    odd = next(each for each in layer.changes if each["reason"].startswith("hours"))
    assert odd["count"] == int(frame["hours"].isna().sum()) == 3
    assert any("TERÇA A DOMINGO" in example for example in odd["examples"])


@pytest.fixture(scope="module")
def porto_alegre(shared_data: Path) -> Network:
    """Return what OSM holds of Porto Alegre."""
    return osm_network(shared_data / "osm" / "porto-alegre.osm.pbf", city("porto-alegre"))


def bus_stops(network: Network, *options: str) -> tuple[dict[str, object], GeoDataFrame]:
    files = [layer_file(f"bus_stop={option}") for option in options]
    layers = outside_layers(network, files, city("porto-alegre"))
    return next((fields, frame) for fields, frame in layers if fields["name"] == "bus_stop")


def test_porto_alegres_stops_of_gtfs_and_osm(shared_data: Path, porto_alegre: Network) -> None:
    """The stops of GTFS lie 17.8 m (median) from OSM's 1,054: most are too far to be taken for the same."""
    gtfs = shared_data / "portoalegre" / "portoalegre_eptc_gtfs.zip"
    fields, mine = bus_stops(porto_alegre)
    assert fields["completeness"] == "partial"
    named = mine[mine["tags"].str.contains("highway=bus_stop")]
    assert len(named) == 1_054
    theirs = municipal_layer(layer_file(f"bus_stop={gtfs}"), city("porto-alegre")).frame
    assert len(theirs) == 3_986
    _, distance = shapely.STRtree(theirs.geometry.to_numpy()).query_nearest(
        named.geometry.to_numpy(), return_distance=True, all_matches=False
    )
    assert np.median(distance) == pytest.approx(17.8, abs=0.05)
    fields, merged = bus_stops(porto_alegre, f"{gtfs},policy=merge")
    both = merged["source"].str.contains(";").to_numpy(bool)
    assert len(merged) == len(theirs) + len(mine) - both.sum()
    assert fields["accuracy_m"] == 10.0
    pairs = merged[both]
    places = dict(zip(mine["source"], mine.geometry, strict=True))
    apart = [
        shape.distance(places[source.split(";")[1]])
        for shape, source in zip(pairs.geometry, pairs["source"], strict=True)
    ]
    assert max(apart) <= np.hypot(10, 3)
    assert len({source.split(";")[1] for source in pairs["source"]}) == len(pairs)
    # Farther than the default reach the side of the street is a coin toss: no more are joined.
    assert 0.2 < both.sum() / len(mine) < 0.35


def test_goianias_stops_are_poles_and_platforms(shared_data: Path) -> None:
    """Eight poles, and fourteen platforms where buses stop: most of them are drawn as areas only."""
    path = shared_data / "osm" / "goiania-campus.osm.pbf"
    poles = platforms = 0
    for thing in osmium.FileProcessor(path):
        tags = dict(thing.tags)
        poles += tags.get("highway") == "bus_stop"
        platforms += (
            tags.get("highway") != "bus_stop"
            and tags.get("public_transport") == "platform"
            and tags.get("bus") == "yes"
        )
    goiania = load_city("goiania")
    found = outside_layers(osm_network(path, goiania), (), goiania)
    layers = {str(fields["name"]): frame for fields, frame in found}
    assert (poles, platforms) == (8, 14)
    assert layers["bus_stop"].geom_type.value_counts().to_dict() == {"Point": poles, "Polygon": platforms}
    # Three streams run in culverts: no tunnel for vehicles, and no water at the surface.
    assert len(layers["tunnel"]) == 0
    assert len(layers["driveway"]) == 54


def test_a_station_in_the_median_is_a_bus_stop(shared_cases: Path) -> None:
    """Case 26: the platform is an area between two carriageways."""
    goiania = load_city("goiania")
    network = osm_network(shared_cases / "26-station-in-the-median" / "street.osm", goiania)
    stops = next(
        frame for fields, frame in outside_layers(network, (), goiania) if fields["name"] == "bus_stop"
    )
    assert stops["name"].tolist() == ["Estação Central"]
    assert stops.geom_type.tolist() == ["Polygon"]
