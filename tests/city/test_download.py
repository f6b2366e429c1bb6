"""Streets downloaded by the name of a place, from servers of our own on this machine."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import osmnx
import pytest
import shapely
from pyproj import Transformer

from geocheck.city.bundle.bundle import load_bundle
from geocheck.city.network.download import KEYS
from geocheck.city.network.overpass import read_answers
from geocheck.city.network.session import overpass_answers
from geocheck.errors import DownloadError, InputError
from geocheck.settings import DownloadSettings, download_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ORIGIN = (686_000.0, 8_155_000.0)
TO_LONLAT = Transformer.from_crs("EPSG:31982", "EPSG:4326", always_xy=True)
PLACE = "Setor de Prova, Goiânia"
NODES: dict[int, tuple[float, float, dict[str, str]]] = {
    1: (-80, 0, {}),
    2: (0, 0, {"highway": "traffic_signals"}),
    3: (80, 0, {}),
    4: (0, -80, {}),
    5: (0, 80, {}),
    6: (20, 5.5, {"highway": "bus_stop", "name": "Parada"}),
    7: (30, 4.3, {"emergency": "fire_hydrant"}),
    8: (40, 20, {}),
    9: (50, 20, {}),
    10: (50, 30, {}),
}
RARE = {
    "parking:right": "lane",
    "parking:right:restriction:conditional": "no_parking @ (Mo-Fr 07:00-19:00)",
    "parking:lane:left": "parallel",
    "placement": "middle_of:1",
    "width:carriageway": "9",
    "sidewalk": "both",
    "lanes:forward": "1",
}
WAYS: dict[int, tuple[list[int], dict[str, str]]] = {
    10: ([1, 2, 3], {"highway": "residential", "name": "Rua Açaí & Cia", **RARE}),
    11: ([4, 2, 5], {"highway": "residential", "name": "Rua Estreita", "width": "8"}),
    12: ([8, 9, 10, 8], {"building": "yes"}),
    13: ([2, 99], {"highway": "service"}),
}
BOX = (-120.0, -110.0, 120.0, 110.0)


def lonlat(x: float, y: float) -> tuple[float, float]:
    lon, lat = TO_LONLAT.transform(ORIGIN[0] + x, ORIGIN[1] + y)
    return round(lon, 7), round(lat, 7)


def elements() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for node, (x, y, tags) in NODES.items():
        lon, lat = lonlat(x, y)
        found.append({"type": "node", "id": node, "lat": lat, "lon": lon} | ({"tags": tags} if tags else {}))
    found += [{"type": "way", "id": way, "nodes": refs, "tags": tags} for way, (refs, tags) in WAYS.items()]
    found.append({"type": "relation", "id": 5, "members": [{"type": "way", "ref": 10, "role": ""}]})
    return found


def overpass(rows: list[dict[str, Any]], **more: str) -> bytes:
    state = {"timestamp_osm_base": "2026-11-29T03:00:00Z"}
    return json.dumps({"version": 0.6, "osm3s": state, "elements": rows, **more}).encode()


def square() -> dict[str, Any]:
    (west, south), (east, north) = lonlat(*BOX[:2]), lonlat(*BOX[2:])
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}


def found_place(geojson: dict[str, Any]) -> bytes:
    west, south, east, north = shapely.from_geojson(json.dumps(geojson)).bounds
    row = {
        "osm_type": "relation",
        "osm_id": 4321,
        "display_name": "Setor de Prova, Goiânia, Goiás, Brasil",
        "importance": 0.4,
        "lat": str((south + north) / 2),
        "lon": str((west + east) / 2),
        "boundingbox": [str(south), str(north), str(west), str(east)],
        "geojson": geojson,
    }
    return json.dumps([row]).encode()


def square_polygon() -> shapely.Polygon:
    (west, south), (east, north) = lonlat(*BOX[:2]), lonlat(*BOX[2:])
    return shapely.box(west, south, east, north)


def triangle(lon: float, lat: float, side: float) -> dict[str, Any]:
    return {
        "type": "Polygon",
        "coordinates": [[[lon, lat], [lon + side, lat], [lon, lat + side], [lon, lat]]],
    }


class Maps(ThreadingHTTPServer):
    """Both servers in one: what they answer, and what they were asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.status = 200
        self.wait_s = 0.0
        self.cut = False
        self.places = found_place(square())
        self.data = overpass(elements())
        self.asked: list[tuple[str, dict[str, list[str]], str]] = []

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.server_port}"


