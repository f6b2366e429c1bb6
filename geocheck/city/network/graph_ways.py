"""From the directed edges of a street graph to ways: both directions of a street are one way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from geocheck.city.network.graph_tags import plain_tags, settled_tags, values_of
from geocheck.city.ways import MISSING_NODE, Ways, street_hull

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_FORWARD: Final = frozenset({"yes", "true", "1"})
_BACKWARD: Final = frozenset({"-1", "reverse"})
_CLOSE_DECIMALS: Final = 2
"""The drawn direction of a street is not settled by less than a centimetre."""


@dataclass(frozen=True, slots=True)
class GraphNodes:
    """The nodes of a graph.

    Attributes:
        names: as the file calls them.
        attributes: by node.
        xy: metres in the city's system, shape (n, 2); NaN where the file does not say.
    """

    names: tuple[str, ...]
    attributes: tuple[Mapping[str, Any], ...]
    xy: NDArray[np.float64]


class Edge(NamedTuple):
    """An edge between two nodes.

    Attributes:
        tail: index of the node it leaves.
        head: index of the node it comes to.
        between: the vertices of its line other than the nodes, metres, shape (k, 2).
        attributes: as the file has them.
    """

    tail: int
    head: int
    between: NDArray[np.float64]
    attributes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GraphWays:
    """Streets of a graph as ways.

    Attributes:
        ways: with OSM tags.
        one_way_deduced: ways called one-way because no edge runs back.
        settled: by tag key, ways for which one of several values was chosen, or the values were joined.
        left_out: by tag key, ways whose values were left out: several, or of a side nobody knows.
    """

    ways: Ways
    one_way_deduced: int
    settled: Mapping[str, int]
    left_out: Mapping[str, int]


class _Street(NamedTuple):
    """The edges of one line: `along` run as it is drawn here, `against` the other way."""

    tail: int
    head: int
    between: NDArray[np.float64]
    along: list[Edge]
    against: list[Edge]

    def turned(self) -> _Street:
        """Return it drawn the other way."""
        return _Street(self.head, self.tail, self.between[::-1], self.against, self.along)


def graph_ways(edges: Sequence[Edge], nodes: GraphNodes, *, directed: bool) -> GraphWays:
    """Bring edges together to ways.

    Args:
        edges: of the graph; the order does not matter.
        nodes: of the graph.
        directed: an edge is one direction of traffic. Where nothing is said of `oneway`, a street without
            an edge back is then one-way, if the graph has others with one.
    """
    streets = [_as_in_osm(each, nodes) for each in _streets(edges)]
    deduce = directed and any(each.along and each.against for each, _ in streets)
    settled: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    deduced = 0
    tags = []
    for street, side_known in streets:
        found = settled_tags((each.attributes for each in street.along + street.against), side_known)
        settled.update(found.settled)
        left_out.update(found.left_out)
        said = found.tags.pop("oneway", "")
        oneway = _one_way(street, said, deduce)
        deduced += bool(oneway and not said)
        tags.append(found.tags | ({"oneway": oneway} if oneway else {}))
    ways = _ways([street for street, _ in streets], tags, nodes)
    return GraphWays(ways, deduced, dict(sorted(settled.items())), dict(sorted(left_out.items())))


def _streets(edges: Iterable[Edge]) -> list[_Street]:
    """Bring together the edges that draw the same line, whichever way they run."""
    found: dict[tuple[int, int, bytes], _Street] = {}
    for edge in edges:
        forth = edge.tail, edge.head, edge.between.tobytes()
        back = edge.head, edge.tail, edge.between[::-1].tobytes()
        if forth in found:
            found[forth].along.append(edge)
        elif back in found:
            found[back].against.append(edge)
        else:
            found[forth] = _Street(edge.tail, edge.head, edge.between, [edge], [])
    return list(found.values())


def _as_in_osm(street: _Street, nodes: GraphNodes) -> tuple[_Street, bool]:
    """Return a street drawn as OSM draws it, and whether the graph says so (osmnx's `reversed`).

    Of the others a one-way street is drawn with its traffic, a two-way street from its western end.
    """
    votes = set()
    for along, edges in ((True, street.along), (False, street.against)):
        said = {values_of(edge.attributes.get("reversed", "")) for edge in edges}
        votes |= {along == (each == ("no",)) for each in said if each in (("no",), ("yes",))}
    if len(votes) == 1:
        return (street if votes.pop() else street.turned()), True
    if street.along and street.against:
        line = np.vstack([nodes.xy[street.tail], street.between, nodes.xy[street.head]])
        line = line.round(_CLOSE_DECIMALS)
        forth, back = line.ravel().tolist(), line[::-1].ravel().tolist()
        return (street if forth <= back else street.turned()), False
    return (street if street.along else street.turned()), False


def _one_way(street: _Street, said: str, deduce: bool) -> str:  # noqa: FBT001 (of the graph, not a switch)
    """Return the value of `oneway` for a street as it is drawn; empty for both ways or unknown."""
    if street.along and street.against:
        return ""
    with_traffic = bool(street.along)
    if said in _BACKWARD:  # a graph whose edges keep the order of OSM's nodes
        with_traffic = not with_traffic
    elif said == "no" or not (said or deduce):
        return ""
    elif said and said not in _FORWARD:
        return said
    return "yes" if with_traffic else "-1"


def _ways(streets: Sequence[_Street], tags: Sequence[dict[str, str]], nodes: GraphNodes) -> Ways:
    held = np.isfinite(nodes.xy).all(axis=1)
    row = np.where(held, np.cumsum(held) - 1, MISSING_NODE)
    between = [street.between for street in streets]
    sizes = np.array([len(each) for each in between], np.int64)
    first = np.count_nonzero(held) + np.concatenate([[0], np.cumsum(sizes)[:-1]])
    ref = np.concatenate(
        [
            np.r_[row[street.tail], np.arange(start, start + size), row[street.head]]
            for street, start, size in zip(streets, first, sizes, strict=True)
        ]
    )
    start = np.concatenate([[0], np.cumsum(sizes + 2)])
    xy = np.concatenate([nodes.xy[held], *between])
    kept = np.flatnonzero(held)
    node_id = _ids([(nodes.names[each], nodes.attributes[each]) for each in kept], len(xy))
    osmids = [("", (street.along or street.against)[0].attributes) for street in streets]
    return Ways(
        way_id=_ids(osmids, len(streets)),
        tags=tuple(tags),
        start=start,
        ref=ref,
        node_id=node_id,
        xy=xy,
        node_tags={i: found for i, each in enumerate(kept) if (found := plain_tags(nodes.attributes[each]))},
        extent=street_hull(xy, ref, start, tags),
    )


def _ids(named: Sequence[tuple[str, Mapping[str, Any]]], count: int) -> NDArray[np.int64]:
    """Return OSM ids from the attribute `osmid` or the name (`n123`), numbers below zero for the rest."""
    ids = -np.arange(1, count + 1)
    for row, (name, attributes) in enumerate(named):
        said = values_of(attributes.get("osmid", "")) or (name,)
        digits = said[0].removeprefix("n")
        if len(said) == 1 and digits.isascii() and digits.isdecimal() and int(digits) < 1 << 62:
            ids[row] = int(digits)
    return ids
