"""The card as a driver sees it: what it says, in what colour, and that nothing of it is cut off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

from geocheck.demo.cases import read_cases
from geocheck.demo.kept import demo_folder
from geocheck.report.card.card import card_png

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

    Judged = Callable[..., tuple[Report, Bundle]]
    Words = Callable[[Report, Bundle | None], str]
    Pixels = Callable[[bytes], NDArray[np.int16]]

NAMES: Final = [case.name for case in read_cases(demo_folder() / "casos.toml").case]
VERDICTS: Final = {
    "prohibited": "✕ PROIBIDO",
    "inconclusive": "? INCONCLUSIVO",
    "conditional": "! DEPENDE",
    "no_impediment_found": "✓ NENHUM IMPEDIMENTO ENCONTRADO",
}
ONE_OF_EACH: Final = {
    "prohibited": "tudo-errado",
    "inconclusive": "guia-nao-levantada",
    "conditional": "em-frente-ao-t",
    "no_impediment_found": "livre",
}
MARGIN_PX: Final = 30
DARK: Final = 60


def _nothing_is_cut_off(picture: NDArray[np.int16]) -> None:
    """No letter reaches into the margins: every row of them has one colour."""
    assert (picture[:, :MARGIN_PX] == picture[:, :1]).all()
    assert (picture[:, -MARGIN_PX:] == picture[:, -1:]).all()
    assert (picture[-MARGIN_PX:] > 200).all()


def _bands(picture: NDArray[np.int16]) -> list[tuple[int, ...]]:
    """Return the colours down the left edge, each once, from the top."""
    edge = picture[:, 3]
    changes = np.flatnonzero((edge[1:] != edge[:-1]).any(axis=1)) + 1
    return [tuple(edge[row].tolist()) for row in (0, *changes)]


def _luminance(colour: tuple[int, ...]) -> float:
    """Return the relative luminance of WCAG 2.2."""
    shares = np.array(colour) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("name", NAMES)
def test_a_named_skip(judged: Judged, words: Words, pixels: Pixels, name: str) -> None:
    report, bundle = judged(name)
    png = card_png(report, bundle)
    assert len(png) < 600_000
    picture = pixels(png)
    assert picture.shape[1] == 1080
    assert picture.shape[0] < 4000
    _nothing_is_cut_off(picture)
    said = words(report, bundle)
    assert VERDICTS[report.verdict] in said
    assert "Só o município autoriza" in said
    assert not re.search(r"autorizad[oa]", said, re.IGNORECASE)
    assert report.kerb is not None
    assert str(report.kerb.street) in said
    for finding in report.findings:
        if finding.outcome == "violation" and report.summary.startswith(finding.title):
            assert finding.title in said
    for book in report.rulebooks:
        assert f"{book.title} – " in said


def test_the_verdict_is_seen_in_colour_and_read_on_it(judged: Judged, pixels: Pixels) -> None:
    seen = {}
    for verdict, name in ONE_OF_EACH.items():
        report, bundle = judged(name)
        assert report.verdict == verdict
        law, band, *rest = _bands(pixels(card_png(report, bundle)))
        assert max(law) < DARK
        assert min(rest[0]) > 250
        seen[verdict] = band
        assert 1.05 / (_luminance(band) + 0.05) >= 4.5
    assert len(set(seen.values())) == 4
    red, green, _ = seen["prohibited"]
    assert red > 3 * green
    red, green, _ = seen["no_impediment_found"]
    assert green > 3 * red


def test_a_revoked_norm_is_said_before_all_else(judged: Judged, words: Words, pixels: Pixels) -> None:
    said = words(*judged("livre"))
    assert said.index("NORMA REVOGADA por Decreto 1.285") < said.index("NENHUM IMPEDIMENTO")
    assert "não diz o direito de hoje" in said
    assert "(regulamento anexo) – REVOGADA" in said
    report, bundle = judged("calcada-com-passagem")
    assert "REVOGADA" not in words(report, bundle)
    assert max(_bands(pixels(card_png(report, bundle)))[0]) > DARK  # its first band is the verdict's


def test_the_gravest_finding_is_on_it_with_the_move_that_mends_it(judged: Judged, words: Words) -> None:
    said = words(*judged("ponto-sem-pintura"))
    for text in ("Ponto de ônibus", "8,00 m", "o mínimo é 10,00 m", "Art. 11, § 3º", "→ afaste pelo menos"):
        assert text in said
    assert "Perguntar" not in said


def test_the_rest_of_a_long_list_is_counted(judged: Judged, words: Words) -> None:
    report, bundle = judged("tudo-errado")
    broken = [each for each in report.findings if each.outcome == "violation" and not each.displaced_by]
    assert len(broken) > 3
    open_ = [each for each in report.findings if each.outcome in ("borderline", "conditional")]
    assert f"e mais {len(broken) + len(open_) - 3} – veja o relatório" in words(report, bundle)


def test_it_leaves_at_the_term_and_not_after_what_was_checked(judged: Judged, words: Words) -> None:
    """Placed on Saturday 8 August: five working days end on Friday 14 August."""
    asked = words(*judged("livre"))
    assert "RETIRAR ATÉ seg, 10/08/2026 06:30 Foi o tempo pedido" in asked
    assert "o prazo da norma vai até sex, 14/08/2026 23:59" in asked.replace("O prazo", "o prazo")
    assert "RETIRAR ATÉ sex, 14/08/2026 23:59 5 dias úteis" in words(*judged("livre", end=None))
    late = words(*judged("livre", end="2026-08-20T10:00"))
    assert "RETIRAR ATÉ sex, 14/08/2026 23:59" in late
    assert "20/08/2026 10:00, passa do prazo" in late


def test_a_plan_tells_the_gap_to_keep_and_what_to_look_for(
    judged: Judged, words: Words, pixels: Pixels
) -> None:
    plan = {"mode": "planned", "snap": True, "bearing_deg": None, "volume_m3": None, "end": None}
    report, bundle = judged("livre", **plan, low_face_bearing_deg=None)
    said = words(report, bundle)
    assert "Caçamba planejada" in said
    assert "MANTER" in said
    assert "A no máximo 0,50 m da guia" in said
    assert report.pending
    _nothing_is_cut_off(pixels(card_png(report, bundle)))
    assert "Perguntar ou informar: " in said


def test_a_report_without_a_map_has_a_card_without_a_plan(
    judged: Judged, words: Words, pixels: Pixels
) -> None:
    report, bundle = judged("tudo-errado")
    bare: dict[str, Any] = {"bundle": None, "kerb": None, "footprint": None}
    bare["request"] = report.request.model_copy(update={"lon": None, "lat": None})
    alone = report.model_copy(update=bare)
    for told, given in ((report, None), (alone, None), (alone, bundle)):
        said = words(told, given)
        assert "Sem mapa deste local" in said
        assert "✕ PROIBIDO" in said
        _nothing_is_cut_off(pixels(card_png(told, given)))
    assert "Local não informado" in words(alone, None)
    assert f"Ponto {report.request.lat:.5f};".replace(".", ",") in words(
        report.model_copy(update={"kerb": None}), bundle
    )


def test_the_same_report_gives_the_same_picture(judged: Judged) -> None:
    assert card_png(*judged("livre")) == card_png(*judged("livre"))
