"""What may be handed to a build together: layers that can be given, keys that somebody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.city.outside_layers import check_policies
from geocheck.city.sources import SourceOptions
from geocheck.errors import InputError, UnknownNameError
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from geocheck.city.layers.municipal import LayerFile

DERIVED: Final = ("axis", "corner", "mouth", "crossing_area")
"""Layers that only streets give; `kerb` and `median` are derived too, where no file gives them."""

READ_APART: Final = ("kerb", "correction")
"""Layers that are no features of their own."""


def check_given(files: Sequence[LayerFile]) -> None:
    """Refuse files that cannot be used together, or of which something would be ignored.

    Raises:
        UnknownNameError: there is no such layer.
        InputError: a layer cannot be given, is given twice, or has a key that nobody would read.
    """
    for file in files:
        if file.layer not in LAYERS:
            raise UnknownNameError("--layer", file.layer, LAYERS)
        if file.layer in DERIVED:
            raise InputError("--layer", f"a camada “{file.layer}” só se deriva das ruas")
        _check_keys(file)
    check_policies(files)


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
