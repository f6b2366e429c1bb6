"""Lays out the streets of a network: widths to kerbs, kerbs that somebody drew in the place of those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.city.blocks import between_blocks
from geocheck.city.corrections.corners import with_corners
from geocheck.city.corrections.kerbs import corrected_kerbs, settle_kerbs
from geocheck.city.corrections.rows import What
from geocheck.city.corrections.widths import with_widths
from geocheck.city.kerb_places import places_of
from geocheck.city.street_account import kerb_changes
from geocheck.city.streets.continuity import connected_streets
from geocheck.city.streets.derive import HalfWidths, derive_streets
from geocheck.city.streets.graph import DERIVED_EDGE_M, GIVEN_EDGE_M
from geocheck.city.streets.median_evidence import evidence_of
from geocheck.city.streets.widths import WidthSource, carriageway_widths
from geocheck.city.surveyed.around import with_surroundings
from geocheck.city.surveyed.beside import drawn_changes, kerb_ways
from geocheck.city.surveyed.follow import follow
from geocheck.city.surveyed.placing import placed_by_kerbs
from geocheck.city.surveyed.pool import pooled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geopandas import GeoDataFrame
    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.corrections.ledger import Ledger
    from geocheck.city.kerb_places import KerbPlaces
    from geocheck.city.network.network import Network
    from geocheck.city.streets.derive import Streets
    from geocheck.city.streets.widths import Widths
    from geocheck.city.surveyed.follow import Followed
    from geocheck.city.surveyed.pool import KerbLines

NARROWEST_M: Final = 0.01
"""Least half-width that the kerb's offset can be drawn with."""


class LaidOut(NamedTuple):
    """The streets of a network.

    Attributes:
        network: that they come from.
        places: of the kerbs beside its ways.
        followed: faces and corners, laid along kerbs that were drawn.
        areas: official blocks, else lots; empty where neither was given, shape (b,).
        kerb_changes: what to say of them, as `manifest.Change` takes it.
    """

    network: Network
    places: KerbPlaces
    followed: Followed
    areas: NDArray[np.object_]
    kerb_changes: tuple[Change, ...]

    @property
    def streets(self) -> Streets:
        """Faces, corners and mouths."""
        return self.followed.streets


class Told(NamedTuple):
    """What is known of streets beside their network, each above the ones before it.

    Attributes:
        official: entries and frames of municipal layers, for the blocks or lots among them.
        surveyed: kerb lines beside those that the network draws itself.
        ledger: of corrections; None for none.
    """

    official: Sequence[tuple[dict[str, Any], GeoDataFrame]]
    surveyed: Sequence[KerbLines]
    ledger: Ledger | None


def laid_out(network: Network, told: Told, city: City) -> LaidOut:
    """Lay out the streets of a network.

    Args:
        network: the streets.
        told: what else is known of them.
        city: whose.

    Raises:
        DataFileError: a correction fits nowhere.
    """
    ways, ledger = network.ways, told.ledger
    widths = carriageway_widths(ways.tags, city, street=connected_streets(ways))
    between = between_blocks(widths, ways, told.official, city)
    drawn = [corrected_kerbs(ledger)] if ledger else []
    pool = pooled([kerb_ways(ways), *told.surveyed, *drawn])
    places, sides = placed_by_kerbs(ways, places_of(between.widths, network.accuracy_m), pool)
    if ledger:
        places = with_widths(ways, places, network.accuracy_m, ledger)
    derived = _derived(network, places, _accuracy_m(places, between.widths), city)
    followed = follow(derived, ways, places, pool)
    changes = (
        *kerb_changes(derived.counts, between.widths),
        *between.changes,
        *drawn_changes(pool, sides, followed),
    )
    if ledger:
        settle_kerbs(followed.streets.kerbs, ledger)
        followed = with_corners(followed, ledger)
        changes += ledger.changes([*ledger.file.of(What.WIDTH), *ledger.file.of(What.KERB)])
    if followed.streets is not derived:
        evidence = evidence_of(ways, _accuracy_m(places, between.widths))
        around = with_surroundings(derived, followed.streets, evidence)
        followed = followed._replace(streets=around)
    return LaidOut(network, places, followed, between.areas, changes)


def _accuracy_m(places: KerbPlaces, widths: Widths) -> NDArray[np.float64]:
    """Return how surely the kerbs of ways lie where they are, seen from their lines, shape (w,)."""
    surveyed = (places.source <= WidthSource.SURVEYED).all(axis=1)
    return np.where(surveyed, places.accuracy_m.max(axis=1), widths.accuracy_m)


def _derived(network: Network, places: KerbPlaces, accuracy_m: NDArray[np.float64], city: City) -> Streets:
    edge_m = DERIVED_EDGE_M if network.extent_derived else GIVEN_EDGE_M
    # A `placement` may put the line on a kerb; the offset needs a side all the same.
    half = np.maximum(places.half_m, NARROWEST_M)
    return derive_streets(network.ways, HalfWidths(half[:, 0], half[:, 1], accuracy_m), city, edge_m)
