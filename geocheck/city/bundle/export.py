"""Kerbs, corners, mouths, crossing areas and medians of a bundle as one file that a GIS opens."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from geocheck.errors import DataFileError, InputError, Problem
from geocheck.files import why

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle

EXPORTED: Final = ("kerb", "corner", "mouth", "crossing_area", "median")


def export_kerbs(bundle: Bundle, path: Path) -> dict[str, int]:
    """Write the layers to a GeoPackage, or the kerbs alone to GeoJSON (lon/lat) or GeoParquet.

    The file is written whole or not at all.

    Returns:
        Features by layer written.

    Raises:
        InputError: the extension is none of the three, or the file cannot be written there.
        DataFileError: the bundle has no kerbs, or a layer of it is broken.
    """
    if path.suffix not in (".gpkg", ".geojson", ".parquet"):
        raise InputError("-o", f"não sei gravar “{path.suffix}”; use .gpkg, .geojson ou .parquet")
    if not path.parent.is_dir():
        raise InputError("-o", f"a pasta {path.parent} não existe")
    if path.is_dir():
        raise InputError("-o", f"{path} é uma pasta, não um arquivo")
    if path.parent.resolve() == bundle.folder.resolve():
        raise InputError("-o", f"{path} fica dentro do pacote, que deixaria de valer; escolha outra pasta")
    if bundle.entry("kerb") is None:
        message = "o pacote não tem guias; refaça-o com geocheck build"
        raise DataFileError([Problem(str(bundle.folder), "", "kerb", message)])
    try:
        return _written(bundle, path)
    except OSError as error:
        raise InputError("-o", f"{path}: {why(error)}") from error


def _written(bundle: Bundle, path: Path) -> dict[str, int]:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}.", suffix=path.suffix)
    os.close(handle)
    fresh = Path(name)
    fresh.unlink()
    try:
        counts = _write(bundle, fresh)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return counts


def _write(bundle: Bundle, path: Path) -> dict[str, int]:
    if path.suffix == ".gpkg":
        counts = {}
        for layer in (each for each in EXPORTED if bundle.entry(each)):
            frame = bundle.layer(layer)
            frame.to_file(path, layer=layer, driver="GPKG", engine="pyogrio")
            counts[layer] = len(frame)
        return counts
    kerbs = bundle.layer("kerb")
    if path.suffix == ".parquet":
        kerbs.to_parquet(path, index=False)
    else:
        kerbs.to_crs("EPSG:4326").to_file(path, driver="GeoJSON", engine="pyogrio")
    return {"kerb": len(kerbs)}
