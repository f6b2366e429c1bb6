"""Named skips in the neighbourhood: where they stand on its grid, and the answers worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationError

from geocheck.errors import DataFileError
from geocheck.model.base import Frozen
from geocheck.model.words import LAYERS
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from pathlib import Path

    from geocheck.demo.grid import Grid
    from geocheck.toml_files import Loc

Word = Annotated[str, Field(min_length=1)]


class Expected(Frozen):
    """What a rule is to say of a case.

    Attributes:
        outcome: of its finding.
        measured_m: that decides, of a breach; else by the primary reading; None: not told here.
        within_m: how near the measured value must come; by default the last digits of degrees.
        limit_m: of the same.
        fine_brl: of its sanction.
        why: the reason, in figures.
    """

    outcome: Literal["compliant", "violation", "borderline", "conditional", "not_evaluated", "not_applicable"]
    measured_m: float | None = None
    within_m: float = 0.002
    limit_m: float | None = None
    fine_brl: str | None = None
    why: Word


class Case(Frozen):
    """A skip.

    Attributes:
        name: of it.
        city: whose law judges it, in the neighbourhood placed there.
        why: what it shows.
        at: its centre, metres east and north on the grid.
        heading_deg: of its long axis, clockwise from the grid's y.
        low_face_deg: towards which its low face looks, counted likewise.
        without: layers that the bundle is to lack.
        request: fields of the request, beyond those of the city's base.
        verdict: to be given; None: the case is about single rules.
        findings: to be made, by rule.
        second_opinion: the same, of the federal code where the city has a rule of its own.
    """

    name: Word
    city: Word
    why: Word
    at: tuple[float, float]
    heading_deg: float
    low_face_deg: float | None = None
    without: tuple[Literal[LAYERS], ...] = ()  # type: ignore[valid-type]
    request: dict[str, Any] = Field(default_factory=dict)
    verdict: Literal["prohibited", "inconclusive", "conditional", "no_impediment_found"] | None = None
    findings: dict[str, Expected] = Field(default_factory=dict)
    second_opinion: dict[str, Expected] = Field(default_factory=dict)


class Cases(Frozen):
    """A file of cases.

    Attributes:
        base: by city, fields that all its requests have.
        case: the skips.
    """

    base: dict[str, dict[str, Any]]
    case: tuple[Case, ...]

    def request(self, case: Case, grid: Grid, city: str) -> dict[str, Any]:
        """Return the request of a case, as JSON has it.

        Args:
            case: one of this file.
            grid: of the neighbourhood in the case's city.
            city: its name, or the path of its sheet.
        """
        [(lon, lat)] = grid.to_lonlat([case.at]).tolist()
        place = {"lon": lon, "lat": lat, "bearing_deg": grid.true_bearing_deg(case.heading_deg, lon, lat)}
        if case.low_face_deg is not None:
            place["low_face_bearing_deg"] = grid.true_bearing_deg(case.low_face_deg, lon, lat)
        return {"city": city, **place, **self.base[case.city], **case.request}


def read_cases(path: Path) -> Cases:
    """Read a file of cases.

    Raises:
        DataFileError: with all its problems.
    """
    try:
        return validated(Cases, read_toml(path))
    except ValidationError as error:
        raise DataFileError(problems_of(error, path.name, _locate, model_keys(Cases))) from None


def _locate(loc: Loc) -> tuple[str, str]:
    return "", ".".join(str(step) for step in loc if step != "[key]")
