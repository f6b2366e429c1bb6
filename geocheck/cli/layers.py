"""Reads `--layer NAME=FILE[,crs=…][,accuracy=…][,map=FILE.toml]…` of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from geocheck.city.layers.declaration import Declaration, beside, joined, read_declaration
from geocheck.city.layers.municipal import LayerFile
from geocheck.city.sources import SourceOptions
from geocheck.cli.words import number, yes_or_no
from geocheck.errors import InputError, UnknownNameError, did_you_mean
from geocheck.model.words import LAYERS

if TYPE_CHECKING:
    from collections.abc import Sequence

_AXES: Final = "axis"
_TABLES: Final = frozenset({"columns", "values", "only"})
"""What only a TOML can say."""

_KEYS: Final = {"accuracy": "accuracy_m", "merge": "merge_m", "map": "map"} | {
    name: name for name in Declaration.model_fields if name not in _TABLES | {"accuracy_m", "merge_m"}
}


def layer_file(text: str) -> LayerFile:
    """Read one option, and the TOML that it names or that lies beside the file; the option wins.

    Raises:
        InputError: there is no `NAME=FILE`, or the layer or a key is unknown.
        DataFileError: a value is wrong, or the TOML is.
    """
    name, equals, rest = (part.strip() for part in text.partition("="))
    path, *options = (part.strip() for part in rest.split(","))
    if not equals or not name or not path:
        raise InputError("--layer", f"“{text}” não tem a forma NOME=ARQUIVO")
    if name not in LAYERS:
        raise UnknownNameError("--layer", name, LAYERS)
    pairs = [_option(each, f"--layer {name}") for each in options]
    raw = dict(pairs)
    if len(raw) < len(pairs):
        raise InputError("--layer", f"{name}: a mesma chave aparece duas vezes; deixe só uma")
    toml = Path(raw.pop("map")) if "map" in raw else beside(Path(path))
    declared = read_declaration(toml, name) if toml is not None else Declaration()
    return LayerFile(name, Path(path), joined(declared, raw, name), toml)


def _option(text: str, field: str) -> tuple[str, Any]:
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        message = f"“{key}” não tem a forma chave=valor; a vírgula separa: o nome do arquivo não pode ter uma"
        raise InputError(field, message)
    if key not in _KEYS:
        raise InputError("--layer", f"chave “{key}” desconhecida{did_you_mean(key, _KEYS)}")
    if key in ("accuracy", "merge"):
        return _KEYS[key], number(value, f"{field}: {key}")
    if key == "on_axis":
        return key, yes_or_no(value, f"{field}: {key}")
    return _KEYS[key], value


def split_axes(files: Sequence[LayerFile]) -> tuple[LayerFile | None, list[LayerFile]]:
    """Return the file that is to serve as streets, if there is one, and the others.

    Raises:
        InputError: several files are to be streets, or a key for axes was given to another layer.
    """
    axes = [file for file in files if file.layer == _AXES]
    others = [file for file in files if file.layer != _AXES]
    if len(axes) > 1:
        raise InputError("--layer", f"a camada “{_AXES}” veio duas vezes; junte os arquivos")
    for file in axes:
        idle = sorted(file.options.model_fields_set - set(SourceOptions.model_fields))
        if idle:
            raise InputError(
                "--layer", f"{_AXES}: {', '.join(idle)} não se usa nas ruas; só as chaves do arquivo"
            )
    for file in others:
        if file.options.name is not None:
            raise InputError("--layer", f"{file.layer}: a chave name só serve à camada {_AXES}")
    return (axes[0] if axes else None), others
