"""The page's files: whole in the wheel, modules small, nothing inline or from elsewhere, no markup made."""

from __future__ import annotations

import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hatchling.builders.wheel import WheelBuilder

import geocheck.service

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER: Final = Path(geocheck.service.__file__).parent / "page"
MODULES: Final = sorted((FOLDER / "js").glob("*.js"))


class Reader(HTMLParser):
    """Collects what must not be in a page under a policy without inline script and style."""

    def __init__(self) -> None:
        """Begin."""
        super().__init__()
        self.faults: list[str] = []
        self.sources: list[str] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Look at an element."""
        self._in = tag
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.faults.append(f"{tag} {name}")
            if name in ("src", "href") and value and not value.startswith("#"):
                self.sources.append(value)

    def handle_data(self, data: str) -> None:
        """Look at text."""
        if self._in in ("script", "style") and data.strip():
            self.faults.append(self._in)


def test_the_page_has_nothing_inline_and_all_that_it_names() -> None:
    reader = Reader()
    reader.feed((FOLDER / "index.html").read_text(encoding="utf-8"))
    assert reader.faults == []
    own = [each for each in reader.sources if not each.startswith("static/leaflet/")]
    assert len(own) == 3
    assert all((FOLDER / each.removeprefix("static/")).is_file() for each in own)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_says_its_job_and_makes_no_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// ")
    assert text.count("\n") <= 250
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!www\.w3\.org)",
        text,
    )
    for name in re.findall(r'from "\./([\w.-]+)"', text):
        assert (FOLDER / "js" / name).is_file()


def test_every_module_is_used() -> None:
    named = {
        name
        for path in MODULES
        for name in re.findall(r'from "\./([\w.-]+)"', path.read_text(encoding="utf-8"))
    }
    assert {path.name for path in MODULES} - named == {"main.js"}


def test_the_style_asks_for_nothing_from_elsewhere() -> None:
    assert not re.search(r"url\(|@import", (FOLDER / "page.css").read_text(encoding="utf-8"))


def test_the_wheel_holds_the_page(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    [wheel] = WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert {f"geocheck/service/page/{path.relative_to(FOLDER).as_posix()}" for path in files} <= names
