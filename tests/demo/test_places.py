"""Where the named skips and the vectors stand: the gap and the angle to their kerb, without any law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pytest

from geocheck.check.footprint import footprints
from geocheck.check.locate import lines_of, locate
from geocheck.cities import load_city
from geocheck.city.ruler.cells import cells_of
from geocheck.city.ruler.grid import KERB_REACH_M
from geocheck.demo.cases import read_cases
from geocheck.demo.grid import grid_of
from geocheck.demo.kept import city_path, demo_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from geocheck.check.locate import Located
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.demo.cases import Case, Cases

GAP_RULES: Final = ("GYN-10", "CTB-02", "JDF-15", "VMD-01")
"""Rules of which the expected figure is the gap to the kerb."""

NAMED: Final = read_cases(demo_folder() / "casos.toml")
VECTORS: Final = read_cases(demo_folder() / "vetores.toml")
MILLIMETRES: Final = 0.002

ON_KERB: Final = {
    # case: street and side of the drawn way of the kerb beside it, angle to it
    "livre": ("Rua das Acácias", "right", 0.0),
    "guia-nao-levantada": ("Rua dos Buritis", "left", 0.0),
    "ponto-sem-pintura": ("Avenida dos Ipês", "right", 0.0),
    "junto-do-canteiro": ("Avenida dos Ipês", "left", 0.0),
    "placa-no-horario": ("Rua das Acácias", "left", 0.0),
    "sobre-a-ponte": ("Rua do Córrego", "right", 0.0),
    "tudo-errado": ("Rua das Acácias", "right", 10.0),
    "no-ponto-de-taxi": ("Avenida dos Ipês", "right", 0.0),
}


def _stand(cases: Cases, case: Case, bundle: Bundle) -> Located:
    city = load_city(city_path(case.city))
    request = cases.request(case, grid_of(city), city.id)
    where = np.array([[request["lon"], request["lat"]]])
    bearing, length, width = (np.array([request[key]]) for key in ("bearing_deg", "length_m", "width_m"))
    segment = bundle.table("segment")
    edges = np.column_stack([segment[name] for name in ("x0", "y0", "x1", "y1")])
    cells = cells_of(edges, np.full(len(edges), KERB_REACH_M))
    return locate(footprints(where, bearing, length, width, city.crs), lines_of(segment), cells)


def _with_gap(cases: Cases) -> list[object]:
    return [
        pytest.param(case, each.measured_m, id=case.name)
        for case in cases.case
        for rule, each in case.findings.items()
        if rule in GAP_RULES and each.measured_m is not None
    ]


@pytest.mark.parametrize(("case", "gap_m"), _with_gap(NAMED))
def test_the_gap_of_a_named_skip(bundle_of: Callable[..., Bundle], case: Case, gap_m: float) -> None:
    found = _stand(NAMED, case, bundle_of(case.city))
    # The Buritis have the axis of OSM, which keeps 7 mm.
    assert found.high_gap_m == pytest.approx(
        gap_m, abs=0.011 if "nao-levantada" in case.name else MILLIMETRES
    )


@pytest.mark.parametrize(("case", "gap_m"), _with_gap(VECTORS))
def test_the_gap_of_a_vector(bundle_of: Callable[..., Bundle], case: Case, gap_m: float) -> None:
    found = _stand(VECTORS, case, bundle_of(case.city, exact=True))
    assert min(abs(found.low_gap_m[0] - gap_m), abs(found.high_gap_m[0] - gap_m)) < MILLIMETRES


@pytest.mark.parametrize(
    "case", [case for case in NAMED.case if case.name in ON_KERB], ids=lambda case: case.name
)
def test_a_named_skip_stands_at_the_kerb_that_was_meant(bundle_of: Callable[..., Bundle], case: Case) -> None:
    bundle = bundle_of(case.city)
    found = _stand(NAMED, case, bundle)
    kerb = bundle.layer("kerb").iloc[bundle.table("segment")["kerb"][found.segment[0]]]
    assert (kerb["street"], kerb["side"], round(float(found.angle_deg[0]), 2)) == ON_KERB[case.name]
