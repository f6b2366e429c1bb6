"""The layers kerb and corner from surveyed lines alone: what they cannot tell is left unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import geopandas as gpd
import numpy as np
import shapely

from geocheck.city.changes import changes
from geocheck.city.streets.corners import CornerKind, Mouths
from geocheck.city.streets.kerbs import LEFT, RIGHT, Kerbs
from geocheck.city.streets.medians import Median
from geocheck.city.streets.noses import common
from geocheck.city.streets.runs import EndKind
from geocheck.city.streets.stretches import Stretches
from geocheck.city.streets.words import CORNER_KINDS, END_KINDS, MEDIANS, WIDTH_SOURCES, words
from geocheck.city.surveyed.faces import surveyed_faces
from geocheck.city.surveyed.lines import JOIN_M
from geocheck.city.surveyed.turns import noise_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.surveyed.faces import SurveyedFaces
    from geocheck.city.surveyed.pool import Pool


class Alone(NamedTuple):
    """Block faces and corners of surveyed kerbs, as layers and for the ruler.

    Attributes:
        layers: entries and frames of kerb and corner.
        kerbs: the faces; what they would have from an axis is -1 or NaN.
        mouths: none: nobody says which faces are of one street.
        beside: stretches beside which there may be a median.
        accuracy_m: of each segment of the faces, shape (g,).
        sided: whether it is known on which side of a face the carriageway lies, shape (f,).
    """

    layers: list[tuple[dict[str, Any], gpd.GeoDataFrame]]
    kerbs: Kerbs
    mouths: Mouths
    beside: Stretches
    accuracy_m: NDArray[np.float64]
    sided: NDArray[np.bool_]


def surveyed_alone(pool: Pool, fields: dict[str, Any], city: City) -> Alone:
    """Make block faces and corners of surveyed kerbs.

    Faces run as traffic on a two-way street does where the side of the block is known or guessed
    (`direction` says which of it), and as they come where it is not.

    Args:
        pool: the lines.
        fields: of the manifest's entries: sources, date, completeness, accuracy, changes.
        city: in whose system, and on which side people drive.
    """
    noise_m = noise_of(pool.accuracy_m)
    faces = surveyed_faces(pool.chains, pool.lines, noise_m)
    # The block is on the right of the lines, so that traffic that keeps right follows them.
    if city.driving_side == "left":
        faces = faces.turned()
    told = (*fields["changes"], *_changes(pool, faces))
    layers = [
        ({**fields, "name": "kerb", "changes": told}, _kerbs(faces, city)),
        ({**fields, "name": "corner", "changes": ()}, _corners(faces, city)),
    ]
    kerbs, beside = _for_ruler(faces, city), _stretches(faces)
    none = np.empty(0, np.int64)
    mouths = Mouths(none, none, none, none, np.empty(0))
    accuracy_m = np.repeat(faces.accuracy_m, np.diff(kerbs.segment_start))
    return Alone(layers, kerbs, mouths, beside, accuracy_m, faces.block_known)


def _for_ruler(faces: SurveyedFaces, city: City) -> Kerbs:
    xy, owner = shapely.get_coordinates(faces.lines, return_index=True)
    count = len(faces.lines)
    start = np.searchsorted(owner, np.arange(count + 1)).astype(np.int64)
    segment_start = start - np.arange(count + 1)
    size = int(segment_start[-1])
    side = RIGHT if city.driving_side == "right" else LEFT
    return Kerbs(
        xy=xy,
        start=start,
        street=faces.street,
        side=np.full(count, side),
        way=np.full(count, -1),
        layer=np.zeros(count, np.int64),
        start_kind=faces.start_kind,
        end_kind=faces.end_kind,
        start_corner=faces.start_corner,
        end_corner=faces.end_corner,
        segment_start=segment_start,
        segment_axis=np.full(size, -1),
        segment_way=np.full(size, -1),
        segment_side=np.full(size, side),
        segment_half_m=np.full(size, np.nan),
        segment_flow=np.ones(size, np.int64),
        segment_inner=np.zeros(size, bool),
        segment_step=np.zeros(size, bool),
    )


def _kerbs(faces: SurveyedFaces, city: City) -> gpd.GeoDataFrame:
    count = len(faces.lines)
    told = np.select(
        [faces.block_known, faces.block_guessed], ["two_way_assumed", "block_guessed"], "unknown"
    )
    columns = {
        "kerb": np.arange(count),
        "street": list(faces.street),
        "way": [""] * count,
        "side": [""] * count,
        "level": np.zeros(count, np.int64),
        "start_kind": words(END_KINDS, faces.start_kind),
        "end_kind": words(END_KINDS, faces.end_kind),
        "start_corner": faces.start_corner,
        "end_corner": faces.end_corner,
        "median": words(MEDIANS, _beside(faces)),
        "width_source": words(WIDTH_SOURCES, faces.source),
        "accuracy_m": faces.accuracy_m,
        "direction": told,
    }
    return gpd.GeoDataFrame(columns, geometry=faces.lines, crs=city.crs)


def _beside(faces: SurveyedFaces) -> NDArray[np.int64]:
    """Return `Median` of each face: without an axis nobody sees which strips are medians."""
    block = (faces.block_known | faces.block_guessed) & ~faces.island
    return np.where(block, Median.NO, Median.UNKNOWN).astype(np.int64)


def _stretches(faces: SurveyedFaces) -> Stretches:
    """Return the faces beside which there may be a median, each whole."""
    kind = _beside(faces)
    rows = np.flatnonzero(kind != Median.NO)
    nothing = np.zeros(len(rows))
    length = shapely.length(faces.lines[rows])
    return Stretches(rows, nothing, length, kind[rows], np.full(len(rows), -1), nothing)


def _corners(faces: SurveyedFaces, city: City) -> gpd.GeoDataFrame:
    sides = (faces.face_before, faces.face_after)
    columns = {
        "corner": np.arange(len(faces.corner_xy)),
        "kind": words(CORNER_KINDS, faces.corner_kind),
        "unknown": faces.corner_kind == CornerKind.UNKNOWN,
        "turn_deg": faces.turn_deg,
        "kerb_before": faces.face_before,
        "kerb_after": faces.face_after,
        "accuracy_m": np.maximum(faces.accuracy_m[faces.face_before], faces.accuracy_m[faces.face_after]),
        "before_building_line_m": np.full(len(faces.corner_xy), np.nan),
        "after_building_line_m": np.full(len(faces.corner_xy), np.nan),
        "junction": np.full(len(faces.corner_xy), -1),
        "at_median": words(MEDIANS, common(*(_beside(faces)[face] for face in sides))),
        "corrected": np.zeros(len(faces.corner_xy), bool),
        "before_curve_m": faces.before_m,
        "after_curve_m": faces.after_m,
    }
    return gpd.GeoDataFrame(columns, geometry=shapely.points(faces.corner_xy), crs=city.crs)


def _changes(pool: Pool, faces: SurveyedFaces) -> list[Change]:
    counts = pool.chains.counts
    join = f"{JOIN_M * 100:.0f} cm"
    cut = int(
        np.count_nonzero(faces.start_kind == EndKind.CUT) + np.count_nonzero(faces.end_kind == EndKind.CUT)
    )
    guessed = int(np.count_nonzero(faces.block_guessed))
    unsided = int(np.count_nonzero(~faces.block_known & ~faces.block_guessed))
    found = changes(
        [
            ("dropped", "feição que não é linha", counts.no_lines),
            ("dropped", "linha repetida sobre outra", counts.repeated),
            ("dropped", f"linha com as duas pontas a menos de {join}", counts.tiny),
            ("repaired", f"ponta levada à ponta vizinha, a menos de {join}", counts.joined_ends),
            ("kept", "encontro de três ou mais linhas: ali não se sabe como a guia segue", counts.crossings),
            ("kept", "ponta solta da guia: o que há adiante, esquina ou não, não se sabe", cut),
            ("kept", "recuo ou avanço da guia (baia, orelha), que não é esquina", faces.jogs),
            ("kept", "volta da guia para fora da quadra, que não é esquina", faces.outer),
            (
                "assumed",
                "linha declarada com a pista dos dois lados: vale o lado da maior parte",
                faces.contradicted,
            ),
            ("assumed", "face com a quadra do lado de dentro das esquinas, não declarado", guessed),
            ("kept", "face sem lado da pista nem sentido do tráfego", unsided),
        ]
    )
    if replaced_m := round(pool.replaced_m):
        reason = "guia onde há uma correção"
        found.append({"action": "dropped", "reason": reason, "count": replaced_m, "unit": "m"})
    return found
