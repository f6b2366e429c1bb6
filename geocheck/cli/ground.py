"""On what a check is made: a bundle's map and its city, or a city alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from geocheck.cities import city_names, load_city
from geocheck.errors import InputError

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle


class Ground(NamedTuple):
    """A city by name or sheet, and its map, None where only the user's word counts."""

    city: str
    bundle: Bundle | None


def ground_of(place: str, sheet: str | None) -> Ground:
    """Return what a command line names.

    Args:
        place: folder of a bundle, name of a city, or path of a sheet.
        sheet: path of the sheet of a bundle's city, where geocheck does not bring it.

    Raises:
        InputError: the bundle's city is not known, or the sheet is of another.
        DataFileError: the folder is no bundle.
    """
    folder = Path(place)
    if not folder.is_dir():
        if sheet is not None:
            raise InputError("--city", "só se dá com um pacote; dê a ficha no lugar da cidade")
        return Ground(place, None)
    from geocheck.city.bundle.bundle import load_bundle  # noqa: PLC0415 (only needed with a map)

    bundle = load_bundle(folder)
    own = bundle.manifest.city
    if sheet is None:
        if own not in city_names():
            message = f"a cidade do pacote, “{own}”, não vem com o geocheck; dê a ficha .toml dela"
            raise InputError("--city", message)
        return Ground(own, bundle)
    if load_city(sheet).id != own:
        raise InputError("--city", f"a ficha é de “{load_city(sheet).id}”, o pacote, de “{own}”")
    return Ground(sheet, bundle)
