"""The card of a report: its words and its plan, typeset as one PNG."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from geocheck.report.card.content import content_of
from geocheck.report.card.decisive import decisive
from geocheck.report.card.nearby import nearby
from geocheck.report.card.plan import plan_of, skip_of
from geocheck.report.card.small_png import small_png
from geocheck.report.card.spot import side_of
from geocheck.report.credit import credit_of
from geocheck.report.typesetting import typeset

if TYPE_CHECKING:
    from geocheck.city.bundle.bundle import Bundle
    from geocheck.model.report import Report

TEMPLATE: Final = Path(__file__).parent / "card.typ"


def card_png(report: Report, bundle: Bundle | None) -> bytes:
    """Return the card of a report as a PNG, 1080 pixels wide and as high as its words need.

    Args:
        report: of one placement.
        bundle: of which it speaks, for the plan; None: a card without one.

    Raises:
        DataFileError: a layer of the bundle is not what its manifest says.
    """
    return small_png(typeset(TEMPLATE, card_data(report, bundle), "png"))


def card_data(report: Report, bundle: Bundle | None) -> dict[str, Any]:
    """Return what the template draws: words that can be shown, and the plan; None where there is none."""
    skip = skip_of(report)
    shown, left = decisive(report)
    if bundle is None or skip is None:
        shown = [each._replace(line=None) for each in shown]
        return {**content_of(report, shown, left, side=""), "plan": None}
    around = nearby(bundle)
    side = side_of(around, skip, report.kerb.street if report.kerb else None)
    words = content_of(report, shown, left, side)
    words["foot"].append(f"Mapa: {credit_of(bundle)}.")
    return {**words, "plan": plan_of(around, skip, shown)}
