"""Runs SUMO's netconvert on a street graph and reads its junction polygons and the kerbs that reach them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree import ElementTree

import numpy as np

from benchmarks.chains import chains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from benchmarks.chains import Chain
    from geocheck.city.streets.graph import Graph

_OPTIONS: Final = (
    "--offset.disable-normalization",
    "--default.junctions.radius=0",
    "--junctions.corner-detail=0",
    "--no-internal-links",
    "--no-turnarounds",
    "--precision=6",
    "--no-warnings",
)
"""Corners where kerbs meet, not rounded; coordinates as they come, not moved and not cut to centimetres."""

_EQUAL_M: Final = 1e-6


class Arm(NamedTuple):
    """A chain's end at a junction, seen from the junction outwards.

    Attributes:
        chain: index into the chains.
        at_start: whether it is the chain's start.
    """

    chain: int
    at_start: bool


class Oracle(NamedTuple):
    """What netconvert made of a graph.

    Attributes:
        chains: what it was given.
        polygon: of each junction by node of the graph, metres, shape (v, 2); no entry without one.
        kerb: by chain, the two borders of its carriageway, left and right of the chain, from cut to cut; no
            entry where netconvert left the chain out.
    """

    chains: list[Chain]
    polygon: dict[int, NDArray[np.float64]]
    kerb: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]


def oracle(graph: Graph) -> Oracle:
    """Let netconvert build the junctions of a graph.

    A two-way street is given as two edges side by side, each as wide as the half it stands for; a one-way
    street as one edge about its axis, or where its halves differ as two like a two-way street.

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
        program = Path(sys.executable).with_name("netconvert")
        command = [program, f"--node-files={nodes}", f"--edge-files={edges}", f"--output-file={net}"]
        subprocess.run([*command, *_OPTIONS], check=True, capture_output=True)  # noqa: S603 (our own)
        return Oracle(found, *_read(net))


def two_edges(chain: Chain) -> bool:
    """Tell whether a chain is given as two edges side by side."""
    return chain.direction == 0 or abs(chain.left_m - chain.right_m) > _EQUAL_M


def _nodes(graph: Graph, found: list[Chain]) -> Iterator[ElementTree.Element]:
    ends = {node for chain in found for node in (chain.nodes[0], chain.nodes[-1])}
    ends |= {_middle(chain) for chain in found if chain.nodes[0] == chain.nodes[-1]}
    for node in sorted(ends):
        x, y = graph.xy[node]
        yield ElementTree.Element("node", id=str(node), x=repr(float(x)), y=repr(float(y)), type="priority")


def _middle(chain: Chain) -> int:
    return chain.nodes[len(chain.nodes) // 2]


def _edges(graph: Graph, found: list[Chain]) -> Iterator[ElementTree.Element]:
    for index, chain in enumerate(found):
        halves = [chain.nodes]
        if chain.nodes[0] == chain.nodes[-1]:  # netconvert refuses an edge from a node to itself
            cut = len(chain.nodes) // 2
            halves = [chain.nodes[: cut + 1], chain.nodes[cut:]]
        for part, nodes in enumerate(halves):
            name = f"{index}.{part}"
            if two_edges(chain):
                yield _edge(graph, f"f{name}", nodes, chain.right_m, "right")
                yield _edge(graph, f"b{name}", nodes[::-1], chain.left_m, "right")
            elif chain.direction > 0:
                yield _edge(graph, f"f{name}", nodes, chain.left_m + chain.right_m, "center")
            else:
                yield _edge(graph, f"b{name}", nodes[::-1], chain.left_m + chain.right_m, "center")


def _edge(graph: Graph, name: str, nodes: tuple[int, ...], width_m: float, spread: str) -> ElementTree.Element:
    shape = " ".join(f"{x!r},{y!r}" for x, y in graph.xy[list(nodes)].tolist())
    edge = ElementTree.Element("edge", id=name, numLanes="1", width=repr(width_m), spreadType=spread)
    edge.attrib |= {"from": str(nodes[0]), "to": str(nodes[-1]), "shape": shape, "speed": "13.9"}
    return edge


def _write(path: Path, tag: str, rows: Iterator[ElementTree.Element]) -> None:
    root = ElementTree.Element(tag)
    root.extend(rows)
    ElementTree.ElementTree(root).write(path, encoding="utf-8")


def _read(
    net: Path,
) -> tuple[dict[int, NDArray[np.float64]], dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]]:
    polygon: dict[int, NDArray[np.float64]] = {}
    lanes: dict[str, ElementTree.Element] = {}
    for _, element in ElementTree.iterparse(net):  # noqa: S314 (written by the line above)
        if element.tag == "junction":
            shape = _places(element.get("shape", ""))
            if len(shape):
                polygon[int(element.attrib["id"])] = shape
        elif element.tag == "lane":
            lanes[element.attrib["id"].removesuffix("_0")] = element
    return polygon, lanes


def _places(shape: str) -> NDArray[np.float64]:
    return np.array([place.split(",")[:2] for place in shape.split()], float).reshape(-1, 2)
