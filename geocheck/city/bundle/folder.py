"""Whether a bundle may be put where a folder, a file or an older bundle is: nothing else is ever deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from geocheck.errors import InputError
from geocheck.files import why
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST: Final = "manifest.json"
_MARK: Final = b'"geocheck/bundle/'
"""What the manifest of every version holds; many programs call a file of theirs `manifest.json`."""

_SHOWN: Final = 5


def check_folder(folder: Path) -> None:
    """Refuse a place that holds anything but an older bundle, whole or harmed.

    Raises:
        InputError: it is a file, a folder of something else, or a bundle beside which other files lie.
    """
    try:
        if not folder.exists():
            return
        held = sorted(folder.iterdir()) if folder.is_dir() else []
        ours = (folder / MANIFEST).is_file() and _MARK in (folder / MANIFEST).read_bytes()
    except OSError as error:
        raise InputError("-o", f"{folder}: {why(error)}") from error
    if not folder.is_dir() or (held and not ours):
        raise InputError("-o", f"{folder} já existe e não é um pacote do geocheck; escolha outra pasta")
    foreign = [each.name for each in held if not _of_a_bundle(each)]
    if foreign:
        more = f" e mais {len(foreign) - _SHOWN}" if len(foreign) > _SHOWN else ""
        message = (
            f"{folder} tem arquivos que não são do pacote e se perderiam "
            f"({', '.join(foreign[:_SHOWN])}{more}); tire-os de lá ou escolha outra pasta"
        )
        raise InputError("-o", message)


def _of_a_bundle(path: Path) -> bool:
    """Whether a bundle may have written that: by its name."""
    layer = path.suffix == ".parquet" and path.stem in LAYERS
    return not path.is_dir() and (path.name == MANIFEST or layer or path.suffix == ".arrow")
