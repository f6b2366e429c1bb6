"""Drawn kerbs beside the streets of a network: they place its sides, and its faces follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.table import IMAGERY_ACCURACY_M
from geocheck.city.streets.widths import WidthSource
from geocheck.city.surveyed.pool import KerbLines
from geocheck.city.ways import MISSING_NODE

if TYPE_CHECKING:
    from geocheck.city.changes import Change
    from geocheck.city.surveyed.follow import Followed
    from geocheck.city.surveyed.placing import SideCounts
    from geocheck.city.surveyed.pool import Pool
    from geocheck.city.surveyed.survey import Survey
    from geocheck.city.ways import Ways


def kerb_ways(ways: Ways) -> KerbLines:
    """Return the kerbs that the network itself draws (`barrier=kerb`), as far as it holds them."""
    found = []
    for way, tags in enumerate(ways.tags):
        if tags.get("barrier") == "kerb":
            ref = ways.ref[ways.start[way] : ways.start[way + 1]]
            held = ref[ref != MISSING_NODE]
            if len(held) > 1:
                found.append(shapely.LineString(ways.xy[held]))
    count = len(found)
    return KerbLines(
        geometry=np.array([None, *found], object)[1:],
        street=np.full(count, "", object),
        carriageway=np.zeros(count, np.int64),
        accuracy_m=np.full(count, IMAGERY_ACCURACY_M),
        source=np.full(count, WidthSource.KERB_WAY, np.int8),
    )


def survey_lines(survey: Survey) -> KerbLines:
    """Return the lines of a survey."""
    count = len(survey.geometry)
    return KerbLines(
        geometry=survey.geometry,
        street=np.array([None, *survey.street], object)[1:],
        carriageway=survey.carriageway,
        accuracy_m=survey.accuracy_m,
        source=np.full(count, WidthSource.SURVEYED, np.int8),
    )


def drawn_changes(pool: Pool, counts: SideCounts, followed: Followed) -> list[Change]:
    """Say what drawn kerbs did, as lines of the manifest."""
    by_whom = "levantamento, correção ou barrier=kerb"
    return changes(
        [
            ("kept", f"lado de via posto pela guia desenhada ({by_whom})", counts.placed),
            ("kept", "metro de face posto sobre a guia desenhada", round(followed.length_m)),
            ("kept", "esquina posta onde as guias desenhadas, prolongadas, se encontram", followed.moved),
            ("kept", "lado de via com guia desenhada a distância desigual do eixo", counts.uneven),
            ("kept", "lado de via com guia desenhada só em parte", counts.partly),
            ("dropped", "metro de guia desenhada onde há outra de fonte melhor", round(pool.replaced_m)),
        ]
    )
