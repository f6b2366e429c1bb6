"""Builds a city's bundle: streets to kerbs and corners, what OSM holds, and municipal layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.city.bundle.bundle import write_bundle
from geocheck.city.bundle.derived import derived_layers
from geocheck.city.bundle.folder import check_folder
from geocheck.city.bundle.junction_frames import median_table
from geocheck.city.corrections.features import with_features
from geocheck.city.corrections.kerbs import kerbs_alone
from geocheck.city.corrections.ledger import Ledger
from geocheck.city.corrections.rows import read_corrections
from geocheck.city.given import READ_APART, check_given
from geocheck.city.layers.extents import as_geojson
from geocheck.city.laying import Told, laid_out
from geocheck.city.metric import check_metric
from geocheck.city.outside_layers import outside_layers
from geocheck.city.ruler.grid import grid_tables
from geocheck.city.ruler.opposite import opposite_table
from geocheck.city.ruler.references import REFERENCES
from geocheck.city.ruler.ruler import lay_out
from geocheck.city.ruler.strips import inward_of
from geocheck.city.ruler.tables import (
    WayOf,
    inward_alone,
    kerbside_alone,
    kerbside_of,
    mouth_changes,
    ruler_tables,
    station_changes,
    station_table,
    stations_of,
)
from geocheck.city.street_account import street_summary
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.alone import surveyed_alone
from geocheck.city.surveyed.beside import survey_lines
from geocheck.city.surveyed.pool import pooled
from geocheck.city.surveyed.survey import read_survey
from geocheck.errors import DataFileError, InputError, Problem
from geocheck.version import __version__

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import pyarrow as pa

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.bundle.derived import Layer
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.laying import LaidOut
    from geocheck.city.network.network import Network
    from geocheck.city.ruler.tables import Kerbside
    from geocheck.city.surveyed.survey import Survey

STEPS: Final = ("camadas", "guias e esquinas", "posições ao longo das guias", "gravação")
"""What a build tells, in this order, when it begins with each."""


def _nobody(_: str) -> None:
    """Tell nobody."""


def build_city(
    city: City,
    network: Network | None,
    files: Sequence[LayerFile],
    folder: Path,
    now: dt.datetime,
    tell: Callable[[str], None] = _nobody,
) -> Bundle:
    """Build a bundle from streets and what OSM holds, municipal files in its place or laid over it.

    Args:
        city: whose.
        network: its streets; None where there is a layer of surveyed kerbs to stand on its own.
        files: municipal files; of several for one layer the later is laid over the earlier.
        folder: of the bundle; an older bundle there is replaced.
        now: aware instant.
        tell: is called with each of `STEPS` when it begins.

    Raises:
        DataFileError: a file cannot be read or lies outside the city.
        InputError: a layer cannot be given (see `check_given`), or the folder holds something else.
    """
    check_metric(city)
    check_given(files, now.date())
    check_folder(folder)
    tell(STEPS[0])
    read = _read(city, network, files, now)
    tell(STEPS[1])
    if network is not None:
        built = _on_network(network, read, city, tell)
    elif read.survey is not None:
        built = _alone(read.survey, read, city, tell)
    else:
        message = "faltam as ruas: dê um arquivo do OSM, ou as guias com --layer kerb=ARQUIVO"
        raise InputError("--osm", message)
    tell(STEPS[3])
    head = {
        "engine": f"geocheck {__version__}",
        "city": city.id,
        "crs": city.crs,
        "driving_side": city.driving_side,
        "built_at": now,
        "extent": as_geojson(network.ways.extent if network else None, city.crs),
        "streets": built.summary,
    }
    corrections = [read.ledger.layer()] if read.ledger else []
    return write_bundle(folder, head, [*built.layers, *corrections], built.tables)


class _Read(NamedTuple):
    """What the files hold: surveyed kerbs, corrections, all other layers, and which of these were given."""

    survey: Survey | None
    ledger: Ledger | None
    outside: list[Layer]
    given: frozenset[str]


class _Built(NamedTuple):
    """What goes into the bundle."""

    layers: list[Layer]
    tables: dict[str, pa.Table]
    summary: dict[str, Any] | None


def _read(city: City, network: Network | None, files: Sequence[LayerFile], now: dt.datetime) -> _Read:
    survey = next((read_survey(file, city) for file in files if file.layer == "kerb"), None)
    corrections = next((file for file in files if file.layer == "correction"), None)
    ledger = Ledger(read_corrections(corrections, city, now.date())) if corrections else None
    others = [file for file in files if file.layer not in READ_APART]
    outside = list(outside_layers(network, others, city))
    return _Read(survey, ledger, outside, frozenset(file.layer for file in files))


def _on_network(network: Network, read: _Read, city: City, tell: Callable[[str], None]) -> _Built:
    official = [layer for layer in read.outside if layer[0]["name"] in read.given]
    told = Told(official, [survey_lines(read.survey)] if read.survey else [], read.ledger)
    laid = laid_out(network, told, city)
    if not len(laid.streets.kerbs):
        message = "nenhuma via de veículos com comprimento: não há guia a derivar; confira o recorte"
        raise DataFileError([Problem(network.sources[0]["file"], "", "", message)])
    _check_used(read.survey, laid)
    taken = {fields["name"] for fields, _ in read.outside}
    derived = derived_layers(laid, read.survey, read.ledger, city.crs)
    layers = [*(each for each in derived if each[0]["name"] not in taken), *read.outside]
    layers = with_features(layers, read.ledger, city.crs) if read.ledger else layers
    tell(STEPS[2])
    streets, ruler = laid.streets, lay_out(laid.streets)
    kerbs, segments = streets.kerbs, streets.graph.segments
    way = WayOf(network.ways.way_id[kerbs.segment_way], segments.layer[kerbs.segment_axis])
    inward = inward_of(kerbs, streets.graph)
    tables = ruler_tables(ruler, laid.followed.along.accuracy_m, inward, way)
    tables |= grid_tables(ruler)
    tables["station.median"] = median_table(streets.beside, streets.kerbs, ruler)
    tables["station.mouth"] = opposite_table(streets.crossing_areas.geometry, streets.kerbs, ruler)
    layers, stations = _referred(layers, kerbside_of(streets, ruler, network, city))
    return _Built(layers, tables | stations, street_summary(streets, laid.followed.worst_source()))


def _alone(survey: Survey, read: _Read, city: City, tell: Callable[[str], None]) -> _Built:
    lines = [survey_lines(survey), *([kerbs_alone(read.ledger)] if read.ledger else [])]
    alone = surveyed_alone(pooled(lines), survey.fields, city)
    tell(STEPS[2])
    ruler = lay_out(alone)
    inward = np.full(len(alone.kerbs.segment_way), inward_alone(city))
    tables = ruler_tables(
        ruler, alone.accuracy_m, inward, WayOf(np.zeros_like(inward), np.zeros_like(inward))
    )
    tables |= grid_tables(ruler)
    tables["station.median"] = median_table(alone.beside, alone.kerbs, ruler)
    layers = [*alone.layers, *read.outside]
    layers = with_features(layers, read.ledger, city.crs) if read.ledger else layers
    kerbside = kerbside_alone(alone.kerbs, ruler, survey.fields["accuracy_m"], alone.sided, city)
    layers, stations = _referred(layers, kerbside)
    return _Built(layers, tables | stations, None)


def _check_used(survey: Survey | None, laid: LaidOut) -> None:
    if survey is not None and not np.any(laid.followed.along.source == WidthSource.SURVEYED):
        message = "nenhuma linha da camada kerb corre ao longo de uma rua; confira o sistema de coordenadas"
        raise DataFileError([Problem(survey.fields["sources"][0]["file"], "", "", message)])


def _referred(layers: Sequence[Layer], kerbside: Kerbside) -> tuple[list[Layer], dict[str, pa.Table]]:
    """Refer layers to kerbs; what lies by none is named in their entries, and the mouths that part kerbs."""
    told, tables = [], {}
    for fields, frame in layers:
        found = mouth_changes(kerbside.ruler) if fields["name"] == "mouth" else []
        if fields["name"] in REFERENCES:
            stations = stations_of(kerbside, fields["name"], frame)
            tables[f"station.{fields['name']}"] = station_table(stations, kerbside.ruler)
            found = station_changes(stations, len(frame))
        told.append(({**fields, "changes": (*fields.get("changes", ()), *found)}, frame))
    return told, tables
