"""What the routes of one app share: settings, bundles, the pool for long work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from fastapi import Depends, Request

from geocheck.errors import UnknownNameError
from geocheck.service.heavy import Heavy
from geocheck.service.problems import ServiceError
from geocheck.service.store import Store

if TYPE_CHECKING:
    from geocheck.law.versions import CityLaw
    from geocheck.service.store import Loaded
    from geocheck.settings import ServiceSettings


class Shared(NamedTuple):
    """What the routes share."""

    settings: ServiceSettings
    store: Store
    heavy: Heavy


def shared_of(settings: ServiceSettings) -> Shared:
    """Return what the routes of an app with these settings share; no bundle is loaded yet."""
    heavy = Heavy(settings.heavy_threads, settings.heavy_waiting)
    return Shared(settings, Store(settings.bundles, settings.sheets), heavy)


def _of_app(request: Request) -> Shared:
    found: Shared = request.app.state.shared
    return found


Sharing = Annotated[Shared, Depends(_of_app)]
"""Parameter of a route that uses what all share."""


def law_named(shared: Shared, name: str) -> CityLaw:
    """Return the law of a city that an address names.

    Raises:
        ServiceError: there is none of the name (404).
    """
    try:
        return shared.store.law(name)
    except UnknownNameError as error:
        raise ServiceError(404, str(error)) from None


def map_named(shared: Shared, name: str) -> Loaded:
    """Return the bundle of a city that an address names.

    Raises:
        ServiceError: there is no such city, or no bundle of it is loaded (404).
    """
    city = law_named(shared, name).city
    found = shared.store.of(city.id)
    if found is None:
        raise ServiceError(404, f"não há pacote (mapa) de {city.name} neste serviço")
    return found
