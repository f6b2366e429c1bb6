"""Official axes as streets, where there is no OSM: lines and names, no class, no direction, no level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
import shapely

from geocheck.city.changes import changes
from geocheck.city.layers.municipal import file_changes
from geocheck.city.network.network import HULL_TAKEN, Network
from geocheck.city.network.noding import OVERSHOOT_M, SNAP_M, node_lines
from geocheck.city.network.street_names import UNKNOWN_CLASS, kind_of, name_column
from geocheck.city.sources import read_layer
from geocheck.city.ways import Ways, street_hull
from geocheck.errors import DataFileError, Problem, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from geocheck.cities import City
    from geocheck.city.changes import Change
    from geocheck.city.layers.municipal import LayerFile
    from geocheck.city.network.noding import NodedLines
    from geocheck.city.sources import Layer

_LINE: Final = 1
_SNAP: Final = f"{SNAP_M:.1f} m".replace(".", ",")
_OVERSHOOT: Final = f"{OVERSHOOT_M:.1f} m".replace(".", ",")


def axis_network(file: LayerFile, city: City) -> Network:
    """Read the axes of a city hall as streets.

    Every axis is a `highway=road` without direction on level 0, but where its name says that it is a railway
    or a way for people on foot or bicycle. Axes that meet are joined (`noding`).

    Args:
        file: of lines; `options.name` is the column with their names.
        city: whose.

    Raises:
        DataFileError: the file cannot be read or placed, or holds no line.
        UnknownNameError: it has no such column.
        InputError: a declared coordinate system does not exist.
    """
    layer = read_layer(file.path, city, file.options)
    parts, row = shapely.get_parts(layer.frame.geometry.to_numpy(), return_index=True)
    is_line = shapely.get_type_id(parts) == _LINE
    if not is_line.any():
        message = "não tem nenhuma linha; a camada axis são os eixos das ruas"
        raise DataFileError([Problem(file.path.name, "", "", message)])
    column = _column(layer, file)
    row = row[is_line]
    noded = node_lines(parts[is_line])
    ways = _ways(noded, _names(layer, column)[row], layer.frame["source_row"].to_numpy()[row])
    if not any(tags.items() >= UNKNOWN_CLASS.items() for tags in ways.tags):
        raise DataFileError([Problem(file.path.name, "", "", "nenhum eixo é de rua, segundo os nomes")])
    declared = layer.declared
    return Network(
        ways=ways,
        sources=({"file": layer.source.file, "sha256": layer.source.sha256},),
        accuracy_m=layer.accuracy_m,
        extent_derived=True,
        changes=(
            *file_changes(layer.report),
            *_read_changes(ways.tags, column, guessed=declared.name is None),
            HULL_TAKEN,
            *_join_changes(noded, others=int(np.count_nonzero(~is_line))),
        ),
        date=declared.date.isoformat() if declared.date else None,
        completeness=declared.completeness,
    )


def _column(layer: Layer, file: LayerFile) -> str | None:
    columns = [str(each) for each in layer.frame.columns if each not in ("geometry", "source_row")]
    wanted = file.options.name
    if wanted is None:
        return name_column(columns)
    if wanted not in columns:
        raise UnknownNameError(f"--layer {file.layer}: name", wanted, columns)
    return wanted


def _names(layer: Layer, column: str | None) -> NDArray[np.object_]:
    """Return the name of each row, empty where there is none, shape (n,)."""
    if column is None:
        return np.full(len(layer.frame), "", object)
    said = ["" if pd.isna(value) else " ".join(str(value).split()) for value in layer.frame[column]]
    return np.array(said, object)


def _ways(noded: NodedLines, names: NDArray[np.object_], row: NDArray[np.int64]) -> Ways:
    """Return the ways, numbered as the records of the file that they come from."""
    xy, ref = np.unique(noded.xy, axis=0, return_inverse=True)
    ref = ref.ravel().astype(np.int64)
    tags = tuple(dict(kind_of(name)) | ({"name": name} if name else {}) for name in names)
    return Ways(
        way_id=row.astype(np.int64),
        tags=tags,
        start=noded.start,
        ref=ref,
        node_id=np.arange(len(xy), dtype=np.int64) + 1,
        xy=xy,
        node_tags={},
        extent=street_hull(xy, ref, noded.start, tags),
    )


def _read_changes(tags: Sequence[Mapping[str, str]], column: str | None, *, guessed: bool) -> list[Change]:
    """Name what an axis does not say and what was made of that."""
    roads = sum(each.items() >= UNKNOWN_CLASS.items() for each in tags)
    no_road = "o nome diz que não é via de veículos (ferrovia, ciclovia, passagem de pedestres)"
    read = f"nome da rua lido da coluna “{column}” (outra: name=COLUNA)"
    nameless = "ruas sem nome: nenhuma coluna parece ter nomes (diga name=COLUNA)"
    return changes(
        [
            ("assumed", "eixo sem classe de via: highway=road", roads),
            ("assumed", "eixo sem mão nem nível: mão dupla, todos no mesmo nível", roads),
            ("assumed", no_road, len(tags) - roads),
            ("assumed", read, int(guessed and column is not None)),
            ("assumed", nameless, int(column is None)),
        ]
    )


def _join_changes(noded: NodedLines, others: int) -> list[Change]:
    """Name what was joined, and crossings that were not."""
    return changes(
        [
            ("dropped", "ponto ou polígono entre os eixos", others),
            ("repaired", f"ponta a menos de {_SNAP} de outra, levada a ela", noded.ends_joined),
            ("repaired", f"ponta a menos de {_SNAP} de outro eixo, ligada a ele", noded.ends_on_lines),
            ("repaired", f"ponta até {_OVERSHOOT} além do eixo que cruza, ligada a ele", noded.overshoots),
            (
                "assumed",
                "cruzamento sem vértice comum, tido por esquina: o arquivo não divide os eixos",
                noded.crossings_joined,
            ),
            ("kept", "cruzamento sem vértice comum, tido por viaduto: sem esquina", noded.crossings_left),
            ("assumed", "cruzamento em que nenhum eixo está dividido, tido por esquina", noded.undivided),
            ("kept", "grupo de pontas perto demais umas das outras, não juntadas", noded.crowded),
        ]
    )