class _Answers(BaseHTTPRequestHandler):
    server: Maps

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query, self.server.places)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(body, self.server.data)

    def _answer(self, query: str, content: bytes) -> None:
        agent = self.headers["User-Agent"]
        self.server.asked.append((urlsplit(self.path).path, parse_qs(query), agent))
        time.sleep(self.server.wait_s)
        try:
            self.send_response(self.server.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if self.server.cut else content)
        except OSError:
            pass  # who asked has gone

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Maps]:
    server = Maps()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    monkeypatch.setenv("GEOCHECK_OVERPASS_URL", f"{server.url}/api")
    monkeypatch.setenv("GEOCHECK_NOMINATIM_URL", f"{server.url}/nominatim/")
    monkeypatch.setenv("GEOCHECK_DOWNLOAD_TIMEOUT_S", "20")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.shutdown()
    server.server_close()


@contextmanager
def nothing_left_behind(folder: Path) -> Iterator[None]:
    """Check that osmnx's settings, the resolver of names and the folder are as they were."""
    before = {name: value for name, value in vars(osmnx.settings).items() if not name.startswith("__")}
    resolver = socket.getaddrinfo
    files = set(folder.rglob("*"))
    yield
    after = {name: value for name, value in vars(osmnx.settings).items() if not name.startswith("__")}
    assert after == before
    assert socket.getaddrinfo is resolver
    assert set(folder.rglob("*")) == files


def osm_file(path: Path) -> Path:
    """Write the same data as an .osm file that says where it is complete."""
    (west, south), (east, north) = lonlat(*BOX[:2]), lonlat(*BOX[2:])
    lines = [
        '<?xml version="1.0"?>',
        '<osm version="0.6">',
        f'<bounds minlon="{west}" minlat="{south}" maxlon="{east}" maxlat="{north}"/>',
    ]
    for node, (x, y, tags) in NODES.items():
        lon, lat = lonlat(x, y)
        lines.append(f'<node id="{node}" lon="{lon}" lat="{lat}">{_xml(tags)}</node>')
    for way, (refs, tags) in WAYS.items():
        nodes = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        lines.append(f'<way id="{way}">{nodes}{_xml(tags)}</way>')
    path.write_text("\n".join([*lines, "</osm>"]), encoding="utf-8")
    return path


def _xml(tags: dict[str, str]) -> str:
    return "".join(f'<tag k="{key}" v="{value.replace("&", "&amp;")}"/>' for key, value in tags.items())


@pytest.mark.usefixtures("maps")
def test_a_download_gives_what_the_same_data_gives_as_a_file(
    geocheck: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "aqui").mkdir()
    with nothing_left_behind(tmp_path / "aqui"):
        monkeypatch.chdir(tmp_path / "aqui")
        ran = geocheck("build", "goiania", "--download", PLACE, "-o", str(tmp_path / "baixado"))
    assert (ran.code, ran.err) == (0, "")
    file = osm_file(tmp_path / "mesmo.osm")
    assert geocheck("build", "goiania", "--osm", str(file), "-o", str(tmp_path / "lido")).code == 0
    got, wanted = load_bundle(tmp_path / "baixado"), load_bundle(tmp_path / "lido")
    assert [each.name for each in got.manifest.layers] == [each.name for each in wanted.manifest.layers]
    for layer in ("axis", "kerb", "corner", "mouth", "bus_stop", "hydrant", "signal", "building"):
        one, other = got.layer(layer), wanted.layer(layer)
        assert len(one) > 0
        assert one.drop(columns="geometry").equals(other.drop(columns="geometry"))
        assert shapely.equals_identical(one.geometry.to_numpy(), other.geometry.to_numpy()).all()
    assert set(got.layer("axis")["width_source"]) == {"width:carriageway", "width"}


