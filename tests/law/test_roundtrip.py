"""A rulebook written back from what was read says the same law."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from geocheck.files import data_folder
from geocheck.law.load import read_rulebook

SAO_PAULO = Path(__file__).parent / "sao-paulo" / "sao-paulo-decreto-46594-2005.toml"
FILES = [*sorted((data_folder() / "rulebooks").glob("*.toml")), SAO_PAULO]


@pytest.mark.parametrize("exclude_defaults", [False, True], ids=["in full", "without defaults"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_written_back_a_rulebook_says_the_same(path: Path, exclude_defaults: bool, tmp_path: Path) -> None:  # noqa: FBT001
    book = read_rulebook(path).book
    raw: dict[str, Any] = book.model_dump(
        mode="json",
        by_alias=True,
        exclude_defaults=exclude_defaults,
        exclude_none=True,  # TOML has no null
    )
    copy = tmp_path / path.name
    copy.write_text(tomli_w.dumps(raw), encoding="utf-8")
    again = read_rulebook(copy).book
    # Rule by rule, so that a difference is shown small.
    assert [rule.id for rule in again.rule] == [rule.id for rule in book.rule]
    for written, read in zip(again.rule, book.rule, strict=True):
        assert written == read
    assert (again.rulebook, again.sanctions) == (book.rulebook, book.sanctions)
    assert again == book


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_uses_the_words_of_the_file(path: Path) -> None:
    """Keys as in TOML (`class`, `from`, `is`), hours as `HH:MM`, money as text: no value changes its form."""
    book = read_rulebook(path).book
    text = tomli_w.dumps(book.model_dump(mode="json", by_alias=True, exclude_none=True))
    for inner in ("class_", "is_ =", "opens", "closes"):
        assert inner not in text
    for amounts in book.model_dump(mode="json")["sanctions"]["amounts"]:
        assert all(isinstance(amounts[degree], str) for degree in ("leve", "media", "grave", "gravissima"))


def test_a_window_until_midnight_stays_one(tmp_path: Path) -> None:
    goiania = next(path for path in FILES if path.stem.startswith("goiania"))
    raw = tomllib.loads(goiania.read_text(encoding="utf-8"))
    (zone,) = (each for each in raw["rule"] if each["id"] == "GYN-25")
    zone["test"][0]["restricted"] = [{"days": ["sunday"], "from": "00:00", "to": "24:00"}]
    copy = tmp_path / goiania.name
    copy.write_text(tomli_w.dumps(raw), encoding="utf-8")
    book = read_rulebook(copy).book
    written = book.model_dump(mode="json", by_alias=True, exclude_none=True)
    (zone,) = (each for each in written["rule"] if each["id"] == "GYN-25")
    assert zone["test"][0]["restricted"] == [{"days": ["sunday"], "from": "00:00", "to": "24:00"}]
    copy.write_text(tomli_w.dumps(written), encoding="utf-8")
    assert read_rulebook(copy).book == book
