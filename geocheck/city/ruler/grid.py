"""The grid over the ruler's segments as tables of the bundle, so that nobody has to lay it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from geocheck.city.ruler.cells import Cells, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.city.ruler.ruler import Ruler

KERB_REACH_M: Final = 20.0
"""So far from the centre of a skip its kerb is looked for: half of a wide carriageway and of a skip."""


def grid_tables(ruler: Ruler) -> dict[str, pa.Table]:
    """Return a grid with a reach of `KERB_REACH_M` as tables: where it lies, its cells, what they hold."""
    cells = cells_of(ruler.xy, np.full(len(ruler.xy), KERB_REACH_M))
    place = {"west_m": [cells.west_m], "south_m": [cells.south_m], "columns": [cells.columns]}
    return {
        "grid": pa.table(place),
        "grid.cell": pa.table({"start": cells.start.astype(np.int32)}),
        "grid.segment": pa.table({"segment": cells.edge}),
    }


def grid_of(table: Callable[[str], dict[str, NDArray[Any]]]) -> Cells:
    """Return the grid of a bundle, given how its tables are read."""
    place = {name: column[0] for name, column in table("grid").items()}
    start, segment = table("grid.cell")["start"], table("grid.segment")["segment"]
    return Cells(float(place["west_m"]), float(place["south_m"]), int(place["columns"]), start, segment)
