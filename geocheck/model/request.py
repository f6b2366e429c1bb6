"""The request: one placement and what its user knows of it; names shared by CLI, API and batch columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, StrictBool, StringConstraints, ValidationError, model_validator

from geocheck.errors import DataFileError
from geocheck.model.base import Frozen
from geocheck.model.words import FEATURE_KINDS, LAYERS, MEASURED_KEYS, ZONES, Place
from geocheck.toml_files import model_keys, problems_of

if TYPE_CHECKING:
    from geocheck.toml_files import Loc

Size = Annotated[float, Field(gt=0, le=12)]
Tape = Annotated[float, Field(ge=0, le=2000)]
RuleId = Annotated[str, Field(pattern=r"^[A-Z]{2,4}-\d{2}$")]
Bearing = Annotated[float, AfterValidator(lambda degrees: degrees % 360.0)]


Hours = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class Attributes(Frozen):
    """What decides about a thing observed; what is not given is unknown.

    Attributes:
        plates: of a bus stop: one, two (start and end), or none (a shelter alone).
        box: a stop has a painted box, from which its distance then counts.
        code: of a sign.
        hours: of a sign, in OSM's `opening_hours` syntax; none given: always.
        identified: a hydrant, valve, manhole or bay is marked as such.
        of_served_lot: a driveway or lot is that of the works served.
        bounds_median: the kerb at which the skip stands is that of a median.
        coverage: how much of the skip stands in front of the lot.
        kind: of a marking, bay, sign or lowered kerb.
    """

    plates: Literal[0, 1, 2] | None = None
    box: StrictBool | None = None
    code: Literal["R-6a", "R-6b", "R-6c"] | None = None
    hours: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)] | None = (
        None
    )
    identified: StrictBool | None = None
    of_served_lot: StrictBool | None = None
    bounds_median: StrictBool | None = None
    coverage: Literal["whole", "part"] | None = None
    kind: Literal[FEATURE_KINDS] | None = None  # type: ignore[valid-type]


class Observation(Frozen):
    """What somebody saw, or did not see, on site.

    Attributes:
        layer: the thing looked for.
        state: `none` (no such thing within `reach_m`) or `present` (at most `reach_m` away).
        reach_m: how far one looked, along the kerb or around the skip; 0 is right here.
        attributes: what decides.
        by: who looked.
        at: when, as written.
        note: anything else.
    """

    layer: Literal[LAYERS]  # type: ignore[valid-type]
    state: Literal["none", "present"]
    reach_m: Tape = 0.0
    attributes: Attributes = Attributes()
    by: str | None = None
    at: str | None = None
    note: str | None = None

    def said(self) -> dict[str, object]:
        """Return the attributes that are given, the code of a sign left out."""
        return self.attributes.model_dump(exclude_none=True, exclude={"code"})

    @property
    def places(self) -> bool:
        """Whether it tells how far a thing is; a sign's code tells what holds, not where its post is."""
        return self.attributes.code is None


class Site(Frozen):
    """Facts that no layer holds; what is not given is unknown.

    Attributes:
        interior_possible: there is room for the skip inside the property.
        hoarding_possible: there is room behind a hoarding.
        footway_possible: there is room on the footway.
        bay_available: there is a parking recess in front of the lot.
        inside_hoarding: the skip stands inside the hoarding.
        skips_on_lot: other skips that stand for this lot, without this one.
        merged_lot: the lot was merged from several.
        bays_on_block: parking bays of the block face.
        bays_occupied_on_block: of these, taken by other skips.
        bays_occupied: bays that this skip takes.
        credits_bought: parking credits for the bays are paid.
        recurrence: the operator committed the same offence before, within the law's period.
        low_face_upstream: the low face looks towards oncoming traffic.
    """

    interior_possible: bool | None = None
    hoarding_possible: bool | None = None
    footway_possible: bool | None = None
    bay_available: bool | None = None
    inside_hoarding: bool | None = None
    skips_on_lot: Annotated[int, Field(ge=0, le=1000)] | None = None
    merged_lot: bool | None = None
    bays_on_block: Annotated[int, Field(ge=0, le=10000)] | None = None
    bays_occupied_on_block: Annotated[int, Field(ge=0, le=10000)] | None = None
    bays_occupied: Annotated[int, Field(ge=1, le=20)] | None = None
    credits_bought: bool | None = None
    recurrence: bool | None = None
    low_face_upstream: bool | None = None


