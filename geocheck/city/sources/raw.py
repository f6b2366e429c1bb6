"""What a format's reader hands over: columns, geometry and what the file says of its coordinate system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from geocheck.errors import DataFileError, Problem

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Crs:
    """What a file says of its coordinate system.

    Attributes:
        text: authority code, WKT or PROJJSON, as pyproj takes it; None where the file says nothing.
        told_by: pt-BR, what says so (“o .prj”), or what is missing (“o shapefile veio sem o .prj”).
        by_default: nobody wrote it; it follows from the format's rules or the names of the columns.
        guessed: it follows from names only.
    """

    text: str | dict[str, Any] | None
    told_by: str
    by_default: bool = False
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Raw:
    """Records as they stand in a file.

    Attributes:
        columns: attributes, n rows, text or nullable types, original names.
        geometry: shapely geometries or None in the file's own system, shape (n,).
        row: number of each record in the file, from 1, shape (n,).
        crs: what the file says.
        read: records in the file, also those that the reader could not hand over.
        usual_accuracy_m: of files of this kind, where the kind says something.
    """

    columns: pd.DataFrame
    geometry: NDArray[np.object_]
    row: NDArray[np.int64]
    crs: Crs
    read: int
    usual_accuracy_m: float | None = None


def refused(file: str, message: str, where: str = "", key: str = "") -> DataFileError:
    """Return the error that says in pt-BR why a file is not read and how to mend it."""
    return DataFileError([Problem(file, where, key, message)])
