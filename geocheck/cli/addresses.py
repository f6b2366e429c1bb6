"""`--address`: where a skip is planned, by the street and number of a bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from geocheck.errors import InputError

if TYPE_CHECKING:
    from geocheck.cli.ground import Ground

OPTION: Final = "--address"
_INSTEAD: Final = {"lon": "--lon", "lat": "--lat"}


def placed(given: dict[str, Any], ground: Ground) -> dict[str, Any]:
    """Return what is asked with the place of its address, if it has one: planned at the kerb before it.

    Raises:
        InputError: there is no bundle to look it up in, the place is given twice, the skip already stands, or
            the address does not say one certain place; then those that it may mean are listed.
    """
    if "address" not in given:
        return given
    if ground.bundle is None:
        raise InputError(OPTION, "só se procura num pacote; dê a pasta feita por geocheck build")
    twice = [option for field, option in _INSTEAD.items() if field in given]
    if twice:
        raise InputError(OPTION, f"já diz o lugar; tire {' e '.join(twice)}")
    if given.get("mode") == "observed":
        raise InputError(OPTION, "não diz onde na rua a caçamba já está; dê --lon e --lat, ou --planned")
    from geocheck.city.find.index import find_index  # noqa: PLC0415 (only needed here)
    from geocheck.city.find.places import one_place  # noqa: PLC0415 (same)

    try:
        place = one_place(find_index(ground.bundle), given["address"])
    except InputError as error:
        raise InputError(OPTION, error.message) from None
    lon, lat = place.front or (place.lon, place.lat)
    return {**given, "lon": lon, "lat": lat, "snap": True}