class KerbPlace(Frozen):
    """Where along a kerb a planned skip stands, as an earlier report says (`kerb`).

    Attributes:
        id: of the kerb.
        centre_m: of the skip's middle, from the kerb's start.
        bundle: hash of the map that has this kerb; on another map the coordinates count.
    """

    id: Annotated[str, Field(pattern=r"^\d{1,9}$")]
    centre_m: Annotated[float, Field(ge=-1e6, le=1e6)]
    bundle: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Request(Frozen):
    """One placement to check.

    Sizes are of the largest outline, in metres and cubic metres. Times are text: without an offset they are
    local to the city.

    Attributes:
        city: name of a city, or path of its sheet.
        lon: longitude of the centre, WGS 84 degrees.
        lat: latitude of the centre, WGS 84 degrees.
        bearing_deg: of the long axis, clockwise from true north; any number, taken modulo 360.
        address: as written; not used to find the place.
        mode: a plan beside the nearest kerb, or a skip that stands where it is said to.
        snap: put to the nearest kerb, which is planning.
        kerb: where along a kerb a planned skip stands, as an earlier report says.
        position_accuracy_m: half-width of the 95 % interval of the coordinates, metres.
        length_m: along the long axis.
        width_m: across it.
        height_m: of the three high faces.
        low_face_m: height of the low face.
        low_face_bearing_deg: where the low face looks, clockwise from true north.
        volume_m3: capacity.
        start: when the skip is placed; now when not given.
        end: when it is removed; the end of the term when not given.
        full_at: when it became full.
        where: where on the ground it stands; the carriageway when not given.
        lot: id of the lot that is served.
        authorised: rules whose act of the authority is held.
        declared: rules that the user declares to be met.
        measured: what a tape measured, in metres and degrees, by key.
        observed: what somebody saw, or did not see.
        in_zone: whether the spot lies in a zone.
        site: facts that no layer holds.
    """

    city: str
    lon: Annotated[float, Field(ge=-180, le=180)] | None = None
    lat: Annotated[float, Field(ge=-90, le=90)] | None = None
    bearing_deg: Bearing | None = None
    address: str | None = None
    mode: Literal["planned", "observed"] | None = None
    snap: bool | None = None
    kerb: KerbPlace | None = None
    position_accuracy_m: Annotated[float, Field(ge=0, le=100)] | None = None
    length_m: Size | None = None
    width_m: Size | None = None
    height_m: Size | None = None
    low_face_m: Size | None = None
    low_face_bearing_deg: Bearing | None = None
    volume_m3: Annotated[float, Field(gt=0, le=60)] | None = None
    start: str | None = None
    end: str | None = None
    full_at: str | None = None
    where: Place | None = None
    lot: str | None = None
    authorised: tuple[RuleId, ...] = ()
    declared: tuple[RuleId, ...] = ()
    measured: dict[Literal[MEASURED_KEYS], Tape] = Field(default_factory=dict)  # type: ignore[valid-type]
    observed: tuple[Observation, ...] = ()
    in_zone: dict[Literal[ZONES], bool] = Field(default_factory=dict)  # type: ignore[valid-type]
    site: Site = Site()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.kerb is not None and (self.mode == "observed" or self.lon is None):
            raise ValueError("kerb é de uma caçamba planejada: dê mode = planned, lon e lat")
        if (self.lon is None) != (self.lat is None):
            raise ValueError("lon e lat vêm juntos: dê os dois ou nenhum")
        if self.low_face_m is not None and self.height_m is not None and self.low_face_m > self.height_m:
            raise ValueError("low_face_m é maior que height_m: a face baixa não passa da altura das outras")
        if "angle_deg" in self.measured and self.measured["angle_deg"] > 90:  # noqa: PLR2004 (a right angle)
            raise ValueError("angle_deg vai de 0 (paralela à guia) a 90 (perpendicular)")
        for zone, inside in self.in_zone.items():
            taped_m = self.measured.get(f"{zone}_m")
            if taped_m is not None and inside != (taped_m == 0):
                raise ValueError(f"o que se diz de “{zone}” se contradiz: in_zone e measured.{zone}_m")
        for seen in self.observed:
            self._heed(seen)
        return self

    def _heed(self, seen: Observation) -> None:
        """Refuse what contradicts an observation: a tape, a zone, or another look at the same thing."""
        if not seen.places:
            return
        keys = (f"{seen.layer}_m", f"{seen.layer}_before_m", f"{seen.layer}_after_m")
        taped = [self.measured[key] for key in keys if key in self.measured]
        others = [each for each in self.observed if each.layer == seen.layer and each.places]
        if seen.state == "none":
            nearer = min(taped, default=math.inf) <= seen.reach_m
            nearer |= any(each.state == "present" and each.reach_m <= seen.reach_m for each in others)
            clash = nearer or self.in_zone.get(seen.layer) is True
        else:
            far = len(taped) == (1 if keys[0] in self.measured else 2) and min(taped) > seen.reach_m
            clash = far or (seen.reach_m == 0 and self.in_zone.get(seen.layer) is False)
        if clash:
            raise ValueError(
                f"o que se diz de “{seen.layer}” se contradiz (observed, measured, in_zone): "
                f"visto {seen.state} até {seen.reach_m:g} m; corrija um deles"
            )


def parse_request(raw: dict[str, Any], source: str = "pedido") -> Request:
    """Validate a request read from JSON, flags or a table row.

    Args:
        raw: field names as in the JSON request.
        source: what to call it in messages (`"pedido"`, a file's name and line).

    Raises:
        DataFileError: with every field that is wrong, in pt-BR.
    """
    try:
        return Request.model_validate(raw)
    except ValidationError as error:
        problems = problems_of(error, source, lambda loc: ("", _field(loc)), model_keys(Request))
        raise DataFileError(problems) from None


def _field(loc: Loc) -> str:
    """Write a location as a user would (`measured.gap_m`, `observed[1].layer`)."""
    text = ""
    for step in loc:
        if step == "[key]":
            continue
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
