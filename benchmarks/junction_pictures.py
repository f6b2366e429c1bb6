"""Draws the kerbs of a bundle at places of it, to look at what was derived there.

    python -m benchmarks.junction_pictures BUNDLE --at=LON,LAT[,TITLE] --at=node/ID[,TITLE] -o FILE.png

One place gives a picture, several a sheet. A node is one that has a corner. Kerbs are drawn by the side of
the drawn way they lie on, arrows along the traffic beside them; what the bundle does not hold is not drawn.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import shapely
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path as Outline
from PIL import Image
from pyproj import Transformer

from geocheck.city.bundle.bundle import load_bundle
from geocheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from geopandas import GeoDataFrame
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle

CREDIT: Final = "Map data © OpenStreetMap contributors, ODbL"
INCHES: Final = 6.4
DOTS_PER_INCH: Final = 100
SHEET_INCHES: Final = 4.2
SHEET_COLUMNS: Final = 3
COLOURS: Final = 240
"""Colours of a picture: few make it small."""

AREAS: Final = {
    "block": ("#f3eee3", "#d8ccb4"),
    "building": ("#e3dcd2", "#c9beaf"),
    "crossing_area": ("#fbe3e3", "#e5a3a3"),
    "median": ("#d5ead0", "#86b97b"),
}
"""Layers drawn as areas, from the bottom up, by the colours of their face and edge."""

SIDES: Final = {"right": "#1f5fa8", "left": "#d9730d"}
AXIS: Final = "#9a9a9a"
MOUTH: Final = "#a33c9c"
CORNERS: Final = {
    "corner": ("o", "#c81e1e"),
    "taper": ("^", "#e0b000"),
    "elbow": ("D", "#7a3fb0"),
    "unknown": ("s", "#ffffff"),
}
ENDS: Final = {"covered": ("x", "#444444"), "dead_end": ("|", "#444444"), "cut": (".", "#444444")}
"""Ends of kerbs that are no corners."""

ARROW_EVERY_M: Final = 25.0


class Place(NamedTuple):
    """Where to look: `where` is a longitude and latitude, or `node/ID`."""

    where: tuple[float, float] | str
    title: str
    radius_m: float


def place_of(text: str, radius_m: float) -> Place:
    """Read `LON,LAT[,TITLE]` or `node/ID[,TITLE]`.

    Raises:
        InputError: it is neither.
    """
    first, _, rest = text.partition(",")
    if first.startswith("node/"):
        return Place(first, rest, radius_m)
    second, _, title = rest.partition(",")
    try:
        return Place((float(first), float(second)), title, radius_m)
    except ValueError:
        raise InputError("--at", f"“{text}” não é LON,LAT nem node/ID") from None


def centre_of(bundle: Bundle, place: Place) -> NDArray[np.float64]:
    """Return the centre in the bundle's metres, shape (2,).

    Raises:
        InputError: no corner belongs to the node.
    """
    if not isinstance(place.where, str):
        to_metres = Transformer.from_crs("EPSG:4326", bundle.manifest.crs, always_xy=True)
        return np.array(to_metres.transform(*place.where))
    corners = bundle.layer("corner")
    found = corners[corners["node"] == place.where]
    if not len(found):
        raise InputError("--at", f"nenhuma esquina do pacote é de {place.where}; dê LON,LAT")
    return np.asarray(shapely.get_coordinates(found.geometry).mean(axis=0))


def draw_places(bundle: Bundle, places: Sequence[Place]) -> Figure:
    """Return a picture of one place, or a sheet of several."""
    columns = min(len(places), SHEET_COLUMNS)
    rows = -(-len(places) // columns)
    inches = INCHES if len(places) == 1 else SHEET_INCHES
    figure = Figure(figsize=(columns * inches, rows * inches + 0.5), dpi=DOTS_PER_INCH, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    layers = {entry.name: bundle.layer(entry.name) for entry in bundle.manifest.layers}
    for panel, place in zip(axes, places, strict=False):
        draw_place(panel, layers, centre_of(bundle, place), place)
    for panel in axes[len(places) :]:
        panel.set_visible(False)
    figure.legend(
        handles=list(_legend(layers)), loc="outside lower center", ncols=6, fontsize=6.5, frameon=False
    )
    return figure


def draw_place(
    panel: Axes, layers: dict[str, GeoDataFrame], centre: NDArray[np.float64], place: Place
) -> None:
    """Draw what lies within a square round a centre, a scale bar and a title."""
    low, high = centre - place.radius_m, centre + place.radius_m
    box = shapely.box(*low, *high)
    shown = {name: frame.iloc[frame.sindex.query(box)] for name, frame in layers.items()}
    for name, (face, edge) in AREAS.items():
        if name in shown:
            _areas(panel, shown[name], face, edge)
    _lines(panel, shown["axis"], {"colors": AXIS, "linewidths": 0.7, "linestyles": (0, (5, 3))})
    _lines(panel, shown["mouth"], {"colors": MOUTH, "linewidths": 1.1, "linestyles": (0, (1, 1.5))})
    _kerbs(panel, shown["kerb"], box)
    for kind, (marker, colour) in CORNERS.items():
        xy = shapely.get_coordinates(shown["corner"].geometry[shown["corner"]["kind"] == kind])
        panel.scatter(
            xy[:, 0],
            xy[:, 1],
            marker=marker,
            s=22,
            color=colour,
            edgecolors="black",
            linewidths=0.5,
            zorder=6,
        )
    _scale_bar(panel, low, place.radius_m)
    panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xticks=[], yticks=[], aspect="equal")
    panel.set_title(place.title, fontsize=9)
    panel.text(
        0.995, 0.006, CREDIT, ha="right", va="bottom", fontsize=5, transform=panel.transAxes, color="#555555"
    )


def _areas(panel: Axes, frame: GeoDataFrame, face: str, edge: str) -> None:
    parts = shapely.get_parts(frame.geometry.to_numpy())
    areas = shapely.normalize(parts[shapely.get_type_id(parts) == shapely.GeometryType.POLYGON])
    # Holes run against their shell, so that they stay empty.
    paths = [
        Outline.make_compound_path(
            *(Outline(shapely.get_coordinates(ring)) for ring in shapely.get_rings(area))
        )
        for area in areas
    ]
    panel.add_collection(PathCollection(paths, facecolors=face, edgecolors=edge, linewidths=0.5))


def _lines(panel: Axes, frame: GeoDataFrame, style: dict[str, Any]) -> None:
    parts = shapely.get_parts(frame.geometry.to_numpy())
    panel.add_collection(LineCollection([shapely.get_coordinates(part) for part in parts], **style))


def _kerbs(panel: Axes, kerbs: GeoDataFrame, box: shapely.Polygon) -> None:
    """Draw kerbs by side, dashed where a median is or may be, their arrows and ends that are no corners."""
    for side, colour in SIDES.items():
        for block, style in ((True, "solid"), (False, (0, (4, 1)))):
            rows = kerbs[(kerbs["side"] == side) & ((kerbs["median"] == "no") == block)]
            _lines(panel, rows, {"colors": colour, "linewidths": 1.5, "linestyles": style, "zorder": 3})
        for at, along in _arrows(kerbs[kerbs["side"] == side], box):
            panel.annotate(
                "",
                xy=tuple(at + along),
                xytext=tuple(at - along),
                arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.0, "mutation_scale": 9},
                zorder=4,
            )
    for kind, (marker, colour) in ENDS.items():
        first = shapely.get_point(kerbs.geometry[kerbs["start_kind"] == kind], 0)
        last = shapely.get_point(kerbs.geometry[kerbs["end_kind"] == kind], -1)
        xy = shapely.get_coordinates([*first, *last])
        panel.scatter(xy[:, 0], xy[:, 1], marker=marker, s=18, color=colour, linewidths=1, zorder=5)


def _arrows(
    kerbs: GeoDataFrame, box: shapely.Polygon
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield place and half length of the arrows on the visible part of each kerb."""
    half = np.sqrt(box.area) / 100
    for part in shapely.get_parts(shapely.intersection(kerbs.geometry.to_numpy(), box)):
        if shapely.get_type_id(part) != shapely.GeometryType.LINESTRING or part.length < 4 * half:
            continue
        count = max(1, round(part.length / ARROW_EVERY_M))
        for station in (np.arange(count) + 0.5) * part.length / count:
            one, two = shapely.get_coordinates(
                shapely.line_interpolate_point(part, [station - half / 2, station + half / 2])
            )
            if np.hypot(*(two - one)) > half / 2:
                yield (one + two) / 2, (two - one) / np.hypot(*(two - one)) * half


