"""Reading TOML, and saying in pt-BR what is wrong in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError

from geocheck.errors import DataFileError
from geocheck.model.base import Frozen
from geocheck.toml_files import model_keys, problems_of, read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.errors import Problem


class Near(Frozen):
    """One kind of test."""

    kind: Literal["near"]
    max_m: Annotated[float, Field(gt=0, strict=True)]


class Far(Frozen):
    """Another."""

    kind: Literal["far"]
    min_m: Annotated[float, Field(ge=1, strict=True)] = 1.0


class Sheet(Frozen):
    """A file with one of everything."""

    tests: tuple[Annotated[Near | Far, Field(discriminator="kind")], ...] = ()
    opens: Annotated[int, Field(alias="from", strict=True)] = 0
    table: dict[str, float] | None = None
    colour: Literal["azul", "verde"] = "azul"
    names: Annotated[tuple[str, ...], Field(max_length=1)] = ()
    maybe: Near | None = None


def problems(**raw: object) -> list[Problem]:
    with pytest.raises(ValidationError) as caught:
        Sheet.model_validate(raw)
    return problems_of(
        caught.value, "x.toml", lambda loc: (str(loc[0]), ".".join(map(str, loc[1:]))), model_keys(Sheet)
    )


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"tests": [{"kind": "near"}]}, "x.toml: tests: 0.near.max_m: falta"),
        ({"tests": [{"kind": "near", "max_m": 1, "maxm": 2}]}, "chave desconhecida; quis dizer “max_m”?"),
        ({"tests": [{"kind": "far", "mim_m": 2}]}, "chave desconhecida; quis dizer “min_m”?"),
        ({"tests": [{"kind": "far", "banana": 2}]}, "x.toml: tests: 0.far.banana: chave desconhecida"),
        ({"tests": [{"kind": "nera"}]}, "deve ser um de: near, far; quis dizer “near”?"),
        ({"tests": [{}]}, "x.toml: tests: 0: falta kind"),
        ({"tests": 3}, "x.toml: tests: deve ser uma lista, entre colchetes; veio “3”"),
        ({"tests": [3]}, "deve ser uma tabela, com chaves e valores"),
        ({"form": 1}, "x.toml: form: chave desconhecida; quis dizer “from”?"),
        ({"from": "1"}, "x.toml: from: deve ser um número inteiro, sem aspas; veio “1”"),
        ({"from": True}, "deve ser um número inteiro, sem aspas; veio “true”"),
        ({"table": {"a": "muito"}}, "x.toml: table: a: deve ser um número, sem aspas; veio “muito”"),
        ({"colour": "verd"}, "deve ser um de: azul, verde; quis dizer “verde”?"),
        ({"names": ["a", "b"]}, "deve ter no máximo 1 item(ns); tem 2"),
        ({"names": [1]}, "deve ser um texto entre aspas; veio “1”"),
        ({"maybe": {"kind": "near", "max_m": 0}}, "deve ser maior que 0.0; veio “0”"),
        ({"maybe": {"kind": "near", "max_m": 1, "mx_m": 0}}, "quis dizer “max_m”?"),
    ],
)
def test_each_complaint_is_in_portuguese(raw: dict[str, Any], told: str) -> None:
    assert any(told in str(problem) for problem in problems(**raw)), problems(**raw)


def test_all_complaints_are_kept() -> None:
    assert len(problems(colour=1, table=2, names=3)) == 3


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a = 1\nb = = 2\n", "linha 2, coluna 5: erro de sintaxe TOML em “b = = 2”: valor não reconhecido"),
        (b"a = 1\r\nb = = 2\r\n", "linha 2, coluna 5"),
        (b"a = 1\na = 2\n", "linha 2, coluna 6: erro de sintaxe TOML em “a = 2”: chave repetida"),
        (b"[a]\n[a]\n", "tabela repetida"),
        (b"a = 2026-02-30\n", "data que não existe"),
        (b"a 1\n", "falta “=” depois da chave"),
        (b"a = 1 b = 2\n", "sobra algo depois do valor"),
        (b'a = "x', "no fim do arquivo: falta fechar as aspas"),
        (b"a = [1,", "no fim do arquivo"),
        (b"a = 1\nb = '\xe9'\n", "linha 2: o arquivo não está em UTF-8; salve-o em UTF-8"),
    ],
)
def test_broken_toml_is_located(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(DataFileError) as caught:
        read_toml(path)
    assert told in str(caught.value)


def test_a_byte_order_mark_and_windows_line_ends_are_tolerated(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes('\ufeffa = "ã"\r\nb = """x\r\ny"""\r\n'.encode())
    assert read_toml(path) == {"a": "ã", "b": "x\ny"}


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"nada\.toml: arquivo não encontrado"):
        read_toml(tmp_path / "nada.toml")