def test_the_manifest_names_the_download(geocheck: Callable[..., Any], maps: Maps, tmp_path: Path) -> None:
    ran = geocheck("build", "goiania", "--download", PLACE, "-o", str(tmp_path / "p"))
    assert (ran.code, ran.err) == (0, "")
    bundle = load_bundle(tmp_path / "p")
    axis = bundle.entry("axis")
    assert axis is not None
    (source,) = axis.sources
    assert PLACE in source.file
    assert f"127.0.0.1:{maps.server_port}" in source.file
    assert axis.date == "2026-11-29"
    said = {change.reason: change.count for change in axis.changes}
    assert said["lugar: “Setor de Prova, Goiânia, Goiás, Brasil” (relation/4321)"] == 1
    assert said["relação (não lida)"] == 1
    assert "limite do recorte: casca das vias" not in said
    outline = shapely.from_geojson(json.dumps(bundle.manifest.extent))
    assert outline.hausdorff_distance(shapely.from_geojson(json.dumps(square()))) < 1e-6
    (search, asked, agent), (interpreter, question, _) = maps.asked
    assert (search, interpreter) == ("/nominatim/search", "/api/interpreter")
    assert asked["q"] == [PLACE]
    assert agent.startswith("geocheck/")
    assert all(f"way['{key}']" in question["data"][0] for key in ("highway", "building", "barrier"))
    assert all(f"node['{key}']" in question["data"][0] for key in ("highway", "emergency", "inlet"))


def test_more_than_the_place_is_asked_for(geocheck: Callable[..., Any], maps: Maps, tmp_path: Path) -> None:
    """A street that leaves the place meets its next corner outside: 100 m more are downloaded."""
    assert geocheck("build", "goiania", "--download", PLACE, "-o", str(tmp_path / "p")).code == 0
    question = maps.asked[1][1]["data"][0]
    numbers = [float(each) for each in question.split("poly:'")[1].split("'")[0].split()]
    to_city = Transformer.from_crs("EPSG:4326", "EPSG:31982", always_xy=True)
    x, y = to_city.transform(numbers[1::2], numbers[0::2])
    asked = shapely.Polygon(zip(x, y, strict=True))
    west, south, east, north = BOX
    box = shapely.box(ORIGIN[0] + west, ORIGIN[1] + south, ORIGIN[0] + east, ORIGIN[1] + north)
    assert asked.covers(box.buffer(99))
    assert box.buffer(200).covers(asked)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (b"[]", "nenhum lugar com esse nome"),
        (found_place({"type": "Point", "coordinates": [-49.25, -16.67]}), "só o conhece como ponto"),
        (found_place(triangle(-46, -23, 0.1)), "não fica dentro de Goiânia"),
        (found_place(triangle(-55, -20, 10)), "não fica dentro de Goiânia"),
        (b"<html><body>busy</body></html>", "não é a que se espera"),
        (b'{"error": "no"}', "não é a que se espera"),
        (b'[{"importance": 1, "geojson": {"type": "Polygon", "coordinates": "x"}}]', "não é a que se espera"),
        (b"[1, 2]", "não é a que se espera"),
    ],
)
def test_a_place_that_is_no_place_of_the_city(
    geocheck: Callable[..., Any], maps: Maps, tmp_path: Path, places: bytes, said: str
) -> None:
    maps.places = places
    with nothing_left_behind(tmp_path):
        ran = geocheck("build", "goiania", "--download", PLACE, "-o", str(tmp_path / "p"))
    assert ran.code == 1
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
    assert len(maps.asked) == 1


