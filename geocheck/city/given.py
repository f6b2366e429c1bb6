"""What may be handed to a build together: layers that can be given, keys that somebody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.city.outside_layers import check_policies
from geocheck.city.sources import SourceOptions
from geocheck.errors import InputError, UnknownNameError
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence

    from geocheck.city.layers.municipal import LayerFile

DERIVED: Final = ("axis", "corner", "mouth", "crossing_area")
"""Layers that only streets give; `kerb` and `median` are derived too, where no file gives them."""

READ_APART: Final = ("kerb", "correction")
"""Layers that are no features of their own."""


def check_given(files: Sequence[LayerFile], today: dt.date) -> None:
    """Refuse files that cannot be used together, or of which something would be ignored.

    Raises:
        UnknownNameError: there is no such layer.
        InputError: a layer cannot be given, is given twice, is of the future, or has a key that nobody
            would read.
    """
    for file in files:
        if file.layer not in LAYERS:
            raise UnknownNameError("--layer", file.layer, LAYERS)
        if file.layer in DERIVED:
            raise InputError("--layer", f"a camada “{file.layer}” só se deriva das ruas")
        _check_keys(file)
    check_dates(files, today)
    for layer in READ_APART:
        if sum(file.layer == layer for file in files) > 1:
            raise InputError("--layer", f"a camada “{layer}” veio duas vezes; junte os arquivos num só")
    check_policies(files)


def check_dates(files: Iterable[LayerFile], today: dt.date) -> None:
    """Refuse files of the future.

    Raises:
        InputError: naming the layer and the date.
    """
    for file in files:
        date = file.options.date
        if date is not None and date > today:
            message = f"{file.layer}: date: {date:%d/%m/%Y} está no futuro; dê a data do levantamento"
            raise InputError("--layer", message)


def _check_keys(file: LayerFile) -> None:
    for key in ("street", "carriageway"):
        if file.layer != "kerb" and getattr(file.options, key) is not None:
            raise InputError("--layer", f"{file.layer}: a chave {key} só serve à camada kerb")
    if file.options.merge_m is not None and file.options.policy != "merge":
        raise InputError("--layer", f"{file.layer}: merge só vale com policy=merge")
    idle = sorted(file.options.model_fields_set - set(SourceOptions.model_fields))
    if idle and file.layer in READ_APART:
        message = f"{file.layer}: {', '.join(idle)} não se usa; só as chaves do arquivo"
        raise InputError("--layer", message)
