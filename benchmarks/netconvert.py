"""Runs SUMO's netconvert on a street graph; reads its junction polygons and the kerbs that reach them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from benchmarks.chains import chains

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from benchmarks.chains import Chain
    from geocheck.city.streets.graph import Graph

_OPTIONS: Final = (
    "--offset.disable-normalization",
    "--default.junctions.radius=0",
    "--junctions.corner-detail=0",
    "--no-internal-links",
    "--no-turnarounds",
    "--geometry.avoid-overlap=false",
    "--precision=6",
    "--no-warnings",
)
"""Corners where kerbs meet, not rounded; streets where they are, not bent away from each other; coordinates
as they come, neither moved nor cut to centimetres."""

_EQUAL_M: Final = 1e-6

START: Final = 0
END: Final = 1
LEFT: Final = 0
RIGHT: Final = 1


class Oracle(NamedTuple):
    """What netconvert made of a graph.

    Attributes:
        chains: the c chains that it was given.
        polygon: of each junction by node of the graph, metres, shape (v, 2); no entry without one.
        place: where the kerb of a chain ends, by chain, `START` or `END`, `LEFT` or `RIGHT` of the chain,
            metres, shape (c, 2, 2, 2); NaN where netconvert left the chain out.
        unit: direction of that kerb there, away from the junction, same shape.
    """

    chains: Sequence[Chain]
    polygon: Mapping[int, NDArray[np.float64]]
    place: NDArray[np.float64]
    unit: NDArray[np.float64]


def oracle(graph: Graph) -> Oracle:
    """Let netconvert build the junctions of a graph.

    A two-way street is given as two edges side by side, each as wide as the half it stands for; a one-way
    street as one edge about its axis, or where its halves differ as two, like a two-way street.

    Raises:
        CalledProcessError: netconvert failed.
        FileNotFoundError: it is not installed.
    """
    found = chains(graph)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nodes, edges, net = folder / "in.nod.xml", folder / "in.edg.xml", folder / "out.net.xml"
        _write(nodes, "nodes", _nodes(graph, found))
        _write(edges, "edges", _edges(graph, found))
        program = str(Path(sys.executable).with_name("netconvert"))
        command = [program, f"--node-files={nodes}", f"--edge-files={edges}", f"--output-file={net}"]
        subprocess.run([*command, *_OPTIONS], check=True, capture_output=True)  # noqa: S603 (our own)
        polygon, lanes = _read(net)
    place, unit = _kerb_ends(found, lanes)
    return Oracle(found, polygon, place, unit)


def _nodes(graph: Graph, found: Iterable[Chain]) -> Iterator[ET.Element]:
    for node in sorted({end for chain in found for part in _parts(chain) for end in (part[0], part[-1])}):
        x, y = graph.xy[node].tolist()
        yield ET.Element("node", id=str(node), x=repr(x), y=repr(y), type="priority")


def _edges(graph: Graph, found: Iterable[Chain]) -> Iterator[ET.Element]:
    for index, chain in enumerate(found):
        for part, nodes in enumerate(_parts(chain)):
            there, back = f"there{index}.{part}", f"back{index}.{part}"
            if _two_edges(chain):
                yield _edge(graph, there, nodes, chain.right_m, "right")
                yield _edge(graph, back, nodes[::-1], chain.left_m, "right")
            elif chain.direction > 0:
                yield _edge(graph, there, nodes, chain.left_m + chain.right_m, "center")
            else:
                yield _edge(graph, back, nodes[::-1], chain.left_m + chain.right_m, "center")


def _parts(chain: Chain) -> list[tuple[int, ...]]:
    """Return the nodes of a chain, in two parts where it is a loop: netconvert wants two ends."""
    if chain.nodes[0] != chain.nodes[-1]:
        return [chain.nodes]
    cut = len(chain.nodes) // 2
    return [chain.nodes[: cut + 1], chain.nodes[cut:]]


def _two_edges(chain: Chain) -> bool:
    return chain.direction == 0 or abs(chain.left_m - chain.right_m) > _EQUAL_M


def _edge(graph: Graph, name: str, nodes: tuple[int, ...], width_m: float, spread: str) -> ET.Element:
    shape = " ".join(f"{x!r},{y!r}" for x, y in graph.xy[list(nodes)].tolist())
    edge = ET.Element("edge", id=name, numLanes="1", width=repr(width_m), spreadType=spread)
    edge.attrib |= {"from": str(nodes[0]), "to": str(nodes[-1]), "shape": shape, "speed": "13.9"}
    return edge


def _write(path: Path, tag: str, rows: Iterable[ET.Element]) -> None:
    root = ET.Element(tag)
    root.extend(rows)
    ET.ElementTree(root).write(path, encoding="utf-8")


class _Lane(NamedTuple):
    """The middle of a lane from cut to cut, shape (v, 2), and its width."""

    xy: NDArray[np.float64]
    width_m: float

    def border(self, end: int, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return where one border begins or ends, and its direction there, away from that end."""
        tip, next_ = (self.xy[0], self.xy[1]) if end == START else (self.xy[-1], self.xy[-2])
        unit = (next_ - tip) / np.hypot(*(next_ - tip))
        to_left = np.array([-unit[1], unit[0]]) * (1 if end == START else -1)
        return tip + to_left * self.width_m / 2 * (1 if side == LEFT else -1), unit


def _read(net: Path) -> tuple[dict[int, NDArray[np.float64]], dict[str, _Lane]]:
    polygon: dict[int, NDArray[np.float64]] = {}
    lanes: dict[str, _Lane] = {}
    for _, element in ET.iterparse(net):  # noqa: S314 (netconvert wrote it)
        shape = [place.split(",")[:2] for place in element.get("shape", "").split()]
        if element.tag == "junction" and shape:
            polygon[int(element.attrib["id"])] = np.array(shape, float)
        elif element.tag == "lane":
            name = element.attrib["id"].removesuffix("_0")
            lanes[name] = _Lane(np.array(shape, float), float(element.attrib["width"]))
    return polygon, lanes


def _kerb_ends(
    found: Sequence[Chain], lanes: Mapping[str, _Lane]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    place, unit = np.full((len(found), 2, 2, 2), np.nan), np.full((len(found), 2, 2, 2), np.nan)
    for index, chain in enumerate(found):
        last = len(_parts(chain)) - 1
        for end, part in ((START, 0), (END, last)):
            there, back = lanes.get(f"there{index}.{part}"), lanes.get(f"back{index}.{part}")
            for side in (LEFT, RIGHT):
                # The kerb on the left is the right border of the edge that comes back, where there is one.
                if back is not None and (side == LEFT or there is None):
                    where, along = back.border(1 - end, 1 - side)
                elif there is not None:
                    where, along = there.border(end, side)
                else:
                    continue
                place[index, end, side], unit[index, end, side] = where, along
    return place, unit
