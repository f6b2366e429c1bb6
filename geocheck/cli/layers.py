"""Reads `--layer NAME=FILE[,crs=…][,accuracy=…]…` of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from geocheck.city.municipal import LayerFile
from geocheck.city.sources import SourceOptions
from geocheck.cli.words import number
from geocheck.errors import DataFileError, InputError, did_you_mean
from geocheck.toml_files import model_keys, problems_of

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
