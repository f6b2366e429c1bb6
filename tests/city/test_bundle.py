"""Bundles on disk: what is written is what is read, and nothing half-written or changed is accepted."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import geopandas as gpd
import numpy as np
import pyarrow as pa
import pytest
from shapely import LineString, Point

from geocheck.city.bundle.bundle import load_bundle, write_bundle
from geocheck.city.bundle.export import export_kerbs
from geocheck.city.bundle.folder import MANIFEST
from geocheck.errors import DataFileError, InputError

HEAD: dict[str, Any] = {
    "engine": "geocheck de teste",
    "city": "goiania",
    "crs": "EPSG:31982",
    "driving_side": "right",
    "built_at": "2026-11-30T12:00:00Z",
}
KERB: dict[str, Any] = {
    "name": "kerb",
    "sources": ({"file": "ruas.osm", "sha256": "0" * 64},),
    "accuracy_m": 1.5,
    "completeness": "complete",
    "changes": ({"action": "dropped", "reason": "via sem nós", "count": 2, "examples": ("way/7",)},),
}
CORNER = {**KERB, "name": "corner", "changes": ()}
TABLES = {"side": pa.table({"s": np.array([400.0, 960.5]), "ring": np.array([0, 1], np.int8)})}


def kerbs(*streets: str) -> gpd.GeoDataFrame:
    lines = [LineString([(0, number), (10, number)]) for number in range(len(streets))]
    return gpd.GeoDataFrame({"street": list(streets)}, geometry=lines, crs="EPSG:31982")


def corners() -> gpd.GeoDataFrame:
    return gpd.GeoDataFrame({"turn_deg": [90.0]}, geometry=[Point(1, 2)], crs="EPSG:31982")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = write_bundle(
        tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1", "Rua 2")), (CORNER, corners())], TABLES
    )
    read = load_bundle(tmp_path / "b")
    assert read == written
    assert [(layer.name, layer.features) for layer in read.manifest.layers] == [("kerb", 2), ("corner", 1)]
    frame = read.layer("kerb")
    assert frame["street"].tolist() == ["Rua 1", "Rua 2"]
    assert frame.crs == "EPSG:31982"
    assert frame.geometry.iloc[1].equals(LineString([(0, 1), (10, 1)]))
    assert read.manifest.layers[0].changes[0].examples == ("way/7",)


def test_a_table_is_mapped_into_memory_as_it_was_written(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    side = load_bundle(tmp_path / "b").table("side")
    assert side["s"].tolist() == [400.0, 960.5]
    assert side["ring"].tolist() == [0, 1]
    assert not side["s"].flags.owndata
    assert not side["s"].flags.writeable


def test_a_table_of_no_rows_is_read(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [], {"side": pa.table({"s": np.zeros(0)})})
    assert load_bundle(tmp_path / "b").table("side")["s"].tolist() == []


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", HEAD, [], {})
    with pytest.raises(InputError, match="não tem a tabela “side”"):
        bundle.table("side")


def test_a_table_that_was_changed_is_refused(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [], TABLES)
    path = tmp_path / "b" / "side.arrow"
    path.write_bytes(path.read_bytes()[:-8] + b"12345678")
    with pytest.raises(DataFileError, match=r"side\.arrow.*alterado"):
        load_bundle(tmp_path / "b")


def test_the_hash_names_the_content(tmp_path: Path) -> None:
    one = write_bundle(tmp_path / "a", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    same = write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    other = write_bundle(tmp_path / "c", HEAD, [(KERB, kerbs("Rua 2"))], TABLES)
    assert one.sha256 == same.sha256 != other.sha256


def test_a_layer_the_bundle_does_not_have(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    assert bundle.entry("hydrant") is None
    with pytest.raises(InputError, match="não tem a camada “hydrant”"):
        bundle.layer("hydrant")


def test_an_older_bundle_is_replaced(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1")), (CORNER, corners())], TABLES)
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 9"))], TABLES)
    assert load_bundle(tmp_path / "b").layer("kerb")["street"].tolist() == ["Rua 9"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["b", "kerb.parquet", MANIFEST, "side.arrow"]


@pytest.mark.parametrize("wrong", [{"accuracy_m": -1}, {"name": "esquinas"}, {"completeness": "quase"}])
def test_a_failed_build_leaves_the_old_bundle(tmp_path: Path, wrong: dict[str, Any]) -> None:
    old = write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    with pytest.raises(ValueError, match="validation error"):
        write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 2")), ({**CORNER, **wrong}, corners())], TABLES)
    assert load_bundle(tmp_path / "b") == old
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_folder_of_something_else_is_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "minhas-fotos"
    folder.mkdir()
    (folder / "foto.jpg").write_bytes(b"...")
    with pytest.raises(InputError, match="não é um pacote"):
        write_bundle(folder, HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    assert [path.name for path in folder.iterdir()] == ["foto.jpg"]


def test_an_empty_folder_may_become_a_bundle(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    assert write_bundle(tmp_path / "b", HEAD, [], TABLES).manifest.layers == ()


STREETS: dict[str, Any] = {
    "kerbs": 1,
    "kerbs_by_width": {"width": 1},
    "corners": {},
    "ends_unknown": 2,
    "junctions": 0,
    "junctions_of_several_nodes": 0,
    "roundabouts": 0,
    "kerb_beside_m": {},
}


def _manifest(folder: Path) -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return raw


def _change_entry(folder: Path, **fields: object) -> None:
    _change_manifest(folder, "layers", [{**_manifest(folder)["layers"][0], **fields}])


def _change_layer(folder: Path) -> None:
    path = folder / "kerb.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _change_manifest(folder: Path, key: str, value: object) -> None:
    raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    raw[key] = value
    (folder / MANIFEST).write_text(json.dumps(raw), encoding="utf-8")


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (_change_layer, "kerb.parquet: foi alterado"),
        (lambda folder: (folder / "kerb.parquet").unlink(), "kerb.parquet: arquivo não encontrado"),
        (lambda folder: (folder / MANIFEST).unlink(), "não é um pacote do geocheck"),
        (lambda folder: (folder / MANIFEST).write_text("{"), "não é JSON válido"),
        (lambda folder: _change_manifest(folder, "schema", "geocheck/bundle/9"), "geocheck/bundle/9"),
        (lambda folder: _change_manifest(folder, "crs", "UTM 22S"), "crs"),
        (lambda folder: _change_manifest(folder, "layers", [1]), "layers.0"),
        (lambda folder: (folder / MANIFEST).write_text("[" * 100_000), "não é JSON válido"),
        (lambda folder: (folder / MANIFEST).write_text("[]"), "sem versão"),
        (lambda folder: _change_manifest(folder, "built_at", "2026-01-01T00:00:00"), "built_at"),
        (lambda folder: _change_manifest(folder, "built_at", "0001-01-01T00:00:00+14:00"), "calendário"),
        (lambda folder: _change_entry(folder, file="kerb\0.parquet"), "layers.0.file"),
        (lambda folder: _change_manifest(folder, "streets", {**STREETS, "corners": {"nova": 1}}), "corners"),
        (
            lambda folder: _change_manifest(folder, "streets", {**STREETS, "corners": {"corner": -1}}),
            "mínimo 0",
        ),
        (
            lambda folder: _change_manifest(folder, "layers", 2 * _manifest(folder)["layers"]),
            "duas vezes: kerb",
        ),
    ],
)
def test_a_harmed_bundle_is_refused(tmp_path: Path, harm: Any, said: str) -> None:  # noqa: ANN401
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    harm(tmp_path / "b")
    with pytest.raises(DataFileError) as caught:
        load_bundle(tmp_path / "b")
    assert said in str(caught.value)


def test_a_file_outside_the_bundle_is_not_read(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    (tmp_path / "b" / "kerb.parquet").rename(tmp_path / "kerb.parquet")
    layer = bundle.manifest.layers[0].model_dump()
    _change_manifest(tmp_path / "b", "layers", [{**layer, "file": "../kerb.parquet"}])
    with pytest.raises(DataFileError, match="fora do pacote"):
        load_bundle(tmp_path / "b")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("manifest.json", '{"name": "outro programa"}'),
        ("kerb.parquet", "sem manifesto"),
        ("notas.txt", "ao lado de um pacote"),
        ("minhas.parquet", "ao lado de um pacote"),
    ],
)
def test_nothing_that_is_not_of_a_bundle_is_deleted(tmp_path: Path, name: str, content: str) -> None:
    folder = tmp_path / "b"
    if "ao lado" in content:
        write_bundle(folder, HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(content)
    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(InputError, match="escolha outra pasta"):
        write_bundle(folder, HEAD, [(KERB, kerbs("Rua 2"))], TABLES)
    assert sorted(path.name for path in folder.iterdir()) == before
    assert (folder / name).read_text() == content


def test_a_link_to_a_bundle_stays_a_link(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    (tmp_path / "atual").symlink_to(tmp_path / "b")
    write_bundle(tmp_path / "atual", HEAD, [(KERB, kerbs("Rua 1", "Rua 2"))], TABLES)
    assert (tmp_path / "atual").is_symlink()
    assert load_bundle(tmp_path / "b").manifest.layers[0].features == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["atual", "b"]


def test_the_folder_one_stands_in_may_become_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert write_bundle(Path(), HEAD, [], TABLES).manifest.layers == ()


@pytest.mark.parametrize("part", ["layers", "tables"])
@pytest.mark.parametrize("harm", [lambda _: b"", lambda old: old[:-40], lambda _: None])
def test_a_file_forged_with_its_hash_is_refused_when_read(
    tmp_path: Path,
    part: str,
    harm: Any,  # noqa: ANN401
) -> None:
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    entry = _manifest(tmp_path / "b")[part][0]
    path = tmp_path / "b" / entry["file"]
    content = harm(path.read_bytes())
    if content is None:
        entry = {**entry, "features" if part == "layers" else "rows": 7}
    else:
        path.write_bytes(content)
        entry = {**entry, "sha256": hashlib.sha256(content).hexdigest()}
    _change_manifest(tmp_path / "b", part, [entry])
    bundle = load_bundle(tmp_path / "b")
    with pytest.raises(DataFileError, match="refaça o pacote"):
        _ = bundle.layer("kerb") if part == "layers" else bundle.table("side")


def test_a_layer_in_another_system_than_the_manifest_says_is_refused(tmp_path: Path) -> None:
    write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    _change_manifest(tmp_path / "b", "crs", "EPSG:31983")
    bundle = load_bundle(tmp_path / "b")
    with pytest.raises(DataFileError, match="sistema"):
        bundle.layer("kerb")


@pytest.mark.parametrize(
    ("name", "said"), [("b/k.gpkg", "dentro do pacote"), ("p.gpkg", "p.gpkg é uma pasta")]
)
def test_an_export_spoils_nothing(tmp_path: Path, name: str, said: str) -> None:
    bundle = write_bundle(tmp_path / "b", HEAD, [(KERB, kerbs("Rua 1"))], TABLES)
    (tmp_path / "p.gpkg").mkdir()
    with pytest.raises(InputError, match=said):
        export_kerbs(bundle, tmp_path / name)
    assert load_bundle(tmp_path / "b") == bundle


def test_a_bundle_without_kerbs_is_not_exported(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", HEAD, [(CORNER, corners())], TABLES)
    with pytest.raises(DataFileError, match="não tem guias"):
        export_kerbs(bundle, tmp_path / "k.gpkg")
