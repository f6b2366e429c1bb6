"""Turns what a municipal file says into a layer's own words: ids, attributes in columns, shapes that fit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import geopandas as gpd
import numpy as np
import pandas as pd

from geocheck.city.layers.attributes import column, no_column
from geocheck.city.layers.declaration import attributes_of
from geocheck.city.layers.shapes import shapes_fit, shapes_text
from geocheck.city.layers.values import read_values, texts_of
from geocheck.errors import DataFileError, Problem, did_you_mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from geocheck.city.changes import Change
    from geocheck.city.layers.declaration import Declaration
    from geocheck.city.sources import Layer

_SHOWN: Final = 10


def mapped(layer: Layer, name: str, declared: Declaration) -> tuple[gpd.GeoDataFrame, list[Change]]:
    """Return a file's features as the layer has them, and what was left out or not understood.

    Args:
        layer: the file as it was read.
        name: of the layer.
        declared: what is known of the file.

    Returns:
        Columns `feature` (unique), `source` (`FILE#row`), the layer's attributes, the file's own columns.

    Raises:
        DataFileError: a column that was named is not there, or nothing fits the layer.
    """
    file = layer.source.file
    own = [each for each in layer.frame.columns if each not in ("geometry", "source_row")]
    _check_columns(file, declared, own)
    frame, changes = _wanted(layer.frame, declared)
    fits, misfits = shapes_fit(frame.geometry.to_numpy(), name)
    frame, changes = frame[fits].reset_index(drop=True), [*changes, *misfits]
    if not len(frame):
        lines = "; ".join(f"{each['reason']} ({each['count']})" for each in changes)
        takes = f"; a camada “{name}” só tem {shapes_text(name)}" if misfits else ""
        raise DataFileError([Problem(file, "", "", f"nenhuma feição serve: {lines}{takes}")])
    columns: dict[str, pd.Series[Any]] = {}
    columns["feature"], notes = _features(frame, file, declared)
    columns["source"] = _sources(frame, file)
    told = _attributes(frame, attributes_of(name), declared)
    for attribute, values, notes_of in told:
        columns[attribute] = values
        notes += notes_of
    _state_accuracy(columns, layer)
    notes += _validity(columns)
    names = {each: _free(each, {*columns, *own} - {each}, columns) for each in own}
    moved = [f"“{old}” → “{new}”" for old, new in names.items() if old != new]
    if moved:
        reason = f"coluna do arquivo com nome de atributo ganhou outro: {', '.join(moved)}"
        notes.append({"action": "repaired", "reason": reason, "count": len(moved)})
    kept = {names[each]: frame[each] for each in own}
    whole = pd.DataFrame({**columns, **kept, "source_row": frame["source_row"]})
    return gpd.GeoDataFrame(whole, geometry=frame.geometry.to_numpy(), crs=frame.crs), [*changes, *notes]


def featureless(name: str, crs: str) -> gpd.GeoDataFrame:
    """Return a layer that has no features, with the columns that any of its features would have."""
    columns = {each: pd.Series([], dtype="string") for each in ("feature", "source")}
    columns |= {attribute: no_column(attribute, 0) for attribute in attributes_of(name)}
    return gpd.GeoDataFrame(columns, geometry=[], crs=crs)


def _check_columns(file: str, declared: Declaration, own: list[str]) -> None:
    named: list[tuple[str, str]] = []
    for attribute, told in declared.columns.items():
        named += [(f"columns.{attribute}", each) for each in _list(told)]
    named += [(f"only.{each}", each) for each in declared.only]
    problems = [
        Problem(file, "", key, f"não há coluna “{each}”{did_you_mean(each, own)}; há: {', '.join(own)}")
        for key, each in named
        if each not in own
    ]
    if problems:
        raise DataFileError(problems)


def _list(told: str | tuple[str, ...]) -> tuple[str, ...]:
    return (told,) if isinstance(told, str) else told


def _wanted(frame: gpd.GeoDataFrame, declared: Declaration) -> tuple[gpd.GeoDataFrame, list[Change]]:
    """Keep the rows that the filters ask for."""
    changes: list[Change] = []
    for name, words in declared.only.items():
        plain = {" ".join(word.casefold().split()) for word in words}
        texts = [text and text.casefold() for text in texts_of(frame[name])]
        good = np.array([text in plain for text in texts], bool)
        if not good.all():
            other = Counter(text or "em branco" for text in texts_of(frame[name][~good]))
            changes.append(
                {
                    "action": "dropped",
                    "reason": f"coluna “{name}” diz outra coisa que {', '.join(words)}",
                    "count": int(np.count_nonzero(~good)),
                    "examples": _examples(other),
                }
            )
        frame = frame[good]
    return frame, changes


def _examples(counts: Counter[str]) -> tuple[str, ...]:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    shown = tuple(f"{text[:60]} ({count})" for text, count in ordered[:_SHOWN])
    return (*shown, f"e mais {len(ordered) - _SHOWN}") if len(ordered) > _SHOWN else shown


def _sources(frame: gpd.GeoDataFrame, file: str) -> pd.Series[Any]:
    return pd.Series([f"{file}#{row}" for row in frame["source_row"]], dtype="string")


def _features(
    frame: gpd.GeoDataFrame, file: str, declared: Declaration
) -> tuple[pd.Series[Any], list[Change]]:
    """Return ids that are unique: the file's own where they are, else `FILE#row`, with a part's number."""
    nth = frame.groupby("source_row").cumcount().to_numpy()
    part = pd.Series(np.where(nth > 0, "/" + pd.Series(nth + 1).astype(str), ""))
    usual = _sources(frame, file) + part
    if "feature" not in declared.columns:
        return usual, []
    ids = pd.Series(_texts(frame, _list(declared.columns["feature"])), dtype=object)
    again = (ids.isna() | (ids + part).duplicated(keep=False)).to_numpy(bool)
    reason = "código em branco ou repetido: a feição se chama pelo número do registro"
    notes: list[Change] = (
        [{"action": "repaired", "reason": reason, "count": int(again.sum())}] if again.any() else []
    )
    return usual.where(again, ids + part), notes


def _texts(frame: gpd.GeoDataFrame, names: tuple[str, ...]) -> list[str | None]:
    """Return the texts of a column, or of several joined by a space; blank where all are."""
    each = [texts_of(frame[name]) for name in names]
    return [" ".join(filter(None, cells)) or None for cells in zip(*each, strict=True)]


def _attributes(
    frame: gpd.GeoDataFrame, names: tuple[str, ...], declared: Declaration
) -> list[tuple[str, pd.Series[Any], list[Change]]]:
    """Read every attribute of the layer that a column tells; one of the same name tells it unasked."""
    told = []
    for name in names:
        notes: list[Change] = []
        named = declared.columns.get(name)
        if named is None and name in frame.columns:
            named = name
            reason = f"coluna “{name}” lida como o atributo do mesmo nome"
            notes.append({"action": "assumed", "reason": reason, "count": len(frame)})
        if named is None:
            fixed = declared.on_axis if name == "on_axis" else None
            values = no_column(name, len(frame)) if fixed is None else column(name, [fixed] * len(frame))
            told.append((name, values, notes))
            continue
        words = declared.words_of(name)
        read, lost = read_values(name, _texts(frame, _list(named)), words)
        if lost:
            reason = f"{name}: valor não reconhecido ({', '.join(_list(named))}), fica desconhecido"
            notes.append(
                {
                    "action": "dropped",
                    "reason": reason,
                    "count": sum(lost.values()),
                    "examples": _examples(lost),
                }
            )
        told.append((name, column(name, read), notes))
    return told


def _state_accuracy(columns: dict[str, pd.Series[Any]], layer: Layer) -> None:
    """Fill in the layer's accuracy where a feature states none; a change of datum is added to its own."""
    own = columns["accuracy_m"]
    stated = own.notna().to_numpy(bool)
    whole = own.astype("Float64").fillna(layer.accuracy_m).to_numpy(np.float64)
    whole[stated] = np.hypot(whole[stated], layer.datum_accuracy_m)
    columns["accuracy_m"] = column("accuracy_m", list(whole))


def _validity(columns: dict[str, pd.Series[Any]]) -> list[Change]:
    """Forget both dates of a feature that ends before it begins."""
    wrong: NDArray[np.bool_] = (columns["valid_to"] < columns["valid_from"]).to_numpy(bool)
    if not wrong.any():
        return []
    for name in ("valid_from", "valid_to"):
        columns[name] = columns[name].mask(wrong)
    reason = "vigência que acaba antes de começar: as duas datas ficam desconhecidas"
    return [{"action": "dropped", "reason": reason, "count": int(wrong.sum())}]


def _free(name: str, others: set[str], columns: dict[str, pd.Series[Any]]) -> str:
    """Return the name that a file's own column keeps, a number added where an attribute has it."""
    if name not in columns:
        return name
    number = 2
    while f"{name}_{number}" in others:
        number += 1
    return f"{name}_{number}"
