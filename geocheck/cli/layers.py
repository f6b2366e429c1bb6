"""Reads `--layer NAME=FILE[,crs=…][,accuracy=…]…` of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from geocheck.city.municipal import LayerFile
from geocheck.city.sources import SourceOptions
from geocheck.cli.words import number
from geocheck.errors import DataFileError, InputError, did_you_mean
from geocheck.toml_files import model_keys, problems_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_AXES: Final = "axis"
_KEYS: Final = {"accuracy": "accuracy_m"} | {
    name: name for name in SourceOptions.model_fields if name != "accuracy_m"
}


def layer_file(text: str) -> LayerFile:
    """Read one option.

    Raises:
        InputError: there is no `NAME=FILE`, or a key is unknown.
        DataFileError: a value is wrong.
    """
    name, equals, rest = text.partition("=")
    path, *options = rest.split(",")
    if not equals or not name.strip() or not path.strip():
        raise InputError("--layer", f"“{text}” não tem a forma NOME=ARQUIVO")
    raw: dict[str, Any] = {}
    for option in options:
        key, _, value = (part.strip() for part in option.partition("="))
        if key not in _KEYS:
            raise InputError("--layer", f"chave “{key}” desconhecida{did_you_mean(key, _KEYS)}")
        raw[_KEYS[key]] = number(value, f"--layer {name}: accuracy") if key == "accuracy" else value
    try:
        declared = SourceOptions.model_validate(raw)
    except ValidationError as error:
        where = f"--layer {name}"
        problems = problems_of(
            error, where, lambda loc: ("", ".".join(map(str, loc))), model_keys(SourceOptions)
        )
        raise DataFileError(problems) from None
    return LayerFile(name.strip(), Path(path.strip()), declared)


def split_axes(files: Sequence[LayerFile]) -> tuple[LayerFile | None, list[LayerFile]]:
    """Return the file that is to serve as streets, if there is one, and the others.

    Raises:
        InputError: several files are to be streets, or a key for axes was given to another layer.
    """
    axes = [file for file in files if file.layer == _AXES]
    others = [file for file in files if file.layer != _AXES]
    if len(axes) > 1:
        raise InputError("--layer", f"a camada “{_AXES}” veio duas vezes; junte os arquivos")
    for file in others:
        if file.options.name is not None:
            raise InputError("--layer", f"{file.layer}: a chave name só serve à camada {_AXES}")
    return (axes[0] if axes else None), others