def ask(maps: Maps, timeout_s: int = 20) -> Any:  # noqa: ANN401
    """Ask the server for a square."""
    settings = DownloadSettings(f"{maps.url}/api", f"{maps.url}/nominatim", timeout_s)
    return read_answers(overpass_answers(square_polygon(), KEYS, settings), "o servidor")


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503, 504])
def test_a_server_that_says_no_is_not_asked_again(maps: Maps, tmp_path: Path, status: int) -> None:
    maps.status = status
    busy = "ocupado" if status in {429, 503, 504} else "recusou"
    with nothing_left_behind(tmp_path), pytest.raises(DownloadError, match=f"{busy}.*HTTP {status}"):
        ask(maps)
    assert len(maps.asked) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html><body>Wartung</body></html>", "não é a que se espera"),
        (overpass(elements())[:-40], "não é a que se espera"),
        (b"[]", "não é a que se espera"),
        (b"{}", "elements"),
        (b"null", "não é a que se espera"),
        (overpass([{"type": "node", "id": 1}]), "elements.0"),
        (overpass([{"type": "node", "id": 1, "lat": 95, "lon": 0}]), "elements.0"),
        (overpass([{"type": "node", "id": 1e30, "lat": 5, "lon": 0}]), "elements.0"),
        (overpass([{"type": "way", "id": 1, "nodes": ["a"]}]), "elements.0"),
        (overpass([{"type": "count", "id": 0}]), "elements.0"),
        (overpass([{"type": "node", "id": 1, "lat": float("nan"), "lon": 0}]), "elements.0"),
        (overpass([{"type": "way", "id": 1, "tags": {"highway": 3}}]), "elements.0"),
        (overpass([], remark='runtime error: Query timed out in "query" at line 3 after 25 seconds.'),
         "Query timed out"),
        (overpass(elements(), remark="runtime error: Query run out of memory"), "out of memory"),
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(maps: Maps, tmp_path: Path, data: bytes, said: str) -> None:
    maps.data = data
    with nothing_left_behind(tmp_path), pytest.raises(DownloadError, match=said):
        ask(maps)


def test_a_remark_that_is_no_error_is_kept(maps: Maps) -> None:
    maps.data = overpass(elements(), remark="runtime remark: Timeout is 180 and maxsize is 1")
    assert ask(maps).remarks == ("runtime remark: Timeout is 180 and maxsize is 1",)


def test_an_answer_cut_short(maps: Maps) -> None:
    maps.cut = True
    with pytest.raises(DownloadError, match=r"interrompida|conexão"):
        ask(maps)


def test_a_server_that_takes_too_long(maps: Maps) -> None:
    maps.wait_s = 3
    with pytest.raises(DownloadError, match="não respondeu em 1 s"):
        ask(maps, timeout_s=1)


def test_no_server_at_all(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        settings = DownloadSettings(url, url, 5)
        with nothing_left_behind(tmp_path), pytest.raises(DownloadError, match="sem conexão"):
            overpass_answers(square_polygon(), KEYS, settings)


@pytest.mark.parametrize("rows", [[], [each for each in elements() if each["type"] == "node"]])
def test_a_place_without_streets(
    geocheck: Callable[..., Any], maps: Maps, tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    maps.data = overpass(rows)
    ran = geocheck("build", "goiania", "--download", PLACE, "-o", str(tmp_path / "p"))
    assert ran.code == 1
    assert "nenhuma rua" in ran.err
    assert not (tmp_path / "p").exists()


def test_the_order_of_an_answer_does_not_matter() -> None:
    forth = read_answers([overpass(elements())], "x")
    back = read_answers([overpass(elements()[5:][::-1]), overpass(elements()[:7])], "x")
    assert forth == back
    assert forth.sha256 != read_answers([overpass(elements()[1:])], "x").sha256


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GEOCHECK_OVERPASS_URL", "overpass-api.de/api"),
        ("GEOCHECK_OVERPASS_URL", "ftp://overpass-api.de"),
        ("GEOCHECK_OVERPASS_URL", "http://"),
        ("GEOCHECK_NOMINATIM_URL", "http://a:porta/"),
        ("GEOCHECK_NOMINATIM_URL", "http://[::1"),
        ("GEOCHECK_NOMINATIM_URL", "http://a/?chave=1"),
        ("GEOCHECK_DOWNLOAD_TIMEOUT_S", "0"),
        ("GEOCHECK_DOWNLOAD_TIMEOUT_S", "9999"),
        ("GEOCHECK_DOWNLOAD_TIMEOUT_S", "1.5"),
        ("GEOCHECK_DOWNLOAD_TIMEOUT_S", "-3"),
    ],
)
def test_settings_that_are_none(name: str, value: str) -> None:
    with pytest.raises(InputError, match=name):
        download_settings({name: value})


def test_settings_are_read_when_asked_for() -> None:
    assert download_settings({}) == DownloadSettings()
    assert download_settings({"GEOCHECK_OVERPASS_URL": " "}) == DownloadSettings()
    own = download_settings({"GEOCHECK_OVERPASS_URL": "http://mapa.local:8080/api/"})
    assert own == DownloadSettings(overpass_url="http://mapa.local:8080/api")
    assert "GEOCHECK_OVERPASS_URL" not in os.environ
