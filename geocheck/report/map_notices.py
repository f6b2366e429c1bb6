"""What the reader must know of the map: what of the request it could not answer, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from geocheck.check.outline import supposed
from geocheck.check.sight.stand import told_station
from geocheck.city.ruler.grid import KERB_REACH_M
from geocheck.model.report import Notice
from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from geocheck.check.pipeline import Checked
    from geocheck.check.sight.sight import Sight

_SAME_M: Final = 0.001

_SIZES: Final = {"length_m": "o comprimento", "width_m": "a largura"}


def map_notices(checked: Checked, row: int) -> Iterator[Notice]:
    """Say why the map could not be used for a placement, as far as it could not."""
    sight, request = checked.sight, checked.placements.requests[row]
    if request.lot is not None and (sight is None or sight.layer("lot") is None):
        where = "Sem mapa" if sight is None else "O pacote não tem lotes"
        text = f"{where}: o lote “{request.lot}” não foi usado; diga o que se vê diante dele (observed)."
        yield Notice(code="lot_unused", text=text)
    if sight is None:
        return
    if request.lon is None or request.lat is None:
        text = "Sem coordenadas: o mapa não foi usado; responde o que se mediu, viu e declarou."
        yield Notice(code="no_place", text=text)
        return
    missing = [name for key, name in _SIZES.items() if getattr(request, key) is None]
    outline = sight.at.footprints
    if missing and np.isnan(outline.length_m[row] + outline.width_m[row]):
        text = f"Sem {wording.joined(missing)} da caçamba nada se mediu no mapa: informe e verifique de novo."
        yield Notice(code="size_missing", text=text)
        return
    usual = supposed(request)
    if usual is not None:
        given = [
            f"{name.split()[1]} {wording.metres(getattr(usual, key))}"
            for key, name in _SIZES.items()
            if getattr(request, key) is None
        ]
        text = (
            f"Medidas supostas: {wording.joined(given)}, as usuais de uma caçamba de "
            f"{wording.number(usual.volume_m3, 0)} m³. Só o contorno no mapa as usa; as regras sobre a "
            "caçamba esperam as dela."
        )
        yield Notice(code="size_supposed", text=text)
    if request.kerb is not None and request.kerb.bundle == sight.city_map.bundle.sha256:
        told = told_station(request, sight.city_map)
        if not abs(told - sight.at.located.centre_s[row]) <= _SAME_M:
            text = "A posição na guia (kerb) não é deste ponto: valeram as coordenadas (lon, lat)."
            yield Notice(code="kerb_unused", text=text)
    if np.isnan(sight.at.located.half_m[row]):
        yield _unreached(sight, request.lon, request.lat)


def _unreached(sight: Sight, lon: float, lat: float) -> Notice:
    bundle = sight.city_map.bundle
    entry = bundle.entry("kerb")
    extent = (None if entry is None else entry.extent) or bundle.manifest.extent
    if extent is not None and not shapely.intersects_xy(shapely.geometry.shape(extent), lon, lat):
        text = "O local fica fora do mapa deste pacote: nada se verificou no mapa."
        return Notice(code="off_map", text=text)
    text = (
        f"Não há guia no mapa até {wording.number(KERB_REACH_M, 0)} m do local: nada se verificou no mapa; "
        "confira o ponto."
    )
    return Notice(code="no_kerb", text=text)
