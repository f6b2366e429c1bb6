"""Arrow tables into columns with nullable types, whatever the encoding of their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from geocheck.city.sources.cleaning import Action
from geocheck.city.sources.text import decoded, encoding_of, is_spoilt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from geocheck.city.sources.cleaning import Notebook
    from geocheck.city.sources.text import Told

_NULLABLE: Final = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.uint8(): pd.UInt8Dtype(),
    pa.uint16(): pd.UInt16Dtype(),
    pa.uint32(): pd.UInt32Dtype(),
    pa.uint64(): pd.UInt64Dtype(),
    pa.float32(): pd.Float32Dtype(),
    pa.float64(): pd.Float64Dtype(),
}


def columns_of(table: pa.Table, row: NDArray[np.int64], told: Told, notebook: Notebook) -> pd.DataFrame:
    """Turn a table's columns into pandas columns: text, or types that know a missing value.

    Args:
        table: attributes only, their texts as the bytes of the file.
        row: number of each record, shape (n,); a table without columns does not know how many it has.
        told: the encoding that the texts should be in.
        notebook: told of wrong encodings and of texts that were spoilt before.
    """
    texts = {
        index: table.column(index).cast(pa.large_binary()).to_pylist()
        for index, kind in enumerate(table.schema.types)
        if pa.types.is_string(kind) or pa.types.is_large_string(kind)
    }
    samples = [each for column in texts.values() for each in column if each and not each.isascii()]
    encoding = encoding_of(samples, told, notebook)
    columns = [
        text_column(decoded(texts[index], encoding)) if index in texts else _typed(table.column(index))
        for index in range(table.num_columns)
    ]
    length = len(row)
    spoilt = {
        int(row[at])
        for index in texts
        for at, value in enumerate(columns[index])
        if value is not pd.NA and is_spoilt(value)
    }
    message = "texto com caracteres já perdidos na origem (\ufffd)"
    notebook.of_rows("text_spoilt", Action.KEPT, sorted(spoilt), message)
    return named(columns, table.schema.names, length, notebook)


def text_column(values: Sequence[str | None]) -> pd.Series[Any]:
    """Return texts as a column in which a missing one is `pd.NA`."""
    return pd.Series(pd.array(list(values), dtype=pd.StringDtype(na_value=pd.NA)))


def named(
    columns: Sequence[pd.Series[Any]], names: Sequence[str], length: int, notebook: Notebook
) -> pd.DataFrame:
    """Join columns under their own names; one that is taken, empty or reserved gets a number, with a note."""
    taken = {"geometry", "source_row"}
    frame = {}
    renamed = []
    for column, name in zip(columns, names, strict=True):
        free = name or "coluna"
        count = 1
        while free in taken:
            count += 1
            free = f"{name or 'coluna'}_{count}"
        if free != name:
            renamed.append(f"“{name}” → “{free}”")
        taken.add(free)
        frame[free] = column
    if renamed:
        message = f"colunas repetidas, sem nome ou de nome reservado ganharam outro: {', '.join(renamed)}"
        notebook.of_file("columns_renamed", Action.REPAIRED, message)
    return pd.DataFrame(frame, index=pd.RangeIndex(length))


def binary(column: pa.ChunkedArray) -> NDArray[np.object_]:
    """Return a binary column as bytes or None, shape (n,)."""
    values = np.empty(len(column), dtype=object)
    values[:] = column.cast(pa.large_binary()).to_pylist()
    return values


def original_bytes(table: pa.Table) -> pa.Table:
    """Turn texts that hold one character a byte (ISO-8859-1) back into the bytes of the file, as text."""
    for index, kind in enumerate(table.schema.types):
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            values = table.column(index).to_pylist()
            raw = [None if each is None else each.encode("latin-1") for each in values]
            # Not valid UTF-8, perhaps: only ever looked at as bytes.
            bare = pa.array(raw, pa.large_binary()).view(pa.large_string())
            table = table.set_column(index, table.schema.names[index], bare)
    return table


def _typed(column: pa.ChunkedArray) -> pd.Series[Any]:
    kind = column.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return text_column([None if each is None else str(each) for each in column.to_pylist()])
    typed: pd.Series[Any] = column.to_pandas(types_mapper=_NULLABLE.get).reset_index(drop=True)
    return typed
