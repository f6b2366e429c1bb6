"""Builds a city's bundle: streets to kerbs and corners, what OSM holds, and municipal layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from geocheck.city.bundle.bundle import write_bundle
from geocheck.city.bundle.frames import axis_frame, corner_frame, kerb_frame, mouth_frame
from geocheck.city.bundle.junction_frames import crossing_area_frame, median_frame, median_table
from geocheck.city.corrections.features import with_features
from geocheck.city.corrections.kerbs import kerbs_alone
from geocheck.city.corrections.ledger import Ledger
from geocheck.city.corrections.rows import What, read_corrections
from geocheck.city.layers.extents import lonlat
from geocheck.city.laying import Told, laid_out
from geocheck.city.outside_layers import check_policies, outside_layers
from geocheck.city.ruler.ruler import lay_out
from geocheck.city.ruler.stations import REFERENCES
from geocheck.city.ruler.strips import strips_of
from geocheck.city.ruler.tables import Kerbside, ruler_tables, station_changes, station_table, stations_of
from geocheck.city.sources import SourceOptions
from geocheck.city.street_account import axis_changes, crossing_changes, street_summary
from geocheck.city.streets.building_line import building_lines_m
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.alone import surveyed_alone
from geocheck.city.surveyed.beside import survey_lines
from geocheck.city.surveyed.pool import pooled
from geocheck.city.surveyed.survey import read_survey
from geocheck.errors import DataFileError, InputError, Problem, UnknownNameError
from geocheck.model.words import LAYERS
from geocheck.version import __version__

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from geopandas import GeoDataFrame

    from geocheck.cities import City
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.laying import LaidOut
    from geocheck.city.network.network import Network
    from geocheck.city.surveyed.survey import Survey

DERIVED: Final = ("axis", "kerb", "corner", "mouth", "crossing_area")
"""Layers that are derived from streets and that no file may give; `median` is too, where none gives it."""

_READ_APART: Final = ("kerb", "correction")
"""Layers that are no features of their own."""

_Layer = tuple["dict[str, Any]", "GeoDataFrame"]
"""The fields of a layer's manifest entry, and its frame in the city's metres."""


def build_city(
    city: City, network: Network | None, files: Sequence[LayerFile], folder: Path, now: dt.datetime
) -> Bundle:
    """Build a bundle from streets and what OSM holds, municipal files in its place or laid over it.

    Args:
        city: whose.
        network: its streets; None where there is a layer of surveyed kerbs to stand on its own.
        files: municipal files; of several for one layer the later is laid over the earlier.
        folder: of the bundle; an older bundle there is replaced.
        now: aware instant.

    Raises:
        DataFileError: a file cannot be read or lies outside the city.
        InputError: a layer cannot be given, or the folder holds something else.
    """
    given = [file.layer for file in files]
    _check_given(given)
    _check_columns(files)
    check_policies(files)
    survey = next((read_survey(file, city) for file in files if file.layer == "kerb"), None)
    corrections = next((file for file in files if file.layer == "correction"), None)
    ledger = Ledger(read_corrections(corrections, city, now.date())) if corrections else None
    others = [file for file in files if file.layer not in _READ_APART]
    outside = list(outside_layers(network, others, city))
    summary = None
    if network is not None:
        official = [layer for layer in outside if layer[0]["name"] in given]
        told = Told(official, [survey_lines(survey)] if survey else [], ledger)
        laid = laid_out(network, told, city)
        _check_used(survey, laid)
        taken = {fields["name"] for fields, _ in outside}
        derived = [each for each in _derived(laid, survey, ledger, city) if each[0]["name"] not in taken]
        layers = [*derived, *outside]
        layers = with_features(layers, ledger, city.crs) if ledger else layers
        layers, tables = _with_stations(layers, laid, city)
        summary = street_summary(laid.streets, laid.followed.worst_source())
    elif survey is not None:
        lines = [survey_lines(survey), *([kerbs_alone(ledger)] if ledger else [])]
        alone = surveyed_alone(pooled(lines), survey.fields, city)
        ruler = lay_out(alone)
        tables = {
            **ruler_tables(ruler, alone.accuracy_m),
            "station.median": median_table(alone.beside, ruler),
        }
        layers = [*alone.layers, *outside]
        layers = with_features(layers, ledger, city.crs) if ledger else layers
    else:
        message = "faltam as ruas: dê um arquivo do OSM, ou as guias com --layer kerb=ARQUIVO"
        raise InputError("--osm", message)
    if ledger:
        layers.append(ledger.layer())
    head = {
        "engine": f"geocheck {__version__}",
        "city": city.id,
        "crs": city.crs,
        "driving_side": city.driving_side,
        "built_at": now,
        "extent": lonlat(network.ways.extent if network else None, city.crs),
        "streets": summary,
    }
    return write_bundle(folder, head, layers, tables)


def _derived(laid: LaidOut, survey: Survey | None, ledger: Ledger | None, city: City) -> Iterator[_Layer]:
    network, ways, crs = laid.network, laid.network.ways, city.crs
    fields = {
        "sources": network.sources,
        "date": network.date,
        "completeness": network.completeness,
        "accuracy_m": network.accuracy_m,
    }
    changes = (*network.changes, *axis_changes(laid.streets.counts))
    yield {**fields, "name": "axis", "changes": changes}, axis_frame(ways, laid.places, crs)
    fields["sources"] = (*network.sources, *(survey.fields["sources"] if survey else ()))
    kerbs = kerb_frame(laid.followed, ways, crs)
    yield {**fields, "name": "kerb", "changes": laid.kerb_changes}, kerbs
    told = ledger.changes(ledger.file.of(What.CORNER)) if ledger else ()
    line_m = building_lines_m(laid.streets.kerbs, laid.streets.corners, laid.areas)
    yield {**fields, "name": "corner", "changes": told}, corner_frame(laid.followed, ways, line_m, crs)
    yield {**fields, "name": "mouth"}, mouth_frame(laid.streets, crs)
    changes = tuple(crossing_changes(laid.streets))
    yield {**fields, "name": "crossing_area", "changes": changes}, crossing_area_frame(laid.streets, crs)
    # Of a median that the kerbs' accuracy leaves in doubt there is no area: see the table `station.median`.
    medians = median_frame(laid.streets, kerbs["accuracy_m"].to_numpy(), crs)
    yield {**fields, "name": "median", "completeness": "partial"}, medians


def _with_stations(
    layers: Sequence[_Layer], laid: LaidOut, city: City
) -> tuple[list[_Layer], dict[str, pa.Table]]:
    """Lay the ruler and refer the layers to it."""
    streets = laid.streets
    ruler = lay_out(streets)
    tables = ruler_tables(ruler, laid.followed.along.accuracy_m)
    tables["station.median"] = median_table(streets.beside, ruler)
    kerbside = Kerbside(strips_of(streets.kerbs, streets.graph), ruler, laid.network, city.max_footway_m)
    told = []
    for fields, frame in layers:
        told.append((fields, frame))
        if fields["name"] in REFERENCES:
            stations = stations_of(kerbside, fields["name"], frame)
            tables[f"station.{fields['name']}"] = station_table(stations, ruler)
            changes = (*fields.get("changes", ()), *station_changes(stations, len(frame)))
            told[-1] = ({**fields, "changes": changes}, frame)
    return told, tables


def _check_given(layers: Sequence[str]) -> None:
    for layer in layers:
        if layer not in LAYERS:
            raise UnknownNameError("--layer", layer, LAYERS)
        if layer in DERIVED and layer != "kerb":
            raise InputError("--layer", f"a camada “{layer}” ainda só se deriva das ruas do OSM")


def _check_used(survey: Survey | None, laid: LaidOut) -> None:
    if survey is not None and not np.any(laid.followed.along.source == WidthSource.SURVEYED):
        message = "nenhuma linha da camada kerb corre ao longo de uma rua; confira o sistema de coordenadas"
        raise DataFileError([Problem(survey.fields["sources"][0]["file"], "", "", message)])


def _check_columns(files: Sequence[LayerFile]) -> None:
    """Refuse what nobody would read."""
    for file in files:
        for key in ("street", "carriageway"):
            if file.layer != "kerb" and getattr(file.options, key) is not None:
                raise InputError("--layer", f"{file.layer}: a chave {key} só serve à camada kerb")
        idle = sorted(file.options.model_fields_set - set(SourceOptions.model_fields))
        if idle and file.layer in _READ_APART:
            message = f"{file.layer}: {', '.join(idle)} não se usa; só as chaves do arquivo"
            raise InputError("--layer", message)
