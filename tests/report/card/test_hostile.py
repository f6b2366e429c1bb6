"""Text from data on a card: shown as it is, on the page, and never markup, script or code."""

from __future__ import annotations

import io
import unicodedata
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from geocheck.report.card.card import TEMPLATE, card_data, card_png
from geocheck.report.card.shown_text import LONGEST, shown_text
from geocheck.report.typesetting import typeset

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

    Judged = Callable[..., tuple[Report, Bundle]]
    Words = Callable[[Report, Bundle | None], str]
    Pixels = Callable[[bytes], NDArray[np.int16]]

MARGIN_PX: Final = 30
HOSTILE: Final = [
    "<script>alert(1)</script>",
    '#eval("1+1") #panic("a") $x^2$ *b* _i_ @ref <label> \\ ` [',
    "]} {{ }} %s \" ' & &amp; //x /* y */ --- ~",
    "#import \"/etc/passwd\" #read('/etc/passwd')",
    "https://example.org/<b>",
]


def _told(judged: Judged, text: str) -> tuple[Report, Bundle]:
    """Return a report into which a text came at every place that data can reach."""
    report, bundle = judged("tudo-errado")
    assert report.kerb is not None
    finding = report.findings[0].model_copy(
        update={"title": text, "message": text, "remedy": text, "outcome": "violation", "displaced_by": None}
    )
    changes: dict[str, Any] = {
        "kerb": report.kerb.model_copy(update={"street": text}),
        "findings": (finding,),
        "notices": tuple(each.model_copy(update={"text": text}) for each in report.notices),
        "rulebooks": tuple(each.model_copy(update={"title": text}) for each in report.rulebooks),
        "city": text,
    }
    return report.model_copy(update=changes), bundle


@pytest.mark.parametrize("text", HOSTILE)
def test_it_comes_out_as_it_went_in(judged: Judged, words: Words, text: str) -> None:
    report, bundle = _told(judged, text)
    said = words(report, bundle).replace(" ", "")
    assert said.count(text.replace(" ", "")) >= 5  # street, title, message, remedy, rulebook


@pytest.mark.parametrize(
    "text",
    [
        "Rua " + "x" * 296,
        "Rua dos Ipês " * 24,
        "\u202eRua\u202d \u2066das\u2069 \u200f\u0000\x1b[31m Acácias",
        "Rua 🚛🇧🇷👩‍👩‍👧 das Acácias",
        "R" + "\u0301" * 300 + "ua",
        "شارع 大通り ถนน",
        "\ud800 solto",
        "\n\r\t\u2028\u2029",
        "",
    ],
    ids=["word", "words", "turned", "emoji", "pile", "scripts", "surrogate", "lines", "empty"],
)
def test_nothing_runs_off_the_page(judged: Judged, pixels: Pixels, text: str) -> None:
    report, bundle = _told(judged, text)
    picture = pixels(card_png(report, bundle))
    assert (picture[:, :MARGIN_PX] == picture[:, :1]).all()
    assert (picture[:, -MARGIN_PX:] == picture[:, -1:]).all()
    assert picture.shape[0] < 8000


def test_what_turns_the_reading_is_not_on_the_card(judged: Judged, words: Words) -> None:
    said = words(*_told(judged, "Rua \u202edadiziro\u2066tua"))
    assert "Rua \ufffddadiziro\ufffdtua" in said
    assert "\u202e" not in said


def test_no_font_of_the_system_is_used(judged: Judged) -> None:
    report, bundle = judged("livre")
    [page] = PdfReader(io.BytesIO(typeset(TEMPLATE, card_data(report, bundle), "pdf"))).pages
    fonts = [font.get_object()["/BaseFont"] for font in _fonts(page)]
    families = {str(name).split("+")[-1].split("-")[0] for name in fonts}
    assert families == {"AtkinsonHyperlegible", "DejaVuSansMono"}


def _fonts(page: Any) -> list[Any]:  # noqa: ANN401 (a page as pypdf reads it)
    return list(page["/Resources"]["/Font"].values())


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=900))
def test_all_that_is_shown_is_seen(text: str) -> None:
    shown = shown_text(text)
    letters = shown.replace("\u200b", "")
    assert len(letters) <= LONGEST
    assert not [each for each in letters if unicodedata.category(each) in ("Cc", "Cf", "Cs", "Co", "Cn")]
    assert max(map(len, shown.replace("\u200b", " ").split() or [""])) < 25
    shown.encode()


@given(st.text("aábcç dé,.–º§", max_size=24))
def test_plain_words_stay_as_they_are(text: str) -> None:
    assert shown_text(text) == " ".join(text.split())
