"""Reads what an Overpass server answered, and writes it as an OSM file that is read like any other."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import osmium
from osmium.osm import mutable
from pydantic import BaseModel, Field, ValidationError

from geocheck.errors import DownloadError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_Id = Annotated[int, Field(ge=1, lt=1 << 62)]
_Tags = dict[str, str]


class _Node(BaseModel):
    type: Literal["node"]
    id: _Id
    lat: Annotated[float, Field(ge=-90, le=90)]
    lon: Annotated[float, Field(ge=-180, le=180)]
    tags: _Tags = {}


class _Way(BaseModel):
    type: Literal["way"]
    id: _Id
    nodes: list[_Id] = []
    tags: _Tags = {}


class _Member(BaseModel):
    type: Literal["node", "way", "relation"]
    ref: _Id
    role: str = ""


class _Relation(BaseModel):
    type: Literal["relation"]
    id: _Id
    members: list[_Member] = []
    tags: _Tags = {}


class _State(BaseModel):
    timestamp_osm_base: str = ""


class _Answer(BaseModel):
    elements: list[Annotated[_Node | _Way | _Relation, Field(discriminator="type")]]
    osm3s: _State = _State()
    remark: str = ""


_Element = _Node | _Way | _Relation


@dataclass(frozen=True, slots=True)
class Downloaded:
    """What a server sent.

    Attributes:
        elements: nodes, then ways, then relations, each once, by id.
        sha256: of the elements, whatever their order was.
        date: to which the data is up to date, as the server says; empty where it does not.
        remarks: of the server that are no errors.
    """

    elements: tuple[_Element, ...]
    sha256: str
    date: str
    remarks: tuple[str, ...]

    def has_highway(self) -> bool:
        """Tell whether there is any way with the key `highway`."""
        return any(each.type == "way" and "highway" in each.tags for each in self.elements)


def read_answers(answers: Iterable[bytes], host: str) -> Downloaded:
    """Read the answers to one question.

    Raises:
        DownloadError: an answer is not what Overpass sends, or says that it is not whole.
    """
    found: dict[tuple[str, int], _Element] = {}
    dates, remarks = set(), set()
    for content in answers:
        try:
            answer = _Answer.model_validate_json(content)
        except ValidationError as error:
            where = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
            message = f"a resposta não é a de um servidor Overpass ({where or 'JSON'}); confira o endereço"
            raise DownloadError(host, message) from error
        if "error" in answer.remark.lower():
            message = f"o servidor não terminou a busca (“{answer.remark[:200]}”); peça um lugar menor"
            raise DownloadError(host, message)
        remarks.add(answer.remark)
        dates.add(answer.osm3s.timestamp_osm_base[:10])
        found.update({(each.type, each.id): each for each in answer.elements})
    elements = tuple(found[key] for key in sorted(found))
    return Downloaded(elements, _digest(elements), min(dates, default=""), tuple(sorted(remarks - {""})))


def _digest(elements: Iterable[_Element]) -> str:
    digest = hashlib.sha256()
    for each in elements:
        line = json.dumps(each.model_dump(), sort_keys=True, ensure_ascii=False)
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def write_osm(downloaded: Downloaded, path: Path) -> None:
    """Write the elements as an OSM file, in the format of the path's ending."""
    with osmium.SimpleWriter(str(path)) as writer:
        for each in downloaded.elements:
            writer.add(_written(each))


def _written(each: _Element) -> Any:  # noqa: ANN401 (one of osmium's classes)
    if isinstance(each, _Node):
        return mutable.Node(id=each.id, location=(each.lon, each.lat), tags=each.tags)
    if isinstance(each, _Way):
        return mutable.Way(id=each.id, nodes=each.nodes, tags=each.tags)
    members = [(member.type[0], member.ref, member.role) for member in each.members]
    return mutable.Relation(id=each.id, members=members, tags=each.tags)