def _scale_bar(panel: Axes, low: NDArray[np.float64], radius_m: float) -> None:
    length = next(step for step in (100, 50, 20, 10, 5, 2, 1) if step <= radius_m / 2 or step == 1)
    x, y = low + 0.06 * radius_m
    panel.plot([x, x + length], [y, y], color="black", linewidth=2.5, solid_capstyle="butt", zorder=7)
    panel.text(x, y + 0.025 * radius_m, f"{length} m", fontsize=7, va="bottom", zorder=7)


def _legend(layers: dict[str, GeoDataFrame]) -> Iterator[Line2D | Patch]:
    for side, colour in SIDES.items():
        yield Line2D([], [], color=colour, label=f"kerb, {side} of the way")
    yield Line2D([], [], color="#555555", linestyle=(0, (4, 1)), label="may bound a median")
    yield Line2D([], [], color=AXIS, linestyle=(0, (5, 3)), label="axis")
    yield Line2D([], [], color=MOUTH, linestyle=(0, (1, 1.5)), label="mouth")
    for name, (marker, colour) in (CORNERS | ENDS).items():
        edge = "black" if name in CORNERS else colour
        yield Line2D(
            [],
            [],
            linestyle="",
            marker=marker,
            color=colour,
            markeredgecolor=edge,
            label=name.replace("_", " "),
        )
    for name, (face, edge) in AREAS.items():
        if name in layers:
            yield Patch(facecolor=face, edgecolor=edge, label=name.replace("_", " "))


def save(figure: Figure, path: Path) -> None:
    """Write a figure as a PNG of few colours, the same bytes for the same figure."""
    raw = io.BytesIO()
    figure.savefig(raw, format="png", metadata={"Software": None})
    image = Image.open(raw).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(path, optimize=True)


def main() -> None:
    """Read the command line and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--at", action="append", required=True, help="LON,LAT[,TITLE] or node/ID[,TITLE]")
    parser.add_argument("--radius", type=float, default=40.0, help="half the picture's side, metres")
    parser.add_argument("-o", "--out", type=Path, required=True, help="PNG to write")
    given = parser.parse_args()
    places = [place_of(text, given.radius) for text in given.at]
    save(draw_places(load_bundle(given.bundle), places), given.out)


if __name__ == "__main__":
    main()
